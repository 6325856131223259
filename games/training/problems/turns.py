"""The turns of a hand that can be asked about, and the commands that their choices are.

It reads facts alone, redacted or not, and does not know who played, where and when.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from games.engine import commands as c
from games.engine.facts import play
from games.engine.facts.base import Fact

#: A hand of these facts went as it should, from one deck, by choices that its players made themselves.
_PLAIN = (
    play.HandStarted, play.DeckShuffled, play.AntesPosted, play.CardsDealt, play.CardBurned, play.Announced,
    play.CallWeighed, play.RoundOpened, play.ActionOn, play.BringInPosted, play.Checked, play.Called, play.Wagered,
    play.Folded, play.SeatsSkipped, play.BetReturned, play.RoundClosed, play.ShowdownOpened, play.HandTabled,
    play.HandShown, play.HandMucked, play.DropTaken, play.PotAwarded, play.HandEnded, play.Ruled,
)  # fmt: skip
_FEWEST_BETS = 5


@dataclass(frozen=True)
class Turn:
    """A turn of `seat`, which began with fact `upto`, and what was really done there, as the buttons have it."""

    upto: int
    seat: int
    street: int
    taken: str


def turns_of(facts: Sequence[Fact]) -> list[Turn]:
    """The turns with a choice in a hand that is over, where every choice has one size; no turns of a hand with a
    mistake, a time-out or another fact that is not `_PLAIN`."""
    started = facts[0]
    assert isinstance(started, play.HandStarted)
    if started.structure != "fixed-limit" or started.is_hand_dealt or not all(isinstance(f, _PLAIN) for f in facts):
        return []
    stacks, street, turns = dict(started.stacks), 0, []
    for upto, (fact, after) in enumerate(pairwise(facts), 1):
        if isinstance(fact, play.RoundOpened):
            street = fact.street
        if not isinstance(fact, play.ActionOn) or fact.bring_in or fact.is_range or len(fact.sizes) > 1:
            continue
        taken = _choice_taken(after)
        # With a few bets left there is little to choose.
        if taken in choices(fact) and len(choices(fact)) > 1 and stacks[fact.seat] >= _FEWEST_BETS * started.big_bet:
            turns.append(Turn(upto, fact.seat, street, taken))
    return turns


def choices(option: play.ActionOn) -> tuple[str, ...]:
    """What can be done, as the buttons have it; no fold where checking is free."""
    wager = option.verb.removesuffix("-to")
    plain_choices = {
        "fold": option.can_fold and not option.can_check,
        "check": option.can_check,
        "call": option.call > 0,
    }
    return (*(name for name, is_open in plain_choices.items() if is_open), *((wager,) if wager else ()))


def command(option: play.ActionOn, choice: str) -> c.Command:
    """The engine's command for this choice."""
    plain = {"fold": c.Fold, "check": c.Check, "call": c.Call}
    return plain[choice](option.seat) if choice in plain else c.Wager(option.seat, option.sizes[0])


def _choice_taken(fact: Fact) -> str:
    if isinstance(fact, play.Wagered):
        return {"completion": "complete"}.get(fact.verb, fact.verb)
    words: dict[type[Fact], str] = {play.Folded: "fold", play.Checked: "check", play.Called: "call"}
    return words.get(type(fact), "")
