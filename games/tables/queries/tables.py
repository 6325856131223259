"""Queries of tables: the lobby, one table as each viewer may see it, its seats, and who may watch."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import log
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Avg, Count, Exists, F, Max, Min, OuterRef, Q
from django.utils.translation import gettext_noop

from cardroom.accounts import people, welcome
from cardroom.accounts.look import avatar_of
from cardroom.core import access
from cardroom.core.errors import Forbidden, NotFound
from cardroom.core.models import User
from games.rulebooks.queries import load as rulebook
from games.tables.models.offers import Favourite, Invitation, SeatHold
from games.tables.models.tables import Hand, Seat, Table
from games.tables.offers import in_play as book_in_play
from games.tables.words import BOT_STRENGTHS, GOING, phase_of

#: Roles that see the hands of a table without spectators, beside the players who sit there.
STAFF = ("dealer", "floor", "manager", "auditor")
#: A user, or None for anybody on the rail.
Viewer = User | AnonymousUser | None

_RECENT_HANDS = 20
#: The columns of a seat that a view needs; sockets read them with every hand, so no more than these.
_SEAT = (
    *("number", "state", "gone_at", "top_up_queued"),
    *(
        "player_id",
        "player__username",
        "player__is_bot",
        "player__personality",
        "player__look",
        "account__balance",
        "counted",
    ),
)


@dataclass(frozen=True)
class TableRow:
    """A table in the lobby. `average_pot` and `hands_per_hour` are of its last hands; None while there are too few."""

    id: int
    name: str
    game: str
    structure: str
    dealt_by: str
    stakes: str
    ante: int
    bring_in: int
    small_bet: int
    big_bet: int
    min_buy_in: int
    max_buy_in: int
    seat_count: int
    people: int
    bots: int
    is_playing: bool
    hand_count: int
    average_pot: int | None
    hands_per_hour: int | None
    state: str = Table.State.OPEN
    #: The state in words, see `words.phase_of`.
    phase: str = "open"
    offer: int | None = None
    section: int | None = None
    is_physical: bool = False
    is_private: bool = False
    is_paused: bool = False
    must_move_to: int | None = None
    #: Free seats that are held for somebody.
    held: int = 0
    #: Whether bots of the house play here as soon as a person sits down.
    has_bots: bool = False

    @property
    def free(self) -> int:
        """Seats anybody may take."""
        if self.state != Table.State.OPEN:
            return 0
        return max(0, self.seat_count - self.taken - self.held)

    @property
    def is_going(self) -> bool:
        return self.phase == GOING

    @property
    def taken(self) -> int:
        return self.people + self.bots

    @property
    def is_full(self) -> bool:
        return self.taken >= self.seat_count


def lobby() -> list[TableRow]:
    """The tables of the house, cheapest first: none of an event, no home game. Two queries."""
    tables = (
        Table.objects.filter(event="", home=None)
        .exclude(state__in=[Table.State.CLOSED, Table.State.FREE])
        .annotate(
            people=Count("seats", filter=Q(seats__player__is_bot=False)),
            bots_seated=Count("seats", filter=Q(seats__player__is_bot=True)),
        )
    )
    recent = {row["table"]: row for row in _recent_hands()}
    return [_table_row(table, recent.get(table.pk)) for table in tables.order_by("small_bet", "name")]


def table(table_id: int) -> Table:
    """The table's row as it is, without a lock; `NotFound` where there is none."""
    calls = Table.objects.filter(pk=OuterRef("pk"), floor_calls__isnull=False, floor_calls__answered_at=None)
    tables = Table.objects.select_related("play__hand", "play__last_hand").annotate(is_floor_called=Exists(calls))
    row = tables.filter(pk=table_id).first()
    if row is None:
        raise NotFound("no-such-table", "There is no such table.")
    return row


def visible_table(table_id: int, viewer: Viewer) -> Table:
    """`table`, for this viewer: also `NotFound` where they may not know of it."""
    row = table(table_id)
    check_may_see(row, viewer)
    return row


def viewer_seat(table: Table, user: Viewer) -> int | None:
    """The seat this user has at a table now."""
    if user is None or not user.is_authenticated:
        return None
    return Seat.objects.filter(table=table, player=user).values_list("number", flat=True).first()


def seats_of(user: User, *, event: str | None = None) -> list[Seat]:
    """Where a player sits, with the tables and their stacks. `event`: only its tables; "": only cash tables."""
    seats = Seat.objects.filter(player=user).select_related("table__play", "account").order_by("table__name")
    return list(seats if event is None else seats.filter(table__event=event))


