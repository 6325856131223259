"""The betting: what a player's action becomes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import commands as c
from . import facts as f
from .options import able_to_bet
from .out_of_turn import fold_out_of_turn, turn_of
from .wagers import checked_size, emit_call, emit_fold, emit_wager, post_bring_in

if TYPE_CHECKING:
    from .hand import Hand


def fold(hand: Hand, command: c.Fold) -> None:
    """A fold; at a table with a dealer it binds out of turn as well."""
    seat = command.seat
    turn = hand.turn
    if turn is None or turn.seat != seat:
        fold_out_of_turn(hand, command)
        return
    if not turn.can_fold:
        raise hand.refusal("forced-bet", f"Seat {seat} is low and must bring it in.", "forced_bet")
    emit_fold(hand, seat)
    hand.settle_turn(seat)


def check(hand: Hand, command: c.Check) -> None:
    turn = turn_of(hand, command, "check")
    if turn is None:
        return
    if not turn.can_check:
        if hand.owes_bring_in:
            raise hand.refusal(
                "forced-bet", f"The first bet is forced: seat {command.seat} cannot check.", "forced_bet"
            )
        key = "bring_in_is_open" if hand.street == 3 and not hand.aggressor else "wager_size"
        price = f"There is a wager of {hand.level} to answer: "
        raise hand.refusal("wager-open", f"{price}seat {command.seat} cannot check; calling costs {turn.call}.", key)
    hand.emit(f.Checked(command.seat))
    hand.settle_turn(command.seat)


def call(hand: Hand, command: c.Call) -> None:
    turn = turn_of(hand, command, "call")
    if turn is None:
        return
    if not turn.call:
        what = "brings it in or completes" if hand.owes_bring_in else "checks or bets"
        message = f"There is no wager to call: seat {command.seat} {what}."
        raise hand.refusal("nothing-to-call", message, "acting_in_turn")
    emit_call(hand, command.seat, turn.call)
    hand.settle_turn(command.seat)


def bring_in(hand: Hand, command: c.BringIn) -> None:
    turn = turn_of(hand, command)
    if turn is None:
        return
    if not turn.bring_in:
        raise hand.refusal("no-bring-in", f"Seat {command.seat} does not owe the bring-in.", "forced_bet")
    post_bring_in(hand, command.seat)
    hand.settle_turn(command.seat)


def wager(hand: Hand, command: c.Wager) -> None:
    turn = turn_of(hand, command, "wager")
    if turn is None:
        return
    player = hand.seats[command.seat]
    emit_wager(hand, player, checked_size(hand, player, turn, command))
    hand.settle_turn(command.seat)


def time_out(hand: Hand, command: c.TimeOut) -> None:
    """Check where it is free, else fold; on the bring-in post it."""
    turn = turn_of(hand, command)
    if turn is None:
        return
    hand.emit(f.TimedOut(command.seat))
    if turn.can_check:
        hand.emit(f.Checked(command.seat))
    elif turn.bring_in and (not turn.can_fold or able_to_bet(hand) == 1):
        post_bring_in(hand, command.seat)
    else:
        emit_fold(hand, command.seat)
    hand.settle_turn(command.seat)
