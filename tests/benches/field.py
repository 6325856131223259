"""A large online field, from the draw to the payout, timed step by step.

Each step is what a service does, in its transaction, on the database; seconds are of this process's CPU. That the
players have come, and who is out, is written down beforehand without being timed.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from cardroom.core.models import User
from tournaments.directing import tournaments
from tournaments.engine import config
from tournaments.engine.clock import Level, Structure
from tournaments.engine.commands import Balance, BreakTable, Bust, Chips, Penalise, Register, SeatAll, Start
from tournaments.engine.facts import Moved
from tournaments.events import journal as event_journal
from tournaments.events import playing
from tournaments.events.hall import Hall
from tournaments.events.models import Tournament, TournamentEntry
from tournaments.online import play, seating
from tournaments.prizes import payouts

_AT_ONCE = 2_000
_STACK = 10_000


class Field:
    """The event. ``measured``: seconds of CPU by step; ``per_table``: statements by table touched."""

    def __init__(self, entrants: int) -> None:
        self.now = timezone.now()
        self.measured: dict[str, float] = {}
        self.per_table: dict[str, float] = {}
        self.statements = 0
        row = tournaments.create(
            by=None,
            now=self.now,
            name="Bench",
            conduct="online",
            config=_config(entrants),
            price={},
            starts_at=self.now,
        )
        self.pk = row.pk
        tournaments.open_registration(tournament_id=self.pk, by=None, now=self.now)
        self._enter(entrants)

    @contextmanager
    def timed(self, name: str, tables: int = 0) -> Iterator[None]:
        """One step, touching so many tables."""
        self.statements = 0
        began = time.process_time()
        with connection.execute_wrapper(self._count):
            yield
        self.measured[f"{name}_s"] = round(time.process_time() - began, 3)
        if tables:
            self.per_table[name] = round(self.statements / tables, 2)

    def _count(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        self.statements += 1
        return execute(sql, params, many, context)

    def _enter(self, entrants: int) -> None:
        made = [User(username=f"bench-{number}", password="!") for number in range(1, entrants + 1)]
        users = User.objects.bulk_create(made, _AT_ONCE)
        with playing.holding(self.pk, now=self.now) as locked:
            entries = []
            for number, user in enumerate(users, 1):
                playing.play(locked, Register(user.pk, user.username, how="api"), now=self.now)
                entries.append(
                    TournamentEntry(
                        tournament=locked.row,
                        number=number,
                        player=user,
                        name=user.username,
                        how="api",
                        at=self.now,
                        state="in",
                    )
                )
            TournamentEntry.objects.bulk_create(entries, _AT_ONCE)


def measure(entrants: int) -> dict[str, Any]:
    call_command("migrate", verbosity=0, interactive=False)
    field = Field(entrants)
    _begin(field)
    _even(field)
    _break(field)
    _pay(field)
    names = ("seat_draw_s", "rebalance_s", "break_s", "payout_s", "tables_s")
    return {name: field.measured[name] for name in names} | {"sql_per_table": field.per_table}


def _begin(field: Field) -> None:
    """The draw, and what follows from it: tables opened, everybody seated with their chips. Nobody is dealt a hand."""
    with field.timed("seat_draw"), playing.holding(field.pk, now=field.now) as locked:
        playing.play(locked, SeatAll(7), now=field.now)
    with field.timed("tables", tables=len(locked.state.tables)), playing.holding(field.pk, now=field.now) as locked:
        playing.play(locked, Start(), now=field.now)
        locked.row.state = locked.row.State.RUNNING
        play.begin(locked, now=field.now)


def _even(field: Field) -> None:
    """Every other table has lost three players; the others give until all are even."""
    with playing.holding(field.pk, now=field.now) as locked:
        tables = [table for number, table in sorted(locked.state.tables.items()) if number % 2]
        gone = [entrant for table in tables for entrant in sorted(table.seats.values())[:3]]
        for entrant in gone:
            playing.play(locked, Penalise(entrant, "disqualified", reason="bench"), now=field.now)
        seating.follow_facts(locked, Hall(locked), now=field.now)
    _move(field, "rebalance", Balance())


def _break(field: Field) -> None:
    """The last table breaks up."""
    _move(field, "break", BreakTable(max(_state(field).tables), 7))


def _move(field: Field, name: str, command: Any) -> None:
    """One command, and the tables of the room after it."""
    before = len(_state(field).facts)
    with field.timed(name), playing.holding(field.pk, now=field.now) as locked:
        playing.play(locked, command, now=field.now)
        seating.follow_facts(locked, Hall(locked), now=field.now)
    moved = [fact for fact in _state(field).facts[before:] if isinstance(fact, Moved)]
    touched = {number for fact in moved for number in (fact.from_table, fact.to_table)}
    field.per_table[name] = round(field.statements / len(touched), 2)


def _pay(field: Field) -> None:
    """All but one are out, with more chips the later they entered; the prizes are paid."""
    with playing.holding(field.pk, now=field.now) as locked:
        left = [entrant.number for entrant in locked.state.in_play()]
        playing.play(locked, Chips(((left[0], locked.state.chips), *((one, 0) for one in left[1:]))), now=field.now)
        playing.play(locked, Bust(tuple((one, one) for one in left[1:])), now=field.now)
    with field.timed("payout"):
        is_paid = payouts.pay_by_alarm(tournament_id=field.pk, now=field.now)
    if not is_paid:
        raise RuntimeError("nothing was paid")


def _state(field: Field) -> Any:
    row = Tournament.objects.get(pk=field.pk)
    return event_journal.load(row.pk, seq=row.seq).engine


def _config(entrants: int) -> dict[str, Any]:
    """Levels of an hour, and a pool that the house guarantees."""
    level = Level(minutes=60, ante=10, bring_in=20, small_bet=80, big_bet=160)
    terms = config.EventConfig(
        structure=Structure((level,)), starting_stack=_STACK, payout=config.PayoutTerms(guarantee=100 * entrants)
    )
    return config.to_json(terms)
