"""The pages of tables, hands and rulebooks, and their resources."""

from cardroom.web.api import routes  # noqa: F401  knows what an <id:> is
from games.web import (
    floor,
    hands,
    jackpots,
    lists,
    lists_kiosk,
    lobby,
    offers,
    reports,
    rulebooks,
    rulings,
    seating,
    shifts,
    statement,
    table_actions,
    tables,
    tablet,
    times,
    window,
)

_BOTH = (
    *(tables, hands, seating, times, floor, rulings, lists, jackpots, shifts, statement, offers, table_actions),
    *(reports, rulebooks, lobby, window),
)

urlpatterns = [address for room in (*_BOTH, lists_kiosk, tablet) for address in room.urlpatterns]
api = [address for room in _BOTH for address in room.api]
