"""What roles are called on pages. Built into every template: `{{ role|role_name }}`."""

from django import template

from cardroom.core import access

register = template.Library()
register.filter("role_name", access.role_name, is_safe=False)
