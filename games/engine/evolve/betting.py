"""Copy what the players did with their chips."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .. import facts as f

if TYPE_CHECKING:
    from ..seat import SeatState
    from ..state import HandState


def _put(state: HandState, seat: int, amount: int) -> SeatState:
    player = state.seats[seat]
    player.stack -= amount
    player.bet += amount
    player.total += amount
    state.pot += amount
    player.has_acted = True
    player.has_picked_up = False
    state.acts += 1
    state.to_act = 0
    state.turn = None
    return player


def _round_opened(state: HandState, fact: f.RoundOpened) -> None:
    state.phase = "bet"
    state.street = fact.street
    state.named = fact.named
    state.opener = fact.opener
    state.sizes = fact.sizes
    state.owes_bring_in = fact.is_bring_in
    state.level = state.full = state.raises = state.least_raise = state.aggressor = state.acts = 0
    state.is_capped = False
    state.forced_bettor = 0
    state.to_act = 0
    state.turn = None
    for player in state.players:
        player.has_acted = False


def _action_on(state: HandState, fact: f.ActionOn) -> None:
    state.to_act = fact.seat
    state.turn = fact


def _bring_in_posted(state: HandState, fact: f.BringInPosted) -> None:
    _put(state, fact.seat, fact.amount)
    state.level = fact.level
    if state.sizes and fact.level >= state.sizes[0]:
        state.full = fact.level
    state.seats[fact.seat].full_seen = state.full
    state.owes_bring_in = False
    state.forced_bettor = fact.seat


def _checked(state: HandState, fact: f.Checked) -> None:
    state.seats[fact.seat].has_acted = True
    state.acts += 1
    state.to_act = 0
    state.turn = None


def _called(state: HandState, fact: f.Called) -> None:
    _put(state, fact.seat, fact.amount).full_seen = state.full


def _wagered(state: HandState, fact: f.Wagered) -> None:
    player = _put(state, fact.seat, fact.amount)
    state.level = fact.to
    state.full = player.full_seen = fact.full
    state.raises = fact.raises
    state.sizes = fact.sizes
    state.least_raise = fact.least_raise
    state.is_capped = fact.is_capped
    state.aggressor = fact.seat
    state.owes_bring_in = False


def _folded(state: HandState, fact: f.Folded) -> None:
    player = state.seats[fact.seat]
    state.live -= player.is_live
    player.is_live = False
    player.has_acted = True
    player.is_still_dealt_to = fact.is_still_dealt_to
    state.acts += 1
    if fact.is_still_dealt_to:
        state.has_skippable = True
    if state.to_act == fact.seat:
        state.to_act = 0
        state.turn = None


def _seats_skipped(state: HandState, fact: f.SeatsSkipped) -> None:
    for seat in fact.seats:
        state.seats[seat].is_still_dealt_to = False
    state.has_skippable = False


def _hand_killed(state: HandState, fact: f.HandKilled) -> None:
    player = state.seats[fact.seat]
    state.live -= player.is_live
    player.is_live = player.is_still_dealt_to = False
    if state.to_act == fact.seat:
        state.to_act = 0
        state.turn = None


def _player_left(state: HandState, fact: f.PlayerLeft) -> None:
    state.seats[fact.seat].is_absent = True


def _player_back(state: HandState, fact: f.PlayerBack) -> None:
    state.seats[fact.seat].is_absent = False


def _bet_returned(state: HandState, fact: f.BetReturned) -> None:
    player = state.seats[fact.seat]
    player.stack += fact.amount
    player.total -= fact.amount
    player.bet = max(0, player.bet - fact.amount)
    state.pot -= fact.amount


def _round_closed(state: HandState, fact: f.RoundClosed) -> None:
    state.phase = "deal"
    state.pots = fact.pots
    state.level = 0
    state.owes_bring_in = False
    state.held = {}
    state.to_act = 0
    state.turn = None
    for player in state.players:
        player.bet = player.full_seen = 0
        player.has_acted = player.has_picked_up = False
        player.may_not = ""


def _call_weighed(state: HandState, fact: f.CallWeighed) -> None:
    if fact.is_beaten and fact.rule is not None:
        state.rulings_made.append(f.Ruled("beaten_call_stands", "stands", fact.rule, (fact.seat,), ""))


APPLY: dict[str, Callable[[HandState, Any], None]] = {
    "round-opened": _round_opened,
    "action-on": _action_on,
    "bring-in-posted": _bring_in_posted,
    "checked": _checked,
    "called": _called,
    "wagered": _wagered,
    "folded": _folded,
    "seats-skipped": _seats_skipped,
    "hand-killed": _hand_killed,
    "player-left": _player_left,
    "player-back": _player_back,
    "bet-returned": _bet_returned,
    "round-closed": _round_closed,
    "call-weighed": _call_weighed,
}
