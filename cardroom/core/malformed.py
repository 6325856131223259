"""What is wrong with a message that has the wrong shape, in the reader's language."""

import re

import msgspec
from django.utils.translation import gettext, gettext_noop

from cardroom.core.sentences import read_back

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
    found = _FAULT_AT.fullmatch(str(error))
    words = read_back(found[1] if found else str(error), _FAULTS)
    return gettext("{fault}, at {where}").format(fault=words, where=found[2].replace("`$.", "`")) if found else words
