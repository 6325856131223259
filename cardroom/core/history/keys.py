"""The room's keys for its seals, out of their setting. It needs nothing of Django, which reads its settings with it."""

import secrets


def parsed(setting: str) -> dict[int, bytes]:
    """The keys of a setting by their numbers: "2:<text>,1:<text>". `ValueError`, without any key in it, for one that
    cannot be read."""
    found: dict[int, bytes] = {}
    for part in filter(None, (part.strip() for part in setting.split(","))):
        number, _, key = part.partition(":")
        if not (number.isascii() and number.isdecimal()) or len(key) < 16 or int(number) in found:
            raise ValueError("each key is a number of its own, a colon and a text of at least 16 characters")
        found[int(number)] = key.encode()
    return found


def fresh() -> str:
    """The setting of a room that had none."""
    return f"1:{secrets.token_urlsafe(32)}"
