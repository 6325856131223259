"""The room's keys for its seals, out of their setting. It needs nothing of Django, which reads its settings with it."""

import secrets

from cardroom.core import keyring

_SHORTEST = 16


def parse_keys(setting: str) -> dict[int, bytes]:
    """The keys of a setting by their numbers: "2:<text>,1:<text>". Refuses as `keyring.parse_keys` does."""
    expected = f"each key is a number of its own, a colon and a text of at least {_SHORTEST} characters"
    return keyring.parse_keys(setting, read=_read_key, expected=expected)


def _read_key(text: str) -> bytes:
    if len(text) < _SHORTEST:
        raise ValueError("too short")
    return text.encode()


def fresh() -> str:
    """The setting of a room that had none."""
    return f"1:{secrets.token_urlsafe(32)}"
