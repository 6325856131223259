"""The betting: what a player's action becomes."""

from __future__ import annotations

from . import commands as c
from . import facts as f
from .in_play import HandInPlay
from .options import able_to_bet
from .out_of_turn import fold_out_of_turn, turn_of
from .turns import settle_turn
from .wagers import checked_size, emit_call, emit_fold, emit_wager, post_bring_in


def fold(hand: HandInPlay, command: c.Fold) -> bool:
    """A fold; at a table with a dealer it binds out of turn as well."""
    seat = command.seat
    turn = hand.turn
    if turn is None or turn.seat != seat:
        return fold_out_of_turn(hand, command)
    if not turn.can_fold:
        raise hand.refusal("forced-bet", f"Seat {seat} is low and must bring it in.", "forced_bet")
    emit_fold(hand, seat)
    return settle_turn(hand, seat)


def check(hand: HandInPlay, command: c.Check) -> bool:
    turn = turn_of(hand, command, "check")
    if turn is None:
        return False
    if not turn.can_check:
        if hand.owes_bring_in:
            raise hand.refusal(
                "forced-bet", f"The first bet is forced: seat {command.seat} cannot check.", "forced_bet"
            )
        key = "bring_in_is_open" if hand.street == 3 and not hand.aggressor else "wager_size"
        price = f"There is a wager of {hand.level} to answer: "
        raise hand.refusal("wager-open", f"{price}seat {command.seat} cannot check; calling costs {turn.call}.", key)
    hand.emit(f.Checked(command.seat))
    return settle_turn(hand, command.seat)


def call(hand: HandInPlay, command: c.Call) -> bool:
    turn = turn_of(hand, command, "call")
    if turn is None:
        return False
    if not turn.call:
        what = "brings it in or completes" if hand.owes_bring_in else "checks or bets"
        message = f"There is no wager to call: seat {command.seat} {what}."
        raise hand.refusal("nothing-to-call", message, "acting_in_turn")
    emit_call(hand, command.seat, turn.call)
    return settle_turn(hand, command.seat)


def bring_in(hand: HandInPlay, command: c.BringIn) -> bool:
    turn = turn_of(hand, command)
    if turn is None:
        return False
    if not turn.bring_in:
        raise hand.refusal("no-bring-in", f"Seat {command.seat} does not owe the bring-in.", "forced_bet")
    post_bring_in(hand, command.seat)
    return settle_turn(hand, command.seat)


def wager(hand: HandInPlay, command: c.Wager) -> bool:
    turn = turn_of(hand, command, "wager")
    if turn is None:
        return False
    player = hand.seats[command.seat]
    emit_wager(hand, player, checked_size(hand, player, turn, command))
    return settle_turn(hand, command.seat)


def time_out(hand: HandInPlay, command: c.TimeOut) -> bool:
    """Check where it is free, else fold; on the bring-in post it."""
    turn = turn_of(hand, command)
    if turn is None:
        return False
    hand.emit(f.TimedOut(command.seat))
    if turn.can_check:
        hand.emit(f.Checked(command.seat))
    elif turn.bring_in and (not turn.can_fold or able_to_bet(hand) == 1):
        post_bring_in(hand, command.seat)
    else:
        emit_fold(hand, command.seat)
    return settle_turn(hand, command.seat)
