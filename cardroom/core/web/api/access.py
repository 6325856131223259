"""Permissions of a request before any service is called, and rate limits, counted in the cache: while it is away
nothing is counted.
"""

from typing import TYPE_CHECKING, Any

import structlog
from django.utils.translation import gettext
from redis import RedisError
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, UserRateThrottle

from cardroom.core import access
from cardroom.core.models import User
from cardroom.core.web import addresses

if TYPE_CHECKING:  # the framework reads this module while it is itself being read
    from rest_framework.views import APIView


def scope_of(view: Any, method: str) -> str | tuple[str, ...]:
    """The scope a token needs for this: `read` to look; to change something `play`, or the `scope` of the resource. Any
    one of several is enough, and the resource checks which."""
    return "read" if method in SAFE_METHODS else getattr(view, "scope", "play")


def is_open(view: Any, method: str) -> bool:
    """Whether nobody has to be logged in for this: a resource that says `is_public` shows what the rail may see."""
    return method in SAFE_METHODS and getattr(view, "is_public", False)


class MayUse(BasePermission):
    """Somebody who is logged in, by a token only as far as its scopes go; anybody where the resource is public."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        require_scope(request, scope_of(view, request.method or ""))
        return bool(request.user.is_authenticated) or is_open(view, request.method or "")


def require_scope(request: Request, scope: str | tuple[str, ...]) -> None:
    """Refuse a token without this scope, or without any of these; sessions have all scopes."""
    token = request.auth
    either = (scope,) if isinstance(scope, str) else scope
    if token is not None and not any(map(token.allows, either)):
        # The framework's own refusal: its pages ask here which forms to show.
        words = " or ".join(map(repr, either))
        raise PermissionDenied(gettext("This token lacks the scope {words}.").format(words=words), "scope")


def asker(request: Request) -> User:
    """The user of a request that `MayUse` has let pass."""
    return access.require_login(request.user)


log = structlog.get_logger(__name__)


class Lenient:
    """A rate limit that lets everything pass while Redis is away."""

    def allow_request(self, request: Request, view: Any) -> bool:
        try:
            return super().allow_request(request, view)  # type: ignore[misc]
        except RedisError as error:
            log.warning("requests are not counted", fault=type(error).__name__)
            return True


class Guests(Lenient, AnonRateThrottle):
    """The rate limit of callers who are not logged in, by address."""

    def get_ident(self, request: Request) -> str:
        return addresses.of_request(request)


class Users(Lenient, UserRateThrottle):
    """The rate limit of callers who are logged in, by user."""
