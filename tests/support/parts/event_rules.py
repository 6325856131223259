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
from tournaments.engine.config import AddOn, BountyTerms, EventConfig, Paid, PayoutTerms, Rebuy
from tournaments.engine.errors import IllegalAction
from tournaments.engine.evolve import APPLY
from tournaments.engine.facts import AddedOn, Busted, Fact, FinalTableDrawn, HandFinished, Rebought
from tournaments.engine.finishing import Finish, Standing
from tournaments.engine.leagues import Formula, Result, Rules
from tournaments.engine.prizes import deals, payouts
from tournaments.engine.prizes.deals import Part
from tournaments.engine.rules import ending
from tournaments.engine.seating import Consolidation, PlannedMove, TableView
from tournaments.engine.tournament import _PLAYS, Tournament
