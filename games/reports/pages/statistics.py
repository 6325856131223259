"""The page of one's statistics, and the same for programs."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from cardroom.core import room_time
from cardroom.core.web.api.fields import Query
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Context, Page
from cardroom.core.web.resources import Resource, addresses, reads
from games.engine.games import GAMES
from games.play import own_hands
from games.reports import statistics as counts
from games.reports.pages.statements import SPANS
from games.tables.queries.offers import game_name


def _spans() -> list[tuple[str, str]]:
    days = [(days, capfirst(words)) for days, words in SPANS.items() if days.isdigit()]
    return [("", gettext("All time")), *days]


class CountHandsForm(forms.Form):
    """The hands to count."""

    game = forms.ChoiceField(required=False, label=gettext_lazy("Game"))
    stakes = forms.ChoiceField(required=False, label=gettext_lazy("Stakes"))
    where = forms.ChoiceField(
        required=False, choices=[("", gettext_lazy("All")), *counts.WHERE.items()], label=gettext_lazy("Where")
    )
    span = forms.ChoiceField(required=False, choices=_spans, label=gettext_lazy("Period"))

    def __init__(self, *args: Any, offered: dict[str, list[str]], **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["game"].choices = [("", gettext("All")), *((game, game_name(game)) for game in offered["games"])]
        self.fields["stakes"].choices = [("", gettext("All")), *((stakes, stakes) for stakes in offered["stakes"])]


def page(request: HttpRequest) -> Context:
    """The statistics of the player's own hands, filtered by the form."""
    now = timezone.now()
    form = CountHandsForm(request.GET, offered=own_hands.choices(request.user))
    chosen = dict(form.cleaned_data) if form.is_valid() else {}
    span = chosen.pop("span", "")
    since = now - timedelta(days=int(span)) if span else None
    return {
        "form": form,
        "is_asked": any(chosen.values()) or bool(span),
        "found": counts.statistics_of(request.user, **chosen, since=since, now=now),
        "measures": counts.MEASURES,
        "few": counts.FEW,
        "most": counts.MOST,
    }


class RateSummary(Shape):
    """So often, of so many chances."""

    of = counts.Rate
    field_names = "part of percent"
    help_texts = {"percent": f"null where there were fewer than {counts.FEW} chances: too few to say."}


class HandNumbersSummary(Shape):
    of = counts.HandNumbers
    field_names = f"hands big_bets per_100 spread {' '.join(counts.MEASURES)}"
    help_texts = {
        "big_bets": "Won in all, in big bets of the hand.",
        "per_100": f"Big bets won in a hundred hands; null for fewer than {counts.FEW} hands.",
        "spread": "Its standard error: give or take so much.",
    }
    entered, raised, quiet, showdown, shown = (
        RateSummary(help_text=explanation) for _, _, explanation in counts.MEASURES.values()
    )


class HandGroupSummary(Shape):
    of = counts.HandGroup
    field_names = "key name"
    numbers = HandNumbersSummary()


class StartsSummary(Shape):
    """The starting hands of a game, the strongest class first."""

    of = counts.Starts
    field_names = "game"
    starts = HandGroupSummary(many=True)


class StreetSummary(Shape):
    of = counts.StreetNumbers
    field_names = "number"
    still_in = RateSummary(help_text="Of all hands, those in which you got the card of this street.")
    folded = RateSummary(help_text="Of these, given up on this street.")


class StatisticsSummary(serializers.Serializer[Any]):
    """How you play, by your own hands alone."""

    all = HandNumbersSummary()
    month = HandNumbersSummary(help_text="This month.")
    before = HandNumbersSummary(help_text="All before it.")
    streets = StreetSummary(many=True)
    by_start = StartsSummary(many=True)
    by_game = HandGroupSummary(many=True)
    periods = HandGroupSummary(
        many=True, help_text="Oldest first: months, or equal numbers of hands where there are few months."
    )
    is_part = serializers.BooleanField(help_text=f"There are more than {counts.MOST:,} hands: the newest are counted.")


class StatisticsQuery(Query):
    game = serializers.ChoiceField(sorted(GAMES), required=False)
    stakes = serializers.CharField(required=False, max_length=30, help_text="Such as 5/10.")
    where = serializers.ChoiceField([*counts.WHERE.items()], required=False)
    since = serializers.DateTimeField(required=False)
    until = serializers.DateTimeField(required=False, help_text="Not included.")


def my_statistics(
    by: Any,
    game: str = "",
    stakes: str = "",
    where: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
) -> counts.Statistics:
    """The numbers of one's own hands."""
    room_time.check(since, until)
    return counts.statistics_of(by, game=game, stakes=stakes, where=where, since=since, until=until, now=timezone.now())


PAGES = [Page("me/statistics/", "my_statistics", page, template="games/reports/statistics.html", is_heavy=True)]


class MyStatisticsResource(Resource):
    path, tags = "me/statistics", ("me",)
    get = reads(
        my_statistics,
        name="my_statistics",
        summary="Your statistics",
        description="How you play and what it brings, in big bets.",
        query=StatisticsQuery,
        answers=StatisticsSummary,
        is_heavy=True,
    )


api = addresses([MyStatisticsResource])
urlpatterns = page_urls(PAGES)
