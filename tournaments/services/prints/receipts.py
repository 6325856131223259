"""Receipts: of what was paid for an entry, and of what was won."""

from __future__ import annotations

from datetime import datetime

from cardroom.models import User
from cardroom.services import access
from cardroom.services.errors import Forbidden, Illegal, NotFound
from cardroom.services.prints.paper import A6, Paper, mm
from cardroom.services.prints.words import moment
from tournaments.models import Payout, Tournament, TournamentEntry
from tournaments.selectors import entries
from tournaments.services import payouts, staff
from tournaments.services.prints import reprints

_PARTS = (("pool", "For prizes"), ("bounty", "For bounties"), ("fee", "House fee"), ("staff", "For the staff"))
_CODE = 26 * mm


def receipt(*, tournament: Tournament, number: int, by: User, now: datetime, address: str = "") -> bytes:
    """The receipt of payment `number` as a PDF; from the second time on it is marked as a reprint. `address`: what its
    square code says, such as the entry's place at the desk; no code without.

    Refuses: `NotFound`, `Forbidden` (neither the player, nor of the desk).
    """
    payment = entries.receipt(tournament, number)
    check_own(payment.entry, by)
    times = reprints.note(payment, by=by, now=now)
    paper = Paper(f"Receipt {number}, {tournament.name}", A6, margin=9 * mm)
    y = _head(paper, tournament, f"Receipt {number}", times, now)
    y = _who(paper, payment.entry, y)
    y = _pair(paper, payment.get_what_display().capitalize(), payment.get_method_display(), y)
    for part, title in _PARTS:
        if amount := getattr(payment, part):
            y = _pair(paper, title, f"{amount:,}", y)
    y = _sum(paper, "Paid", payment.total, y)
    if payment.chips:
        y = _pair(paper, "Tournament chips", f"{payment.chips:,}", y)
    if payment.refunded_at is not None:
        paper.line("REFUNDED", paper.margin, y + 12, size=16, bold=True)
        y = paper.lines(
            f"{moment(payment.refunded_at)}: {payment.refund_reason}", paper.margin, y + 24, size=8, width=paper.inner
        )
    return _foot(paper, payment.at, payment.by, address)


def prize_receipt(*, tournament: Tournament, number: int, by: User, now: datetime, address: str = "") -> bytes:
    """The receipt of payout `number`, as `receipt`; `Illegal` as long as it is not paid."""
    payout = payouts.receipts(tournament).filter(number=number).first()
    if payout is None:
        raise NotFound(f"There is no payout {number} in this event.", "no-such-receipt")
    check_own(payout.entry, by)
    if payout.state != Payout.State.PAID or payout.paid_at is None:
        raise Illegal(f"{payout.entry.name} has not been paid yet: there is no receipt.", "not-paid")
    times = reprints.note(payout, by=by, now=now)
    paper = Paper(f"Payout {number}, {tournament.name}", A6, margin=9 * mm)
    y = _head(paper, tournament, f"Payout {number}", times, now)
    y = _who(paper, payout.entry, y)
    if payout.place:
        y = _pair(paper, "Place", f"{payout.place} of {tournament.entries_count:,}", y)
    y = _pair(paper, payout.get_what_display().capitalize(), payout.get_method_display(), y)
    y = _sum(paper, "Ticket worth" if payout.method == Payout.Method.TICKET else "Paid out", payout.amount, y)
    paper.rule(paper.height - 50 * mm)
    paper.line("Received", paper.margin, paper.height - 46 * mm, size=8, grey=True)
    return _foot(paper, payout.paid_at, payout.by, address)


def check_own(entry: TournamentEntry, by: User) -> None:
    """`Forbidden` for whoever is neither the player nor of the desk."""
    if entry.player_id != by.pk and not access.has_role(by, *staff.DESK):
        raise Forbidden("This is for the player themselves and the staff of the desk.", "not-yours")


def _head(paper: Paper, tournament: Tournament, title: str, times: int, now: datetime) -> float:
    y = paper.margin + 14
    paper.line(title, paper.margin, y, size=16, bold=True)
    paper.line(f"{tournament.pk}-{title.split()[-1]}", paper.width - paper.margin, y, size=8, align="right", grey=True)
    y = paper.lines(tournament.name, paper.margin, y + 16, size=11, width=paper.inner, most=2)
    if times:
        paper.line(f"REPRINT {times}, {moment(now)}", paper.margin, y + 1, size=9, bold=True)
        y += 14
    paper.rule(y - 4)
    return y + 10


def _who(paper: Paper, entry: TournamentEntry, y: float) -> float:
    paper.line(entry.name, paper.margin, y + 2, size=13, bold=True, width=paper.inner)
    where = f", table {entry.table}, seat {entry.seat}" if entry.table else ""
    paper.line(f"Entry {entry.number}{where}", paper.margin, y + 16, size=9, grey=True)
    return y + 34


def _pair(paper: Paper, name: str, value: str, y: float) -> float:
    paper.line(name, paper.margin, y, size=9, width=0.55 * paper.inner)
    paper.line(value, paper.width - paper.margin, y, size=9, width=0.42 * paper.inner, align="right")
    return y + 14


def _sum(paper: Paper, name: str, amount: int, y: float) -> float:
    paper.rule(y - 9)
    paper.line(name, paper.margin, y + 5, size=12, bold=True)
    paper.line(f"{amount:,}", paper.width - paper.margin, y + 5, size=12, bold=True, align="right")
    return y + 24


def _foot(paper: Paper, at: datetime, by: User | None, address: str) -> bytes:
    bottom = paper.height - paper.margin
    if address:
        paper.code(address, paper.width - paper.margin - _CODE, bottom - _CODE, size=_CODE)
    wide = paper.inner - _CODE - 6
    paper.line(moment(at), paper.margin, bottom - 12, size=8, width=wide)
    paper.line(f"by {by.username}" if by is not None else "by the house", paper.margin, bottom, size=8, width=wide)
    return paper.done()
