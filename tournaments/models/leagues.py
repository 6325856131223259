"""Leagues, their seasons, and the points won in them."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class League(models.Model):
    """How events count. `formula` is one of `engine.leagues`, `terms` its numbers."""

    name = models.CharField(max_length=80, unique=True)
    description = models.TextField(blank=True)
    formula = models.CharField(max_length=40)
    terms = models.JSONField(default=dict, blank=True)
    best_of = models.PositiveSmallIntegerField(default=0, help_text="Only so many best results count; 0: all.")
    min_entrants = models.PositiveSmallIntegerField(default=4, help_text="Smaller events do not count.")
    first_entry_only = models.BooleanField(default=True, help_text="Whether re-entries score nothing.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    is_archived = models.BooleanField(default=False)

    def __str__(self) -> str:
        return self.name


class Season(models.Model):
    """A stretch of a league that has a table of its own."""

    league = models.ForeignKey(League, on_delete=models.PROTECT, related_name="seasons")
    name = models.CharField(max_length=80)
    starts_on = models.DateField()
    ends_on = models.DateField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["league", "name"], name="season_name_is_unique_in_its_league"),
            models.CheckConstraint(
                condition=Q(ends_on__isnull=True) | Q(ends_on__gte=F("starts_on")), name="season_ends_after_it_began"
            ),
        ]

    def __str__(self) -> str:
        return self.name
