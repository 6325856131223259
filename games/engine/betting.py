"""The betting: what a player's action becomes, and whose turn it is after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import commands as c
from . import facts as f
from .options import able_to_bet, action_on
from .pots import layers, uncalled
from .ranking import value_of
from .state import SeatState
from .wagers import checked_size, emit_wager

if TYPE_CHECKING:
    from .hand import Hand


# -- actions ---------------------------------------------------------------------------------------------------------


def fold(hand: Hand, command: c.Fold) -> None:
    """A fold; at a table with a dealer it binds out of turn as well."""
    seat = command.seat
    turn = hand.turn
    if turn is None or turn.seat != seat:
        _fold_out_of_turn(hand, seat)
        return
    if not turn.can_fold:
        raise hand.refusal("forced-bet", f"Seat {seat} is low and must bring it in.", "forced_bet")
    emit_fold(hand, seat)
    hand.settle_turn(seat)


def emit_fold(hand: Hand, seat: int) -> None:
    """Fold ``seat``; without a wager it keeps its place in the deal."""
    is_free = not hand.level and hand.rules.folds_keep_receiving
    if hand.rules.bring_in_may_fold and seat == hand.forced_bettor and not hand.aggressor:
        is_free = True
    is_free = is_free and hand.next_street() is not None
    hand.emit(f.Folded(seat, is_free))
    if is_free:
        hand.rule("fold_keeps_receiving", "receiving", (seat,))


def check(hand: Hand, command: c.Check) -> None:
    turn = turn_of(hand, command.seat, "check")
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
    turn = turn_of(hand, command.seat, "call")
    if turn is None:
        return
    if not turn.call:
        what = "brings it in or completes" if hand.owes_bring_in else "checks or bets"
        message = f"There is no wager to call: seat {command.seat} {what}."
        raise hand.refusal("nothing-to-call", message, "acting_in_turn")
    hand.emit(f.Called(command.seat, turn.call))
    if hand.rules.weighs_beaten_calls and hand.next_street() is None:
        _weigh_call(hand, hand.seats[command.seat])
    hand.settle_turn(command.seat)


def bring_in(hand: Hand, command: c.BringIn) -> None:
    turn = turn_of(hand, command.seat)
    if turn is None or not turn.bring_in:
        raise hand.refusal("no-bring-in", f"Seat {command.seat} does not owe the bring-in.", "forced_bet")
    post_bring_in(hand, command.seat)
    hand.settle_turn(command.seat)


def post_bring_in(hand: Hand, seat: int) -> None:
    """The forced bet of ``seat``, or what it has of it."""
    amount = min(hand.started.bring_in, hand.seats[seat].stack)
    hand.emit(f.BringInPosted(seat, amount, hand.started.bring_in))
    if amount < hand.started.bring_in:
        hand.rule("short_bring_in", "stands", (seat,))
    _kill_skippable(hand)


def wager(hand: Hand, command: c.Wager) -> None:
    turn = turn_of(hand, command.seat, "wager", command)
    if turn is None:
        return
    player = hand.seats[command.seat]
    emit_wager(hand, player, checked_size(hand, player, turn, command))
    _kill_skippable(hand)
    hand.settle_turn(command.seat)


def time_out(hand: Hand, command: c.TimeOut) -> None:
    """Check where it is free, else fold; on the bring-in post it."""
    turn = turn_of(hand, command.seat)
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


def _kill_skippable(hand: Hand) -> None:
    """A wager kills the hands folded without one: they get no more cards."""
    if hand.has_skippable:
        seats = tuple([p.seat for p in hand.players if not p.is_live and p.is_still_dealt_to])
        hand.rule("fold_keeps_receiving", "killed", seats)
        hand.emit(f.SeatsSkipped(seats))


def _weigh_call(hand: Hand, caller: SeatState) -> None:
    cards = [card for card in (*caller.cards, *hand.common) if card is not None and card != "??"]
    is_beaten = False
    if len(cards) == hand.game.hand_size and hand.game.pays == ("high",):
        boards = [v for seat, v in hand.board_values().items() if seat != caller.seat and hand.seats[seat].is_live]
        is_beaten = max(boards, default=0) > value_of(cards)
    hand.emit(f.CallWeighed(caller.seat, is_beaten, hand.book.cite("beaten_call_stands")))


# -- whose turn it is ------------------------------------------------------------------------------------------------


def turn_of(hand: Hand, seat: int, verb: str = "", wagered: c.Wager | None = None) -> f.ActionOn | None:
    """The turn of ``seat``. At a table with a dealer an action out of turn is held instead, and None comes back;
    elsewhere it is refused."""
    turn = hand.turn
    if turn is not None and turn.seat == seat:
        return turn
    player = hand.check_seat(seat)
    if turn is None:
        raise hand.refusal("no-action", "There is nothing to act on now.", "acting_in_turn")
    waiting = hand.seats[turn.seat]
    if waiting.has_picked_up and next_to_act(hand, turn.seat) == seat:
        kill_picked_up(hand, turn.seat)
        hand.settle_turn(turn.seat)
        return hand.turn if hand.turn is not None and hand.turn.seat == seat else None
    if verb and hand.started.holds_out_of_turn and player.is_able and not player.is_absent and seat not in hand.held:
        _hold(hand, player, verb, wagered)
        return None
    message = f"It is the turn of seat {turn.seat}, not of seat {seat}."
    raise hand.refusal("not-your-turn", message, "acting_in_turn")


def kill_picked_up(hand: Hand, seat: int) -> None:
    """Somebody acted behind a hand whose upcards were picked up in front of a wager: it is folded."""
    hand.rule("picked_up_upcards", "folded", (seat,))
    hand.emit(f.Folded(seat, False))


def _fold_out_of_turn(hand: Hand, seat: int) -> None:
    turn = hand.turn
    player = hand.check_seat(seat)
    if turn is None or not hand.started.holds_out_of_turn or not player.is_live or player.is_all_in:
        turn_of(hand, seat)
        raise hand.refusal("not-your-turn", f"Seat {seat} cannot fold now.", "acting_in_turn")
    if hand.owes_bring_in and seat == hand.named:
        raise hand.refusal("forced-bet", f"Seat {seat} is low and must bring it in.", "forced_bet")
    emit_fold(hand, seat)
    refresh_turn(hand)


def refresh_turn(hand: Hand) -> None:
    """Something changed beside the turn: who is to act may have other choices now, or nobody is left to act against."""
    if hand.live == 1:
        hand.finish_unopposed()
    elif hand.turn is not None:
        player = hand.seats[hand.turn.seat]
        if player.bet >= hand.level and able_to_bet(hand) < 2:
            close_round(hand)
            hand.go_on()
        elif (turn := action_on(hand, player)) != hand.turn:
            hand.emit(turn)


def _hold(hand: Hand, player: SeatState, verb: str, wagered: c.Wager | None) -> None:
    """Out of turn the action binds, unless a bet or raise in between changes what faces the player."""
    would = action_on(hand, player)
    to = 0
    if verb == "check" and not would.can_check:
        raise hand.refusal("wager-open", f"Seat {player.seat} cannot check: there is a wager.", "bring_in_is_open")
    if verb == "call" and not would.call:
        raise hand.refusal("nothing-to-call", "There is no wager to call.", "acting_in_turn")
    if wagered is not None:
        to = checked_size(hand, player, would, wagered)
    hand.emit(f.ActionHeld(player.seat, verb, to, hand.level))


def next_to_act(hand: Hand, seat: int) -> int:
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


def give_turn(hand: Hand, seat: int) -> bool:
    """Put the action on ``seat``. False when it is done at once: the player is absent (the forced bet is posted, else
    the hand killed), or acted before his turn."""
    player = hand.seats[seat]
    if player.is_absent:
        if hand.owes_bring_in and seat == hand.named:
            post_bring_in(hand, seat)
        else:
            hand.rule("absent_player", "killed", (seat,))
            hand.emit(f.HandKilled(seat))
        return False
    hand.emit(action_on(hand, player))
    return not (seat in hand.held and _act_as_held(hand, player))


def _act_as_held(hand: Hand, player: SeatState) -> bool:
    """Carry out what the player did out of turn. False when the price has changed and it no longer binds."""
    held, turn = hand.held[player.seat], hand.turn
    hand.emit(f.ActionReleased(player.seat))
    if turn is None or held.level != hand.level:
        return False
    if held.verb == "check" and turn.can_check:
        hand.emit(f.Checked(player.seat))
    elif held.verb == "call" and turn.call:
        hand.emit(f.Called(player.seat, turn.call))
    elif held.verb == "wager" and turn.sizes:
        emit_wager(hand, player, held.to)
        _kill_skippable(hand)
    else:
        return False
    return True


def return_uncalled(hand: Hand) -> None:
    """What nobody called leaves the middle."""
    seat, amount = uncalled(hand.players)
    if amount and hand.seats[seat].is_live:
        hand.emit(f.BetReturned(seat, amount))


def close_round(hand: Hand) -> None:
    """The round is over: uncalled chips go back, the rest goes into the pots."""
    return_uncalled(hand)
    hand.emit(f.RoundClosed(hand.street, layers(hand.players, hand.pot)))
