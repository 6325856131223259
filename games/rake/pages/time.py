"""Time collection: what players pay and when; they refuse and pay it, the floor pauses and waives it."""

from typing import Annotated, Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from cardroom.core import access
from cardroom.core.arguments import Limits, RowId
from cardroom.core.models import User
from cardroom.core.web.api.fields import Sentence
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.forms import PlainPost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Page
from cardroom.core.web.resources import Resource, addresses, does, reads
from games.rake import collection
from games.rake import queries as rake_queries
from games.rake.models import times
from games.tables.queries.tables import check_may_see

#: The roles that see the time of a table without sitting there.
READERS = ("floor", "manager", "dealer", "cashier", "auditor")


class TimeSitter(Shape):
    of = rake_queries.SitterTime
    field_names = "player name seat standing why since owed courtesy"
    help_texts = {
        "seat": "0: they refused to pay, and have left.",
        "standing": "pause, refusal, or empty: the time runs.",
        "courtesy": "Hands they are dealt though they did not pay.",
    }


class TableTimeSummary(Shape):
    """How time charges stand at a table."""

    of = rake_queries.TableTime
    field_names = "period_minutes due_at is_paused each=charge sitters"
    help_texts = {"due_at": "The next collection.", "each": "What each player would pay now."}
    period_minutes = serializers.IntegerField(
        source="schedule.period_minutes", allow_null=True, default=None, help_text="null: no time is collected here."
    )
    sitters = TimeSitter(many=True)


class TimeChargeSummary(Shape):
    """The time charge of one player for a period."""

    of = times.TimeCharge
    field_names = "id table=table_id player=player_id period_start state amount paid owed why"
    help_texts = {"state": "due, charged, owed, paused, courtesy, refused or waived."}
    why = Sentence()


def page(request: HttpRequest, table_id: int) -> HttpResponse:
    """The time of a table: for players who sit there and for staff."""
    time = time_of(table_id=table_id, by=access.require_login(request.user))
    is_floor = access.has_role(request.user, *collection.ROLES)
    deals = time.table.is_physical and access.has_role(request.user, "dealer", *collection.ROLES)
    context = {"time": time, "table": time.table, "mine": time.of(request.user.pk), "is_floor": is_floor}
    return render(request, "games/rake/time.html", context | {"deals": deals})


def time_of(*, table_id: int, by: User) -> rake_queries.TableTime:
    """How time charges stand at a table, for players who sit there and for staff."""
    time = rake_queries.time_at(table_id)
    if time.of(by.pk) is None:
        check_may_see(time.table, by)
        access.require_role(by, *READERS)
    return time


def pause(
    *, table_id: RowId, player: collection.PausedPlayer, reason: collection.PauseReason = "", by: User, key: str = ""
) -> times.TimePause:
    """Pause the time of a player. The form checks the player before the verb checks the roles."""
    return collection.pause.once(key, table_id=table_id, player=player, reason=reason, by=by)


def refuse(*, table_id: RowId, player: User | None = None, by: User) -> times.TimePause:
    """Refuse the next charge: the user's own or, as the floor, that of another player."""
    return collection.refuse(table_id=table_id, player=player, by=by)


def pay(*, table_id: RowId, player: User | None = None, by: User) -> User:
    """Pay time again: the user's own or, as the floor, that of another player. Returns the player."""
    collection.pay(table_id=table_id, player=player, by=by)
    return player or by


def pay_own(*, table_id: RowId, by: User) -> int:
    """Pay the user's own time again. Returns the id of the table where it was refused."""
    collection.pay(table_id=table_id, by=by)
    return table_id


def waive(
    *, charge_id: RowId, reason: Annotated[str, Limits(max_length=300)] = "", by: User, key: str = ""
) -> times.TimeCharge:
    """Waive a charge. The reason may be empty here, so that a user who may not waive is refused for that first."""
    return collection.waive.once(key, charge_id=charge_id, reason=reason, by=by)


PAGE = Page("tables/<int:table_id>/time/", "table_time", page)


class OnTime(PlainPost):
    """A form about a player's time at a table, after which the time of the table is shown."""

    page, path, name = PAGE, "tables/<int:table_id>/time/<slug:verb>/", "table_time_verb"

    def done(self, request: HttpRequest, result: Any) -> HttpResponse:
        match = request.resolver_match
        table_id = match.kwargs["table_id"] if match else 0
        player = result if isinstance(result, User) else result.player
        messages.success(request, str(self.then).format(player))
        # A player who has left and paid what they had refused has nothing more to read there.
        time = rake_queries.time_at(table_id)
        reads_on = access.has_role(request.user, *READERS) or time.of(request.user.pk) is not None
        return redirect("table_time" if reads_on else "table", table_id)


