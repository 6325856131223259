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
class Deal(Command):
    """Deal a street. ``cards``: (seat, card) in the order dealt, third street three a seat; empty: off the known stub.
    ``common``: the card turned up in the middle instead."""

    street: int
    cards: tuple[tuple[int, str], ...] = ()
    common: str | None = None


@dataclass(frozen=True, slots=True)
class NameOpener(Command):
    """Name the seat that opens, where unknown upcards hide it."""

    seat: int
