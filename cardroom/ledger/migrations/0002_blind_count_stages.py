"""What came of each count, and which one it was; counts that stand go on as they are."""

from typing import Any

from django.db import migrations, models


def name_open_counts(apps: Any, schema_editor: Any) -> None:
    counts = apps.get_model("ledger", "BlindCount").objects.using(schema_editor.connection.alias)
    standing = counts.filter(settled_at=None)
    standing.filter(reason="").update(stage="first")
    standing.exclude(reason="").update(stage="confirmed")


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_initial")]

    operations = [
        migrations.AddField(
            "blindcount",
            "number",
            models.PositiveIntegerField(default=1, help_text="Which count this is since the last that was taken."),
        ),
        migrations.AddField(
            "blindcount",
            "stage",
            models.CharField(
                blank=True,
                choices=[
                    ("agreed", "as expected"),
                    ("first", "to be counted again"),
                    ("correction", "instead of the first"),
                    ("confirmed", "counted twice"),
                    ("explained", "explained, not posted"),
                    ("barred", "somebody else counts"),
                ],
                default="",
                help_text="Empty: settled before this was kept.",
                max_length=10,
            ),
        ),
        migrations.RunPython(name_open_counts, migrations.RunPython.noop),
    ]
