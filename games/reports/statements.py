"""A player's statement: all that moved their chips or seat, to the minute, newest first, with the wallet's balance.

Lines of several sources are merged by their times. A cursor says how far each source has been read and what the wallet
held there, so that no page adds up more than it shows; every source is read along an index by player (or account) and
row number, so a page costs the same at either end of a hundred thousand rows. Times of day are the house's.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.core import signing
from django.db.models import OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext, pgettext

from cardroom.core import access, audit_log, room_time
from cardroom.core.documents import File, as_csv, csv_or_pdf, listed, moment
from cardroom.core.errors import Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.paper import Column
from cardroom.core.sentences import Kept, filled, number, renumbered, signed, told
from cardroom.core.verb import current_time, verb
from cardroom.ledger.models import Account, Entry, Transfer
from games.rake.models.times import TimeCharge, TimePause
from games.tables.models.tables import SeatMove
from games.tables.models.times import HandResult
from games.tables.queries import history as history_queries
from games.tables.queries import offers
from games.tables.queries.history import Visit
from games.waitlists import reasons
from games.waitlists.models import ListMove


@dataclass(frozen=True)
class BookLine:
    """One line. `wallet`: chips into the wallet (negative: out of it), `chips`: onto the table; `balance`: what the
    wallet held after it, where the line is the wallet's. `points`: comp points. `visit`: of a line that ends a stay."""

    source: str
    number: int
    at: datetime
    kind: str
    text: str
    why: str = ""
    wallet: int = 0
    chips: int = 0
    points: int = 0
    balance: int | None = None
    reference: str = ""
    table: int | None = None
    table_name: str = ""
    hand: int | None = None
    visit: Visit | None = field(default=None, compare=False)


@dataclass(frozen=True)
class StatementRequest:
    """Whose statement, of what span, and of which table (None: of all, with the wallet)."""

    player: User
    since: datetime | None = None
    until: datetime | None = None
    table: int | None = None
    with_hands: bool = False


# Sources: each gives a player's rows newest first, from any row back


#: Rows are numbered in the order of their moments, but for those of transactions that ran side by side: so many rows.
_SLACK = 2_000
_WALLET_MOVES = ("buy-in", "top-up", "cash-out", "physical-in", "physical-out")
#: Moves that a line of the wallet tells of already.
_TOLD_BY_WALLET = Q(kind__in=(SeatMove.Kind.SAT, SeatMove.Kind.TOPPED_UP)) | (
    Q(kind__in=(SeatMove.Kind.LEFT, SeatMove.Kind.PICKED_UP, SeatMove.Kind.TAKEN_OUT)) & Q(amount__gt=0)
)
_OUT = (SeatMove.Kind.LEFT, SeatMove.Kind.PICKED_UP, SeatMove.Kind.TAKEN_OUT, SeatMove.Kind.MOVED_AWAY)
_IN = (SeatMove.Kind.SAT, SeatMove.Kind.TOPPED_UP, SeatMove.Kind.MOVED)


Source = Callable[[StatementRequest, int | None, int], list[BookLine]]


def wallet(wanted: StatementRequest, before: int | None, limit: int) -> list[BookLine]:
    """Movements of the wallet; the statement fills in the balances."""
    entries = entries_of(wanted, unit="cash")
    page_entries = list((entries.filter(pk__lt=before) if before is not None else entries)[:limit])
    moves = _moves_behind(page_entries)
    visits = history_queries.ended_by(move.pk for move in moves.values() if move.kind in _OUT)
    return [_wallet_line(entry, moves.get(entry.transfer.reference), visits) for entry in page_entries]


def comps(wanted: StatementRequest, before: int | None, limit: int) -> list[BookLine]:
    """Comp points that came and went."""
    entries = entries_of(wanted, unit="comp")
    page_entries = (entries.filter(pk__lt=before) if before is not None else entries)[:limit]
    return [
        BookLine(
            source="c",
            number=entry.pk,
            at=entry.transfer.at,
            kind="comp",
            text=gettext("Comp points: {reason}").format(reason=told(entry.transfer.reason)),
            points=entry.amount,
            reference=entry.transfer.reference,
        )
        for entry in page_entries
    ]


