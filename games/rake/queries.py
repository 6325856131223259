"""What is read about time collection, jackpots and drop boxes."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.dispatch import receiver

from cardroom.core import played
from cardroom.core.errors import NotFound
from cardroom.core.models import User
from cardroom.core.sentences import to_text
from cardroom.ledger.models import Account, Entry, Transfer
from games.engine.cards import parse_cards
from games.engine.drop import time_charge
from games.engine.ranking import name_of, value_of
from games.rake import collection, comps, time_charges
from games.rake.models.drops import BoxCount, Jackpot, JackpotHit, backup_label, pool_label
from games.rake.models.times import CompAccrual, TimeCharge, TimeClock, TimePause
from games.tables import signals as table_signals
from games.tables import words as table_words
from games.tables.models.offers import DropSchedule
from games.tables.models.tables import SeatMove, Table
from games.tables.models.times import Stay

_LAST = 40


@dataclass(frozen=True)
class Sitter:
    """Somebody at the table, or who would not pay before they left it (`seat` 0). `standing`: "pause", "refusal" or
    nothing; `owed`: chips; `courtesy`: hands they are dealt though they did not pay."""

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
    """`due_at`: the next collection; `each`: what everybody would pay then, by how many sit there now."""

    table: Table
    schedule: DropSchedule | None
    due_at: datetime | None
    is_paused: bool
    each: int
    sitters: list[Sitter]
    charges: list[TimeCharge]

    def of(self, player: int | None) -> Sitter | None:
        """How it stands with this player; None where they have nothing to do with it."""
        return next((row for row in self.sitters if row.player == player), None)


def time_at(table_id: int) -> TableTime:
    """How time stands at a table. `NotFound` where there is no such table. Six queries at most."""
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
    there = {player for player, _, _ in people}
    people += [(row.player_id, row.player.username, 0) for row in pauses.values() if row.player_id not in there]
    sitters = [_sitter(*each, pauses.get(each[0]), owed.get(each[0], 0)) for each in people]
    clock = TimeClock.objects.filter(pk=table.pk).first()
    players = sum(1 for row in sitters if row.seat and row.standing != TimePause.Kind.PAUSE)
    return TableTime(
        table=table,
        schedule=schedule,
        due_at=clock.due_at if clock else None,
        is_paused=table.paused_at is not None,
        each=time_charge(schedule.time_charges, players) if schedule else 0,
        sitters=sitters,
        charges=charges,
    )


def _sitter(player: int, name: str, seat: int, pause: TimePause | None, owed: int) -> Sitter:
    return Sitter(
        player=player,
        name=name,
        seat=seat,
        standing=str(pause.kind) if pause else "",
        why=to_text(pause.reason) if pause else "",
        since=pause.since if pause else None,
        owed=owed,
        courtesy=pause.hands_left if pause and pause.is_due else 0,
    )


# Jackpots: what is in each, what hits it, how it is shared out, and who hit it


#: Least hands that rooms use, worst first; any five cards will do.
LEAST_HANDS = (
    *("AsAhAd2s2h", "AsAhAdTsTh", "AsAhAdKsKh"),
    *("2s2h2d2c3s", "8s8h8d8c2s", "TsThTdTc2s", "JsJhJdJc2s", "QsQhQdQc2s", "AsAhAdAc2s"),
    "5s4s3s2sAs",
)


@dataclass(frozen=True)
class JackpotRow:
    """`chips`: what a hit now would pay. `claimed`: what hits that are being checked have a claim to."""

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
    """Every jackpot by name. Three queries, however many they are; one where there is none."""
    found = list(Jackpot.objects.all() if with_closed else Jackpot.objects.filter(state=Jackpot.State.LIVE))
    if not found:
        return []
    labels = [label for each in found for label in (pool_label(each.pk), backup_label(each.pk))]
    pools = Account.objects.filter(kind=Account.Kind.POOL, unit="cash", label__in=labels)
    held = dict(pools.values_list("label", "balance"))
    waiting: dict[int, list[JackpotHit]] = {}
    for hit in JackpotHit.objects.filter(state=JackpotHit.State.WAITING).select_related("table"):
        waiting.setdefault(hit.jackpot_id, []).append(hit)
    made = []
    for each in found:
        hits = waiting.get(each.pk, [])
        claimed = sum(hit.amount for hit in hits)
        in_main, in_backup = held.get(pool_label(each.pk), 0), held.get(backup_label(each.pk), 0)
        made.append(JackpotRow(each, in_main - claimed, claimed, in_backup, words_of(each.least_hand), hits))
    return made


def hits(*, jackpot_id: int | None = None) -> QuerySet[JackpotHit]:
    """Hits, newest first, with who got what."""
    found = JackpotHit.objects.select_related("jackpot", "table", "approval", "found_by")
    found = found.prefetch_related("shares__player").order_by("-pk")
    return found.filter(jackpot=jackpot_id) if jackpot_id is not None else found


# Time already charged to the chips of a table since its last box count: emptying the box moves those no more


_PAID, _GIVEN_BACK = "time:", "reversal:time:"
_OF_TIME = Q(transfer__reference__startswith=_PAID) | Q(transfer__reference__startswith=_GIVEN_BACK)


def time_in_box(table: Table) -> int:
    """Chips of time that lie in the box of this table. Three queries; call with the table locked."""
    before = BoxCount.objects.filter(table=table).order_by("-pk").first()
    emptied = Transfer.objects.filter(reference=f"box:{before.pk}").values_list("pk", flat=True) if before else [0]
    entries = Entry.objects.filter(account__kind="pool", account__label=f"chips:table:{table.pk}")
    since = entries.filter(_OF_TIME, transfer__gt=emptied[0])
    return time_of(since.order_by("pk").values_list("transfer__reference", "amount"))


def time_of(entries: Iterable[tuple[str, int]]) -> int:
    """The chips of time in a box, by the entries of its table's pool (reference of the transfer, chips) since the box
    before. What was given back of a charge comes out of the box it lies in: of a box that was emptied it is brought
    from elsewhere. Other entries are passed over.

    >>> time_of([("time:1", -10), ("time:2", -10), ("reversal:time:2", 10), ("reversal:time:0", 8), ("move:5", -70)])
    10
    """
    lies: dict[str, int] = {}
    for reference, amount in entries:
        for kind in (_PAID, _GIVEN_BACK):
            if reference.startswith(kind):
                charge = reference.removeprefix(kind).partition(":")[0]
                lies[charge] = lies.get(charge, 0) - amount
    return sum(max(0, chips) for chips in lies.values())


# Stays: from the move that seats a player at a cash table to the one that takes them away.


_BEGIN = (SeatMove.Kind.SAT, SeatMove.Kind.MOVED)
_END = (SeatMove.Kind.LEFT, SeatMove.Kind.MOVED_AWAY, SeatMove.Kind.PICKED_UP, SeatMove.Kind.TAKEN_OUT)


@receiver(table_signals.seat_moved)
def follow(move: SeatMove, table: Table, **_: Any) -> None:
    """Begin or end the stay that this move begins or ends."""
    if table.event or move.player.is_bot or move.kind not in (*_BEGIN, *_END):
        return
    if move.kind in _BEGIN:
        stay = Stay.objects.create(
            player=move.player,
            table=table,
            number=move.number,
            sat=move,
            sat_at=move.at,
            per_hour=table.offer.comp_per_hour if table.offer is not None else 0,
        )
        time_charges.keep(table, now=move.at)
        collection.note(table, move.player, number=move.number, now=move.at)
        comps.credit_at(stay, comps.end_of_day(move.at))
        _play_time_changed(move)
        return
    for stay in Stay.objects.filter(player=move.player, table=table, left_at=None):
        stay.left, stay.left_at = move, max(move.at, stay.sat_at)
        stay.save(update_fields=["left", "left_at"])
        comps.credit_at(stay, move.at)
    # Who would not pay and was not charged for it pays before they sit here again.
    unpaid = {"kind": TimePause.Kind.REFUSAL, "is_due": True}
    TimePause.objects.filter(table=table, player=move.player, until=None).exclude(**unpaid).update(until=move.at)
    _play_time_changed(move)


def _play_time_changed(move: SeatMove) -> None:
    for games in played.games():
        games.play_time_changed(move.player, now=move.at)


def accruals(user: User, *, limit: int = 50) -> list[CompAccrual]:
    """The newest credits of comp points for play."""
    return list(CompAccrual.objects.filter(player=user).order_by("-pk")[:limit])
