"""The audit log of what staff did, for managers and auditors."""

import json
from collections.abc import Callable
from datetime import date, datetime
from typing import Annotated, Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from rest_framework import serializers

from cardroom.core import audit_log, room_time
from cardroom.core.arguments import Limits, Reason
from cardroom.core.documents import CSV, PDF, File, as_csv, listing_pdf, moment
from cardroom.core.errors import Invalid, NotFound
from cardroom.core.models import StaffAction, User
from cardroom.core.paper import Column
from cardroom.core.sentences import filled, joined, to_text
from cardroom.core.verb import current_time, verb
from cardroom.core.web.api.fields import Sentence
from cardroom.core.web.api.routes import older
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.file_answers import file_answer
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Page
from cardroom.core.web.parts import day_of
from cardroom.core.web.resources import Resource, addresses, does, reads
from cardroom.office.acts import AuditRow, moment_text

ACTS_A_PAGE = 100
_ASKED = ("who", "verb", "subject")


@verb("trail.add_event", roles=("dealer", "floor", "cashier", "director", "manager"))
def add_event(*, text: Reason, by: User) -> StaffAction:
    """Add an entry by hand, about something that no service does. For staff."""
    words = audit_log.reason_given(text, what=gettext("an entry in the audit log"))
    return audit_log.note(verb="event", subject="room", by=by, now=current_time(), reason=words)


#: The most acts of a file; the newest are in it.
MOST_CSV, MOST_PDF = 100_000, 2_000
_COLUMNS = ("at", "who", "verb", "subject", "player", "reason", "details")
_A_CHUNK = 2_000


def file_of(rows: QuerySet[StaffAction], *, form: str, now: datetime) -> File:
    """These acts as `csv` or `pdf`; `NotFound` for another form."""
    name = f"trail-{room_time.today(now)}.{form}"
    if form == "csv":
        acts = rows[:MOST_CSV]
        return File(name, CSV, lambda: as_csv(_COLUMNS, map(_row, acts.iterator(chunk_size=_A_CHUNK))))
    if form == "pdf":
        return File(name, PDF, lambda: _paper(list(rows[:MOST_PDF]), now))
    raise NotFound("no-such-form", "The audit log comes as CSV and PDF.")


def _row(act: StaffAction) -> dict[str, Any]:
    return {
        "at": room_time.local(act.at).isoformat(),
        "who": act.by.username if act.by else "",
        "verb": act.verb,
        "subject": act.subject,
        "player": act.player.username if act.player else "",
        "reason": to_text(act.reason),
        "details": json.dumps(act.details) if act.details else "",
    }


def _paper(acts: list[StaffAction], now: datetime) -> bytes:
    title = gettext("Audit log")
    subtitle = ngettext("{n:,} entry, made {at}", "{n:,} entries, newest first, made {at}", len(acts))
    columns = [
        Column(gettext("When"), 2.3),
        Column(gettext("Who"), 1.6),
        Column(gettext("What"), 2.8, wraps=True),
        Column(gettext("Subject"), 2.4, wraps=True),
        Column(gettext("Why"), 5, wraps=True),
    ]
    return listing_pdf(
        title, filled(subtitle, n=len(acts), at=moment(now)), columns, [_cells(AuditRow(act)) for act in acts]
    )


def _cells(line: AuditRow) -> tuple[str, ...]:
    act = line.act
    return (
        moment_text(act.at),
        line.who,
        line.what,
        " ".join(filter(None, [line.subject, act.player.username if act.player else ""])),
        joined(filter(None, [line.why, line.details])),
    )


class AuditEntry(Shape):
    """An act of staff."""

    of = StaffAction
    field_names = "id at by verb subject player reason details"
    by = serializers.CharField(source="by.username", default=None, allow_null=True, help_text="null: the house.")
    player = serializers.CharField(source="player.username", default=None, allow_null=True)
    reason = Sentence()
    details = serializers.DictField()


def acts(request: HttpRequest) -> HttpResponse:
    """`?who=` a screen name, `?verb=` its beginning, `?subject=` such as table:3, `?since=` and `?until=` days."""
    is_part = request.htmx and not request.htmx.history_restore_request
    template = "cardroom/office/_trail.html" if is_part else "cardroom/office/trail.html"
    forms = (("csv", "CSV"), ("pdf", "PDF"))
    return log_page(request, template, audit_log.acts, ACTS_A_PAGE, *_ASKED, shown=AuditRow, forms=forms)


