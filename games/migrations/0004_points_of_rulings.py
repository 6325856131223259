"""Rulings written down before there was a column for their point get it now."""

import json

from django.db import migrations

from cardroom.models import guards

CHUNK = 500


def fill_in(apps, schema_editor):
    connection = schema_editor.connection
    facts = apps.get_model("games", "HandFact").objects.using(connection.alias)
    rulings = facts.filter(kind="ruled", point="")
    if not rulings.exists():
        return
    # What is written stays: the guards are away for this one addition, and put back when `migrate` is done.
    guards.lift(connection)
    pending = []
    for ruling in rulings.order_by("pk").iterator(CHUNK):
        ruling.point = json.loads(ruling.data)["key"]
        pending.append(ruling)
        if len(pending) == CHUNK:
            facts.bulk_update(pending, ["point"])
            pending = []
    facts.bulk_update(pending, ["point"])


class Migration(migrations.Migration):
    dependencies = [("games", "0003_house_rulebooks")]

    operations = [migrations.RunPython(fill_in, migrations.RunPython.noop)]
