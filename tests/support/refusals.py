"""What the rooms refuse, asked for in a line: `refused(Conflict, "Nothing is owed", collection.pay, player=ann)`."""

from typing import Any

import pytest


def refused(kind: Any, /, *words_and_call: Any, **named: Any) -> Any:
    """The exception of this kind (or one of these kinds) that the call raises; its text has the words, if given."""
    words, call = (None, words_and_call) if callable(words_and_call[0]) else (words_and_call[0], words_and_call[1:])
    verb, *given = call
    with pytest.raises(kind, match=words) as refusal:
        verb(*given, **named)
    return refusal.value
