"""What is played at a table, and how."""

from django.db import models


class TableTerms(models.Model):
    """The terms of a table. A game on offer says them, and each of its tables has a copy that it plays by."""

    class DealtBy(models.TextChoices):
        AUTOMATIC = "automatic", "the automatic dealer"
        PERSON = "person", "a person"

    class Deck(models.TextChoices):
        SYSTEM = "system", "the system's deck"
        TYPED = "typed", "a physical deck, typed or scanned"

    game = models.CharField(max_length=40, default="seven-card-stud")
    structure = models.CharField(max_length=20, default="fixed-limit")
    rulebook = models.CharField(
        max_length=80, default="roberts-v4", help_text="The next hand's book, as `rulebooks.queries.load` knows it."
    )
    ante = models.PositiveIntegerField()
    bring_in = models.PositiveIntegerField()
    small_bet = models.PositiveIntegerField()
    big_bet = models.PositiveIntegerField()
    smallest_chip = models.PositiveIntegerField(default=0, help_text="In which pots are split; 0: nobody says.")
    seat_count = models.PositiveSmallIntegerField(default=8)
    min_buy_in = models.PositiveIntegerField()
    max_buy_in = models.PositiveIntegerField()
    drop = models.ForeignKey(
        "DropSchedule",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="%(class)ss",
        help_text="What the house takes; none: nothing.",
    )
    dealt_by = models.CharField(max_length=10, choices=DealtBy.choices, default=DealtBy.AUTOMATIC)
    deck = models.CharField(
        max_length=10, choices=Deck.choices, default=Deck.SYSTEM, help_text="Where a person deals: whose cards."
    )
    is_physical = models.BooleanField(
        default=False, help_text="Seats, stacks and times of a table in the room; its hands are not dealt here."
    )
    is_spoken = models.BooleanField(default=False, help_text="Whether browsers say what the dealer announces.")
    has_spectators = models.BooleanField(default=True, help_text="Whether spectators are allowed.")
    act_seconds = models.PositiveSmallIntegerField(default=30, help_text="0 where a person deals: no clock.")
    time_bank_seconds = models.PositiveSmallIntegerField(default=60, help_text="What a player sits down with.")
    bank_refill_seconds = models.PositiveSmallIntegerField(default=1, help_text="Won back with each hand dealt.")
    missed_clocks_allowed = models.PositiveSmallIntegerField(
        default=2, help_text="Clocks missed in a row until a player sits out."
    )
    extra_seconds = models.JSONField(
        default=list,
        blank=True,
        help_text="Online, for the first, second, ... turn of a player who lost the connection; empty: none.",
    )
    extra_cap_seconds = models.PositiveSmallIntegerField(
        default=0, help_text="The most of it that a player gets in a visit to the table, or in the whole event."
    )
    pause_seconds = models.PositiveSmallIntegerField(default=4, help_text="Between a showdown and the next deal.")
    keep_seat_minutes = models.PositiveSmallIntegerField(
        default=30, help_text="How long a player may sit out before their seat is picked up."
    )

    class Meta:
        abstract = True

    @property
    def stakes(self) -> str:
        """The stakes in words: small and big bet."""
        return f"{self.small_bet:,}/{self.big_bet:,}"

    @property
    def has_extra_time(self) -> bool:
        """Whether who loses the connection gets more time."""
        return bool(self.extra_seconds)
