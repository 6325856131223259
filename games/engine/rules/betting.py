"""The betting: who has acted, what the seat to act may do, chips going in, whose turn it is, and the end of a round.

A rule that ends the betting of a street answers True; what comes after the street is the hand's to say.
"""

from __future__ import annotations

from games.engine import commands as c
from games.engine.cards import UNKNOWN, known_cards
from games.engine.errors import Said
from games.engine.facts import mistakes, play
from games.engine.facts.base import Fact
from games.engine.facts.play import ActionOn
from games.engine.in_play import HandInPlay, layers, uncalled
from games.engine.ranking import value_of
from games.engine.rules.wording import cannot, no_wager, open_now
from games.engine.seat import SeatState

# -- who has acted ---------------------------------------------------------------------------------------------------
#
# A point of the rules that ends "when somebody has acted" ends with any action that binds, out of turn too; one that
# ends with "the next player" or with the beginning of the betting is left alone by who acts out of turn.


def acts_in_round(hand: HandInPlay) -> list[tuple[Fact, int, bool]]:
    """(what was done, seat, was it their turn) since the round was opened, oldest first. An action out of turn that is
    held counts when it is taken, and again when it is carried out."""
    acts: list[tuple[Fact, int, bool]] = []
    turn = 0
    for _, fact in mistakes.in_force(hand.facts):
        if isinstance(fact, play.RoundOpened):
            acts, turn = [], 0
        elif isinstance(fact, play.ActionOn):
            turn = fact.seat
        elif isinstance(
            fact, play.BringInPosted | play.Checked | play.Called | play.Wagered | play.Folded | mistakes.ActionHeld
        ):
            acts.append((fact, fact.seat, fact.seat == turn))
    return acts


def acts_after_forced_bet(hand: HandInPlay) -> list[tuple[int, bool]]:
    """(seat, was it their turn) for everybody who has acted since the forced bet, or the wager made instead of it, was
    in; where there is no forced bet, since the round was opened."""
    acts = acts_in_round(hand)
    if hand.started.bring_in:
        opened = [place for place, (act, _, _) in enumerate(acts) if isinstance(act, play.BringInPosted | play.Wagered)]
        acts = acts[opened[0] + 1 :] if opened else []
    return [(seat, was_in_turn) for _, seat, was_in_turn in acts]


def has_betting_begun(hand: HandInPlay) -> bool:
    """Whether anybody has acted in turn since the round was opened."""
    return any(was_in_turn for _, _, was_in_turn in acts_in_round(hand))


# -- what the seat to act may do -------------------------------------------------------------------------------------


def able_to_bet(hand: HandInPlay) -> int:
    """How many live hands have chips that they may still bet."""
    count = 0
    for player in hand.players:
        if player.is_live and player.stack and not player.has_declared:
            count += 1
    return count


def limits_in_force(hand: HandInPlay) -> tuple[int, ...]:
    """The limits to bet or raise by. Both, on fourth street with an open pair, only while a live hand shows one."""
    limits = hand.sizes
    if len(limits) > 1 and not any(player.is_live and shows_pair(player) for player in hand.players):
        return limits[:1]
    return limits


def shows_pair(player: SeatState) -> bool:
    """Whether two of the upcards are of one rank."""
    ranks = [card[0] for card in player.upcards if card is not None and card != UNKNOWN]
    return len(set(ranks)) < len(ranks)


def may_declare(hand: HandInPlay, player: SeatState) -> bool:
    """Whether ``player`` may still declare all-in: their last card came face up and the betting
    on it has not begun."""
    return player.may_declare and player.is_able and hand.phase == "bet" and not has_betting_begun(hand)


def action_on(hand: HandInPlay, player: SeatState) -> ActionOn:
    """The choices of ``player`` when it is their turn."""
    if hand.owes_bring_in:
        return _forced_bet(hand, player)
    need = hand.level - player.bet
    verb, sizes, is_range = wager_sizes(hand, player)
    return ActionOn(
        player.seat,
        True,
        need <= 0,
        min(need, player.stack) if need > 0 else 0,
        0,
        verb,
        sizes,
        is_range,
        player.may_declare and may_declare(hand, player),
    )