def seat_moves(wanted: StatementRequest, before: int | None, limit: int) -> list[BookLine]:
    """Seat moves that did not touch the wallet; for one table all of them."""
    moves = SeatMove.objects.filter(player=wanted.player, table__event="").select_related("table", "by")
    moves = moves.filter(table=wanted.table) if wanted.table else moves.exclude(_TOLD_BY_WALLET)
    page_moves = _page(moves, wanted, before, limit, at="at")
    visits = history_queries.ended_by(move.pk for move in page_moves if move.kind in _OUT)
    return [replace(_move_line(move), visit=visits.get(move.pk)) for move in page_moves]


def time_charges(wanted: StatementRequest, before: int | None, limit: int) -> list[BookLine]:
    """Time: each period, paid or not, and why not."""
    rows = TimeCharge.objects.filter(player=wanted.player).select_related("table", "by")
    rows = rows.filter(table=wanted.table) if wanted.table else rows
    charges = _page(rows, wanted, before, limit, at="period_start")
    from_wallet = _paid_from_wallet(wanted.player, charges)
    return [
        BookLine(
            source="t",
            number=row.pk,
            at=row.period_start,
            kind=f"time-{row.state}",
            text=_time_text(row, from_wallet.get(row.pk, 0)),
            why=_said(row.why, row.by, wanted.player.pk),
            # What the wallet paid is told by a line of the wallet.
            chips=from_wallet.get(row.pk, 0) - row.paid,
            reference=f"time:{row.pk}",
            table=row.table_id,
            table_name=row.table.name,
        )
        for row in charges
    ]


def _paid_from_wallet(player: User, rows: Sequence[TimeCharge]) -> dict[int, int]:
    """What of these charges was paid after they had left, by charge. One query."""
    references = {
        f"time:{row.pk}{f':{part}' if part > 1 else ''}": row.pk
        for row in rows
        if row.paid
        for part in range(1, row.parts + 1)
    }
    paid_by_charge: dict[int, int] = {}
    paid = Entry.objects.filter(account__kind=Account.Kind.WALLET, account__owner=player, account__unit="cash")
    for reference, amount in paid.filter(transfer__reference__in=references).values_list(
        "transfer__reference", "amount"
    ):
        paid_by_charge[references[reference]] = paid_by_charge.get(references[reference], 0) - amount
    return paid_by_charge


def pauses(wanted: StatementRequest, before: int | None, limit: int) -> list[BookLine]:
    """Pauses of their time, and refusals to pay."""
    rows = TimePause.objects.filter(player=wanted.player).select_related("table", "by")
    rows = rows.filter(table=wanted.table) if wanted.table else rows
    return [
        BookLine(
            source="p",
            number=row.pk,
            at=row.since,
            kind=str(row.kind),
            text=_pause_text(row),
            why=_said(row.reason, row.by, wanted.player.pk),
            table=row.table_id,
            table_name=row.table.name,
        )
        for row in _page(rows, wanted, before, limit, at="since")
    ]


def list_moves(wanted: StatementRequest, before: int | None, limit: int) -> list[BookLine]:
    """Moves of their names on lists, each with the rule."""
    rows = ListMove.objects.filter(entry__player=wanted.player).select_related("entry__offer", "table", "by")
    rows = rows.filter(table=wanted.table) if wanted.table else rows
    return [
        BookLine(
            source="l",
            number=row.pk,
            at=row.at,
            kind="list",
            text=gettext("{name}: {words}").format(
                name=f"{row.entry.offer.name}, {row.entry.get_kind_display()}", words=row.get_verb_display()
            ),
            why=_said(reasons.without_others(row.why), row.by, wanted.player.pk),
            table=row.table_id,
            table_name=row.table.name if row.table else "",
        )
        for row in _page(rows, wanted, before, limit, at="at")
    ]


