"""What a dealer enters, read strictly and put as the engine's commands.

Knows the words of the console and nothing of who sent them. A card that cannot be one, a field nobody asked for or a
number out of range is `Invalid`; whether it may be done now is the engine's to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

import msgspec
from django.utils.translation import gettext, gettext_lazy, gettext_noop, ngettext

from cardroom.core import malformed, sentences
from cardroom.core.errors import Illegal, Invalid, Verbatim
from cardroom.core.sentences import filled
from games.engine import commands as c
from games.engine.errors import IllegalAction
from games.engine.facts import mistakes, play
from games.engine.facts.base import RAIL, redact
from games.engine.facts.play import ActionOn
from games.engine.games import Street
from games.engine.hand import Hand
from games.engine.hand import Hand as Engine
from games.engine.rules.manual_dealing import can_have_come_too_soon
from games.engine.rules.put_right import cards_to_light, street_mistakes
from games.engine.rules.short_deck import is_common_card_due
from games.engine.rules.showdown import must_table_all
from games.engine.rules.stub import burns_due, receivers
from games.play.hands import ACTIONS, command_for
from games.tables import journal as table_journal
from games.tables import words as table_words
from games.tables.journal import OpenHand

Seat = Annotated[int, msgspec.Meta(ge=1, le=9)]
Card = Annotated[str, msgspec.Meta(pattern="^[2-9TJQKA][cdhs]$")]
Few = Annotated[int, msgspec.Meta(ge=0, le=2)]
StreetNumber = Annotated[int, msgspec.Meta(ge=3, le=7)]
Chips = Annotated[int, msgspec.Meta(ge=0, le=10**12)]
Reason = Annotated[str, msgspec.Meta(max_length=300)]

#: More than any street has, mistakes included.
_MOST_CARDS = 40


class Entered(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a dealer can enter."""


Shape = TypeVar("Shape", bound=Entered)


class CardEntry(Entered, frozen=True):
    """One card. ``place``: which of the seat's cards of the street, from 0, where the order does not tell."""

    seat: Seat
    card: Card | None = None
    exposed: bool = False
    off_table: bool = False
    skipped: bool = False
    place: Few | None = None

    def given(self, place: int | None = None) -> c.Given:
        where = self.place if self.place is not None else place
        return c.Given(self.seat, self.card, self.exposed, self.off_table, self.skipped, where)


class DealEntry(Entered, frozen=True):
    """A street. Off the system's deck only marked seats are listed."""

    street: StreetNumber
    cards: Annotated[tuple[CardEntry, ...], msgspec.Meta(max_length=_MOST_CARDS)] = ()
    burns: Few | None = None
    common: Card | None = None


class TooSoonEntry(Entered, frozen=True):
    street: StreetNumber
    cards: Annotated[tuple[CardEntry, ...], msgspec.Meta(max_length=_MOST_CARDS)]


class NoticeEntry(Entered, frozen=True):
    """``card``, or ``cards`` where there are several: what comes to light when a physical deck is corrected."""

    card: Card | None = None
    cards: Annotated[tuple[Card, ...], msgspec.Meta(max_length=_MOST_CARDS)] = ()


class FouledEntry(Entered, frozen=True):
    """The deck is fouled. ``card``: the one that is there twice, or ``joker``."""

    card: Annotated[str, msgspec.Meta(pattern="^([2-9TJQKA][cdhs]|joker)$")] | None = None


class SeatEntry(Entered, frozen=True):
    seat: Seat


class ActEntry(Entered, frozen=True):
    """An action of a player, entered for them."""

    seat: Seat
    action: str
    amount: Chips | None = None


class StartEntry(Entered, frozen=True):
    """A hand begins. ``absent``: seats dealt in without their player."""

    absent: Annotated[tuple[Seat, ...], msgspec.Meta(max_length=9)] = ()


class UndoEntry(Entered, frozen=True):
    reason: Reason = ""


_SEATED: dict[str, Callable[[int], c.Command]] = {
    "name-low": c.NameOpener,
    "look": c.Look,
    "mix": c.Mix,
    "pick-up": c.PickUp,
    "reorder": c.Reorder,
    "declare-all-in": c.DeclareAllIn,
    "show": c.Show,
    "muck": c.Muck,
    "leave": c.Leave,
    "back": c.Return,
}
_SHAPES: dict[str, type[Entered]] = {
    "deal": DealEntry,
    "deal-too-soon": TooSoonEntry,
    "notice": NoticeEntry,
    "fouled": FouledEntry,
    "act": ActEntry,
    "undo": UndoEntry,
    **dict.fromkeys(_SEATED, SeatEntry),
}
#: What can be entered, by its word.
WHATS = tuple(_SHAPES)
#: What a dealer enters for a player: an action, or that their time is over.
ENTERED_ACTIONS = (*ACTIONS, "times-out")


