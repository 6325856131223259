"""Comp points for time played: the points per hour that the game on offer gave when the player sat down.

Time counts while a player sits and is neither sitting out nor paused, and their table is not paused either. It is
credited when they get up, and at the end of the gaming day for those who play on: one transfer
`comp:play:<accrual>` each time. A fraction of a point is carried on to the next one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import DateTimeField, Exists, F, OuterRef, Q, Value

from cardroom.core import alarms, room_time, topics
from cardroom.core.verb import lock, verb
from cardroom.ledger import ledger, passages
from cardroom.ledger.models import Account
from games.rake import time_spans
from games.rake.models.times import CompAccrual, TimePause
from games.tables import locking, reasons
from games.tables.models.tables import SeatMove, Table
from games.tables.models.times import Stay

ALARM = alarms.register("comps", "games.tasks.credit_comps")
UNIT = "comp"
HOUSE = "comps"
_HOUR = 3600


def credit_at(stay: Stay, due_at: datetime) -> None:
    """Set the alarm that credits at this time what the player has earned in this stay."""
    if stay.per_hour:
        alarms.set(kind=ALARM, key=f"{stay.table_id}:{stay.player_id}", due_at=due_at, fence=0)


def end_of_day(now: datetime) -> datetime:
    """When players who play on are credited."""
    return room_time.begins(room_time.day_of(now) + timedelta(days=1))


@verb("comps.credit")
def credit(*, table_id: int, player_id: int) -> list[CompAccrual]:
    """Credit what the player has earned at this table since the last credit; a second call does nothing more.

    For the alarm, which it sets again where they still sit there. Locks the table, then accounts by the ledger.
    """
    table, now = lock(locking.table, table_id)
    is_done = CompAccrual.objects.filter(stay=OuterRef("pk"), until__gte=OuterRef("left_at"))
    stays = Stay.objects.filter(~Exists(is_done), table=table, player=player_id, per_hour__gt=0)
    stays = stays.exclude(left_at=F("sat_at"))
    uncredited = list(stays.select_related("player").order_by("pk"))
    accruals = [accrual for stay in uncredited if (accrual := _accrue(stay, now=now))]
    _post_points(table, accruals, now=now)
    for stay in uncredited:
        if stay.left_at is None:
            credit_at(stay, end_of_day(now))
    return accruals


@dataclass(frozen=True)
class Outs:
    """What kept the players of some stays out of their games: sitting out and coming back, in order, and pauses."""

    moves: list[SeatMove]
    pauses: list[TimePause]


def outs_of(stays: Sequence[Stay]) -> Outs:
    """The `outs` of many stays, for `played`. One query."""
    if not stays:
        return Outs([], [])
    players, tables = {stay.player_id for stay in stays}, {stay.table_id for stay in stays}
    kinds, first = (SeatMove.Kind.SAT_OUT, SeatMove.Kind.CAME_BACK), min(stay.sat_id for stay in stays)
    moves = SeatMove.objects.filter(player__in=players, table__in=tables, pk__gt=first, kind__in=kinds)
    pauses = TimePause.objects.filter(Q(player__in=players) | Q(player=None), table__in=tables)
    pauses = pauses.filter(kind=TimePause.Kind.PAUSE).exclude(until__lte=min(stay.sat_at for stay in stays))
    no_end = Value(None, output_field=DateTimeField())
    rows = moves.order_by().values_list("pk", "table", "player", "kind", "at", no_end)
    rows = rows.union(pauses.order_by().values_list("pk", "table", "player", "kind", "since", "until"), all=True)
    outs = Outs([], [])
    for pk, table, player, kind, at, until in sorted(rows, key=lambda row: row[0]):
        if kind == TimePause.Kind.PAUSE:
            outs.pauses.append(TimePause(pk=pk, table_id=table, player_id=player, kind=kind, since=at, until=until))
        else:
            outs.moves.append(SeatMove(pk=pk, table_id=table, player_id=player, kind=kind, at=at))
    return outs


def spans_in_game(stay: Stay, since: datetime, until: datetime, outs: Outs | None = None) -> list[time_spans.Span]:
    """The spans between `since` and `until` in which the player of this stay was in the game: not sitting out, and
    neither they nor their table paused."""
    outs = outs_of([stay]) if outs is None else outs
    paused = [
        (pause.since, pause.until or until)
        for pause in outs.pauses
        if pause.table_id == stay.table_id and pause.player_id in (None, stay.player_id)
    ]
    return time_spans.without((since, until), _sat_out(stay, until, outs.moves) + paused)


def _sat_out(stay: Stay, until: datetime, moves: Sequence[SeatMove]) -> list[time_spans.Span]:
    out: list[time_spans.Span] = []
    since: datetime | None = None
    for move in moves:
        if (move.player_id, move.table_id) != (stay.player_id, stay.table_id) or move.at >= until:
            continue
        if move.pk <= stay.sat_id or (stay.left_id and move.pk >= stay.left_id):
            continue
        if move.kind == SeatMove.Kind.SAT_OUT:
            since = since or move.at
        elif since is not None:
            out.append((since, move.at))
            since = None
    return [*out, (since, until)] if since is not None else out


def _accrue(stay: Stay, *, now: datetime) -> CompAccrual | None:
    last = stay.comps.order_by("-pk").first()
    since = last.until if last else stay.sat_at
    until = min(stay.left_at or now, now)
    if until <= since:
        return None
    seconds = time_spans.seconds(spans_in_game(stay, since, until))
    points, rest = divmod(seconds * stay.per_hour + (last.rest if last else 0), _HOUR)
    return CompAccrual.objects.create(
        stay=stay, player=stay.player, since=since, until=until, seconds=seconds, per_hour=stay.per_hour, points=points,
        rest=rest, at=now,
    )  # fmt: skip


def _post_points(table: Table, accruals: list[CompAccrual], *, now: datetime) -> None:
    earned = [accrual for accrual in accruals if accrual.points]
    if not earned:
        return
    house = ledger.open_account(kind=Account.Kind.HOUSE, label=HOUSE, unit=UNIT)
    wallet = ledger.wallet(earned[0].player, unit=UNIT)
    for accrual in earned:
        legs = [(house, -accrual.points), (wallet, accrual.points)]
        passage = passages.rule_passage("comp points", accrual.points)
        reference, reason = f"comp:play:{accrual.pk}", reasons.PLAY(at=table.name)
        ledger.post(reference=reference, reason=reason, legs=legs, at=now, passage=passage)
    topics.tell(f"player:{earned[0].player_id}")
