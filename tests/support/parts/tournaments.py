"""What tests ask for from the rooms of the events."""

# ruff: noqa: F401

from tournaments import demo, tasks
from tournaments.directing import (
    arrivals,
    cancelling,
    chip_races,
    closing,
    confirming,
    event_clock,
    exports,
    hands,
    penalties,
    receipts,
    seat_cards,
    seats,
    sheets,
    starting,
    tournaments,
    undoing,
    waking,
)
from tournaments.events import due, leagues, money, notices, playing, series
from tournaments.events import journal as event_journal
from tournaments.events import queries as event_queries
from tournaments.events import signals as event_signals
from tournaments.events import terms as event_terms
from tournaments.events.entry_rows import COLUMNS
from tournaments.events.hall import Hall
from tournaments.events.journal import Locked
from tournaments.online import play, seating, suggestions
from tournaments.prizes import board, board_parts, deals, payouts, tickets
from tournaments.prizes import models as prize_models
from tournaments.prizes import queries as prize_queries
from tournaments.registration import automatic_rebuys, buying, flights, registration
from tournaments.registration import queries as registration_queries
from tournaments.tasks import pay_prizes
