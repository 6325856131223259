"""Turns what a line says into the engine's command. ``NotPlayedYet`` where the engine has none for it."""

from __future__ import annotations

from collections.abc import Callable

from games.engine import commands as c

from .model import BurnLine, DealLine, FactLine, FloorLine, LowLine, NoticeLine, PlayerLine, PrematureLine, SeatDeal
from .vocabulary import STREETS, WAGERS


class NotPlayedYet(Exception):
    """The engine cannot be told this fact yet."""


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
}
_NOT_YET = {
    PrematureLine: "cards dealt before the betting was over",
    NoticeLine: "a mistake pointed out",
    LowLine: "a lowcard named by the dealer",
    FloorLine: "an order of the floor",
}


def command_of(line: FactLine) -> c.Command | None:
    """The command for ``line``; None when it says nothing that the engine does not do by itself (``burn 1``)."""
    if isinstance(line, PlayerLine):
        return _player(line)
    if isinstance(line, DealLine):
        return _deal(line)
    if isinstance(line, BurnLine):
        if line.count != 1:
            raise NotPlayedYet(f"{line.count} cards burned instead of one")
        return None
    raise NotPlayedYet(_NOT_YET[type(line)])


def _player(line: PlayerLine) -> c.Command:
    if line.verb in WAGERS:
        # With its total written out, a bet, a raise and a completion are the same fact.
        return c.Wager(line.seat, line.to) if line.to is not None else c.Wager(line.seat, None, line.verb)
    if line.verb not in _PLAYERS:
        raise NotPlayedYet(f"a player who {line.verb}")
    return _PLAYERS[line.verb](line.seat)


def _deal(line: DealLine) -> c.Command:
    expected = 3 if line.street == min(STREETS.values()) else 1
    for share in line.seats:
        if not share.is_clean(expected):
            raise NotPlayedYet(_mistake(share))
    dealt = tuple((share.seat, card.card) for share in line.seats for card in share.all if card.card is not None)
    return c.Deal(line.street, dealt, line.common)


def _mistake(share: SeatDeal) -> str:
    if any(card.is_exposed for card in share.all):
        return "a card dealt face up by mistake"
    if any(card.is_off_table for card in share.all):
        return "a card that left the table"
    if any(card.card is None for card in share.all):
        return "a seat that the dealer skipped"
    return "a card too many"
