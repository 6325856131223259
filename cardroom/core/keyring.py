"""Keys by their numbers, out of one setting: "2:<key>,1:<key>".

The highest number is the newest key, which is used from then on; the others still open or check what they made. It
needs nothing of Django, which reads its settings with it.
"""

from collections.abc import Callable


def parse_keys(setting: str, *, read: Callable[[str], bytes], expected: str) -> dict[int, bytes]:
    """The keys of a setting by their numbers, none of an empty one. `read`: a key out of its text, or `ValueError`.

    `ValueError`, without any key in it, for a setting that cannot be read; `expected` says what each key should be.
    """
    keys: dict[int, bytes] = {}
    for entry in filter(None, (part.strip() for part in setting.split(","))):
        number, _, text = entry.partition(":")
        if not (number.isascii() and number.isdecimal() and int(number)):
            raise ValueError(expected)
        if int(number) in keys:
            raise ValueError(f"each key has a number of its own, and two have {int(number)}")
        try:
            keys[int(number)] = read(text)
        except ValueError:
            raise ValueError(expected) from None
    return keys
