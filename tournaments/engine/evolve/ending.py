"""Prizes, deals and the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .. import facts as f

if TYPE_CHECKING:
    from ..state import TournamentState


def _payout_changed(state: TournamentState, fact: f.PayoutChanged) -> None:
    state.config = replace(state.config, payout=fact.payout)
    state.locked = None


def _payouts_locked(state: TournamentState, fact: f.PayoutsLocked) -> None:
    state.locked = fact


def _deal_made(state: TournamentState, fact: f.DealMade) -> None:
    state.deal = fact


def _ended(state: TournamentState, fact: f.Ended) -> None:
    state.phase, state.ended_at = "finished", fact.at
    for number, _, tied, below in fact.left:
        state.entrants[number].below, state.entrants[number].tied = below, tied
    for number, prize in fact.prizes:
        state.entrants[number].prize = prize
    for number, money in fact.bounties:
        state.entrants[number].bounties_won += money
        state.entrants[number].bounty = 0


def _flight_closed(state: TournamentState, fact: f.FlightClosed) -> None:
    state.phase, state.ended_at, state.is_flight = "finished", fact.at, True


def _cancelled(state: TournamentState, fact: f.Cancelled) -> None:
    state.phase, state.ended_at, state.reason = "cancelled", fact.at, fact.reason


def _prizes_paid(state: TournamentState, fact: f.PrizesPaid) -> None:
    state.is_paid = True


APPLY: dict[str, Callable[[TournamentState, Any], None]] = {
    "payout-changed": _payout_changed,
    "payouts-locked": _payouts_locked,
    "deal-made": _deal_made,
    "ended": _ended,
    "flight-closed": _flight_closed,
    "cancelled": _cancelled,
    "prizes-paid": _prizes_paid,
}
