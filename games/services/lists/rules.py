"""Whose turn it is when a seat is free: the rules, in order, each with what it is called and where it comes from.

Nothing here asks the database. `choose` looks at seats and candidates, says whom the seat belongs to and by which rule,
and of everybody who came before why they were passed over; a page and a test read the same answer.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from games.models import ListEntry

Kind = ListEntry.Kind

_HOUSE = "Rules of the room, 5 (waiting lists)"
_PRACTICE = f"{_HOUSE}; common practice of card rooms"
_RROP = "Robert's Rules of Poker v11, 2 House Policies"


@dataclass(frozen=True)
class Rule:
    """One rule of the lists. `text` is what is said to people, `cite` where it stands."""

    slug: str
    title: str
    text: str
    cite: str


#: In this order. `kinds` of a rule: whom it is about.
RULES: tuple[tuple[Rule, tuple[str, ...]], ...] = (
    (
        Rule(
            "seat-change",
            "Seat changes first",
            "Who plays at the table has a seat there before anybody new; of several, who asked first.",
            _PRACTICE,
        ),
        (Kind.SEAT_CHANGE,),
    ),
    (
        Rule(
            "must-move",
            "Must move",
            "A free seat of the main game goes to its must-move game: first in there, first out of it.",
            _PRACTICE,
        ),
        (Kind.MUST_MOVE,),
    ),
    (
        Rule(
            "table-change",
            "Table changes",
            "Who plays the same game at another table and asked to change goes before the list, in order of asking.",
            f"{_HOUSE}; {_RROP}, Seating 3",
        ),
        (Kind.TABLE_CHANGE,),
    ),
    (
        Rule(
            "put-back",
            "Put back from a broken game",
            "Who lost a seat because the game broke goes to the top of the list, by their time at the table.",
            _HOUSE,
        ),
        (Kind.LIST, Kind.INTEREST),
    ),
    (
        Rule("list", "By time of joining", "The list is called in the order in which names were put on it.", _HOUSE),
        (Kind.LIST, Kind.INTEREST),
    ),
)

BY_SLUG = {rule.slug: rule for rule, _ in RULES} | {
    rule.slug: rule
    for rule in (
        Rule("floor", "The floor decides", "The floor may call, seat or move somebody out of turn, with a reason.",
             f"{_HOUSE}; {_RROP}, Decision-making 1 and 2"),
        Rule("own-wish", "Their own wish", "A player joins and leaves lists, and answers calls, as they like.", _HOUSE),
        Rule("call-time", "The time of a call", "Who does not come in time goes to the bottom, then off the list.",
             _HOUSE),
        Rule("no-table", "No table any more", "A call to a table that closes is taken back; the name keeps its place.",
             _HOUSE),
        Rule("enough", "Enough names", "A game opens when as many names are there as the room asks for.", _HOUSE),
        Rule("took-a-seat", "Took a seat", "Who sits down in a game has had what they waited for.", _HOUSE),
        Rule("barred", "Barred", "Who may not play is on no list.", "Rules of the room, standing of players"),
        Rule("refused-move", "Refused to move", "Who refuses to move to the main game gives up their seat, and is not "
             "on its lists for an hour.", _PRACTICE),
    )
}  # fmt: skip

TRANSFER_CITE = f"{_RROP}, Seating 3: no transfer that leaves the game left with fewer players than the game entered"


@dataclass(frozen=True)
class Candidate:
    """Somebody who might get the seat. `order` sorts those of one rule; `bars` say why it cannot be theirs, whatever
    the seat; `seats` are the only numbers they want (none: any), `passed` those that the floor passed them over for."""

    player: int
    name: str
    kind: str
    order: tuple[int, ...]
    entry: ListEntry | None = None
    tier: int = 1
    seats: frozenset[int] = frozenset()
    passed: frozenset[int] = frozenset()
    bars: tuple[str, ...] = ()

    @property
    def rule(self) -> Rule:
        return next(rule for rule, is_for in _rungs() if is_for(self))


@dataclass(frozen=True)
class Chosen:
    """Who gets which seat, by which rule, and who was passed over: pairs of a candidate and why."""

    candidate: Candidate
    number: int
    rule: Rule
    passed_over: tuple[tuple[Candidate, str], ...] = field(default=())


def _rungs() -> Iterable[tuple[Rule, Callable[[Candidate], bool]]]:
    for rule, kinds in RULES:
        tiers = (0,) if rule.slug == "put-back" else (1, 2) if rule.slug == "list" else (0, 1, 2)
        yield rule, lambda each, kinds=kinds, tiers=tiers: each.kind in kinds and each.tier in tiers


def in_order(candidates: Iterable[Candidate]) -> list[Candidate]:
    """As the rules have them: by rule, then by the order within it."""
    waiting = list(candidates)
    return [
        each
        for _, is_for in _rungs()
        for each in sorted((one for one in waiting if is_for(one)), key=lambda one: one.order)
    ]


def choose(free: Sequence[int], candidates: Iterable[Candidate]) -> Chosen | None:
    """Whose one of the free seats is, and which of them; None where it is nobody's."""
    if not free:
        return None
    passed: list[tuple[Candidate, str]] = []
    for each in in_order(candidates):
        if each.bars:
            passed.append((each, each.bars[0]))
            continue
        wanted = [number for number in free if not each.seats or number in each.seats]
        fitting = [number for number in wanted if number not in each.passed]
        if fitting:
            return Chosen(each, fitting[0], each.rule, tuple(passed))
        if wanted:
            passed.append((each, f"was passed over for {seats_in_words(wanted)} by the floor"))
        else:
            passed.append((each, f"wants {seats_in_words(each.seats)}, and free {_is_are(free)}"))
    return None


def seats_in_words(numbers: Iterable[int]) -> str:
    """ "seat 3", "seat 3 or 5"."""
    said = [str(number) for number in sorted(numbers)]
    return f"seat {said[0]}" if len(said) == 1 else f"seat {', '.join(said[:-1])} or {said[-1]}"


def _is_are(free: Sequence[int]) -> str:
    said = [str(number) for number in sorted(free)]
    return f"is seat {said[0]}" if len(said) == 1 else f"are seats {', '.join(said[:-1])} and {said[-1]}"
