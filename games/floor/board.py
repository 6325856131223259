"""What the board on the wall shows: games with their free seats, names on lists, jackpots. Nothing that is private."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from cardroom.core.models import User
from cardroom.ledger.models import Account
from games.floor.lobby import IN_THE_ROOM, ONLINE, LobbyFilter, room_lobby
from games.rake.models.drops import Jackpot
from games.waitlists.models import ListEntry
from games.waitlists.queries import tables_wanted

SCREENS = ("games", "lists", "jackpots", "events")
WHERE = (ONLINE, IN_THE_ROOM)
#: Names of one list that the wall has room for.
_MOST_NAMES = 12


@dataclass(frozen=True)
class BoardRow:
    """A game on the board: `tables` where it is played, `free` seats anybody may take, `waiting` names on its list;
    `is_wanted`: there are enough names for another table."""

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
    """The names on a game's list in their order; `more`: how many have no room on the board."""

    game: str
    stakes: str
    names: list[Name] = field(default_factory=list)
    more: int = 0


@dataclass(frozen=True)
class RoomBoard:
    lines: list[BoardRow]
    lists: list[NameList]
    jackpots: list[tuple[str, int]]


def board(*, now: datetime, where: str = "") -> RoomBoard:
    """The board as it is now. Eight queries."""
    wanted = tables_wanted()
    lobby = room_lobby(viewer=None, wanted=LobbyFilter(where=where), now=now)
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
    _add_names(lists)
    return RoomBoard(lines, [name_list for name_list in lists.values() if name_list.names], jackpots())


def jackpots() -> list[tuple[str, int]]:
    """The live jackpots with their chips, greatest first. Two queries."""
    live = dict(Jackpot.objects.filter(state=Jackpot.State.LIVE).values_list("pk", "name"))
    pools = Account.objects.filter(kind=Account.Kind.POOL, label__in=[f"jackpot:{pk}" for pk in live], unit="cash")
    balances = dict(pools.values_list("label", "balance"))
    rows = [(name, balances.get(f"jackpot:{pk}", 0)) for pk, name in live.items()]
    return sorted(rows, key=lambda jackpot: (-jackpot[1], jackpot[0]))


def _line(name: str, stakes: str, game: str, tables: list, offer: int | None = None, **counts: int) -> BoardRow:  # type: ignore[type-arg]
    return BoardRow(
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


def _add_names(lists: dict[int, NameList]) -> None:
    """Add the names to these lists, in the order in which they will be called."""
    kinds = (ListEntry.Kind.LIST, ListEntry.Kind.INTEREST)
    entries = ListEntry.objects.filter(offer__in=lists, state__in=ListEntry.ACTIVE, kind__in=kinds)
    rows = (
        entries.annotate(shown=User.shown_name_of("player"))
        .order_by("tier", "place")
        .values_list("offer", "shown", "state", "called_to__name")
    )
    for offer, name, state, table in rows:
        name_list = lists[offer]
        if len(name_list.names) < _MOST_NAMES:
            is_called = state in (ListEntry.State.CALLED, ListEntry.State.COMING)
            name_list.names.append(Name(name, is_called, (table or "") if is_called else ""))
        else:
            name_list.more += 1