def _forced_bet(hand: HandInPlay, player: SeatState) -> ActionOn:
    """The lowcard brings it in or opens for a full bet; another who opens in its place may also fold."""
    forced = hand.started.bring_in
    verb, is_range = "", False
    sizes: tuple[int, ...] = ()
    if hand.rules.opener_may_complete and player.stack > forced:
        if hand.is_fixed_limit:
            verb, sizes = "complete-to", _capped_by_stack(hand, player, forced)
        else:
            verb = "bet"
            sizes, is_range = _range(hand, player, forced)
    return ActionOn(
        player.seat,
        player.seat != hand.named,
        False,
        0,
        min(forced, player.stack),
        verb if sizes else "",
        sizes,
        is_range,
        False,
    )


def wager_sizes(hand: HandInPlay, player: SeatState) -> tuple[str, tuple[int, ...], bool]:
    """(verb, totals, is a range) of the wagers open to ``player``; no totals when none is."""
    if why_no_wager(hand, player):
        return "", (), False
    level = hand.level
    if not hand.is_fixed_limit:
        sizes, is_range = _range(hand, player, level)
        return ("raise-to" if level else "bet"), sizes, is_range
    sizes = _capped_by_stack(hand, player, level)
    if not sizes:
        return "", (), False
    if not level:
        return "bet", sizes, False
    return ("raise-to" if hand.full == level else "complete-to"), sizes, False


def why_no_wager(hand: HandInPlay, player: SeatState) -> str:
    """The rulebook point by which ``player`` may not bet or raise now; '' when they may."""
    if hand.is_capped:
        return "raise_cap"
    if player.may_not and (hand.level or player.may_not == "bet"):
        return "premature_deal"
    if player.stack <= hand.level - player.bet:
        return "table_stakes"
    if player.has_acted and not _is_reopened(hand, player):
        return "short_all_in"
    for other in hand.players:
        if other.is_live and other.bet + other.stack > hand.level and other is not player and not other.has_declared:
            return ""
    return "all_in_showdown"  # nobody could call any of it


def _is_reopened(hand: HandInPlay, player: SeatState) -> bool:
    """Whether a full bet or raise came since the player acted."""
    if hand.is_fixed_limit:
        return hand.full > player.full_seen
    return hand.level - player.bet >= max(hand.least_raise, hand.started.min_bet)


def _capped_by_stack(hand: HandInPlay, player: SeatState, level: int) -> tuple[int, ...]:
    """A full wager by each limit in force, over the last one that counted; a shorter stack goes in whole."""
    most = player.bet + player.stack
    full = hand.full
    limits = hand.sizes if len(hand.sizes) == 1 else limits_in_force(hand)
    if len(limits) == 1:
        to = full + limits[0]
        if to > most:
            to = most
        return (to,) if to > level else ()
    return tuple(sorted({min(full + limit, most) for limit in limits if min(full + limit, most) > level}))


def least_wager(hand: HandInPlay, level: int) -> int:
    """Without fixed limit: the least total that is a full bet or raise over ``level``."""
    return level + max(hand.least_raise, hand.started.min_bet)


def _range(hand: HandInPlay, player: SeatState, level: int) -> tuple[tuple[int, ...], bool]:
    """Without fixed limit: the least and the most, or the whole of a stack that is shorter than the least."""
    started = hand.started
    stack = player.bet + player.stack
    least = least_wager(hand, level)
    if started.structure == "pot-limit":
        most = max(least, level + hand.pot + level - player.bet)
    elif started.structure == "spread-limit":
        most = max(least, level + started.max_bet)
    else:
        most = stack
    most = min(most, stack)
    if most <= level:
        return (), False
    return ((least, most), True) if least < most else ((most,), False)


# -- chips going in, or a hand out -----------------------------------------------------------------------------------

_SAID = {"bet": ("bets",), "raise-to": ("raises",), "complete-to": ("completes", "raises")}


