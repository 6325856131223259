"""The list of the room's rulings, and the ruling desk, which anybody may ask.

The desk works without scripts: what happened and all answers are in the address, so that it can be shared, and every
change of the form is a page of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from django.core.validators import RegexValidator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.core import room_time
from cardroom.core.errors import Invalid
from cardroom.core.models import User
from cardroom.core.web.api import routes
from cardroom.core.web.api.fields import Number, Query, RequestBody, Text
from cardroom.core.web.api.routes import resource
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.resources import Resource, addresses, does, reads
from games.rulebooks import queries as rulebook_queries
from games.tables.queries import history as hand_queries
from games.training.desk import answers as desk_answers
from games.training.desk import asking, asks


class DateOrMoment(serializers.CharField):
    """A date or a moment, as text; `_moment` reads it."""

    def __init__(self, **options: Any) -> None:
        pattern = r"^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2}))?$"
        super().__init__(**{"validators": [RegexValidator(pattern)], **options})


class RulingQuery(Query):
    """Which rulings to list."""

    key = serializers.CharField(
        required=False, validators=[RegexValidator("^[a-z_]{1,40}$")], help_text="A rulebook point: burn_error."
    )
    table = Number(required=False)
    cursor = Number(required=False)
    limit = Number(required=False)

    def get_fields(self) -> dict[str, Any]:
        """`from` is a keyword of Python, so it cannot be declared as an attribute."""
        moment = "A date, or a moment with its time zone: 2030-01-05 or 2030-01-05T20:00:00Z."
        return super().get_fields() | {
            "from": DateOrMoment(required=False, source="since", help_text=moment),
            "to": DateOrMoment(required=False, source="until", help_text=f"{moment} A date counts whole."),
        }


class RoomRuling(Shape):
    """A ruling."""

    of = hand_queries.RulingRow
    field_names = "id hand number table table_name seq at key verdict seats words rule citation rulebook is_reversed"
    help_texts = {
        "number": "Of the hand at its table.",
        "key": "The rulebook point.",
        "rule": "Where the book says so.",
        "citation": "Book and rule, for people.",
        "is_reversed": "The entry behind it was a mistake and was taken back.",
    }


def _rulings(
    by: Any,
    *,
    before: int | None,
    limit: int,
    key: str = "",
    table: int | None = None,
    since: str = "",
    until: str = "",
) -> list[hand_queries.RulingRow]:
    return hand_queries.rulings(
        key=key,
        table=table,
        since=_moment(since, "from", is_end=False),
        until=_moment(until, "to", is_end=True),
        before=before,
        limit=limit,
    )


def _moment(text: str, name: str, *, is_end: bool) -> datetime | None:
    """The moment in `text`; of a date its beginning in the room's zone, or (`is_end`) that of the next day."""
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
        if len(text) > len("2030-01-05"):
            return moment
        return room_time.midnight(moment.date() + timedelta(days=1 if is_end else 0))
    except (ValueError, OverflowError):
        raise Invalid(
            f"bad-{name}", "{name} is a date or a moment: 2030-01-05 or 2030-01-05T20:00:00Z.", name=name
        ) from None


class BookTitle(serializers.Serializer[Any]):
    slug = serializers.CharField()
    title = serializers.CharField()


class AskOption(serializers.Serializer[Any]):
    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]


class DeskAsk(Shape):
    """One thing the desk wants to know."""

    of = asks.Ask
    field_names = "name label kind options least most default only_if"
    help_texts = {"kind": "choice, number or flag"}
    label = serializers.CharField()  # type: ignore[assignment]
    options = AskOption(many=True, help_text="Of a choice.")
    least = serializers.IntegerField(allow_null=True, help_text="Of a number.")
    most = serializers.IntegerField(allow_null=True)
    default = serializers.JSONField()
    only_if = serializers.DictField(help_text="Asked only where these other answers are among the values.")


class DeskQuestion(serializers.Serializer[Any]):
    slug = serializers.CharField()
    group = serializers.CharField()
    title = serializers.CharField()
    keys = serializers.ListField(child=serializers.CharField(), help_text="The rulebook points it is ruled by.")
    asks = DeskAsk(many=True)


