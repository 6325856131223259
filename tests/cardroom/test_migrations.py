"""A database of the first state that is kept is brought up to date with its rows in it."""

import json
import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[2]

#: Makes a database as the first migrations of all apps leave it, with a table in play, and brings it up to date.
_BRING_UP_TO_DATE = """
import json
import django
django.setup()
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

executor = MigrationExecutor(connection)
ours = ("cardroom.", "games.", "tournaments.")
nodes = executor.loader.graph.nodes
first = [key for key, node in nodes.items() if key[1] == "0001_initial" and node.__module__.startswith(ours)]
executor.migrate(first)
old = executor.loader.project_state(first).apps
terms = {"ante": 1, "bring_in": 5, "small_bet": 15, "big_bet": 30, "min_buy_in": 300, "max_buy_in": 1500}
table = old.get_model("tables", "Table").objects.create(name="Oak", opened_at=timezone.now(), **terms)
old.get_model("tables", "TablePlay").objects.create(table=table, version=7, clocks={"1": [60000, 0]})

call_command("migrate", verbosity=0)
from games.tables.models.tables import Table
row = Table.objects.get()
is_up_to_date = not MigrationExecutor(connection).migration_plan(executor.loader.graph.leaf_nodes())
print(json.dumps([row.name, row.version, row.clocks, is_up_to_date]))
"""


def test_a_database_of_the_first_state_is_migrated_with_its_rows(tmp_path: Path) -> None:
    environment = os.environ | {
        "DATABASE_URL": f"sqlite:///{tmp_path}/room.sqlite3",
        "DJANGO_SETTINGS_MODULE": "cardroom.settings",
    }
    printed = subprocess.run(
        [sys.executable, "-c", _BRING_UP_TO_DATE],
        cwd=PROJECT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert printed.returncode == 0, printed.stderr
    assert json.loads(printed.stdout.splitlines()[-1]) == ["Oak", 7, {"1": [60000, 0]}, True]
