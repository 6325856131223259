"""How often one may ask. The counts are kept in the cache; while that does not answer nobody is counted."""

from typing import Any

import structlog
from redis import RedisError
from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, UserRateThrottle

log = structlog.get_logger(__name__)


class _Lenient:
    """The tables go on without Redis, so the API does."""

    def allow_request(self, request: Request, view: Any) -> bool:
        try:
            return super().allow_request(request, view)  # type: ignore[misc]
        except RedisError as error:
            log.warning("requests are not counted", fault=type(error).__name__)
            return True


class Guests(_Lenient, AnonRateThrottle):
    """Those who are not logged in, by where they ask from."""


class Users(_Lenient, UserRateThrottle):
    """Those who are, by who they are."""