def hands(wanted: StatementRequest, before: int | None, limit: int) -> list[BookLine]:
    """Every hand, where the statement is asked for them one by one."""
    if not wanted.with_hands:
        return []
    rows = HandResult.objects.filter(player=wanted.player, is_cash=True).select_related("table", "hand")
    rows = rows.filter(table=wanted.table) if wanted.table else rows
    return [
        BookLine(
            source="h",
            number=row.pk,
            at=row.at,
            kind="hand",
            text=gettext("Hand {number} at {table}").format(number=row.hand.number, table=row.table.name),
            why=filled(gettext("of the drop {taken:,} by what you put in"), taken=row.taken) if row.taken else "",
            chips=row.net,
            reference=f"hand:{row.hand_id}",
            table=row.table_id,
            table_name=row.table.name,
            hand=row.hand_id,
        )
        for row in _page(rows, wanted, before, limit, at="at")
    ]


#: By their letter in a cursor; of lines of one moment the first comes last.
SOURCES: dict[str, Source] = {
    "l": list_moves,
    "w": wallet,
    "m": seat_moves,
    "p": pauses,
    "h": hands,
    "t": time_charges,
    "c": comps,
}


def entries_of(wanted: StatementRequest, *, unit: str) -> QuerySet[Entry]:
    """The entries on their wallet in the span, newest first; nothing where only one table is asked for."""
    purse = Account.objects.filter(kind=Account.Kind.WALLET, owner=wanted.player, unit=unit).values_list("pk").first()
    if purse is None or wanted.table:
        return Entry.objects.none()
    entries = Entry.objects.filter(account=purse[0]).select_related("transfer").order_by("-pk")
    if wanted.until is not None:
        last = _last_entry(purse[0], wanted.until, slack=_SLACK)
        entries = entries.filter(pk__lte=last, transfer__at__lt=wanted.until)
    if wanted.since is not None:
        first = _last_entry(purse[0], wanted.since, slack=-_SLACK)
        entries = entries.filter(pk__gte=first, transfer__at__gte=wanted.since)
    return entries


def held_after(player: User, entry: int) -> int:
    """What the wallet held after this entry: what it holds now, less what came since, seen at one moment."""
    since = Entry.objects.filter(account=OuterRef("pk"), pk__gt=entry).order_by().values("account")
    wallets = Account.objects.filter(kind=Account.Kind.WALLET, owner=player, unit="cash")
    balances = wallets.annotate(since=Coalesce(Subquery(since.annotate(sum=Sum("amount")).values("sum")), 0))
    balance, later = balances.values_list("balance", "since").get()
    return int(balance) - int(later)


def _last_entry(account: int, moment: datetime, *, slack: int) -> int:
    """About the account's last entry before this moment, so many transfers more or less; 0 where there is none."""
    transfer = Transfer.objects.filter(at__lt=moment).order_by("-at").values_list("pk", flat=True).first()
    entries = Entry.objects.filter(account=account, transfer__lte=(transfer or 0) + slack)
    return entries.order_by("-transfer").values_list("pk", flat=True).first() or 0


def _page(rows: QuerySet, wanted: StatementRequest, before: int | None, limit: int, *, at: str) -> list:  # type: ignore[type-arg]
    """So many rows before this one, in the span. Where the span begins is looked at row by row: asked of the database,
    it would go through all that is older."""
    rows = rows.order_by("-pk")
    rows = rows.filter(pk__lt=before) if before is not None else rows
    rows = rows.filter(**{f"{at}__lt": wanted.until}) if wanted.until else rows
    newest = list(rows[:limit])
    return [row for row in newest if wanted.since is None or getattr(row, at) >= wanted.since]


def _moves_behind(entries: Sequence[Entry]) -> dict[str, SeatMove]:
    """The moves that moved these chips, by reference."""
    numbers = {}
    for entry in entries:
        noun, _, number = entry.transfer.reference.partition(":")
        if noun in _WALLET_MOVES and number.isdigit():
            numbers[entry.transfer.reference] = int(number)
    moves = SeatMove.objects.select_related("table", "by").in_bulk(numbers.values()) if numbers else {}
    return {reference: moves[number] for reference, number in numbers.items() if number in moves}


def _wallet_line(entry: Entry, move: SeatMove | None, visits: dict[int, Visit]) -> BookLine:
    transfer = entry.transfer
    line = BookLine(
        source="w",
        number=entry.pk,
        at=transfer.at,
        kind=transfer.reference.partition(":")[0],
        text=capfirst(told(transfer.reason)),
        wallet=entry.amount,
        reference=transfer.reference,
    )
    if move is None:
        return line
    return replace(
        line,
        chips=-entry.amount,
        text=gettext("{text}, seat {seat}").format(text=line.text, seat=move.number),
        why=_said(move.reason, move.by, move.player_id),
        table=move.table_id,
        table_name=move.table.name,
        visit=visits.get(move.pk),
    )


