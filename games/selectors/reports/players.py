"""Players' results in a span, for managers."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Sum

from cardroom.models import User
from games.models import DayPlayer
from games.selectors.reports import facts, spans
from games.selectors.reports.facts import PlayersDay


@dataclass(frozen=True)
class PlayerRow:
    player: int
    name: str
    sums: PlayersDay


def players(*, since: datetime, until: datetime, player: int | None = None) -> list[PlayerRow]:
    """Everybody who played at cash tables in this span, the greatest results first; with `player` them alone."""
    parts = spans.parts(since, until)
    found: dict[int, PlayersDay] = defaultdict(PlayersDay)
    if parts.days:
        rows = DayPlayer.objects.filter(day__range=parts.days).order_by().values_list("player")
        rows = rows.filter(player=player) if player is not None else rows
        for number, *sums in rows.annotate(**{f"sum_{name}": Sum(name) for name in facts.PLAYER_FIELDS}):
            found[number].add(PlayersDay(*map(int, sums)))
    for start, end in parts.rest:
        for number, each in facts.players(start, end).items():
            found[number].add(each)
    wanted = [number for number in found if player is None or number == player]
    names = dict(User.objects.filter(pk__in=wanted, is_bot=False).values_list("pk", "username"))
    rows_ = [PlayerRow(number, names[number], found[number]) for number in wanted if number in names]
    return sorted(rows_, key=lambda row: (-row.sums.result, row.name))
