"""Chips that go into the pot, and hands that go out."""

from __future__ import annotations

from games.engine import commands as c
from games.engine.cards import known_cards
from games.engine.facts import play
from games.engine.in_play import HandInPlay, layers, uncalled_chips
from games.engine.ranking import value_of
from games.engine.rules.choices import able_to_bet, least_wager, limits_in_force, why_no_wager
from games.engine.rules.wording import cannot, no_wager, open_now
from games.engine.seat import SeatState

_OPEN_VERBS = {"bet": ("bets",), "raise-to": ("raises",), "complete-to": ("completes", "raises")}


def checked_size(hand: HandInPlay, player: SeatState, turn: play.ActionOn, command: c.Wager) -> int:
    """The seat's new total, or the refusal that says which wagers are open and by which rule."""
    if not turn.sizes:
        key = "table_stakes" if hand.owes_bring_in else why_no_wager(hand, player)
        raise hand.refusal("no-wager", no_wager(hand, player, key), key or "limits")
    open_verbs = _OPEN_VERBS[turn.verb] + (("bets", "completes") if hand.owes_bring_in else ())
    if command.to is None:
        if command.verb and command.verb not in open_verbs:
            key = "completion" if turn.verb == "complete-to" else "wager_size"
            raise hand.refusal("wrong-wager", cannot(player, command.verb, turn), key)
        if len(turn.sizes) > 1:
            key = "open_pair_fourth" if hand.is_fixed_limit else "wager_size"
            raise hand.refusal("which-size", "Name the size: {open}", key, open=open_now(turn))
        return turn.sizes[0]
    is_legal = turn.sizes[0] <= command.to <= turn.sizes[-1] if turn.is_range else command.to in turn.sizes
    if not is_legal:
        raise hand.refusal(
            "wrong-size", "{to} is not a legal size: {open}", "limits", to=command.to, open=open_now(turn)
        )
    return command.to


def emit_call(hand: HandInPlay, seat: int, amount: int) -> None:
    """Put the call in; in the last round say to the caller whether upcards in sight had beaten them already."""
    hand.emit(play.Called(seat, amount))
    if hand.rules.weighs_beaten_calls and hand.is_on_last_street:
        _weigh_call(hand, hand.seats[seat])


def _weigh_call(hand: HandInPlay, caller: SeatState) -> None:
    cards = known_cards((*caller.cards, *hand.common_for(caller)))
    is_beaten = False
    if len(cards) == hand.cards_due(caller) + len(hand.common_for(caller)) and not hand.game.has_low:
        boards = [v for seat, v in hand.board_values().items() if seat != caller.seat and hand.seats[seat].is_live]
        is_beaten = max(boards, default=0) > value_of(cards)
    hand.emit(play.CallWeighed(caller.seat, is_beaten, hand.book.cite("beaten_call_stands")))


def emit_fold(hand: HandInPlay, seat: int) -> None:
    """Fold ``seat``; without a wager it keeps its place in the deal."""
    is_free = not hand.level and hand.rules.folds_keep_receiving
    if hand.rules.bring_in_may_fold and seat == hand.forced_bettor and not hand.aggressor:
        is_free = True
    is_free = is_free and not hand.is_on_last_street
    hand.emit(play.Folded(seat, is_free))
    if is_free:
        hand.rule("fold_keeps_receiving", "receiving", (seat,))


def post_bring_in(hand: HandInPlay, seat: int) -> None:
    """The forced bet of ``seat``, or what it has of it."""
    amount = min(hand.started.bring_in, hand.seats[seat].stack)
    hand.emit(play.BringInPosted(seat, amount, hand.started.bring_in))
    if amount < hand.started.bring_in:
        hand.rule("short_bring_in", "stands", (seat,))
    kill_skippable(hand)


def kill_skippable(hand: HandInPlay) -> None:
    """A wager kills the hands folded without one: they get no more cards."""
    if hand.has_skippable:
        seats = tuple([p.seat for p in hand.players if not p.is_live and p.is_still_dealt_to])
        hand.rule("fold_keeps_receiving", "killed", seats)
        hand.emit(play.SeatsSkipped(seats))


def emit_wager(hand: HandInPlay, player: SeatState, to: int) -> None:
    """Put the wager in and say what it was."""
    wagered = _fixed_limit_wager(hand, player, to) if hand.is_fixed_limit else _free(hand, player, to)
    hand.emit(wagered)
    verb = wagered.verb
    if verb in ("raise", "completion"):
        hand.emit(play.Announced(verb, player.seat, f"raise to {to}" if verb == "raise" else f"completes to {to}"))
    if verb == "completion" and hand.is_on_first_street:
        hand.rule("completion", "no-raise", (player.seat,))
    if wagered.is_capped and verb == "raise" and wagered.raises == hand.rules.most_raises:
        hand.rule("raise_cap", "capped", (player.seat,))
    kill_skippable(hand)


def _fixed_limit_wager(hand: HandInPlay, player: SeatState, to: int) -> play.Wagered:
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
    return play.Wagered(player.seat, verb, to - player.bet, to, new_full, raises, limits, 0, is_capped)


def _free(hand: HandInPlay, player: SeatState, to: int) -> play.Wagered:
    """Other structures: a full raise is at least the last one; a shorter all-in reopens nothing by itself."""
    base = hand.started.bring_in if hand.owes_bring_in else hand.level
    is_full = to >= least_wager(hand, base)
    verb = ("raise" if hand.level else "bet") if is_full else "all-in"
    gain = to - base
    least_raise = max(hand.least_raise, gain) if is_full else hand.least_raise
    full = to if is_full else hand.full
    return play.Wagered(player.seat, verb, to - player.bet, to, full, hand.raises, hand.sizes, least_raise, False)


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


def return_uncalled(hand: HandInPlay) -> None:
    """What nobody called leaves the middle."""
    seat, amount = uncalled_chips(hand.players)
    if amount and hand.seats[seat].is_live:
        hand.emit(play.BetReturned(seat, amount))


def close_round(hand: HandInPlay) -> None:
    """The round is over: uncalled chips go back, the rest goes into the pots."""
    return_uncalled(hand)
    hand.emit(play.RoundClosed(hand.street, layers(hand.players, hand.pot)))
