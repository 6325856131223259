"""Time at a table: who pays what and when, refused and paid by players, paused and waived by the floor. See
`cardroom.core.web.operations`.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from rest_framework import serializers

from cardroom.core import access
from cardroom.core.models import User
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import NothingOrder, Order, Person, Text
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.operations import Form, Operation, Page, Read, Then, refused
from games.rake import collection
from games.rake import queries as rake_queries
from games.rake.queries import time_at
from games.tables.models import times

#: Who reads the time of a table without sitting there.
READERS = ("floor", "manager", "dealer", "cashier", "auditor")


class TimeSitter(Shape):
    of = rake_queries.Sitter
    shows = "player name seat standing why since owed courtesy"
    says = {
        "seat": "0: they would not pay, and have left.",
        "standing": "pause, refusal, or empty: the time runs.",
        "courtesy": "Hands they are dealt though they did not pay.",
    }


class TableTime(Shape):
    """How time stands at a table."""

    of = rake_queries.TableTime
    shows = "period_minutes due_at is_paused each sitters"
    says = {"due_at": "The next collection.", "each": "What everybody would pay now."}
    period_minutes = serializers.IntegerField(
        source="schedule.period_minutes", allow_null=True, default=None, help_text="null: no time is collected here."
    )
    sitters = TimeSitter(many=True)


class TimeCharge(Shape):
    """A period's time of one player."""

    of = times.TimeCharge
    shows = "id table=table_id player=player_id period_start state amount paid owed why"
    says = {"state": "due, charged, owed, paused, courtesy, refused or waived."}


class PlayerOrder(Order):
    player = Person(max_value=2**31, help_text="Whose time.")


class PauseOrder(PlayerOrder):
    reason = Text(required=False, min_length=3, max_length=300, help_text="Why; absent with permission if not said.")


class WaiveOrder(Order):
    reason = Text(min_length=3, max_length=300)


class WaiveForm(Order):
    """Who may not waive anything hears that first; the service asks for the reason."""

    reason = Text(default="", max_length=300)


class ForThemForm(Order):
    """Nobody named: one's own time."""

    player = Person(required=False)


def page(request: HttpRequest, table_id: int) -> HttpResponse:
    """The time of a table: for those who sit there and for the staff."""
    time = _seen(access.require_login(request.user), table_id)
    is_floor = access.has_role(request.user, *collection.ROLES)
    deals = time.table.is_physical and access.has_role(request.user, "dealer", *collection.ROLES)
    context = {"time": time, "table": time.table, "mine": time.of(request.user.pk), "is_floor": is_floor}
    return render(request, "games/rake/time.html", context | {"deals": deals})


def _seen(by: User, table_id: int) -> rake_queries.TableTime:
    time = time_at(table_id)
    if time.of(by.pk) is None:
        access.require_role(by, *READERS)
    return time


def _at(service: Callable[..., Any]) -> Callable[..., Any]:
    """The service; what it answers is whose time it was and at which table."""

    def do(*, table_id: int, by: User, player: User | None = None, **asked: Any) -> tuple[User, int]:
        service(table_id=table_id, by=by, player=player or by, **asked)
        return player or by, table_id

    return do


def _said(words: str) -> Then:
    def then(request: HttpRequest, made: tuple[User, int]) -> HttpResponse:
        player, table_id = made
        messages.success(request, words.format(player))
        # Who has left and paid what they had refused has nothing more to read there.
        reads = access.has_role(request.user, *READERS) or time_at(table_id).of(request.user.pk) is not None
        return redirect("table_time" if reads else "table", table_id)

    return then


def _settled(request: HttpRequest, charge: times.TimeCharge) -> HttpResponse:
    messages.success(request, f"The time of {charge.player} is {charge.get_state_display()}.")
    return redirect("table_time", charge.table_id)


TIME = Page("tables/<int:table_id>/time/", "table_time", page)


def _verb(verb: str, name: str, service: Callable[..., Any], summary: str, words: str, **more: Any) -> Operation:
    """One thing to be done with somebody's time at a table; the answer is how time stands there then."""
    address, asks = "tables/<int:table_id>/time/<slug:verb>/", more.pop("form", None)
    return Operation(
        name=name, summary=summary, address=f"tables/<id:table_id>/time/{verb}", tag="time", does=_at(service),
        out=TableTime, shows=lambda made, by: time_at(made[1]), refuses=(409, 422), **more,
        form=Form(address, "table_time_verb", TIME, _said(words), refused, verbs={verb: {}}, order=asks),
    )  # fmt: skip


_charge = partial(Operation, tag="time", scope="direct", keyed=True, out=TimeCharge)
_CHARGE = partial(Form, "time/<int:charge_id>/<slug:verb>/", "time_charge_verb", TIME, _settled, refused)
_FLOOR: dict[str, Any] = {"scope": "direct", "keyed": True}

DECLARED = [
    Read(
        name="table_time", summary="The time charges of a table", tag="time",
        address="tables/<id:table_id>/time", out=TableTime, finds=_seen, refuses=(403,),
    ),
    _verb(
        "pause", "pause_time", collection.pause, "Pause a player's time, absent with permission of the floor",
        "The time of {} is paused.", order=PauseOrder, **_FLOOR,
    ),
    _verb(
        "resume", "resume_time", collection.resume, "Resume a player's time", "The time of {} is resumed.",
        order=PlayerOrder, **_FLOOR,
    ),
    _verb(
        "refuse", "refuse_time", collection.refuse, "Refuse the next charge", "{} refuses the next charge.",
        order=NothingOrder, form=ForThemForm,
    ),
    _verb(
        "pay", "pay_time", collection.pay, "Pay time again", "{} pays time again.", order=NothingOrder,
        form=ForThemForm,
    ),
    _verb(
        "end-courtesy", "end_courtesy", collection.end_courtesy,
        "End a courtesy hand, in the room",
        "The courtesy hand of {} is over: they sit out until they pay.", order=PlayerOrder, scope="direct",
    ),
    _charge(
        name="waive_time", summary="Waive a charge and refund it", does=collection.waive,
        address="time-charges/<id:charge_id>/waive", order=WaiveOrder, refuses=(409,),
        form=_CHARGE(verbs={"waive": {}}, order=WaiveForm),
    ),
    _charge(
        name="collect_time", summary="Collect the debt of a charge", does=collection.collect,
        address="time-charges/<id:charge_id>/collect", order=NothingOrder, refuses=(409, 422),
        form=_CHARGE(verbs={"collect": {}}),
    ),
]  # fmt: skip

api = of.resources(DECLARED)
urlpatterns = of.pages([TIME], DECLARED)
