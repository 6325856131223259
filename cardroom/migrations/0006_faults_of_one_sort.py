from django.db import migrations, models
from django.db.models import F


def first_seen_when_last_seen(apps, schema_editor):
    apps.get_model("cardroom", "Fault").objects.update(first_at=F("at"))


class Migration(migrations.Migration):
    dependencies = [
        ("cardroom", "0005_blind_counts"),
    ]

    operations = [
        migrations.AddField("fault", "first_at", models.DateTimeField(null=True)),
        migrations.AddField("fault", "times", models.PositiveIntegerField(default=1)),
        migrations.AddField("fault", "sort", models.CharField(blank=True, db_index=True, default="", max_length=32)),
        migrations.RunPython(first_seen_when_last_seen, migrations.RunPython.noop),
        migrations.AlterField("fault", "first_at", models.DateTimeField()),
        migrations.AlterField("fault", "sort", models.CharField(blank=True, db_index=True, max_length=32)),
    ]
