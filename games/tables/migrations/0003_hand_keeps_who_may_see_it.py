"""A hand keeps whether anybody may see it; those played before have it from their tables."""

from django.db import migrations, models


def take_from_tables(apps, schema_editor):
    hand, table = apps.get_model("tables", "Hand"), apps.get_model("tables", "Table")
    closed = table.objects.filter(has_spectators=False)
    hand.objects.filter(table__in=closed).update(has_spectators=False)


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0002_sealed_starts'),
    ]

    operations = [
        migrations.AddField(
            model_name='hand',
            name='has_spectators',
            field=models.BooleanField(default=True, help_text='Whether anybody may see it; it stays so, whatever its table becomes later.'),
        ),
        migrations.RunPython(take_from_tables, migrations.RunPython.noop, elidable=True),
    ]
