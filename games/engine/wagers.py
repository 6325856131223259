"""Chips going in or a hand out: which size was meant, what counts as full, and when the raising ends."""

from __future__ import annotations

from . import commands as c
from . import facts as f
from .cards import known_cards
from .in_play import HandInPlay
from .options import able_to_bet, least_wager, limits_in_force, why_no_wager
from .ranking import value_of
from .state import SeatState

_SAID = {"bet": ("bets",), "raise-to": ("raises",), "complete-to": ("completes", "raises")}
_PLAIN = {"bets": "bet", "raises": "raise", "completes": "complete"}


def checked_size(hand: HandInPlay, player: SeatState, turn: f.ActionOn, command: c.Wager) -> int:
    """The seat's new total, or the refusal that says which wagers are open and by which rule."""
    if not turn.sizes:
        raise _no_wager(hand, player)
    said = _SAID[turn.verb] + (("bets", "completes") if hand.owes_bring_in else ())
    if command.to is None:
        if command.verb and command.verb not in said:
            key = "completion" if turn.verb == "complete-to" else "wager_size"
            tried = _PLAIN.get(command.verb, command.verb)
            raise hand.refusal("wrong-wager", f"Seat {player.seat} cannot {tried}: {_open(turn)}", key)
        if len(turn.sizes) > 1:
            key = "open_pair_fourth" if hand.is_fixed_limit else "wager_size"
            raise hand.refusal("which-size", f"Name the size: {_open(turn)}", key)
        return turn.sizes[0]
    is_legal = turn.sizes[0] <= command.to <= turn.sizes[-1] if turn.is_range else command.to in turn.sizes
    if not is_legal:
        raise hand.refusal("wrong-size", f"{command.to} is not a legal size: {_open(turn)}", "limits")
    return command.to


def _open(turn: f.ActionOn) -> str:
    between = " to " if turn.is_range else " or "
    return f"open is {turn.verb.replace('-', ' ')} {between.join(str(size) for size in turn.sizes)}."


def _no_wager(hand: HandInPlay, player: SeatState) -> Exception:
    key = "table_stakes" if hand.owes_bring_in else why_no_wager(hand, player)
    why = {
        "raise_cap": f"The betting is capped: {hand.raises} raises have been made.",
        "premature_deal": f"Seat {player.seat} has seen the last card already.",
        "table_stakes": f"Seat {player.seat} has only {player.stack} left.",
        "short_all_in": "The all-in was less than half a bet and reopens nothing for those who have acted.",
        "all_in_showdown": "Nobody else has the chips to call any more.",
    }.get(key, "No wager is open.")
    return hand.refusal("no-wager", f"{why} Seat {player.seat} cannot bet or raise.", key or "limits")


def emit_call(hand: HandInPlay, seat: int, amount: int) -> None:
    """Put the call in; in the last round say to the caller whether upcards in sight had beaten them already."""
    hand.emit(f.Called(seat, amount))
    if hand.rules.weighs_beaten_calls and hand.next_street() is None:
        _weigh_call(hand, hand.seats[seat])


def _weigh_call(hand: HandInPlay, caller: SeatState) -> None:
    cards = known_cards((*caller.cards, *hand.common_for(caller)))
    is_beaten = False
    if len(cards) == hand.cards_due(caller) + len(hand.common_for(caller)) and hand.game.pays == ("high",):
        boards = [v for seat, v in hand.board_values().items() if seat != caller.seat and hand.seats[seat].is_live]
        is_beaten = max(boards, default=0) > value_of(cards)
    hand.emit(f.CallWeighed(caller.seat, is_beaten, hand.book.cite("beaten_call_stands")))


def emit_fold(hand: HandInPlay, seat: int) -> None:
    """Fold ``seat``; without a wager it keeps its place in the deal."""
    is_free = not hand.level and hand.rules.folds_keep_receiving
    if hand.rules.bring_in_may_fold and seat == hand.forced_bettor and not hand.aggressor:
        is_free = True
    is_free = is_free and hand.next_street() is not None
    hand.emit(f.Folded(seat, is_free))
    if is_free:
        hand.rule("fold_keeps_receiving", "receiving", (seat,))


def post_bring_in(hand: HandInPlay, seat: int) -> None:
    """The forced bet of ``seat``, or what it has of it."""
    amount = min(hand.started.bring_in, hand.seats[seat].stack)
    hand.emit(f.BringInPosted(seat, amount, hand.started.bring_in))
    if amount < hand.started.bring_in:
        hand.rule("short_bring_in", "stands", (seat,))
    kill_skippable(hand)


def kill_skippable(hand: HandInPlay) -> None:
    """A wager kills the hands folded without one: they get no more cards."""
    if hand.has_skippable:
        seats = tuple([p.seat for p in hand.players if not p.is_live and p.is_still_dealt_to])
        hand.rule("fold_keeps_receiving", "killed", seats)
        hand.emit(f.SeatsSkipped(seats))


def emit_wager(hand: HandInPlay, player: SeatState, to: int) -> None:
    """Put the wager in and say what it was."""
    wagered = _fixed(hand, player, to) if hand.is_fixed_limit else _free(hand, player, to)
    hand.emit(wagered)
    verb = wagered.verb
    if verb in ("raise", "completion"):
        hand.emit(f.Announced(verb, player.seat, f"raise to {to}" if verb == "raise" else f"completes to {to}"))
    if verb == "completion" and hand.street == 3:
        hand.rule("completion", "no-raise", (player.seat,))
    if wagered.is_capped and verb == "raise" and wagered.raises == hand.rules.most_raises:
        hand.rule("raise_cap", "capped", (player.seat,))
    kill_skippable(hand)


def _fixed(hand: HandInPlay, player: SeatState, to: int) -> f.Wagered:
    """Fixed limit: a whole bet, or an all-in that counts as one from half of it up."""
    full, limits = hand.full, hand.sizes if len(hand.sizes) == 1 else limits_in_force(hand)
    gain = to - full
    counts = gain in limits or 2 * gain >= limits[0]
    raises = hand.raises + (1 if counts and full else 0)
    if len(limits) > 1 and gain >= limits[-1]:
        limits = limits[-1:]
    if not counts:
        verb = "all-in"
    elif full:
        verb = "raise"
    else:
        verb = "completion" if hand.level or hand.owes_bring_in else "bet"
    is_capped = hand.is_capped or (counts and _reaches_cap(hand, raises))
    new_full = to if counts else full
    return f.Wagered(player.seat, verb, to - player.bet, to, new_full, raises, limits, 0, is_capped)


def _free(hand: HandInPlay, player: SeatState, to: int) -> f.Wagered:
    """Other structures: a full raise is at least the last one; a shorter all-in reopens nothing by itself."""
    base = hand.started.bring_in if hand.owes_bring_in else hand.level
    is_full = to >= least_wager(hand, base)
    verb = ("raise" if hand.level else "bet") if is_full else "all-in"
    gain = to - base
    least_raise = max(hand.least_raise, gain) if is_full else hand.least_raise
    full = to if is_full else hand.full
    return f.Wagered(player.seat, verb, to - player.bet, to, full, hand.raises, hand.sizes, least_raise, False)


def _reaches_cap(hand: HandInPlay, raises: int) -> bool:
    """Whether this raise ends the raising. Two who can still bet are not capped if it was so before the cap."""
    rules = hand.rules
    if not rules.most_raises or raises < rules.most_raises:
        return False
    if rules.heads_up == "uncapped":
        return able_to_bet(hand) > 2
    if rules.heads_up == "uncapped-at-two-left":
        return hand.started.players_left != 2
    return True
