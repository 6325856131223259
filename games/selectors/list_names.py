"""A name on a list as the room shows it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from games.models import ListEntry

Kind, State = ListEntry.Kind, ListEntry.State
ON_THE_LIST = (Kind.LIST, Kind.INTEREST)
_KINDS, _STATES, _SOURCES = (dict(choices.choices) for choices in (Kind, State, ListEntry.Source))


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


def row_of(entry: ListEntry, place: int, names: Mapping[int, str] | None = None) -> NameRow:
    """An entry as it is shown; `names` of the tables that somebody wishes for."""
    return NameRow(
        id=entry.pk,
        place=place,
        name=entry.player.username,
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
    said = []
    if seats := entry.wish("seats"):
        said.append(f"seat {' or '.join(map(str, seats))}")
    if tables := [names[table] for table in entry.wish("tables") or () if table in names]:
        said.append(f"a seat at {' or '.join(tables)}")
    if entry.wish("accessible"):
        said.append("an accessible seat")
    return ", ".join(said)


def _buy_in(entry: ListEntry) -> tuple[int, int]:
    at = entry.called_to or entry.offer
    return at.min_buy_in, at.max_buy_in
