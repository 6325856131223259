"""What tests ask for from the rooms of the cash games."""

# ruff: noqa: F401

from games import rulebooks, tasks
from games.dealers import downs
from games.dealers import queries as dealer_queries
from games.dealing import dealer
from games.dealing import procedure as selectors
from games.floor import cage_window, physical, rulings, sections, shifts
from games.floor import queries as floor_queries
from games.notation.phh import Outcome, PhhError, Recording, loads, replay
from games.notation.phh_dump import dump
from games.notation.scenarios.files import read_path, read_text
from games.notation.scenarios.model import Fault, Scenario
from games.notation.scenarios.runner import Result, played, run, run_paths
from games.play import (
    clocks,
    counting,
    dealing,
    event_seats,
    event_tables,
    hands,
    moving,
    opening,
    pacing,
    playtime,
    private,
    seating,
    seats,
    tables,
    waking,
)
from games.play.bots import choosing, house_bots, personalities
from games.play.bots.choosing import choose
from games.play.bots.equity import share_of_pot
from games.play.bots.observation import Observation, observe, strength_of
from games.play.bots.personalities import PERSONALITIES
from games.play.opening import Stakes
from games.rake import collection, comps, drops, jackpots, time_charges
from games.rake import queries as rake_queries
from games.rake.queries import time_at
from games.reports import books as report_books
from games.reports import days, facts, reports, sheets, statements
from games.rulebooks import RulebookError, parse, slugs
from games.rulebooks.house.answers import sentence
from games.rulebooks.house.choices import Part, questions
from games.rulebooks.queries import load, of_hand
from games.tables import holds, lineup, locking, offers, stacks
from games.tables import journal as table_journal
from games.tables import signals as table_signals
from games.tables import words as table_words
from games.tables.journal import Receipt
from games.tables.queries import hands as hand_queries
from games.tables.queries import history as history_queries
from games.tables.queries import tables as table_queries
from games.tasks import wake_table
from games.training import drills, practice
from games.training.desk import asking
from games.waitlists import calling, filling, joining, store
from games.waitlists import outages as waitlist_outages
