"""Shifts and dealers: their page, the panel on the floor's page, and their API."""

from collections.abc import Mapping
from typing import Annotated, Any
from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext
from rest_framework import serializers

from cardroom.core import access
from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import NotFound, Refusal
from cardroom.core.models import User
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.forms import PagePost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Page, went_to
from cardroom.core.web.parts import part_of
from cardroom.core.web.resources import Resource, addresses, does, reads
from games.dealers import downs
from games.dealers import queries as dealer_queries
from games.dealers.models import Down, Duty, Shift
from games.floor import shifts

READERS = ("dealer", "floor", "manager", "auditor")
_SHIFTS, _DOWNS = 12, 30


class ShiftOut(Shape):
    """A shift of the room."""

    of = Shift
    field_names = "id name is_open opened_at opened_by=opened_by.username closed_at closed_by found remark handed_to"
    is_open = serializers.BooleanField()
    closed_by = serializers.CharField(source="closed_by.username", allow_null=True, default=None)
    found = serializers.DictField(child=serializers.IntegerField(), help_text="What was open when it was closed.")
    handed_to = serializers.CharField(
        source="handed_to.username", allow_null=True, default=None, help_text="The user who took over what was open."
    )


class DutyOut(Shape):
    """A dealer on duty."""

    of = Duty
    field_names = "dealer=dealer_id name=dealer.username since free_at break_until"
    help_texts = {"free_at": "Since when they wait; this is their place in the rotation."}


class DownOut(Shape):
    """A dealer's time at one table."""

    of = Down
    field_names = "id dealer=dealer_id name=dealer.username table=table_id where since until due_at minutes"
    help_texts = {"table": "null: a table of an event.", "due_at": "When they are to be pushed out."}


class PushOut(Shape):
    """A table that has a dealer, or needs one; `next`: the dealer whose turn it is."""

    of = dealer_queries.Push
    field_names = "where table down due_at is_due next"
    help_texts = {"due_at": "null: it has no dealer."}
    down = DownOut(allow_null=True)
    next = DutyOut(allow_null=True)


class RotationOut(serializers.Serializer[Any]):
    """The dealers at tables, those who wait, and those on a break."""

    pushes = PushOut(many=True)
    waiting = DutyOut(many=True)
    breaks = DutyOut(many=True)