def _move_line(move: SeatMove) -> BookLine:
    label = move.get_kind_display()
    signed = move.amount if move.kind in _IN else -move.amount if move.kind in _OUT else 0
    unmoved = f" ({number(move.amount)})" if move.amount and not signed else ""
    return BookLine(
        source="m",
        number=move.pk,
        at=move.at,
        kind=str(move.kind),
        text=gettext("{what}: {table}, seat {seat}").format(
            what=f"{label[:1].upper()}{label[1:]}{unmoved}", table=move.table.name, seat=move.number
        ),
        why=_said(move.reason, move.by, move.player_id),
        chips=signed,
        table=move.table_id,
        table_name=move.table.name,
    )


def _time_text(row: TimeCharge, from_wallet: int) -> str:
    pattern = gettext("Time from {time} at {table}: {state}")
    if row.state == TimeCharge.State.CHARGED:
        pattern = gettext("Time from {time} at {table}, {players} players")
        if from_wallet:
            pattern = gettext("Time from {time} at {table}, {players} players, {chips:,} from the wallet")
    elif row.owed:
        pattern = gettext("Time from {time} at {table}: {state}, {owed:,} of {amount:,} still owed")
    return filled(
        pattern, time=room_time.readers_clock(row.period_start), table=row.table.name, players=row.players,
        chips=from_wallet, state=row.get_state_display(), owed=row.owed, amount=row.amount,
    )  # fmt: skip


def _pause_text(row: TimePause) -> str:
    is_refused = row.kind == TimePause.Kind.REFUSAL
    if row.until is None:
        pattern = gettext("Time refused at {table}, still") if is_refused else gettext("Time paused at {table}, still")
        return filled(pattern, table=row.table.name)
    pattern = gettext("Time paused at {table}, until {time}")
    if is_refused:
        pattern = gettext("Time refused at {table}, until {time}")
    return filled(pattern, table=row.table.name, time=room_time.readers_clock(row.until))


def _said(reason: Kept, by: User | None, player: int) -> str:
    """The reason, and who did it if not the player."""
    doer = gettext("by {name}").format(name=by) if by and by.pk != player else ""
    why = told(reason)
    return f"{why.rstrip('.')}, {doer}" if why and doer else why or doer


# The statement


_ORDER = {letter: place for place, letter in enumerate(SOURCES)}


@dataclass(frozen=True)
class StatementPage:
    """Some lines, and the cursor of the older ones after them (empty: there are none)."""

    lines: list[BookLine]
    later: str


def page(wanted: StatementRequest, *, limit: int = 50, cursor: str = "") -> StatementPage:
    """One page of the statement. `Invalid` for a cursor that is none of this statement."""
    state = _opened(cursor, wanted)
    heads = {
        letter: source(wanted, state["at"].get(letter), limit + 1)
        for letter, source in SOURCES.items()
        if state["at"].get(letter) != 0
    }
    taken = _merged(heads, limit)
    is_more = any(heads.values())
    shown = _with_balances(taken, wanted.player, state.get("held"))
    if not is_more:
        return StatementPage(shown, "")
    # A source that was not read is read from where it stood: what comes later belongs on a first page.
    at = {letter: rows[-1].number + 1 for letter, rows in heads.items() if rows} | state["at"]
    for line in taken:
        at[line.source] = line.number
    for letter in SOURCES:
        # A source that has nothing left is not asked again.
        if not heads.get(letter) and not any(line.source == letter for line in taken):
            at[letter] = 0
    held = next((line.balance - line.wallet for line in reversed(shown) if line.balance is not None), None)
    position = {"at": at, "held": held if held is not None else state.get("held"), "of": _of(wanted)}
    return StatementPage(shown, signing.dumps(position, salt="statement", compress=True))