def seats_in_sight(players: Collection[int], viewer: User | None = None) -> dict[int, list[Seat]]:
    """Where these people sit now, each seat with its `table`: at tables that anybody may watch, and at those where the
    viewer sits as well."""
    seats_by_player: dict[int, list[Seat]] = {}
    in_sight = Q(table__is_private=False, table__has_spectators=True)
    if viewer is not None:
        in_sight |= Q(table__in=Seat.objects.filter(player=viewer).values("table"))
    for seat in Seat.objects.filter(in_sight, player__in=players).select_related("table__play").order_by("table__name"):
        seats_by_player.setdefault(seat.player_id, []).append(seat)
    return seats_by_player


def table_view(*, table_id: int, viewer: Viewer) -> dict[str, Any]:
    """The table as JSON for one viewer: everything but the cards, which are facts.

    `seats` lists the taken ones; a `stack` is as the hand being played found it, for the hand's facts tell the rest;
    at a table in the room as it was last counted.
    Times are milliseconds since the epoch. `NotFound` where there is no such table for them. Three queries.
    """
    return _views(visible_table(table_id, viewer), [viewer])[0]


def table_views(*, table_id: int, viewers: list[Viewer]) -> list[dict[str, Any]]:
    """`table_view` for several viewers of one table, with the same number of queries."""
    return _views(table(table_id), viewers)


def _views(row: Table, viewers: list[Viewer]) -> list[dict[str, Any]]:
    common, seats = _common_view(row), list(row.seats.order_by("number").values_list(*_SEAT, named=True))
    people = [viewer for viewer in viewers if isinstance(viewer, User)]
    wallets = welcome.spendable(people) if people else {}
    return [common | _own_view(row, seats, viewer, wallets) for viewer in viewers]


def clock(table: Table) -> dict[str, int] | None:
    """Whose time runs and until when: `seat`, `deadline`, and `bank_from`, when their time bank begins to be used;
    before that, `extra` milliseconds of it are extra time for a player who lost the connection."""
    if not table.to_act or table.deadline is None or table.bank_from is None:
        return None
    return {
        "seat": table.to_act,
        "deadline": _ms(table.deadline),
        "bank_from": _ms(table.bank_from),
        "extra": table.extra_ms,
    }


def _recent_hands() -> Any:
    last = Hand.objects.filter(ended_at__isnull=False, number__gt=F("table__play__hand_count") - _RECENT_HANDS)
    last = last.filter(table__event="")
    return last.values("table").annotate(
        hands=Count("pk"), pot_mean=Avg("pot"), first=Min("started_at"), last=Max("ended_at")
    )


#: The columns that a row of the lobby, and a view, take over from the table.
_ROW = (
    "id name game structure dealt_by stakes ante bring_in small_bet big_bet min_buy_in max_buy_in seat_count people"
    " hand_count state is_physical is_private"
)
_VIEW = (
    f"id name event unit state game structure setting {Table.SHOWN} is_hand_shown is_physical is_private notice version"
    " dealer bots_wait_for_people"
)


def _fields(table: Table, names: str) -> dict[str, Any]:
    return {name: getattr(table, name) for name in names.split()}


def _table_row(table: Table, recent: dict[str, Any] | None) -> TableRow:
    seconds = (recent["last"] - recent["first"]).total_seconds() if recent else 0
    return TableRow(
        **_fields(table, _ROW),
        bots=table.bots_seated,
        is_playing=table.hand_id is not None,
        average_pot=round(recent["pot_mean"]) if recent else None,
        hands_per_hour=round(recent["hands"] * 3600 / seconds) if recent and recent["hands"] > 2 and seconds else None,
        phase=phase_of(table, table.people + table.bots_seated),
        offer=table.offer_id,
        section=table.section_id,
        is_paused=table.paused_at is not None,
        must_move_to=table.must_move_to_id,
        has_bots=table.bots > 0,
    )


def _common_view(table: Table) -> dict[str, Any]:
    in_play = book_in_play(table)
    return {
        **_fields(table, _VIEW),
        "stakes": {"name": table.stakes, **_fields(table, "ante bring_in small_bet big_bet smallest_chip")},
        "rulebook": _book_name(in_play),
        "next_rulebook": _book_name(table.rulebook) if table.rulebook != in_play else None,
        "raise_cap": dict(rulebook(in_play).value("raise_cap", table.setting)),
        "paused": {"since": _ms(table.paused_at), "reason": table.pause_reason} if table.paused_at else None,
        "floor_called": table.is_floor_called,
        "hand": {"id": table.hand.pk, "number": table.hand.number, "seq": table.seq} if table.hand else None,
        "last_hand": table.last_hand_id,
        "next_deal_at": _ms(table.wake_at) if table.wake_at and _deals_next(table) else None,
    }


def _deals_next(table: Table) -> bool:
    """Whether the automatic dealer deals a hand here when the alarm rings."""
    return table.hand is None and not table.is_dealt_by_person and not table.event


def _book_name(reference: str) -> dict[str, str]:
    book = rulebook(reference)
    return {"slug": book.slug, "version": book.version, "reference": reference, "title": book.title}


