"""Series, templates, and the event itself."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from tournaments.models.terms import Terms


class Series(models.Model):
    """Events that belong together, such as a festival's."""

    name = models.CharField(max_length=80, unique=True)
    description = models.TextField(blank=True)
    starts_on = models.DateField(null=True, blank=True)
    ends_on = models.DateField(null=True, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    is_archived = models.BooleanField(default=False)

    class Meta:
        verbose_name_plural = "series"
        constraints = [
            models.CheckConstraint(
                condition=Q(starts_on__isnull=True) | Q(ends_on__isnull=True) | Q(ends_on__gte=F("starts_on")),
                name="series_ends_after_it_began",
            )
        ]

    def __str__(self) -> str:
        return self.name


class Template(Terms):
    """An event to be made again and again."""

    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    is_archived = models.BooleanField(default=False)

    class Meta(Terms.Meta):
        constraints = [
            *Terms.Meta.constraints,
            models.UniqueConstraint(fields=["name"], condition=Q(is_archived=False), name="template_name_is_unique"),
        ]


class Tournament(Terms):
    """One event. Its row is the lock for all that happens in it, and is written by `services.locking.store` alone once
    it is open; `version` counts those writes, `seq` its facts (0 before registration opens).
    """

    class State(models.TextChoices):
        DRAFT = "draft", "draft"
        ANNOUNCED = "announced", "announced"
        OPEN = "open", "registering"
        RUNNING = "running", "running"
        PAUSED = "paused", "paused"
        FINISHED = "finished", "finished"
        CANCELLED = "cancelled", "cancelled"

    starts_at = models.DateTimeField(null=True, blank=True, help_text="None: when the director says so, or when full.")
    registration_opens_at = models.DateTimeField(null=True, blank=True, help_text="None: when the director says so.")
    series = models.ForeignKey(Series, null=True, blank=True, on_delete=models.PROTECT, related_name="tournaments")
    template = models.ForeignKey(Template, null=True, blank=True, on_delete=models.SET_NULL, related_name="tournaments")
    parent = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="flights", help_text="A flight's final."
    )
    flight = models.CharField(max_length=10, blank=True, help_text='Which of the flights, such as "1A".')
    satellite_to = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="satellites", help_text="What it wins."
    )
    season = models.ForeignKey("Season", null=True, blank=True, on_delete=models.PROTECT, related_name="tournaments")
    previous = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="next", help_text="What it recurs from."
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField()
    key = models.CharField(max_length=80, blank=True, help_text="The caller's own, for a repeat.")

    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    seq = models.PositiveIntegerField(default=0)
    version = models.PositiveBigIntegerField(default=0)
    wake_at = models.DateTimeField(null=True, blank=True, help_text="When the event's alarm is due.")
    announced_at = models.DateTimeField(null=True, blank=True)
    opened_at = models.DateTimeField(null=True, blank=True, help_text="When registration opened.")
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True, help_text="Played to its end, or cancelled.")
    end_reason = models.CharField(max_length=200, blank=True, help_text="Why it was cancelled.")
    paid_at = models.DateTimeField(null=True, blank=True, help_text="When the last prize was paid.")

    # What the facts come to.
    entries_count = models.PositiveIntegerField(default=0, help_text="Entries that stand, re-entries among them.")
    alternates_count = models.PositiveIntegerField(default=0)
    players_left = models.PositiveIntegerField(default=0)
    tables_count = models.PositiveIntegerField(default=0)
    pool = models.PositiveBigIntegerField(default=0, help_text="What was paid for prizes; no guarantee in it.")
    places_paid = models.PositiveIntegerField(default=0)
    level = models.PositiveSmallIntegerField(default=0, help_text="The entry of the structure last noted, from 0.")
    clock = models.JSONField(default=dict, blank=True)
    is_entry_open = models.BooleanField(default=False)
    is_hand_for_hand = models.BooleanField(default=False)

    class Meta(Terms.Meta):
        constraints = [
            *Terms.Meta.constraints,
            models.CheckConstraint(
                condition=Q(seq=0) | ~Q(state__in=["draft", "announced"]), name="tournament_facts_begin_when_it_opens"
            ),
            models.CheckConstraint(condition=Q(parent__isnull=True) | ~Q(flight=""), name="tournament_flight_is_named"),
            models.UniqueConstraint(
                fields=["created_by", "key"], condition=~Q(key=""), name="tournament_one_per_creators_key"
            ),
            models.UniqueConstraint(
                fields=["parent", "flight"], condition=Q(parent__isnull=False), name="tournament_flight_is_one"
            ),
        ]
        indexes = [
            models.Index(F("state"), F("starts_at"), name="tournament_schedule"),
            models.Index(F("ended_at").desc(), F("id").desc(), name="tournament_results"),
        ]

    @property
    def unit(self) -> str:
        """The unit of its chips in the ledger."""
        return f"tournament:{self.pk}"

    @property
    def is_live(self) -> bool:
        """Whether it is being played, be it paused."""
        return self.state in (self.State.RUNNING, self.State.PAUSED)

    @property
    def is_over(self) -> bool:
        return self.state in (self.State.FINISHED, self.State.CANCELLED)
