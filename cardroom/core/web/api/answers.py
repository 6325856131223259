"""What an address of the API answers with, and how it is described."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rest_framework.serializers import BaseSerializer

from cardroom.core.models import User


@dataclass(frozen=True)
class PlainAnswer:
    """An answer that no serializer draws, such as a dataclass of an engine: its schema, or a serializer that describes
    it, and how it becomes JSON."""

    schema: Mapping[str, Any] | type[BaseSerializer[Any]]
    draw: Callable[[Any], Any]


Answer = type[BaseSerializer[Any]] | PlainAnswer


def answer_schema(answer: Answer | None, *, many: bool = False) -> Any:
    """Its description in the OpenAPI document."""
    if isinstance(answer, PlainAnswer):
        return answer.schema
    return answer(many=True) if answer and many else answer


def answer_data(
    answer: Answer, result: Any, *, viewer: User, many: bool = False, context: Mapping[str, Any] | None = None
) -> Any:
    """The result as JSON. A serializer has who looks at it in its context (`viewer`)."""
    if isinstance(answer, PlainAnswer):
        return answer.draw(result)
    return answer(result, many=many, context={"viewer": viewer, **(context or {})}).data
