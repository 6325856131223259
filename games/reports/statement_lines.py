"""The lines of a player's statement, by source: the wallet, comp points, seats, time, lists, hands.

Every source returns its rows newest first, from any row back. It reads them along an index by player (or account) and
row number, so a page costs the same at either end of a hundred thousand rows. Times of day are in the reader's zone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.db.models import OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils.text import capfirst
from django.utils.translation import gettext

from cardroom.core import room_time
from cardroom.core.models import User
from cardroom.core.sentences import StoredText, filled, number, to_text
from cardroom.ledger.models import Account, Entry, Transfer
from games.rake.models.times import TimeCharge, TimePause
from games.tables.models.tables import SeatMove
from games.tables.models.times import HandResult
from games.tables.queries import history as history_queries
from games.tables.queries.history import StayTotals
from games.waitlists import reasons
from games.waitlists.models import ListMove


@dataclass(frozen=True)
class BookLine:
    """One line of a statement. `wallet`: chips into the wallet (negative: out of it); `chips`: onto the table;
    `points`: comp points; `balance`: of the wallet after a line of the wallet; `visit`: the stay that it ends."""

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
    visit: StayTotals | None = field(default=None, compare=False)


@dataclass(frozen=True)
class StatementRequest:
    """The statement of a player, in a span, at one table (None: at all, with the wallet)."""

    player: User
    since: datetime | None = None
    until: datetime | None = None
    table: int | None = None
    with_hands: bool = False


#: Row numbers follow the order of time, except for transactions that ran side by side: at most so many rows apart.
_SLACK = 2_000
_WALLET_MOVES = ("buy-in", "top-up", "cash-out", "physical-in", "physical-out")
#: Moves that are already a line of the wallet.
_TOLD_BY_WALLET = Q(kind__in=(SeatMove.Kind.SAT, SeatMove.Kind.TOPPED_UP)) | (
    Q(kind__in=(SeatMove.Kind.LEFT, SeatMove.Kind.PICKED_UP, SeatMove.Kind.TAKEN_OUT)) & Q(amount__gt=0)
)
_OUT = (SeatMove.Kind.LEFT, SeatMove.Kind.PICKED_UP, SeatMove.Kind.TAKEN_OUT, SeatMove.Kind.MOVED_AWAY)
_IN = (SeatMove.Kind.SAT, SeatMove.Kind.TOPPED_UP, SeatMove.Kind.MOVED)


Source = Callable[[StatementRequest, int | None, int], list[BookLine]]


def wallet(wanted: StatementRequest, before: int | None, limit: int) -> list[BookLine]:
    """Movements of the wallet, without the balances."""
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
            text=gettext("Comp points: {reason}").format(reason=to_text(entry.transfer.reason)),
            points=entry.amount,
            reference=entry.transfer.reference,
        )
        for entry in page_entries
    ]


def seat_moves(wanted: StatementRequest, before: int | None, limit: int) -> list[BookLine]:
    """Seat moves that did not touch the wallet; for one table all of them."""
    moves = SeatMove.objects.filter(player=wanted.player, table__event="").select_related("table", "by")
    moves = moves.filter(table=wanted.table) if wanted.table else moves.exclude(_TOLD_BY_WALLET)
    page_moves = _newest_rows(moves, wanted, before, limit, at="at")
    visits = history_queries.ended_by(move.pk for move in page_moves if move.kind in _OUT)
    return [replace(_move_line(move), visit=visits.get(move.pk)) for move in page_moves]


def time_charges(wanted: StatementRequest, before: int | None, limit: int) -> list[BookLine]:
    """Time charges: each period, paid or not, and the reason if not."""
    rows = TimeCharge.objects.filter(player=wanted.player).select_related("table", "by")
    rows = rows.filter(table=wanted.table) if wanted.table else rows
    charges = _newest_rows(rows, wanted, before, limit, at="period_start")
    from_wallet = _paid_from_wallet(wanted.player, charges)
    return [
        BookLine(
            source="t",
            number=row.pk,
            at=row.period_start,
            kind=f"time-{row.state}",
            text=_time_text(row, from_wallet.get(row.pk, 0)),
            why=_reason_text(row.why, row.by, wanted.player.pk),
            # The part paid by the wallet is a line of the wallet.
            chips=from_wallet.get(row.pk, 0) - row.paid,
            reference=f"time:{row.pk}",
            table=row.table_id,
            table_name=row.table.name,
        )
        for row in charges
    ]


def _paid_from_wallet(player: User, rows: Sequence[TimeCharge]) -> dict[int, int]:
    """Chips of these charges paid from the wallet, after the player had left, by charge. One query."""
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
    """Pauses of the player's time, and refusals to pay."""
    rows = TimePause.objects.filter(player=wanted.player).select_related("table", "by")
    rows = rows.filter(table=wanted.table) if wanted.table else rows
    return [
        BookLine(
            source="p",
            number=row.pk,
            at=row.since,
            kind=str(row.kind),
            text=_pause_text(row),
            why=_reason_text(row.reason, row.by, wanted.player.pk),
            table=row.table_id,
            table_name=row.table.name,
        )
        for row in _newest_rows(rows, wanted, before, limit, at="since")
    ]


