"""Coming back to a game that one left a while ago: nobody takes winnings off the table by leaving for a moment."""

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from cardroom.models import User
from games.models import SeatMove, Table, TableUse

#: Where a table is of no game on offer.
_USUAL_MINUTES = 60
_GONE = (SeatMove.Kind.LEFT, SeatMove.Kind.PICKED_UP)


def least_buy_in(table: Table, player: User, now: datetime) -> tuple[int, str]:
    """What `player` has to buy in with here at least, and by which rule: "" where it is but the table's own least.

    Who left the same game within the offer's `rathole_minutes` comes back with at least what they left with, even above
    the table's most. The same game is the same offer, as the table was of when they left it; where a table has none,
    the same game at the same stakes. Who was moved never left.
    """
    minutes = table.offer.rathole_minutes if table.offer is not None else _USUAL_MINUTES
    if not minutes or player.is_bot or table.event:
        return table.min_buy_in, ""
    moves = _in_the_same_game(table).filter(player=player, at__gt=now - timedelta(minutes=minutes))
    left = 0
    for kind, amount in moves.filter(kind__in=[SeatMove.Kind.SAT, *_GONE]).order_by("pk").values_list("kind", "amount"):
        # Sitting down again has made good for what they left with before.
        left = 0 if kind == SeatMove.Kind.SAT else max(left, amount)
    if left <= table.min_buy_in:
        return table.min_buy_in, ""
    return left, f"Robert's Rules of Poker v11, 2 House Policies, Procedures 7; here within {minutes} minutes"


def _in_the_same_game(table: Table) -> QuerySet[SeatMove]:
    """The moves at tables that were of this game then: a table of the room has another one every evening."""
    uses = TableUse.objects.filter(table=OuterRef("table"), since__lte=OuterRef("at")).order_by("-since", "-pk")
    moves = SeatMove.objects.annotate(is_noted=Exists(uses), offer_then=Subquery(uses.values("offer")[:1]))
    of_offer = Q(is_noted=True, offer_then=table.offer_id) | Q(is_noted=False, table__offer=table.offer_id)
    if table.offer_id is not None:
        return moves.filter(of_offer)
    same = {name: getattr(table, name) for name in ("game", "structure", "ante", "bring_in", "small_bet", "big_bet")}
    return moves.filter(of_offer, table__event="", **{f"table__{name}": value for name, value in same.items()})