def read(what: str, fields: Mapping[str, Any]) -> Entered:
    """The entry in ``fields``; `Invalid` names the field that is wrong."""
    if what not in _SHAPES:
        raise Invalid(
            "no-such-entry",
            "A dealer cannot enter {value!r}: there are {names}.",
            value=what[:24],
            names=", ".join(WHATS),
        )
    entry = _converted(what, fields, _SHAPES[what])
    if isinstance(entry, ActEntry) and entry.action not in ENTERED_ACTIONS:
        raise Invalid(
            "no-such-action",
            "There is no action {value!r}: {names}.",
            value=entry.action[:24],
            names=", ".join(ENTERED_ACTIONS),
        )
    return entry


def read_start(fields: Mapping[str, Any]) -> tuple[int, ...]:
    """The absent seats of a hand to be begun."""
    return _converted("start-hand", fields, StartEntry).absent


def _converted(what: str, fields: Mapping[str, Any], shape: type[Shape]) -> Shape:
    try:
        return msgspec.convert(dict(fields), shape)
    except msgspec.ValidationError as error:
        raise Invalid("bad-fields", Verbatim(_words(what, error))) from None


def _words(what: str, error: msgspec.ValidationError) -> str:
    """What is wrong, for people; of all fields only cards have a pattern."""
    if str(error).startswith("Expected `str` matching regex"):
        where = str(error).replace("`$.", "`").rpartition(" - at ")[2]
        return gettext("A card is rank then suit, like Ts or 7h: look at {where} again.").format(where=where)
    return gettext("{what}: {fault}.").format(what=what, fault=malformed.fault_of(error))


def command_of(what: str, entry: Entered, hand: Hand) -> c.Command:
    """The engine's command for an entry in this hand; what takes an entry back is not among them."""
    match entry:
        case DealEntry():
            return _deal(entry, hand)
        case TooSoonEntry():
            _check_named(hand, entry.cards)
            return c.DealTooSoon(entry.street, tuple(card.given() for card in entry.cards))
        case NoticeEntry():
            return c.Notice(entry.cards or ((entry.card,) if entry.card else ()))
        case FouledEntry():
            return _fouled(entry, hand)
        case ActEntry(action="times-out"):
            return c.TimeOut(entry.seat)
        case ActEntry():
            return command_for(entry.seat, entry.action, entry.amount)
        case SeatEntry():
            return _SEATED[what](entry.seat)
    raise ValueError(f"{what} is no command of the engine")


def _fouled(entry: FouledEntry, hand: Hand) -> c.DeclareFouled:
    if hand.deck is not None:
        said = gettext_noop("These cards come off the system's deck, which has every card once.")
        raise Illegal("system-deck", said, rule=hand.book.citation("fouled_deck"))
    return c.DeclareFouled(entry.card or "")


def _deal(entry: DealEntry, hand: Hand) -> c.Deal:
    street = hand.next_street()
    if hand.deck is None:
        if entry.common is None:
            _check_named(hand, entry.cards, is_needed=True)
        return c.Deal(entry.street, tuple(card.given() for card in entry.cards), entry.common, entry.burns)
    if street is None or street.number != entry.street or not entry.cards:
        # Nothing is marked, or it is not this street's turn: the engine says so.
        return c.Deal(entry.street, tuple(card.given() for card in entry.cards), entry.common, entry.burns)
    return c.Deal(entry.street, _filled(entry.cards, hand, street), entry.common, entry.burns)


def _filled(marked: Sequence[CardEntry], hand: Hand, street: Street) -> tuple[c.Given, ...]:
    """The whole street: the marked cards in their places, and a plain one wherever nothing was marked."""
    seats = receivers(hand)
    strangers = [card.given() for card in marked if card.seat not in seats]
    return (*_in_seats(marked, seats, len(street.ups)), *strangers)


def _in_seats(marked: Sequence[CardEntry], seats: Sequence[int], count: int) -> list[c.Given]:
    given: list[c.Given] = []
    for seat in seats:
        own = [card.given(place if count > 1 else 0) for place, card in enumerate(_of(seat, marked))]
        downs_up = [item for item in own if item.place in (0, 1) and (item.is_exposed or item.is_off_table)]
        is_stopped = count > 1 and len({item.place for item in downs_up}) > 1 and len(own) == len(downs_up)
        taken = {item.place for item in own}
        plain = [c.Given(seat, place=place) for place in range(count) if place not in taken]
        given += own if is_stopped else own + plain
    return sorted(given, key=lambda item: item.place or 0)


def _of(seat: int, marked: Sequence[CardEntry]) -> list[CardEntry]:
    return [card for card in marked if card.seat == seat]


