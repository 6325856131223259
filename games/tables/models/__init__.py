"""The rows of tables, hands, offers and times."""

from games.tables.models import offers, tables, times  # noqa: F401  for Django to find
