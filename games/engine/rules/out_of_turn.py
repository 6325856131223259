"""Actions out of turn, and behind a hand whose upcards were picked up."""

from __future__ import annotations

from games.engine import commands as c
from games.engine.errors import Said
from games.engine.facts import mistakes, play
from games.engine.in_play import HandInPlay
from games.engine.rules.chips_in import checked_size, emit_fold
from games.engine.rules.choices import action_on
from games.engine.rules.turns import refresh_turn, settle_turn
from games.engine.seat import SeatState

#: What is done in turn.
Action = c.Fold | c.Check | c.Call | c.BringIn | c.Wager | c.TimeOut


ACTIONS = (c.Fold, c.Check, c.Call, c.BringIn, c.Wager, c.TimeOut)


def turn_of(hand: HandInPlay, command: Action, verb: str = "") -> play.ActionOn | None:
    """The turn of the command's seat. None when the command has been dealt with: at a table with a dealer ``verb``
    (check, call, wager) binds out of turn too. Elsewhere that is refused."""
    turn, seat = hand.turn, command.seat
    if turn is not None and turn.seat == seat:
        return turn
    player = hand.check_seat(seat)
    if turn is None:
        raise hand.refusal("no-action", "There is nothing to act on now.", "acting_in_turn")
    has_a_turn_coming = player.is_able and (player.bet < hand.level or not player.has_acted)
    if verb and hand.started.holds_out_of_turn and has_a_turn_coming and not player.is_absent and seat not in hand.held:
        _hold(hand, player, verb, command)
        return None
    message = Said("It is the turn of seat {turn}, not of seat {seat}.", turn=turn.seat, seat=seat)
    raise hand.refusal("not-your-turn", message, "acting_in_turn")


def fold_out_of_turn(hand: HandInPlay, command: c.Fold) -> bool:
    """A fold binds whenever it comes."""
    seat = command.seat
    player = hand.check_seat(seat)
    if hand.turn is None or not hand.started.holds_out_of_turn or not player.is_able:
        turn_of(hand, command)
        raise hand.refusal("not-your-turn", "Seat {seat} cannot fold now.", "acting_in_turn", seat=seat)
    if hand.owes_bring_in and seat == hand.named:
        raise hand.refusal("forced-bet", "Seat {seat} is low and must bring it in.", "forced_bet", seat=seat)
    emit_fold(hand, seat)
    return refresh_turn(hand)


def _hold(hand: HandInPlay, player: SeatState, verb: str, command: Action) -> None:
    """Out of turn the action binds, unless a bet or raise in between changes what faces the player."""
    would = action_on(hand, player)
    to = 0
    if verb == "check" and not would.can_check:
        raise hand.refusal(
            "wager-open", "Seat {seat} cannot check: there is a wager.", "bring_in_is_open", seat=player.seat
        )
    if verb == "call" and not would.call:
        raise hand.refusal("nothing-to-call", "There is no wager to call.", "acting_in_turn")
    if isinstance(command, c.Wager):
        to = checked_size(hand, player, would, command)
    hand.emit(mistakes.ActionHeld(player.seat, verb, to, hand.level))


def acts_behind(hand: HandInPlay, command: Action) -> bool:
    """Whether the player to act has picked their upcards up in front of a wager, and now somebody else acts: that folds
    the hand picked up; then the action is taken for what it is."""
    turn = hand.turn
    if turn is None or turn.seat == command.seat or not hand.seats[turn.seat].has_picked_up:
        return False
    return hand.check_seat(command.seat).is_live


def fold_picked_up(hand: HandInPlay) -> bool:
    """Fold the hand to act, whose upcards were picked up. True when the street is over."""
    seat = hand.to_act
    hand.rule("picked_up_upcards", "folded", (seat,))
    hand.emit(play.Folded(seat, False))
    return settle_turn(hand, seat)