def checked_size(hand: HandInPlay, player: SeatState, turn: play.ActionOn, command: c.Wager) -> int:
    """The seat's new total, or the refusal that says which wagers are open and by which rule."""
    if not turn.sizes:
        key = "table_stakes" if hand.owes_bring_in else why_no_wager(hand, player)
        raise hand.refusal("no-wager", no_wager(hand, player, key), key or "limits")
    said = _SAID[turn.verb] + (("bets", "completes") if hand.owes_bring_in else ())
    if command.to is None:
        if command.verb and command.verb not in said:
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
    wagered = _fixed(hand, player, to) if hand.is_fixed_limit else _free(hand, player, to)
    hand.emit(wagered)
    verb = wagered.verb
    if verb in ("raise", "completion"):
        hand.emit(play.Announced(verb, player.seat, f"raise to {to}" if verb == "raise" else f"completes to {to}"))
    if verb == "completion" and hand.is_on_first_street:
        hand.rule("completion", "no-raise", (player.seat,))
    if wagered.is_capped and verb == "raise" and wagered.raises == hand.rules.most_raises:
        hand.rule("raise_cap", "capped", (player.seat,))
    kill_skippable(hand)


def _fixed(hand: HandInPlay, player: SeatState, to: int) -> play.Wagered:
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


# -- whose turn it is ------------------------------------------------------------------------------------------------


def next_to_act(hand: HandInPlay, seat: int) -> int:
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


def give_turn(hand: HandInPlay, seat: int) -> bool:
    """Put the action on ``seat``. False when it is done at once: the player is absent (the forced bet is posted, else
    the hand killed), or acted before their turn."""
    player = hand.seats[seat]
    if player.is_absent:
        if hand.owes_bring_in and seat == hand.named:
            post_bring_in(hand, seat)
        else:
            hand.rule("absent_player", "killed", (seat,))
            hand.emit(play.HandKilled(seat))
        return False
    hand.emit(action_on(hand, player))
    return not (seat in hand.held and _act_as_held(hand, player))


def _act_as_held(hand: HandInPlay, player: SeatState) -> bool:
    """Carry out what the player did out of turn. False when the price has changed and it no longer binds."""
    held, turn = hand.held[player.seat], hand.turn
    hand.emit(mistakes.ActionReleased(player.seat))
    if turn is None or held.level != hand.level:
        return False
    if held.verb == "check" and turn.can_check:
        hand.emit(play.Checked(player.seat))
    elif held.verb == "call" and turn.call:
        emit_call(hand, player.seat, turn.call)
    elif held.verb == "wager" and turn.sizes:
        emit_wager(hand, player, held.to)
    else:
        return False
    return True


def settle_turn(hand: HandInPlay, seat: int) -> bool:
    """After ``seat`` has acted: the next one's turn. True when there is none and the street is over."""
    while True:
        if hand.live == 1:
            return True
        seat = next_to_act(hand, seat)
        if not seat:
            close_round(hand)
            return True
        if give_turn(hand, seat):
            return False


def start_round(hand: HandInPlay, opener: int) -> bool:
    """The opener's turn; if their hand is dead or their bet already posted, the next one's. True when the street is
    over without one."""
    player = hand.seats[opener]
    if player.is_live and not player.has_acted and give_turn(hand, opener):
        return False
    return settle_turn(hand, opener)


def refresh_turn(hand: HandInPlay) -> bool:
    """Something changed beside the turn: who is to act may have other choices now, or nobody is left to act against;
    then the street is over."""
    if hand.live == 1:
        return True
    if hand.turn is not None:
        player = hand.seats[hand.turn.seat]
        if player.bet >= hand.level and able_to_bet(hand) < 2:
            close_round(hand)
            return True
        if (turn := action_on(hand, player)) != hand.turn:
            hand.emit(turn)
    return False


# -- the end of a round ----------------------------------------------------------------------------------------------


def return_uncalled(hand: HandInPlay) -> None:
    """What nobody called leaves the middle."""
    seat, amount = uncalled(hand.players)
    if amount and hand.seats[seat].is_live:
        hand.emit(play.BetReturned(seat, amount))


def close_round(hand: HandInPlay) -> None:
    """The round is over: uncalled chips go back, the rest goes into the pots."""
    return_uncalled(hand)
    hand.emit(play.RoundClosed(hand.street, layers(hand.players, hand.pot)))


# -- out of turn -----------------------------------------------------------------------------------------------------

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


# -- behind a hand whose upcards were picked up ----------------------------------------------------------------------


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


# -- what a player's action becomes ----------------------------------------------------------------------------------


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
