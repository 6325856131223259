"""The cage on paper: receipts of slips, each print after the first marked as a copy, and the report of a drawer."""

from datetime import datetime
from functools import partial
from typing import Annotated, Any

from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_noop, pgettext

from cardroom.cage import books as cage_books
from cardroom.cage import queries as cage_queries
from cardroom.cage.models import DrawerSession, Slip, SlipPrint
from cardroom.core import access, audit_log, room_time, sentences
from cardroom.core.arguments import RowId, internal
from cardroom.core.documents import A6, CSV, PDF, File, as_csv, mm, moment
from cardroom.core.errors import Conflict
from cardroom.core.models import User
from cardroom.core.paper import A4, Column, Paper
from cardroom.core.sentences import filled, signed, to_english
from cardroom.core.verb import lock, verb

SEES = ("cashier", "manager", "auditor")
#: Directors and the floor see the drawers of the tournament desk.
SEES_DRAWERS = (*cage_books.EVENT_DESK, "auditor")
_COLUMNS = ("slip", "at", "kind", "player", "to", "amount", "unit", "by", "reverses", "approval", "event", "reason")


@verb("cage.print")
def receipt(*, slip_id: RowId, address: Annotated[str, internal] = "", by: User) -> File:
    """The receipt of a slip as a PDF; from the second print on it says which copy it is. `address`: what its square
    code says.

    For the cage, auditors, and the player themselves; for others it is not there (`NotFound`). Locks the slip.
    """
    slip, now = lock(cage_books.WHOLE_SLIPS, slip_id)
    is_staff = access.has_role(by, *SEES)
    cage_queries.check_may_see(slip, by, is_staff=is_staff)
    copy = SlipPrint.objects.filter(slip=slip).count()
    SlipPrint.objects.create(slip=slip, number=copy, by=by, at=now)
    if is_staff:
        audit_log.note(verb="cage.print", subject=f"slip:{slip.pk}", player=slip.player, by=by, now=now, copy=copy)
    return File(f"slip-{slip.number}.pdf", PDF, partial(_slip_pdf, slip, copy, now, address))


def _slip_pdf(slip: Slip, copy: int, now: datetime, address: str) -> bytes:
    paper = Paper(gettext("Slip {number}").format(number=slip.number), A6, margin=9 * mm)
    y = paper.margin + 14
    paper.line(capfirst(slip.get_kind_display()), paper.margin, y, size=16, bold=True, width=0.7 * paper.inner)
    paper.line(slip.number, paper.width - paper.margin, y, size=12, bold=True, align="right")
    y += 16
    if copy:
        text = gettext("COPY {copy}, {at}").format(copy=copy, at=moment(now))
        paper.line(text, paper.margin, y, size=9, bold=True)
        y += 14
    paper.rule(y - 4)
    y += 14
    if slip.player:
        paper.line(slip.player.username, paper.margin, y, size=13, bold=True, width=paper.inner)
        name = f"{slip.player.first_name} {slip.player.last_name}".strip()
        paper.line(name, paper.margin, y + 14, size=9, grey=True)
        y += 34
    if slip.to:
        y = _pair(paper, pgettext("a person", "To"), slip.to.username, y)
    if slip.reverses_id:
        y = _pair(paper, gettext("Reverses slip"), f"{slip.reverses_id:06}", y)
    paper.rule(y - 9)
    paper.line(str(cage_books.UNITS.get(slip.unit, slip.unit)), paper.margin, y + 6, size=12, bold=True)
    paper.line(sentences.number(slip.amount), paper.width - paper.margin, y + 6, size=15, bold=True, align="right")
    y = paper.lines(slip.reason_text, paper.margin, y + 26, size=8, width=paper.inner)
    if hasattr(slip, "reversed_by"):
        text = gettext("REVERSED by slip {number}").format(number=slip.reversed_by.number)
        paper.line(text, paper.margin, y + 12, size=13, bold=True)
    _foot(paper, slip, address)
    return paper.done()


def _foot(paper: Paper, slip: Slip, address: str) -> None:
    bottom, code = paper.height - paper.margin, 24 * mm
    if address:
        paper.code(address, paper.width - paper.margin - code, bottom - code, size=code)
    lines = [moment(slip.at), gettext("Cashier: {name}").format(name=slip.by)]
    if slip.approval and slip.approval.decided_by:
        lines.append(gettext("Approved by: {name}").format(name=slip.approval.decided_by))
    if slip.session:
        lines.append(_session_name(slip.session))
    for line in reversed(lines):
        paper.line(line, paper.margin, bottom, size=8, grey=True, width=paper.inner - code - 6)
        bottom -= 11
    paper.rule(bottom - 14, width=0.55 * paper.inner)
    paper.line(gettext("Signature"), paper.margin, bottom - 4, size=7, grey=True)


def _session_name(session: DrawerSession) -> str:
    return gettext("{drawer}, session {number}").format(drawer=session.drawer, number=session.pk)


