"""What managers and auditors look through: the audit log of what staff did, and the error log. And an auditor's view of
sealed cards: asked for with a reason, opened by a second person, ended by itself.
"""

import json
from collections.abc import Callable
from datetime import date, datetime
from functools import partial
from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from rest_framework import serializers

from cardroom.accounts import sealed_views
from cardroom.cage.serializers import ApprovalOut
from cardroom.core import audit_log, room_time
from cardroom.core.documents import CSV, PDF, Column, File, as_csv, listed, moment
from cardroom.core.errors import Invalid, NotFound
from cardroom.core.models import Fault, StaffAction, User
from cardroom.core.operation import operation
from cardroom.core.process import faults
from cardroom.core.sentences import filled, joined
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Number, Order, Query, Reason, Sentence, Text, WholeNumber
from cardroom.core.web.api.routes import older
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.operations import Operation, Page, Read
from cardroom.core.web.parts import day_of
from cardroom.office.acts import Line, moment_said

ACTS_A_PAGE, FAULTS_A_PAGE = 100, 50
_ASKED = ("who", "verb", "subject")


# What is written down by hand, and the log as a file


@operation(verb="trail.add_event", roles=("dealer", "floor", "cashier", "director", "manager"))
def add_event(*, text: str, by: User, now: datetime, subject: str = "room") -> StaffAction:
    """Add an entry of what no service does. For staff, with words of their own."""
    said = audit_log.reason_given(text, what=gettext("an entry in the audit log"))
    return audit_log.note(verb="event", subject=subject[:60], by=by, now=now, reason=said)


#: The most acts of a file; the newest are in it.
MOST_CSV, MOST_PDF = 100_000, 2_000
_COLUMNS = ("at", "who", "verb", "subject", "player", "reason", "details")
_A_CHUNK = 2_000


def file_of(found: QuerySet[StaffAction], *, form: str, now: datetime) -> File:
    """These acts as `csv` or `pdf`; `NotFound` for another form."""
    name = f"trail-{room_time.today(now)}.{form}"
    if form == "csv":
        acts = found[:MOST_CSV]
        return File(name, CSV, lambda: as_csv(_COLUMNS, map(_row, acts.iterator(chunk_size=_A_CHUNK))))
    if form == "pdf":
        return File(name, PDF, lambda: _paper(list(found[:MOST_PDF]), now))
    raise NotFound("no-such-form", "The audit log comes as CSV and PDF.")


def _row(act: StaffAction) -> dict[str, Any]:
    return {
        "at": room_time.local(act.at).isoformat(),
        "who": act.by.username if act.by else "",
        "verb": act.verb,
        "subject": act.subject,
        "player": act.player.username if act.player else "",
        "reason": audit_log.reason_said(act),
        "details": json.dumps(act.details) if act.details else "",
    }


def _paper(acts: list[StaffAction], now: datetime) -> bytes:
    title = gettext("Audit log")
    said = ngettext("{n:,} entry, made {at}", "{n:,} entries, newest first, made {at}", len(acts))
    columns = [
        Column(gettext("When"), 2.3),
        Column(gettext("Who"), 1.6),
        Column(gettext("What"), 2.8, wraps=True),
        Column(gettext("Subject"), 2.4, wraps=True),
        Column(gettext("Why"), 5, wraps=True),
    ]
    return listed(title, filled(said, n=len(acts), at=moment(now)), columns, [_cells(Line(act)) for act in acts])


def _cells(line: Line) -> tuple[str, ...]:
    act = line.act
    return (
        moment_said(act.at),
        line.who,
        line.what,
        " ".join(filter(None, [line.subject, act.player.username if act.player else ""])),
        joined(filter(None, [line.why, line.details])),
    )


# Shapes, pages and REST


class FaultQuery(Query):
    words = serializers.CharField(required=False, max_length=60, help_text="Part of its message or its origin.")
    cursor = Number(required=False)
    limit = Number(required=False)


class FaultOut(serializers.ModelSerializer[Fault]):
    """Something that went wrong in the server: `times`, from `first_at` to `at`, in the same place. What is said of it
    is of the last time."""

    details = serializers.DictField(child=serializers.CharField())

    class Meta:
        model = Fault
        fields = ("id", "at", "first_at", "times", "level", "logger", "message", "details", "trace")
        read_only_fields = fields


class Act(Shape):
    """What somebody of the staff did."""

    of = StaffAction
    shows = "id at by verb subject player reason details"
    by = serializers.CharField(source="by.username", default=None, allow_null=True, help_text="null: the house.")
    player = serializers.CharField(source="player.username", default=None, allow_null=True)
    reason = Sentence()
    details = serializers.DictField()


class ActQuery(Query):
    who = serializers.CharField(required=False, max_length=60, help_text="A screen name.")
    verb = serializers.CharField(required=False, max_length=60, help_text="The action, or its beginning: cage.")
    subject = serializers.CharField(required=False, max_length=60, help_text="Such as table:3.")
    since = serializers.DateField(required=False)
    until = serializers.DateField(required=False)


class EventOrder(Order):
    text = Reason()


class SealedView(serializers.Serializer[Any]):
    """A view of sealed cards."""

    id = serializers.IntegerField()
    reason = serializers.CharField()
    opened_at = serializers.DateTimeField()
    until = serializers.DateTimeField(help_text="When it ends by itself.")


class SealedViewOrder(Order):
    reason = Text(min_length=5, max_length=300, help_text="Why you need to see sealed cards.")
    minutes = WholeNumber(
        default=sealed_views.MINUTES,
        min_value=1,
        max_value=sealed_views.MOST_MINUTES,
        help_text="How long the view stays open.",
    )


