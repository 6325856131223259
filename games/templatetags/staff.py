"""Who of the staff looks at a page, and what staff did."""

from typing import Any

from django import template

from cardroom.core import access

register = template.Library()


@register.filter
def holds(user: Any, roles: str) -> bool:
    """Whether the user holds one of the roles, separated by commas; asked of the database once for a page."""
    held = getattr(user, "roles_on_this_page", None)
    if held is None:
        held = access.roles_of(user)
    return not held.isdisjoint(roles.split(","))


@register.filter
def in_words(details: dict[str, Any]) -> str:
    """What an act was about, but for what was not said of it: "seat 3, buy in 800"."""
    said = []
    for name, value in details.items():
        if isinstance(value, dict):
            said.append(in_words(value))
        elif isinstance(value, bool):
            said.append(f"{'' if value else 'not '}{name.replace('_', ' ')}")
        elif value not in (None, "", []):
            shown = ", ".join(str(each) for each in value) if isinstance(value, list) else value
            said.append(f"{name.replace('_', ' ')} {shown}")
    return ", ".join(part for part in said if part)
