"""Waiting for what another process does: until it is so, and never for a length of time."""

import threading
import time
from collections.abc import Callable

PATIENCE = 60.0  # nothing waits it out: it only ends a test that has failed
_PAUSE = 0.02


def soon(is_so: Callable[[], object], complaint: Callable[[], str] | str = "", *, patience: float = PATIENCE) -> None:
    """Return once `is_so()` holds; an AssertionError with the complaint if it takes too long."""
    deadline = time.monotonic() + patience
    while not is_so():
        if time.monotonic() > deadline:
            raise AssertionError(complaint() if callable(complaint) else complaint or "waited in vain")
        threading.Event().wait(_PAUSE)