def all_lines(wanted: StatementRequest, *, most: int) -> Iterator[BookLine]:
    """The newest lines, up to `most` of them, for a file."""
    cursor, count = "", 0
    while True:
        part = page(wanted, limit=min(500, most - count), cursor=cursor)
        yield from part.lines
        count += len(part.lines)
        cursor = part.later
        if not cursor or count >= most:
            return


def _merged(heads: dict[str, list[BookLine]], limit: int) -> list[BookLine]:
    """The newest `limit` lines of all sources, each source in its own order; they are taken out of `heads`."""
    taken: list[BookLine] = []
    for rows in heads.values():
        rows.reverse()
    while len(taken) < limit:
        newest = max((rows[-1] for rows in heads.values() if rows), key=_moment, default=None)
        if newest is None:
            break
        taken.append(heads[newest.source].pop())
    return taken


def _moment(line: BookLine) -> tuple[Any, int]:
    return line.at, _ORDER[line.source]


def _with_balances(taken: list[BookLine], player: User, held: int | None) -> list[BookLine]:
    """The lines with what the wallet held after each that moved it; `held`: after the newest of them, if known."""
    shown = []
    for line in taken:
        if line.source == "w":
            if held is None:
                held = held_after(player, line.number)
            line = replace(line, balance=held)
            held -= line.wallet
        shown.append(line)
    return shown


def _opened(cursor: str, wanted: StatementRequest) -> dict[str, Any]:
    if not cursor:
        return {"at": {}}
    try:
        state: dict[str, Any] = signing.loads(cursor, salt="statement")
    except signing.BadSignature:
        state = {}
    if state.get("of") != _of(wanted):
        raise Invalid("bad-cursor", "This cursor is not valid for this statement: start at the first page.")
    return state


def _of(wanted: StatementRequest) -> list[Any]:
    """What a cursor belongs to: it is refused for any other statement."""
    moments = [moment.isoformat() if moment else "" for moment in (wanted.since, wanted.until)]
    return [wanted.player.pk, *moments, wanted.table or 0, wanted.with_hands]


# Statements that leave the page: looked at by the staff, who say why, and taken along as files.


#: Who may see what a player did and paid.
ROLES = ("floor", "cashier", "manager", "auditor")
#: The most lines of a file.
MOST_CSV, MOST_PDF = 20_000, 2_000

#: The most sessions of a file.
MOST_SESSIONS = history_queries.MOST

_OF_A_SESSION = (
    "since", "until", "minutes", "where", "table",
    "game", "stakes", "seat", "hands", "brought", "took", "result", "put_in", "taken", "time", "comps",
)  # fmt: skip
_COLUMNS = ("at", "kind", "what", "why", "wallet", "table_chips", "comp_points", "wallet_after", "table", "reference")


@verb("statements.look")
def look(*, player_id: int, reason: str, by: User) -> User:
    """The player whose statement somebody of the staff looks at, with a reason, which is recorded in the audit log.

    Refuses: `Forbidden`, `Invalid` (no reason), `NotFound`.
    """
    player = may_look(player_id=player_id, by=by)
    why = audit_log.reason_given(reason, what=gettext("a look at a player's statement"))
    subject = f"user:{player.pk}"
    audit_log.note(verb="statements.look", subject=subject, player=player, by=by, reason=why, now=current_time())
    return player


def may_look(*, player_id: int, by: User) -> User:
    """The player whose statement `by` may look at, once they say why. Refuses: `Forbidden`, `NotFound`."""
    access.require_role(by, *ROLES)
    player = User.objects.filter(pk=player_id, is_bot=False).first()
    if player is None:
        raise NotFound("no-such-player", "There is no such player.")
    return player


def file_of(wanted: StatementRequest, *, form: str, now: datetime) -> File:
    """The statement as `csv` or `pdf`, its newest lines where a file cannot hold all; `NotFound` for another form."""
    return csv_or_pdf(
        f"statement-{wanted.player.pk}-{timezone.localtime(now):%Y-%m-%d}", form,
        csv=lambda: as_csv(_COLUMNS, map(_row, all_lines(wanted, most=MOST_CSV))), pdf=lambda: _paper(wanted, now),
    )  # fmt: skip


