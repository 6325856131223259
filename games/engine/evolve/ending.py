"""Copy the showdown and the pots."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .. import facts as f

if TYPE_CHECKING:
    from ..state import HandState


def _showdown_opened(state: HandState, fact: f.ShowdownOpened) -> None:
    state.phase = "show"
    state.show_order = fact.order


def _show_due(state: HandState, fact: f.ShowDue) -> None:
    state.to_act = fact.seat


def _hand_tabled(state: HandState, fact: f.HandTabled) -> None:
    state.seats[fact.seat].turn_over(fact.cards)


def _hand_shown(state: HandState, fact: f.HandShown) -> None:
    player = state.seats[fact.seat]
    player.turn_over(fact.cards)
    player.has_shown = True
    state.to_act = 0


def _hand_mucked(state: HandState, fact: f.HandMucked) -> None:
    player = state.seats[fact.seat]
    state.live -= player.is_live
    player.is_live = False
    state.to_act = 0


def _drop_taken(state: HandState, fact: f.DropTaken) -> None:
    state.drop = fact
    state.pot -= fact.total


def _pot_awarded(state: HandState, fact: f.PotAwarded) -> None:
    player = state.seats[fact.seat]
    player.stack += fact.amount
    player.won += fact.amount
    state.pot -= fact.amount


def _hand_ended(state: HandState, fact: f.HandEnded) -> None:
    for seat, stack in fact.stacks:
        state.seats[seat].stack = stack
    state.phase = "over"
    state.to_act = 0
    state.turn = None


def _hand_voided(state: HandState, fact: f.HandVoided) -> None:
    for seat, stack in fact.stacks:
        state.seats[seat].stack = stack
    state.pot = 0
    state.phase = "over"
    state.to_act = 0
    state.turn = None


APPLY: dict[str, Callable[[HandState, Any], None]] = {
    "showdown-opened": _showdown_opened,
    "show-due": _show_due,
    "hand-tabled": _hand_tabled,
    "hand-shown": _hand_shown,
    "hand-mucked": _hand_mucked,
    "drop-taken": _drop_taken,
    "pot-awarded": _pot_awarded,
    "hand-ended": _hand_ended,
    "hand-voided": _hand_voided,
}
