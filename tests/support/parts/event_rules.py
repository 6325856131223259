"""What tests ask for from the engine of an event."""

# ruff: noqa: F401

from tournaments.engine import (
    balancing,
    breaking,
    chip_race,
    customs,
    drawing,
    finishing,
    leagues,
    preview,
    seating,
    wizard,
)
from tournaments.engine import clock as clocks
from tournaments.engine import commands as c
from tournaments.engine import config as terms
from tournaments.engine import facts as f
from tournaments.engine.clock import Clock, Level, Reading, Running, Stopped, Structure, can_build, check
from tournaments.engine.commands import (
    Bust,
    Chips,
    ClockOn,
    CloseFlight,
    Count,
    GoTo,
    HandForHand,
    KeepEntryOpen,
    NextLevel,
    Pause,
    Resume,
)
from tournaments.engine.config import AddOnTerms, BountyTerms, EventConfig, Paid, PayoutTerms, RebuyTerms
from tournaments.engine.errors import IllegalCommand
from tournaments.engine.evolve import APPLY
from tournaments.engine.facts import AddedOn, Busted, EventFact, FinalTableDrawn, HandFinished, Rebought
from tournaments.engine.finishing import EntrantStanding, FinishedPlace
from tournaments.engine.leagues import EventResult, Formula, LeagueRules
from tournaments.engine.prizes import bounties, deals, payouts
from tournaments.engine.prizes.bounties import BountyPart
from tournaments.engine.rules import ending
from tournaments.engine.seating import Consolidation, PlannedMove, TableView
from tournaments.engine.tournament import _PLAYS, EventEngine
