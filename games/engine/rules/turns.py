"""Whose turn it is."""

from __future__ import annotations

from games.engine.facts import mistakes, play
from games.engine.in_play import HandInPlay
from games.engine.rules.chips_in import close_round, emit_call, emit_wager, post_bring_in
from games.engine.rules.choices import able_to_bet, action_on
from games.engine.seat import SeatState


def next_to_act(hand: HandInPlay, seat: int) -> int:
    """The next seat clockwise after ``seat`` that has something to decide; 0 when the round is over."""
    following, seats, level = hand.following, hand.seats, hand.level
    after = following[seat]
    while after != seat:
        player = seats[after]
        if hand.owes_bring_in and player.is_able and not player.has_acted:
            return after  # one after the other has the same three choices, the last one too
        if (
            player.is_live
            and player.stack
            and not player.has_declared
            and (player.bet < level or (not level and not player.has_acted and able_to_bet(hand) > 1))
        ):
            return after
        after = following[after]
    return 0


def give_turn(hand: HandInPlay, seat: int) -> bool:
    """Put the action on ``seat``. False when it is done at once: the player is absent (the forced bet is posted, else
    the hand killed), or acted before their turn."""
    player = hand.seats[seat]
    if player.is_absent:
        if hand.owes_bring_in and seat == hand.named:
            post_bring_in(hand, seat)
        else:
            hand.rule("absent_player", "killed", (seat,))
            hand.emit(play.HandKilled(seat))
        return False
    hand.emit(action_on(hand, player))
    return not (seat in hand.held and _act_as_held(hand, player))


def _act_as_held(hand: HandInPlay, player: SeatState) -> bool:
    """Carry out what the player did out of turn. False when the price has changed and it no longer binds."""
    held, turn = hand.held[player.seat], hand.turn
    hand.emit(mistakes.ActionReleased(player.seat))
    if turn is None or held.level != hand.level:
        return False
    if held.verb == "check" and turn.can_check:
        hand.emit(play.Checked(player.seat))
    elif held.verb == "call" and turn.call:
        emit_call(hand, player.seat, turn.call)
    elif held.verb == "wager" and turn.sizes:
        emit_wager(hand, player, held.to)
    else:
        return False
    return True


def settle_turn(hand: HandInPlay, seat: int) -> bool:
    """After ``seat`` has acted: the next one's turn. True when there is none and the street is over."""
    while True:
        if hand.live == 1:
            return True
        seat = next_to_act(hand, seat)
        if not seat:
            close_round(hand)
            return True
        if give_turn(hand, seat):
            return False


def start_round(hand: HandInPlay, opener: int) -> bool:
    """The opener's turn; if their hand is dead or their bet already posted, the next one's. True when the street is
    over without one."""
    player = hand.seats[opener]
    if player.is_live and not player.has_acted and give_turn(hand, opener):
        return False
    return settle_turn(hand, opener)


def refresh_turn(hand: HandInPlay) -> bool:
    """Work the turn out again after another change: the player to act may have other choices now. True when nobody is
    left to act against, so that the street is over."""
    if hand.live == 1:
        return True
    if hand.turn is not None:
        player = hand.seats[hand.turn.seat]
        if player.bet >= hand.level and able_to_bet(hand) < 2:
            close_round(hand)
            return True
        if (turn := action_on(hand, player)) != hand.turn:
            hand.emit(turn)
    return False