def history_of(player: User, *, since: datetime | None, form: str, now: datetime) -> File:
    """Their sessions at cash tables, as `file_of`."""
    sessions = history_queries.between(player, since, None, limit=MOST_SESSIONS)
    return csv_or_pdf(
        f"history-{player.pk}-{timezone.localtime(now):%Y-%m-%d}", form,
        csv=lambda: as_csv(_OF_A_SESSION, (_session(visit, now) for visit in sessions)),
        pdf=lambda: _sessions_on_paper(player, sessions, since, now),
    )  # fmt: skip


def _session(visit: Visit, now: datetime) -> dict[str, Any]:
    return {
        "since": timezone.localtime(visit.since).isoformat(timespec="seconds"),
        "until": timezone.localtime(visit.until).isoformat(timespec="seconds") if visit.until else "",
        "minutes": visit.minutes(now),
        "where": "in the room" if visit.is_physical else "online",
        "table": visit.table_name,
    } | {column: getattr(visit, column) for column in _OF_A_SESSION[5:]}


def _sessions_on_paper(player: User, sessions: list[Visit], since: datetime | None, now: datetime) -> bytes:
    numbers = [gettext("Minutes"), gettext("Hands"), gettext("Brought"), gettext("Took"), gettext("Result")]
    numbers += [gettext("Drop"), pgettext("time charge", "Time")]
    columns = [Column(gettext("Since"), 2.2), Column(gettext("Table"), 4, wraps=True)]
    columns += [Column(word, 1.5, is_number=True) for word in numbers]
    rows = [
        (
            _at(visit.since), f"{visit.table_name}, {offers.game_name(visit.game)} {renumbered(visit.stakes)}",
            visit.minutes(now), visit.hands, visit.brought, visit.took, signed(visit.result), visit.taken, visit.time,
        )
        for visit in sessions
    ]  # fmt: skip
    count = filled(ngettext("{n:,} session", "{n:,} sessions", len(sessions)), n=len(sessions))
    about = _about(since, None, count, now)
    return listed(gettext("History of {player}").format(player=player), about, columns, rows)


def _row(line: BookLine) -> dict[str, Any]:
    return {
        "at": timezone.localtime(line.at).isoformat(timespec="seconds"),
        "kind": line.kind,
        "what": line.text,
        "why": line.why,
        "wallet": line.wallet or None,
        "table_chips": line.chips or None,
        "comp_points": line.points or None,
        "wallet_after": line.balance,
        "table": line.table_name,
        "reference": line.reference,
    }


def _paper(wanted: StatementRequest, now: datetime) -> bytes:
    lines = list(all_lines(wanted, most=MOST_PDF))
    numbers = (gettext("Wallet"), gettext("Table"), gettext("In the wallet"))
    columns = [Column(gettext("When"), 2.2), Column(gettext("What"), 7.2, wraps=True)]
    columns += [Column(word, 1.6, is_number=True) for word in numbers]
    rows = [
        (
            _at(line.at), f"{line.text} ({line.why})" if line.why else line.text, signed(line.wallet),
            signed(line.chips) or (filled(gettext("{n:+,} comp"), n=line.points) if line.points else ""),
            "" if line.balance is None else line.balance,
        )
        for line in lines
    ]  # fmt: skip
    count = filled(ngettext("{n:,} line", "{n:,} lines", len(lines)), n=len(lines))
    about = _about(wanted.since, wanted.until, count, now)
    return listed(gettext("Statement of {player}").format(player=wanted.player), about, columns, rows)


def _at(at: datetime) -> str:
    """`5 Jan 2030, 20:00`, in the zone and the language of who reads."""
    here = timezone.localtime(at)
    return f"{room_time.written(here, 'j M Y')}, {here:%H:%M}"


def _about(since: datetime | None, until: datetime | None, count: str, now: datetime) -> str:
    pattern = gettext("from {since} to {until}, 0:00") if until else gettext("from {since} until now")
    if not since:
        pattern = gettext("from the beginning to {until}, 0:00") if until else gettext("from the beginning until now")
    first, last = (room_time.written(timezone.localtime(at), "j M Y") if at else "" for at in (since, until))
    span = pattern.format(since=first, until=last)
    return gettext("{span}; {count}, made {at}").format(span=span, count=count, at=moment(now))
