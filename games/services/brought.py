"""What a player has at tables in the room, and had brought there before a moment.

There a player's chips lie in the pool of the table. For the limit on losses that players set themselves: when they are
cashed out on the day after, what they had brought is no win of that day, and as long as they sit they may still lose
it. Online a stack is the player's own account, and says it itself.
"""

from datetime import datetime

from django.db.models import Sum

from cardroom.models import User
from games.models import Seat, SeatMove

_Kind = SeatMove.Kind
_IN = (_Kind.SAT, _Kind.TOPPED_UP)
_OUT = (_Kind.LEFT, _Kind.PICKED_UP)


def before(player: User, since: datetime) -> int:
    """Chips they brought in the stay that went on at `since`, whatever seats they had in it. One query."""
    moves = SeatMove.objects.filter(player=player, table__is_physical=True, table__event="", at__lt=since)
    chips = 0
    for kind, amount in moves.filter(kind__in=(*_IN, *_OUT)).order_by("-pk").values_list("kind", "amount").iterator(50):
        if kind in _OUT:
            break
        chips += amount
        if kind == _Kind.SAT:
            return chips
    return 0


def lying(player_id: int) -> int:
    """What they have on tables in the room, as last counted. One query."""
    seats = Seat.objects.filter(player=player_id, table__is_physical=True, table__event="")
    return int(seats.aggregate(sum=Sum("counted"))["sum"] or 0)
