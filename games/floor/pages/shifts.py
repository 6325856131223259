"""Shifts and dealers: the desk of both, the panel on the floor, and each verb. See `cardroom.core.web.operations`."""

from collections.abc import Mapping
from functools import partial
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext
from rest_framework import serializers

from cardroom.core import access
from cardroom.core.errors import NotFound, Refusal
from cardroom.core.models import User
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Chips, Order, Person, Text, WholeNumber
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.operations import Form, Operation, Page, Read
from cardroom.core.web.parts import part_of
from games.dealers import downs
from games.dealers import queries as dealer_queries
from games.dealers.models import Down, Duty, Shift
from games.floor import shifts

READERS = ("dealer", "floor", "manager", "auditor")
_SHIFTS, _DOWNS = 12, 30


class ShiftOut(Shape):
    """A shift of the room."""

    of = Shift
    shows = "id name is_open opened_at opened_by=opened_by.username closed_at closed_by found remark handed_to"
    is_open = serializers.BooleanField()
    closed_by = serializers.CharField(source="closed_by.username", allow_null=True, default=None)
    found = serializers.DictField(child=serializers.IntegerField(), help_text="What was open when it was closed.")
    handed_to = serializers.CharField(
        source="handed_to.username", allow_null=True, default=None, help_text="Who took over what was open."
    )


class ShiftOrder(Order):
    name = Text(max_length=60)


class CloseOrder(Order):
    remark = Text(max_length=300, required=False, default="", allow_blank=True)
    handed_to = Person(required=False, help_text="Who takes over what is open still: of the floor.")


class DutyOut(Shape):
    """A dealer on duty."""

    of = Duty
    shows = "dealer=dealer_id name=dealer.username since free_at break_until"
    says = {"free_at": "Since when they wait: their place in the rotation."}


class DownOut(Shape):
    """A dealer's time at one table."""

    of = Down
    shows = "id dealer=dealer_id name=dealer.username table=table_id where since until due_at minutes"
    says = {"table": "null: a table of an event.", "due_at": "When they are to be pushed out."}


class PushOut(Shape):
    """A table that has a dealer, or wants one; `next`: whose turn it is."""

    of = dealer_queries.Push
    shows = "where table down due_at is_due next"
    says = {"due_at": "null: it has no dealer."}
    down = DownOut(allow_null=True)
    next = DutyOut(allow_null=True)


class RotationOut(serializers.Serializer[Any]):
    """Who deals where, who is next, and who has a break."""

    pushes = PushOut(many=True)
    waiting = DutyOut(many=True)
    breaks = DutyOut(many=True)


class DealerClockOrder(Order):
    table = Chips(source="table_id", required=False, help_text="clock-in: at this table.")
    place = Text(max_length=80, required=False, default="", allow_blank=True, help_text="Or at a table of an event.")
    minutes = WholeNumber(min_value=1, max_value=240, required=False, help_text="Of the down, or of the break.")

    @classmethod
    def typed(cls, form: Mapping[str, str]) -> dict[str, Any]:
        """The page has fields for both places: where a table is chosen, the other does not count."""
        order = super().typed(form)
        return order | ({"place": ""} if "table_id" in order else {})


def page(request: HttpRequest, *, refusal: Refusal | None = None, typed: Any = None, **address: Any) -> HttpResponse:
    """Shifts, who deals where, who is next, and the newest downs."""
    if refusal is not None:
        messages.error(request, refusal.message)
    is_floor, is_dealer = (access.has_role(request.user, *roles) for roles in (downs.STAFF, ("dealer",)))
    now, current = timezone.now(), shifts.current()
    found = shifts.found_open() if current and is_floor else {}
    context = {
        "now": now,
        "current": current,
        "found": found,
        "left": shifts.still_open(found),
        "heirs": shifts.heirs(request.user) if found else [],
        "shifts": dealer_queries.shifts()[:_SHIFTS],
        "rotation": dealer_queries.rotation(now=now),
        "downs": dealer_queries.downs()[:_DOWNS],
        "is_floor": is_floor,
        "is_dealer": is_dealer,
        "dealers": dealer_queries.dealers() if is_floor else (),
        "tables": dealer_queries.tables() if is_floor or is_dealer else (),
        "typed": typed or {},
        "key": uuid4().hex,
    }
    return render(request, "games/floor/shifts/page.html", context)


