"""The problem of the day: a turn on the table, and once it is answered what each choice is worth."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from cardroom.core.arguments import Limits
from cardroom.core.errors import NotFound
from cardroom.core.models import User
from cardroom.core.sentences import mid_sentence
from cardroom.core.web.api.answers import PlainAnswer
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.forms import PagePost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Context, Page
from cardroom.core.web.resources import Resource, addresses, does, reads
from games.engine.facts.base import Fact, to_json
from games.play.pages.hand_shapes import FactShape
from games.tables import words as table_words
from games.training.models import Problem
from games.training.problems import answering
from games.training.problems.answering import DailyProblem

LABELS = {
    "fold": gettext_lazy("Fold"),
    "check": gettext_lazy("Check"),
    "call": gettext_lazy("Call"),
    "bet": gettext_lazy("Bet"),
    "complete": gettext_lazy("Complete"),
    "raise": gettext_lazy("Raise"),
}
#: What is said of a hand beside its table: the deal and what was done, without the dealer's words.
_UNTOLD = frozenset({"announced", "ruled", "call-weighed", "round-closed"})


@dataclass(frozen=True)
class ProblemChoiceRow:
    """A choice as the page shows it. `value` and `error` in big bets, as text."""

    label: str
    value: str
    error: str
    chosen: int
    is_best: bool
    is_yours: bool
    is_taken: bool


@dataclass(frozen=True)
class StreetStory:
    title: str
    lines: list[str]


def today(request: HttpRequest) -> HttpResponse | Context:
    """The problem of today, or that there is none yet."""
    try:
        return _page(request, None)
    except NotFound:
        return {"earlier": answering.earlier(viewer=request.user, now=timezone.now(), limit=1)}


def of_day(request: HttpRequest, day: str) -> HttpResponse | Context:
    """The problem of a day; the choice of a guest is in the query (`?choice=`)."""
    return _page(request, _day(day))


def _page(request: HttpRequest, day: date | None) -> Context:
    now, is_known = timezone.now(), request.user.is_authenticated
    problem = answering.problem(day=day, viewer=request.user, choice=request.GET.get("choice", ""), now=now)
    solution = problem.solution
    after = solution.facts if solution else []
    before, following = answering.neighbours(problem.day, now=now)
    return {
        "problem": problem,
        "street": mid_sentence(table_words.STREETS[problem.street]),
        "choices": [(action, LABELS[action]) for action in problem.actions],
        "solution": solution,
        "rows": _rows(problem),
        "best": solution and LABELS[solution.best].lower(),
        "chosen": solution and LABELS[solution.choice].lower(),
        "parts": _parts(problem.facts, problem.seat),
        "went_on": _parts(after, problem.seat, gettext("After that")),
        "data": _player_data(problem, [*problem.facts, *after]),
        "before": before,
        "following": following,
        "record": answering.record(request.user) if is_known else None,
    }


def _rows(problem: DailyProblem) -> list[ProblemChoiceRow]:
    solution = problem.solution
    if solution is None:
        return []
    return [
        ProblemChoiceRow(
            str(LABELS[choice.action]),
            f"{choice.value:+.2f}".replace("-", "−") if choice.error or choice.value else "0",
            f"{choice.error:.2f}" if choice.error else "",
            choice.chosen,
            choice.action == solution.best,
            choice.action == solution.choice,
            choice.action == solution.taken,
        )
        for choice in solution.choices
    ]


def _parts(facts: list[Fact], seat: int, title: str = "") -> list[StreetStory]:
    """What happened, street by street, in sentences."""
    parts = [StreetStory(title or gettext("Before the deal"), [])]
    for fact in facts:
        heading = table_words.heading(fact)
        if heading and heading != parts[-1].title:
            parts.append(StreetStory(heading, []))
        text = "" if fact.kind in _UNTOLD else table_words.sentence(fact, _name(seat))
        if text:
            parts[-1].lines.append(text)
    return [part for part in parts if part.lines]


def _name(own: int) -> Callable[[int], str]:
    return lambda seat: (gettext("Seat {seat} (you)") if seat == own else gettext("Seat {seat}")).format(seat=seat)


def _player_data(problem: DailyProblem, facts: list[Fact]) -> dict[str, Any]:
    """The data from which the page plays the hand, like that of a finished hand."""
    seats = problem.started.order
    named = {seat: gettext("You") if seat == problem.seat else _name(0)(seat) for seat in sorted(seats)}
    return {
        "seatCount": max(4, *seats), "you": problem.seat, "actions": problem.actions,
        "upto": len(problem.facts), "facts": _numbered_facts(facts),
        "seats": [{"number": seat, "name": name} for seat, name in named.items()],
    }  # fmt: skip


def _numbered_facts(facts: list[Fact]) -> list[tuple[int, str, dict[str, Any]]]:
    return [(seq, fact.kind, to_json(fact)) for seq, fact in enumerate(facts, 1)]


def _day(text: str) -> date | None:
    if text == "today":
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or str(day) != text:
        raise NotFound("no-such-problem", "There is no problem of this day.")
    return day


class ProblemChoice(Shape):
    """A choice, and what it is worth."""

    of = answering.ChoiceRow
    field_names = "action value error chosen"
    help_texts = {
        "value": "In big bets from here on, by hands played on; folding is 0.",
        "error": "The standard error of that.",
        "chosen": "By so many people.",
    }


class ProblemSolution(Shape):
    """The solution, shown once an answer is given."""

    of = answering.Solution
    field_names = "choice best is_right taken answered times choices facts"
    help_texts = {
        "choice": "Your answer.",
        "taken": "What was done in the hand.",
        "answered": "By so many people; guests are not counted.",
        "times": "How often each choice was played on.",
    }
    choices = ProblemChoice(many=True, help_text="The best first.")
    facts = FactShape(many=True, help_text="How the hand went on, as its player may see it.")


class ProblemView(Shape):
    """A hand as one of its players saw it, up to their turn."""

    of = DailyProblem
    field_names = "day game stakes street seat actions facts solution"
    help_texts = {"seat": "The player's.", "actions": "What they may do."}
    facts = FactShape(many=True, help_text="Up to their turn; null for a card that they may not see.")
    solution = ProblemSolution(allow_null=True, help_text="Once you have answered.")


class ProblemRow(Shape):
    of = Problem
    field_names = "day"
    is_right = serializers.BooleanField(allow_null=True, help_text="Your answer; null where you gave none.")


class ProblemRecord(Shape):
    of = answering.Record
    field_names = "answered right in_a_row"
    help_texts = {"in_a_row": "Right without a wrong one in between, up to the newest."}


GuestChoice = Annotated[
    str, Limits(max_length=20, help_text="Of a guest, who gets the solution without its being kept.")
]


def _problem_data(problem: DailyProblem) -> dict[str, Any]:
    """The problem as `ProblemView` describes it."""
    fields = ("day", "game", "stakes", "street", "seat", "actions")
    solution, view = problem.solution, {name: getattr(problem, name) for name in fields}
    view |= {"facts": _facts(problem.facts), "solution": None}
    if solution is not None:
        view["solution"] = vars(solution) | {
            "facts": _facts(solution.facts, after=len(problem.facts)),
            "is_right": solution.is_right,
            "choices": [vars(choice) for choice in solution.choices],
        }
    return view


def _facts(facts: list[Fact], after: int = 0) -> list[dict[str, Any]]:
    return [{"seq": seq, "kind": fact.kind, "data": to_json(fact)} for seq, fact in enumerate(facts, after + 1)]


def problem(*, day: str, choice: GuestChoice = "", by: Any) -> DailyProblem:
    """The problem of a day, such as 2030-01-05, or today."""
    return answering.problem(day=_day(day), viewer=by, choice=choice, now=timezone.now())


def earlier(*, before: int | None, limit: int, by: Any) -> list[Problem]:
    """The problems up to today, the newest first."""
    return answering.earlier(viewer=by, now=timezone.now(), before=before, limit=limit)


def record(*, by: User) -> answering.Record:
    """Your answers to the problems, counted."""
    return answering.record(by)


def answer(*, day: str, action: answering.Action, by: User) -> DailyProblem:
    """Answer the problem of a day, such as 2030-01-05, or today."""
    return answering.answer(day=_day(day), action=action, by=by)


_TEMPLATE = "games/training/problem.html"
TODAY = Page("learn/problem/", "problem_today", today, is_public=True, template=_TEMPLATE)
PROBLEM = Page("learn/problem/<slug:day>/", "problem", of_day, is_public=True, template=_TEMPLATE, says_refusals=True)
_PROBLEM = PlainAnswer(ProblemView, _problem_data)


class AnswerProblemForm(PagePost):
    page, does = PROBLEM, answer

    def done(self, request: HttpRequest, result: DailyProblem) -> HttpResponse:
        return redirect("problem", str(result.day))


class OfProblems(Resource):
    tags = ("problems",)


class Problems(OfProblems):
    path = "problems"
    get = reads(
        earlier,
        name="problems",
        summary="List the problems of the day",
        description="Up to today, newest first.",
        answers=ProblemRow,
        is_public=True,
    )


class OneProblem(OfProblems):
    path = "problems/<slug:day>"
    get = reads(
        problem,
        name="problem",
        summary="The problem of a day",
        description="A day such as 2030-01-05, or today.",
        answers=_PROBLEM,
        is_public=True,
    )


class OwnProblems(OfProblems):
    path = "me/problems"
    get = reads(record, name="problem_record", summary="Your answers to the problems", answers=ProblemRecord)


class AnswerProblem(OfProblems):
    path = "problems/<slug:day>/answer"
    post = does(
        answer,
        name="answer_problem",
        summary="Answer the problem of a day",
        description="Once; the same answer again gets the same.",
        answers=_PROBLEM,
        refuses=(409,),
    )


api = addresses([Problems, OneProblem, OwnProblems, AnswerProblem])
urlpatterns = page_urls([TODAY, PROBLEM], forms=[AnswerProblemForm])
