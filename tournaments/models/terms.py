"""What an event is to be: said of a template, and of every event made from it."""

from django.db import models
from django.db.models import Q


class Terms(models.Model):
    """`config` is the engine's `EventConfig` and `price` what each kind of payment costs, split into its parts:
    `{"entry": {"pool", "fee", "bounty", "staff"}, "re_entry": ..., "rebuy": ..., "add_on": ...}`.
    """

    class Conduct(models.TextChoices):
        ONLINE = "online", "online"
        ROOM = "room", "in the room"

    class WhenShort(models.TextChoices):
        WAIT = "wait", "wait for more entrants"
        CANCEL = "cancel", "cancel and refund"

    name = models.CharField(max_length=80)
    conduct = models.CharField(max_length=10, choices=Conduct.choices, default=Conduct.ONLINE)
    description = models.TextField(blank=True, help_text="For the public page, in plain words.")
    config = models.JSONField(default=dict)
    price = models.JSONField(default=dict, blank=True)
    options = models.JSONField(
        default=dict, blank=True, help_text="What the engine need not know: looks of the clock, what the floor allows."
    )
    starts_when_full = models.BooleanField(default=False, help_text="A sit-and-go: it starts with its last entrant.")
    when_short = models.CharField(
        max_length=10,
        choices=WhenShort.choices,
        default=WhenShort.WAIT,
        help_text="What happens at the start time while there are too few entrants.",
    )
    entry_code = models.CharField(max_length=40, blank=True, help_text="Asked of whoever registers by themselves.")
    bots = models.PositiveSmallIntegerField(default=0, help_text="House bots that enter when registration opens.")
    recurs_minutes = models.PositiveIntegerField(
        default=0, help_text="From one start to the next; 0: by the clock it does not recur."
    )
    recurs_times = models.PositiveIntegerField(default=0, help_text="Events still to follow this one.")
    recurs_when_full = models.BooleanField(default=False, help_text="A new one is opened when one has filled up.")

    class Meta:
        abstract = True
        constraints = [models.CheckConstraint(condition=~Q(name=""), name="%(class)s_has_a_name")]

    def __str__(self) -> str:
        return self.name
