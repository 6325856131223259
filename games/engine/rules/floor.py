"""What the rules leave to the floor: each order is checked against its limits and carries a reason."""

from __future__ import annotations

from collections.abc import Callable

from games.engine import commands as c
from games.engine.errors import Said
from games.engine.facts import mistakes, play
from games.engine.in_play import HandInPlay
from games.engine.rules.card_counts import is_too_late_for_misdeal
from games.engine.rules.chips_in import close_round, emit_fold
from games.engine.rules.choices import able_to_bet, may_declare
from games.engine.rules.manual_dealing import keep_if_seen
from games.engine.rules.showdown import lacks_only_last, next_to_show
from games.engine.rules.turns import give_turn, refresh_turn, settle_turn
from games.engine.rules.wrong_lowcard import correct_lowcard, lowcard_mistake


def order(hand: HandInPlay, command: c.Order) -> bool | None:
    """Carry out one of ``ORDERS``, or say why the rules do not leave it to the floor now."""
    if command.what not in c.ORDERS:
        raise hand.refusal("unknown-order", "The floor can order: {choices}.", choices=", ".join(c.ORDERS))
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
        message = Said(
            "Only a hand that lacks just its last card can be ruled live; seat {seat} does not.", seat=command.seat
        )
        raise hand.refusal("no-ruling", message, "wrong_card_count")
    _log(hand, command)
    hand.rule("wrong_card_count", "live", (command.seat,))
    hand.emit(mistakes.HandRevived(command.seat))


def _orders_low(hand: HandInPlay, command: c.Order) -> bool:
    mistake = lowcard_mistake(hand)
    if mistake is None:
        raise hand.refusal("nothing-wrong", "There is no wrong lowcard to correct in this hand.", "wrong_lowcard")
    if not mistake.can_be_corrected:
        message = Said("Third street is over, or the true lowcard has folded: the wager stands.")
        raise hand.refusal("too-late", message, "wrong_lowcard")
    if mistake.has_next_acted and hand.point("wrong_lowcard")["after_it"] != "floor-may-correct":
        raise hand.refusal("too-late", "The next player has acted: the wager stands.", "wrong_lowcard")
    _log(hand, command)
    return correct_lowcard(hand, mistake)


def _misdeal(hand: HandInPlay, command: c.Order) -> None:
    if is_too_late_for_misdeal(hand):
        message = Said("Too many players have acted after the forced bet: the hand must be played on.")
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
        raise hand.refusal("dead-hand", "The hand of seat {seat} is dead already.", "void_hand", seat=command.seat)
    if hand.live == 1:
        raise hand.refusal("last-hand", "Seat {seat} has the last live hand.", "void_hand", seat=command.seat)
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


# What players do with their cards: look, mix, pick up, reorder; leave and come back; declare all-in.


def look(hand: HandInPlay, command: c.Look) -> bool:
    return _see_last_card(hand, command.seat, "looked-at")


def mix(hand: HandInPlay, command: c.Mix) -> bool:
    return _see_last_card(hand, command.seat, "mixed")


def _see_last_card(hand: HandInPlay, seat: int, how: str) -> bool:
    player = hand.check_seat(seat)
    if any(dealt_to == seat for dealt_to, _, _ in hand.premature):
        if keep_if_seen(hand, seat, how):
            return refresh_turn(hand)
        hand.emit(mistakes.LastCardSeen(seat, how))
        return False
    got_one = any(dealt_to == seat and not is_up for dealt_to, _, is_up in hand.street_cards)
    if not hand.is_on_last_street or not got_one or not player.is_live:
        raise hand.refusal("no-last-card", "Seat {seat} has no last card lying apart.", "burn_error", seat=seat)
    hand.emit(mistakes.LastCardSeen(seat, how))
    return False


def pick_up(hand: HandInPlay, command: c.PickUp) -> bool:
    """In front of a wager it is a fold, at once or when somebody acts behind; at the showdown it means nothing."""
    player = hand.check_seat(command.seat)
    if not player.is_live or not player.upcards:
        raise hand.refusal(
            "dead-hand", "Seat {seat} has no upcards to pick up.", "picked_up_upcards", seat=command.seat
        )
    point = hand.point("picked_up_upcards")
    is_facing = hand.phase == "bet" and player.bet < hand.level and player.is_able
    is_showdown = hand.phase == "show"
    hand.emit(mistakes.UpcardsPickedUp(command.seat))
    if is_showdown:
        hand.rule("picked_up_upcards", point["at_the_showdown"], (command.seat,))
    elif is_facing and point["facing_a_wager"] == "folded":
        hand.rule("picked_up_upcards", "folded", (command.seat,))
        was_to_act = hand.to_act == command.seat
        emit_fold(hand, command.seat)
        return settle_turn(hand, command.seat) if was_to_act else refresh_turn(hand)
    return False


def reorder(hand: HandInPlay, command: c.Reorder) -> None:
    """A warning the first time at this table, a penalty the next."""
    player = hand.check_seat(command.seat)
    if not player.is_live or len(player.upcards) < 2:
        raise hand.refusal("no-order", "Seat {seat} has no upcards to reorder.", "upcard_order", seat=command.seat)
    verdicts = hand.point("upcard_order")
    verdict = verdicts[min(player.warnings, len(verdicts) - 1)]
    hand.emit(mistakes.UpcardsReordered(command.seat))
    hand.rule("upcard_order", verdict, (command.seat,))


def declare_all_in(hand: HandInPlay, command: c.DeclareAllIn) -> bool:
    """After a last card face up: play for what is in the pot, keep the rest, bet no more."""
    player = hand.check_seat(command.seat)
    if not may_declare(hand, player):
        message = Said(
            "Seat {seat} cannot declare all-in: only after a last card face up, before anybody acts.", seat=command.seat
        )
        raise hand.refusal("no-declaring", message, "final_card_faceup")
    was_to_act = hand.to_act == command.seat
    hand.emit(mistakes.DeclaredAllIn(command.seat))
    if able_to_bet(hand) < 2:
        close_round(hand)
        return True
    return settle_turn(hand, command.seat) if was_to_act else refresh_turn(hand)


def leave(hand: HandInPlay, command: c.Leave) -> bool:
    """The player goes away; on their turn the hand is killed at once."""
    player = hand.check_seat(command.seat)
    if player.is_absent:
        raise hand.refusal("already-absent", "Seat {seat} is absent already.", "absent_player", seat=command.seat)
    hand.emit(play.PlayerLeft(command.seat))
    if hand.phase == "bet" and hand.to_act == command.seat and not give_turn(hand, command.seat):
        return settle_turn(hand, command.seat)
    return False


def come_back(hand: HandInPlay, command: c.Return) -> None:
    """The absent player is back; the hand is live if it was not reached yet."""
    player = hand.check_seat(command.seat)
    if not player.is_absent:
        raise hand.refusal("not-absent", "Seat {seat} is not absent.", "absent_player", seat=command.seat)
    hand.emit(play.PlayerBack(command.seat))
    if player.is_live and hand.phase != "show":
        hand.rule("absent_player", "back-in-time", (command.seat,))
