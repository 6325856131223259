"""Who of the staff looks at a page."""

from typing import Any

from django import template

from cardroom.services import access

register = template.Library()


@register.filter
def holds(user: Any, roles: str) -> bool:
    """Whether the user holds one of the roles, separated by commas."""
    return access.has_role(user, *roles.split(","))
