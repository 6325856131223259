"""What lists can be asked: the names on them as the room shows them, one's own, and what the floor sees."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from cardroom.models import User
from cardroom.services.errors import NotFound
from games.models import ListEntry, ListMove, Offer, Seat, SeatHold, Table

Kind, State = ListEntry.Kind, ListEntry.State
ON_THE_LIST = (Kind.LIST, Kind.INTEREST)


@dataclass(frozen=True)
class NameRow:
    """A name on a list. `place` counts from 1; 0 for who wants to change seats or tables."""

    id: int
    place: int
    name: str
    player: int
    offer: int
    offer_name: str
    kind: str
    kind_title: str
    state: str
    state_title: str
    source: str
    source_title: str
    since: datetime
    at: str
    called_to: str
    called_table: int | None
    called_number: int
    until: datetime | None
    is_clock_still: bool
    has_had_more_time: bool
    misses: int
    wishes: str
    note: str
    phone: str
    buy_in: tuple[int, int]
    is_physical: bool

    @property
    def is_called(self) -> bool:
        return self.state in (State.CALLED, State.COMING)

    @property
    def is_move(self) -> bool:
        return self.kind not in ON_THE_LIST


@dataclass(frozen=True)
class GameList:
    """The list of one game: its names in order, and who wants to change seats or tables."""

    offer: Offer
    names: list[NameRow]
    changes: list[NameRow]
    tables: int
    open_seats: int

    @property
    def waiting(self) -> int:
        return sum(row.state == State.WAITING for row in self.names)


@dataclass(frozen=True)
class MoveRow:
    """What happened to a name."""

    verb: str
    rule: str
    why: str
    table: str
    number: int
    passed_over: list[list[str]]
    by: str
    at: datetime


@dataclass(frozen=True)
class EntryStory:
    """One name with everything that happened to it."""

    row: NameRow
    moves: list[MoveRow] = field(default_factory=list)


def of_offer(offer_id: int) -> GameList:
    """The list of a game; `NotFound` where there is none. Four queries."""
    offer = Offer.objects.filter(pk=offer_id).first()
    if offer is None:
        raise NotFound("There is no such game on offer.", "no-such-offer")
    return of_offers([offer])[0]


def every(*, is_listed: bool = True) -> list[GameList]:
    """The lists of all games that are offered. Four queries."""
    return of_offers(list(Offer.objects.filter(is_listed=True) if is_listed else Offer.objects.all()))


def of_offers(offers: list[Offer]) -> list[GameList]:
    """The lists of these games. Three queries."""
    rows: dict[int, list[ListEntry]] = defaultdict(list)
    for entry in _active().filter(offer__in=offers):
        rows[entry.offer_id].append(entry)
    tables, seats = _room_in(offers)
    return [
        GameList(
            offer,
            in_order(entry for entry in rows[offer.pk] if not entry.is_move),
            [row_of(entry, 0) for entry in rows[offer.pk] if entry.is_move],
            tables[offer.pk],
            max(0, seats[offer.pk]),
        )
        for offer in offers
    ]


def mine(user: User) -> list[NameRow]:
    """Where this person's name is, with his place among those who wait. Two queries."""
    entries = list(_active().filter(player=user).order_by("joined_at"))
    before = Counter[int]()
    lists = _active().filter(offer__in={entry.offer_id for entry in entries}, kind__in=ON_THE_LIST)
    places: dict[int, int] = {}
    for pk, offer_id in lists.values_list("pk", "offer"):
        before[offer_id] += 1
        places[pk] = before[offer_id]
    return [row_of(entry, places.get(entry.pk, 0)) for entry in entries]


def called(user: User) -> list[NameRow]:
    """The calls this person has to answer, and the moves that wait for him. One query."""
    return [row_of(entry, 0) for entry in _active().filter(player=user, state__in=(State.CALLED, State.COMING))]


def story(entry_id: int, viewer: User, *, is_staff: bool) -> EntryStory:
    """A name and its moves, as told to himself or, with who was passed over, to staff; to anybody else `NotFound`."""
    entry = _rows().filter(pk=entry_id).first()
    if entry is None or not (is_staff or entry.player_id == viewer.pk):
        raise NotFound("There is no such name on a list.", "no-such-entry")
    moves = ListMove.objects.filter(entry=entry).select_related("table", "by").order_by("pk")
    place = next((row.place for row in mine(entry.player) if row.id == entry.pk), 0)
    return EntryStory(row_of(entry, place), [_move_row(move, is_staff=is_staff) for move in moves])


