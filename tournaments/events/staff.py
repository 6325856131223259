"""Who runs events. What the desk and the tables may do is less than what a director may."""

from cardroom.core import access
from cardroom.core.models import User

DIRECTORS = ("director", "manager")
DESK = ("director", "manager", "floor", "cashier")
FLOOR = ("director", "manager", "floor")
TABLES = ("director", "manager", "floor", "dealer")


def require(by: User | None, roles: tuple[str, ...]) -> None:
    """`Forbidden` for a person who holds none of `roles`. None is the house itself: an alarm, or an operator's
    command."""
    if by is not None:
        access.require_role(by, *roles)