def _pair(paper: Paper, name: str, value: str, y: float) -> float:
    paper.line(name, paper.margin, y, size=9, width=0.55 * paper.inner)
    paper.line(value, paper.width - paper.margin, y, size=9, width=0.42 * paper.inner, align="right")
    return y + 15


def session_report(*, session_id: int, form: str, by: User, now: datetime) -> File:
    """A drawer from its opening to its closing count: as `pdf` counts and sums, as `csv` every slip.

    For the cage and auditors, and of the tournament desk for those who work there. Refuses: `Forbidden`, `NotFound`,
    `Conflict` (open, for those who may come to count it).
    """
    access.require_role(by, *SEES_DRAWERS)
    session = cage_queries.session(session_id, viewer=by)
    _check_counted(session, by)
    name = f"drawer-session-{session.pk}.{form}"
    if form == "csv":
        return File(name, CSV, partial(_slips, session=session.pk, limit=100_000, is_oldest_first=True))
    return File(name, PDF, partial(_report, session, now))


def slips_csv(*, by: User, session: int | None = None, **wanted: Any) -> File:
    """Slips as CSV, which is easily added up: without those of drawers that `by` may come to count, and `Conflict`
    where it is of such a drawer."""
    if session is not None:
        _check_counted(cage_queries.session(session), by)
    return File("slips.csv", CSV, partial(_slips, limit=10_000, session=session, blind_for=by, **wanted))


def _slips(*, is_oldest_first: bool = False, **wanted: Any) -> bytes:
    rows = cage_queries.slips(**wanted)
    return as_csv(_COLUMNS, map(_row, rows[::-1] if is_oldest_first else rows))


def _check_counted(session: DrawerSession, by: User) -> None:
    if cage_queries.counts_blind(by, session):
        message = gettext_noop(
            "{drawer} was counted by another cashier, and counts are blind: "
            "only the person who counted it can read its report."
        )
        if session.state != DrawerSession.State.CLOSED:
            message = gettext_noop(
                "{drawer} is not closed yet, and counts are blind: only the person who counted it can read its report."
            )
        raise Conflict("not-counted", message, drawer=session.drawer)


def _row(slip: Slip) -> dict[str, object]:
    return {
        "slip": slip.pk,
        "at": room_time.iso(slip.at),
        "kind": str(slip.kind),
        "player": slip.player.username if slip.player else "",
        "to": slip.to.username if slip.to else "",
        "amount": slip.amount,
        "unit": slip.unit,
        "by": slip.by.username,
        "reverses": slip.reverses_id,
        "approval": slip.approval_id,
        "event": slip.event,
        "reason": to_english(slip.reason),
    }


def _report(session: DrawerSession, now: datetime) -> bytes:
    paper = Paper(gettext("Drawer report {number}").format(number=session.pk), A4)
    y, head = paper.margin + 16, _session_name(session)
    paper.line(head, paper.margin, y, size=17, bold=True)
    text = gettext("{cashier}, {since}, open at {at}")
    if session.closed_at:
        text = gettext("{cashier}, {since} to {at}")
    text = text.format(cashier=session.cashier, since=moment(session.opened_at), at=moment(session.closed_at or now))
    paper.line(text, paper.margin, y + 16, size=10, grey=True)
    sums = [[capfirst(total.name), total.number, total.amount, total.money] for total in cage_queries.totals(session)]
    columns = [
        Column(gettext("Slips"), 4),
        Column(pgettext("how many", "Number"), 1, is_number=True),
        Column(gettext("Amount"), 2, is_number=True),
        Column(gettext("Money in the drawer"), 2, is_number=True),
    ]
    y = paper.listing(columns, sums, y + 44, head=head, size=10)
    counts = [
        [
            capfirst(row.get_what_display()),
            moment(row.at),
            row.expected,
            row.counted,
            signed(row.difference) or 0,
            row.number or "",
            row.reason,
        ]
        for row in session.counts.all()
    ]
    columns = [
        Column(pgettext("what was counted", "Count"), 1.4),
        Column(gettext("At"), 3),
        Column(gettext("Expected"), 1.5, is_number=True),
        Column(gettext("Counted"), 1.5, is_number=True),
        Column(gettext("Difference"), 1.4, is_number=True),
        Column(gettext("Counts made"), 1.4, is_number=True),
        Column(" " + gettext("Reason"), 3.4),
    ]
    y = paper.listing(columns, counts, y + 24, head=head, size=9)
    if session.left_in is not None:
        paper.line(
            filled(gettext("Left in the drawer: {chips:,}"), chips=session.left_in),
            paper.margin,
            y + 16,
            size=11,
            bold=True,
        )
        y += 20
    paper.rule(y + 50, width=0.4 * paper.inner)
    paper.line(gettext("Cashier"), paper.margin, y + 60, size=8, grey=True)
    paper.rule(y + 50, x=paper.margin + 0.6 * paper.inner, width=0.4 * paper.inner)
    paper.line(gettext("Second person"), paper.margin + 0.6 * paper.inner, y + 60, size=8, grey=True)
    return paper.done()