def acts_file(request: HttpRequest, *, form: str) -> HttpResponse:
    """The acts of the audit log as a file: the newest ones where there are more than it holds."""
    entries = audit_log.acts(**search_of(request, *_ASKED))
    return file_answer(file_of(entries, form=form, now=timezone.now()), is_saved=True)


def one_line(words: str) -> str:
    """The typed search words on one line."""
    return " ".join(words.replace("\0", "").split())[:60]


def search_of(request: HttpRequest, *words: str) -> dict[str, Any]:
    """The search of a request: these words, and the days `since` and `until`. `Invalid`: no such day."""
    wanted: dict[str, str | date | None] = {name: one_line(request.GET.get(name, "")) for name in words}
    return wanted | {name: day_of(request.GET.get(name, "")) for name in ("since", "until")}


def page_context(request: HttpRequest, rows: Any, size: int) -> dict[str, Any]:
    """The page of these rows that is asked for, and the `query` that leads to the others."""
    query = request.GET.copy()
    query.pop("page", None)
    return {"page": Paginator(rows, size).get_page(request.GET.get("page")), "query": query.urlencode()}


def log_page(
    request: HttpRequest,
    template: str,
    finds: Any,
    size: int,
    *words: str,
    shown: Callable[[Any], Any] | None = None,
    **more: Any,
) -> HttpResponse:
    """A page of the rows found by these words and days, each drawn by `shown`; where a day is invalid, of all rows with
    the refusal."""
    refusal, status = "", 200
    try:
        rows = finds(**search_of(request, *words))
    except Invalid as error:
        rows, refusal, status = finds(), error.message, error.status
    context = page_context(request, rows, size) | {"asked": request.GET, "refusal": refusal, **more}
    if shown is not None:
        context["page"].object_list = [shown(row) for row in context["page"]]
    return render(request, template, context, status=status)


PAGES = [
    Page("trail/", "trail", acts, audit_log.READERS),
    Page("trail/trail.<slug:form>", "trail_export", acts_file, audit_log.READERS),
]


ScreenName = Annotated[str, Limits(max_length=60, help_text="A screen name.")]
VerbOrBeginning = Annotated[str, Limits(max_length=60, help_text="The action, or its beginning: cage.")]
Subject = Annotated[str, Limits(max_length=60, help_text="Such as table:3.")]


def newest(
    *,
    who: ScreenName = "",
    verb: VerbOrBeginning = "",
    subject: Subject = "",
    since: date | None = None,
    until: date | None = None,
    before: int | None,
    limit: int,
    by: User,
) -> list[StaffAction]:
    """The actions of staff, the newest first."""
    entries = audit_log.acts(who=who, verb=verb, subject=subject, since=since, until=until)
    return older(entries.order_by("-pk"), before, limit)


def as_file(
    *,
    form: str,
    who: ScreenName = "",
    verb: VerbOrBeginning = "",
    subject: Subject = "",
    since: date | None = None,
    until: date | None = None,
    by: User,
) -> File:
    """The acts of the audit log as a file. Refuses as `file_of`."""
    entries = audit_log.acts(who=who, verb=verb, subject=subject, since=since, until=until)
    return file_of(entries, form=form, now=timezone.now())


class TrailResource(Resource):
    path, tags, scope = "trail", ("trail",), "direct"
    get = reads(
        newest,
        name="trail",
        summary="The audit log",
        description="The actions of staff.",
        answers=AuditEntry,
        roles=audit_log.READERS,
    )
    post = does(
        add_event,
        name="add_event",
        summary="Add an entry to the audit log",
        description="For staff, in their own words.",
        answers=AuditEntry,
        status=201,
        refuses=(409,),
    )


class TrailFileResource(Resource):
    path, tags, scope = "trail/<slug:form>", ("trail",), "direct"
    get = reads(
        as_file,
        name="trail_file",
        summary="The audit log as CSV or PDF",
        roles=audit_log.READERS,
        media={"text/csv": "", PDF: ""},
        is_saved=True,
    )


api = addresses([TrailResource, TrailFileResource])
urlpatterns = page_urls(PAGES)
