"""Tables in templates."""

from functools import cache

from django import template
from django.utils.safestring import SafeString, mark_safe

from games.tables.queries.tables import TableRow

register = template.Library()


@register.filter
def seat_dots(table: TableRow) -> SafeString:
    """A dot a seat: who sits there."""
    return _dots(table.people, table.bots, table.held, table.seat_count)


@cache
def _dots(people: int, bots: int, held: int, seats: int) -> SafeString:
    """Drawn once for each way a table can be taken: a lobby has hundreds of them."""
    kinds = ["person"] * people + ["bot"] * bots + ["held"] * held
    kinds += ["free"] * (seats - len(kinds))
    dots = "".join(f'<i class="seat-dot seat-dot--{kind}"></i>' for kind in kinds)
    return mark_safe(f'<span class="seat-dots" aria-hidden="true">{dots}</span>')  # noqa: S308  (nothing of anybody's)
