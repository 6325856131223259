"""Addresses of resources, and what stands after their `?`, where a name that nothing reads is a mistake the sender
wants to hear of."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.urls import URLPattern, path, register_converter
from django.views.decorators.cache import never_cache
from rest_framework.exceptions import ValidationError

from cardroom.web.api import keys


class Id:
    """The number of a row. What cannot be one is no address, hence a plain 404."""

    regex = "[1-9][0-9]{0,17}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)


register_converter(Id, "id")

_CHANGING = ("post", "put", "patch", "delete")


def resource(address: str, view: Any, *, name: str) -> list[URLPattern]:
    """A resource at its address; the same with a slash at the end is taken and not told of.

    (Django would add or drop the slash by a redirect, on which a POST loses its body.)
    """
    answer = never_cache(_checked(view).as_view())  # what one may see is another's secret, and it changes by the second
    return [path(address, answer, name=name), path(f"{address}/", answer)]


def _checked(view: Any) -> Any:
    """The resource, doing nothing twice under one key and refusing parameters that it does not know."""
    handlers = {name: checked(keys.once(getattr(view, name))) for name in _CHANGING if hasattr(view, name)}
    if hasattr(view, "get"):
        handlers["get"] = checked(view.get, is_read=True)
    return type(view.__name__, (view,), {"__doc__": view.__doc__, "__module__": view.__module__, **handlers})


def without_slashes(endpoints: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """For the schema: every resource once."""
    return [endpoint for endpoint in endpoints if not endpoint[0].endswith("/")]


#: The framework's own, for its pages.
_ALWAYS = frozenset({"format"})


def know(request: Any, *names: str) -> None:
    """These are read."""
    _known(request).update(names)


def checked(handler: Callable[..., Any], *, is_read: bool = False) -> Callable[..., Any]:
    """The handler, which refuses parameters that it does not know; of a GET once it has read those that it does."""

    @wraps(handler)
    def handle(view: Any, request: Any, *args: Any, **named: Any) -> Any:
        if not is_read:
            check(request)
        answer = handler(view, request, *args, **named)
        if is_read:
            check(request)
        return answer

    return handle


def check(request: Any) -> None:
    """Refuse (400) what nothing has read; once everything that is known is read."""
    if unknown := sorted(set(request.query_params) - _known(request) - _ALWAYS):
        raise ValidationError({name: ["There is no such parameter."] for name in unknown})


def _known(request: Any) -> set[str]:
    if not hasattr(request, "known_parameters"):
        request.known_parameters = set()
    known: set[str] = request.known_parameters
    return known
