"""Statements, histories, comps and time."""

from datetime import datetime
from typing import Any

from tests.support.models import TimeCharge, User
from tests.support.timing import TimedTable
from tests.web.room_rows import rows

ROWS = [
    *rows("""
                anonymous player dealer floor cashier manager auditor
        GET     login     200    200    200   200     200     200      /me/statement/
            /me/statement/?since=2030-01-01&until=2030-01-09&hands=on /me/statement/csv/ /me/statement/pdf/
            /me/history/csv/ /me/history/pdf/?span=all /me/statement/stays/{stay}/ /me/history/ /me/history/?span=all
            /tables/{table}/time/ /api/v1/me/statement /api/v1/me/statement/csv /api/v1/me/history/pdf
            /api/v1/me/history /api/v1/me/comps /api/v1/tables/{table}/time
        GET     login     400    400    400   400     400     400      /me/statement/?since=never
            /me/statement/?cursor=made-up /api/v1/me/statement?limit=0 /api/v1/players/{player}/statement/pdf
            /api/v1/players/{player}/statement
        GET     login     404    404    404   404     404     404      /me/statement/doc/ /me/history/doc/
            /tables/999/time/ /api/v1/me/statement/doc /api/v1/me/history/doc /api/v1/tables/999/time
        GET     login     403    403    200   200     200     200      /players/{player}/statement/
            /players/{player}/statement/?reason=asked+at+the+desk
            /players/{player}/statement/csv/?reason=asked+at+the+desk
            /api/v1/players/{player}/statement/pdf?reason=asked+at+the+desk
            /api/v1/players/{player}/statement?reason=asked+at+the+desk
        GET     login     403    403    404   404     404     404      /players/999/statement/?reason=asked+at+the+desk
        GET     login     403    403    400   400     400     400      /players/{player}/statement/csv/
        GET     login     403    200    200   200     200     200      /api/v1/tables/{empty}/time
        POST    login     404    404    404   404     404     404      /tables/{table}/time/stop/ /time/{charge}/burn/
            /tables/{table}/time/pause/?player=999999
        POST    login     302    404    404   404     404     404      /tables/{table}/time/refuse/
        POST    login     409    404    404   404     404     404      /tables/{table}/time/pay/
            /api/v1/tables/{table}/time/pay
        POST    login     403    403    400   403     400     403      /time/{charge}/waive/
        POST    login     403    403    409   403     409     403      /time/{charge}/collect/
            /api/v1/time-charges/{charge}/collect /api/v1/tables/{table}/time/resume?player={player}
        POST    login     200    404    404   404     404     404      /api/v1/tables/{table}/time/refuse
        POST    login     403    403    302   403     302     403      /tables/{table}/time/pause/?player={player}
            /time/{charge}/waive/?reason=long+misdeal
        POST    login     403    422    422   403     422     403
            /tables/{table}/time/end-courtesy/?player={player} /api/v1/tables/{table}/time/end-courtesy?player={player}
        POST    login     403    403    200   403     200     403      /api/v1/tables/{table}/time/pause?player={player}
            /api/v1/time-charges/{charge}/waive?reason=long+misdeal
    """)
]
WORDS = {"verb": "pause", "form": "csv"}


def room(people: dict[str, User], now: datetime) -> dict[str, Any]:
    table = TimedTable()
    player = table.sit(people["player"])
    table.sit("timo")
    table.ring()
    stay = player.stays.get()
    charge = TimeCharge.objects.get(player=player)
    return {"table": table.pk, "empty": TimedTable().pk, "player": player.pk, "stay": stay.pk, "charge": charge.pk}
