"""The entries of a dealer, read strictly and turned into commands of the engine.

Knows the words of the console and nothing of its user. An impossible card, an unknown field or a number out of range is
`Invalid`; the engine decides whether it may be done now.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, TypeVar

import msgspec
from django.utils.translation import gettext, gettext_noop

from cardroom.core import malformed
from cardroom.core.errors import Illegal, Invalid, Verbatim
from games.engine import commands as c
from games.engine.games import Street
from games.engine.hand import Hand
from games.engine.rules.stub import receivers
from games.play.hands import ACTIONS, command_for

Seat = Annotated[int, msgspec.Meta(ge=1, le=9)]


Card = Annotated[str, msgspec.Meta(pattern="^[2-9TJQKA][cdhs]$")]


Few = Annotated[int, msgspec.Meta(ge=0, le=2)]


StreetNumber = Annotated[int, msgspec.Meta(ge=3, le=7)]


Chips = Annotated[int, msgspec.Meta(ge=0, le=10**12)]


Reason = Annotated[str, msgspec.Meta(max_length=300)]


#: More than any street has, mistakes included.
_MOST_CARDS = 40


class DealerEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The base of everything a dealer can enter."""


Shape = TypeVar("Shape", bound=DealerEntry)


class CardEntry(DealerEntry, frozen=True):
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


class DealEntry(DealerEntry, frozen=True):
    """A street. Off the system's deck only marked seats are listed."""

    street: StreetNumber
    cards: Annotated[tuple[CardEntry, ...], msgspec.Meta(max_length=_MOST_CARDS)] = ()
    burns: Few | None = None
    common: Card | None = None


class TooSoonEntry(DealerEntry, frozen=True):
    street: StreetNumber
    cards: Annotated[tuple[CardEntry, ...], msgspec.Meta(max_length=_MOST_CARDS)]


class NoticeEntry(DealerEntry, frozen=True):
    """The dealer points a mistake out. ``card`` (or ``cards``): those that come to light when a physical deck is
    corrected."""

    card: Card | None = None
    cards: Annotated[tuple[Card, ...], msgspec.Meta(max_length=_MOST_CARDS)] = ()


class FouledEntry(DealerEntry, frozen=True):
    """The deck is fouled. ``card``: the one that is there twice, or ``joker``."""

    card: Annotated[str, msgspec.Meta(pattern="^([2-9TJQKA][cdhs]|joker)$")] | None = None


class SeatEntry(DealerEntry, frozen=True):
    seat: Seat


class ActEntry(DealerEntry, frozen=True):
    """An action of a player, entered for them."""

    seat: Seat
    action: str
    amount: Chips | None = None


class StartEntry(DealerEntry, frozen=True):
    """A hand begins. ``absent``: seats dealt in without their player."""

    absent: Annotated[tuple[Seat, ...], msgspec.Meta(max_length=9)] = ()


class UndoEntry(DealerEntry, frozen=True):
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


_SHAPES: dict[str, type[DealerEntry]] = {
    "deal": DealEntry,
    "deal-too-soon": TooSoonEntry,
    "notice": NoticeEntry,
    "fouled": FouledEntry,
    "act": ActEntry,
    "undo": UndoEntry,
    **dict.fromkeys(_SEATED, SeatEntry),
}


#: The words of all entries.
WHATS = tuple(_SHAPES)


#: The actions that a dealer enters for a player; `times-out`: their time is over.
ENTERED_ACTIONS = (*ACTIONS, "times-out")


def read_entry(what: str, fields: Mapping[str, Any]) -> DealerEntry:
    """The entry in ``fields``; `Invalid` names the field that is wrong."""
    if what not in _SHAPES:
        raise Invalid(
            "no-such-entry",
            "A dealer cannot enter {value!r}: there are {names}.",
            value=what[:24],
            names=", ".join(WHATS),
        )
    entry = _convert_fields(what, fields, _SHAPES[what])
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
    return _convert_fields("start-hand", fields, StartEntry).absent


def _convert_fields(what: str, fields: Mapping[str, Any], shape: type[Shape]) -> Shape:
    try:
        return msgspec.convert(dict(fields), shape)
    except msgspec.ValidationError as error:
        raise Invalid("bad-fields", Verbatim(_words(what, error))) from None


