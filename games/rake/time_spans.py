"""Spans of time: parts taken out of one, and how long several are together."""

from collections.abc import Iterable
from datetime import datetime

Span = tuple[datetime, datetime]


def without(whole: Span, taken: Iterable[Span]) -> list[Span]:
    """What is left of `whole` when these are taken out of it, in order; they may overlap and stick out."""
    left, at = [], whole[0]
    for since, until in sorted(taken):
        if since > at and at < whole[1]:
            left.append((at, min(since, whole[1])))
        at = max(at, until)
    if at < whole[1]:
        left.append((at, whole[1]))
    return left


def seconds(parts: Iterable[Span]) -> int:
    """How long these are together, in whole seconds."""
    return int(sum((until - since).total_seconds() for since, until in parts))
