"""That a seat came free, told to whoever waits for seats."""

from datetime import datetime
from typing import Protocol

from games import signals


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
