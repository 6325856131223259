"""Counts that differ from the books: recorded at first, and taken when they are made again."""

from collections.abc import Callable
from typing import Any

from cardroom.core.errors import Illegal
from tests.support.refusals import refused


def counted_twice(count: Callable[..., Any], **arguments: Any) -> Any:
    """What the second count of the same figure comes to."""
    first = arguments | ({"key": f"{arguments['key']}-first"} if arguments.get("key") else {})
    assert refused(Illegal, "count again", count, **first).code == "count-again"
    return count(**arguments)
