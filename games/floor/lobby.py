"""The lobby: games on offer with their tables, free seats and names on the lists."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from threading import Lock
from typing import Any

from django.db.models import Count, Q
from django.utils.text import capfirst
from django.utils.translation import get_language

from cardroom.core import topics
from cardroom.core.models import User
from cardroom.core.sentences import localized_numbers
from games.tables.models.offers import Favourite, Offer, SeatHold
from games.tables.models.tables import Seat
from games.tables.queries.offers import game_name, structure_name
from games.tables.queries.tables import TableRow, Viewer, lobby
from games.waitlists.models import ListEntry
from games.waitlists.queries import waiting

ONLINE, IN_THE_ROOM = "online", "room"
#: What the tables of the lobby may be sorted by, with the key of the sort.
SORTS: dict[str, Callable[[TableRow], Any]] = {
    "stakes": lambda row: (row.small_bet, row.big_bet),
    "players": lambda row: -row.people,
    "seats": lambda row: -row.free,
    "pace": lambda row: -(row.hands_per_hour or 0),
    "pot": lambda row: -(row.average_pot or 0),
    "name": lambda row: row.name.casefold(),
}
#: The ids of what a player marked with a star, by kind.
Stars = Mapping[str, frozenset[int]]


@dataclass(frozen=True)
class LobbyFilter:
    """Filters of the lobby; empty: anything. `stakes` as shown ("15/30")."""

    game: str = ""
    structure: str = ""
    stakes: str = ""
    where: str = ""
    has_seat: bool = False
    name: str = ""
    #: Only what has a star.
    starred: bool = False
    #: One of `SORTS`; "": as the house offers them.
    sort: str = ""

    def allows(self, offered: Any) -> bool:
        """Whether a table's row, or an offer, passes the filters, but for those about seats, names and stars."""
        return (
            (not self.game or offered.game == self.game)
            and (not self.structure or offered.structure == self.structure)
            and (not self.stakes or offered.stakes == self.stakes)
            and (not self.where or offered.is_physical == (self.where == IN_THE_ROOM))
        )

    @property
    def is_any(self) -> bool:
        return self == LobbyFilter(sort=self.sort)


@dataclass
class Group:
    """A game on offer (None: tables opened by hand) and its tables; `waiting`: names on its list."""

    offer: Offer | None
    tables: list[TableRow] = field(default_factory=list)
    waiting: int = 0
    interested: int = 0
    #: The viewer's own place on the list, from 1.
    entry: ListEntry | None = None
    is_starred: bool = False
    #: What of it is the viewer's: the tables where they sit, those with a star. Empty, as is `entry` and not
    #: `is_starred`: it is as everybody sees it.
    own: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())
    #: The same game as everybody sees it.
    plain: "Group | None" = None

    @cached_property
    def content(self) -> str:
        """A digest of all that everybody sees of it."""
        if self.plain is not None:
            return self.plain.content
        offer = self.offer
        shown = [_columns(offer), _columns(offer.drop)] if offer else []
        return sha256(repr((shown, self.tables, self.waiting, self.interested)).encode()).hexdigest()

    @property
    def whose(self) -> tuple[object, ...]:
        """What of it is the viewer's; equal for all who see it alike."""
        return *self.own, self.is_starred, self.entry is not None

    @property
    def is_own(self) -> bool:
        """Whether something of it is the viewer's."""
        return any(self.whose)

    @property
    def key(self) -> int:
        return self.offer.pk if self.offer is not None else 0

    @property
    def free(self) -> int:
        return sum(table.free for table in self.tables)

    @property
    def going(self) -> int:
        return sum(table.is_going for table in self.tables)

    @property
    def game(self) -> str:
        return game_name((self.offer or self.tables[0]).game)

    @property
    def structure(self) -> str:
        return structure_name((self.offer or self.tables[0]).structure)


@dataclass(frozen=True)
class FilterChoice:
    value: str
    title: str
    count: int


@dataclass(frozen=True)
class Lobby:
    """The lobby as one viewer sees it. `choices`: by filter, what can be chosen; `players`: people at these tables."""

    groups: list[Group]
    wanted: LobbyFilter
    choices: dict[str, list[FilterChoice]]
    mine: list[Seat]
    lists: list[ListEntry]
    my_tables: frozenset[int]
    players: int
    tables: int
    free: int
    #: Names on all lists, whatever the filters.
    waiting: int
    #: What the viewer marked with a star.
    stars: Stars
    #: Viewers with the same version may be shown the same page, but for what is their own; None: never the same.
    version: str | None

    @property
    def seated_in(self) -> frozenset[str]:
        """The events at whose tables the viewer sits."""
        return frozenset(seat.table.event for seat in self.mine if seat.table.event)


