from datetime import timedelta

from django.db import migrations
from django.db.models import OuterRef, Q, Subquery
from django.utils import timezone


def keep_rates(apps, schema_editor):
    """Who sits now, or left a moment ago, earns what his game gives; what was not credited before stays so."""
    stay, table = apps.get_model('games', 'Stay'), apps.get_model('games', 'Table')
    given = table.objects.filter(pk=OuterRef('table'), offer__isnull=False).values('offer__comp_per_hour')[:1]
    lately = Q(left_at=None) | Q(left_at__gt=timezone.now() - timedelta(days=1))
    of_a_game = stay.objects.filter(lately, table__offer__isnull=False)
    stay.objects.filter(pk__in=of_a_game.values('pk')).update(per_hour=Subquery(given))


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0020_rates_of_stays'),
    ]

    operations = [
        migrations.RunPython(keep_rates, migrations.RunPython.noop, elidable=True),
    ]
