"""What is wrong with a message that has the wrong shape, in the reader's language.

The library that reads messages says it in English alone, so its errors are looked up by their patterns.
"""

import re
from functools import cache

import msgspec
from django.utils.translation import gettext, gettext_noop

#: What msgspec finds wrong with a message; each stands before those that it would be taken for.
_FAULTS = (
    gettext_noop("Object missing required field {name}"),
    gettext_noop("Object contains unknown field {name}"),
    gettext_noop("Expected {kind} matching regex {pattern}"),
    gettext_noop("Expected {kind} of length >= {length}"),
    gettext_noop("Expected {kind} of length <= {length}"),
    gettext_noop("Expected {kind} >= {limit}"),
    gettext_noop("Expected {kind} <= {limit}"),
    gettext_noop("Expected {kind}, got {given}"),
    gettext_noop("Expected {kind}"),
    gettext_noop("Invalid value {value}"),
    gettext_noop("Integer value out of range"),
    gettext_noop("Number out of range"),
)
#: Where it is wrong stands at the end; what was sent is quoted before.
_FAULT_AT = re.compile(r"(.*) - at (`[^`]*`(?: in `[^`]*`)?)", re.DOTALL)


def fault_of(error: msgspec.ValidationError) -> str:
    """What is wrong with the shape of a message, and with which of its fields, as part of a sentence."""
    match = _FAULT_AT.fullmatch(str(error))
    words = _translated_fault(match[1] if match else str(error))
    return gettext("{fault}, at {where}").format(fault=words, where=match[2].replace("`$.", "`")) if match else words


def _translated_fault(fault: str) -> str:
    for pattern in _FAULTS:
        if match := _expression(pattern).fullmatch(fault):
            return gettext(pattern).format(**match.groupdict())
    return fault


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", pattern)
    return re.compile(
        "".join(f"(?P<{part}>.+)" if at % 2 else re.escape(part) for at, part in enumerate(parts)), re.DOTALL
    )
