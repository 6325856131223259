"""The page of a player's own hands, and the same for programs."""

from datetime import date, datetime, time, timedelta
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from cardroom.core import room_time
from cardroom.core.errors import Invalid
from cardroom.core.models import User
from cardroom.core.web.api.fields import Query
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Page
from cardroom.core.web.resources import Resource, addresses, reads
from games.engine.games import GAMES
from games.play import own_hands
from games.play.own_hands import HandSearch
from games.tables.models.times import HandResult
from games.tables.queries.offers import game_name

HANDS_A_PAGE = 50
#: The days between which hands are looked for.
_EARLIEST, _LATEST = date(room_time.FIRST_YEAR, 1, 1), date(room_time.LAST_YEAR, 1, 1)
_DAY = partial(forms.DateInput, attrs={"type": "date"}, format="%Y-%m-%d")


class HandSearchForm(forms.Form):
    """The search for hands."""

    game = forms.ChoiceField(required=False, label=gettext_lazy("Game"))
    stakes = forms.ChoiceField(required=False, label=gettext_lazy("Stakes"))
    result = forms.ChoiceField(
        required=False, label=gettext_lazy("Result"), choices=[("", gettext_lazy("Any")), *own_hands.RESULTS.items()]
    )
    only = forms.ChoiceField(
        required=False, label=gettext_lazy("Only"), choices=[("", gettext_lazy("Any")), *own_hands.ONLY.items()]
    )
    opponent = forms.CharField(required=False, max_length=60, label=gettext_lazy("Against"))
    words = forms.CharField(required=False, max_length=60, label=gettext_lazy("Tag or note"))
    since = forms.DateField(required=False, label=gettext_lazy("From this day"), widget=_DAY())
    until = forms.DateField(required=False, label=gettext_lazy("To this day"), widget=_DAY())
    session = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)
    before = forms.IntegerField(required=False, min_value=1, max_value=2**62, widget=forms.HiddenInput)

    def __init__(self, *args: Any, offered: dict[str, list[str]], **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["game"].choices = [("", gettext("Any")), *((game, game_name(game)) for game in offered["games"])]
        self.fields["stakes"].choices = [("", gettext("Any")), *((stakes, stakes) for stakes in offered["stakes"])]


def page(request: HttpRequest) -> HttpResponse:
    """The user's hands, newest first; `?before=` goes back."""
    offered = own_hands.choices(request.user)
    form = HandSearchForm(request.GET, offered=offered)
    search, before = search_of(form), form.cleaned_data.get("before")
    rows = own_hands.find_own_hands(request.user, search, before=before, limit=HANDS_A_PAGE + 1)
    older = request.GET.copy()
    asked_for = older.urlencode()
    if is_more := len(rows) > HANDS_A_PAGE:
        older["before"] = str(rows[HANDS_A_PAGE - 1].pk)
    rows = rows[:HANDS_A_PAGE]
    parts = own_hands.sessions(request.user, rows)
    context = {
        "form": form,
        "parts": parts,
        "session": parts[0][0] if search.session and parts else None,
        "first": _first(request.user, search) if search != own_hands.ALL_HANDS and parts else None,
        "asked_for": asked_for,
        "looked_for": address_of(form),
        "older": older.urlencode() if is_more else "",
        "tags": offered["tags"],
        "is_asked": search != own_hands.ALL_HANDS or bool(before),
        "has_played": bool(offered["games"]),
    }
    return render(request, "games/play/own_hands.html", context)


def _first(player: User, search: HandSearch) -> int | None:
    return own_hands.look_for(player, search).values_list("hand", flat=True).last()


def address_of(form: HandSearchForm) -> str:
    """The search as the query of an address, without the position in the list."""
    values = {name: form.data.get(name) for name in form.fields if name != "before"}
    return urlencode({name: value for name, value in values.items() if value}) if form.is_valid() else ""


def search_of(form: HandSearchForm) -> HandSearch:
    """The valid fields of the form, days as moments. `Invalid` where a hidden field is wrong."""
    if form.errors.keys() & {"session", "before"}:
        raise Invalid("bad-session", "There is no such session.")
    values = {name: value for name, value in form.cleaned_data.items() if value and name != "before"}
    for name, days in (("since", 0), ("until", 1)):
        if name in values:
            day = min(max(values[name], _EARLIEST), _LATEST) + timedelta(days)
            values[name] = timezone.make_aware(datetime.combine(day, time.min))
    return HandSearch(**values)


class OwnHand(Shape):
    """A hand that you played."""

    of = HandResult
    field_names = (
        "id hand=hand_id number=hand.number table=table_id table_name=table.name game at seat put_in pot=hand.pot net"
        " is_cash is_showdown is_all_in session tags note"
    )
    help_texts = {"net": "What your stack grew by.", "is_cash": "False: in the chips of an event."}
    tags = serializers.SerializerMethodField(help_text="Yours.")
    note = serializers.CharField(help_text="Yours.")
    session = serializers.CharField(
        help_text="The evening or event it was played in: hands of one `session` can be asked for."
    )

    def get_tags(self, row: Any) -> list[str]:
        return row.tags.split()


class OwnHandsQuery(Query):
    game = serializers.ChoiceField(sorted(GAMES), required=False)
    stakes = serializers.CharField(required=False, max_length=30, help_text="Such as 5/10.")
    result = serializers.ChoiceField([*own_hands.RESULTS.items()], required=False)
    only = serializers.ChoiceField([*own_hands.ONLY.items()], required=False)
    opponent = serializers.CharField(required=False, max_length=60, help_text="A screen name.")
    words = serializers.CharField(required=False, max_length=60, help_text="A tag, or words of a note.")
    session = serializers.CharField(
        required=False, max_length=40,
        help_text="evening-7: of an evening at cash tables; tournament:7: of an event.",
    )  # fmt: skip
    since = serializers.DateTimeField(required=False)
    until = serializers.DateTimeField(required=False, help_text="Not included.")

    @classmethod
    def read(cls, request: Any) -> dict[str, Any]:
        search = HandSearch(**super().read(request))
        for moment in (search.since, search.until):
            room_time.check(moment)
        return {"search": search}


def list_own_hands(*, search: HandSearch, before: int | None, limit: int, by: User) -> list[HandResult]:
    """The user's hands that match the search, newest first."""
    rows = own_hands.find_own_hands(by, search, before=before, limit=limit)
    for row, name in zip(rows, own_hands.names_of_sessions(by, rows), strict=True):
        row.session = name  # type: ignore[attr-defined]
    return rows


OWN = Page("me/hands/", "my_hands", page)


class OwnHands(Resource):
    path, tags = "me/hands", ("me",)
    get = reads(
        list_own_hands,
        name="my_hands",
        summary="Your hands",
        description="Newest first; of cash tables and events.",
        query=OwnHandsQuery,
        answers=OwnHand,
    )


api = addresses([OwnHands])
urlpatterns = page_urls([OWN])
