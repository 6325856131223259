"""Calls for the floor from the tables, open calls, and their answers."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from rest_framework import serializers

from cardroom.core.models import User
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.forms import PlainPost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.resources import Resource, addresses, does, reads
from games.floor import queries as floor_queries
from games.floor import rulings
from games.floor.models import FloorCall
from games.floor.pages.floor import RULINGS
from games.floor.pages.floor_api import FloorCallSummary


class CallMade(Shape):
    """A call, answered or not."""

    of = FloorCall
    field_names = "id table=table_id seat kind note at answered_at"
    kind = serializers.ChoiceField(FloorCall.Kind.choices)


class AnswerFloorCallForm(PlainPost):
    page, does, path, name = RULINGS, rulings.answer, "floor/calls/<int:call_id>/answer/", "floor_answer"

    def done(self, request: HttpRequest, result: FloorCall) -> HttpResponse:
        if request.htmx:
            return HttpResponse(status=204)
        words = gettext("{table} is told that the floor is coming.").format(table=result.table)
        messages.success(request, words)
        return redirect("floor")


def open_calls(*, by: User) -> Any:
    """The open calls, the oldest first."""
    return floor_queries.open_calls()


class CallFloorResource(Resource):
    path, tags = "tables/<id:table_id>/call-floor", ("floor",)
    post = does(
        rulings.call,
        name="call_floor",
        summary="Call the floor to your table",
        description="For seated players, and dealers. While your call of this kind is open it stays the same one.",
        answers=CallMade,
        status=201,
        refuses=(409,),
    )


class FloorCalls(Resource):
    path, tags = "floor/calls", ("floor",)
    get = reads(
        open_calls,
        name="floor_calls",
        summary="List open calls, oldest first",
        description="For the floor.",
        answers=FloorCallSummary,
        many=True,
        roles=(rulings.ROLE,),
    )


class AnswerCallResource(Resource):
    path, tags, scope = "floor/calls/<id:call_id>/answer", ("floor",), "direct"
    post = does(
        rulings.answer,
        name="answer_call",
        summary="Answer a call",
        description="For the floor. A call that was answered stays as it is.",
        answers=CallMade,
    )


api = addresses([CallFloorResource, FloorCalls, AnswerCallResource])
urlpatterns = page_urls([], forms=[AnswerFloorCallForm])
