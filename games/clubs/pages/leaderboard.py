"""The leaderboard of the room, for those who want to be on it. See `cardroom.core.web.operations`."""

from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers

from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Flag, Order, Query
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.operations import Context, Form, Operation, Page, Read
from games.clubs import leaderboards


class LeaderboardRow(Shape):
    """One line of a leaderboard."""

    of = leaderboards.Standing
    shows = "rank player hands net big_bets best"
    says = {
        "rank": "null: too few hands for one; who is level shares one.",
        "net": "In chips.",
        "best": "The most that one hand brought.",
    }
    big_bets = serializers.FloatField(help_text="The result by the big bet of each table.")


class PeriodQuery(Query):
    period = serializers.ChoiceField([*leaderboards.PERIODS.items()], required=False)


class ShownOrder(Order):
    is_shown = Flag()


class ShownThere(serializers.Serializer[Any]):
    """Whether you are shown on the leaderboard of the room."""

    is_shown = serializers.BooleanField()


def page(request: HttpRequest) -> Context:
    """The leaderboard; anybody may look."""
    period = request.GET.get("period", "")
    period = period if period in leaderboards.PERIODS else "month"
    return {
        "standings": leaderboards.of_room(period, now=timezone.now()), "period": period,
        "periods": leaderboards.PERIODS, "least": leaderboards.LEAST_OF_ROOM,
        "is_shown": request.user.is_authenticated and leaderboards.is_shown(request.user),
    }  # fmt: skip


def _words(is_shown: bool) -> str:
    return (
        gettext("You are shown on the leaderboard.")
        if is_shown
        else gettext("You are no longer shown on the leaderboard.")
    )


PAGE = Page(
    "leaderboard/",
    "leaderboard",
    page,
    is_public=True,
    template="games/clubs/leaderboard.html",
    says_refusals=True,
    is_heavy=True,
)

DECLARED = [
    Read(name="leaderboard", summary="The leaderboard of the room", tag="clubs", address="leaderboard", is_public=True,
         description="Those who want to be shown, at cash tables open to everybody, for play money.",
         query=PeriodQuery, out=LeaderboardRow, many=True, refuses=(404,), is_heavy=True,
         finds=lambda by, period="month": leaderboards.of_room(period, now=timezone.now())),
    Operation(
        name="show_me", summary="Be shown on the leaderboard, or not", method="PUT", tag="me",
        address="me/leaderboard", does=leaderboards.show, order=ShownOrder, out=ShownThere, refuses=(404,),
        shows=lambda made, by: {"is_shown": made},
        form=Form("leaderboard/show/", "leaderboard_show", PAGE, PAGE.said(_words)),
    ),
]  # fmt: skip

api = of.resources(DECLARED)
urlpatterns = of.pages([PAGE], DECLARED)
