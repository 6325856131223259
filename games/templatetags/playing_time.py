"""How long somebody played, and where a line goes, as pages say it."""

from django import template

from games.tables.queries import offers as offer_queries

register = template.Library()


@register.filter
def hours(minutes: int) -> str:
    """Hours and minutes: 1:05."""
    return f"{minutes // 60:,}:{minutes % 60:02}"


@register.filter
def unlocalized(value: float) -> str:
    """A number for a drawing."""
    return f"{value:.1f}"


@register.filter
def game_name(game: str) -> str:
    """A game as people call it."""
    return offer_queries.game_name(game)