class Catalogue(serializers.Serializer[Any]):
    """Everything that can be asked at the desk."""

    rulebooks = BookTitle(many=True)
    questions = DeskQuestion(many=True)


class DeskQuery(Query):
    rulebook = serializers.CharField(required=False, max_length=80, help_text="roberts-v4, if nothing is said.")


class DeskOrder(RequestBody):
    """What happened."""

    what = Text(max_length=40, help_text="The slug of a question.")
    rulebook = Text(required=False, max_length=80, help_text="roberts-v4, if nothing is said.")
    answers = serializers.DictField(
        required=False, help_text="By the names of its asks; what is missing has its default."
    )


class DeskRuling(Shape):
    of = desk_answers.DeskRulingRow
    field_names = "key verdict seats words rule citation is_silent follows"
    help_texts = {"is_silent": "The book says nothing, and plays the rule of another."}


class BookPoint(Shape):
    """What the book says on a point of the question."""

    of = desk_answers.PointRow
    field_names = "key text citation is_silent follows"


class Refused(Shape):
    """The rules do not let this happen."""

    of = desk_answers.RefusedCommand
    field_names = "message rule code"


class LittleSeat(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    stack = serializers.IntegerField()
    bet = serializers.IntegerField()
    is_live = serializers.BooleanField()
    is_absent = serializers.BooleanField()
    is_all_in = serializers.BooleanField()
    cards = serializers.ListField(help_text="[card or null, is it up] in the order dealt.")
    upcards = serializers.ListField(child=serializers.CharField())


class LittleTable(serializers.Serializer[Any]):
    """A hand as the rail sees it."""

    street = serializers.IntegerField()
    pot = serializers.IntegerField()
    to_act = serializers.IntegerField(help_text="0: nobody.")
    dealer = serializers.IntegerField()
    common = serializers.ListField(child=serializers.CharField())
    is_over = serializers.BooleanField()
    seats = LittleSeat(many=True)


class DeskAnswer(Shape):
    """What the engine makes of it."""

    of = desk_answers.Answer
    field_names = "what answers told=story deed rulings finding remedy next refused before table points"
    help_texts = {
        "told": "How the little hand went.",
        "deed": "What happened then.",
        "finding": "What a rule of play comes to: nothing to rule on.",
        "remedy": "What the rulings come to.",
        "next": "What correct procedure wants then.",
    }
    answers = serializers.DictField(help_text="As they were understood, defaults included.")
    rulings = DeskRuling(many=True, help_text="Cause first.")
    refused = Refused(allow_null=True)
    before = LittleTable(allow_null=True, help_text="What is to be ruled on; null where no hand begins.")
    table = LittleTable(allow_null=True, help_text="In the end.")
    points = BookPoint(many=True)


#: The most options that are shown side by side; more go into a list.
_FEW = 4


@dataclass(frozen=True)
class FieldChoice:
    value: str
    label: str
    is_chosen: bool


@dataclass(frozen=True)
class DeskField:
    """One detail as the form asks for it. `value` is the answer, or the default until there is one."""

    name: str
    label: str
    kind: str
    value: Any
    options: list[FieldChoice]
    least: int | None
    most: int | None

    @property
    def is_short(self) -> bool:
        return len(self.options) <= _FEW


@require_safe
@vary_on_headers("HX-Request")
def page(request: HttpRequest) -> HttpResponse:
    """The list of questions; or, with `?what=` and the answers in the query, the ruling."""
    given = request.GET.dict()
    if any("\0" in value for value in given.values()):
        raise Invalid("bad-address", "There is a character in this address that cannot be.")
    given.pop("seed", None)  # the address says what happened, not which cards happen to lie there
    what, book = given.pop("what", ""), given.pop("rulebook", "")
    if not what:
        in_groups = groupby(asking.QUESTIONS, key=lambda question: question.group)
        groups = [{"title": str(title), "questions": list(questions)} for title, questions in in_groups]
        return render(request, "games/training/desk.html", {"groups": groups, "rulebook": book})
    context: dict[str, Any] = {"question": asking.question(what), "wrong_field": ""}
    status = 200
    try:
        answer = asking.answer(what=what, rulebook=book or asking.DEFAULT_BOOK, **given)
        context |= {"answer": answer, "book": book or asking.DEFAULT_BOOK}
        answers: Mapping[str, Any] = answer.answers
    except Invalid as error:
        status = error.status
        context |= {"refusal": error, "wrong_field": error.values.get("field", "")}
        answers = _readable(what, given)
    context["asks"] = [_books(book), *(_field(ask, answers) for ask in asking.asks_of(what) if ask.name in answers)]
    is_part = request.htmx and not request.htmx.history_restore_request
    return render(
        request, "games/training/_desk.html" if is_part else "games/training/desk.html", context, status=status
    )


def _readable(what: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The answers, with the default in place of each that makes no sense."""
    answers: dict[str, Any] = {}
    for ask in asking.asks_of(what):
        if ask.is_asked(answers):
            try:
                answers = asking.read_answers(what, {**answers, ask.name: given.get(ask.name)})
            except Invalid:
                answers[ask.name] = ask.default
    return answers


def _books(chosen: str) -> DeskField:
    chosen = chosen or asking.DEFAULT_BOOK
    options = [FieldChoice(slug, title, slug == chosen) for slug, title in rulebook_queries.choices()]
    return DeskField("rulebook", gettext("Rulebook"), "choice", chosen, options, None, None)


def _field(ask: asks.Ask, answers: Mapping[str, Any]) -> DeskField:
    value = answers[ask.name]
    options = [FieldChoice(option, str(label), option == value) for option, label in ask.options]
    least, most = (ask.least, ask.most) if ask.kind == "number" else (None, None)
    return DeskField(ask.name, str(ask.label), ask.kind, value, options, least, most)


def _ask(*, by: User, what: str, rulebook: str = asking.DEFAULT_BOOK, answers: Mapping[str, Any] | None = None) -> Any:
    # Without names that are the desk's own.
    given = {name: value for name, value in (answers or {}).items() if name not in ("what", "rulebook", "seed")}
    answer = asking.answer(what=what, rulebook=rulebook, **given)
    fields = {name: getattr(answer, name) for name in answer.__dataclass_fields__}
    return fields | {"before": answer.before or None, "table": answer.table or None}


class DeskAnswerView(APIView):
    """A ruling with an address of its own, to be saved and shared."""

    tags = ("desk",)
    is_public = True
    description = "A ruling of the desk"

    @extend_schema(
        operation_id="desk_answer",
        summary=description,
        description="The answers stand after the `?`, by the names of the asks; what is missing has its default.",
        parameters=[DeskQuery],
        responses=DeskAnswer,
    )
    def get(self, request: Request, what: str) -> Response:
        given: dict[str, Any] = request.query_params.dict()
        book = DeskQuery.read(request)
        given.pop("rulebook", None)
        routes.note_parameters(request, *given)  # the desk itself refuses what it does not ask for
        return Response(DeskAnswer(_ask(by=request.user, what=what, answers=given, **book)).data)


def catalogue(*, by: Any) -> Any:
    """The questions that the desk answers."""
    return asking.catalogue()


class RoomRulings(Resource):
    path, tags = "rulings", ("rulings",)
    get = reads(
        _rulings,
        name="rulings",
        summary="List rulings",
        description="Every ruling at every table, newest first.",
        query=RulingQuery,
        answers=RoomRuling,
        number=lambda row: row.id,
        is_public=True,
    )


class DeskResource(Resource):
    path, tags = "desk", ("desk",)
    get = reads(catalogue, name="desk", summary="List the questions of the desk", answers=Catalogue, is_public=True)
    post = does(
        _ask,
        name="ask_desk",
        summary="Get a ruling",
        description="Nothing is stored. A GET of `desk/<what>` does the same and needs no login.",
        body=DeskOrder,
        answers=DeskAnswer,
    )


api = [*addresses([RoomRulings, DeskResource]), *resource("desk/<slug:what>", DeskAnswerView, name="api-desk-answer")]
urlpatterns = [path("desk/", page, name="desk")]
