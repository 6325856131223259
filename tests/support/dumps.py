"""All that a copy of the database tells: every value of every row, as text."""

import re
from collections.abc import Iterator
from typing import Any

from django.db import connection

#: A sealed value, which may spell anything by chance.
_SEALED = re.compile(r"s1:\d+:[\w-]+=*")
_CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")


def rows() -> Iterator[tuple[str, str]]:
    """Each row of the database: its table, and all its columns as text."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            for row in cursor.fetchall():
                yield table, plain(row)


def plain(value: Any) -> str:
    """A value as text, or each of several."""
    if isinstance(value, list | tuple):
        return " ".join(map(plain, value))
    if not isinstance(value, bytes | memoryview):
        return str(value)
    try:
        return bytes(value).decode()
    except UnicodeDecodeError:  # a digest or a picture, which may spell anything by chance
        return bytes(value).hex()


def cards() -> dict[str, set[str]]:
    """By table, the cards that its rows name in the clear."""
    cards_by_table: dict[str, set[str]] = {}
    for table, text in rows():
        if named := cards_in(text):
            cards_by_table.setdefault(table, set()).update(named)
    return cards_by_table


def cards_in(text: str) -> set[str]:
    """The cards that a text names in the clear."""
    return set(_CARD.findall(_SEALED.sub("", text)))
