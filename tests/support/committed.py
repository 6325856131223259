"""What a service did within a test's own transaction counts as committed for the journals' memory.

Nothing is committed there, so both would fold every hand and every event anew at each command. As in the room, what a
block of the service's rolled back is never remembered.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import DEFAULT_DB_ALIAS, connections

from games.tables import journal as hands
from tournaments.events import journal as events


def remember(patch: pytest.MonkeyPatch) -> None:
    """From now on."""
    for journal in (hands, events):
        store = journal.store
        patch.setattr(store, "in_memory", _after_what_is_over(store.in_memory, store.keep))


def _after_what_is_over(in_memory: Callable[..., Any], keep: Callable[..., Any]) -> Callable[..., Any]:
    def remembered(pk: int) -> Any:
        own = connections[DEFAULT_DB_ALIAS]
        of_the_test = sum(block._from_testcase for block in own.atomic_blocks)
        if of_the_test:
            going_on = set(own.savepoint_ids[of_the_test - 1 : of_the_test])  # the service's outermost block
            for savepoints, done, _ in own.run_on_commit:
                if isinstance(done, partial) and done.func == keep and not done.__dict__ and not savepoints & going_on:
                    done.__dict__["is_done"] = True
                    done()
        return in_memory(pk)

    return remembered
