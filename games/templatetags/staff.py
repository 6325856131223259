"""The roles of the reader of a page."""

from typing import Any

from django import template

from cardroom.core import access

register = template.Library()


@register.filter
def holds(user: Any, roles: str) -> bool:
    """Whether the user holds one of the roles, separated by commas; one query a page."""
    held = getattr(user, "roles_on_this_page", None)
    if held is None:
        held = access.roles_of(user)
    return not held.isdisjoint(roles.split(","))
