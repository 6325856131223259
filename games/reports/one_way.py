"""Losses between two players at cash tables: what one lost in hands that the other won, and how much came back.

A hand says who lost and who won, not to whom. What a player lost in it is shared among those who won, in proportion;
where bots of the house won or lost as well, their part goes to nobody here. Chips that always go the same way between
two players are how an account hands its chips to another.
"""

from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from cardroom.core.models import User
from games.tables.models.times import HandResult

#: The most pairs of a report.
MOST = 200
_FLOWS = """
    WITH hands AS (
        SELECT hand_id, SUM(CASE WHEN net > 0 THEN net ELSE 0 END) AS won,
               SUM(CASE WHEN net < 0 THEN -net ELSE 0 END) AS lost
        FROM {table} WHERE is_cash AND at >= %s AND at < %s GROUP BY hand_id
    )
    SELECT loser.player_id, winner.player_id,
           SUM(-loser.net * 1.0 * winner.net / CASE WHEN hands.won > hands.lost THEN hands.won ELSE hands.lost END),
           COUNT(*)
    FROM hands
    JOIN {table} AS loser ON loser.hand_id = hands.hand_id AND loser.net < 0
    JOIN {table} AS winner ON winner.hand_id = hands.hand_id AND winner.net > 0
    WHERE hands.won > 0 AND hands.lost > 0
    GROUP BY loser.player_id, winner.player_id
"""


@dataclass(frozen=True)
class Pair:
    """Two players: `lost` went from the loser to the winner in `hands`, `back` came back in `hands_back`."""

    loser_id: int
    winner_id: int
    loser: str
    winner: str
    lost: int
    back: int
    hands: int
    hands_back: int

    @property
    def net(self) -> int:
        return self.lost - self.back

    @property
    def percent(self) -> int:
        """The share of all chips between them that the loser lost: 100 where nothing came back."""
        moved = self.lost + self.back
        return 100 * self.lost // moved if moved else 0


def pairs(*, since: datetime, until: datetime) -> list[Pair]:
    """The pairs of players with the greatest net losses in this span, those first. Two queries."""
    flows = _flows(since, until)
    one_way = {
        (loser, winner): chips
        for (loser, winner), (chips, _) in flows.items()
        if (chips, loser) > (flows.get((winner, loser), (0, 0))[0], winner)
    }
    greatest = sorted(one_way, key=lambda pair: (flows.get(pair[::-1], (0, 0))[0] - one_way[pair], pair))[:MOST]
    people = {player for pair in greatest for player in pair}
    names = dict(User.objects.filter(pk__in=people).values_list("pk", "username"))
    rows = []
    for loser, winner in greatest:
        (lost, hands), (back, hands_back) = flows[loser, winner], flows.get((winner, loser), (0, 0))
        rows.append(Pair(loser, winner, names[loser], names[winner], lost, back, hands, hands_back))
    return rows


def _flows(since: datetime, until: datetime) -> dict[tuple[int, int], tuple[int, int]]:
    """(Chips, hands), by (loser, winner)."""
    span = [connection.ops.adapt_datetimefield_value(at) for at in (since, until)]
    with connection.cursor() as cursor:
        cursor.execute(_FLOWS.format(table=HandResult._meta.db_table), span)
        return {(loser, winner): (round(chips), hands) for loser, winner, chips, hands in cursor.fetchall()}
