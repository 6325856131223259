"""Who would not pay the time, and where that keeps them out until they pay."""

from django.db.models import Q, QuerySet

from cardroom.models import User
from cardroom.services.errors import Illegal
from games.models import Table, TimePause
from games.services import periods, time_clock


def may_return(table: Table, player: User) -> bool:
    """False for who would not pay and has had their courtesy hand."""
    return _unpaid_at(table, player) is None


def check_may_return(table: Table, player: User) -> None:
    """Refuse (`Illegal`) to seat or deal somebody in who would not pay and has had their courtesy hand."""
    _check_paid(_unpaid_at(table, player))


def check_may_move(source: Table, target: Table, player: User) -> None:
    """Refuse (`Illegal`) to move somebody on to another table of the game who would not pay at this one. Their courtesy
    hand is of this table."""
    if source.offer_id is not None and source.offer_id == target.offer_id and time_clock.schedule_of(target):
        _check_paid(_refusals(player).filter(table=source).first())


def _check_paid(unpaid: TimePause | None) -> None:
    if unpaid is not None:
        said = f"{unpaid.player} would not pay the time at {unpaid.table.name}: it is paid before they are dealt in."
        raise Illegal(said, "time-unpaid", periods.RULE)


def _unpaid_at(table: Table, player: User) -> TimePause | None:
    """The refusal that keeps them out: one at this table whose courtesy hand is over, or any that they left behind
    at another table of the game."""
    if time_clock.schedule_of(table) is None:
        return None
    left = Q(table__offer=table.offer_id, table__offer__isnull=False) & ~Q(table__seats__player=player)
    return _refusals(player).filter(Q(table=table, hands_left=0) | left & ~Q(table=table)).first()


def _refusals(player: User) -> QuerySet[TimePause]:
    """What they would not pay and have not paid since, whether they have a courtesy hand left or not."""
    refusals = TimePause.objects.filter(player=player, kind=TimePause.Kind.REFUSAL, until=None, is_due=True)
    return refusals.select_related("table", "player")
