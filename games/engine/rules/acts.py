"""Who has acted in a round."""

from __future__ import annotations

from games.engine.facts import mistakes, play
from games.engine.facts.base import Fact
from games.engine.in_play import HandInPlay


def acts_in_round(hand: HandInPlay) -> list[tuple[Fact, int, bool]]:
    """(what was done, seat, was it their turn) since the round was opened, oldest first. An action out of turn that is
    held counts when it is taken, and again when it is carried out."""
    acts: list[tuple[Fact, int, bool]] = []
    turn = 0
    for _, fact in mistakes.in_force(hand.facts):
        if isinstance(fact, play.RoundOpened):
            acts, turn = [], 0
        elif isinstance(fact, play.ActionOn):
            turn = fact.seat
        elif isinstance(
            fact, play.BringInPosted | play.Checked | play.Called | play.Wagered | play.Folded | mistakes.ActionHeld
        ):
            acts.append((fact, fact.seat, fact.seat == turn))
    return acts


def acts_after_forced_bet(hand: HandInPlay) -> list[tuple[int, bool]]:
    """(seat, was it their turn) for everybody who has acted since the forced bet, or the wager made instead of it, was
    in; where there is no forced bet, since the round was opened."""
    acts = acts_in_round(hand)
    if hand.started.bring_in:
        opened = [place for place, (act, _, _) in enumerate(acts) if isinstance(act, play.BringInPosted | play.Wagered)]
        acts = acts[opened[0] + 1 :] if opened else []
    return [(seat, was_in_turn) for _, seat, was_in_turn in acts]


def has_betting_begun(hand: HandInPlay) -> bool:
    """Whether anybody has acted in turn since the round was opened."""
    return any(was_in_turn for _, _, was_in_turn in acts_in_round(hand))
