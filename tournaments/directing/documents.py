"""Printed for an event: receipts, seat cards, move slips, and sheets for the wall.

A receipt that was printed before is marked as a second print; the audit log keeps who printed it, and when.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy, ngettext, pgettext

from cardroom.core import access, room_time, sentences
from cardroom.core.documents import A6, mm, moment
from cardroom.core.errors import Forbidden, Illegal, NotFound
from cardroom.core.models import User
from cardroom.core.paper import A4, Column, Paper
from cardroom.core.sentences import filled, joined, translated
from tournaments.directing import queries as directing_queries
from tournaments.directing.money_report import EventMoney
from tournaments.directing.queries import KnockOut, Move, Result
from tournaments.engine.clock import Level, Structure
from tournaments.engine.config import EventConfig
from tournaments.engine.plain import ordinal
from tournaments.events import journal as event_journal
from tournaments.events import queries as event_words
from tournaments.events import staff, terms
from tournaments.events.models import Payment, Tournament, TournamentEntry
from tournaments.prizes.models import Payout
from tournaments.registration import queries as registration_queries

_PRINTED = "receipt printed"
#: What is kept of slips that were printed, before the number of the last fact by which somebody was moved.
_MOVES_PRINTED = "moves printed to "


@transaction.atomic
def note(receipt: Payment | Payout, *, by: User, now: datetime) -> int:
    """Write down that it is printed now; how often it had been printed before. Locks the receipt."""
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


# Receipts


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
    times = note(payment, by=by, now=now)
    paper = Paper(gettext("Receipt {number}, {name}").format(number=number, name=tournament.name), A6, margin=9 * mm)
    y = _head(paper, tournament, gettext("Receipt {number}").format(number=number), times, now)
    y = _who(paper, payment.entry, y)
    y = _pair(paper, capfirst(payment.get_what_display()), payment.get_method_display(), y)
    for part, title in _PARTS:
        if amount := getattr(payment, part):
            y = _pair(paper, str(title), sentences.number(amount), y)
    y = _sum(paper, gettext("Paid"), payment.total, y)
    if payment.chips:
        y = _pair(paper, gettext("Tournament chips"), sentences.number(payment.chips), y)
    if payment.refunded_at is not None:
        paper.line(gettext("REFUNDED"), paper.margin, y + 12, size=16, bold=True)
        y = paper.lines(
            f"{moment(payment.refunded_at)}: {payment.refund_reason_text}",
            paper.margin,
            y + 24,
            size=8,
            width=paper.inner,
        )
    _foot(paper, payment.at, payment.by, address)
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
    found = [payout for payout in rows.order_by("number") if payout.paid_at is not None]
    if not found:
        raise NotFound("no-receipts", "No prize is paid yet: there are no receipts to print.")
    paper = Paper(gettext("Payouts, {name}").format(name=tournament.name), A6, margin=9 * mm)
    for place, payout in enumerate(found):
        if place:
            paper.turn()
        said = address(payout.number) if address is not None else ""
        _prize_receipt(paper, tournament, payout, by, now, said)
    return paper.done()


def _prize_receipt(paper: Paper, tournament: Tournament, payout: Payout, by: User, now: datetime, address: str) -> None:
    number, times = payout.number, note(payout, by=by, now=now)
    y = _head(paper, tournament, gettext("Payout {number}").format(number=number), times, now)
    y = _who(paper, payout.entry, y)
    if payout.place:
        y = _pair(
            paper,
            gettext("Place"),
            filled(gettext("{place} of {entries_count:,}"), place=payout.place, entries_count=tournament.entries_count),
            y,
        )
    y = _pair(paper, capfirst(payout.get_what_display()), payout.get_method_display(), y)
    y = _sum(
        paper,
        gettext("Ticket worth") if payout.method == Payout.Method.TICKET else gettext("Paid out"),
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
    _foot(paper, payout.paid_at or now, payout.by, address)


def check_own(entry: TournamentEntry, by: User) -> None:
    """`Forbidden` for all but the player and the desk."""
    if entry.player_id != by.pk and not access.has_role(by, *staff.DESK):
        raise Forbidden("not-yours", "Only the player and the desk can see this.")


def _head(paper: Paper, tournament: Tournament, title: str, times: int, now: datetime) -> float:
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


def _who(paper: Paper, entry: TournamentEntry, y: float) -> float:
    paper.line(entry.name, paper.margin, y + 2, size=13, bold=True, width=paper.inner)
    said = gettext("Entry {number}, table {table}, seat {seat}") if entry.table else gettext("Entry {number}")
    said = said.format(number=entry.number, table=entry.table, seat=entry.seat)
    paper.line(said, paper.margin, y + 16, size=9, grey=True)
    return y + 34


def _pair(paper: Paper, name: str, value: str, y: float) -> float:
    paper.line(name, paper.margin, y, size=9, width=0.55 * paper.inner)
    paper.line(value, paper.width - paper.margin, y, size=9, width=0.42 * paper.inner, align="right")
    return y + 14


def _sum(paper: Paper, name: str, amount: int, y: float) -> float:
    paper.rule(y - 9)
    paper.line(name, paper.margin, y + 5, size=12, bold=True)
    paper.line(sentences.number(amount), paper.width - paper.margin, y + 5, size=12, bold=True, align="right")
    return y + 24


def _foot(paper: Paper, at: datetime, by: User | None, address: str) -> None:
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


# Seat cards and move slips, in letters that are read from afar


MOST_CARDS = 320
_CARD = (105 * mm, 74.25 * mm)
_STRIP = 74.25 * mm
_SLIP_QR_SIZE = 24 * mm


def seat_card(*, tournament: Tournament, number: int, by: User, address: str = "") -> bytes:
    """The card of entry `number` with its table and seat. `address`: what its square code says; no code without.

    Refuses: `NotFound`, `Forbidden` (neither the player, nor of the desk), `Illegal` (no seat).
    """
    entry = registration_queries.entry(tournament, number)
    if not access.has_role(by, *staff.TABLES):
        check_own(entry, by)
    if not entry.table:
        raise Illegal("no-seat", "{name} has no seat now: there is no card to print.", name=entry.name)
    paper = Paper(gettext("Seat card, {name}").format(name=entry.name), (A6[1], A6[0]), margin=9 * mm)
    _card(paper, tournament, entry, 0, 0, paper.width, paper.height, address)
    return paper.done()


def seat_cards(
    *, tournament: Tournament, by: User, table: int = 0, after: int = 0, address: Callable[[int], str] | None = None
) -> bytes:
    """Cards of everybody who has a seat, eight to a page to be cut, by table and seat; of one `table`, or (0) of all
    tables behind table `after`, as many whole tables as `MOST_CARDS` allows. `address`: by the number of an entry.

    Refuses: `Forbidden`, `NotFound` (nobody has a seat there).
    """
    access.require_role(by, *staff.DESK)
    found = tournament.entries.filter(state=TournamentEntry.State.IN, table__gt=after).order_by("table", "seat")
    cards = list(found.filter(table=table) if table else found[: MOST_CARDS + 1])
    if not cards:
        raise NotFound("no-seats", "Nobody has a seat there: there are no cards to print.")
    if len(cards) > MOST_CARDS:
        cards = [entry for entry in cards if entry.table != cards[-1].table]
    paper = Paper(gettext("Seat cards, {name}").format(name=tournament.name), A4)
    for place, entry in enumerate(cards):
        if place and place % 8 == 0:
            paper.turn()
        column, row = place % 2, place % 8 // 2
        said = address(entry.number) if address is not None else ""
        _card(paper, tournament, entry, column * _CARD[0], row * _CARD[1], *_CARD, said)
        if column == 0 and row:
            paper.rule(row * _CARD[1], x=0, width=paper.width, dashed=True)
    return paper.done()


def move_slips(*, tournament: Tournament, by: User, after: int | None = None) -> bytes:
    """A slip for everybody who was moved by facts after `after`; None: with the latest move and in the same moment.

    Refuses: `Forbidden`, `NotFound` (nobody was moved).
    """
    access.require_role(by, *staff.TABLES)
    moves = directing_queries.moves(tournament=tournament, after=after or 0)
    if after is None and moves:
        moves = [move for move in moves if move.at == moves[0].at]
    if not moves:
        raise NotFound("no-moves", "Nobody has been moved: there are no slips to print.")
    return _slips(tournament, moves)


@transaction.atomic
def new_move_slips(*, tournament: Tournament, by: User, now: datetime) -> bytes:
    """A slip for everybody who was moved since such slips were printed last, and a note that they are printed now.
    Locks the event's row.

    Refuses: `Forbidden`, `NotFound` (nobody was moved since).
    """
    access.require_role(by, *staff.TABLES)
    Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
    moves = directing_queries.moves(tournament=tournament, after=moves_printed(tournament))
    if not moves:
        raise NotFound("no-moves", "Nobody has been moved since the last print.")
    LogEntry.objects.create(
        user=by,
        content_type=ContentType.objects.get_for_model(Tournament),
        object_id=str(tournament.pk),
        object_repr=tournament.name[:200],
        action_flag=CHANGE,
        action_time=now,
        change_message=f"{_MOVES_PRINTED}{max(move.seq for move in moves)}",
    )
    return _slips(tournament, moves)


def moves_printed(tournament: Tournament) -> int:
    """The number of the last fact whose move is on a slip that was printed; 0: none was."""
    kind = ContentType.objects.get_for_model(Tournament)
    notes = LogEntry.objects.filter(
        content_type=kind, object_id=str(tournament.pk), change_message__startswith=_MOVES_PRINTED
    )
    last = notes.order_by("-pk").values_list("change_message", flat=True).first()
    return int(last.removeprefix(_MOVES_PRINTED)) if last else 0


def _slips(tournament: Tournament, moves: Sequence[Move]) -> bytes:
    paper = Paper(gettext("Moves, {name}").format(name=tournament.name), A4)
    for place, move in enumerate(_in_order(moves)):
        if place and place % 4 == 0:
            paper.turn()
        _slip(paper, tournament, move, place % 4 * _STRIP)
    return paper.done()


def _in_order(moves: Sequence[Move]) -> list[Move]:
    """Slips in the order of handing out: by the table that players leave; of a player moved twice only the last."""
    last = {move.entrant: move for move in reversed(moves)}
    return sorted(last.values(), key=lambda move: (move.from_table, move.from_seat, move.seq))


def _card(
    paper: Paper,
    tournament: Tournament,
    entry: TournamentEntry,
    x: float,
    y: float,
    width: float,
    height: float,
    address: str,
) -> None:
    left, wide = x + 7 * mm, width - 14 * mm
    beside = wide - _SLIP_QR_SIZE - 4 if address else wide
    paper.line(tournament.name, left, y + 10 * mm, size=10, width=wide, grey=True)
    paper.line(entry.name, left, y + 20 * mm, size=19, bold=True, width=wide)
    paper.line(gettext("Table {table}").format(table=entry.table), left, y + 36 * mm, size=30, bold=True, width=beside)
    paper.line(gettext("Seat {seat}").format(seat=entry.seat), left, y + 49 * mm, size=30, bold=True, width=beside)
    chips = filled(gettext("{chips:,} chips"), chips=entry.chips) if entry.chips else ""
    told = ", ".join(part for part in (gettext("Entry {number}").format(number=entry.number), chips) if part)
    paper.line(told, left, y + 58 * mm, size=10, width=beside)
    if tournament.starts_at is not None and tournament.started_at is None:
        paper.line(
            gettext("Starts {moment}").format(moment=moment(tournament.starts_at)),
            left,
            y + 64 * mm,
            size=8,
            width=beside,
            grey=True,
        )
    if address:
        paper.code(address, x + width - 7 * mm - _SLIP_QR_SIZE, y + 30 * mm, size=_SLIP_QR_SIZE)


def _slip(paper: Paper, tournament: Tournament, move: Move, y: float) -> None:
    left, wide = paper.margin, paper.inner
    if y:
        paper.rule(y, x=0, width=paper.width, dashed=True)
    paper.line(move.name, left, y + 15 * mm, size=28, bold=True, width=0.72 * wide)
    paper.line(
        gettext("entry {entrant}").format(entrant=move.entrant),
        left + wide,
        y + 15 * mm,
        size=11,
        align="right",
        width=0.26 * wide,
        grey=True,
    )
    if move.from_table:
        paper.line(
            gettext("from table {from_table}, seat {from_seat}, to").format(
                from_table=move.from_table, from_seat=move.from_seat
            ),
            left,
            y + 26 * mm,
            size=14,
        )
    paper.line(
        gettext("Table {table}").format(table=move.table), left, y + 46 * mm, size=44, bold=True, width=0.55 * wide
    )
    paper.line(
        gettext("Seat {seat}").format(seat=move.seat),
        left + wide,
        y + 46 * mm,
        size=44,
        bold=True,
        width=0.43 * wide,
        align="right",
    )
    why = f"{move.why} ({move.rule})" if move.rule else move.why
    end = paper.lines(why, left, y + 56 * mm, size=10, width=wide, most=2)
    paper.line(tournament.name, left, end, size=8, width=wide, grey=True)


# Sheets for the wall: structure and results


def structure_sheet(*, tournament: Tournament, now: datetime) -> bytes:
    """Levels with their stakes, lengths and the times at which they begin as the clock stands, the price of an entry
    and until when there is entry."""
    config = terms.config_of(tournament)
    structure = _structure(tournament, config.structure)
    paper = Paper(gettext("Structure, {name}").format(name=tournament.name), A4)
    y = _sheet_heading(paper, tournament, gettext("Structure"))
    entry = terms.of(tournament, "entry")
    paid = filled(gettext("Entry {total:,}"), total=entry.total) if entry.total else gettext("Free entry")
    facts = [
        paid,
        filled(gettext("{starting_stack:,} chips"), starting_stack=config.starting_stack),
        event_words.games(config),
        event_words.format_of(config),
    ]
    if config.late_level:
        said = gettext("late registration to the end of level {level}")
        if config.has_entry_in_break:
            said = gettext("late registration to the end of level {level}, and the break after it")
        facts.append(said.format(level=config.late_level))
    y = paper.lines(joined(facts) + ".", paper.margin, y, size=10, width=paper.inner) + 14
    times = directing_queries.level_times(tournament, structure, now=now)
    printed = _printed(structure, config, times)
    columns = [column for column, _ in printed]
    rows = [[cell(index) for _, cell in printed] for index in range(len(structure.levels))]
    paper.listing(columns, rows, y, head=gettext("Structure, {name}").format(name=tournament.name), size=11)
    return paper.done()


def results_sheet(*, tournament: Tournament) -> bytes:
    """Places, prizes and bounties, and who knocked out whom; so far, while it is played."""
    paper = Paper(gettext("Results, {name}").format(name=tournament.name), A4)
    y = _sheet_heading(paper, tournament, gettext("Results") if tournament.is_over else gettext("Results so far"))
    told = [
        filled(gettext("{entries_count:,} entries"), entries_count=tournament.entries_count),
        filled(gettext("{pool:,} paid for prizes"), pool=tournament.pool),
    ]
    if tournament.places_paid:
        told.append(
            ngettext("{n} place paid", "{n} places paid", tournament.places_paid).format(n=tournament.places_paid)
        )
    y = paper.lines(joined(told) + ".", paper.margin, y, size=10, width=paper.inner) + 14
    found = directing_queries.results(tournament)
    has_bounties = any(result.bounties for result in found)
    columns = [
        Column(gettext("Place"), 14),
        Column(gettext("Player"), 50),
        Column(pgettext("its number", "Entry"), 10, is_number=True),
    ]
    columns += [Column(gettext("Prize"), 16, is_number=True)]
    columns += [Column(gettext("Bounties"), 16, is_number=True)] if has_bounties else []
    y = paper.listing(
        columns,
        [_result(result, has_bounties=has_bounties) for result in found],
        y,
        head=gettext("Results, {name}").format(name=tournament.name),
    )
    knock_outs = directing_queries.knock_outs(tournament)
    if knock_outs:
        if y > paper.height - 100:
            paper.turn()
            y = paper.margin
        paper.line(gettext("Knock-outs"), paper.margin, y + 24, size=13, bold=True)
        rows = [_knock_out(each) for each in reversed(knock_outs)]
        paper.listing(_outs_columns(), rows, y + 44, head=gettext("Knock-outs, {name}").format(name=tournament.name))
    return paper.done()


def seating_sheet(*, tournament: Tournament, by: User, by_name: bool) -> bytes:
    """Who sits where, for the wall: by name, or by table and seat.

    Refuses: `Forbidden`, `NotFound` (nobody has a seat).
    """
    access.require_role(by, *staff.TABLES)
    found = _seated(tournament)
    title = gettext("Seating by name") if by_name else gettext("Seating by table")
    paper = Paper(f"{title}, {tournament.name}", A4)
    y = _sheet_heading(paper, tournament, title)
    table, seat = Column(gettext("Table"), 10, is_number=True), Column(gettext("Seat"), 10, is_number=True)
    number = Column(pgettext("its number", "Entry"), 10, is_number=True)
    if by_name:
        columns = [Column(gettext("Player"), 50), number, table, seat]
        in_order = sorted(found, key=lambda entry: (entry.name.casefold(), entry.number))
        rows: list[list[object]] = [[entry.name, entry.number, entry.table, entry.seat] for entry in in_order]
    else:
        columns = [table, seat, Column(gettext("Player"), 50), number]
        rows = [[entry.table, entry.seat, entry.name, entry.number] for entry in found]
    paper.listing(columns, rows, y, head=f"{title}, {tournament.name}", size=11)
    return paper.done()


_COUNTS_A_PAGE = 2
_COUNT_LINE = 11 * mm


def count_sheets(*, tournament: Tournament, by: User) -> bytes:
    """A form for each table on which its stacks are written down, two to a page to be cut.

    Refuses: `Forbidden`, `NotFound` (nobody has a seat).
    """
    access.require_role(by, *staff.TABLES)
    tables: dict[int, list[TournamentEntry]] = {}
    for entry in _seated(tournament):
        tables.setdefault(entry.table or 0, []).append(entry)
    paper = Paper(gettext("Count sheets, {name}").format(name=tournament.name), A4)
    half = paper.height / _COUNTS_A_PAGE
    for place, (table, entries) in enumerate(tables.items()):
        if place and place % _COUNTS_A_PAGE == 0:
            paper.turn()
        top = place % _COUNTS_A_PAGE * half
        if top:
            paper.rule(top, x=0, width=paper.width, dashed=True)
        _count_sheet(paper, tournament, table, entries, top)
    return paper.done()


def _count_sheet(
    paper: Paper, tournament: Tournament, table: int, entries: Sequence[TournamentEntry], top: float
) -> None:
    left, right = paper.margin, paper.width - paper.margin
    y = top + 15 * mm
    paper.line(gettext("Table {table}").format(table=table), left, y, size=22, bold=True, width=0.4 * paper.inner)
    paper.line(tournament.name, right, y, size=10, grey=True, width=0.55 * paper.inner, align="right")
    for entry in entries:
        y += _COUNT_LINE
        paper.line(str(entry.seat), left + 6 * mm, y, size=14, bold=True, align="right")
        paper.line(entry.name, left + 10 * mm, y, size=13, width=0.5 * paper.inner)
        paper.rule(y + 1 * mm, x=right - 60 * mm, width=60 * mm)
    y += _COUNT_LINE
    paper.line(gettext("Total"), right - 64 * mm, y, size=11, bold=True, align="right")
    paper.rule(y + 1 * mm, x=right - 60 * mm, width=60 * mm)
    paper.line(gettext("Counted by"), left, y, size=9, grey=True)
    paper.rule(y + 1 * mm, x=left + 25 * mm, width=45 * mm)


def _seated(tournament: Tournament) -> list[TournamentEntry]:
    found = list(tournament.entries.filter(state=TournamentEntry.State.IN, table__gt=0).order_by("table", "seat"))
    if not found:
        raise NotFound("no-seats", "Nobody has a seat yet.")
    return found


def payouts_sheet(*, tournament: Tournament, by: User) -> bytes:
    """What each place gets; after a deal, what was agreed for whom, and the places below.

    Refuses: `Forbidden`, `NotFound` (no prizes yet).
    """
    access.require_role(by, *staff.TABLES)
    shares, rest, left = directing_queries.payout_lines(tournament)
    if not shares and not rest:
        raise NotFound("no-prizes", "There are no prizes yet.")
    paper = Paper(gettext("Payouts, {name}").format(name=tournament.name), A4)
    y = _sheet_heading(paper, tournament, gettext("Payouts"))
    head = gettext("Payouts, {name}").format(name=tournament.name)
    if shares:
        columns = [Column(gettext("Deal accepted"), 60), Column(gettext("Gets"), 20, is_number=True)]
        rows: list[list[object]] = [[name, amount] for name, amount in shares]
        rows += [[gettext("The winner, on top"), left]] if left else []
        y = paper.listing(columns, rows, y, head=head, size=12) + 24
    if rest:
        columns = [Column(gettext("Place"), 30), Column(gettext("Prize"), 20, is_number=True)]
        paper.listing(columns, [[translated(ordinal(place)), amount] for place, amount in rest], y, head=head, size=12)
    return paper.done()


def money_sheet(*, tournament: Tournament, report: EventMoney) -> bytes:
    """What was paid in and how, what was paid out, and the drawers that the cash lay in."""
    paper = Paper(gettext("Money, {name}").format(name=tournament.name), A4)
    head = gettext("Money, {name}").format(name=tournament.name)
    y = _sheet_heading(paper, tournament, gettext("Money"))
    figures = [
        filled(gettext("{chips:,} received"), chips=report.received),
        filled(gettext("{chips:,} fees of the house"), chips=report.fees),
        filled(gettext("{chips:,} of prizes paid"), chips=report.prizes_paid),
    ]
    for pattern, chips in (
        (gettext("{chips:,} of prizes due"), report.prizes_due),
        (gettext("{chips:,} of refunds due"), report.refunds_due),
        (gettext("{chips:,} added by the house"), report.overlay),
    ):
        if chips:
            figures.append(filled(pattern, chips=chips))
    y = paper.lines(joined(figures) + ".", paper.margin, y, size=10, width=paper.inner) + 14
    number = pgettext("how many", "Number")
    columns = [
        *(Column(gettext("Paid in"), 22), Column(gettext("How"), 26), Column(number, 12, is_number=True)),
        *(Column(title, 16, is_number=True) for title in (gettext("Prizes"), gettext("Fee"), gettext("Bounties"))),
        *(Column(title, 16, is_number=True) for title in (gettext("Staff"), gettext("Total"), gettext("Refunded"))),
    ]
    rows: list[list[object]] = [
        [row.what_name, row.method_name, row.number, row.pool, row.fee, row.bounty, row.staff, row.total, row.refunds]
        for row in report.taken
    ]
    y = paper.listing(columns, rows, y, head=head, size=9)
    columns = [
        *(Column(gettext("Paid out"), 22), Column(gettext("How"), 26), Column(gettext("Status"), 16)),
        *(Column(number, 12, is_number=True), Column(gettext("Amount"), 18, is_number=True)),
    ]
    rows = [[row.what_name, row.method_name, row.state_name, row.number, row.amount] for row in report.paid_out]
    y = paper.listing(columns, rows, y + 24, head=head, size=9)
    columns = [
        *(Column(gettext("Drawer"), 26), Column(gettext("Opened by"), 22), Column(gettext("Opened"), 30)),
        *(Column(title, 16, is_number=True) for title in (gettext("Slips"), gettext("Taken"), gettext("Paid out"))),
        Column(gettext("Over or short"), 20, is_number=True),
    ]
    rows = [
        [
            drawer.drawer,
            drawer.cashier,
            moment(drawer.opened_at),
            drawer.slips,
            *("–" if chips is None else chips for chips in (drawer.taken, drawer.paid, drawer.over_short)),
        ]
        for drawer in report.drawers
    ]
    paper.listing(columns, rows, y + 24, head=head, size=9)
    return paper.done()


def _outs_columns() -> list[Column]:
    columns = ((gettext("When"), 30), (pgettext("busted", "Out"), 34), (gettext("By"), 34), (gettext("Place"), 10))
    return [*(Column(name, width) for name, width in columns), Column(gettext("Level"), 14)]


def _structure(tournament: Tournament, planned: Structure) -> Structure:
    """The structure as played, with edited levels."""
    if not tournament.seq:
        return planned
    with event_journal.looking(tournament.pk, upto=tournament.seq) as state:
        return state.structure


def _sheet_heading(paper: Paper, tournament: Tournament, title: str) -> float:
    y = paper.margin + 20
    paper.line(tournament.name, paper.margin, y, size=20, bold=True)
    when = tournament.started_at or tournament.starts_at
    about = [title, *([moment(when)] if when else []), *([tournament.series.name] if tournament.series else [])]
    paper.line(", ".join(about), paper.margin, y + 18, size=11, grey=True)
    paper.rule(y + 26)
    return y + 44


def _printed(
    structure: Structure, config: EventConfig, times: Sequence[datetime | None]
) -> list[tuple[Column, Callable[[int], object]]]:
    """The columns of a structure sheet, each with its cell by the index of an entry; only those that say something.
    `times`: when each entry begins, as far as it is known."""
    levels = structure.levels
    notes = [_notes(structure, config, index) for index in range(len(levels))]
    found: list[tuple[bool, Column, Callable[[int], object]]] = [
        (True, Column("", 15), lambda index: translated(structure.name(index))),
        (
            any(times),
            Column(gettext("Starts at"), 13, is_number=True),
            lambda index: room_time.clock(at) if (at := times[index]) else "",
        ),
        (
            len({level.game for level in levels if not level.is_break}) > 1,
            Column(gettext("Game"), 15),
            lambda index: "" if levels[index].is_break else event_words.SHORT_GAMES.get(levels[index].game, ""),
        ),
        (True, Column(gettext("Minutes"), 15, is_number=True), lambda index: _long(levels[index])),
        (
            any(level.ante for level in levels),
            Column(gettext("Ante"), 14, is_number=True),
            lambda index: levels[index].ante or "",
        ),
        (
            any(level.bring_in for level in levels),
            Column(gettext("Bring-in"), 16, is_number=True),
            lambda index: levels[index].bring_in or "",
        ),
        (
            True,
            Column(gettext("Bets"), 25, is_number=True),
            lambda index: "" if levels[index].is_break else event_words.bets(levels[index]),
        ),
        (
            any(level.colour_up for level in levels),
            Column(gettext("Colour-up"), 18, is_number=True),
            lambda index: ", ".join(map(sentences.number, levels[index].colour_up)),
        ),
        (any(notes), Column("", 4), lambda _: ""),  # words stand away from the figures before them
        (any(notes), Column(gettext("Notes"), 30, wraps=True), lambda index: notes[index]),
    ]
    return [(column, cell) for says_something, column, cell in found if says_something]


def _notes(structure: Structure, config: EventConfig, index: int) -> str:
    """What ends or is sold at this break, or with this level where none follows."""
    level = structure.levels[index]
    follows = structure.levels[index + 1 : index + 2]
    if not level.is_break and follows and follows[0].is_break:
        return ""
    number = structure.number(index)
    add_on = config.add_on.at_break if config.add_on else 0
    said = [
        *([gettext("registration closes")] if config.late_level == number else []),
        *([gettext("rebuys end")] if config.rebuy and config.rebuy.until_level == number else []),
        *([gettext("add-on")] if level.is_break and structure.break_number(index) == add_on else []),
    ]
    return capfirst(joined(said))


def _long(level: Level) -> str:
    return gettext("{hands} hands").format(hands=level.hands) if level.is_by_hands else str(level.minutes)


def _result(result: Result, *, has_bounties: bool) -> list[object]:
    place = _place(result.place, result.tied) if result.place else gettext("in")
    name = gettext("{name} (re-entry)").format(name=result.name) if result.re_entry_of else result.name
    name = ", ".join([name, gettext("disqualified")]) if result.is_disqualified else name
    return [place, name, result.entrant, result.prize or "", *([result.bounties or ""] if has_bounties else [])]


def _knock_out(out: KnockOut) -> list[object]:
    return [moment(out.at), out.name, ", ".join(out.by), _place(out.place, out.tied), out.level_name]


def _place(place: int, tied: int) -> str:
    return (
        gettext("{place} shared").format(place=translated(ordinal(place))) if tied > 1 else translated(ordinal(place))
    )
