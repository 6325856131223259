"""Where the sockets' process does its blocking work: a few threads, so that the loop never waits for the database.

More would only wait for each other: a table is one row to lock, and Python runs one thread at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from django.db import close_old_connections

P = ParamSpec("P")
T = TypeVar("T")

MOST = 8
_pool = ThreadPoolExecutor(max_workers=MOST, thread_name_prefix="live")


async def run(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """``work(...)`` in one of the threads; its database connection is given back afterwards.

    What `database_sync_to_async` does with threads of its own, without carrying over context that nobody here uses:
    half the cost, on every action's way.
    """
    return await asyncio.get_running_loop().run_in_executor(_pool, partial(_run, work, *args, **kwargs))


def _run(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    try:
        return work(*args, **kwargs)
    finally:
        close_old_connections()
