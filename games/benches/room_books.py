"""The statement of the player with the longest one, and reports of a day, among years of entries. ``python -m`` this,
on an empty database, with how many entries; it prints what the pages cost, and with "plan" how the database finds what
they show.
"""

from __future__ import annotations

import json
import os
import sys
from datetime import timedelta
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardroom.settings")

#: Days before today that are kept added up, as each night does it; older ones are read as they happened.
_ADDED_UP = 3


def measure(*, is_with_plans: bool) -> dict[str, Any]:
    from django.db.models import Count
    from django.utils import timezone

    from cardroom.core.models import User
    from games.benches.asking import Asking
    from games.tables.models.times import Stay

    often = Stay.objects.values_list("player").annotate(many=Count("pk")).order_by("-many")[0][0]
    first = timezone.localdate(Stay.objects.earliest("pk").sat_at)
    yesterday = timezone.localdate() - timedelta(days=1)
    middle = first + (yesterday - first) / 2
    day = f"since={middle}&until={middle}"
    player = ("/me/statement/", f"/me/statement/?since={middle - timedelta(days=30)}&until={middle}", "/me/history/")
    staff = (
        *(f"/reports/drop/?{day}", f"/reports/drop/?{day}&by=dealer", f"/reports/drop/?{day}&by=table"),
        *(f"/reports/players/?{day}", f"/reports/cage/?{day}"),
        f"/reports/drop/?since={yesterday}&until={yesterday}",
    )
    manager = User.objects.get(username="staff01")
    asked = [(User.objects.get(pk=often), each) for each in player] + [(manager, each) for each in staff]
    told: dict[str, Any] = {"pages": {address: Asking(user).costs(address) for user, address in asked}}
    if is_with_plans:
        told["plans"] = {
            address: _plans(Asking(user).statements(address)) for user, address in (asked[0], asked[len(player)])
        }
    return told


def _plans(statements: list[tuple[str, Any]]) -> dict[str, str]:
    """How the database carried out each statement, and in what time."""
    from django.db import connection

    plans = {}
    with connection.cursor() as cursor:
        for number, (sql, params) in enumerate(statements, 1):
            if sql.startswith("SELECT"):
                cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS) {sql}", params)
                plan = "\n".join(row[0] for row in cursor.fetchall())
                plans[f"{number}. {sql}"] = f"\n{plan}"
    return plans


def main(entries: str, plan: str = "") -> None:
    django.setup()
    from django.core.management import call_command
    from django.utils import timezone

    from games.benches import years
    from games.reports import days

    call_command("migrate", verbosity=0, interactive=False)
    rows = years.write(entries=int(entries))
    for each in range(1, _ADDED_UP + 1):
        days.add_up(day=timezone.localdate() - timedelta(days=each), now=timezone.now())
    print(json.dumps({"rows": rows, **measure(is_with_plans=bool(plan))}))  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