def past(user: User, *, before: int | None = None, limit: int = 50) -> list[NameRow]:
    """The lists a person was on, newest first."""
    rows = _rows().filter(player=user).exclude(state__in=ListEntry.ACTIVE).order_by("-pk")
    return [row_of(entry, 0) for entry in (rows.filter(pk__lt=before) if before else rows)[:limit]]


def in_order(entries: Iterable[ListEntry]) -> list[NameRow]:
    return [row_of(entry, place) for place, entry in enumerate(entries, 1)]


def row_of(entry: ListEntry, place: int) -> NameRow:
    """An entry as it is shown."""
    return NameRow(
        id=entry.pk,
        place=place,
        name=entry.player.username,
        player=entry.player_id,
        offer=entry.offer_id,
        offer_name=entry.offer.name,
        kind=entry.kind,
        kind_title=entry.get_kind_display(),
        state=entry.state,
        state_title=entry.get_state_display(),
        source=entry.source,
        source_title=entry.get_source_display(),
        since=entry.joined_at,
        at=entry.table.name if entry.table else "",
        called_to=entry.called_to.name if entry.called_to else "",
        called_table=entry.called_to_id,
        called_number=entry.called_number,
        until=entry.call_until,
        is_clock_still=entry.in_hand_id is not None,
        has_had_more_time=entry.more_time_at is not None,
        misses=entry.misses,
        wishes=_wishes(entry),
        note=entry.wish("note") or "",
        phone=entry.wish("phone") or "",
        buy_in=_buy_in(entry),
        is_physical=entry.offer.is_physical,
    )


#: What `row_of` shows: of the whole room there may be a thousand.
_SHOWN = (
    *("offer", "table", "player", "kind", "source", "state", "tier", "place", "wishes", "misses", "joined_at"),
    *("called_to", "called_number", "call_until", "more_time_at", "in_hand", "player__username", "table__name"),
    *("called_to__name", "called_to__min_buy_in", "called_to__max_buy_in"),
    *("offer__name", "offer__min_buy_in", "offer__max_buy_in", "offer__is_physical"),
)


def _rows():  # type: ignore[no-untyped-def]
    return ListEntry.objects.select_related("player", "offer", "table", "called_to").only(*_SHOWN)


def _active():  # type: ignore[no-untyped-def]
    return _rows().filter(state__in=ListEntry.ACTIVE).order_by("tier", "place", "pk")


def _room_in(offers: list[Offer]) -> tuple[Counter[int], Counter[int]]:
    """Of each game, the open tables, and their seats that are neither taken nor held. One query."""
    tables, seats = Counter[int](), Counter[int]()
    open_tables = Table.objects.filter(offer__in=offers, state=Table.State.OPEN, is_private=False)
    counted = {"taken": _of_each(Seat), "held": _of_each(SeatHold)}
    rows = open_tables.annotate(**counted).values_list("offer", "seat_count", "taken", "held")
    for offer_id, seat_count, taken, held in rows:
        tables[offer_id] += 1
        seats[offer_id] += seat_count - taken - held
    return tables, seats


def _of_each(model: type[Seat] | type[SeatHold]) -> Coalesce:
    """How many of them each table has; counted by itself, for joined to the others there would be very many rows."""
    rows = model.objects.filter(table=OuterRef("pk")).order_by().values("table").annotate(n=Count("pk"))
    return Coalesce(Subquery(rows.values("n")), 0)


def _wishes(entry: ListEntry) -> str:
    said = []
    if seats := entry.wish("seats"):
        said.append(f"seat {' or '.join(map(str, seats))}")
    if entry.wish("accessible"):
        said.append("an accessible seat")
    return ", ".join(said)


def _buy_in(entry: ListEntry) -> tuple[int, int]:
    at = entry.called_to or entry.offer
    return at.min_buy_in, at.max_buy_in


def _move_row(move: ListMove, *, is_staff: bool) -> MoveRow:
    return MoveRow(
        verb=move.verb,
        rule=move.rule,
        why=move.why if is_staff or not move.passed_over else move.why.partition("; passed over:")[0],
        table=move.table.name if move.table else "",
        number=move.number,
        passed_over=move.passed_over if is_staff else [],
        by=move.by.username if move.by and is_staff else "",
        at=move.at,
    )
