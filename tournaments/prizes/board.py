"""What everybody may know of an event at a glance, and each player of themselves: for sockets, screens and the table.

`read` gives the parts, JSON-ready; moments are milliseconds since the epoch, a name that ends in `_ms` is a number of
milliseconds:

event    id, name, state, conduct, starts_at; `news`: a number that changes with everything done but hands online, so
         that consoles hear of what no other part tells
clock    level (index of `levels`), hands played in it, and `ends_at` of a running clock or `remaining_ms` of a stopped
         one; screens read it as `engine.clock` does
levels   as `engine.structure.Level`, each with its `name` and `number` (breaks are counted by themselves), and whether
         it `is_usual`: of the game and betting of most events
counts   entries, left, alternates, tables, average, chips, pool, places_paid, is_entry_open, late_level
payouts  rows of places that are paid alike: first, last, amount, is_ticket, and the names of the players who got there
tables   count, halted, is_hand_for_hand, waiting (tables that still play the hand)
moves    players who were lately moved: name, from_table, from_seat, table, seat, why, rule, at; newest first
deal     null, or stage ("voting", "made"), kind, play_for; while it is voted on, voted and of
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from cardroom.core.errors import NotFound
from cardroom.core.models import Notice
from games.tables.stacks import places_in
from tournaments.engine.rules import chip_sales
from tournaments.engine.tournament import EventEngine
from tournaments.events import journal as event_journal
from tournaments.events.journal import ms
from tournaments.events.models import Tournament
from tournaments.prizes.board_parts import before_it_opens, parts_of
from tournaments.prizes.models import DealProposal
from tournaments.prizes.standings import Standings

#: Unread notices older than this are for the list of them, and not for the middle of the table.
_NOTICE_AGE = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class EventBoard:
    """An event as of fact `seq`, read at `now`. `own`: by player id, of those players wanted who have entered;
    `notices`: their unread ones, oldest first."""

    version: int
    seq: int
    now: datetime
    parts: dict[str, Any]
    own: dict[int, dict[str, Any]] = field(default_factory=dict)
    notices: dict[int, list[dict[str, Any]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Heading:
    """An event by name."""

    id: int
    name: str


def heading(tournament_id: int) -> Heading:
    """`NotFound` where there is no such event, or it is a draft. One query."""
    row = _visible_events().filter(pk=tournament_id).values_list("pk", "name").first()
    if row is None:
        raise NotFound("no-such-event", "There is no such tournament.")
    return Heading(*row)


def versions(tournament_ids: Collection[int]) -> dict[int, int]:
    """The version of each of these events that is there for everybody to see. One query."""
    return dict(_visible_events().filter(pk__in=tournament_ids).values_list("pk", "version"))


def read(tournament_id: int, *, notices_after: Mapping[int, int], now: datetime) -> EventBoard | None:
    """The event for everybody, and for each of these players, with their notices after that one; None where there is no
    such event. Four queries, and another for facts that this process has not seen."""
    row = _visible_events().filter(pk=tournament_id).first()
    if row is None:
        return None
    if not row.seq:
        return EventBoard(row.version, 0, now, before_it_opens(row))
    players = set(notices_after)
    rooms = places_in(event=row.unit, players=players) if players and row.is_live else {}
    notices = _notices(row, notices_after, now=now) if players else {}
    deal = DealProposal.objects.filter(tournament=row, state=DealProposal.State.OPEN).first() if row.is_live else None
    with event_journal.looking(row.pk, upto=row.seq) as state:
        parts = parts_of(row, state, deal, now=now)
        own = _own(row, state, players, rooms, now=now)
        return EventBoard(row.version, state.seq, now, parts, own, notices)


def _visible_events() -> Any:
    return Tournament.objects.exclude(state=Tournament.State.DRAFT)


def _own(
    row: Tournament,
    state: EventEngine,
    players: Collection[int],
    rooms: Mapping[int, tuple[int, int]],
    *,
    now: datetime,
) -> dict[int, dict[str, Any]]:
    """As `Standings.own` tells it, and what is on sale: `on_sale`, rows of what, chips, price and had (how many)."""
    entered = {player: state.entrants[state.players[player]] for player in players if player in state.players}
    if not entered:
        return {}
    standings, prices = Standings(state), {what: sum(parts.values()) for what, parts in row.price.items()}
    return {
        player: standings.own(entrant, rooms.get(player))
        | {
            "on_sale": [
                {
                    "what": what,
                    "chips": chips,
                    "price": prices.get(what, 0),
                    "had": entrant.rebuys if what == "rebuy" else entrant.add_ons,
                }
                for what, chips in chip_sales.on_sale(state, entrant.number, ms(now)).items()
            ]
        }
        for player, entrant in entered.items()
    }


def _notices(row: Tournament, after: Mapping[int, int], *, now: datetime) -> dict[int, list[dict[str, Any]]]:
    fresh = Notice.objects.filter(player__in=after, read_at__isnull=True, at__gt=now - _NOTICE_AGE)
    unread = fresh.filter(key__startswith=f"{Notice.OF_EVENTS}{row.pk}:", pk__gt=min(after.values())).order_by("pk")
    by_player: dict[int, list[dict[str, Any]]] = {}
    for notice in unread:
        what = {"id": notice.pk, "kind": notice.kind, "text": notice.text, "data": notice.data, "at": ms(notice.at)}
        by_player.setdefault(notice.player_id, []).append(what)
    return by_player