#: The lobbies of so many filters are kept.
_MOST_FILTERS = 100


@dataclass(frozen=True)
class _SharedLobby:
    """The part of the lobby that all readers share; never changed, except that lobbies as everybody sees them are added
    to it, by filter and language."""

    version: str | None
    rows: list[TableRow]
    offers: list[Offer]
    waiting: Counter[tuple[int, str]]
    by_filter: dict[tuple[LobbyFilter, str | None], Lobby] = field(default_factory=dict)


def room_lobby(*, viewer: Viewer, wanted: LobbyFilter, now: datetime) -> Lobby:
    """The games and tables that pass the filters, sorted as `wanted` asks, favourites first. Five queries, which all
    readers of a version share, and three more for a viewer who is logged in. Not to be changed."""
    room = _shared_lobby(now=now)
    shared = _everybodys(room, replace(wanted, starred=False))
    if viewer is None or not viewer.is_authenticated:
        return shared if not wanted.starred else _filtered(room, wanted, _NOBODYS)
    own = _own(viewer)
    if wanted.starred or any(own.stars.values()):
        return _filtered(room, wanted, own, {group.key: group for group in shared.groups})
    return _with_seats(shared, own) if own.mine or own.lists else shared


@dataclass(frozen=True)
class _Own:
    """What is somebody's own of the lobby."""

    mine: list[Seat]
    lists: list[ListEntry]
    stars: Stars


_NOBODYS = _Own([], [], {kind: frozenset() for kind in Favourite.Kind.values})


def _everybodys(room: _SharedLobby, wanted: LobbyFilter) -> Lobby:
    key = wanted, get_language()
    shown = room.by_filter.get(key)
    if shown is None:
        shown = _filtered(room, wanted, _NOBODYS)
        if len(room.by_filter) < _MOST_FILTERS:
            room.by_filter[key] = shown
    return shown


def _with_seats(shared: Lobby, own: _Own) -> Lobby:
    """The lobby of somebody who has seats or names on lists, and no star: in the same order as everybody's."""
    my_tables = frozenset(seat.table_id for seat in own.mine)
    entries: dict[int, ListEntry] = {}
    for entry in own.lists:
        entries.setdefault(entry.offer_id, entry)
    groups = []
    for group in shared.groups:
        seats = my_tables.intersection(row.id for row in group.tables) if my_tables else my_tables
        entry = entries.get(group.key)
        if seats or entry:
            group = replace(group, entry=entry, own=(seats, frozenset()), plain=group)
        groups.append(group)
    return replace(shared, groups=groups, mine=own.mine, lists=own.lists, my_tables=my_tables)


def _filtered(room: _SharedLobby, wanted: LobbyFilter, own: _Own, plain: Mapping[int, Group] | None = None) -> Lobby:
    """What of the room was asked for; `plain`: the same as everybody sees it."""
    rows, offers, stars = room.rows, room.offers, own.stars
    my_tables = frozenset(seat.table_id for seat in own.mine)
    shown = [
        row
        for row in rows
        if wanted.allows(row)
        and (not wanted.has_seat or row.free)
        and (not wanted.name or wanted.name.casefold() in row.name.casefold())
        and (not wanted.starred or row.id in stars["table"] or row.offer in stars["offer"])
    ]
    offered = [offer for offer in offers if wanted.allows(offer) and (not wanted.starred or offer.pk in stars["offer"])]
    groups = _sort_groups(_groups(shown, offered, wanted), wanted.sort, stars)
    for group in groups:
        if group.offer is not None:
            group.waiting = room.waiting[group.offer.pk, "list"]
            group.interested = room.waiting[group.offer.pk, "interest"]
            group.entry = next((entry for entry in own.lists if entry.offer_id == group.offer.pk), None)
        group.is_starred = group.key in stars["offer"]
        if own is not _NOBODYS:
            tables = {row.id for row in group.tables}
            group.own = my_tables & tables, stars["table"] & tables
        if plain is not None and not wanted.starred:
            group.plain = plain.get(group.key)
    return Lobby(
        groups=groups,
        wanted=wanted,
        choices=_choices([*rows, *(offer for offer in offers if offer.is_listed)]),
        mine=own.mine,
        lists=own.lists,
        my_tables=my_tables,
        players=sum(row.people for row in shown),
        tables=len(shown),
        free=sum(row.free for row in shown),
        waiting=room.waiting.total(),
        stars=stars,
        version=room.version,
    )


