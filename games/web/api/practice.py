"""Practice: rule on a situation, then see what the engine rules."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.schema import refusals
from games.services import practice
from games.web.api import ruling_serializers as shapes


class PracticeView(APIView):
    """Your practice."""

    tags = ("practice",)

    @extend_schema(
        operation_id="start_practice",
        summary="Begin to practise",
        request=shapes.PracticeOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.Practice},
    )
    def post(self, request: Request) -> Response:
        order = shapes.PracticeOrder.read(request)
        made = practice.start(user=asker(request), key=keys.key_of(request), now=timezone.now(), **order)
        return Response(shapes.Practice(made).data, status=status.HTTP_201_CREATED)


class SituationView(APIView):
    """The situation that waits for your ruling."""

    tags = ("practice",)

    @extend_schema(operation_id="situation", summary="What is to be ruled on", responses=shapes.Situation)
    def get(self, request: Request, session_id: int) -> Response:
        asked = practice.question(session_id=session_id, user=asker(request))
        return Response(shapes.Situation(asked).data)


class PracticeAnswerView(APIView):
    """Your ruling, and the engine's."""

    tags = ("practice",)

    @extend_schema(
        operation_id="answer_practice",
        summary="Rule on it",
        request=shapes.PracticeAnswerOrder,
        responses={200: shapes.PracticeResult} | refusals(409),
    )
    def post(self, request: Request, session_id: int) -> Response:
        order = shapes.PracticeAnswerOrder.read(request)
        picks = [(pick["key"], pick["verdict"]) for pick in order["rulings"]]
        result = practice.answer(
            session_id=session_id, user=asker(request), number=order["number"], rulings=picks, now=timezone.now()
        )
        return Response(shapes.PracticeResult(result).data)


class PracticeResultsView(APIView):
    """How you rule."""

    tags = ("practice",)

    @extend_schema(operation_id="practice_results", summary="How you rule, by point", responses=shapes.PracticeResults)
    def get(self, request: Request) -> Response:
        return Response(shapes.PracticeResults(practice.results(user=asker(request))).data)
