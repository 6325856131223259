"""Work that takes long: pictures, papers, exports, odds, statistics. It holds nothing, and waits at a gate.

`work(do)` runs it: the request's database connection goes back first, then few at a time go on while some wait, each
not for long, and later ones are refused for now (`Busy`). Each person and each address may ask for so much a minute
(`TooMany`). So `do` is best given all that it needs: what it has to read itself, it reads on a connection of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

from allauth.core import context
from django.db import connections
from django.http import HttpRequest
from rest_framework.throttling import SimpleRateThrottle

from cardroom.core.errors import Busy, TooMany
from cardroom.core.web import addresses
from cardroom.core.web.api.access import Lenient

P = ParamSpec("P")
T = TypeVar("T")

#: A part of a stream is this long at least, so that its reader does not pass the gate for every line of it.
_A_PART = 64 * 1024


class Gate:
    """At most `places` work at a time and `queue` wait, each for `patience` seconds at most; more are refused
    (`Busy`)."""

    def __init__(self, *, places: int, queue: int, patience: float) -> None:
        self._places = threading.BoundedSemaphore(places)
        self._queue = threading.BoundedSemaphore(places + queue)
        self._patience = patience
        self._mine = threading.local()

    @contextmanager
    def passed(self) -> Iterator[None]:
        """A thread that is inside already goes on. In a transaction it does not wait: it would keep its locks
        meanwhile."""
        if getattr(self._mine, "is_inside", False):
            yield
            return
        patience = self._patience if give_back() else 0
        if not self._queue.acquire(blocking=False):
            raise busy()
        try:
            if not self._places.acquire(timeout=patience):
                raise busy()
            self._mine.is_inside = True
            try:
                yield
            finally:
                self._mine.is_inside = False
                self._places.release()
        finally:
            self._queue.release()


#: Two, as Python runs one thread at a time: more would only make each of them, and people at tables, slower.
_gate = Gate(places=2, queue=8, patience=5)
#: The next part of a stream that has begun: its reader cannot be refused any more, and waits.
_streams = Gate(places=2, queue=1_000, patience=60)


def work(do: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """`do(...)` behind the gate. Refuses: `Busy`, `TooMany`."""
    check_pace("work", PER_PERSON, PER_ADDRESS)
    return work_unpaced(do, *args, **kwargs)


def work_unpaced(do: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Work as `work` does, but without a limit on how often somebody asks: for a result that is cached, where only the
    first time is long. Refuses: `Busy`."""
    with _gate.passed():
        return do(*args, **kwargs)


def first_part(parts: Iterator[bytes]) -> bytes:
    """The beginning of a stream. Refuses: `Busy`, `TooMany`."""
    return work(_part, parts)


def next_part(parts: Iterator[bytes]) -> bytes:
    """What follows, b"" at the end; its connection is given back while the reader takes it."""
    with _streams.passed():
        part = _part(parts)
    give_back()
    return part


def give_back() -> bool:
    """Give back the database connections of this thread; False where a transaction needs one of them."""
    has_given = True
    for connection in connections.all(initialized_only=True):
        if connection.in_atomic_block:
            has_given = False
        else:
            connection.close()
    return has_given


def _part(parts: Iterator[bytes]) -> bytes:
    content = bytearray()
    while len(content) < _A_PART and (part := next(parts, None)) is not None:
        content += part
    return bytes(content)


def busy() -> Busy:
    """The refusal while there is too much to do."""
    return Busy("busy", "The room has much to do at this moment. Try again shortly.")


# How often one may ask for it


class _Pace(Lenient, SimpleRateThrottle):
    """A rate limit under a name."""

    def __init__(self, name: str, rate: str) -> None:
        self.name, self.rate = name, rate
        super().__init__()

    def get_cache_key(self, request: HttpRequest, view: Any) -> str:
        return f"heavy:{self.name}"


PER_PERSON, PER_ADDRESS = "60/min", "240/min"


def check_pace(what: str, per_person: str, per_address: str = "") -> None:
    """Refuses (`TooMany`) a person, or an address, that asks for too much: rates such as "6/min". Who is not logged in
    counts by the address, as often as a person may."""
    request = context.request
    if request is None:  # a task, or a command
        return
    user, address = getattr(request, "user", None), addresses.of_request(request)
    if user is not None and user.is_authenticated:
        paces = [_Pace(f"{what}:user:{user.pk}", per_person)]
        paces += [_Pace(f"{what}:address:{address}", per_address)] if per_address else []
    else:
        paces = [_Pace(f"{what}:guests:{address}", per_person)]
    for pace in paces:
        if not pace.allow_request(request, None):
            seconds = max(1, round(pace.wait() or 1))
            refusal = TooMany("throttled", "Too many requests: try again in {n} seconds.", n=seconds)
            refusal.retry_after = seconds
            raise refusal