class PauseTimeForm(OnTime):
    does, button, then = pause, "pause", gettext_lazy("The time of {} is paused.")


class ResumeTimeForm(OnTime):
    does, button, then = collection.resume, "resume", gettext_lazy("The time of {} is resumed.")


class RefuseTimeForm(OnTime):
    does, button, then = refuse, "refuse", gettext_lazy("{} refuses the next charge.")


class PayTimeForm(OnTime):
    does, button, then = pay, "pay", gettext_lazy("{} pays time again.")


class EndCourtesyForm(OnTime):
    does, button = collection.end_courtesy, "end-courtesy"
    then = gettext_lazy("The courtesy hand of {} is over: they sit out until they pay.")


class OnCharge(PlainPost):
    """A form about one charge, after which the time of its table is shown."""

    page, path, name = PAGE, "time/<int:charge_id>/<slug:verb>/", "time_charge_verb"

    def done(self, request: HttpRequest, result: times.TimeCharge) -> HttpResponse:
        pattern = gettext("The time of {player} is {state}.")
        messages.success(request, pattern.format(player=result.player, state=result.get_state_display()))
        return redirect("table_time", result.table_id)


class WaiveChargeForm(OnCharge):
    does, button = waive, "waive"


class CollectChargeForm(OnCharge):
    does, button = collection.collect, "collect"


def time_after(pause: times.TimePause, by: User) -> rake_queries.TableTime:
    """The time of the table where a player's time was paused, refused or resumed."""
    return rake_queries.time_at(pause.table_id)


class OfTime(Resource):
    tags = ("time",)


class OfFloorsTime(OfTime):
    scope = "direct"


class TimeOfTable(OfTime):
    path = "tables/<id:table_id>/time"
    get = reads(
        time_of, name="table_time", summary="The time charges of a table", answers=TableTimeSummary, refuses=(403,)
    )


class PauseTime(OfFloorsTime):
    path = "tables/<id:table_id>/time/pause"
    post = does(
        collection.pause,
        name="pause_time",
        summary="Pause a player's time, absent with permission of the floor",
        answers=TableTimeSummary,
        shown=time_after,
        refuses=(409, 422),
    )


class ResumeTime(OfFloorsTime):
    path = "tables/<id:table_id>/time/resume"
    post = does(
        collection.resume,
        name="resume_time",
        summary="Resume a player's time",
        answers=TableTimeSummary,
        shown=time_after,
        refuses=(409, 422),
    )


class RefuseTime(OfTime):
    path = "tables/<id:table_id>/time/refuse"
    post = does(
        collection.refuse,
        name="refuse_time",
        summary="Refuse the next charge",
        answers=TableTimeSummary,
        shown=time_after,
        refuses=(409, 422),
    )


class PayTime(OfTime):
    path = "tables/<id:table_id>/time/pay"
    post = does(
        pay_own,
        name="pay_time",
        summary="Pay time again",
        answers=TableTimeSummary,
        shown=lambda table_id, by: rake_queries.time_at(table_id),
        refuses=(409, 422),
    )


class EndCourtesy(OfFloorsTime):
    path = "tables/<id:table_id>/time/end-courtesy"
    post = does(
        collection.end_courtesy,
        name="end_courtesy",
        summary="End a courtesy hand, in the room",
        answers=TableTimeSummary,
        shown=time_after,
        refuses=(409, 422),
    )


class WaiveTime(OfFloorsTime):
    path = "time-charges/<id:charge_id>/waive"
    post = does(
        collection.waive,
        name="waive_time",
        summary="Waive a charge and refund it",
        answers=TimeChargeSummary,
        refuses=(409,),
    )


class CollectTime(OfFloorsTime):
    path = "time-charges/<id:charge_id>/collect"
    post = does(
        collection.collect,
        name="collect_time",
        summary="Collect the debt of a charge",
        answers=TimeChargeSummary,
        refuses=(409, 422),
    )


api = addresses([TimeOfTable, PauseTime, ResumeTime, RefuseTime, PayTime, EndCourtesy, WaiveTime, CollectTime])
urlpatterns = page_urls(
    [PAGE],
    forms=[
        PauseTimeForm,
        ResumeTimeForm,
        RefuseTimeForm,
        PayTimeForm,
        EndCourtesyForm,
        WaiveChargeForm,
        CollectChargeForm,
    ],
)
