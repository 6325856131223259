"""That a seat came free, told to whoever waits for seats."""

from datetime import datetime
from typing import Protocol

from cardroom.models import User
from games import signals
from games.models import Table


class WhenFree(Protocol):
    """Called in the transaction that freed the seat, with the table locked and maybe wallets as well: it must wait for
    no other lock. Setting an alarm or writing a new row is fine; what takes more is for whoever it wakes."""

    def __call__(self, *, table_id: int, number: int, now: datetime) -> None: ...


_callables: list[WhenFree] = []


def when_free(tell: WhenFree) -> None:
    """Have `tell` called whenever a seat comes free; apps do so in `AppConfig.ready`."""
    if tell not in _callables:
        _callables.append(tell)


def told(table_id: int, number: int, *, now: datetime) -> None:
    """This seat is free: its player left, was moved or picked up, or it is held no longer."""
    for tell in _callables:
        tell(table_id=table_id, number=number, now=now)
    signals.after_commit(signals.seat_freed, table_id=table_id, number=number)


class BeforeSitting(Protocol):
    """Called with the table locked, before somebody sits down by themselves in a seat (`number` None: any that is
    free); raises the refusal that keeps them from it, or says which free seats others have first right to."""

    def __call__(self, *, table: Table, player: User, number: int | None, now: datetime) -> frozenset[int]: ...


_gates: list[BeforeSitting] = []


def ask_before_sitting(check: BeforeSitting) -> None:
    """Have `check` asked before anybody takes a seat by themselves; apps do so in `AppConfig.ready`."""
    if check not in _gates:
        _gates.append(check)


def check_before_sitting(table: Table, player: User, number: int | None, *, now: datetime) -> frozenset[int]:
    """Whatever refuses them a seat at this table that is free, or else the seats that they are not to be given."""
    found = [check(table=table, player=player, number=number, now=now) for check in _gates]
    return frozenset[int]().union(*found)