def _own_view(table: Table, seats: list[Any], viewer: Viewer, wallets: dict[int, int]) -> dict[str, Any]:
    own_seat = next((seat for seat in seats if viewer is not None and seat.player_id == viewer.pk), None)
    is_shown = own_seat is not None or table.has_spectators or access.has_role(viewer or AnonymousUser(), *STAFF)
    return {
        "is_shown": is_shown,
        "clock": clock(table) if is_shown else None,
        "seats": [
            {
                "number": seat.number,
                "name": seat.player__username,
                "is_bot": seat.player__is_bot,
                "strength": BOT_STRENGTHS.get(seat.player__personality, ""),
                "avatar": avatar_of(seat.player__look, bot=seat.player_id if seat.player__is_bot else 0),
                "stack": seat.counted if table.is_physical else seat.account__balance,
                "state": _state(table, seat),
                "is_gone": seat.gone_at is not None,
                "in_hand": table.is_in_hand(seat.number),
                "you": seat is own_seat,
            }
            for seat in seats
        ],
        "you": {
            "seat": own_seat.number if own_seat else None,
            "name": viewer.username if viewer is not None and viewer.is_authenticated else None,
            "state": _state(table, own_seat) if own_seat else None,
            "top_up_queued": own_seat.top_up_queued if own_seat else 0,
        },
        "wallet": wallets[viewer.pk] if isinstance(viewer, User) else None,
    }


def _state(table: Table, seat: Any) -> str:
    """The state of a seat. In a hand of an event the clocks say who is away; the seats are updated after it."""
    if not table.event or not table.is_in_hand(seat.number):
        return seat.state
    return Seat.State.SITTING_OUT if table.is_away_in_hand(seat.number) else Seat.State.PLAYING


def _ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def check_may_see(table: Table, viewer: Viewer) -> None:
    """`NotFound` where this viewer may not know of the table: a home game to which they are not invited. No query where
    the table is not private."""
    if not table.is_private or not Table.objects.filter(pk=table.pk, home__isnull=False).exists():
        return
    is_known = viewer is not None and viewer.is_authenticated
    if is_known and Invitation.objects.filter(table=table, player=viewer.pk).exists():
        return
    if not is_known or not may_watch(table, viewer):
        raise NotFound("no-such-table", "There is no such table.")


def may_watch(table: Table, viewer: Viewer) -> bool:
    """Whether this viewer may watch the hands of a table: anybody where it has spectators (no query), else players who
    sit there and the staff (two queries at most)."""
    if table.has_spectators:
        return True
    if viewer is None or not viewer.is_authenticated:
        return False
    if Seat.objects.filter(table=table, player=viewer.pk).exists():
        return True
    return access.has_role(viewer, *STAFF)


def check_may_watch(table: Table, viewer: Viewer) -> None:
    """`Forbidden` where this viewer may not watch the table."""
    if not may_watch(table, viewer):
        check_may_see(table, viewer)
        raise no_spectators(table)


def no_spectators(table: Table) -> Forbidden:
    """The refusal to show a table's hands to a person who did not sit there."""
    message = gettext_noop("{table} has no spectators: its hands are shown to those who sit there.")
    return Forbidden("no-spectators", message, table=table.name)


@dataclass(frozen=True)
class Chair:
    """One seat of a table: taken, held for somebody, or free. `chips`: at a table in the room as last counted.

    `kept_until`: when the seat of a player who is away may be picked up.
    """

    number: int
    seat: Seat | None = None
    held: SeatHold | None = None
    chips: int = 0
    kept_until: datetime | None = None
    is_in_hand: bool = False
    is_overdue: bool = False


@dataclass(frozen=True)
class SeatPlan:
    """The seats of a table for staff. `others`: the tables a player of this one can be moved to, this one first.
    `first`: the number of the seat that was chosen."""

    table: Table
    chairs: list[Chair]
    others: list[Table]
    first: int | None = None

    @property
    def shown(self) -> list[Chair]:
        """The seats that are taken or held, the chosen one first."""
        return sorted((chair for chair in self.chairs if chair.seat or chair.held), key=self._is_later)

    def _is_later(self, chair: Chair) -> bool:
        return chair.number != self.first

    @property
    def is_first_free(self) -> bool:
        """Whether a free seat was chosen."""
        return self.first in self.free

    @property
    def taken(self) -> list[Chair]:
        return [chair for chair in self.chairs if chair.seat is not None]

    @property
    def free(self) -> list[int]:
        return [chair.number for chair in self.chairs if chair.seat is None and chair.held is None]


