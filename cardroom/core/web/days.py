"""Days on pages as the reader's language writes them. Built into every template: `{{ at|date:"j F Y" }}`."""

from django import template

from cardroom.core import room_time

register = template.Library()
register.filter("date", room_time.written, expects_localtime=True, is_safe=False)