def _words(what: str, error: msgspec.ValidationError) -> str:
    """The fault as a sentence for people; of all fields only cards have a pattern."""
    if str(error).startswith("Expected `str` matching regex"):
        where = str(error).replace("`$.", "`").rpartition(" - at ")[2]
        return gettext("A card is rank then suit, like Ts or 7h: look at {where} again.").format(where=where)
    return gettext("{what}: {fault}.").format(what=what, fault=malformed.fault_of(error))


def command_of(what: str, entry: DealerEntry, hand: Hand) -> c.Command:
    """The engine's command for an entry in this hand; `UndoEntry` has none."""
    match entry:
        case DealEntry():
            return _deal(entry, hand)
        case TooSoonEntry():
            _check_named(hand, entry.cards)
            return c.DealTooSoon(entry.street, tuple(card.given() for card in entry.cards))
        case NoticeEntry():
            return c.NoticeMistake(entry.cards or ((entry.card,) if entry.card else ()))
        case FouledEntry():
            return _declare_fouled(entry, hand)
        case ActEntry(action="times-out"):
            return c.TimeOut(entry.seat)
        case ActEntry():
            return command_for(entry.seat, entry.action, entry.amount)
        case SeatEntry():
            return _SEATED[what](entry.seat)
    raise ValueError(f"{what} is no command of the engine")


def _declare_fouled(entry: FouledEntry, hand: Hand) -> c.DeclareFouled:
    if hand.deck is not None:
        message = gettext_noop("These cards come off the system's deck, which has every card once.")
        raise Illegal("system-deck", message, rule=hand.book.citation("fouled_deck"))
    return c.DeclareFouled(entry.card or "")


def _deal(entry: DealEntry, hand: Hand) -> c.Deal:
    street = hand.next_street()
    if hand.deck is None:
        if entry.common is None:
            _check_named(hand, entry.cards, is_needed=True)
        return c.Deal(entry.street, tuple(card.given() for card in entry.cards), entry.common, entry.burns)
    if street is None or street.number != entry.street or not entry.cards:
        # Nothing is marked, or it is not this street's turn, which the engine refuses.
        return c.Deal(entry.street, tuple(card.given() for card in entry.cards), entry.common, entry.burns)
    return c.Deal(entry.street, _whole_street(entry.cards, hand, street), entry.common, entry.burns)


def _whole_street(marked: Sequence[CardEntry], hand: Hand, street: Street) -> tuple[c.Given, ...]:
    """The whole street: the marked cards in their places, and a plain one in each place that was not marked."""
    seats = receivers(hand)
    strangers = [card.given() for card in marked if card.seat not in seats]
    return (*_in_seats(marked, seats, len(street.ups)), *strangers)


def _in_seats(marked: Sequence[CardEntry], seats: Sequence[int], count: int) -> list[c.Given]:
    given: list[c.Given] = []
    for seat in seats:
        own = [card.given(place if count > 1 else 0) for place, card in enumerate(_cards_of_seat(seat, marked))]
        downs_up = [item for item in own if item.place in (0, 1) and (item.is_exposed or item.is_off_table)]
        is_stopped = count > 1 and len({item.place for item in downs_up}) > 1 and len(own) == len(downs_up)
        taken = {item.place for item in own}
        plain = [c.Given(seat, place=place) for place in range(count) if place not in taken]
        given += own if is_stopped else own + plain
    return sorted(given, key=lambda item: item.place or 0)


def _cards_of_seat(seat: int, marked: Sequence[CardEntry]) -> list[CardEntry]:
    return [card for card in marked if card.seat == seat]


def _check_named(hand: Hand, cards: Sequence[CardEntry], *, is_needed: bool = False) -> None:
    """`Illegal` where a card of a physical deck has no name: there the dealer names every card."""
    if hand.deck is not None:
        return
    unnamed = next((card.seat for card in cards if card.card is None and not card.skipped), None)
    if unnamed is not None or (is_needed and not cards):
        message = gettext_noop("These cards come from a physical deck: type or scan the cards.")
        if unnamed:
            message = gettext_noop("These cards come from a physical deck: type or scan the card of seat {seat}.")
        raise Illegal("name-the-card", message, seat=unnamed)
