"""Practice of rulings, where staff learns: on its pages and for programs."""

import secrets
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render

from cardroom.core.arguments import RowId
from cardroom.core.models import User
from cardroom.core.web.api.fields import RequestBody, Text, WholeNumber
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.forms import PlainPost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Page
from cardroom.core.web.resources import Resource, addresses, does, reads
from games.engine.games import GAMES as FAMILY
from games.rulebooks import queries as rulebook_queries
from games.rulebooks.queries import load as rulebook
from games.tables.queries.offers import game_name
from games.training import practice
from games.training.desk import asking
from games.training.models import PracticeSession
from games.training.pages.rulings import DeskRuling, LittleTable

#: Parts point and verdict in what a form sends.
_BAR = "|"


class Practice(Shape):
    of = PracticeSession
    field_names = "id rulebook game setting rate seed started_at"


class PracticeChoice(Shape):
    """A ruling to be picked; empty words: nothing is wrong."""

    of = practice.RulingChoice
    field_names = "key verdict label"


class PracticeSituation(Shape):
    """What waits for a ruling."""

    of = practice.PracticeQuestion
    field_names = "session number told=story deed table choices"
    help_texts = {"deed": "What is to be ruled on."}
    table = LittleTable(help_text="As it lies when it is to be ruled on.")
    choices = PracticeChoice(many=True)


class PickedRuling(RequestBody):
    """A ruling picked; empty words: nothing is wrong."""

    key = Text(allow_blank=True, max_length=40)
    verdict = Text(allow_blank=True, max_length=40)


class PracticeAnswerOrder(RequestBody):
    """The rulings picked."""

    number = WholeNumber(min_value=1, max_value=2**31 - 1)
    rulings = PickedRuling(many=True, help_text="Every ruling that has to be made, in any order.")

    @classmethod
    def told_by(cls, form: Mapping[str, str]) -> dict[str, Any]:
        """The page sends a box for each ruling: point and verdict in one value."""
        picked = form.getlist("choice") if isinstance(form, QueryDict) else []
        parts = [choice.partition(_BAR) for choice in picked if _BAR in choice]
        return super().told_by(form) | {"rulings": [{"key": key, "verdict": verdict} for key, _, verdict in parts]}


class PracticeResult(Shape):
    """What the engine rules."""

    of = practice.PracticeOutcome
    field_names = "session number is_right picked told=story deed rulings remedy next table"
    picked = PracticeChoice(many=True)
    rulings = DeskRuling(many=True)
    table = LittleTable()


class PracticeResultRow(Shape):
    of = practice.PointResult
    field_names = "key label asked=questions right"
    help_texts = {"key": "Empty: situations in which nothing was wrong."}


class PracticeResults(Shape):
    of = practice.Results
    field_names = "asked=questions right rows"
    rows = PracticeResultRow(many=True)


def begin(request: HttpRequest) -> HttpResponse:
    """The results of the user so far, and the form that begins a session."""
    context = {
        "books": rulebook_queries.choices(),
        "rulebook": request.GET.get("rulebook", asking.DEFAULT_BOOK),
        "games": [(slug, game_name(slug)) for slug in FAMILY],
        "results": practice.results(user=request.user),
        "key": secrets.token_hex(12),
    }
    return render(request, "games/training/practice.html", context)


def session(request: HttpRequest, session_id: int) -> HttpResponse:
    """The situation that waits to be ruled on."""
    situation = practice.question(session_id=session_id, user=request.user)
    choices = [(f"{choice.key}{_BAR}{choice.verdict}", choice.label) for choice in situation.choices]
    return _session(request, session_id, {"situation": situation, "choices": choices})


def _session(request: HttpRequest, session_id: int, context: dict[str, Any]) -> HttpResponse:
    own_session = practice.session(session_id=session_id, user=request.user)
    book = {"book_title": rulebook(own_session.rulebook).title, "book": own_session.rulebook}
    return render(request, "games/training/practice_session.html", {"session": own_session, **book, **context})


def answer(*, session_id: RowId, number: int, rulings: list[dict[str, str]], by: User) -> practice.PracticeOutcome:
    """Rule on the situation that waits."""
    picks = [(pick["key"], pick["verdict"]) for pick in rulings]
    return practice.answer(session_id=session_id, number=number, rulings=picks, by=by)


BEGIN = Page("practice/", "practice", begin)
SESSION = Page("practice/<int:session_id>/", "practice_session", session)


class BeginForm(PlainPost):
    page, does = BEGIN, practice.start

    def done(self, request: HttpRequest, result: PracticeSession) -> HttpResponse:
        return redirect("practice_session", result.pk)


class AnswerSituationForm(PlainPost):
    page, does = SESSION, answer

    def arguments(self, form: QueryDict, address: dict[str, Any]) -> dict[str, Any]:
        """Read the ticked boxes as rulings, which the signature alone cannot describe."""
        return PracticeAnswerOrder.typed(form) | address

    def done(self, request: HttpRequest, result: practice.PracticeOutcome) -> HttpResponse:
        """What the engine rules on it."""
        return _session(request, result.session, {"situation": result, "answer": result})


def own_results(*, by: User) -> practice.Results:
    """Your results, point by point."""
    return practice.results(user=by)


def situation(*, session_id: int, by: User) -> practice.PracticeQuestion:
    """The situation that you have to rule on."""
    return practice.question(session_id=session_id, user=by)


class OfPractice(Resource):
    tags = ("practice",)


class Sessions(OfPractice):
    path = "practice"
    post = does(practice.start, name="start_practice", summary="Start a practice session", answers=Practice, status=201)


class OwnResults(OfPractice):
    path = "practice/results"
    get = reads(own_results, name="practice_results", summary="Your results by point", answers=PracticeResults)


class OneSession(OfPractice):
    path = "practice/<id:session_id>"
    get = reads(situation, name="situation", summary="The current situation", answers=PracticeSituation)


class AnswerSituation(OfPractice):
    path = "practice/<id:session_id>/answer"
    post = does(
        answer,
        name="answer_practice",
        summary="Submit a ruling",
        body=PracticeAnswerOrder,
        answers=PracticeResult,
        refuses=(409,),
    )


api = addresses([Sessions, OwnResults, OneSession, AnswerSituation])
urlpatterns = page_urls([BEGIN, SESSION], forms=[BeginForm, AnswerSituationForm])