def _columns(row: Any) -> list[Any]:
    """The values of a row, its key included; none for no row."""
    return [getattr(row, column.attname) for column in row._meta.concrete_fields] if row is not None else []


_reading = Lock()
_last_read: _SharedLobby | None = None


def _shared_lobby(*, now: datetime) -> _SharedLobby:
    """The shared part, read once for each version and process."""
    global _last_read
    version = topics.version("lobby", "lists")
    if version is None:
        return _read_shared_lobby(None, now=now)
    room = _last_read
    if room is not None and room.version == version:
        return room
    with _reading:
        if _last_read is None or _last_read.version != version:
            _last_read = _read_shared_lobby(version, now=now)
        return _last_read


def _read_shared_lobby(version: str | None, *, now: datetime) -> _SharedLobby:
    offers = list(Offer.objects.select_related("drop"))
    return _SharedLobby(version, with_holds(lobby(), now=now), offers, waiting())


def with_holds(rows: Iterable[TableRow], *, now: datetime) -> list[TableRow]:
    """The rows, with how many of their seats are held. One query."""
    holds = SeatHold.objects.filter(Q(until=None) | Q(until__gt=now)).order_by()
    held = dict(holds.values_list("table").annotate(seats=Count("pk")))
    return [replace(row, held=held[row.id]) if row.id in held else row for row in rows]


def _own(viewer: User) -> _Own:
    seats = Seat.objects.filter(player=viewer).select_related("table__play", "account")
    entries = ListEntry.objects.filter(player=viewer, state__in=ListEntry.ACTIVE).select_related("offer", "called_to")
    return _Own(list(seats.order_by("table__name")), list(entries.order_by("joined_at")), stars_of(viewer))


def stars_of(viewer: Viewer) -> Stars:
    """What a viewer marked with a star, by kind. One query."""
    numbers_by_kind: dict[str, set[int]] = {kind: set() for kind in Favourite.Kind.values}
    if viewer is not None and viewer.is_authenticated:
        for kind, number in Favourite.objects.filter(player=viewer).values_list("kind", "number"):
            numbers_by_kind[kind].add(number)
    return {kind: frozenset(numbers) for kind, numbers in numbers_by_kind.items()}


def _sort_groups(groups: list[Group], sort: str, stars: Stars) -> list[Group]:
    """The groups by the first of their tables in this order, games without a table last; those with a star first.
    Without a `sort` they stay in their order."""
    order = SORTS.get(sort)
    for group in groups:
        group.tables.sort(key=order or (lambda row: 0))
        group.tables.sort(key=lambda row: row.id not in stars["table"])
    if order is not None:
        with_tables = [group for group in groups if group.tables]
        with_tables.sort(key=lambda group: min(map(order, group.tables)))
        groups = with_tables + [group for group in groups if not group.tables]

    def has_no_star(group: Group) -> bool:
        return group.key not in stars["offer"] and all(row.id not in stars["table"] for row in group.tables)

    return sorted(groups, key=has_no_star)


def _groups(rows: list[TableRow], offers: list[Offer], wanted: LobbyFilter) -> list[Group]:
    """The tables by offer, in the order of the offers. An offer without a table is shown too, unless the viewer filters
    by free seats or by name."""
    groups = {offer.pk: Group(offer) for offer in offers}
    others = Group(None)
    for row in rows:
        groups.get(row.offer or 0, others).tables.append(row)
    is_narrow = wanted.has_seat or bool(wanted.name)
    listed = [
        group
        for group in groups.values()
        if group.tables or (group.offer is not None and group.offer.is_listed and not is_narrow)
    ]
    return [*listed, *([others] if others.tables else [])]


def _choices(offered: list[Any]) -> dict[str, list[FilterChoice]]:
    games = Counter(row.game for row in offered)
    structures = Counter(row.structure for row in offered)
    stakes = {row.stakes: (row.small_bet, row.big_bet) for row in offered}
    tables_by_stakes = Counter(row.stakes for row in offered)
    return {
        "games": [FilterChoice(slug, game_name(slug), games[slug]) for slug in sorted(games, key=game_name)],
        "structures": [
            FilterChoice(slug, capfirst(structure_name(slug)), structures[slug]) for slug in sorted(structures)
        ],
        "stakes": [
            FilterChoice(name, localized_numbers(name), tables_by_stakes[name])
            for name in sorted(stakes, key=stakes.__getitem__)
        ],
    }
