"""The betting: what a player's action becomes, and whose turn it is after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import commands as c
from . import facts as f
from .options import able_to_bet, action_on, why_no_wager
from .pots import layers, uncalled
from .ranking import value_of
from .state import SeatState

if TYPE_CHECKING:
    from .hand import Hand


# -- actions ---------------------------------------------------------------------------------------------------------


def fold(hand: Hand, command: c.Fold) -> None:
    turn = _turn_of(hand, command.seat)
    if not turn.can_fold:
        raise hand.refusal("forced-bet", f"Seat {command.seat} is low and must bring it in.", "forced_bet")
    _fold(hand, command.seat)
    hand.settle_turn(command.seat)


def _fold(hand: Hand, seat: int) -> None:
    is_free = not hand.level and hand.rules.folds_keep_receiving and hand.street < 7
    hand.emit(f.Folded(seat, is_free))
    if is_free:
        hand.rule("fold_keeps_receiving", "receiving", (seat,))


def check(hand: Hand, command: c.Check) -> None:
    turn = _turn_of(hand, command.seat)
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
    turn = _turn_of(hand, command.seat)
    if not turn.call:
        what = "brings it in or completes" if hand.owes_bring_in else "checks or bets"
        raise hand.refusal(
            "nothing-to-call", f"There is no wager to call: seat {command.seat} {what}.", "acting_in_turn"
        )
    hand.emit(f.Called(command.seat, turn.call))
    if hand.street == 7 and hand.rules.weighs_beaten_calls:
        _weigh_call(hand, hand.seats[command.seat])
    hand.settle_turn(command.seat)


def bring_in(hand: Hand, command: c.BringIn) -> None:
    turn = _turn_of(hand, command.seat)
    if not turn.bring_in:
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
    turn = _turn_of(hand, command.seat)
    player = hand.seats[command.seat]
    to = _checked_size(hand, player, turn, command)
    _emit_wager(hand, player, to)
    _kill_skippable(hand)
    hand.settle_turn(command.seat)


def time_out(hand: Hand, command: c.TimeOut) -> None:
    """Check where it is free, else fold; on the bring-in post it."""
    turn = _turn_of(hand, command.seat)
    hand.emit(f.TimedOut(command.seat))
    if turn.can_check:
        hand.emit(f.Checked(command.seat))
    elif turn.bring_in and not turn.can_fold:
        post_bring_in(hand, command.seat)
    else:
        _fold(hand, command.seat)
    hand.settle_turn(command.seat)


# -- wagers ----------------------------------------------------------------------------------------------------------


_SAID = {"bet": ("bets",), "raise-to": ("raises",), "complete-to": ("completes", "raises")}


def _checked_size(hand: Hand, player: SeatState, turn: f.ActionOn, command: c.Wager) -> int:
    """The seat's new total, or the refusal that says which wagers are open and by which rule."""
    if not turn.sizes:
        _refuse_wager(hand, player)
    said = _SAID[turn.verb] + (("bets",) if hand.owes_bring_in else ())
    if command.to is None:
        if command.verb and command.verb not in said:
            key = "completion" if turn.verb == "complete-to" else "wager_size"
            raise hand.refusal("wrong-wager", f"Seat {player.seat} cannot {_open(turn, command.verb)}", key)
        if len(turn.sizes) > 1:
            raise hand.refusal("which-size", f"Name the size: {_open(turn)}", "open_pair_fourth")
        return turn.sizes[0]
    if command.to not in turn.sizes:
        raise hand.refusal("wrong-size", f"{command.to} is not a legal size: {_open(turn)}", "limits")
    return command.to


def _open(turn: f.ActionOn, said: str = "") -> str:
    sizes = " or ".join(str(size) for size in turn.sizes)
    tried = {"bets": "bet; ", "raises": "raise; ", "completes": "complete; "}.get(said, "")
    return f"{tried}open is {turn.verb.replace('-', ' ')} {sizes}."


def _refuse_wager(hand: Hand, player: SeatState) -> None:
    key = "table_stakes" if hand.owes_bring_in else why_no_wager(hand, player)
    why = {
        "raise_cap": f"The betting is capped: {hand.raises} raises have been made.",
        "table_stakes": f"Seat {player.seat} has only {player.stack} left.",
        "short_all_in": "The all-in was less than half a bet and reopens nothing for those who have acted.",
        "all_in_showdown": "Nobody else has the chips to call any more.",
    }.get(key, "No wager is open.")
    raise hand.refusal("no-wager", f"{why} Seat {player.seat} cannot bet or raise.", key or "limits")


