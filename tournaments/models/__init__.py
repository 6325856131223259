"""Events, who entered them and what was paid, as they are stored.

A tournament is its facts from the moment its registration opens. Whatever a row says beside them (state, counts,
places, chips) is a cache, written in the transaction that wrote the facts; the audit proves that the two agree.
"""

from tournaments.models.deals import DealProposal, DealVote
from tournaments.models.entries import Payment, TournamentEntry
from tournaments.models.events import Series, Template, Tournament
from tournaments.models.facts import TournamentFact
from tournaments.models.leagues import League, Season
from tournaments.models.payouts import Payout
from tournaments.models.tickets import Ticket

__all__ = [
    "DealProposal",
    "DealVote",
    "League",
    "Payment",
    "Payout",
    "Season",
    "Series",
    "Template",
    "Ticket",
    "Tournament",
    "TournamentEntry",
    "TournamentFact",
]
