"""What people at the table do or order, in the imperative. ``Hand.play`` turns a command into facts or refuses it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """Something to be done."""


# -- players ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fold(Command):
    seat: int


@dataclass(frozen=True, slots=True)
class Check(Command):
    seat: int


@dataclass(frozen=True, slots=True)
class Call(Command):
    seat: int


@dataclass(frozen=True, slots=True)
class BringIn(Command):
    """Post the forced bet."""

    seat: int


@dataclass(frozen=True, slots=True)
class Wager(Command):
    """Bet, complete or raise. ``to``: the seat's total for the street; None where only one size is legal.

    ``verb``: bets, completes or raises when the player said so without a size; it must then be what is open.
    """

    seat: int
    to: int | None = None
    verb: str = ""


@dataclass(frozen=True, slots=True)
class TimeOut(Command):
    """The seat's action clock ran out."""

    seat: int


@dataclass(frozen=True, slots=True)
class Leave(Command):
    """The player went away in the middle of the hand."""

    seat: int


@dataclass(frozen=True, slots=True)
class Return(Command):
    """The absent player is back."""

    seat: int


@dataclass(frozen=True, slots=True)
class Show(Command):
    """Show at the showdown. ``cards``: the whole hand, where a recording did not know it before."""

    seat: int
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Muck(Command):
    seat: int


# -- the dealer at a hand-dealt table --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Given:
    """One card to one seat. ``card`` None: the top of the known stub. ``is_exposed``: it was dealt face up where it
    should be down; ``is_off_table``: it left the table. ``is_skipped``: the seat got no card at all. ``place``: which
    card of the street it was, from 0; None where the order tells."""

    seat: int
    card: str | None = None
    is_exposed: bool = False
    is_off_table: bool = False
    is_skipped: bool = False
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Deal(Command):
    """Deal a street. ``cards`` in the order dealt, third street three a seat; empty: everything off the known stub.
    ``burns``: how many were burned (None: as the rules have it). ``common``: the card turned up in the middle."""

    street: int
    cards: tuple[Given, ...] = ()
    common: str | None = None
    burns: int | None = None


@dataclass(frozen=True, slots=True)
class DealTooSoon(Command):
    """Burned and dealt although the betting is not over. ``burns``: as for ``Deal``."""

    street: int
    cards: tuple[Given, ...]
    burns: int | None = None


@dataclass(frozen=True, slots=True)
class NoticeMistake(Command):
    """Somebody points out a mistake of the dealer: a burn error, a wrong number of cards, a wrong lowcard. ``cards``:
    those that come to light when a physical deck is corrected, the second burn or the top of the stub, in order."""

    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DeclareFouled(Command):
    """The deck is fouled: ``card`` is there twice, or is ``JOKER``; "" where that is not known."""

    card: str = ""


@dataclass(frozen=True, slots=True)
class NameOpener(Command):
    """Name the lowcard, rightly or wrongly; or the seat that opens, where unknown upcards hide it."""

    seat: int


# -- what players do with their cards --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Look(Command):
    """Look at the last card."""

    seat: int


@dataclass(frozen=True, slots=True)
class Mix(Command):
    """Put the last card in among the holecards."""

    seat: int


@dataclass(frozen=True, slots=True)
class PickUp(Command):
    """Pick the upcards up."""

    seat: int


@dataclass(frozen=True, slots=True)
class Reorder(Command):
    """Change the order of the upcards."""

    seat: int


@dataclass(frozen=True, slots=True)
class DeclareAllIn(Command):
    """Bet no more after a last card dealt face up."""

    seat: int


# -- the floor -------------------------------------------------------------------------------------------------------

ORDERS = ("rules-live", "orders-low", "misdeal", "void", "kills", "penalises")


@dataclass(frozen=True, slots=True)
class Order(Command):
    """What the rules leave to the floor: one of ``ORDERS``, for a seat where it concerns one, with the reason."""

    what: str
    seat: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Reverse(Command):
    """Take back a mistaken entry: all that came after fact ``upto``."""

    upto: int
    reason: str = ""
