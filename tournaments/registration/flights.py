"""From the flights to their final: stacks, the money that was not won yet, and the heads.

A flight is an event of its own, online or in the room, that is stopped with several left (`CloseFlight`). Its entries
go on in the final with the chips they had; what was paid for prizes in all flights is the final's to pay. Two days of
one event are a single flight and its final: the second day begins with a draw of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from cardroom.core.arguments import RowId
from cardroom.core.errors import Illegal
from cardroom.core.models import User
from cardroom.core.verb import verb
from cardroom.ledger import ledger
from tournaments.engine.commands import ChangePayout
from tournaments.engine.config import Paid
from tournaments.engine.prizes import payouts
from tournaments.engine.tournament import EventEngine
from tournaments.events import journal, money, playing, reasons, staff
from tournaments.events.journal import Locked
from tournaments.events.models import Payment, Tournament, TournamentEntry
from tournaments.events.queries import are_to_come, entries_from_flights
from tournaments.registration import registration
from tournaments.registration.registration import Newcomer, Purse

State = Tournament.State

#: Set in the options of a final where a player goes on with what is left in all their flights together.
ALL_STACKS = "all_flight_stacks"


@dataclass(frozen=True)
class _Survivor:
    """One who was left in a flight: `entry` there, their `stack`, and the `head` they have in all flights where they
    are left."""

    entry: TournamentEntry
    stack: int
    head: int


@verb("registration.carry", roles=staff.DIRECTORS)
def carry(*, final_id: RowId, by: User | None) -> list[TournamentEntry]:
    """Have everybody who was left in the flights enter the final, and the pools go along; once. For directors.

    Who is left in two flights goes on with the larger stack, or with both by the final's option `ALL_STACKS`, and with
    both heads. Where the terms pay a share of the entries, it is of the entries of all flights. Returns the new
    entries. Again it returns them and does nothing. Locks the final, then the flights.

    Refuses: `Forbidden`, `NotFound`, `Illegal` (no flights, one is not over, the final takes no entries).
    """
    with playing.holding(final_id) as final:
        if not entries_from_flights(final.row):
            carry_held(final, by=by, now=final.now)
    return list(entries_from_flights(final.row))


def carry_held(final: Locked, *, by: User | None, now: datetime) -> None:
    """Carry the survivors of the flights into a final that `playing.holding` holds, and into which nobody was carried
    yet."""
    flights = _flights(final.row)
    if not flights:
        raise Illegal("no-flights", "No flight to this final has been played.")
    registration.check_open(final.row)
    survivors = _survivors(flights, in_all=bool(final.row.options.get(ALL_STACKS)))
    pool = 0
    for flight in flights:
        pool += _move(flight, final, "prizes", money.prizes(flight.row).balance, now=now, by=by)
        heads = sum(entrant.bounty for entrant in flight.state.in_play())
        _move(flight, final, "bounties", heads, now=now, by=by)
    for survivor, share in zip(survivors, _shares(pool, len(survivors)), strict=True):
        _enter(final, survivor, share, now=now, by=by)
    _set_places(final, flights, len(survivors), now=now, by=by)


def before_start(final: Locked, *, by: User | None, now: datetime) -> None:
    """Before a final starts, carry everybody left in its flights into it, once. `Illegal`
    while a flight is not over. One query where there are no flights."""
    if are_to_come(final.row) and _flights(final.row):
        carry_held(final, by=by, now=now)
        final.has_order = False  # the start is an order of its own


def check_not_carried(row: Tournament, state: EventEngine) -> None:
    """`Illegal` for a flight whose stacks and pools are in the final already: there they are played on with."""
    if state.is_flight and TournamentEntry.objects.filter(from_entry__tournament=row.pk).exists():
        raise Illegal("flight-carried", "{name} goes on in its final already: it stays closed.", name=row.name)


def _flights(final: Tournament) -> list[Locked]:
    """The flights that were played, locked in the order of their ids."""
    announced = final.flights.exclude(state=State.DRAFT).order_by("pk")
    flights = [journal.lock(pk) for pk in announced.values_list("pk", flat=True)]
    waiting = next((flight.row for flight in flights if not flight.row.is_over), None)
    if waiting is not None:
        raise Illegal("flight-not-over", "Flight {flight} is not over yet.", flight=waiting.flight)
    return [flight for flight in flights if flight.row.state == State.FINISHED and flight.state.is_flight]


def _survivors(flights: Sequence[Locked], *, in_all: bool) -> list[_Survivor]:
    """Everybody left, flight by flight in the order of entry, each once: with the larger of their stacks, or
    `in_all`."""
    best: dict[int, _Survivor] = {}
    for flight in flights:
        left = {entrant.number: entrant for entrant in flight.state.in_play()}
        for entry in flight.row.entries.filter(number__in=left).select_related("player").order_by("number"):
            survivor_here = _Survivor(entry, left[entry.number].stack, left[entry.number].bounty)
            other = best.get(entry.player_id)
            if other is not None:
                larger = max(other, survivor_here, key=lambda survivor: survivor.stack)
                stack = other.stack + survivor_here.stack if in_all else larger.stack
                survivor_here = replace(larger, stack=stack, head=other.head + survivor_here.head)
            best[entry.player_id] = survivor_here
    return list(best.values())


def _enter(final: Locked, survivor: _Survivor, share: int, *, now: datetime, by: User | None) -> TournamentEntry:
    newcomer = Newcomer(
        player=survivor.entry.player,
        name=survivor.entry.name,
        how=TournamentEntry.How.FLIGHT,
        purse=Purse(Payment.Method.FREE),
        paid=Paid(pool=share, bounty=survivor.head),
        by=by,
        stack=survivor.stack,
        from_entry=survivor.entry,
    )
    return registration.enter(final, newcomer, now=now)


def _move(flight: Locked, final: Locked, part: str, amount: int, *, now: datetime, by: User | None) -> int:
    """Post a flight's pool to the same pool of the final."""
    pool = money.prizes if part == "prizes" else money.bounties
    if amount:
        ledger.post(
            reference=f"{money.FLIGHT}{flight.pk}:{part}",
            reason=reasons.FLIGHT_GOES_ON(flight=flight.row.flight, name=final.row.name),
            legs=[(pool(flight.row), -amount), (pool(final.row), amount)],
            at=now,
            by=by,
        )
    return amount


def _shares(pool: int, players: int) -> list[int]:
    """Split a pool into nearly equal parts that add up to it."""
    share, over = divmod(pool, players)
    return [share + (number < over) for number in range(players)]


def _set_places(final: Locked, flights: Sequence[Locked], players: int, *, now: datetime, by: User | None) -> None:
    """Set the paid places by the entries of all flights, where they are a share of the entries."""
    terms = final.state.config.payout
    if terms.kind != "curve" or terms.places:
        return
    entries = sum(flight.state.entries for flight in flights)
    places = min(players, payouts.places_paid(entries, terms))
    playing.play(final, ChangePayout(replace(terms, places=places)), now=now, by=by)
