"""Hands and their facts."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.models.tables import Table


class Hand(models.Model):
    """One hand: who was in it, and how it ended. What happened in it are its facts.

    `seats`, by seat number: `{"player": id, "name": screen name, "is_bot": bool, "account": id}`, as the hand found
    them. `seq`, `pot` and `stacks` are filled in when it ends.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="hands")
    number = models.PositiveIntegerField(help_text="Counts from 1 at each table.")
    seats = models.JSONField()
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    start_key = models.CharField(max_length=80, blank=True, help_text="The dealer's own word for starting it.")
    rulebook = models.CharField(max_length=80, blank=True, help_text="The book it is played by to its end.")
    funds = models.JSONField(
        default=dict, blank=True, help_text="Where what is taken of it goes, see `services.drops`; empty: nothing is."
    )
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    seq = models.PositiveIntegerField(default=0)
    pot = models.PositiveBigIntegerField(default=0, help_text="All that was bet and called, ante included.")
    stacks = models.JSONField(default=dict, blank=True, help_text="Chips by seat number after the hand.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="hand_number_is_unique_at_its_table"),
            models.UniqueConstraint(
                fields=["table", "start_key"], condition=~Q(start_key=""), name="hand_one_per_start_key"
            ),
        ]
        indexes = [
            models.Index(F("table"), F("id").desc(), name="hand_newest_of_a_table"),
            models.Index(fields=["ended_at"], name="hand_by_its_end"),
        ]

    def __str__(self) -> str:
        return f"hand {self.number} at table {self.table_id}"


class HandFact(models.Model):
    """One fact, unredacted: read and written by `journal` alone, refused any change by the database itself.

    `data` is JSON as text. `command_id` names the seat and the command whose outcome the fact belongs to. `point` is
    the rulebook point that a ruling is on, and empty for every other fact.
    """

    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="+")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=40)
    point = models.CharField(max_length=40, blank=True, default="")
    data = models.TextField()
    at = models.DateTimeField()
    command_id = models.CharField(max_length=80, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["hand", "seq"], name="handfact_seq_is_unique_in_its_hand")]
        indexes = [
            models.Index(F("point"), F("id").desc(), condition=~Q(point=""), name="handfact_newest_rulings"),
            models.Index(F("id").desc(), condition=~Q(point=""), name="handfact_all_rulings"),
        ]

    def __str__(self) -> str:
        return f"fact {self.seq} of hand {self.hand_id}"
