"""Days on pages, and numbers that stand in words, as the reader's language writes them. Built into every template:
`{{ at|date:"j F Y" }}`, `{{ table.stakes|numbers }}`."""

from django import template

from cardroom.core import room_time, sentences

register = template.Library()
register.filter("date", room_time.format_day, expects_localtime=True, is_safe=False)
register.simple_tag(room_time.readers_zone)
register.filter("numbers", sentences.localized_numbers)
