"""Comp points for time played: so many an hour as the game on offer says, for every minute in the game.

Time counts while a player sits and is neither sat out nor paused, nor his table. It is credited when he gets up, and at
midnight for those who play on; one transfer `comp:play:<accrual>` each time, and what does not come to a point is kept
for the next one.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from cardroom.models import Account, User
from cardroom.services import alarms, ledger, news
from games.models import CompAccrual, SeatMove, Stay, Table, TimePause
from games.services import locking, spans

ALARM = "comps"
UNIT = "comp"
HOUSE = "comps"
_HOUR = 3600


def at_once(table: Table, player: User, *, now: datetime) -> None:
    """Have credited what the player earned at this table, as soon as this is committed."""
    _set(table, player, now)


def at_midnight(table: Table, player: User, *, now: datetime) -> None:
    """Have it credited at the end of the day, where he is still there."""
    local = timezone.localtime(now)
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    _set(table, player, midnight.astimezone(now.tzinfo))


@transaction.atomic
def credit(*, table_id: int, player_id: int, now: datetime) -> list[CompAccrual]:
    """Credit what the player has earned at this table and was not credited; nothing the second time.

    For the alarm. Sets the next one where he still sits there. Locks the table, then accounts by the ledger.
    """
    table = locking.table(table_id)
    per_hour = table.offer.comp_per_hour if table.offer_id else 0
    if not per_hour:
        return []
    is_done = CompAccrual.objects.filter(stay=OuterRef("pk"), until__gte=OuterRef("left_at"))
    stays = Stay.objects.filter(~Exists(is_done), table=table, player=player_id).exclude(left_at=F("sat_at"))
    uncredited = list(stays.select_related("player").order_by("pk"))
    made = [accrual for stay in uncredited if (accrual := _accrued(stay, per_hour, now=now))]
    _post(table, made, now=now)
    for stay in uncredited:
        if stay.left_at is None:
            at_midnight(table, stay.player, now=now)
    return made


def played(stay: Stay, since: datetime, until: datetime) -> list[spans.Span]:
    """When in this span he was in the game: not sat out, not paused, and his table was not."""
    out = _sat_out(stay, until)
    pauses = TimePause.objects.filter(table=stay.table_id, since__lt=until).exclude(until__lte=since)
    pauses = pauses.filter(Q(player=stay.player_id) | Q(player=None), kind=TimePause.Kind.PAUSE)
    out += [(pause.since, pause.until or until) for pause in pauses]
    return spans.without((since, until), out)


def _sat_out(stay: Stay, until: datetime) -> list[spans.Span]:
    kinds = (SeatMove.Kind.SAT_OUT, SeatMove.Kind.CAME_BACK)
    moves = SeatMove.objects.filter(
        player=stay.player_id, table=stay.table_id, pk__gt=stay.sat_id, kind__in=kinds, at__lt=until
    ).order_by("pk")
    if stay.left_id:
        moves = moves.filter(pk__lt=stay.left_id)
    out: list[spans.Span] = []
    since: datetime | None = None
    for move in moves:
        if move.kind == SeatMove.Kind.SAT_OUT:
            since = since or move.at
        elif since is not None:
            out.append((since, move.at))
            since = None
    return [*out, (since, until)] if since is not None else out


def _accrued(stay: Stay, per_hour: int, *, now: datetime) -> CompAccrual | None:
    last = stay.comps.order_by("-pk").first()
    since = last.until if last else stay.sat_at
    until = min(stay.left_at or now, now)
    if not per_hour or until <= since:
        return None
    seconds = spans.seconds(played(stay, since, until))
    points, rest = divmod(seconds * per_hour + (last.rest if last else 0), _HOUR)
    return CompAccrual.objects.create(
        stay=stay,
        player=stay.player,
        since=since,
        until=until,
        seconds=seconds,
        per_hour=per_hour,
        points=points,
        rest=rest,
        at=now,
    )


def _post(table: Table, made: list[CompAccrual], *, now: datetime) -> None:
    earned = [accrual for accrual in made if accrual.points]
    if not earned:
        return
    house = ledger.open_account(kind=Account.Kind.HOUSE, label=HOUSE, unit=UNIT)
    wallet = ledger.wallet(earned[0].player, unit=UNIT)
    for accrual in earned:
        legs = [(house, -accrual.points), (wallet, accrual.points)]
        ledger.post(reference=f"comp:play:{accrual.pk}", reason=f"play at {table.name}", legs=legs, at=now)
    news.tell(f"player:{earned[0].player_id}")


def _set(table: Table, player: User, due_at: datetime) -> None:
    if table.offer_id is not None:
        alarms.set(kind=ALARM, key=f"{table.pk}:{player.pk}", due_at=due_at, fence=0)
