from django.db import migrations
from django.utils import timezone


def see_to_days(apps, schema_editor):
    """A room that has tables has its days added up from now on, as one does that opens its first table."""
    if apps.get_model('games', 'Table').objects.exists():
        due = {'due_at': timezone.now(), 'fence': 0}
        apps.get_model('cardroom', 'Alarm').objects.get_or_create(kind='day-sums', key='days', defaults=due)


class Migration(migrations.Migration):

    dependencies = [
        ('cardroom', '0001_house'),
        ('games', '0021_rates_of_those_who_sit'),
    ]

    operations = [
        migrations.RunPython(see_to_days, migrations.RunPython.noop, elidable=True),
    ]
