from django.db import migrations, models

from cardroom import names
from cardroom.models.people import LooksField


def write(apps, schema_editor):
    """Of two whose names were alike before this was asked, the first keeps the look; the other has a number to it that
    no name can have, until it is changed."""
    user = apps.get_model("cardroom", "User")
    taken = set()
    for pk, username in user.objects.order_by("pk").values_list("pk", "username").iterator():
        looks = names.looks(username)
        if looks in taken:
            looks = f"{looks}#{pk}"
        taken.add(looks)
        user.objects.filter(pk=pk).update(looks=looks)


class Migration(migrations.Migration):

    dependencies = [
        ("cardroom", "0007_clockwork"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="looks",
            field=LooksField(max_length=600, null=True, editable=False),
        ),
        migrations.RunPython(write, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="user",
            name="looks",
            field=LooksField(
                editable=False,
                help_text="The screen name without what makes no difference to the eye, see cardroom.names.",
                max_length=600,
                unique=True,
            ),
        ),
    ]
