"""The names on the waiting lists, what became of each, and what was tried at a kiosk."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy

from cardroom.core.database import guards
from cardroom.core.errors import NotFound
from games.tables.models.offers import Offer
from games.tables.models.tables import Hand, Table


@guards.free("where a name stands now; what happened to it is in its moves")
class ListEntry(models.Model):
    """One name on one list. The row stays when the wait is over; its `ListMove` rows tell its history.

    Order on a list: `tier`, then `place`. A player put back from a broken game has tier 0; `place` only grows, so that
    a new name is the last. `version` counts the moves and is the fence of the entry's alarm.
    """

    class Kind(models.TextChoices):
        LIST = "list", gettext_lazy("waiting list")
        INTEREST = "interest", gettext_lazy("interest list")
        SEAT_CHANGE = "seat-change", gettext_lazy("seat change")
        TABLE_CHANGE = "table-change", gettext_lazy("table change")
        MUST_MOVE = "must-move", gettext_lazy("must move")

    class Source(models.TextChoices):
        DESK = "desk", gettext_lazy("at the desk")
        PHONE = "phone", gettext_lazy("by phone")
        KIOSK = "kiosk", gettext_lazy("at the kiosk")
        WEB = "web", gettext_lazy("online")
        TRANSFER = "transfer", gettext_lazy("from another list or table")

    class State(models.TextChoices):
        WAITING = "waiting", gettext_lazy("waiting")
        CALLED = "called", gettext_lazy("called")
        COMING = "coming", gettext_lazy("coming")
        SEATED = "seated", gettext_lazy("seated")
        LEFT = "left", gettext_lazy("off the list")
        EXPIRED = "expired", gettext_lazy("did not come")
        PASSED = "passed", gettext_lazy("taken off by the floor")

    offer = models.ForeignKey(Offer, on_delete=models.PROTECT, related_name="list_entries")
    table = models.ForeignKey(
        Table,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="list_entries",
        help_text="Where the one who wants, or has, to move sits; none on the waiting list.",
    )
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="list_entries")
    kind = models.CharField(max_length=12, choices=Kind.choices, default=Kind.LIST)
    source = models.CharField(max_length=8, choices=Source.choices)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    tier = models.PositiveSmallIntegerField(default=1, help_text="0: put back from a broken game, before the others.")
    place = models.PositiveBigIntegerField(help_text="Grows with every name; who goes to the bottom gets a new one.")
    wishes = models.JSONField(
        default=dict, blank=True, help_text="`seats` (numbers), `tables` (ids), `accessible`, `note`, `phone`."
    )
    misses = models.PositiveSmallIntegerField(default=0, help_text="Calls that were not answered.")
    joined_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    called_to = models.ForeignKey(Table, null=True, blank=True, on_delete=models.PROTECT, related_name="called")
    called_number = models.PositiveSmallIntegerField(default=0)
    called_at = models.DateTimeField(null=True, blank=True)
    call_until = models.DateTimeField(
        null=True, blank=True, help_text="None while the clock stands still: in a hand elsewhere, or moving."
    )
    more_time_at = models.DateTimeField(null=True, blank=True, help_text="When they asked for more time; once a call.")
    in_hand = models.ForeignKey(
        Hand, null=True, blank=True, on_delete=models.PROTECT, related_name="+", help_text="The clock waits for it."
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    version = models.PositiveIntegerField(default=0)

    #: The states in which a name is on its list.
    ACTIVE = ("waiting", "called", "coming")

    class Meta:
        verbose_name_plural = "list entries"
        ordering = ["tier", "place"]
        constraints = [
            models.UniqueConstraint(
                fields=["player", "offer", "kind"],
                condition=Q(state__in=("waiting", "called", "coming"), kind__in=("list", "interest")),
                name="listentry_one_per_list",
            ),
            models.UniqueConstraint(
                fields=["player", "table", "kind"],
                condition=Q(
                    state__in=("waiting", "called", "coming"), kind__in=("seat-change", "table-change", "must-move")
                ),
                name="listentry_one_move_per_seat",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=("list", "interest")) | Q(table__isnull=False), name="listentry_moves_from_a_table"
            ),
            models.CheckConstraint(
                condition=~Q(state__in=("called", "coming")) | Q(called_to__isnull=False, called_number__gte=1),
                name="listentry_called_to_a_seat",
            ),
            models.CheckConstraint(
                condition=Q(state__in=("waiting", "called", "coming"), ended_at__isnull=True)
                | (~Q(state__in=("waiting", "called", "coming")) & Q(ended_at__isnull=False)),
                name="listentry_ends_when_it_is_over",
            ),
        ]
        indexes = [
            models.Index(
                fields=["offer", "tier", "place"],
                condition=Q(state__in=("waiting", "called", "coming")),
                name="listentry_of_a_list",
            ),
            models.Index(
                fields=["called_to"], condition=Q(state__in=("called", "coming")), name="listentry_called_to_a_table"
            ),
            models.Index(F("player"), F("id").desc(), name="listentry_of_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.player} on the {self.get_kind_display()} of {self.offer}"

    @staticmethod
    def not_found() -> NotFound:
        """The refusal where there is no such row."""
        return NotFound("no-such-entry", "There is no such name on a list.")

    @property
    def is_active(self) -> bool:
        return self.state in self.ACTIVE

    @property
    def is_called(self) -> bool:
        return self.state in (self.State.CALLED, self.State.COMING)

    @property
    def is_move(self) -> bool:
        """Whether the player has a seat already and changes it, rather than coming to sit down."""
        return self.kind not in (self.Kind.LIST, self.Kind.INTEREST)

    def wish(self, name: str) -> Any:
        return self.wishes.get(name)


@guards.append_only("what happened on a list stays as it was written down")
class ListMove(models.Model):
    """What happened to a name on a list: by which rule, why, and who did it (None: the system). StoredText for ever."""

    entry = models.ForeignKey(ListEntry, on_delete=models.PROTECT, related_name="moves")

    class Kind(models.TextChoices):
        CALLED = "called", gettext_lazy("called")
        CALLED_OFF = "called-off", gettext_lazy("called off")
        CLOCK = "clock", gettext_lazy("clock")
        COMING = "coming", gettext_lazy("coming")
        EXPIRED = "expired", gettext_lazy("expired")
        HELD_BACK = "held-back", gettext_lazy("held back")
        JOINED = "joined", gettext_lazy("joined")
        LEFT = "left", gettext_lazy("left")
        MORE_TIME = "more-time", gettext_lazy("more time")
        MOVING = "moving", gettext_lazy("moving")
        PASSED_OVER = "passed-over", gettext_lazy("passed over")
        PUT_BACK = "put-back", gettext_lazy("put back")
        REFUSED = "refused", gettext_lazy("refused")
        SEATED = "seated", gettext_lazy("seated")
        STAYED = "stayed", gettext_lazy("stayed")
        TAKEN_OFF = "taken-off", gettext_lazy("taken off")
        TRANSFERRED = "transferred", gettext_lazy("transferred")

    verb = models.CharField(max_length=12, choices=Kind.choices)
    rule = models.CharField(max_length=20, blank=True, help_text="See `games.waitlists.choosing`.")
    why = models.JSONField(help_text="One of `games.waitlists.reasons`, or what the staff wrote.")
    table = models.ForeignKey(Table, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveSmallIntegerField(default=0)
    passed_over = models.JSONField(default=list, blank=True, help_text="Pairs of a name that came before, and why.")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(why=""), name="listmove_says_why")]
        indexes = [models.Index(F("entry"), F("id"), name="listmove_of_an_entry")]

    def __str__(self) -> str:
        return f"{self.verb} {self.entry_id}"


@guards.free("counted for a while")
class KioskTry(models.Model):
    """A try at a kiosk, which is counted there: a wrong card, or a name that made a `guest`."""

    kiosk = models.CharField(max_length=16, help_text="The handle of its session.")
    at = models.DateTimeField()
    guest = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    name = models.CharField(max_length=60, blank=True)
    phone = models.CharField(max_length=30, blank=True)

    class Meta:
        verbose_name_plural = "kiosk tries"
        indexes = [models.Index(fields=["kiosk", "at"], name="kiosktry_of_a_kiosk")]

    def __str__(self) -> str:
        return f"{self.name or 'a card'} at {self.at:%H:%M}"
