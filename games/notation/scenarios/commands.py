"""The command of the engine for each line of a script."""

from __future__ import annotations

from collections.abc import Callable

from games.engine import commands as c
from games.notation.scenarios.model import (
    BurnLine,
    DealLine,
    FactLine,
    FloorLine,
    LowLine,
    NoticeLine,
    PlayerLine,
    PrematureLine,
    SeatDeal,
)
from games.notation.scenarios.words import WAGERS

_PLAYERS: dict[str, Callable[[int], c.Command]] = {
    "brings-in": c.BringIn,
    "folds": c.Fold,
    "checks": c.Check,
    "calls": c.Call,
    "times-out": c.TimeOut,
    "absent": c.Leave,
    "back": c.Return,
    "shows": c.Show,
    "mucks": c.Muck,
    "looks": c.Look,
    "mixes": c.Mix,
    "picks-up": c.PickUp,
    "reorders": c.Reorder,
    "declares-all-in": c.DeclareAllIn,
}


def command_of(line: FactLine, burns: int | None = None) -> c.Command | None:
    """The command for ``line``; ``burns``: how many cards were burned before it, where a line said so. None for that
    line itself: its count goes into the deal that follows."""
    match line:
        case PlayerLine():
            return _player(line)
        case DealLine():
            return c.Deal(line.street, _given_cards(line.seats), line.common, burns)
        case PrematureLine():
            return c.DealTooSoon(line.street, _given_cards(line.seats), burns)
        case NoticeLine():
            return c.NoticeMistake()
        case LowLine():
            return c.NameOpener(line.seat)
        case FloorLine(order="voids"):
            return c.DeclareFouled(line.card)
        case FloorLine():
            return c.Order(line.order, line.seat or 0, "as the script says")
        case BurnLine():
            return None


def _player(line: PlayerLine) -> c.Command:
    if line.verb in WAGERS:
        # With its total written out, a bet, a raise and a completion are the same fact.
        return c.Wager(line.seat, line.to) if line.to is not None else c.Wager(line.seat, None, line.verb)
    return _PLAYERS[line.verb](line.seat)


def _given_cards(seats: tuple[SeatDeal, ...]) -> tuple[c.Given, ...]:
    """The cards of a line of the script, seat by seat, each with its place there, as the command that deals them has
    them."""
    return tuple(
        c.Given(share.seat, card.card, card.is_exposed, card.is_off_table, card.card is None, place)
        for share in seats
        for place, card in zip(_places(share), share.all, strict=True)
    )


def _places(share: SeatDeal) -> list[int]:
    """Which card of the street each one is. Of three before the slash the last two came in place of one."""
    return [min(place, 1) for place in range(len(share.cards))] + [2] * len(share.third)
