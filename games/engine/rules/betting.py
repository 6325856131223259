"""The betting: who has acted, what the seat to act may do, chips going in, whose turn it is, and the end of a round.

A rule that ends the betting of a street answers True; what comes after the street is the hand's to say.
"""

from __future__ import annotations

from games.engine import commands as c
from games.engine.errors import Said
from games.engine.facts import play
from games.engine.in_play import HandInPlay
from games.engine.rules.chips_in import checked_size, emit_call, emit_fold, emit_wager, post_bring_in
from games.engine.rules.choices import able_to_bet
from games.engine.rules.out_of_turn import fold_out_of_turn, turn_of
from games.engine.rules.turns import settle_turn


def fold(hand: HandInPlay, command: c.Fold) -> bool:
    """A fold; at a table with a dealer it binds out of turn as well."""
    seat = command.seat
    turn = hand.turn
    if turn is None or turn.seat != seat:
        return fold_out_of_turn(hand, command)
    if not turn.can_fold:
        raise hand.refusal("forced-bet", "Seat {seat} is low and must bring it in.", "forced_bet", seat=seat)
    emit_fold(hand, seat)
    return settle_turn(hand, seat)


def check(hand: HandInPlay, command: c.Check) -> bool:
    turn = turn_of(hand, command, "check")
    if turn is None:
        return False
    if not turn.can_check:
        if hand.owes_bring_in:
            raise hand.refusal(
                "forced-bet", "The first bet is forced: seat {seat} cannot check.", "forced_bet", seat=command.seat
            )
        key = "bring_in_is_open" if hand.is_on_first_street and not hand.aggressor else "wager_size"
        raise hand.refusal(
            "wager-open",
            "There is a wager of {level} to answer: seat {seat} cannot check; calling costs {call}.",
            key,
            level=hand.level,
            seat=command.seat,
            call=turn.call,
        )
    hand.emit(play.Checked(command.seat))
    return settle_turn(hand, command.seat)


def call(hand: HandInPlay, command: c.Call) -> bool:
    turn = turn_of(hand, command, "call")
    if turn is None:
        return False
    if not turn.call:
        message = (
            Said("There is no wager to call: seat {seat} brings it in or completes.", seat=command.seat)
            if hand.owes_bring_in
            else Said("There is no wager to call: seat {seat} checks or bets.", seat=command.seat)
        )
        raise hand.refusal("nothing-to-call", message, "acting_in_turn")
    emit_call(hand, command.seat, turn.call)
    return settle_turn(hand, command.seat)


def bring_in(hand: HandInPlay, command: c.BringIn) -> bool:
    turn = turn_of(hand, command)
    if turn is None:
        return False
    if not turn.bring_in:
        raise hand.refusal("no-bring-in", "Seat {seat} does not owe the bring-in.", "forced_bet", seat=command.seat)
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
    hand.emit(play.TimedOut(command.seat))
    if turn.can_check:
        hand.emit(play.Checked(command.seat))
    elif turn.bring_in and (not turn.can_fold or able_to_bet(hand) == 1):
        post_bring_in(hand, command.seat)
    else:
        emit_fold(hand, command.seat)
    return settle_turn(hand, command.seat)
