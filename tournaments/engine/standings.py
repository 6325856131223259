"""Who finished where: the places of those who bust, and the order of everybody at any moment.

Entrants who bust together share a stretch of places: ``place`` is the best of it, ``places`` all of it, which is what
their prizes are summed over. Hands that end at different tables rank by the time of the bust: call once for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import isqrt

from tournaments.engine.errors import IllegalAction

LARGER_STACK_FIRST = "Robert's Rules of Poker v11, Tournaments"
HAND_FOR_HAND = "TDA RP-8"


@dataclass(frozen=True, slots=True)
class Finish:
    """Where an entrant came in. ``place``: from 1; ``places``: those shared."""

    entrant: int
    place: int
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the table. ``chips``: 0 for who is out; ``is_shared``: somebody else has the same rank."""

    entrant: int
    rank: int
    chips: int
    is_in: bool
    is_shared: bool


def places(busts: Sequence[tuple[int, int]], *, left: int) -> tuple[Finish, ...]:
    """The places of those who bust in one hand at one table, best first.

    ``busts``: (entrant, chips at the start of that hand); ``left``: players in the event before it. The larger stack
    finishes higher, equal stacks share. Raises ``IllegalAction`` for an entrant who is there twice and for more busts
    than there are players.
    """
    _check_busts([entrant for entrant, _ in busts], left)
    in_order = sorted(busts, key=lambda bust: -bust[1])
    finishes: list[Finish] = []
    for _, group in groupby(in_order, key=lambda bust: bust[1]):
        best = left - len(busts) + 1 + len(finishes)
        finishes += _shared([entrant for entrant, _ in group], best)
    return tuple(finishes)


def hand_for_hand(busts: Sequence[int], *, left: int) -> tuple[Finish, ...]:
    """The places of all who bust on one announced hand, at whatever table: they share them (TDA RP-8).

    Of 52 left three bust: all three are 50th and share the prizes of 50, 51 and 52. Raises as ``places``.
    """
    _check_busts(busts, left)
    return tuple(_shared(busts, left - len(busts) + 1)) if busts else ()


def table(stacks: Mapping[int, int], finished: Mapping[int, int]) -> tuple[Standing, ...]:
    """Everybody, best first: those in by chips, equal ones sharing a rank, then those out by place.

    ``stacks``: entrant -> chips of those in; ``finished``: entrant -> place of those out. Equal ones stand in the
    order of their numbers, which is that of entry.
    """
    inside = sorted(stacks, key=lambda entrant: (-stacks[entrant], entrant))
    outside = sorted(finished, key=lambda entrant: (finished[entrant], entrant))
    ranked = [(entrant, stacks[entrant], rank, True) for entrant, rank in _ranks(inside, stacks)]
    ranked += [(entrant, 0, finished[entrant], False) for entrant in outside]
    lines = []
    for (_, is_in), group in groupby(ranked, key=lambda line: (line[2], line[3])):
        same = list(group)
        lines += [Standing(entrant, rank, chips, is_in, len(same) > 1) for entrant, chips, rank, _ in same]
    return tuple(lines)


def _ranks(in_order: Iterable[int], stacks: Mapping[int, int]) -> list[tuple[int, int]]:
    ranked: list[tuple[int, int]] = []
    for number, entrant in enumerate(in_order, 1):
        is_shared = ranked and stacks[ranked[-1][0]] == stacks[entrant]
        ranked.append((entrant, ranked[-1][1] if is_shared else number))
    return ranked


def _shared(entrants: Sequence[int], best: int) -> list[Finish]:
    stretch = tuple(range(best, best + len(entrants)))
    return [Finish(entrant, best, stretch) for entrant in entrants]


def _check_busts(busts: Sequence[int], left: int) -> None:
    for number, entrant in enumerate(busts):
        if entrant in busts[:number]:
            raise IllegalAction("bust-twice", f"Entrant {entrant} cannot bust twice in one hand: name each once.")
    if len(busts) > left:
        raise IllegalAction("too-many-busts", f"{len(busts)} players cannot bust: only {left} are left.")


# Points of a league: what a place is worth, and how a season adds up.


FORMULAS = {
    "linear": "scale for every entry that finished at the place or behind it",
    "root": "scale times the square root of entries over place",
    "root-over-place": "scale times the square root of the entries, divided by the place",
    "table": "the points of the place in a fixed table",
    "prize": "scale for every so much of prize money",
}


@dataclass(frozen=True, slots=True)
class Formula:
    """``kind``: one of ``FORMULAS``. ``scale``: its points; 100 gives roots two decimal places.

    ``table``: points by place, for a table. ``per``: the money that a prize formula counts in. ``buy_in_of_one``: with
    it roots are of the buy-in too, an event of that buy-in counting once and one of four times as much twice (0: the
    buy-in does not count). ``places``: only so many score (0: all). ``playing``: points for everyone who played.
    """

    kind: str = "root"
    scale: int = 100
    table: tuple[int, ...] = ()
    per: int = 100
    buy_in_of_one: int = 0
    places: int = 0
    playing: int = 0


