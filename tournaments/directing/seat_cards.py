"""Seat cards and move slips, printed in letters that are read from afar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.utils.translation import gettext

from cardroom.core import access
from cardroom.core.documents import A6, mm, moment
from cardroom.core.errors import Illegal, NotFound
from cardroom.core.models import User
from cardroom.core.paper import A4, Paper
from cardroom.core.sentences import filled
from tournaments.directing import queries as directing_queries
from tournaments.directing.queries import SeatMoveRow
from tournaments.directing.receipts import check_own
from tournaments.events import staff
from tournaments.events.models import Tournament, TournamentEntry
from tournaments.registration import queries as registration_queries

#: What is kept of slips that were printed, before the number of the last fact by which somebody was moved.
_MOVES_PRINTED = "moves printed to "


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
    _draw_card(paper, tournament, entry, 0, 0, paper.width, paper.height, address)
    return paper.done()


def seat_cards(
    *, tournament: Tournament, by: User, table: int = 0, after: int = 0, address: Callable[[int], str] | None = None
) -> bytes:
    """Cards of all players with a seat, eight to a page to be cut, by table and seat; of one `table`, or (0) of all
    tables behind table `after`, as many whole tables as `MOST_CARDS` allows. `address`: by the number of an entry.

    Refuses: `Forbidden`, `NotFound` (nobody has a seat there).
    """
    access.require_role(by, *staff.DESK)
    seated = tournament.entries.filter(state=TournamentEntry.State.IN, table__gt=after).order_by("table", "seat")
    cards = list(seated.filter(table=table) if table else seated[: MOST_CARDS + 1])
    if not cards:
        raise NotFound("no-seats", "Nobody has a seat there: there are no cards to print.")
    if len(cards) > MOST_CARDS:
        cards = [entry for entry in cards if entry.table != cards[-1].table]
    paper = Paper(gettext("Seat cards, {name}").format(name=tournament.name), A4)
    for place, entry in enumerate(cards):
        if place and place % 8 == 0:
            paper.turn()
        column, row = place % 2, place % 8 // 2
        code = address(entry.number) if address is not None else ""
        _draw_card(paper, tournament, entry, column * _CARD[0], row * _CARD[1], *_CARD, code)
        if column == 0 and row:
            paper.rule(row * _CARD[1], x=0, width=paper.width, dashed=True)
    return paper.done()


def move_slips(*, tournament: Tournament, by: User, after: int | None = None) -> bytes:
    """A slip for each player moved by facts after `after`; None: by the latest move and those at the same moment.

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
    """A slip for each player moved since the last print of such slips, and a note that they are printed now.
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


def _slips(tournament: Tournament, moves: Sequence[SeatMoveRow]) -> bytes:
    paper = Paper(gettext("Moves, {name}").format(name=tournament.name), A4)
    for place, move in enumerate(_in_order_of_tables(moves)):
        if place and place % 4 == 0:
            paper.turn()
        _draw_slip(paper, tournament, move, place % 4 * _STRIP)
    return paper.done()


def _in_order_of_tables(moves: Sequence[SeatMoveRow]) -> list[SeatMoveRow]:
    """Slips in the order of handing out: by the table that players leave; of a player moved twice only the last."""
    last = {move.entrant: move for move in reversed(moves)}
    return sorted(last.values(), key=lambda move: (move.from_table, move.from_seat, move.seq))


def _draw_card(
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
    details = ", ".join(part for part in (gettext("Entry {number}").format(number=entry.number), chips) if part)
    paper.line(details, left, y + 58 * mm, size=10, width=beside)
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


def _draw_slip(paper: Paper, tournament: Tournament, move: SeatMoveRow, y: float) -> None:
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
