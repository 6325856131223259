"""Exactly what the seat to act may do, with amounts: worked out once, put into the ``ActionOn`` fact, and what every
command is checked against."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .facts import ActionOn
from .state import SeatState

if TYPE_CHECKING:
    from .hand import Hand


def able_to_bet(hand: Hand) -> int:
    """How many live hands still have chips."""
    count = 0
    for player in hand.players:
        if player.is_live and player.stack:
            count += 1
    return count


def action_on(hand: Hand, player: SeatState) -> ActionOn:
    """The choices of ``player``, whose turn it is."""
    if hand.owes_bring_in:
        return _forced_bet(hand, player)
    need = hand.level - player.bet
    verb, sizes = wager_sizes(hand, player)
    return ActionOn(
        player.seat,
        True,
        need <= 0,
        min(need, player.stack) if need > 0 else 0,
        0,
        verb,
        sizes,
        False,
        False,
    )


def _forced_bet(hand: Hand, player: SeatState) -> ActionOn:
    """The lowcard brings it in or opens for a full bet; another who opens in its place may also fold."""
    forced = hand.started.bring_in
    sizes: tuple[int, ...] = ()
    if hand.rules.opener_may_complete and player.stack > forced:
        sizes = _capped_by_stack(hand, player, forced)
    return ActionOn(
        player.seat,
        player.seat != hand.named,
        False,
        0,
        min(forced, player.stack),
        "complete-to" if sizes else "",
        sizes,
        False,
        False,
    )


def wager_sizes(hand: Hand, player: SeatState) -> tuple[str, tuple[int, ...]]:
    """(verb, totals) of the wagers open to ``player``; ('', ()) when none is."""
    if why_no_wager(hand, player):
        return "", ()
    level = hand.level
    sizes = _capped_by_stack(hand, player, level)
    if not sizes:
        return "", ()
    if not level:
        return "bet", sizes
    return ("raise-to" if hand.full == level else "complete-to"), sizes


def why_no_wager(hand: Hand, player: SeatState) -> str:
    """The rulebook point by which ``player`` may not bet or raise now; '' when he may."""
    if hand.is_capped:
        return "raise_cap"
    if player.stack <= hand.level - player.bet:
        return "table_stakes"
    if player.has_acted and hand.full <= player.full_seen:
        return "short_all_in"
    for other in hand.players:
        if other.is_live and other.bet + other.stack > hand.level and other is not player:
            return ""
    return "all_in_showdown"  # nobody could call any of it


def _capped_by_stack(hand: Hand, player: SeatState, level: int) -> tuple[int, ...]:
    """A full wager by each limit in force, over the last one that counted; a shorter stack goes in whole."""
    most = player.bet + player.stack
    full = hand.full
    limits = hand.sizes
    if len(limits) == 1:
        to = full + limits[0]
        if to > most:
            to = most
        return (to,) if to > level else ()
    return tuple(sorted({min(full + limit, most) for limit in limits if min(full + limit, most) > level}))