@dataclass(frozen=True, slots=True)
class Rules:
    """A season's. ``best``: how many results of a player count (0: all). ``min_entrants``: events with fewer entries
    do not score (four, as the home games of ``features.md`` 1c have it)."""

    formula: Formula = Formula()
    best: int = 0
    min_entrants: int = 4


@dataclass(frozen=True, slots=True)
class Result:
    """Where ``player``'s ``entry`` (its number in the event) finished in ``event`` of ``entries``. ``tied``: how many
    share the place. Money is in units of currency."""

    event: int
    player: int
    entry: int
    place: int
    entries: int
    tied: int = 1
    buy_in: int = 0
    prize: int = 0


@dataclass(frozen=True, slots=True)
class Score:
    """``counts``: is it among the player's best?"""

    event: int
    place: int
    points: int
    counts: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A player in the table of a season. Equal in points, wins and best place is equal in ``rank``. ``scores``: one an
    event, the best first."""

    rank: int
    player: int
    points: int
    events: int
    wins: int
    best_place: int
    scores: tuple[Score, ...]


def check(formula: Formula) -> None:
    """Refuse a formula that makes no sense. Raises ``IllegalAction`` (``league-formula``)."""
    if formula.kind not in FORMULAS:
        raise IllegalAction("league-formula", f"There is no formula called {formula.kind!r}: {', '.join(FORMULAS)}.")
    numbers = (formula.scale, formula.buy_in_of_one, formula.places, formula.playing, *formula.table)
    if min(numbers) < 0 or formula.per < 1:
        raise IllegalAction("league-formula", "A formula has no numbers below 0, and counts in 1 or more of money.")
    if formula.kind == "table" and not formula.table:
        raise IllegalAction("league-formula", "A table needs the points of at least one place.")


def points(formula: Formula, place: int, entries: int, buy_in: int = 0, prize: int = 0, tied: int = 1) -> int:
    """What ``place`` of ``entries`` is worth. ``tied`` who share it share the points of their places evenly, rounded
    down. Raises ``IllegalAction``: ``league-formula``, and ``league-place`` for a place there is not."""
    check(formula)
    if tied < 1 or not 1 <= place <= place + tied - 1 <= entries:
        raise IllegalAction("league-place", f"There is no place {place} for {tied} of {entries} entries.")
    shared = sum(_of_place(formula, at, entries, buy_in, prize) for at in range(place, place + tied))
    return shared // tied + formula.playing


def season(rules: Rules, results: Iterable[Result]) -> tuple[Row, ...]:
    """The table, first rank first. Of several entries of a player in one event only the first counts."""
    first: dict[tuple[int, int], Result] = {}
    for result in results:
        key = (result.player, result.event)
        if result.entries >= rules.min_entrants and (key not in first or result.entry < first[key].entry):
            first[key] = result
    by_player: dict[int, list[Result]] = {}
    for (player, _), result in sorted(first.items()):
        by_player.setdefault(player, []).append(result)
    rows = sorted((_row(rules, player, played) for player, played in by_player.items()), key=_order)
    ranked: list[Row] = []
    for number, row in enumerate(rows, 1):
        is_level = bool(ranked) and _order(ranked[-1])[:-1] == _order(row)[:-1]
        ranked.append(replace(row, rank=ranked[-1].rank if is_level else number))
    return tuple(ranked)


def _of_place(formula: Formula, place: int, entries: int, buy_in: int, prize: int) -> int:
    if formula.places and place > formula.places:
        return 0
    if formula.kind == "table":
        return formula.table[place - 1] if place <= len(formula.table) else 0
    if formula.kind == "linear":
        return formula.scale * (entries - place + 1)
    if formula.kind == "prize":
        return formula.scale * prize // formula.per
    inside, one = entries * formula.scale**2, place if formula.kind == "root" else place**2
    if formula.buy_in_of_one:
        inside, one = inside * buy_in, one * formula.buy_in_of_one
    return isqrt(inside // one)


def _row(rules: Rules, player: int, played: list[Result]) -> Row:
    found = [
        (points(rules.formula, each.place, each.entries, each.buy_in, each.prize, each.tied), each) for each in played
    ]
    found.sort(key=lambda pair: (-pair[0], pair[1].place, pair[1].event))
    counting = rules.best or len(found)
    scores = tuple(Score(result.event, result.place, worth, at < counting) for at, (worth, result) in enumerate(found))
    return Row(
        rank=0,
        player=player,
        points=sum(score.points for score in scores if score.counts),
        events=len(scores),
        wins=sum(result.place == 1 and result.tied == 1 for result in played),
        best_place=min(result.place for result in played),
        scores=scores,
    )


def _order(row: Row) -> tuple[int, int, int, int]:
    return (-row.points, -row.wins, row.best_place, row.player)
