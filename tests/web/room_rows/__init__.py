"""Who gets what answer at which address of the cash room: a module for each area, walked by `test_room_permissions`.

A module has `ROWS`, and `room(people, now)`, which makes what its rows are about and returns what stands for the
placeholders of their paths: `{"table": table.pk}` for "/tables/{table}/". `people` are those who ask, by role. Where a
placeholder is no number, `WORDS` says what an address with it looks like: `{"day": "2030-01-05"}`.
"""

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

LOGIN = 302  # to the page for logging in; or, for who is logged in, to the page where what was done is seen
ROLES = ("anonymous", "player", "dealer", "floor", "cashier", "manager", "auditor")


class Row(NamedTuple):
    """Statuses for somebody not logged in, for a player, and for one of each role; `data` is the form or the JSON."""

    method: str
    path: str
    anonymous: int
    player: int
    dealer: int
    floor: int
    cashier: int
    manager: int
    auditor: int
    data: dict[str, Any] = {}


def for_all(method: str, path: str, status: int, data: dict[str, Any] | None = None) -> Row:
    """The same answer to everybody."""
    return Row(method, path, *[status] * len(ROLES), data or {})


def for_roles(
    method: str,
    path: str,
    status: int,
    *roles: str,
    anonymous: int | None = None,
    others: int = 403,
    data: dict[str, Any] | None = None,
) -> Row:
    """`status` for those who hold one of `roles`, `others` for everybody else who is logged in; nobody is sent to the
    log-in page, or told 401 by the API."""
    nobody = anonymous if anonymous is not None else 401 if path.startswith("/api/") else LOGIN
    return Row(method, path, nobody, *[status if role in roles else others for role in ROLES[1:]], data or {})


def areas() -> Iterator[ModuleType]:
    for found in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        yield import_module(f"{__name__}.{found.name}")


def example(area: ModuleType, path: str) -> str:
    """A path of this area as it may be resolved: every placeholder is 1, or the area's word for it."""
    words = getattr(area, "WORDS", {})
    return path.partition("?")[0].format_map(_Ones(words))


class _Ones(dict[str, Any]):
    def __missing__(self, name: str) -> int:
        return 1
