"""Players who refused to pay the time, and the tables where they may not sit until they pay."""

from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from cardroom.core.errors import Illegal, Verbatim
from cardroom.core.models import User
from cardroom.core.sentences import filled
from games.rake import time_charges, time_clocks
from games.rake.models.times import TimePause
from games.tables.models.tables import Table


def may_return(table: Table, player: User) -> bool:
    """False for a player who refused to pay and has used their courtesy hand."""
    return _unpaid_at(table, player) is None


def check_may_return(table: Table, player: User) -> None:
    """Refuse (`Illegal`) to seat or deal in a player who refused to pay and has used their courtesy hand."""
    _check_paid(_unpaid_at(table, player))


def check_may_move(source: Table, target: Table, player: User) -> None:
    """Refuse (`Illegal`) to move a player who refused to pay to another table of the game: their courtesy hand is at
    this table."""
    if source.offer_id is not None and source.offer_id == target.offer_id and time_clocks.schedule_of(target):
        _check_paid(_refusals(player).filter(table=source).first())


def _check_paid(unpaid: TimePause | None) -> None:
    if unpaid is not None:
        pattern = gettext("{player} has refused the time charge at {table}: they must pay before they are dealt in.")
        sentence = filled(pattern, player=unpaid.player, table=unpaid.table.name)
        raise Illegal("time-unpaid", Verbatim(sentence), rule=time_charges.RULE)


def _unpaid_at(table: Table, player: User) -> TimePause | None:
    """The refusal that keeps a player out: one at this table whose courtesy hand is over, or one at another table
    of the game that they have left."""
    if time_clocks.schedule_of(table) is None:
        return None
    left = Q(table__offer=table.offer_id, table__offer__isnull=False) & ~Q(table__seats__player=player)
    return _refusals(player).filter(Q(table=table, hands_left=0) | left & ~Q(table=table)).first()


def _refusals(player: User) -> QuerySet[TimePause]:
    """Charges they refused to pay and have not paid since, with or without a courtesy hand left."""
    refusals = TimePause.objects.filter(player=player, kind=TimePause.Kind.REFUSAL, until=None, is_due=True)
    return refusals.select_related("table", "player")
