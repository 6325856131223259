"""What is read about time collection, jackpots and drop boxes."""

from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import QuerySet

from cardroom.core.errors import NotFound
from cardroom.core.models import User
from cardroom.core.sentences import to_text
from cardroom.ledger.models import Account
from games.engine.cards import parse_cards
from games.engine.drop import time_charge
from games.engine.ranking import name_of, value_of
from games.rake.models.drops import Jackpot, JackpotHit, backup_label, pool_label
from games.rake.models.times import CompAccrual, TimeCharge, TimeClock, TimePause
from games.tables import words as table_words
from games.tables.models.offers import DropSchedule
from games.tables.models.tables import Table

_LAST = 40


@dataclass(frozen=True)
class SitterTime:
    """The time of a player at the table, or of one who refused to pay and left (`seat` 0). `standing`: "pause",
    "refusal" or ""; `owed`: chips; `courtesy`: hands they are dealt though they did not pay."""

    player: int
    name: str
    seat: int
    standing: str
    why: str
    since: datetime | None
    owed: int
    courtesy: int = 0


@dataclass(frozen=True)
class TableTime:
    """The time of a table. `due_at`: the next collection; `charge`: chips each player would pay then, by the number of
    players there now."""

    table: Table
    schedule: DropSchedule | None
    due_at: datetime | None
    is_paused: bool
    charge: int
    sitters: list[SitterTime]
    charges: list[TimeCharge]

    def of(self, player: int | None) -> SitterTime | None:
        """The time of this player; None where they neither sit there nor owe anything."""
        return next((row for row in self.sitters if row.player == player), None)


def time_at(table_id: int) -> TableTime:
    """The time of a table. `NotFound` where there is no such table. Six queries at most."""
    table = Table.objects.select_related("drop").filter(pk=table_id, event="").first()
    if table is None:
        raise NotFound("no-such-table", "There is no such table.")
    schedule = table.drop if table.drop is not None and table.drop.kind == DropSchedule.Kind.TIME else None
    open_pauses = TimePause.objects.filter(table=table, until=None, player__isnull=False).select_related("player")
    pauses = {row.player_id: row for row in open_pauses}
    charges = list(TimeCharge.objects.filter(table=table).select_related("player", "by").order_by("-pk")[:_LAST])
    seats = list(table.seats.select_related("player").order_by("number"))
    owed: dict[int, int] = {}
    for charge in TimeCharge.objects.filter(table=table, state__in=("due", "owed")):
        owed[charge.player_id] = owed.get(charge.player_id, 0) + charge.owed
    people = [(seat.player_id, seat.player.username, seat.number) for seat in seats]
    seated = {player for player, _, _ in people}
    people += [(row.player_id, row.player.username, 0) for row in pauses.values() if row.player_id not in seated]
    sitters = [_sitter(player, name, seat, pauses.get(player), owed.get(player, 0)) for player, name, seat in people]
    clock = TimeClock.objects.filter(pk=table.pk).first()
    players = sum(1 for row in sitters if row.seat and row.standing != TimePause.Kind.PAUSE)
    return TableTime(
        table=table,
        schedule=schedule,
        due_at=clock.due_at if clock else None,
        is_paused=table.paused_at is not None,
        charge=time_charge(schedule.time_charges, players) if schedule else 0,
        sitters=sitters,
        charges=charges,
    )


def _sitter(player: int, name: str, seat: int, pause: TimePause | None, owed: int) -> SitterTime:
    return SitterTime(
        player=player,
        name=name,
        seat=seat,
        standing=str(pause.kind) if pause else "",
        why=to_text(pause.reason) if pause else "",
        since=pause.since if pause else None,
        owed=owed,
        courtesy=pause.hands_left if pause and pause.is_due else 0,
    )


#: Least hands that rooms use, worst first; any five cards will do.
LEAST_HANDS = (
    *("AsAhAd2s2h", "AsAhAdTsTh", "AsAhAdKsKh"),
    *("2s2h2d2c3s", "8s8h8d8c2s", "TsThTdTc2s", "JsJhJdJc2s", "QsQhQdQc2s", "AsAhAdAc2s"),
    "5s4s3s2sAs",
)


@dataclass(frozen=True)
class JackpotRow:
    """A jackpot as it is shown. `chips`: what a hit now would pay; `claimed`: what hits under review would get."""

    jackpot: Jackpot
    chips: int
    claimed: int
    in_backup: int
    least: str
    waiting: list[JackpotHit] = field(default_factory=list)

    @property
    def table_percent(self) -> int:
        return 100 - self.jackpot.loser_percent - self.jackpot.winner_percent


def words_of(cards: str) -> str:
    """A hand in words."""
    return table_words.hand_words(name_of(value_of(parse_cards(cards))))


def least_hands() -> list[tuple[str, str]]:
    """(cards, words) to choose from."""
    return [(cards, words_of(cards)) for cards in LEAST_HANDS]


def rows(*, with_closed: bool = False) -> list[JackpotRow]:
    """Every live jackpot by name, or every one. Three queries, however many there are; one where there is none."""
    jackpots = list(Jackpot.objects.all() if with_closed else Jackpot.objects.filter(state=Jackpot.State.LIVE))
    if not jackpots:
        return []
    labels = [label for jackpot in jackpots for label in (pool_label(jackpot.pk), backup_label(jackpot.pk))]
    pools = Account.objects.filter(kind=Account.Kind.POOL, unit="cash", label__in=labels)
    held = dict(pools.values_list("label", "balance"))
    waiting: dict[int, list[JackpotHit]] = {}
    for hit in JackpotHit.objects.filter(state=JackpotHit.State.WAITING).select_related("table"):
        waiting.setdefault(hit.jackpot_id, []).append(hit)
    jackpot_rows = []
    for jackpot in jackpots:
        hits = waiting.get(jackpot.pk, [])
        claimed = sum(hit.amount for hit in hits)
        in_main, in_backup = held.get(pool_label(jackpot.pk), 0), held.get(backup_label(jackpot.pk), 0)
        jackpot_rows.append(
            JackpotRow(jackpot, in_main - claimed, claimed, in_backup, words_of(jackpot.least_hand), hits)
        )
    return jackpot_rows


def hits(*, jackpot_id: int | None = None) -> QuerySet[JackpotHit]:
    """Hits, newest first, with the shares of their players."""
    rows = JackpotHit.objects.select_related("jackpot", "table", "approval", "found_by")
    rows = rows.prefetch_related("shares__player").order_by("-pk")
    return rows.filter(jackpot=jackpot_id) if jackpot_id is not None else rows


def accruals(user: User, *, limit: int = 50) -> list[CompAccrual]:
    """The newest credits of comp points for play."""
    return list(CompAccrual.objects.filter(player=user).order_by("-pk")[:limit])
