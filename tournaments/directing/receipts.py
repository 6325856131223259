"""Receipts of an event, printed.

A receipt that was printed before is marked as a second print; the audit log keeps who printed it, and when.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy

from cardroom.core import access, sentences
from cardroom.core.documents import A6, mm, moment
from cardroom.core.errors import Forbidden, Illegal, NotFound
from cardroom.core.models import User
from cardroom.core.paper import Paper
from cardroom.core.sentences import filled
from tournaments.events import staff
from tournaments.events.models import Payment, Tournament, TournamentEntry
from tournaments.prizes.models import Payout
from tournaments.registration import queries as registration_queries

_PRINTED = "receipt printed"


@transaction.atomic
def note_print(receipt: Payment | Payout, *, by: User, now: datetime) -> int:
    """Write down that the receipt is printed now. Returns how often it had been printed before. Locks the receipt."""
    type(receipt).objects.select_for_update(no_key=True).get(pk=receipt.pk)
    kind = ContentType.objects.get_for_model(receipt)
    printed = LogEntry.objects.filter(content_type=kind, object_id=str(receipt.pk), change_message=_PRINTED)
    times = printed.count()
    LogEntry.objects.create(
        user=by,
        content_type=kind,
        object_id=str(receipt.pk),
        object_repr=str(receipt)[:200],
        action_flag=CHANGE,
        action_time=now,
        change_message=_PRINTED,
    )
    return times


_PARTS = (
    ("pool", gettext_lazy("For prizes")),
    ("bounty", gettext_lazy("For bounties")),
    ("fee", gettext_lazy("House fee")),
    ("staff", gettext_lazy("For the staff")),
)
_CODE = 26 * mm


def receipt(*, tournament: Tournament, number: int, by: User, now: datetime, address: str = "") -> bytes:
    """The receipt of payment `number` as a PDF; from the second time on it is marked as a reprint. `address`: what its
    square code says, such as the entry's place at the desk; no code without.

    Refuses: `NotFound`, `Forbidden` (neither the player, nor of the desk).
    """
    payment = registration_queries.receipt(tournament, number)
    check_own(payment.entry, by)
    times = note_print(payment, by=by, now=now)
    paper = Paper(gettext("Receipt {number}, {name}").format(number=number, name=tournament.name), A6, margin=9 * mm)
    y = _draw_head(paper, tournament, gettext("Receipt {number}").format(number=number), times, now)
    y = _draw_player(paper, payment.entry, y)
    y = _draw_pair(paper, capfirst(payment.get_what_display()), payment.get_method_display(), y)
    for part, title in _PARTS:
        if amount := getattr(payment, part):
            y = _draw_pair(paper, str(title), sentences.number(amount), y)
    y = _draw_total(paper, gettext("Paid"), payment.total, y)
    if payment.chips:
        y = _draw_pair(paper, gettext("Tournament chips"), sentences.number(payment.chips), y)
    if payment.refunded_at is not None:
        paper.line(gettext("REFUNDED"), paper.margin, y + 12, size=16, bold=True)
        y = paper.lines(
            f"{moment(payment.refunded_at)}: {payment.refund_reason_text}",
            paper.margin,
            y + 24,
            size=8,
            width=paper.inner,
        )
    _draw_foot(paper, payment.at, payment.by, address)
    return paper.done()


def prize_receipt(*, tournament: Tournament, number: int, by: User, now: datetime, address: str = "") -> bytes:
    """The receipt of payout `number`, as `receipt`, be it undone since; `Illegal` as long as it is not paid."""
    rows = Payout.objects.filter(tournament=tournament, number=number).select_related("entry", "ticket", "by")
    payout = rows.first()
    if payout is None:
        raise NotFound("no-such-receipt", "There is no payout {number} in this tournament.", number=number)
    check_own(payout.entry, by)
    if payout.state == Payout.State.DUE or payout.paid_at is None:
        raise Illegal("not-paid", "{name} is not paid yet: there is no receipt.", name=payout.entry.name)
    paper = Paper(gettext("Payout {number}, {name}").format(number=number, name=tournament.name), A6, margin=9 * mm)
    _prize_receipt(paper, tournament, payout, by, now, address)
    return paper.done()


def prize_receipts(
    *, tournament: Tournament, by: User, now: datetime, address: Callable[[int], str] | None = None
) -> bytes:
    """The receipts of all payouts that are paid, a page each; those that were printed before are marked as reprints.
    `address`: what the square code of one says, by its number.

    Refuses: `Forbidden` (not of the desk), `NotFound` (nothing is paid).
    """
    access.require_role(by, *staff.DESK)
    rows = Payout.objects.filter(tournament=tournament, state=Payout.State.PAID).select_related("entry", "ticket", "by")
    paid = [payout for payout in rows.order_by("number") if payout.paid_at is not None]
    if not paid:
        raise NotFound("no-receipts", "No prize is paid yet: there are no receipts to print.")
    paper = Paper(gettext("Payouts, {name}").format(name=tournament.name), A6, margin=9 * mm)
    for place, payout in enumerate(paid):
        if place:
            paper.turn()
        code = address(payout.number) if address is not None else ""
        _prize_receipt(paper, tournament, payout, by, now, code)
    return paper.done()


def _prize_receipt(paper: Paper, tournament: Tournament, payout: Payout, by: User, now: datetime, address: str) -> None:
    number, times = payout.number, note_print(payout, by=by, now=now)
    y = _draw_head(paper, tournament, gettext("Payout {number}").format(number=number), times, now)
    y = _draw_player(paper, payout.entry, y)
    if payout.place:
        y = _draw_pair(
            paper,
            gettext("Place"),
            filled(gettext("{place} of {entries_count:,}"), place=payout.place, entries_count=tournament.entries_count),
            y,
        )
    y = _draw_pair(paper, capfirst(payout.get_what_display()), payout.get_method_display(), y)
    y = _draw_total(
        paper,
        gettext("Ticket worth") if payout.method == Payout.PaidBy.TICKET else gettext("Paid out"),
        payout.amount,
        y,
    )
    if payout.undone_at is not None:
        paper.line(gettext("UNDONE"), paper.margin, y + 12, size=16, bold=True)
        paper.lines(
            f"{moment(payout.undone_at)}: {sentences.to_text(payout.undone_reason)}",
            paper.margin,
            y + 24,
            size=8,
            width=paper.inner,
        )
    paper.rule(paper.height - 50 * mm)
    paper.line(gettext("Received"), paper.margin, paper.height - 46 * mm, size=8, grey=True)
    _draw_foot(paper, payout.paid_at or now, payout.by, address)


def check_own(entry: TournamentEntry, by: User) -> None:
    """`Forbidden` for all but the player and the desk."""
    if entry.player_id != by.pk and not access.has_role(by, *staff.DESK):
        raise Forbidden("not-yours", "Only the player and the desk can see this.")


def _draw_head(paper: Paper, tournament: Tournament, title: str, times: int, now: datetime) -> float:
    y = paper.margin + 14
    paper.line(title, paper.margin, y, size=16, bold=True)
    paper.line(f"{tournament.pk}-{title.split()[-1]}", paper.width - paper.margin, y, size=8, align="right", grey=True)
    y = paper.lines(tournament.name, paper.margin, y + 16, size=11, width=paper.inner, most=2)
    if times:
        paper.line(
            gettext("REPRINT {times}, {moment}").format(times=times, moment=moment(now)),
            paper.margin,
            y + 1,
            size=9,
            bold=True,
        )
        y += 14
    paper.rule(y - 4)
    return y + 10


def _draw_player(paper: Paper, entry: TournamentEntry, y: float) -> float:
    paper.line(entry.name, paper.margin, y + 2, size=13, bold=True, width=paper.inner)
    text = gettext("Entry {number}, table {table}, seat {seat}") if entry.table else gettext("Entry {number}")
    text = text.format(number=entry.number, table=entry.table, seat=entry.seat)
    paper.line(text, paper.margin, y + 16, size=9, grey=True)
    return y + 34


def _draw_pair(paper: Paper, name: str, value: str, y: float) -> float:
    paper.line(name, paper.margin, y, size=9, width=0.55 * paper.inner)
    paper.line(value, paper.width - paper.margin, y, size=9, width=0.42 * paper.inner, align="right")
    return y + 14


def _draw_total(paper: Paper, name: str, amount: int, y: float) -> float:
    paper.rule(y - 9)
    paper.line(name, paper.margin, y + 5, size=12, bold=True)
    paper.line(sentences.number(amount), paper.width - paper.margin, y + 5, size=12, bold=True, align="right")
    return y + 24


def _draw_foot(paper: Paper, at: datetime, by: User | None, address: str) -> None:
    bottom = paper.height - paper.margin
    if address:
        paper.code(address, paper.width - paper.margin - _CODE, bottom - _CODE, size=_CODE)
    wide = paper.inner - _CODE - 6
    paper.line(moment(at), paper.margin, bottom - 12, size=8, width=wide)
    paper.line(
        gettext("by {username}").format(username=by.username) if by is not None else gettext("by the house"),
        paper.margin,
        bottom,
        size=8,
        width=wide,
    )
