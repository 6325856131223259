"""The next step of correct procedure at a table that a person deals: the next step in words, and what can be entered.

The engine itself is asked, on copies of the hand. A dealer sees what the rail sees, so nothing here tells of a card
that is not public.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from games.engine import commands as c
from games.engine.errors import IllegalAction
from games.engine.facts import mistakes, play
from games.engine.facts.base import RAIL, redact
from games.engine.facts.play import ActionOn
from games.engine.hand import Hand as Engine
from games.engine.rules.dealing import burns_due, is_common_card_due, receivers
from games.engine.rules.mistakes import cards_to_light, street_mistakes
from games.engine.rules.showdown import must_table_all
from games.tables import journal as table_journal
from games.tables import words as table_words
from games.tables.journal import OpenHand


@dataclass(frozen=True)
class Step:
    """``what``: deal, act, name-low, show, notice or over. ``words``: the same for people."""

    what: str
    words: str
    street: int | None = None
    seat: int | None = None


@dataclass(frozen=True)
class Undo:
    """The entry that would be taken back: ``words`` say what it was; the hand goes back to fact ``upto``."""

    words: str
    upto: int


@dataclass(frozen=True)
class Procedure:
    """What the dealer of a hand has to do next.

    ``receivers``: the seats that get cards of the next street, in dealing order, ``cards_each`` of them; ``burns``: how
    many are burned before it; ``premature_street``: the street whose cards could now come too soon. ``lowcard``:
    (named, true) where the wrong seat was named. ``mistake``: the point on which pointing it out brings a ruling, ""
    when nothing is out of order; ``cards_to_name``: how many cards come to light then and have to be named. ``whats``
    and ``seats``: what the engine would take now, for the hand and by seat.
    """

    hand: int
    seq: int
    awaits: str
    next: Step
    receivers: list[int]
    cards_each: int
    burns: int
    is_common_due: bool
    stub: int
    is_typed: bool
    premature_street: int | None
    lowcard: tuple[int, int] | None
    mistake: str
    cards_to_name: int
    whats: list[str]
    seats: dict[int, list[str]]
    turn: ActionOn | None
    undo: Undo | None


_SEATED: dict[str, tuple[Callable[[int], c.Command], ...]] = {
    "act": (c.Fold, c.Check, c.Call, c.BringIn),
    "name-low": (c.NameOpener,),
    "look": (c.Look,),
    "mix": (c.Mix,),
    "pick-up": (c.PickUp,),
    "reorder": (c.Reorder,),
    "declare-all-in": (c.DeclareAllIn,),
    "show": (c.Show,),
    "muck": (c.Muck,),
    "leave": (c.Leave,),
    "back": (c.Return,),
}


def procedure(*, hand_id: int) -> Procedure:
    """What is to be done next in a hand. `NotFound` where there is no such hand."""
    opened = table_journal.read(hand_id)
    hand = opened.engine
    street = hand.next_street() if hand.awaits in ("deal", "action") else None
    noticed = _trial(hand, c.Notice())
    undo = _undo(opened)
    whats = [
        *(["deal"] if hand.awaits == "deal" else []),
        *(["deal-too-soon"] if hand.phase == "bet" and street is not None else []),
        *(["notice"] if noticed.is_possible else []),
        *(["undo"] if undo is not None else []),
    ]
    return Procedure(
        hand=hand_id,
        seq=len(hand.facts),
        awaits=hand.awaits,
        next=_next(hand, noticed),
        receivers=receivers(hand) if street is not None else [],
        cards_each=len(street.ups) if street is not None else 0,
        burns=burns_due(hand, street) if street is not None else 0,
        is_common_due=_is_common_due(hand),
        stub=len(hand.stub),
        is_typed=hand.deck is None,
        premature_street=street.number if "deal-too-soon" in whats and street is not None else None,
        lowcard=noticed.lowcard,
        mistake=noticed.key,
        cards_to_name=noticed.cards,
        whats=whats,
        seats={seat: what for seat in sorted(hand.seats) if (what := _for_seat(hand, seat))},
        turn=hand.turn,
        undo=undo,
    )


def next_step(hand: Engine) -> Step:
    """The next step of correct procedure in a hand that is able to be played on."""
    return _next(hand, _trial(hand, c.Notice()))


# -- the next step ---------------------------------------------------------------------------------------------------


def _next(hand: Engine, noticed: _Noticed) -> Step:
    if noticed.is_remedied:
        return Step("notice", noticed.words)
    if hand.is_over:
        return Step("over", _how_it_ended(hand))
    if hand.awaits == "deal":
        return _next_street(hand)
    if hand.awaits == "opener":
        return Step("name-low", "Name the seat that opens the betting")
    if hand.awaits == "show":
        what = "shows" if must_table_all(hand) else "shows or mucks"
        return Step("show", f"Seat {hand.to_act} {what}", seat=hand.to_act)
    verb = "brings it in" if hand.turn is not None and hand.turn.bring_in else "to act"
    return Step("act", f"Seat {hand.to_act} {verb}", seat=hand.to_act)


def _next_street(hand: Engine) -> Step:
    street = hand.next_street()
    if street is None:
        return Step("over", "")
    burn = "Burn and " if burns_due(hand, street) else ""
    if _is_common_due(hand):
        what = "turn up one common card"
    elif street.number == 3:
        what = "deal third street: two down, one up"
    else:
        what = f"deal {street.name} street"
    said = f"{burn}{what}"
    if hand.premature:
        said = f"The cards dealt too soon are out: {said[0].lower()}{said[1:]} afresh"
    return Step("deal", said[0].upper() + said[1:], street=street.number)


def _is_common_due(hand: Engine) -> bool:
    street = hand.next_street()
    if street is None or hand.awaits != "deal":
        return False
    return is_common_card_due(hand, len(receivers(hand)) * len(street.ups))


def _how_it_ended(hand: Engine) -> str:
    if isinstance(hand.facts[-1], mistakes.HandVoided):
        return table_words.sentence(hand.facts[-1], _seat).rstrip(".")
    won: dict[int, int] = {}
    for fact in hand.facts:
        if isinstance(fact, play.PotAwarded):
            won[fact.seat] = won.get(fact.seat, 0) + fact.amount
    pushed = [f"{amount:,} to seat {seat}" for seat, amount in won.items()]
    return f"Push {', '.join(pushed)}" if pushed else "The hand is over"


# -- what can be entered ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Noticed:
    """What pointing a mistake out now would change."""

    is_possible: bool = False
    is_remedied: bool = False
    key: str = ""
    cards: int = 0
    lowcard: tuple[int, int] | None = None
    words: str = ""


#: What is done about a mistake, in words.
_REMEDIES = {"burn_error": "Put the burn error right", "wrong_card_count": "Put the number of cards right"}


def _trial(hand: Engine, notice: c.Notice) -> _Noticed:
    if hand.is_over:
        return _Noticed()
    found = street_mistakes(hand)
    key = "burn_error" if found is not None and found.is_burned_wrong else "wrong_card_count"
    twin = hand.copy()
    try:
        facts = twin.play(notice)
    except IllegalAction as error:
        if error.code != "name-the-card":
            return _Noticed()
        count = cards_to_light(hand)
        which = "the card that comes" if count == 1 else f"the {count} cards that come"
        return _Noticed(True, True, key, count, words=f"{_REMEDIES[key]}: name {which} to light")
    rulings = [fact for fact in facts if isinstance(fact, play.Ruled)]
    low = next((ruling for ruling in rulings if ruling.key == "wrong_lowcard"), None)
    pair = (low.seats[0], low.seats[1]) if low is not None and len(low.seats) > 1 else None
    if rulings[0].verdict == "misdeal":
        return _Noticed(True, True, rulings[0].key, words="Wrong number of starting cards: misdeal")
    is_remedied = any(ruling.verdict == "corrected" for ruling in rulings)
    said = f"Seat {pair[1]} is low, not seat {pair[0]}: put it right" if pair else _REMEDIES[key]
    return _Noticed(True, is_remedied, rulings[0].key, 0, pair, said)


def _for_seat(hand: Engine, seat: int) -> list[str]:
    if hand.is_over:
        return []
    return [what for what, made in _SEATED.items() if _is_taken(hand, (make(seat) for make in made))]


def _is_taken(hand: Engine, tried: Iterable[c.Command]) -> bool:
    for command in tried:
        try:
            facts = hand.copy().play(command)
        except IllegalAction:
            continue
        return bool(facts)
    return False


def _undo(opened: OpenHand) -> Undo | None:
    entries = opened.entries()
    if not entries or opened.engine.is_over:
        return None
    last = entries[-1]
    if not _is_taken(opened.engine, [c.Reverse(last.facts_from - 1)]):
        return None
    facts = [redact(fact, RAIL) for fact in opened.engine.facts[last.facts_from - 1 : last.seq]]
    told = [table_words.sentence(fact, _seat) for fact in facts if not isinstance(fact, play.Ruled | play.Announced)]
    return Undo(next((said for said in told if said), "The last entry"), last.facts_from - 1)


def _seat(number: int) -> str:
    return f"Seat {number}"