def list_moves(wanted: StatementRequest, before: int | None, limit: int) -> list[BookLine]:
    """Moves of the player's names on lists, each with the rule."""
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
            why=_reason_text(reasons.without_others(row.why), row.by, wanted.player.pk),
            table=row.table_id,
            table_name=row.table.name if row.table else "",
        )
        for row in _newest_rows(rows, wanted, before, limit, at="at")
    ]


def hands(wanted: StatementRequest, before: int | None, limit: int) -> list[BookLine]:
    """Every hand, if the statement is to list hands."""
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
        for row in _newest_rows(rows, wanted, before, limit, at="at")
    ]


#: By their letter in a cursor. Of lines at the same time, the first source comes last.
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
    """The entries of the player's wallet in the span, newest first; none if the statement is of one table."""
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
    """The balance after this entry: the balance now less all later entries, in one query."""
    since = Entry.objects.filter(account=OuterRef("pk"), pk__gt=entry).order_by().values("account")
    wallets = Account.objects.filter(kind=Account.Kind.WALLET, owner=player, unit="cash")
    balances = wallets.annotate(since=Coalesce(Subquery(since.annotate(sum=Sum("amount")).values("sum")), 0))
    balance, later = balances.values_list("balance", "since").get()
    return int(balance) - int(later)


def _last_entry(account: int, moment: datetime, *, slack: int) -> int:
    """The account's last entry before this moment, give or take `slack` transfers; 0 without one."""
    transfer = Transfer.objects.filter(at__lt=moment).order_by("-at").values_list("pk", flat=True).first()
    entries = Entry.objects.filter(account=account, transfer__lte=(transfer or 0) + slack)
    return entries.order_by("-transfer").values_list("pk", flat=True).first() or 0


def _newest_rows(rows: QuerySet, wanted: StatementRequest, before: int | None, limit: int, *, at: str) -> list:  # type: ignore[type-arg]
    """At most `limit` rows before row `before`, in the span. The start of the span is checked here: in the query,
    it would make the database read all older rows."""
    rows = rows.order_by("-pk")
    rows = rows.filter(pk__lt=before) if before is not None else rows
    rows = rows.filter(**{f"{at}__lt": wanted.until}) if wanted.until else rows
    newest = list(rows[:limit])
    return [row for row in newest if wanted.since is None or getattr(row, at) >= wanted.since]


def _moves_behind(entries: Sequence[Entry]) -> dict[str, SeatMove]:
    """The seat moves behind these entries, by reference."""
    numbers = {}
    for entry in entries:
        noun, _, number = entry.transfer.reference.partition(":")
        if noun in _WALLET_MOVES and number.isdigit():
            numbers[entry.transfer.reference] = int(number)
    moves = SeatMove.objects.select_related("table", "by").in_bulk(numbers.values()) if numbers else {}
    return {reference: moves[number] for reference, number in numbers.items() if number in moves}


def _wallet_line(entry: Entry, move: SeatMove | None, visits: dict[int, StayTotals]) -> BookLine:
    transfer = entry.transfer
    line = BookLine(
        source="w",
        number=entry.pk,
        at=transfer.at,
        kind=transfer.reference.partition(":")[0],
        text=capfirst(to_text(transfer.reason)),
        wallet=entry.amount,
        reference=transfer.reference,
    )
    if move is None:
        return line
    return replace(
        line,
        chips=-entry.amount,
        text=gettext("{text}, seat {seat}").format(text=line.text, seat=move.number),
        why=_reason_text(move.reason, move.by, move.player_id),
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
        why=_reason_text(move.reason, move.by, move.player_id),
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


def _reason_text(reason: StoredText, by: User | None, player: int) -> str:
    """The reason, and who did it if not the player."""
    doer = gettext("by {name}").format(name=by) if by and by.pk != player else ""
    why = to_text(reason)
    return f"{why.rstrip('.')}, {doer}" if why and doer else why or doer
