"""What an event's director reads of their tables: how the last hand came out, and who sits where with what."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from games import journal
from games.engine.facts import Fact, HandStarted, HandVoided, PotAwarded, RoundClosed
from games.models import Hand, Seat, Table
from games.services import away
from games.services.tables import Stakes


@dataclass(frozen=True)
class Outcome:
    """A hand that is over. `before` and `after`: chips by seat number; `players`: ids by seat number. `is_void`: it
    was misdealt or called off, every chip is back. `winners`, by seat that lost its last chip: who won them."""

    hand: int
    number: int
    ended_at: datetime
    is_void: bool
    players: dict[int, int]
    before: dict[int, int]
    after: dict[int, int]
    winners: dict[int, tuple[int, ...]]

    @property
    def busted(self) -> tuple[int, ...]:
        """The seats that have no chips left."""
        return tuple(seat for seat, chips in self.after.items() if not chips)


@dataclass(frozen=True)
class SeatStanding:
    """A taken seat. `chips` as the hand being played found them; `is_away`: it is played without its player; `is_gone`:
    nobody hears from them; `misses_hands`: what is left of a penalty."""

    number: int
    player: int
    name: str
    is_bot: bool
    chips: int
    is_away: bool
    is_gone: bool
    misses_hands: int
    in_hand: bool


@dataclass(frozen=True)
class TableStanding:
    """A table of an event. `hand`: the one being played, None between two; `due_at`: when its alarm rings; `stakes`,
    `game` and `betting`: of the next hand."""

    table: int
    name: str
    seat_count: int
    is_open: bool
    version: int
    hand: int | None
    last_hand: int | None
    hand_count: int
    deal_at: datetime | None
    due_at: datetime | None
    stakes: Stakes
    game: str
    betting: str
    seats: dict[int, SeatStanding]

    @property
    def is_between_hands(self) -> bool:
        return self.hand is None


def outcome(*, table_id: int) -> Outcome | None:
    """How the last hand of a table that is over came out; None before the first. Two queries, or three."""
    hand = Hand.objects.filter(table=table_id, ended_at__isnull=False).order_by("-pk").first()
    if hand is None:
        return None
    facts = journal.facts(hand.pk, upto=hand.seq)
    started = facts[0]
    assert isinstance(started, HandStarted)
    after = {int(seat): chips for seat, chips in hand.stacks.items()}
    return Outcome(
        hand=hand.pk,
        number=hand.number,
        ended_at=hand.ended_at,
        is_void=isinstance(facts[-1], HandVoided),
        players={seat: sitter.player for seat, sitter in journal.sitters(hand).items()},
        before=dict(started.stacks),
        after=after,
        winners={seat: _winners(facts, seat) for seat, chips in after.items() if not chips},
    )


def _winners(facts: Sequence[Fact], seat: int) -> tuple[int, ...]:
    """Who took the last pot that this seat could have won; of one that was killed or folded, the main pot."""
    closed = [fact.pots for fact in facts if isinstance(fact, RoundClosed)]
    pots = closed[-1] if closed else ()
    last = max((number for number, (_, seats) in enumerate(pots) if seat in seats), default=0)
    won = {fact.seat for fact in facts if isinstance(fact, PotAwarded) and fact.pot == last and fact.seat != seat}
    return tuple(sorted(won))


def standing(*, event: str, table_ids: list[int] | None = None) -> dict[int, TableStanding]:
    """The event's tables by id, closed ones left out unless they are asked for by id. Two queries."""
    rows = Table.objects.filter(event=event).order_by("pk")
    rows = rows.exclude(state=Table.State.CLOSED) if table_ids is None else rows.filter(pk__in=table_ids)
    tables = {table.pk: table for table in rows}
    seats: dict[int, dict[int, SeatStanding]] = {pk: {} for pk in tables}
    for seat in Seat.objects.filter(table__in=tables).select_related("player", "account").order_by("table", "number"):
        seats[seat.table_id][seat.number] = _seat(tables[seat.table_id], seat)
    return {
        pk: TableStanding(
            table=pk,
            name=table.name,
            seat_count=table.seat_count,
            is_open=table.state == Table.State.OPEN,
            version=table.version,
            hand=table.hand_id,
            last_hand=table.last_hand_id,
            hand_count=table.hand_count,
            deal_at=table.deal_at,
            due_at=table.wake_at,
            stakes=Stakes(table.ante, table.bring_in, table.small_bet, table.big_bet, table.smallest_chip),
            game=table.game,
            betting=table.structure,
            seats=seats[pk],
        )
        for pk, table in tables.items()
    }


def _seat(table: Table, seat: Seat) -> SeatStanding:
    return SeatStanding(
        number=seat.number,
        player=seat.player_id,
        name=seat.player.username,
        is_bot=seat.player.is_bot,
        chips=seat.account.balance,
        is_away=away.is_away(table, seat),
        is_gone=seat.gone_at is not None,
        misses_hands=seat.misses_hands,
        in_hand=table.is_in_hand(seat.number),
    )
