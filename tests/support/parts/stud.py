"""What tests ask for from the engine of a hand."""

# ruff: noqa: F401

from games.engine import commands as c
from games.engine import drop, in_play, ranking
from games.engine.cards import DECK, low_key, parse_cards
from games.engine.commands import BringIn, Call, Check, Command, Deal, Fold, Given, Wager
from games.engine.drop import ROUNDINGS, DropTerms
from games.engine.errors import IllegalAction
from games.engine.facts import base, mistakes, play
from games.engine.facts.base import AUDITOR, KINDS, RAIL, Fact, Sees, from_json, redact
from games.engine.facts.mistakes import CardsPutRight, HandVoided
from games.engine.facts.play import (
    Announced,
    BetReturned,
    CallWeighed,
    CardsDealt,
    DropTaken,
    HandMucked,
    HandShown,
    HandTabled,
    PotAwarded,
    Ruled,
    ShowdownOpened,
    Wagered,
)
from games.engine.hand import Hand
from games.engine.ranking import Category, category_of, ranks_in, value_of
from games.engine.rulebook import BY_ANALOGY, Rulebook
from games.engine.rules import bad_beats
from games.engine.rules.bad_beats import JackpotTerms, Qualifying, shared_out
from games.engine.rules.choices import may_declare
from games.engine.rules.put_right import street_mistakes
from games.engine.rules.showdown import lacks_only_last, must_table_all
from games.engine.rules.stub import cards_left, receivers
from games.engine.seat import SeatState
from games.engine.stakes import HandConfig, Stakes
from games.engine.state import HandState
