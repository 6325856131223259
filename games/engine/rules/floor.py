"""What the rules leave to the floor: each order is checked against its limits and carries a reason."""

from __future__ import annotations

from collections.abc import Callable

from games.engine import commands as c
from games.engine.facts import mistakes, play
from games.engine.in_play import HandInPlay
from games.engine.rules.betting import refresh_turn, settle_turn
from games.engine.rules.mistakes import correct_lowcard, is_too_late_for_misdeal, lowcard_mistake
from games.engine.rules.showdown import lacks_only_last, next_to_show


def order(hand: HandInPlay, command: c.Order) -> bool | None:
    """Carry out one of ``ORDERS``, or say why the rules do not leave it to the floor now."""
    if command.what not in c.ORDERS:
        raise hand.refusal("unknown-order", f"The floor can order: {', '.join(c.ORDERS)}.")
    if command.what in ("rules-live", "kills", "penalises"):
        hand.check_seat(command.seat)
    if not command.reason.strip():
        raise hand.refusal("no-reason", "The floor gives a reason with every order.")
    return _ORDERS[command.what](hand, command)


def _log(hand: HandInPlay, command: c.Order) -> None:
    hand.emit(mistakes.Ordered(command.what, command.seat, command.reason))


def _rules_live(hand: HandInPlay, command: c.Order) -> None:
    player = hand.seats[command.seat]
    if hand.point("wrong_card_count")["missing_seventh"] != "floor-may-rule-live":
        raise hand.refusal("no-ruling", "This book leaves no such ruling to the floor.", "wrong_card_count")
    is_out = not player.is_live and not hand.is_dead_by_count(player.seat)
    if is_out or player.is_ruled_live or not lacks_only_last(hand, player):
        message = f"Only a hand that lacks just its last card can be ruled live; seat {command.seat} does not."
        raise hand.refusal("no-ruling", message, "wrong_card_count")
    _log(hand, command)
    hand.rule("wrong_card_count", "live", (command.seat,))
    hand.emit(mistakes.HandRevived(command.seat))


def _orders_low(hand: HandInPlay, command: c.Order) -> bool:
    mistake = lowcard_mistake(hand)
    if mistake is None:
        raise hand.refusal("nothing-wrong", "There is no wrong lowcard to correct in this hand.", "wrong_lowcard")
    if not mistake.can_be_corrected:
        message = "Third street is over, or the true lowcard has folded: the wager stands."
        raise hand.refusal("too-late", message, "wrong_lowcard")
    if mistake.has_next_acted and hand.point("wrong_lowcard")["after_it"] != "floor-may-correct":
        raise hand.refusal("too-late", "The next player has acted: the wager stands.", "wrong_lowcard")
    _log(hand, command)
    return correct_lowcard(hand, mistake)


def _misdeal(hand: HandInPlay, command: c.Order) -> None:
    if is_too_late_for_misdeal(hand):
        message = "Too many players have acted after the forced bet: the hand must be played on."
        raise hand.refusal("too-late", message, "misdeal")
    _log(hand, command)
    hand.rule("misdeal", "misdeal", ())
    hand.void("misdeal")


def _void(hand: HandInPlay, command: c.Order) -> None:
    _log(hand, command)
    hand.rule("void_hand", "void", ())
    hand.void("void")


def _kills(hand: HandInPlay, command: c.Order) -> bool:
    player = hand.seats[command.seat]
    if not player.is_live:
        raise hand.refusal("dead-hand", f"The hand of seat {command.seat} is dead already.", "void_hand")
    if hand.live == 1:
        raise hand.refusal("last-hand", f"Seat {command.seat} has the last live hand.", "void_hand")
    _log(hand, command)
    was_to_act = hand.phase == "bet" and hand.to_act == command.seat
    hand.emit(play.HandKilled(command.seat))
    if hand.phase == "show":
        next_to_show(hand)
        return False
    return settle_turn(hand, command.seat) if was_to_act else refresh_turn(hand)


def _penalises(hand: HandInPlay, command: c.Order) -> None:
    _log(hand, command)
    hand.rule("penalty", "penalty", (command.seat,))


_ORDERS: dict[str, Callable[[HandInPlay, c.Order], bool | None]] = {
    "rules-live": _rules_live,
    "orders-low": _orders_low,
    "misdeal": _misdeal,
    "void": _void,
    "kills": _kills,
    "penalises": _penalises,
}
