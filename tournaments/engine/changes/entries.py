"""What changes when entries come in, wait, grow and go."""

from __future__ import annotations

from tournaments.engine import facts as f
from tournaments.engine.changes.seats import leave_seat
from tournaments.engine.state import Entrant, TournamentState


def terms(state: TournamentState, fact: f.EventAnnounced | f.TermsChanged) -> None:
    state.config = fact.config
    # Where every table plays to its winner, none is too short.
    state.totals.halt_short = fact.config.halt_short if fact.config.format == "tables" else 0


def entered(state: TournamentState, fact: f.Entered) -> None:
    count_in(state, _add_entrant(state, fact))


def entered_as_alternate(state: TournamentState, fact: f.EnteredAsAlternate) -> None:
    entrant = _add_entrant(state, fact)
    entrant.status = "alternate"
    state.alternates[entrant.number] = None


def _add_entrant(state: TournamentState, fact: f.Entered | f.EnteredAsAlternate) -> Entrant:
    entrant = _list_entrant(state, fact)
    state.players[fact.player] = fact.entrant
    return entrant


def never_entered(state: TournamentState, fact: f.Entered | f.EnteredAsAlternate) -> None:
    """An entry that was undone keeps its number, as one that withdrew: its receipt is known by it."""
    entrant = _list_entrant(state, fact)
    entrant.status = "withdrawn"
    entrant.stack = entrant.bounty = 0


def _list_entrant(state: TournamentState, fact: f.Entered | f.EnteredAsAlternate) -> Entrant:
    entrant = Entrant(
        fact.entrant,
        fact.player,
        fact.name,
        fact.paid,
        fact.stack,
        fact.how,
        fact.at,
        fact.bounty,
        fact.re_entry_of,
        state.totals,
    )
    state.entrants[fact.entrant] = entrant
    return entrant


def count_in(state: TournamentState, entrant: Entrant) -> None:
    """The entrant is in: one entry more, with its money and its chips."""
    entrant.status = "in"
    state.left += 1
    state.totals.entries += 1
    state.chips += entrant.stack
    state.received += entrant.paid


def admitted(state: TournamentState, fact: f.AlternateAdmitted) -> None:
    del state.alternates[fact.entrant]
    count_in(state, state.entrants[fact.entrant])


def withdrew(state: TournamentState, fact: f.Withdrew) -> None:
    entrant = state.entrants[fact.entrant]
    if entrant.status == "alternate":
        del state.alternates[entrant.number]
    else:
        leave_seat(state, entrant)
        state.left -= 1
        state.totals.entries -= 1
        state.chips -= fact.chips
        state.received -= entrant.paid
    entrant.status = "withdrawn"
    entrant.stack = entrant.bounty = 0
    entrant.reserved = None
    state.reserved.pop(entrant.number, None)
    if entrant.re_entry_of:
        state.players[entrant.player] = entrant.re_entry_of
    else:
        del state.players[entrant.player]


def identified(state: TournamentState, fact: f.Identified) -> None:
    for entrant in state.entrants.values():
        if entrant.player == fact.was:
            entrant.player = fact.player
    if fact.was in state.players:
        state.players[fact.player] = state.players.pop(fact.was)


def rebought(state: TournamentState, fact: f.Rebought) -> None:
    entrant = state.entrants[fact.entrant]
    entrant.stack = fact.before + fact.chips
    entrant.rebuys += 1
    _paid_more(state, entrant, fact)


def added_on(state: TournamentState, fact: f.AddedOn) -> None:
    entrant = state.entrants[fact.entrant]
    entrant.stack += fact.chips
    entrant.add_ons += 1
    _paid_more(state, entrant, fact)


def _paid_more(state: TournamentState, entrant: Entrant, fact: f.Rebought | f.AddedOn) -> None:
    entrant.paid += fact.paid
    entrant.bounty += fact.bounty
    state.received += fact.paid
    state.chips += fact.chips


def entry_kept(state: TournamentState, fact: f.EntryKept) -> None:
    state.entry_override = fact.is_open
