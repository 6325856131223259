"""What stands after the `?` of an address: a name that nothing reads is a mistake the sender wants to hear of."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from rest_framework.exceptions import ValidationError

#: The framework's own, for its pages.
_ALWAYS = frozenset({"format"})


def know(request: Any, *names: str) -> None:
    """These are read."""
    _known(request).update(names)


def checked(handler: Callable[..., Any]) -> Callable[..., Any]:
    """The handler of a GET, which refuses what it has not read itself."""

    @wraps(handler)
    def handle(view: Any, request: Any, *args: Any, **named: Any) -> Any:
        answer = handler(view, request, *args, **named)
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