@part_of("floor")
def panel(request: HttpRequest) -> HttpResponse:
    """Who deals where now, for the floor's page."""
    return render(request, "games/floor/shifts/_panel.html", {"rotation": _rotation()})


def _rotation(*_: Any) -> dealer_queries.Rotation:
    return dealer_queries.rotation(now=timezone.now())


def _clock(
    *, verb: str, by: User, key: str, dealer_id: int | None = None, table_id: int | None = None, place: str = "",
    **minutes: int,
) -> str:  # fmt: skip
    """What a dealer does with their clock, or the floor for them; the answer says it."""
    who = by if dealer_id in (None, by.pk) else downs.dealer(dealer_id)
    common: dict[str, Any] = {"dealer": who, "by": by, "key": key}
    if verb == "clock-in":
        down = downs.clock_in(table_id=table_id, place=place, **minutes, **common)
        return gettext("{who}: deals at {where}").format(who=who, where=down.where)
    if verb == "break":
        downs.take_break(**minutes, **common)
        long = minutes.get("minutes", downs.BREAK_MINUTES)
        return ngettext("{who}: is on a break of {n} minutes", "{who}: is on a break of {n} minutes", long).format(
            who=who, n=long
        )
    if verb not in _PLAIN:
        raise NotFound("no-such-verb", "There is no such action of a dealer's clock.")
    does, words = _PLAIN[verb]
    does(**common)
    return words.format(who=who)


_PLAIN = {
    "start": (downs.start, gettext_lazy("{who}: is on duty")),
    "back": (downs.back, gettext_lazy("{who}: waits to deal")),
    "clock-out": (downs.clock_out, gettext_lazy("{who}: waits to deal")),
    "home": (downs.home, gettext_lazy("{who}: goes home")),
}

SHIFTS = Page("shifts/", "shifts", page, READERS)
PANEL = Page("floor/dealers/", "floor_dealers", panel, downs.STAFF)

_read = partial(Read, tag="shifts", roles=READERS)
_verb = partial(
    Operation, tag="shifts", scope="direct", roles=shifts.ROLES, keyed=True, out=ShiftOut, refuses=(404, 409, 422)
)
_form = partial(Form, "shifts/<slug:verb>/", "shift_verb", SHIFTS)

DECLARED = [
    _read(
        name="shifts", summary="Shifts", address="shifts", out=ShiftOut, paged=True,
        finds=lambda by, before, limit: dealer_queries.shifts(before=before)[:limit],
    ),
    _verb(
        name="open_shift", summary="Open a shift", address="shifts", does=shifts.open_, order=ShiftOrder, status=201,
        refuses=(409, 422), form=_form(of.said(gettext_lazy("The shift is open."), "shifts"), verbs={"open": {}}),
    ),
    _verb(
        name="close_shift", summary="Close a shift", address="shifts/<id:shift_id>/close", does=shifts.close,
        order=CloseOrder,
        form=_form(of.said(gettext_lazy("The shift is closed."), "shifts"),
            hidden={"shift_id": gettext_lazy("Choose a shift.")},
                   verbs={"close": {}}),
    ),
    _read(
        name="dealers", summary="The rotation", address="dealers", out=RotationOut,
        finds=_rotation,
    ),
    _verb(
        name="dealer_clock", summary="A dealer's clock: clock-in, start, clock-out, break, back, home",
        description="Dealers for themselves, the floor and managers for everybody. Answers with the rotation.",
        address="dealers/<id:dealer_id>/<slug:verb>", roles=("dealer", *downs.STAFF), does=_clock,
        order=DealerClockOrder, out=RotationOut, shows=_rotation,
        form=Form("dealers/<slug:verb>/", "dealer_verb", SHIFTS, of.said("{}.", "shifts"), hidden={"dealer_id": ""}),
    ),
    _read(
        name="downs", summary="Downs", address="downs", out=DownOut, paged=True,
        finds=lambda by, before, limit: dealer_queries.downs(before=before)[:limit],
    ),
]  # fmt: skip

api = of.resources(DECLARED)
urlpatterns = of.pages([SHIFTS, PANEL], DECLARED)
