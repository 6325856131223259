"""Games on offer, drop schedules, sections, and what is done with a table as a whole."""

from datetime import datetime
from typing import Any

from cardroom.core.models import User
from tests.support.offers import TERMS
from tests.support.parts.games import drop_schedules, offers, opening, private, sections
from tests.web.room_rows import rows


def room(people: dict[str, User], now: datetime) -> dict[str, Any]:
    manager = people["manager"]
    drop = drop_schedules.save(name="Five of a hundred", by=manager, now=now)
    offer = offers.create(**{**TERMS, "name": "Stud 15/30"}, by=manager, now=now)
    hall = offers.create(**{**TERMS, "name": "Hall", "is_physical": True}, by=manager, now=now)
    made = {
        "drop": drop, "offer": offer, "section": sections.create(name="Bar", by=manager, now=now),
        "table": opening.open_for(offer_id=offer.pk, by=manager, now=now),
        "private": opening.open_for(offer_id=offer.pk, by=manager, password="acorn", now=now),
        "hall": opening.open_for(offer_id=hall.pk, by=manager, now=now, name="Table 1"), "player": people["player"],
    }  # fmt: skip
    private.invite(table_id=made["private"].pk, player=people["player"], by=manager, now=now)
    return {name: row.pk for name, row in made.items()}


ROWS = [
    *rows("""
                anonymous player dealer floor cashier manager auditor
        GET     login     403    403    200   403     200     200      /floor/offers/ /floor/schedules/ /floor/sections/
        GET     login     403    403    403   403     200     403      /floor/offers/new/ /floor/offers/{offer}/
            /floor/schedules/new/ /floor/schedules/{drop}/
        GET     login     403    403    200   403     200     403      /floor/offers/{offer}/open/
            /api/v1/tables/{private}/invitations
        GET     login     403    200    200   200     200     200      /floor/tables/{table}/actions/
            /api/v1/offers/{offer}/tables /api/v1/floor/tables /api/v1/floor/tables/{table} /api/v1/tables/{hall}/counts
        GET     login     200    200    200   200     200     200      /tables/{private}/unlock/
        GET     200       200    200    200   200     200     200      /api/v1/offers /api/v1/offers/{offer}
            /api/v1/drop-schedules /api/v1/drop-schedules/{drop} /api/v1/sections
        POST    login     403    403    403   403     302     403      /floor/offers/{offer}/withdraw/
            /floor/offers/{offer}/relist/ /floor/offers/{offer}/up/ /floor/schedules/{drop}/retire/
            /floor/sections/{section}/remove/ /floor/sections/add/?name=Hall
            /floor/sections/{section}/rename/?name=Long+bar
        POST    login     403    403    403   403     404     403      /floor/offers/{offer}/sideways/
        POST    login     403    403    302   403     302     403      /floor/tables/{table}/actions/resume/
            /floor/tables/{table}/actions/take-up/ /floor/tables/{table}/actions/break-up/
            /floor/tables/{table}/actions/close/ /floor/tables/{table}/actions/reopen/
            /floor/offers/{offer}/open/?seat_count=8&bots=0 /floor/tables/add/?name=Table+12
            /floor/tables/{table}/actions/pause/?reason=Fire+drill
            /floor/tables/{table}/actions/message/?text=Food+at+ten
            /floor/tables/{table}/actions/edit/?name=Oak&has_spectators=on
            /floor/tables/{table}/actions/privacy/?is_private=on /floor/tables/{private}/actions/invite/?player=pia
            /floor/tables/{private}/actions/uninvite/?player_id=1 /floor/tables/{hall}/actions/count/?counted=0
        POST    login     403    403    403   403     200     403      /api/v1/offers/{offer}/withdraw
            /api/v1/offers/{offer}/relist /api/v1/drop-schedules/{drop}/retire
        POST    login     403    403    201   403     201     403      /api/v1/offers/{offer}/tables
            /api/v1/floor/tables?name=Table+12 /api/v1/tables/{private}/invitations?player=pia
            /api/v1/tables/{hall}/counts?counted=0
        POST    login     200    200    200   200     200     200      /api/v1/drop-schedules/preview
            /api/v1/tables/{private}/unlock?password=acorn
        DELETE  login     403    403    403   403     204     403      /api/v1/sections/{section}
        DELETE  login     403    403    204   403     204     403      /api/v1/tables/{private}/invitations/{player}
        POST    login     403    403    403   403     400     403      /floor/offers/new/?do=save
        POST    login     403    403    403   403     201     403      /api/v1/offers?name=Razz+5/10&game=razz
            /api/v1/drop-schedules?name=Three /api/v1/sections?name=Hall
        PATCH   login     403    403    403   403     200     403      /api/v1/offers/{offer}?ante=2
            /api/v1/sections/{section}?name=Long+bar
        PUT     login     403    403    403   403     200     403      /api/v1/offers/order?ids=[]
        PUT     login     403    403    403   403     400     403      /api/v1/sections?ids=[]
        PATCH   login     403    403    200   403     200     403      /api/v1/floor/tables/{table}?name=Oak
        POST    login     403    403    200   403     200     403      /api/v1/tables/{table}/pause?reason=Late
            /api/v1/tables/{table}/resume?reason=Late /api/v1/tables/{table}/take-up?reason=Late
            /api/v1/tables/{table}/break-up?reason=Late /api/v1/tables/{table}/close?reason=Late
            /api/v1/tables/{table}/reopen?reason=Late /api/v1/tables/{table}/message?text=Food+at+ten
        PUT     login     403    403    200   403     200     403      /api/v1/tables/{table}/section?section=null
            /api/v1/tables/{table}/privacy?is_private=true
    """)
]