def seat_plan(*, table_id: int, now: datetime, first: int | None = None) -> SeatPlan:
    """Every seat of a table of the room, for staff; `first`: the one that was chosen. `NotFound` where there is no such
    table, or it is an event's."""
    table = Table.objects.select_related("offer", "drop").filter(pk=table_id, event="").first()
    if table is None:
        raise NotFound("no-such-table", "There is no such table.")
    seats = {seat.number: seat for seat in table.seats.select_related("player", "account", "moving_to")}
    holds = {held.number: held for held in table.holds.select_related("player", "by") if _is_in_force(held, now)}
    chairs = [_chair(table, number, seats, holds, now) for number in range(1, table.seat_count + 1)]
    others = Table.objects.filter(event="", state=Table.State.OPEN, is_physical=table.is_physical)
    others = others.exclude(pk=table.pk).order_by("name")
    return SeatPlan(table, chairs, [table, *others], first)


def holds_of(user: User, *, now: datetime) -> list[SeatHold]:
    """The seats that are held for a player. One query."""
    held = SeatHold.objects.filter(player=user).select_related("table").order_by("table__name")
    return [hold for hold in held if _is_in_force(hold, now)]


def seats_to_cash(user: User) -> list[Seat]:
    """The seats of a player at cash tables, each with their `chips` (in the room as last counted)."""
    rows = (
        Seat.objects.filter(player=user, table__event="")
        .select_related("table__play", "account")
        .order_by("table__name")
    )
    seats = list(rows)
    for seat in seats:
        seat.chips = seat.counted if seat.table.is_physical else seat.account.balance
        seat.is_in_hand = seat.table.is_in_hand(seat.number)
    return seats


def tables_to_sit(user: User, *, now: datetime) -> list[Table]:
    """Open tables a player can be seated at: first those where a seat is held for them (`held`: its number), then those
    in the room, each with its number of free seats (`free`). Left out are tables that `seats.check_other_tables` and
    `bans.check_may_play` refuse: a second seat in the room, more tables of a game online than it allows, and all
    tables online for a player without a login."""
    rows = Table.objects.filter(event="", state=Table.State.OPEN).exclude(seats__player=user).order_by("name")
    own_seats = list(Seat.objects.filter(player=user, table__event="").select_related("table__play"))
    if any(seat.table.is_physical for seat in own_seats):
        rows = rows.filter(is_physical=False)
    if not people.can_log_in(user):
        rows = rows.filter(is_physical=True)
    per_offer = Counter(seat.table.offer_id for seat in own_seats)
    rows = rows.annotate(taken=Count("seats")).select_related("offer").prefetch_related("holds")
    tables = []
    for table in rows:
        holds = [held for held in table.holds.all() if _is_in_force(held, now)]
        own = next((held.number for held in holds if held.player_id == user.pk), None)
        table.free, table.held = table.seat_count - table.taken - len(holds) + (own is not None), own
        is_most = not table.is_physical and table.offer and per_offer[table.offer_id] >= table.offer.tables_per_player
        if table.free > 0 and not is_most:
            tables.append(table)
    return sorted(tables, key=lambda table: (table.held is None, not table.is_physical))


def quick_seat(user: User, *, game: str, small_bet: int, now: datetime) -> Table | None:
    """The best table to sit down at now, of this game ("": any). First comes a table with a seat held for them, then
    the stakes nearest to this small bet (0: any), then a favourite, then the one with the most players. None where
    their wallet can buy in nowhere."""
    chips = welcome.spendable_by(user)
    candidates = [
        table
        for table in tables_to_sit(user, now=now)
        if not table.is_physical and table.min_buy_in <= chips and table.game == (game or table.game)
        if table.held is not None or not table.is_private
    ]

    marked = Favourite.objects.filter(player=user).exclude(kind=Favourite.Kind.EVENT)
    stars = set(marked.values_list("kind", "number")) if len(candidates) > 1 else set()

    def farness(table: Table) -> tuple[bool, float, bool, int, int]:
        apart = abs(log(max(1, table.small_bet) / small_bet)) if small_bet else 0
        is_starred = ("table", table.pk) in stars or ("offer", table.offer_id) in stars
        return table.held is None, apart, not is_starred, table.seat_count - table.taken, table.pk

    return min(candidates, key=farness, default=None)


def _chair(table: Table, number: int, seats: dict[int, Seat], holds: dict[int, SeatHold], now: datetime) -> Chair:
    seat = seats.get(number)
    if seat is None:
        return Chair(number, held=holds.get(number))
    kept_until = None
    if seat.state == Seat.State.SITTING_OUT and seat.out_since is not None:
        kept_until = seat.out_since + timedelta(minutes=table.keep_seat_minutes)
    chips = seat.counted if table.is_physical else seat.account.balance
    is_overdue = kept_until is not None and now >= kept_until
    return Chair(number, seat, None, chips, kept_until, table.is_in_hand(number), is_overdue)


def _is_in_force(held: SeatHold, now: datetime) -> bool:
    return held.until is None or held.until > now
