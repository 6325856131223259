"""The rows of drops, jackpots, boxes, time charges and comp points."""

from games.rake.models import drops, times  # noqa: F401  for Django to find
