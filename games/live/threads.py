"""Where the sockets' process does its blocking work: a few threads, each keeping its database connection to itself.

As many as a machine's cores can feed: a table is one row to lock, so more threads would only wait for one another.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from channels.db import database_sync_to_async

P = ParamSpec("P")
T = TypeVar("T")

MOST = 8
_pool = ThreadPoolExecutor(max_workers=MOST, thread_name_prefix="live")


async def run(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """``work(...)`` in one of the threads."""
    return await database_sync_to_async(work, thread_sensitive=False, executor=_pool)(*args, **kwargs)
