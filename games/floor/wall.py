"""What the board on the wall shows: games with their free seats, names on lists, jackpots. Nothing that is private."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from cardroom.ledger.models import Account
from games.rake.models import Jackpot
from games.tables.models.offers import ListEntry
from games.tables.queries.offers import IN_THE_ROOM, ONLINE, Wanted, room_lobby
from games.waitlists.queries import tables_wanted

SCREENS = ("games", "lists", "jackpots", "events")
WHERE = (ONLINE, IN_THE_ROOM)
#: Names of one list that the wall has room for.
_MOST_NAMES = 12


@dataclass(frozen=True)
class Line:
    """A game: ``tables`` going, ``free`` seats anybody may take, ``waiting`` names on its list; ``is_wanted``: so many
    that a table could be opened."""

    offer: int | None
    name: str
    stakes: str
    game: str
    tables: int
    free: int
    waiting: int
    interested: int
    is_physical: bool
    is_wanted: bool = False


@dataclass(frozen=True)
class Name:
    name: str
    is_called: bool
    table: str = ""


@dataclass
class NameList:
    """The names on a game's list in their order; ``more`` have no room."""

    game: str
    stakes: str
    names: list[Name] = field(default_factory=list)
    more: int = 0


@dataclass(frozen=True)
class Board:
    lines: list[Line]
    lists: list[NameList]
    jackpots: list[tuple[str, int]]


def board(*, now: datetime, where: str = "") -> Board:
    """The board as it is now. Eight queries."""
    wanted = tables_wanted()
    lobby = room_lobby(viewer=None, wanted=Wanted(where=where), now=now)
    lines, lists = [], {}
    for group in lobby.groups:
        tables = [table for table in group.tables if not table.is_private]
        if group.offer is None:
            for stakes in dict.fromkeys(table.stakes for table in tables):
                lines.append(_line(group.game, stakes, group.game, [row for row in tables if row.stakes == stakes]))
        else:
            offer = group.offer
            counts = {"waiting": group.waiting, "interested": group.interested, "offer": offer.pk}
            line = _line(offer.name, offer.stakes, group.game, tables, **counts)
            lines.append(replace(line, is_wanted=offer.pk in wanted, is_physical=offer.is_physical))
            lists[offer.pk] = NameList(offer.name, offer.stakes)
    _fill(lists)
    return Board(lines, [each for each in lists.values() if each.names], jackpots())


def jackpots() -> list[tuple[str, int]]:
    """The live jackpots and what lies in them, greatest first. Two queries."""
    live = dict(Jackpot.objects.filter(state=Jackpot.State.LIVE).values_list("pk", "name"))
    pools = Account.objects.filter(kind=Account.Kind.POOL, label__in=[f"jackpot:{pk}" for pk in live], unit="cash")
    lying = dict(pools.values_list("label", "balance"))
    found = [(name, lying.get(f"jackpot:{pk}", 0)) for pk, name in live.items()]
    return sorted(found, key=lambda each: (-each[1], each[0]))


def _line(name: str, stakes: str, game: str, tables: list, offer: int | None = None, **counts: int) -> Line:  # type: ignore[type-arg]
    return Line(
        offer,
        name,
        stakes,
        game,
        tables=sum(table.is_going for table in tables),
        free=sum(table.free for table in tables),
        waiting=counts.get("waiting", 0),
        interested=counts.get("interested", 0),
        is_physical=any(table.is_physical for table in tables),
    )


def _fill(lists: dict[int, NameList]) -> None:
    """The names, in the order in which they will be called."""
    kinds = (ListEntry.Kind.LIST, ListEntry.Kind.INTEREST)
    entries = ListEntry.objects.filter(offer__in=lists, state__in=ListEntry.ACTIVE, kind__in=kinds)
    rows = entries.order_by("tier", "place").values_list("offer", "player__username", "state", "called_to__name")
    for offer, name, state, table in rows:
        one = lists[offer]
        if len(one.names) < _MOST_NAMES:
            is_called = state in (ListEntry.State.CALLED, ListEntry.State.COMING)
            one.names.append(Name(name, is_called, (table or "") if is_called else ""))
        else:
            one.more += 1
