"""Players sit at the tables of an online event as its facts say: seated, moved and taken out in bulk.

Only what differs from the event is changed, so doing it twice changes nothing the second time.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from cardroom.core.errors import Conflict
from games.play import event_seats, event_tables
from games.tables.stacks import places_in
from tournaments.engine import facts as f
from tournaments.engine.state import Entrant
from tournaments.events.hall import Hall
from tournaments.events.journal import Locked
from tournaments.events.models import TournamentEntry

_SECOND = 1000


def follow_facts(locked: Locked, hall: Hall, *, now: datetime) -> None:
    """Do in the room what the facts say of seats and tables, as far as this has not followed them yet."""
    facts = locked.state.facts[locked.followed :]
    locked.followed += len(facts)
    entrants = reseated_entrants(locked, facts)
    if any(isinstance(fact, f.RoundDrawn) for fact in facts):
        clear_tables(locked, list(hall.lines), now=now)
    if entrants or set(hall.ids) != set(locked.state.tables):
        place_entrants(locked, hall, entrants, now=now)


def reseated_entrants(locked: Locked, facts: Iterable[f.EventFact]) -> set[int]:
    """The entrants whose seats these facts change."""
    entrants: set[int] = set()
    for fact in facts:
        if isinstance(fact, f.Moved | f.Seated | f.Withdrew | f.Disqualified):
            entrants.add(fact.entrant)
        elif isinstance(fact, f.Busted):
            entrants.update(number for number, _ in fact.busts)
        elif isinstance(fact, f.FinalTableDrawn | f.SeatsDrawn | f.RoundDrawn):
            entrants.update(number for number, _, _ in fact.seats)
        elif isinstance(fact, f.ActionUndone | f.ActionRedone):
            entrants |= reseated_entrants(locked, locked.state.facts[fact.first - 1 : fact.last])
    return entrants


def place_entrants(locked: Locked, hall: Hall, entrants: Collection[int], *, now: datetime) -> None:
    """Seat these entrants where the event says: open the tables that it needs, and close those that it has no more."""
    hall.open(now=now)
    state = locked.state
    latest: dict[int, Entrant] = {}
    for number in entrants:
        player = state.entrants[number].player
        latest[player] = state.entrants[state.players.get(player, number)]
    sits = places_in(event=locked.row.unit, players=list(latest))
    leaving, moving, coming = [], [], []
    for player, entrant in latest.items():
        at, has_seat = sits.get(player), entrant.is_in and entrant.table
        to = (hall.ids[entrant.table], entrant.seat) if has_seat else None
        if at is not None and to is None:
            leaving.append((at[0], player))
        elif at is not None and to is not None and at != to:
            moving.append((player, at[0], *to))
        elif at is None and to is not None:
            coming.append((*to, entrant))
    _check_counted(hall, {at for at, _ in leaving} | {at for _, at, *_ in moving})
    name = f"{locked.row.unit}:{{}}:{locked.row.seq}".format
    event_seats.remove_players(players=leaving, reference=name("left"), now=now)
    event_seats.move_players(moves=moving, reference=name("moved"), now=now)
    _seat(locked, coming, reference=name("seated"), now=now)
    hall.close(now=now)


def _check_counted(hall: Hall, table_ids: Collection[int]) -> None:
    """`Conflict` while a hand that has just ended at one of these tables is not counted yet: nobody gets up before."""
    for pk in table_ids:
        line = hall.lines[pk]
        if line.hand is None and not hall.is_idle(pk):
            raise Conflict(
                "hand-being-counted",
                "The hand that has just ended at {name} is being counted: say it again in a moment.",
                name=line.name,
            )


def clear_tables(locked: Locked, table_ids: Collection[int], *, now: datetime) -> None:
    """Take everybody out of these tables, at which no hand is played; their chips leave play."""
    if not table_ids:
        return
    standing = event_tables.states(event=locked.row.unit, table_ids=list(table_ids))
    players = [(pk, seat.player) for pk, table in standing.items() for seat in table.seats.values()]
    reference = f"{locked.row.unit}:cleared:{locked.row.seq}:{min(table_ids)}"
    event_seats.remove_players(players=players, reference=reference, now=now)


def _seat(locked: Locked, coming: Sequence[tuple[int, int, Entrant]], *, reference: str, now: datetime) -> None:
    if not coming:
        return
    waiting = undelivered_chips(locked, [entrant.number for *_, entrant in coming])
    # Chips that were bought and not delivered yet do not lie at the seat: they are put there after a hand.
    seats = [
        (table, seat, entrant.player, entrant.stack - waiting.get(entrant.number, 0)) for table, seat, entrant in coming
    ]
    bank = locked.state.config.time_bank_seconds * _SECOND
    event_seats.seat_players(unit=locked.row.unit, seats=seats, time_bank_ms=bank, reference=reference, now=now)


def undelivered_chips(locked: Locked, entrants: Collection[int]) -> dict[int, int]:
    """Chips that these entrants have bought and not got yet, by entrant; no query where the event sells none."""
    terms = locked.state.config
    if terms.rebuy is None and terms.add_on is None:
        return {}
    rows = TournamentEntry.objects.filter(tournament=locked.pk, number__in=entrants).exclude(pending=[])
    return {
        number: sum(purchase["chips"] for purchase in waits) for number, waits in rows.values_list("number", "pending")
    }
