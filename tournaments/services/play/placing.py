"""People at the tables of the room, brought to where the event's facts have them: seated, moved, taken out.

Whoever a fact is about is looked up where they sit now; what differs from the event is done, in bulk. Done twice it
does nothing the second time.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from cardroom.services.errors import Conflict
from games import selectors as games
from games.services import events
from tournaments.engine import facts as f
from tournaments.engine.state import Entrant
from tournaments.models import TournamentEntry
from tournaments.services.locking import Locked
from tournaments.services.play.hall import Hall

_SECOND = 1000


def follow(locked: Locked, hall: Hall, *, now: datetime) -> None:
    """Do in the room what the facts say of seats and tables that it has not followed yet, whoever played them."""
    facts = locked.state.facts[locked.followed :]
    locked.followed += len(facts)
    entrants = concerned(locked, facts)
    if any(isinstance(fact, f.RoundDrawn) for fact in facts):
        clear(locked, list(hall.lines), now=now)
    if entrants or set(hall.ids) != set(locked.state.tables):
        place(locked, hall, entrants, now=now)


def concerned(locked: Locked, facts: Iterable[f.Fact]) -> set[int]:
    """The entrants whose seats these facts change."""
    found: set[int] = set()
    for fact in facts:
        if isinstance(fact, f.Moved | f.Seated | f.Withdrew | f.Disqualified):
            found.add(fact.entrant)
        elif isinstance(fact, f.Busted):
            found.update(number for number, _ in fact.busts)
        elif isinstance(fact, f.FinalTableDrawn | f.SeatsDrawn | f.RoundDrawn):
            found.update(number for number, _, _ in fact.seats)
    return found


def place(locked: Locked, hall: Hall, entrants: Collection[int], *, now: datetime) -> None:
    """Have these entrants sit where the event says, at tables that are open; tables it has no more are closed."""
    hall.open(now=now)
    state = locked.state
    latest: dict[int, Entrant] = {}
    for number in entrants:
        player = state.entrants[number].player
        latest[player] = state.entrants[state.players.get(player, number)]
    sits = games.places_in(event=locked.row.unit, players=list(latest))
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
    events.remove_players(players=leaving, reference=name("left"), now=now)
    events.move_players(moves=moving, reference=name("moved"), now=now)
    _seat(locked, coming, reference=name("seated"), now=now)
    hall.close(now=now)


def _check_counted(hall: Hall, table_ids: Collection[int]) -> None:
    """Nobody gets up before the event knows what the hand that has just ended has left them. `Conflict` until then."""
    for pk in table_ids:
        line = hall.lines[pk]
        if line.hand is None and not hall.is_idle(pk):
            raise Conflict(
                f"The hand that has just ended at {line.name} is being counted: say it again in a moment.",
                "hand-being-counted",
            )


def clear(locked: Locked, table_ids: Collection[int], *, now: datetime) -> None:
    """Everybody out of these tables, at which no hand is played; their chips leave play."""
    if not table_ids:
        return
    standing = events.standing(event=locked.row.unit, table_ids=list(table_ids))
    players = [(pk, seat.player) for pk, table in standing.items() for seat in table.seats.values()]
    reference = f"{locked.row.unit}:cleared:{locked.row.seq}:{min(table_ids)}"
    events.remove_players(players=players, reference=reference, now=now)


def _seat(locked: Locked, coming: Sequence[tuple[int, int, Entrant]], *, reference: str, now: datetime) -> None:
    if not coming:
        return
    waiting = pending(locked, [entrant.number for *_, entrant in coming])
    # A very few chips may be on their way still: who has none in front of them sits down with them.
    seats = [
        (table, seat, entrant.player, entrant.stack - waiting.get(entrant.number, 0)) for table, seat, entrant in coming
    ]
    bank = locked.state.config.time_bank_seconds * _SECOND
    events.seat_players(unit=locked.row.unit, seats=seats, time_bank_ms=bank, reference=reference, now=now)


def pending(locked: Locked, entrants: Collection[int]) -> dict[int, int]:
    """Chips that these have bought and not got yet, by entrant; no query where the event sells none."""
    terms = locked.state.config
    if terms.rebuy is None and terms.add_on is None:
        return {}
    rows = TournamentEntry.objects.filter(tournament=locked.pk, number__in=entrants).exclude(pending=[])
    return {number: sum(each["chips"] for each in waits) for number, waits in rows.values_list("number", "pending")}
