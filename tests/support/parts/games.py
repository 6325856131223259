"""What tests ask for from the rooms of the cash games."""

# ruff: noqa: F401

from games import rulebooks, tasks
from games.clubs import club_chat, founding, leaderboards, members
from games.clubs import queries as club_queries
from games.dealers import downs
from games.dealers import queries as dealer_queries
from games.dealing import dealer, procedure
from games.dealing.procedure import procedure as procedure_of
from games.floor import cage_window, cash_in, physical, rulings, sections, shifts
from games.floor import queries as floor_queries
from games.notation.phh import PhhError, Recording, loads
from games.notation.phh_replay import ReplayOutcome, replay
from games.notation.phh_writing import dump
from games.notation.scenarios.files import read_path, read_text
from games.notation.scenarios.model import Scenario, ScenarioFault
from games.notation.scenarios.runner import ScenarioResult, play_scenario, run, run_paths
from games.play import (
    clocks,
    cutting,
    event_seats,
    event_tables,
    hands,
    home_games,
    moving,
    opening,
    playtime,
    private,
    proofs,
    receivers,
    seating,
    seats,
    settling,
    shuffling,
    table_chat,
    tables,
    turns,
    verify_deal,
)
from games.play.bots import choosing, house_bots
from games.play.bots.choosing import PERSONALITIES, choose
from games.play.bots.observation import Observation, observe
from games.play.bots.pot_share import share_of_pot
from games.play.bots.strength import strength_of
from games.play.opening import TableStakes
from games.rake import (
    collection,
    comps,
    drop_schedules,
    drops,
    jackpot_chips,
    jackpot_growth,
    jackpot_hits,
    jackpots,
    time_charges,
)
from games.rake import queries as rake_queries
from games.rake.queries import time_at
from games.reports import books as report_books
from games.reports import (
    by_mail,
    cage,
    facts,
    gaming_days,
    reports,
    sheets,
    statement_files,
    statement_lines,
    statements,
    takings,
)
from games.rulebooks import RulebookError, parse, slugs
from games.rulebooks.house.answers import sentence
from games.rulebooks.house.choices import RulePart, questions
from games.rulebooks.queries import load, of_hand
from games.tables import holds, locking, offers, one_statement, stacks
from games.tables import journal as table_journal
from games.tables import signals as table_signals
from games.tables import words as table_words
from games.tables.journal import Receipt
from games.tables.queries import history as history_queries
from games.tables.queries import tables as table_queries
from games.tasks import wake_table
from games.training import practice, situations
from games.training.desk import asking
from games.waitlists import calling, filling, guests, joining, store
from games.waitlists import outages as waitlist_outages
from games.waitlists import reasons as list_reasons
from games.waitlists.wishes import Wishes
