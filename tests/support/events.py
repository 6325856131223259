"""Events laid out for tests: small structures, prices, players with wallets, and a clock that the test moves."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, Self

from cardroom.core.once import command_name
from cardroom.ledger import ledger
from tests.support import evening
from tests.support.models import Account, Tournament, TournamentEntry, User
from tests.support.offers import staff
from tests.support.parts.event_rules import EventConfig, Level, Structure, terms
from tests.support.parts.tournaments import event_journal, hands, playing, registration, starting, tournaments, waking
from tests.support.tills import open_till
from tournaments.engine.tournament import EventEngine

START = datetime(2030, 1, 5, 20, 0, tzinfo=UTC)
PRICE = {"entry": {"pool": 100, "fee": 10, "staff": 5}}
_numbers = count(1)


def structure(*, levels: int = 4, minutes: int = 15) -> Structure:
    """Levels of `minutes`, with a break after the second one."""
    levels_made = [
        Level(minutes=minutes, ante=5 * n, bring_in=10 * n, small_bet=40 * n, big_bet=80 * n)
        for n in range(1, levels + 1)
    ]
    return Structure((*levels_made[:2], Level(kind="break", minutes=10), *levels_made[2:]))


def config(**changes: Any) -> EventConfig:
    return EventConfig(**{"structure": structure(), "starting_stack": 2000, **changes})


class Event:
    """One event and its people. `now` goes on only as the test says."""

    def __init__(self, *, conduct: str = "room", price: dict[str, Any] | None = None, **options: Any) -> None:
        fields = {name: options.pop(name) for name in list(options) if name in _FIELDS}
        self.now = START
        self.director = self.staff("director")
        row = tournaments.create(
            by=self.director, now=self.now, name=fields.pop("name", f"Event {next(_numbers)}"), conduct=conduct,
            config=terms.to_json(config(conduct=conduct, **options)), price=PRICE if price is None else price,
            **{"starts_at": self.now + timedelta(hours=1), **fields},
        )  # fmt: skip
        self.pk = row.pk

    @property
    def row(self) -> Tournament:
        return Tournament.objects.get(pk=self.pk)

    @property
    def state(self) -> EventEngine:
        """The event folded from the database."""
        return event_journal.read(self.pk)

    def entry(self, number: int) -> TournamentEntry:
        return TournamentEntry.objects.get(tournament=self.pk, number=number)

    def pool(self, part: str = "prizes") -> int:
        return balance_of_label("pool", f"tournament:{self.pk}:{part}")

    def staff(self, role: str) -> User:
        return staff(role, f"{role}{next(_numbers)}")

    def desk(self, role: str = "cashier", *, by: User | None = None, money: int = 10_000) -> User:
        """Somebody of the desk, or `by`, with a drawer open for cash and so much in it."""
        person = by or self.staff(role)
        open_till(person, now=self.now, money=money)
        return person

    def player(self, name: str = "", chips: int = 1000) -> User:
        return evening.player(name or f"player{next(_numbers)}", chips, now=self.now)

    def enter(self, player: User | str = "", **options: Any) -> TournamentEntry:
        """Somebody registers by themselves."""
        user = self.player(player) if isinstance(player, str) else player
        options = {"by": user, "player": user, "now": self.now, **options}
        return registration.register(tournament_id=self.pk, **options)

    def open(self, *, entrants: int = 0) -> Event:
        """Open, with so many entered."""
        tournaments.open_registration(**order(self))
        for _ in range(entrants):
            self.enter()
        return self

    def start(self) -> Self:
        starting.start(**order(self))
        return self

    def started(self, players: int | Iterable[User | str] = 2) -> Self:
        """Open, with so many entered or these, and started."""
        if self.row.state == "draft":
            self.open()
        for player in [""] * players if isinstance(players, int) else players:
            self.enter(player)
        return self.start()

    def play(self, command: Any, **options: Any) -> Any:
        options = {"by": self.director, "now": self.now, **options}
        return act(tournament_id=self.pk, command=command, **options)

    def wait(self, **span: float) -> Event:
        self.now += timedelta(**span)
        return self

    def wake(self) -> bool:
        """The event's alarm rings at the moment at which it is due."""
        due = self.row.wake_at
        assert due is not None, "nothing is due"
        self.now = max(self.now, due)
        return waking.wake(tournament_id=self.pk, fence=None, now=self.now)


def act(
    *,
    tournament_id: int,
    command: Any,
    now: datetime,
    by: User | None = None,
    expected_seq: int | None = None,
    command_id: str = "",
) -> Any:
    """Give one command; the same `command_id` again is answered as it first was, and does nothing."""
    key = command_name(by, command_id)
    with playing.holding(tournament_id, now=now) as locked:
        if (earlier := playing.earlier_receipt(locked, key)) is not None:
            return earlier
        playing.check_seq(locked, expected_seq)
        return playing.play(locked, command, now=now, by=by, key=key)


def order(event: Event, **more: Any) -> dict[str, Any]:
    """What every order to the event takes; the director gives it."""
    return {"tournament_id": event.pk, "by": event.director, "now": event.now, **more}


def bust(event: Event, *numbers: int, **more: Any) -> None:
    """These entrants bust, one after the other."""
    for number in numbers:
        hands.bust(busts=[(number, None)], **order(event, **more))


def balance_of_label(kind: str, label: str) -> int:
    """What lies in an account that belongs to nobody."""
    return Account.objects.filter(kind=kind, label=label, unit="cash").values_list("balance", flat=True).first() or 0


def wallet(user: User) -> int:
    return ledger.wallet(user).balance


_FIELDS = {
    *("name", "description", "options", "starts_when_full", "when_short", "entry_code", "bots", "recurs_minutes"),
    *("recurs_times", "recurs_when_full", "starts_at", "registration_opens_at", "series_id", "season_id", "parent_id"),
    *("flight", "satellite_to_id", "template_id", "key"),
}
