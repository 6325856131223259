"""The problem of each day is made beforehand, by a task: from a hand of the room where one makes a problem, else from
those that came with the house.

A hand of the room is taken only where everybody who could watch it knows already what the problem shows: it was played
at a table with spectators, and the player whose turn is asked about showed their hand in the end. It is kept as that
player saw it, without names, table or time.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from itertools import islice

from cardroom.core import room_time
from games.engine.facts import play
from games.engine.facts.base import Fact, redact, to_json
from games.rulebooks import RulebookError
from games.tables import journal
from games.tables.models.tables import Hand
from games.training.models import Problem
from games.training.problems import bundled
from games.training.problems.selection import TIMES, Selected, select

_DAY = timedelta(days=1)
#: Tomorrow's is made in this hour, when the room is quiet.
_HOUR = 5
#: How far back hands are searched, in days; how many hands, and how many turns of them, are examined at most.
_DAYS, _HANDS, _TURNS = 7, 60, 12
#: Pause in seconds between two hands played on, so that this process can do its other work.
_REST = 0.02


def make_due(*, now: datetime) -> None:
    """Make the problem for today and, in the early morning, for tomorrow. Each day gets one problem, however often and
    by how many processes this is called."""
    today = room_time.today(now)
    make(today, now=now)
    tomorrow = today + _DAY
    if room_time.local(now).hour == _HOUR and make(tomorrow, now=now):
        # Only the process that made it looks for a better one; nobody sees it until midnight.
        better = from_the_room(tomorrow, now=now)
        if better is not None:
            Problem.objects.filter(day=tomorrow).update(**better)


def make(day: date, *, now: datetime) -> bool:
    """Save one of the bundled problems for a day that has none. Returns whether this call saved it."""
    if Problem.objects.filter(day=day).exists():
        return False
    row = _row(bundled.problem(day.toordinal()), now=now)
    return Problem.objects.get_or_create(day=day, defaults=row)[1]


def from_the_room(day: date, *, now: datetime) -> dict[str, object] | None:
    """The fields of a problem from the newest hands of the room; None where none of them makes one. It takes a minute
    or two."""
    candidates = _candidates(random.Random(day.toordinal()), now=now)
    return next((row for row in islice(candidates, _TURNS) if row is not None), None)


def _candidates(rng: random.Random, *, now: datetime) -> Iterator[dict[str, object] | None]:
    """One value for each turn that is examined: the fields of its problem, or None."""
    hands = Hand.objects.filter(
        ended_at__gte=now - _DAYS * _DAY, has_spectators=True, table__has_spectators=True, table__is_private=False,
        table__is_physical=False, table__structure="fixed-limit",
    )  # fmt: skip
    hands = hands.exclude(pk__in=Problem.objects.exclude(hand=None).values("hand")).order_by("-pk")
    for hand in hands[:_HANDS].iterator():
        # By the commitment to its deck a hand could be found among all others.
        facts = [fact for fact in journal.facts(hand.pk) if not isinstance(fact, play.ShuffleCommitted)]
        shown = {fact.seat for fact in facts if isinstance(fact, play.HandShown)}
        try:
            book = journal.book_of(facts)
        except RulebookError:
            continue
        for selected in select(facts, seats=shown, book=book, rng=rng, rest=lambda: time.sleep(_REST)):
            yield _row(selected, now=now, hand=hand.pk) if selected else None


def _row(selected: Selected, *, now: datetime, hand: int | None = None) -> dict[str, object]:
    turn = selected.turn
    seen = [_as_pair(redact(fact, turn.seat)) for fact in selected.facts]
    return {
        "hand": hand,
        "seat": turn.seat,
        "before": seen[: turn.upto],
        "after": seen[turn.upto :],
        "worths": [vars(worth) for worth in selected.answer.worths],
        "taken": turn.taken,
        "times": TIMES,
        "made_at": now,
    }


def _as_pair(fact: Fact) -> list[object]:
    return [fact.kind, to_json(fact)]
