"""Addresses of resources, their query parameters (an unknown one is refused), and the pages of lists that grow at their
front: newest first, each reached from the one before by its `next`. A cursor says after which row to go on, so rows
written meanwhile shift nothing.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.db.models import QuerySet
from django.urls import URLPattern, path, register_converter
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from cardroom.core.errors import Invalid
from cardroom.core.web.api import keys


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
    """A resource at its address; the same with a slash at the end is accepted but not documented.

    (Django would add or drop the slash by a redirect, on which a POST loses its body.)
    """
    answer = never_cache(
        _checked_resource(view).as_view()
    )  # an answer is for one person only, and changes by the second
    return [path(address, answer, name=name), path(f"{address}/", answer)]


def _checked_resource(view: Any) -> Any:
    """The resource, doing nothing twice under one key and refusing parameters that it does not know."""
    handlers = {name: checked(keys.once(getattr(view, name))) for name in _CHANGING if hasattr(view, name)}
    if hasattr(view, "get"):
        handlers["get"] = checked(view.get, is_read=True)
    return type(view.__name__, (view,), {"__doc__": view.__doc__, "__module__": view.__module__, **handlers})


def without_slashes(endpoints: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The schema's addresses, each once."""
    return [endpoint for endpoint in endpoints if not endpoint[0].endswith("/")]


#: The framework's own, for its pages.
_ALWAYS = frozenset({"format"})


def note_parameters(request: Any, *names: str) -> None:
    """Note parameters as known."""
    _known_parameters(request).update(names)


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
    """Refuse (400) parameters that nothing has read. Call it after the known ones are read."""
    if unknown := sorted(set(request.query_params) - _known_parameters(request) - _ALWAYS):
        raise ValidationError({name: [gettext("There is no such parameter.")] for name in unknown})


def _known_parameters(request: Any) -> set[str]:
    if not hasattr(request, "known_parameters"):
        request.known_parameters = set()
    known: set[str] = request.known_parameters
    return known


LIMIT, MOST = 50, 200
_MOST_ID = 2**63 - 1

Row = TypeVar("Row")


class NewestFirst(BasePagination):
    """The pages of a list whose rows have numbers that grow."""

    def page(
        self, request: Request, rows: Callable[[int | None, int], list[Row]], *, number: Callable[[Row], int]
    ) -> tuple[list[Row], str | None]:
        """The rows of the page asked for, and the address of the next one (None: that was the last).

        `rows(before, limit)` gives at most `limit` rows, newest first, older than the one numbered `before`.
        """
        limit = _whole_number_parameter(request, "limit", most=MOST) or LIMIT
        results = rows(_whole_number_parameter(request, "cursor", most=_MOST_ID), limit + 1)
        if len(results) <= limit:
            return results, None
        results = results[:limit]
        return results, replace_query_param(request.build_absolute_uri(), "cursor", str(number(results[-1])))

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        later = {
            "type": ["string", "null"],
            "format": "uri",
            "description": "The address of the next, older page; null on the last.",
        }
        return {"type": "object", "required": ["next", "results"], "properties": {"next": later, "results": schema}}

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        return []  # of every list that comes in pages, whatever its rows are drawn by: see `PAGE`


def older(rows: QuerySet[Any], before: int | None, limit: int) -> list[Any]:
    """At most `limit` of these rows, which are newest first, that are older than the one numbered `before`."""
    return list((rows.filter(pk__lt=before) if before is not None else rows)[:limit])


def _whole_number_parameter(request: Request, name: str, *, most: int) -> int | None:
    note_parameters(request, name)
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 19 and 1 <= int(text) <= most):
        raise Invalid(f"bad-{name}", "{name} is a whole number from 1 to {most:,}.", name=name, most=most)
    return int(text)


def _parameter(name: str, description: str, **schema: int) -> OpenApiParameter:
    return OpenApiParameter(name, {"type": "integer", **schema}, OpenApiParameter.QUERY, description=description)


#: The parameters of a page of a list, for the schema.
PAGE = [
    _parameter("cursor", "Where the page begins; take it from `next`.", minimum=1, maximum=_MOST_ID),
    _parameter("limit", "How many results a page has.", minimum=1, maximum=MOST, default=LIMIT),
]