def _check_named(hand: Hand, cards: Sequence[CardEntry], *, is_needed: bool = False) -> None:
    """With a physical deck the dealer has to name every card."""
    if hand.deck is not None:
        return
    unnamed = next((card.seat for card in cards if card.card is None and not card.skipped), None)
    if unnamed is not None or (is_needed and not cards):
        said = gettext_noop("These cards come from a physical deck: type or scan the cards.")
        if unnamed:
            said = gettext_noop("These cards come from a physical deck: type or scan the card of seat {seat}.")
        raise Illegal("name-the-card", said, seat=unnamed)


# The next step of correct procedure at a table that a person deals: the next step in words, and what can be entered.


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


_TAKEN_BY_SEAT: dict[str, tuple[Callable[[int], c.Command], ...]] = {
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
        *(["deal-too-soon"] if street is not None and can_have_come_too_soon(hand) else []),
        *(["notice"] if noticed.is_possible else []),
        *(["fouled"] if hand.deck is None and not hand.is_over else []),
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
        return Step("name-low", gettext("Name the seat that opens the betting"))
    if hand.awaits == "show":
        said = gettext("Seat {seat} shows") if must_table_all(hand) else gettext("Seat {seat} shows or mucks")
        return Step("show", said.format(seat=hand.to_act), seat=hand.to_act)
    is_bring_in = hand.turn is not None and hand.turn.bring_in
    said = gettext("Seat {seat} brings it in") if is_bring_in else gettext("Seat {seat} to act")
    return Step("act", said.format(seat=hand.to_act), seat=hand.to_act)


#: By street: without a burn, and with one.
_DEALS = {
    4: (gettext_lazy("Deal fourth street"), gettext_lazy("Burn and deal fourth street")),
    5: (gettext_lazy("Deal fifth street"), gettext_lazy("Burn and deal fifth street")),
    6: (gettext_lazy("Deal sixth street"), gettext_lazy("Burn and deal sixth street")),
    7: (gettext_lazy("Deal seventh street"), gettext_lazy("Burn and deal seventh street")),
}


def _next_street(hand: Engine) -> Step:
    street = hand.next_street()
    if street is None:
        return Step("over", "")
    is_burned = bool(burns_due(hand, street))
    if _is_common_due(hand):
        said = gettext("Burn and turn up one common card") if is_burned else gettext("Turn up one common card")
    elif street.is_first:
        said = gettext("Deal third street: two down, one up")
        if is_burned:
            said = gettext("Burn and deal third street: two down, one up")
    else:
        said = str(_DEALS[street.number][is_burned])
    if hand.premature:
        said = gettext("The cards dealt too soon are out: {deal} afresh").format(deal=sentences.inside(said))
    return Step("deal", said, street=street.number)


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
    pushed = [filled(gettext("{amount:,} to seat {seat}"), amount=amount, seat=seat) for seat, amount in won.items()]
    return gettext("Push {pots}").format(pots=", ".join(pushed)) if pushed else gettext("The hand is over")


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
_REMEDIES = {
    "burn_error": gettext_lazy("Put the burn error right"),
    "wrong_card_count": gettext_lazy("Put the number of cards right"),
}


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
        said = ngettext(
            "{remedy}: name the card that comes to light", "{remedy}: name the {n} cards that come to light", count
        )
        return _Noticed(True, True, key, count, words=said.format(remedy=_REMEDIES[key], n=count))
    rulings = [fact for fact in facts if isinstance(fact, play.Ruled)]
    low = next((ruling for ruling in rulings if ruling.key == "wrong_lowcard"), None)
    pair = (low.seats[0], low.seats[1]) if low is not None and len(low.seats) > 1 else None
    if rulings[0].verdict == "misdeal":
        return _Noticed(True, True, rulings[0].key, words=gettext("Wrong number of starting cards: misdeal"))
    is_remedied = any(ruling.verdict == "corrected" for ruling in rulings)
    said = str(_REMEDIES[key])
    if pair:
        said = gettext("Seat {low} is low, not seat {seat}: put it right").format(low=pair[1], seat=pair[0])
    return _Noticed(True, is_remedied, rulings[0].key, 0, pair, said)


def rules_at_once(hand: Engine) -> bool:
    """Whether a wrong burn of the street just dealt is put right with nothing more to be said: no card to be named, and
    no last card that somebody may have looked at."""
    noticed = _trial(hand, c.Notice())
    is_burn = noticed.is_remedied and noticed.key == "burn_error"
    return is_burn and not noticed.cards and hand.next_street() is not None


def _for_seat(hand: Engine, seat: int) -> list[str]:
    if hand.is_over:
        return []
    return [what for what, made in _TAKEN_BY_SEAT.items() if _is_taken(hand, (make(seat) for make in made))]


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
    return Undo(next((said for said in told if said), gettext("The last entry")), last.facts_from - 1)


def _seat(number: int) -> str:
    return gettext("Seat {number}").format(number=number)
