"""Who a database connection is for: pages and the API, or play, feeds, alarms and the heartbeat.

On PostgreSQL the two have pools of their own (`postgresql.base`), so that readers can use up their own connections and
nobody else's. What runs outside a request over HTTP belongs to play.
"""

from collections.abc import Collection
from contextvars import ContextVar
from typing import Any

_is_for_pages: ContextVar[bool] = ContextVar("is_for_pages", default=False)


def is_for_pages() -> bool:
    """Whether the current code answers a request over HTTP."""
    return _is_for_pages.get()


def for_pages(application: Any, *, but: Collection[str] = ()) -> Any:
    """The ASGI application, with the connections of pages; requests for the addresses in `but` use those of play."""

    async def limited(scope: Any, receive: Any, send: Any) -> None:
        token = _is_for_pages.set(scope.get("path") not in but)
        try:
            await application(scope, receive, send)
        finally:
            _is_for_pages.reset(token)

    return limited