# -- pages -------------------------------------------------------------------------------------------------------------


def acts(request: HttpRequest) -> HttpResponse:
    """`?who=` a screen name, `?verb=` its beginning, `?subject=` such as table:3, `?since=` and `?until=` days."""
    is_part = request.htmx and not request.htmx.history_restore_request
    template = "cardroom/office/_trail.html" if is_part else "cardroom/office/trail.html"
    forms = (("csv", "CSV"), ("pdf", "PDF"))
    return a_log(request, template, audit_log.acts, ACTS_A_PAGE, *_ASKED, shown=Line, forms=forms)


def acts_file(request: HttpRequest, *, form: str) -> HttpResponse:
    """The same as a file, the newest acts where there are more than it holds."""
    return of.file_answer(_file(request.user, form=form, **looked_for(request, *_ASKED)), is_saved=True)


def errors(request: HttpRequest) -> HttpResponse:
    """`?q=` words of the message or its source."""
    words = in_a_line(request.GET.get("q", ""))
    context = {"words": words, "kept": faults.KEPT}
    found = a_page(request, faults.newest(words=words), FAULTS_A_PAGE)
    return render(request, "cardroom/office/faults.html", found | context)


def in_a_line(said: str) -> str:
    """Words to look for, as they are typed."""
    return " ".join(said.replace("\0", "").split())[:60]


def looked_for(request: HttpRequest, *words: str) -> dict[str, Any]:
    """What is looked for: these words, and the days `since` and `until`. `Invalid`: no such day."""
    asked: dict[str, str | date | None] = {name: in_a_line(request.GET.get(name, "")) for name in words}
    return asked | {name: day_of(request.GET.get(name, "")) for name in ("since", "until")}


def a_page(request: HttpRequest, found: Any, size: int) -> dict[str, Any]:
    """The page of these rows that is asked for, and the `query` that leads to the others."""
    query = request.GET.copy()
    query.pop("page", None)
    return {"page": Paginator(found, size).get_page(request.GET.get("page")), "query": query.urlencode()}


def a_log(
    request: HttpRequest,
    template: str,
    finds: Any,
    size: int,
    *words: str,
    shown: Callable[[Any], Any] | None = None,
    **more: Any,
) -> HttpResponse:
    """A page of what is found by these words and days, each as it is `shown`; of all there is, and why, where a day is
    none."""
    refusal, status = "", 200
    try:
        found = finds(**looked_for(request, *words))
    except Invalid as error:
        found, refusal, status = finds(), error.message, error.status
    told = a_page(request, found, size) | {"asked": request.GET, "refusal": refusal, **more}
    if shown is not None:
        told["page"].object_list = [shown(row) for row in told["page"]]
    return render(request, template, told, status=status)


PAGES = [
    Page("trail/", "trail", acts, audit_log.READERS),
    Page("trail/trail.<slug:form>", "trail_export", acts_file, audit_log.READERS),
    Page("staff/errors/", "faults", errors, faults.READERS),
]


# -- verbs -------------------------------------------------------------------------------------------------------------


def _file(by: User, *, form: str, **asked: Any) -> File:
    return file_of(audit_log.acts(**asked), form=form, now=timezone.now())


def _opened(by: User) -> Any:
    found = sealed_views.opened(user=by, now=timezone.now())
    if found is None:
        raise NotFound("no-sealed-view", "You have no view of sealed cards open.")
    return found


_log = partial(Read, tag="trail", scope="direct", roles=audit_log.READERS, query=ActQuery)

DECLARED = [
    _log(
        name="trail", summary="The audit log", address="trail", description="The actions of staff.", out=Act,
        paged=True,
        finds=lambda by, before, limit, **asked: older(audit_log.acts(**asked).order_by("-pk"), before, limit),
    ),
    Operation(
        name="add_event", summary="Add an entry to the audit log", tag="trail", scope="direct", address="trail",
        description="For staff, in their own words.", does=add_event, order=EventOrder,
        keyed=True, status=201, out=Act, refuses=(409,),
    ),
    _log(
        name="trail_file", summary="The audit log as CSV or PDF", address="trail/<slug:form>", finds=_file,
        is_saved=True,
        media={"text/csv": "", PDF: ""},
    ),
    Read(
        name="faults", summary="The error log", tag="trail", scope="direct", address="faults", roles=faults.READERS,
        description="Errors of the server, without cards or secrets. For managers and auditors.",
        query=FaultQuery, out=FaultOut, paged=True,
        finds=lambda by, before, limit, words="": faults.newest(words=words, before=before)[:limit],
    ),
    # Sealed cards
    Read(
        name="sealed_view", summary="Your open view", tag="me", address="me/sealed-view", scope="direct",
        out=SealedView, finds=_opened, refuses=(404,),
    ),
    Operation(
        name="open_sealed_view", summary="Request a view of sealed cards", tag="me", address="me/sealed-view",
        description="For auditors. A manager or another auditor opens it by approval. It shows hands that are over. "
        "The reason and every look are recorded.", scope="direct", asks_factor=True,
        does=sealed_views.ask, order=SealedViewOrder, keyed=True, status=202, out=ApprovalOut, refuses=(409,),
    ),
    Operation(
        name="close_sealed_view", summary="Close every view you have open", tag="me", method="DELETE",
        address="me/sealed-view", scope="direct", asks_factor=True, does=sealed_views.close, actor="user", status=204,
    ),
]  # fmt: skip

api = of.resources(DECLARED)
urlpatterns = of.pages(PAGES, DECLARED)
