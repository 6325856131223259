"""An online event of bots and people, played as the test moves the clock: alarms ring when they are due, in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from games.engine.facts.play import HandStarted
from games.play import receivers as table_waking
from games.tables import journal as table_journal
from tests.support.event_tables import new_bot
from tests.support.events import Event
from tests.support.models import Account, Alarm, Hand, Seat, Table, TablePlay, Tournament, TournamentEntry, User
from tests.support.parts.event_rules import EventFact, Level, Structure
from tests.support.parts.tournaments import event_journal, registration, waking
from tournaments.engine.tournament import EventEngine

#: A tenth of the stack goes with every ante, a quarter with every bet: a few hands, and it is over.
QUICK = Structure(
    tuple(Level(minutes=1, ante=40 * n, bring_in=40 * n, small_bet=100 * n, big_bet=200 * n) for n in range(1, 6))
)

OVER = (Tournament.State.FINISHED, Tournament.State.CANCELLED)


def _number(name: str) -> int:
    """The event's number of a table of the room, which is the last word of its name."""
    return int(name.rpartition(" ")[2])


def are_places(places: list[int]) -> bool:
    """Whether these are the places of a whole field; who is out in one hand with the same stack shares theirs."""
    return all(place == 1 + sum(other < place for other in places) for place in places)


class Due(NamedTuple):
    """What is due: the event itself, or one of its tables."""

    kind: str
    key: int
    fence: int
    due_at: datetime


class OnlineEvent(Event):
    """`OnlineEvent(12, seats=4)`: twelve bots have entered; `start`, then `play_on` until something holds."""

    def __init__(self, bots: int = 0, *, people: int = 0, **options: Any) -> None:
        given = {"structure": QUICK, "starting_stack": 400, "conduct": "online", "price": {}}
        given |= {"final_seats": options.get("seats", 8)} | options
        given["options"] = {"pause_seconds": 0} | options.get("options", {})
        super().__init__(**given)
        self.unit = self.row.unit
        self.open()
        self.people = [self.enter().player for _ in range(people)]
        self.bots = [self.enter_bot() for _ in range(bots)]

    def enter_bot(self) -> User:
        bot = new_bot(self.now)
        registration.register(tournament_id=self.pk, by=None, player=bot, method="house", now=self.now)
        return bot

    def number(self, user: User) -> int:
        """His latest entry."""
        return self.state.players[user.pk]

    @property
    def state(self) -> EventEngine:
        """The event as it stands: to be looked at now, for it goes on with the event."""
        with event_journal.looking(self.pk, upto=self._told("seq")) as state:
            return state

    @property
    def tables(self) -> dict[int, Table]:
        """Open tables of the room, by the event's number."""
        rows = Table.objects.filter(event=self.unit, state=Table.State.OPEN)
        return {_number(row.name): row for row in rows}

    @property
    def seats(self) -> dict[int, tuple[int, int]]:
        """Player -> (the event's number of their table, seat)."""
        return {player: (number, seat) for player, number, seat, _ in self._sitting()}

    def chips(self) -> dict[int, int]:
        """Player -> chips in front of them, as their last hand left them."""
        return {player: chips for player, _, _, chips in self._sitting()}

    @property
    def issued(self) -> int:
        """Chips of the event that are in play."""
        accounts = Account.objects.filter(kind="house", unit=self.unit, label="chips")
        return -(accounts.values_list("balance", flat=True).first() or 0)

    def facts(self, kind: type[EventFact]) -> list[Any]:
        return [fact for fact in self.state.facts if isinstance(fact, kind)]

    def hands(self) -> list[Hand]:
        return list(Hand.objects.filter(table__event=self.unit).order_by("pk"))

    def check(self) -> None:
        """Everybody sits where the event has them, and every chip is there."""
        state, sitting = self.state, self._sitting()
        seated = [entrant for entrant in state.in_play() if entrant.table]
        seats = {player: (number, seat) for player, number, seat, _ in sitting}
        assert seats == {entrant.player: (entrant.table, entrant.seat) for entrant in seated}
        pending = TournamentEntry.objects.filter(tournament=self.pk).values_list("pending", flat=True)
        owed = sum(pending_chips["chips"] for of_entry in pending for pending_chips in of_entry)
        counted = sum(entrant.stack for entrant in seated) if state.phase == "running" else 0
        assert self.issued == sum(chips for *_, chips in sitting) == counted - owed
        names = Table.objects.filter(event=self.unit, state=Table.State.OPEN).values_list("name", flat=True)
        assert {_number(name) for name in names} == state.tables.keys()

    def _told(self, field: str) -> Any:
        """One field of the event's row, which is wide."""
        return Tournament.objects.values_list(field, flat=True).get(pk=self.pk)

    def _sitting(self) -> list[tuple[int, int, int, int]]:
        """Player, the event's number of their table, seat, chips; of everybody at a table."""
        rows = Seat.objects.filter(table__event=self.unit)
        columns = rows.values_list("player_id", "table__name", "number", "account__balance")
        return [(player, _number(name), seat, chips) for player, name, seat, chips in columns]

    def due(self) -> list[Due]:
        """When the event and its tables are due, the first first."""
        alarms = Alarm.objects.filter(kind="tournament", key=str(self.pk))
        of_event = [Due("tournament", self.pk, alarm.fence, alarm.due_at) for alarm in alarms]
        plays = TablePlay.objects.filter(table__event=self.unit, wake_at__isnull=False)
        of_tables = [Due("table", play.pk, play.version, play.wake_at) for play in plays.order_by("pk")]
        return sorted(of_event + of_tables, key=lambda due: due.due_at)

    def ring(self, alarm: Due | None = None) -> bool:
        """This is done, or what is due next; False where nothing is."""
        alarm = alarm or next(iter(self.due()), None)
        if alarm is None:
            return False
        self.now = max(self.now, alarm.due_at)
        if alarm.kind == "tournament":
            waking.wake(tournament_id=self.pk, fence=alarm.fence, now=self.now)
        else:
            table_waking.wake(table_id=alarm.key, fence=alarm.fence, now=self.now)
        return True

    def play_on(self, until: Callable[[OnlineEvent], bool] | None = None, *, most: int = 5000) -> OnlineEvent:
        """Ring what is due until `until(event)` holds; to the end of the event where it is not given."""
        for _ in range(most):
            if until(self) if until else self._told("state") in OVER:
                return self
            assert self.ring(), "nothing is due, and it has not come to that"
        raise AssertionError(f"not after {most} alarms")

    def changes(self) -> Iterator[EventEngine]:
        """Ring what is due to the end of the event; the event after each alarm by which it went on, checked."""
        last_seq = 0
        while self._told("state") not in OVER:
            if (seq := self._told("seq")) != last_seq:
                last_seq = seq
                self.check()
                yield self.state
            assert self.ring()

    def play_until(self, moment: datetime) -> OnlineEvent:
        """Ring all that is due before then."""
        while (due := self.due()) and due[0].due_at < moment:
            self.ring(due[0])
        self.now = moment
        return self


def stakes_dealt(hand: Hand) -> tuple[int, int, int, int]:
    """Ante, bring-in, small and big bet of a hand."""
    started = table_journal.facts(hand.pk)[0]
    assert isinstance(started, HandStarted)
    return started.ante, started.bring_in, started.small_bet, started.big_bet


def stakes_due(event: OnlineEvent, hand: Hand) -> tuple[int, int, int, int]:
    """The same, as the event's clock had them when the hand began, where nobody touched the clock."""
    level = event.state.stakes(event_journal.ms(hand.started_at))
    return level.ante, level.bring_in, level.small_bet, level.big_bet
