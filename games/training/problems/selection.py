"""Which turns make a problem: those where players differ and the choices do too, and not so much that anybody
sees it."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from games.engine.facts.base import Fact, redact
from games.engine.rulebook import Rulebook
from games.training.problems.rollouts import RolloutAnswer, answer, is_doubted
from games.training.problems.turns import Turn, turns_of

#: How often each choice is played on; and the quick checks before that: how often, and by how many standard errors the
#: best choice must lead then.
TIMES, _BEFORE = 200, ((16, 1.0), (48, 1.8))
#: In big bets: the best leads by this at least, and by so many of its standard errors.
LEAST_LEAD, SURE = 0.3, 3.0
#: Above this anybody sees it: a hand with nothing is folded, the best possible one is not.
MOST_LEAD, MOST_LOST_BY_NOT_FOLDING = 2.5, 0.8


@dataclass(frozen=True)
class Selected:
    """A turn of the hand of these `facts`, whole, with its answer."""

    facts: Sequence[Fact]
    turn: Turn
    answer: RolloutAnswer


def is_problem(answer: RolloutAnswer, *, sure: float = SURE) -> bool:
    """Whether the best choice is clear by the figures, but not obvious at first sight."""
    most = MOST_LOST_BY_NOT_FOLDING if answer.best == "fold" else MOST_LEAD
    return max(LEAST_LEAD, sure * answer.lead_error) <= answer.lead <= most


def select(
    facts: Sequence[Fact],
    *,
    seats: Collection[int],
    book: Rulebook,
    rng: random.Random,
    rest: Callable[[], None] = lambda: None,
) -> Iterable[Selected | None]:
    """The problems of these seats in a hand that is over, in random order; None for a turn that makes none, so that the
    caller can count turns and stop."""
    turns = [turn for turn in turns_of(facts) if turn.seat in seats]
    for turn in rng.sample(turns, len(turns)):
        seen = [redact(fact, turn.seat) for fact in facts[: turn.upto]]
        ask = partial(answer, seen, turn.seat, book=book, rng=rng, rest=rest)
        is_worth_it = is_doubted(seen, turn.seat, rng=rng) and all(
            is_problem(ask(times=times), sure=sure) for times, sure in _BEFORE
        )
        final_answer = ask(times=TIMES) if is_worth_it else None
        yield Selected(facts, turn, final_answer) if final_answer and is_problem(final_answer) else None
