"""What prizes, deals and the end change."""

from __future__ import annotations

from dataclasses import replace

from tournaments.engine import facts as f
from tournaments.engine.state import TournamentState


def payout_changed(state: TournamentState, fact: f.PayoutChanged) -> None:
    state.config = replace(state.config, payout=fact.payout)
    state.locked = None


def payouts_locked(state: TournamentState, fact: f.PayoutsLocked) -> None:
    state.locked = fact


def deal_made(state: TournamentState, fact: f.DealMade) -> None:
    state.deal = fact


def ended(state: TournamentState, fact: f.EventEnded) -> None:
    state.phase, state.ended_at = "finished", fact.at
    for number, _, tied, below in fact.left:
        state.entrants[number].below, state.entrants[number].tied = below, tied
    for number, prize in fact.prizes:
        state.entrants[number].prize = prize
    for number, money in fact.bounties:
        state.entrants[number].bounties_won += money
        state.entrants[number].bounty = 0


def flight_closed(state: TournamentState, fact: f.FlightClosed) -> None:
    state.phase, state.ended_at, state.is_flight = "finished", fact.at, True


def cancelled(state: TournamentState, fact: f.Cancelled) -> None:
    state.phase, state.ended_at, state.reason = "cancelled", fact.at, fact.reason