def page(request: HttpRequest, *, refusal: Refusal | None = None, typed: Any = None, **address: Any) -> HttpResponse:
    """Shifts, the rotation of dealers, and the newest downs."""
    if refusal is not None:
        messages.error(request, refusal.message)
    is_floor, is_dealer = (access.has_role(request.user, *roles) for roles in (downs.STAFF, ("dealer",)))
    now, current = timezone.now(), shifts.current()
    counted = shifts.count_open() if current and is_floor else {}
    context = {
        "now": now,
        "current": current,
        "found": counted,
        "left": shifts.still_open(counted),
        "heirs": shifts.heirs(request.user) if counted else [],
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
    """The rotation, for the floor's page."""
    return render(request, "games/floor/shifts/_panel.html", {"rotation": dealer_queries.rotation(now=timezone.now())})


TableOfDown = Annotated[
    int | None, Limits(called="table", min_value=1, max_value=10**12, help_text="clock-in: at this table.")
]
PlaceOfDown = Annotated[str, Limits(max_length=80, help_text="Or at a table of an event.")]
Minutes = Annotated[int | None, Limits(min_value=1, max_value=240, help_text="Of the down, or of the break.")]

_PLAIN = {
    "start": (downs.start, gettext_lazy("{who}: is on duty")),
    "back": (downs.back, gettext_lazy("{who}: waits to deal")),
    "clock-out": (downs.clock_out, gettext_lazy("{who}: waits to deal")),
    "home": (downs.home, gettext_lazy("{who}: goes home")),
}


def clock(
    *,
    verb: str,
    dealer_id: RowId | None = None,
    table_id: TableOfDown = None,
    place: PlaceOfDown = "",
    minutes: Minutes = None,
    by: User,
    key: str = "",
) -> str:
    """Do one action (`verb`) of a dealer's clock, as the dealer or as the floor. Returns a sentence about it."""
    dealer = by if dealer_id in (None, by.pk) else downs.dealer(dealer_id)
    if verb == "clock-in":
        down = downs.clock_in.once(
            key,
            dealer=dealer,
            table_id=table_id,
            place=place,
            minutes=downs.DOWN_MINUTES if minutes is None else minutes,
            by=by,
        )
        return gettext("{who}: deals at {where}").format(who=dealer, where=down.where)
    if verb == "break":
        minutes = downs.BREAK_MINUTES if minutes is None else minutes
        downs.take_break.once(key, dealer=dealer, minutes=minutes, by=by)
        pattern = ngettext("{who}: is on a break of {n} minutes", "{who}: is on a break of {n} minutes", minutes)
        return pattern.format(who=dealer, n=minutes)
    if verb not in _PLAIN:
        raise NotFound("no-such-verb", "There is no such action of a dealer's clock.")
    service, words = _PLAIN[verb]
    service.once(key, dealer=dealer, by=by)
    return words.format(who=dealer)


SHIFTS = Page("shifts/", "shifts", page, READERS)
PANEL = Page("floor/dealers/", "floor_dealers", panel, downs.STAFF)


class OnShifts(PagePost):
    page, path, name = SHIFTS, "shifts/<slug:verb>/", "shift_verb"

    def done(self, request: HttpRequest, result: Any) -> HttpResponse:
        return went_to(request, str(self.then), "shifts")


class OpenShiftForm(OnShifts):
    does, button, then = shifts.open_, "open", gettext_lazy("The shift is open.")


class CloseShiftForm(OnShifts):
    does, button, then = shifts.close, "close", gettext_lazy("The shift is closed.")


class DealerClockForm(PagePost):
    page, does, path, name = SHIFTS, clock, "dealers/<slug:verb>/", "dealer_verb"
    roles = ("dealer", *downs.STAFF)

    def typed(self, form: QueryDict) -> QueryDict:
        """The page has fields for both places: where a table is chosen, the other does not count."""
        if form.get("table"):
            form["place"] = ""
        return form

    def of_request(self, request: HttpRequest) -> Mapping[str, Any]:
        """The verb is in the address."""
        match = request.resolver_match
        return {"verb": match.kwargs["verb"] if match else ""}

    def done(self, request: HttpRequest, result: str) -> HttpResponse:
        return went_to(request, f"{result}.", "shifts")


def newest_shifts(*, before: int | None, limit: int, by: User) -> list[Shift]:
    """The shifts, the newest first."""
    return list(dealer_queries.shifts(before=before)[:limit])


def newest_downs(*, before: int | None, limit: int, by: User) -> list[Down]:
    """The downs, the newest first."""
    return list(dealer_queries.downs(before=before)[:limit])


def rotation(*, by: User) -> dealer_queries.Rotation:
    """The rotation of dealers."""
    return dealer_queries.rotation(now=timezone.now())


class OfShifts(Resource):
    tags, scope = ("shifts",), "direct"


class Shifts(OfShifts):
    path = "shifts"
    get = reads(newest_shifts, name="shifts", summary="Shifts", answers=ShiftOut, roles=READERS)
    post = does(
        shifts.open_, name="open_shift", summary="Open a shift", answers=ShiftOut, status=201, refuses=(409, 422)
    )


class CloseShift(OfShifts):
    path = "shifts/<id:shift_id>/close"
    post = does(shifts.close, name="close_shift", summary="Close a shift", answers=ShiftOut, refuses=(404, 409, 422))


class RotationResource(OfShifts):
    path, scope = "dealers", "play"
    get = reads(rotation, name="dealers", summary="The rotation", answers=RotationOut, roles=READERS)


class DealerClock(OfShifts):
    path = "dealers/<id:dealer_id>/<slug:verb>"
    post = does(
        clock,
        name="dealer_clock",
        summary="A dealer's clock: clock-in, start, clock-out, break, back, home",
        description="Dealers for themselves, the floor and managers for everybody. Answers with the rotation.",
        answers=RotationOut,
        shown=lambda words, by: rotation(by=by),
        roles=("dealer", *downs.STAFF),
        refuses=(404, 409, 422),
    )


class Downs(OfShifts):
    path, scope = "downs", "play"
    get = reads(newest_downs, name="downs", summary="Downs", answers=DownOut, roles=READERS)


api = addresses([Shifts, CloseShift, RotationResource, DealerClock, Downs])
urlpatterns = page_urls([SHIFTS, PANEL], forms=[OpenShiftForm, CloseShiftForm, DealerClockForm])
