"""Tables in templates."""

from django import template

from games.selectors import TableRow

register = template.Library()


@register.filter
def seat_dots(table: TableRow) -> list[str]:
    """One word a seat: who sits there."""
    free = table.seat_count - table.people - table.bots
    return ["person"] * table.people + ["bot"] * table.bots + ["free"] * free
