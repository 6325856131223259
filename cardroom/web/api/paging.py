"""Pages of lists that grow at their front: newest first, each page reached from the one before by its `next`.

A cursor says after which row to go on, so rows written meanwhile shift nothing.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from django.db.models import QuerySet
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from cardroom.services.errors import Invalid
from cardroom.web.api import routes

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
        limit = _asked(request, "limit", most=MOST) or LIMIT
        found = rows(_asked(request, "cursor", most=_MOST_ID), limit + 1)
        if len(found) <= limit:
            return found, None
        found = found[:limit]
        return found, replace_query_param(request.build_absolute_uri(), "cursor", str(number(found[-1])))

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        later = {
            "type": ["string", "null"],
            "format": "uri",
            "description": "The address of the next, older page; null on the last.",
        }
        return {"type": "object", "required": ["next", "results"], "properties": {"next": later, "results": schema}}

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        return [
            _parameter("cursor", "Where the page begins; `next` says it.", minimum=1, maximum=_MOST_ID),
            _parameter("limit", "How many results a page has.", minimum=1, maximum=MOST, default=LIMIT),
        ]


def older(found: QuerySet[Any], before: int | None, limit: int) -> list[Any]:
    """Of these rows, which come newest first, so many that are older than the one numbered `before`."""
    return list((found.filter(pk__lt=before) if before is not None else found)[:limit])


def _asked(request: Request, name: str, *, most: int) -> int | None:
    routes.know(request, name)
    given = request.query_params.get(name)
    if given is None:
        return None
    if not (given.isascii() and given.isdigit() and len(given) <= 19 and 1 <= int(given) <= most):
        raise Invalid(f"{name} is a whole number from 1 to {most:,}.", f"bad-{name}")
    return int(given)


def _parameter(name: str, description: str, **schema: int) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": {"type": "integer", **schema}, "description": description}
