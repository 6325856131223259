from django.db import migrations, models


def drafts_are_not_answered_for(apps, schema_editor):
    """Events that were announced or opened before stay as they are (None); whoever opens a draft answers for it."""
    apps.get_model("events", "Tournament").objects.filter(state="draft").update(answered={})


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0004_cash_in_drawers'),
    ]

    operations = [
        migrations.AddField(
            model_name='tournament',
            name='answered',
            field=models.JSONField(blank=True, help_text='How far somebody answers for it: {"price", "guarantee"}. None: from before anybody had to.', null=True),
        ),
        migrations.RunPython(drafts_are_not_answered_for, migrations.RunPython.noop, elidable=True),
        migrations.AlterField(
            model_name='tournament',
            name='answered',
            field=models.JSONField(blank=True, default=dict, help_text='How far somebody answers for it: {"price", "guarantee"}. None: from before anybody had to.', null=True),
        ),
    ]
