"""What is read about lists: the names as the room shows them, a player's own, and what the floor sees."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import reduce

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext

from cardroom.core.models import User
from cardroom.core.sentences import to_text
from games.tables.models.offers import Offer, SeatHold
from games.tables.models.tables import Seat, Table
from games.waitlists import reasons
from games.waitlists.models import ListEntry, ListMove

Kind, State = ListEntry.Kind, ListEntry.State
ON_THE_LIST = (Kind.LIST, Kind.INTEREST)
_KINDS, _STATES, _SOURCES = (dict(choices.choices) for choices in (Kind, State, ListEntry.Source))


@dataclass(frozen=True)
class NameRow:
    """A name on a list. `place` counts from 1; 0: the player wants to change seats or tables."""

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


def row_of(entry: ListEntry, place: int, names: Mapping[int, str] | None = None) -> NameRow:
    """An entry as it is shown; `names`: of the tables that it wishes for."""
    return NameRow(
        id=entry.pk,
        place=place,
        name=entry.player.shown_name,
        player=entry.player_id,
        offer=entry.offer_id,
        offer_name=entry.offer.name,
        kind=entry.kind,
        kind_title=_KINDS[entry.kind],
        state=entry.state,
        state_title=_STATES[entry.state],
        source=entry.source,
        source_title=_SOURCES[entry.source],
        since=entry.joined_at,
        at=entry.table.name if entry.table else "",
        called_to=entry.called_to.name if entry.called_to else "",
        called_table=entry.called_to_id,
        called_number=entry.called_number,
        until=entry.call_until,
        is_clock_still=entry.in_hand_id is not None,
        has_had_more_time=entry.more_time_at is not None,
        misses=entry.misses,
        wishes=_wishes(entry, names or {}),
        note=entry.wish("note") or "",
        phone=entry.wish("phone") or "",
        buy_in=_buy_in(entry),
        is_physical=entry.offer.is_physical,
    )


def _wishes(entry: ListEntry, names: Mapping[int, str]) -> str:
    phrases = []
    if seats := entry.wish("seats"):
        phrases.append(gettext("seat {numbers}").format(numbers=_either(map(str, seats))))
    if tables := [names[table] for table in entry.wish("tables") or () if table in names]:
        phrases.append(gettext("a seat at {tables}").format(tables=_either(tables)))
    if entry.wish("accessible"):
        phrases.append(gettext("an accessible seat"))
    return ", ".join(phrases)


def _either(phrases: Iterable[str]) -> str:
    return reduce(lambda first, second: gettext("{one} or {other}").format(one=first, other=second), phrases)


def _buy_in(entry: ListEntry) -> tuple[int, int]:
    at = entry.called_to or entry.offer
    return at.min_buy_in, at.max_buy_in


@dataclass(frozen=True)
class OpenTableRow:
    """An open table that players may ask for."""

    pk: int
    name: str
    offer: int


@dataclass(frozen=True)
class GameList:
    """The list of one game: its names in order, and the players who want to change seats or tables."""

    offer: Offer
    names: list[NameRow]
    changes: list[NameRow]
    tables: int
    open_seats: int
    open_tables: list[OpenTableRow]

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
    """The list of a game; `NotFound` where there is none. Three queries."""
    offer = Offer.objects.filter(pk=offer_id).first()
    if offer is None:
        raise Offer.not_found()
    return of_offers([offer])[0]


def open_tables(offers: Iterable[int]) -> list[OpenTableRow]:
    """The open tables of these games that anybody may ask for. One query."""
    rows = Table.objects.filter(offer__in=offers, state=Table.State.OPEN, is_private=False).order_by("name")
    return [OpenTableRow(*row) for row in rows.values_list("pk", "name", "offer")]


def every() -> list[GameList]:
    """The lists of all games that are offered. Three queries."""
    return of_offers(offered_games())


def offered_games() -> list[Offer]:
    """The games that are offered. One query."""
    return list(Offer.objects.filter(is_listed=True))


def active(offers: list[Offer]) -> QuerySet[ListEntry]:
    """The names on the lists of these games, in order; `with_games` gives each its game."""
    rows = ListEntry.objects.select_related("player", "table", "called_to").only(*_SHOWN)
    return _in_turn(rows).filter(offer__in=offers)


def with_games(entries: Iterable[ListEntry], offers: Iterable[Offer]) -> list[ListEntry]:
    """The names, with `offer` set from the games that were read already, so that none is read again."""
    games, names = {offer.pk: offer for offer in offers}, list(entries)
    for entry in names:
        entry.offer = games[entry.offer_id]
    return names


def of_offers(offers: list[Offer], entries: list[ListEntry] | None = None) -> list[GameList]:
    """The lists of these games. Two queries; one where the names (`entries`) were read already."""
    rows = defaultdict[int, list[ListEntry]](list)
    entries = with_games(active(offers), offers) if entries is None else entries
    for entry in entries:
        rows[entry.offer_id].append(entry)
    tables, seats, names = _open_seats(offers, _wished(entries))
    return [
        GameList(
            offer,
            _in_order((entry for entry in rows[offer.pk] if not entry.is_move), names),
            [row_of(entry, 0, names) for entry in rows[offer.pk] if entry.is_move],
            len(tables[offer.pk]),
            max(0, seats[offer.pk]),
            tables[offer.pk],
        )
        for offer in offers
    ]


def mine(user: User) -> list[NameRow]:
    """The lists this person is on, with their place on each. Two queries."""
    entries = list(_active().filter(player=user).order_by("joined_at"))
    before = Counter[int]()
    lists = _active().filter(offer__in={entry.offer_id for entry in entries}, kind__in=ON_THE_LIST)
    places: dict[int, int] = {}
    for pk, offer_id in lists.values_list("pk", "offer"):
        before[offer_id] += 1
        places[pk] = before[offer_id]
    names = _wished_tables(entries)
    return [row_of(entry, places.get(entry.pk, 0), names) for entry in entries]


def calls_of(user: User) -> list[NameRow]:
    """The calls this person has to answer, and the moves that wait for them. One query."""
    return [row_of(entry, 0) for entry in _active().filter(player=user, state__in=(State.CALLED, State.COMING))]


def story(entry_id: int, viewer: User, *, is_staff: bool) -> EntryStory:
    """A name and its moves, for its owner; for staff also who did them and who was passed over. `NotFound` for anybody
    else."""
    entry = _rows().filter(pk=entry_id).first()
    if entry is None or not (is_staff or entry.player_id == viewer.pk):
        raise ListEntry.not_found()
    moves = ListMove.objects.filter(entry=entry).select_related("table", "by").order_by("pk")
    place = next((row.place for row in mine(entry.player) if row.id == entry.pk), 0)
    return EntryStory(
        row_of(entry, place, _wished_tables([entry])), [_move_row(move, is_staff=is_staff) for move in moves]
    )


def past(user: User, *, before: int | None = None, limit: int = 50) -> list[NameRow]:
    """The lists a person was on, newest first."""
    rows = _rows().filter(player=user).exclude(state__in=ListEntry.ACTIVE).order_by("-pk")
    return [row_of(entry, 0) for entry in (rows.filter(pk__lt=before) if before else rows)[:limit]]


def _in_order(entries: Iterable[ListEntry], names: Mapping[int, str]) -> list[NameRow]:
    return [row_of(entry, place, names) for place, entry in enumerate(entries, 1)]


#: What `row_of` shows: of the whole room there may be a thousand.
_SHOWN = (
    *("offer", "table", "player", "kind", "source", "state", "tier", "place", "wishes", "misses", "joined_at"),
    *("called_to", "called_number", "call_until", "more_time_at", "in_hand", "player__username", "table__name"),
    *("player__first_name", "player__last_name", "player__is_bot"),  # a guest is shown by the name as it was given
    *("player__is_active", "player__password", "player__email"),  # who can log in may be called to a table online
    *("called_to__name", "called_to__min_buy_in", "called_to__max_buy_in"),
)
_OF_GAME = ("offer__name", "offer__min_buy_in", "offer__max_buy_in", "offer__is_physical", "offer__tables_per_player")


def _rows() -> QuerySet[ListEntry]:
    return ListEntry.objects.select_related("player", "offer", "table", "called_to").only(*_SHOWN, *_OF_GAME)


def _active() -> QuerySet[ListEntry]:
    return _in_turn(_rows())


def _in_turn(rows: QuerySet[ListEntry]) -> QuerySet[ListEntry]:
    return rows.filter(state__in=ListEntry.ACTIVE).order_by("tier", "place", "pk")


def _open_seats(
    offers: list[Offer], wished: set[int]
) -> tuple[dict[int, list[OpenTableRow]], Counter[int], dict[int, str]]:
    """By game, the open tables, and how many of their seats are neither taken nor held; and the names of these tables
    and of those wished for. One query."""
    tables, seats, names = defaultdict[int, list[OpenTableRow]](list), Counter[int](), dict[int, str]()
    is_open = Q(offer__in=offers, state=Table.State.OPEN, is_private=False)
    used = count_at_table(Seat) + count_at_table(SeatHold)
    rows = Table.objects.filter(is_open | Q(pk__in=wished)).annotate(used=used)
    values = rows.order_by("name").values_list("pk", "name", "offer", "seat_count", "used", "state", "is_private")
    for pk, name, offer_id, seat_count, used, state, is_private in values:
        names[pk] = name
        if state == Table.State.OPEN and not is_private:
            tables[offer_id].append(OpenTableRow(pk, name, offer_id))
            seats[offer_id] += seat_count - used
    return tables, seats, names


def count_at_table(model: type[Seat] | type[SeatHold]) -> Coalesce:
    """How many of them each table has, by a subquery of its own: joins would multiply the rows."""
    rows = model.objects.filter(table=OuterRef("pk")).order_by().values("table").annotate(n=Count("pk"))
    return Coalesce(Subquery(rows.values("n")), 0)


def _wished_tables(entries: Iterable[ListEntry]) -> dict[int, str]:
    """The names of the tables these entries wish for. One query, where there are any."""
    wanted = _wished(entries)
    return dict(Table.objects.filter(pk__in=wanted).values_list("pk", "name")) if wanted else {}


def _wished(entries: Iterable[ListEntry]) -> set[int]:
    return {table for entry in entries for table in entry.wish("tables") or ()}


def _move_row(move: ListMove, *, is_staff: bool) -> MoveRow:
    return MoveRow(
        verb=move.verb,
        rule=move.rule,
        why=to_text(move.why if is_staff else reasons.without_others(move.why)),
        table=move.table.name if move.table else "",
        number=move.number,
        passed_over=[[name, to_text(why)] for name, why in move.passed_over] if is_staff else [],
        by=move.by.username if move.by and is_staff else "",
        at=move.at,
    )


_NAMES = Q(list_entries__state=ListEntry.State.WAITING) & Q(
    list_entries__kind__in=(ListEntry.Kind.LIST, ListEntry.Kind.INTEREST)
)


@dataclass(frozen=True)
class TableDemand:
    """A game in the room with enough names for another table and no free seat; `waiting`: names on its list."""

    offer: Offer
    waiting: int


def tables_wanted() -> dict[int, TableDemand]:
    """The games in the room that need another table, by offer, for the floor to open one. One query."""
    asking = Offer.objects.filter(~Exists(_with_a_free_seat()), is_physical=True, is_listed=True, opens_with__gt=0)
    asking = asking.annotate(waiting=Count("list_entries", filter=_NAMES)).filter(waiting__gte=F("opens_with"))
    return {offer.pk: TableDemand(offer, offer.waiting) for offer in asking}


def is_wanted(offer: Offer, *, waiting: int, free: int) -> bool:
    """Whether the game needs another table, with `waiting` names on its list and `free` seats at its tables."""
    is_asking = offer.is_physical and offer.is_listed and offer.opens_with > 0
    return is_asking and waiting >= offer.opens_with and free <= 0


def _with_a_free_seat() -> QuerySet[Table]:
    """Of a game (the outer query), the open tables with a seat that is neither taken nor held."""
    tables = Table.objects.filter(offer=OuterRef("pk"), state=Table.State.OPEN, is_private=False)
    return tables.annotate(used=count_at_table(Seat) + count_at_table(SeatHold)).filter(seat_count__gt=F("used"))


def waiting() -> Counter[tuple[int, str]]:
    """How many names are on each list now, by (offer, kind). One query."""
    active = ListEntry.objects.filter(state__in=ListEntry.ACTIVE).order_by()
    counted = active.values_list("offer", "kind").annotate(names=Count("pk"))
    return Counter({(offer, kind): names for offer, kind, names in counted})