def _emit_wager(hand: Hand, player: SeatState, to: int) -> None:
    full, level, limits = hand.full, hand.level, hand.sizes
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
        verb = "completion" if level or hand.owes_bring_in else "bet"
    is_capped = hand.is_capped or (counts and _reaches_cap(hand, raises))
    new_full = to if counts else full
    forced = hand.street == 3 and verb == "completion"
    hand.emit(f.Wagered(player.seat, verb, to - player.bet, to, new_full, raises, limits, 0, is_capped))
    if verb in ("raise", "completion"):
        words = f"raise to {to}" if verb == "raise" else f"completes to {to}"
        hand.emit(f.Announced(verb, player.seat, words))
    if forced:
        hand.rule("completion", "no-raise", (player.seat,))
    if is_capped and raises == hand.rules.most_raises and counts:
        hand.rule("raise_cap", "capped", (player.seat,))


def _reaches_cap(hand: Hand, raises: int) -> bool:
    """Whether this raise ends the raising. Two who can still bet are not capped if it was so before the cap."""
    rules = hand.rules
    if not rules.most_raises or raises < rules.most_raises:
        return False
    if rules.heads_up == "uncapped":
        return able_to_bet(hand) > 2
    if rules.heads_up == "uncapped-at-two-left":
        return hand.started.players_left != 2
    return True


def _kill_skippable(hand: Hand) -> None:
    """A wager kills the hands folded without one: they get no more cards."""
    if hand.has_skippable:
        seats = tuple([p.seat for p in hand.players if not p.is_live and p.is_still_dealt_to])
        hand.rule("fold_keeps_receiving", "killed", seats)
        hand.emit(f.SeatsSkipped(seats))


def _weigh_call(hand: Hand, caller: SeatState) -> None:
    cards = [*caller.cards, *hand.common]
    is_beaten = False
    if all(card is not None and card != "??" for card in cards):
        boards = [v for seat, v in hand.board_values().items() if seat != caller.seat and hand.seats[seat].is_live]
        is_beaten = max(boards, default=0) > value_of(cards)  # type: ignore[arg-type]
    hand.emit(f.CallWeighed(caller.seat, is_beaten, hand.book.cite("beaten_call_stands")))


# -- turns -----------------------------------------------------------------------------------------------------------


def _turn_of(hand: Hand, seat: int) -> f.ActionOn:
    turn = hand.turn
    if turn is not None and turn.seat == seat:
        return turn
    hand.check_seat(seat)
    if turn is None:
        raise hand.refusal("no-action", "There is nothing to act on now.", "acting_in_turn")
    message = f"It is the turn of seat {turn.seat}, not of seat {seat}."
    raise hand.refusal("not-your-turn", message, "acting_in_turn")


def next_to_act(hand: Hand, seat: int) -> int:
    """The next seat clockwise after ``seat`` that has something to decide; 0 when the round is over."""
    following, seats, level = hand.following, hand.seats, hand.level
    after = following[seat]
    while after != seat:
        player = seats[after]
        if (
            player.is_live
            and player.stack
            and (player.bet < level or (not level and not player.has_acted and able_to_bet(hand) > 1))
        ):
            return after
        after = following[after]
    return 0


def give_turn(hand: Hand, seat: int) -> bool:
    """Put the action on ``seat``. False when its player is absent: the forced bet is posted, else the hand killed."""
    player = hand.seats[seat]
    if not player.is_absent:
        hand.emit(action_on(hand, player))
        return True
    if hand.owes_bring_in and seat == hand.named:
        post_bring_in(hand, seat)
        return False
    hand.rule("absent_player", "killed", (seat,))
    hand.emit(f.HandKilled(seat))
    return False


def return_uncalled(hand: Hand) -> None:
    """What nobody called leaves the middle."""
    seat, amount = uncalled(hand.players)
    if amount and hand.seats[seat].is_live:
        hand.emit(f.BetReturned(seat, amount))


def close_round(hand: Hand) -> None:
    """The round is over: uncalled chips go back, the rest goes into the pots."""
    return_uncalled(hand)
    hand.emit(f.RoundClosed(hand.street, layers(hand.players, hand.pot)))
