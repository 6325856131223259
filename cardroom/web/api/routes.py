"""Addresses of resources."""

from typing import Any

from django.urls import URLPattern, path, register_converter
from django.views.decorators.cache import never_cache

from cardroom.web.api import keys, queries


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
    handlers = {name: keys.once(getattr(view, name)) for name in _CHANGING if hasattr(view, name)}
    if hasattr(view, "get"):
        handlers["get"] = queries.checked(view.get)
    return type(view.__name__, (view,), {"__doc__": view.__doc__, "__module__": view.__module__, **handlers})


def without_slashes(endpoints: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """For the schema: every resource once."""
    return [endpoint for endpoint in endpoints if not endpoint[0].endswith("/")]
