"""What the seat to act may do: the sizes of a wager, who may still raise."""

from __future__ import annotations

from games.engine.cards import UNKNOWN
from games.engine.facts.play import ActionOn
from games.engine.in_play import HandInPlay
from games.engine.rules.acts import has_betting_begun
from games.engine.seat import SeatState


def able_to_bet(hand: HandInPlay) -> int:
    """How many live hands have chips that they may still bet."""
    count = 0
    for player in hand.players:
        if player.is_live and player.stack and not player.has_declared:
            count += 1
    return count


def limits_in_force(hand: HandInPlay) -> tuple[int, ...]:
    """The limits to bet or raise by. Both, on fourth street with an open pair, only while a live hand shows one."""
    limits = hand.sizes
    if len(limits) > 1 and not any(player.is_live and shows_pair(player) for player in hand.players):
        return limits[:1]
    return limits


def shows_pair(player: SeatState) -> bool:
    """Whether two of the upcards are of one rank."""
    ranks = [card[0] for card in player.upcards if card is not None and card != UNKNOWN]
    return len(set(ranks)) < len(ranks)


def may_declare(hand: HandInPlay, player: SeatState) -> bool:
    """Whether ``player`` may still declare all-in: their last card came face up and the betting
    on it has not begun."""
    return player.may_declare and player.is_able and hand.phase == "bet" and not has_betting_begun(hand)


def action_on(hand: HandInPlay, player: SeatState) -> ActionOn:
    """The choices of ``player`` when it is their turn."""
    if hand.owes_bring_in:
        return _forced_bet(hand, player)
    need = hand.level - player.bet
    verb, sizes, is_range = wager_sizes(hand, player)
    return ActionOn(
        player.seat,
        True,
        need <= 0,
        min(need, player.stack) if need > 0 else 0,
        0,
        verb,
        sizes,
        is_range,
        player.may_declare and may_declare(hand, player),
    )


def _forced_bet(hand: HandInPlay, player: SeatState) -> ActionOn:
    """The lowcard brings it in or opens for a full bet; another who opens in its place may also fold."""
    forced = hand.started.bring_in
    verb, is_range = "", False
    sizes: tuple[int, ...] = ()
    if hand.rules.opener_may_complete and player.stack > forced:
        if hand.is_fixed_limit:
            verb, sizes = "complete-to", _capped_by_stack(hand, player, forced)
        else:
            verb = "bet"
            sizes, is_range = _range(hand, player, forced)
    return ActionOn(
        player.seat,
        player.seat != hand.named,
        False,
        0,
        min(forced, player.stack),
        verb if sizes else "",
        sizes,
        is_range,
        False,
    )


def wager_sizes(hand: HandInPlay, player: SeatState) -> tuple[str, tuple[int, ...], bool]:
    """(verb, totals, is a range) of the wagers open to ``player``; no totals when none is."""
    if why_no_wager(hand, player):
        return "", (), False
    level = hand.level
    if not hand.is_fixed_limit:
        sizes, is_range = _range(hand, player, level)
        return ("raise-to" if level else "bet"), sizes, is_range
    sizes = _capped_by_stack(hand, player, level)
    if not sizes:
        return "", (), False
    if not level:
        return "bet", sizes, False
    return ("raise-to" if hand.full == level else "complete-to"), sizes, False


def why_no_wager(hand: HandInPlay, player: SeatState) -> str:
    """The rulebook point by which ``player`` may not bet or raise now; '' when they may."""
    if hand.is_capped:
        return "raise_cap"
    if player.may_not and (hand.level or player.may_not == "bet"):
        return "premature_deal"
    if player.stack <= hand.level - player.bet:
        return "table_stakes"
    if player.has_acted and not _is_reopened(hand, player):
        return "short_all_in"
    for other in hand.players:
        if other.is_live and other.bet + other.stack > hand.level and other is not player and not other.has_declared:
            return ""
    return "all_in_showdown"  # nobody could call any of it


def _is_reopened(hand: HandInPlay, player: SeatState) -> bool:
    """Whether a full bet or raise came since the player acted."""
    if hand.is_fixed_limit:
        return hand.full > player.full_seen
    return hand.level - player.bet >= max(hand.least_raise, hand.started.min_bet)


def _capped_by_stack(hand: HandInPlay, player: SeatState, level: int) -> tuple[int, ...]:
    """A full wager by each limit in force, over the last one that counted; a shorter stack goes in whole."""
    most = player.bet + player.stack
    full = hand.full
    limits = hand.sizes if len(hand.sizes) == 1 else limits_in_force(hand)
    if len(limits) == 1:
        to = full + limits[0]
        if to > most:
            to = most
        return (to,) if to > level else ()
    return tuple(sorted({min(full + limit, most) for limit in limits if min(full + limit, most) > level}))


def least_wager(hand: HandInPlay, level: int) -> int:
    """Without fixed limit: the least total that is a full bet or raise over ``level``."""
    return level + max(hand.least_raise, hand.started.min_bet)


def _range(hand: HandInPlay, player: SeatState, level: int) -> tuple[tuple[int, ...], bool]:
    """Without fixed limit: the least and the most, or the whole of a stack that is shorter than the least."""
    started = hand.started
    stack = player.bet + player.stack
    least = least_wager(hand, level)
    if started.structure == "pot-limit":
        most = max(least, level + hand.pot + level - player.bet)
    elif started.structure == "spread-limit":
        most = max(least, level + started.max_bet)
    else:
        most = stack
    most = min(most, stack)
    if most <= level:
        return (), False
    return ((least, most), True) if least < most else ((most,), False)
