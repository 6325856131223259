"""Reports are managers' and auditors', a cashier's those of their drawers; shifts are the floor's."""

from datetime import datetime
from typing import Any

from cardroom.core.models import User
from tests.web.room_rows import Row, for_roles, rows

ROWS: list[Row] = [
    *rows("""
                anonymous player dealer floor cashier manager auditor
        GET     login     403    403    403   200     200     200      /reports/ /reports/cage/ /reports/cage/csv/
            /api/v1/reports /api/v1/reports/cage
        GET     login     403    403    403   403     200     200      /reports/{name}/ /reports/{name}/{form}/
            /api/v1/reports/wishes /api/v1/reports/{name} /api/v1/reports/{name}/{form}
        GET     login     403    200    200   403     200     200      /shifts/ /api/v1/shifts /api/v1/dealers
            /api/v1/downs
        GET     login     403    403    200   403     200     403      /floor/dealers/
        POST    login     403    403    403   403     302     403      /reports/wishes/
        POST    login     403    403    404   403     404     403      /shifts/{verb}/ /api/v1/shifts/{shift}/close
        POST    login     403    404    404   403     404     403      /dealers/{verb}/ /api/v1/dealers/{dealer}/{verb}
    """),
    for_roles("POST", "/api/v1/reports/wishes", 404, "manager", data={"user": "nobody", "every": "day"}),
    for_roles("POST", "/api/v1/shifts", 400, "floor", "manager", data={"name": ""}),
]
WORDS = {"name": "drop", "form": "pdf", "verb": "weather"}


def room(people: dict[str, User], now: datetime) -> dict[str, Any]:
    return {"dealer": people["dealer"].pk, "shift": 10**9, **WORDS}
