"""Work that several requests ask for at once is done by the first; the others wait for its result."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Waited
from typing import Generic, TypeVar

from cardroom.core.web import heavy

#: Seconds that a request waits for what another one does.
_PATIENCE = 10

T = TypeVar("T")


class SingleFlight(Generic[T]):
    """Does the work of one kind once for each key at a time. It keeps no results."""

    def __init__(self) -> None:
        self._under_way: dict[Hashable, Future[T]] = {}
        self._lock = threading.Lock()

    def run(self, key: Hashable, work: Callable[[], T]) -> T:
        """The result of `work()`, or of the same work that another request has begun; its failure is everybody's.
        Refuses: `Busy` where it takes the other one too long."""
        with self._lock:
            others = self._under_way.get(key)
            own_future: Future[T] = self._under_way.setdefault(key, Future())
        if others is not None:
            heavy.give_back()  # the database connection: somebody else needs it meanwhile
            try:
                return others.result(_PATIENCE)
            except Waited:
                raise heavy.busy() from None
        try:
            result = work()
        except BaseException as error:
            own_future.set_exception(error)
            raise
        else:
            own_future.set_result(result)
            return result
        finally:
            with self._lock:
                del self._under_way[key]
