"""The problem of each day as people see it, and their answers: one for each person; answers of guests are not kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from itertools import takewhile
from typing import Annotated, Any

from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.db.models import Count, OuterRef, Subquery

from cardroom.core import access, room_time
from cardroom.core.arguments import Limits, internal, not_kept
from cardroom.core.errors import Conflict, Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.verb import current_time, verb
from games.engine.facts import play
from games.engine.facts.base import Fact, from_json
from games.engine.hand import Hand
from games.training.models import Problem, ProblemAnswer
from games.training.problems.turns import choices

Viewer = User | AnonymousUser | None
Action = Annotated[str, Limits(max_length=20, help_text="One of its `actions`.")]


@dataclass(frozen=True)
class ChoiceRow:
    """A choice. `value` and its standard `error` in big bets; `chosen`: how many people chose it."""

    action: str
    value: float
    error: float
    chosen: int


@dataclass(frozen=True)
class Solution:
    """The solution, shown once an answer is given. `choice`: the answer given; `taken`: what was done in the hand;
    `facts`: how the hand went on."""

    choice: str
    best: str
    taken: str
    choices: list[ChoiceRow]
    answered: int
    times: int
    facts: list[Fact]

    @property
    def is_right(self) -> bool:
        return self.choice == self.best


@dataclass(frozen=True)
class DailyProblem:
    """The problem of a day: a hand as the player in `seat` saw it, up to their turn, and what they may do there."""

    day: date
    seat: int
    facts: list[Fact]
    actions: list[str]
    solution: Solution | None

    @property
    def started(self) -> play.HandStarted:
        fact = self.facts[0]
        assert isinstance(fact, play.HandStarted)
        return fact

    @property
    def game(self) -> str:
        return self.started.game

    @property
    def stakes(self) -> str:
        return f"{self.started.small_bet:,}/{self.started.big_bet:,}"

    @property
    def street(self) -> int:
        return Hand.replay(self.facts).street


@dataclass(frozen=True)
class Record:
    """The answers of one person: how many in all, how many right, and how many right in a row up to the newest."""

    answered: int
    right: int
    in_a_row: int


def problem(*, day: date | None, viewer: Viewer, choice: str = "", now: datetime) -> DailyProblem:
    """The problem of a day (None: of today), with its solution for a viewer who has answered it. A guest who names
    their `choice` gets it too, and nothing is kept.

    Refuses: `NotFound` (no problem of that day, or it is still to come), `Invalid` (a choice that there is not).
    """
    return _problem_for(_row(day, now=now), viewer, choice)


@verb("problems.answer")
def answer(*, day: Annotated[date | None, internal], action: Action, by: User) -> Annotated[DailyProblem, not_kept]:
    """Answer the problem of a day (None: of today); returns it with its solution. The same answer again changes
    nothing.

    Refuses: `NotFound`, `Invalid` (a choice that there is not), `Conflict` (another answer was given before).
    """
    now = current_time()
    row, by = _row(day, now=now), access.require_login(by)
    _check(row, action)
    earlier = row.answers.filter(user=by).first()
    if earlier is None:
        try:
            with transaction.atomic():
                earlier = ProblemAnswer.objects.create(
                    problem=row, user=by, action=action, is_right=action == row.best, at=now
                )
        except IntegrityError:
            earlier = row.answers.get(user=by)
    if earlier.action != action:
        raise Conflict("already-answered", "You have already answered this problem.")
    return _problem_for(row, by, "")


def record(user: User) -> Record:
    """The record of a user's answers. One query."""
    own_answers = ProblemAnswer.objects.filter(user=user).order_by("-problem__day")
    newest_first = list(own_answers.values_list("is_right", flat=True))
    in_a_row = sum(1 for _ in takewhile(bool, newest_first))
    return Record(len(newest_first), sum(newest_first), in_a_row)


def earlier(*, viewer: Viewer, now: datetime, before: int | None = None, limit: int) -> list[Problem]:
    """The problems up to today, the newest first, each with `is_right`: whether the viewer's answer is, None where they
    gave none. `before`: only rows with a smaller number."""
    by = viewer.pk if viewer is not None and viewer.is_authenticated else None
    own_answers = ProblemAnswer.objects.filter(problem=OuterRef("pk"), user=by)
    rows = Problem.objects.filter(day__lte=room_time.today(now)).order_by("-pk").defer("before", "after")
    rows = rows.annotate(is_right=Subquery(own_answers.values("is_right")[:1]))
    return list((rows.filter(pk__lt=before) if before is not None else rows)[:limit])


def neighbours(day: date, *, now: datetime) -> tuple[date | None, date | None]:
    """The days with a problem before this one and after it, up to today. Two queries."""
    days = Problem.objects.filter(day__lte=room_time.today(now)).values_list("day", flat=True)
    return days.filter(day__lt=day).order_by("-day").first(), days.filter(day__gt=day).order_by("day").first()


def _row(day: date | None, *, now: datetime) -> Problem:
    today = room_time.today(now)
    row = Problem.objects.filter(day=day or today, day__lte=today).first()
    if row is None:
        raise NotFound("no-such-problem", "There is no problem of this day.")
    return row


def _problem_for(row: Problem, viewer: Viewer, choice: str) -> DailyProblem:
    if viewer is not None and viewer.is_authenticated:
        choice = row.answers.filter(user=viewer.pk).values_list("action", flat=True).first() or ""
    elif choice:
        _check(row, choice)
    facts = _facts(row.before)
    solution = _solution(row, choice) if choice else None
    return DailyProblem(row.day, row.seat, facts, _actions(facts), solution)


def _solution(row: Problem, choice: str) -> Solution:
    counts: Mapping[str, int] = dict(row.answers.order_by().values_list("action").annotate(Count("pk")))
    rows = [ChoiceRow(**worth, chosen=counts.get(worth["action"], 0)) for worth in row.worths]
    return Solution(choice, row.best, row.taken, rows, sum(counts.values()), row.times, _facts(row.after))


def _check(row: Problem, action: str) -> None:
    if action not in _actions(_facts(row.before)):
        raise Invalid("no-such-choice", "This is not among the choices.", field="action")


def _actions(facts: list[Fact]) -> list[str]:
    option = facts[-1]
    assert isinstance(option, play.ActionOn)
    return list(choices(option))


def _facts(stored: list[Any]) -> list[Fact]:
    return [from_json(kind, data) for kind, data in stored]
