"""Who is at a table between two hands, who of them is dealt in, and when something is due."""

from datetime import datetime, timedelta

from cardroom.core.errors import NotFound
from cardroom.core.models import User
from games.rulebooks.queries import load as rulebook
from games.tables.models.tables import Seat, Table


def seats_of(table: Table) -> list[Seat]:
    """The taken seats in order, with their players and stacks as the ledger has them."""
    return list(table.seats.select_related("player", "account").order_by("number"))


def seat_of(table: Table, player: User, *, refusal: str = "") -> Seat:
    """The seat this player has here, with their stack; `NotFound` where they have none, in words of the caller's."""
    found = table.seats.select_related("player", "account").filter(player=player).first()
    if found is None:
        raise NotFound(refusal or f"{player} has no seat at {table.name}.", "not-seated")
    return found


def ready(seats: list[Seat]) -> list[Seat]:
    """The seats to be dealt in: playing, with chips, and kept out by no penalty, unless that would end the game."""
    able = [seat for seat in seats if is_ready(seat)]
    innocent = [seat for seat in able if not seat.misses_hands]
    return innocent if len(innocent) > 1 else able


def dealt_in(table: Table, seats: list[Seat]) -> list[Seat]:
    """Whom the next hand is dealt to: those who are ready; at an event everybody with chips, there or not."""
    return [seat for seat in seats if seat.account.balance > 0] if table.event else ready(seats)


def absent(table: Table, seats: list[Seat]) -> list[int]:
    """The numbers of the seats that an event deals in without their player, who is away or serves a penalty."""
    if not table.event:
        return []
    return [seat.number for seat in seats if seat.state == Seat.State.SITTING_OUT or seat.misses_hands]


def is_ready(seat: Seat) -> bool:
    """Whether the seat can be dealt into the next hand."""
    return seat.state == Seat.State.PLAYING and seat.account.balance > 0


def are_enough(table: Table, seats: list[Seat]) -> bool:
    """Whether as many are dealt in as the table's rulebook wants."""
    least = rulebook(table.rulebook).value("players", table.setting)["least"]
    return len(dealt_in(table, seats)) >= least


def is_dealable(table: Table, seats: list[Seat]) -> bool:
    """Whether a hand deals itself to those who are here: enough, and a person among them where bots wait for one."""
    players = ready(seats)
    if table.is_dealt_by_person or table.is_physical or table.state != Table.State.OPEN or table.paused_at:
        return False
    if not are_enough(table, seats):
        return False
    return not table.bots_wait_for_people or any(not seat.player.is_bot for seat in players)


def next_wake(table: Table, seats: list[Seat], *, now: datetime) -> datetime | None:
    """When something is due at a table without a hand: the next deal, a bot to be seen to, a seat to be picked up; at
    an event whatever its director finds due."""
    if table.event:
        return max(table.deal_at or now, now)
    if table.state == Table.State.BREAKING or table.is_taking_up:
        return now
    if is_dealable(table, seats) or any(seat.player.is_bot and not is_ready(seat) for seat in seats):
        return max(table.deal_at or now, now)
    return min((pick_up_at(table, seat) for seat in seats if is_kept(table, seat)), default=None)


def is_kept(table: Table, seat: Seat) -> bool:
    """Whether the seat is kept for somebody who is away for a while. In the room the floor sees to it, who counts."""
    if table.is_physical:
        return False
    return seat.state == Seat.State.SITTING_OUT and seat.out_since is not None and not seat.player.is_bot


def pick_up_at(table: Table, seat: Seat) -> datetime:
    """When the seat of a player who sits out is given up."""
    return seat.out_since + timedelta(minutes=table.keep_seat_minutes)


def is_overdue(table: Table, seat: Seat, *, now: datetime) -> bool:
    """Whether the seat was kept long enough."""
    return is_kept(table, seat) and now >= pick_up_at(table, seat)
