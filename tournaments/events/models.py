"""Rows of events: terms and templates, series, events, entries and payments, facts, leagues."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy, pgettext_lazy

from cardroom.core.database import guards
from cardroom.core.errors import NotFound
from cardroom.core.sentences import to_text


class EventTerms(models.Model):
    """`config` is the engine's `EventConfig` and `price` what each kind of payment costs, split into its parts:
    `{"entry": {"pool", "fee", "bounty", "staff"}, "re_entry": ..., "rebuy": ..., "add_on": ...}`.
    """

    class Conduct(models.TextChoices):
        ONLINE = "online", gettext_lazy("online")
        ROOM = "room", gettext_lazy("in the room")

    class WhenShort(models.TextChoices):
        WAIT = "wait", gettext_lazy("wait for more entrants")
        CANCEL = "cancel", gettext_lazy("cancel and refund")

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
        default=0, help_text="From one start to the next; 0: it does not recur by the clock."
    )
    recurs_times = models.PositiveIntegerField(default=0, help_text="Events still to follow this one.")
    recurs_when_full = models.BooleanField(default=False, help_text="A new one is opened when one has filled up.")

    class Meta:
        abstract = True
        constraints = [models.CheckConstraint(condition=~Q(name=""), name="%(class)s_has_a_name")]

    def __str__(self) -> str:
        return self.name


# Series, templates, and the event itself


@guards.free("a plan")
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

    @staticmethod
    def not_found() -> NotFound:
        """What is answered where there is no such row."""
        return NotFound("no-such-series", "There is no such series.")


@guards.free("a plan")
class Template(EventTerms):
    """An event to be made again and again."""

    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    is_archived = models.BooleanField(default=False)

    class Meta(EventTerms.Meta):
        constraints = [
            *EventTerms.Meta.constraints,
            models.UniqueConstraint(fields=["name"], condition=Q(is_archived=False), name="template_name_is_unique"),
        ]

    @staticmethod
    def not_found() -> NotFound:
        """What is answered where there is no such row."""
        return NotFound("no-such-template", "There is no such template.")


@guards.free("terms until it opens, then what its facts come to")
class Tournament(EventTerms):
    """One event. Its row is the lock for all that happens in it, and is written by `journal.save` alone once
    it is open; `version` counts those writes, `seq` its facts (0 before registration opens).
    """

    class State(models.TextChoices):
        DRAFT = "draft", gettext_lazy("draft")
        ANNOUNCED = "announced", gettext_lazy("announced")
        OPEN = "open", gettext_lazy("registering")
        RUNNING = "running", gettext_lazy("running")
        PAUSED = "paused", gettext_lazy("paused")
        FINISHED = "finished", gettext_lazy("finished")
        CANCELLED = "cancelled", pgettext_lazy("tournament", "cancelled")

    starts_at = models.DateTimeField(null=True, blank=True, help_text="None: when the director says so, or when full.")
    registration_opens_at = models.DateTimeField(null=True, blank=True, help_text="None: when the director says so.")
    series = models.ForeignKey(Series, null=True, blank=True, on_delete=models.PROTECT, related_name="tournaments")
    template = models.ForeignKey(Template, null=True, blank=True, on_delete=models.SET_NULL, related_name="tournaments")
    parent = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="flights", help_text="A flight's final."
    )
    flight = models.CharField(max_length=10, blank=True, help_text='Which of the flights, such as "1A".')
    satellite_to = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="satellites",
        help_text="The event that it wins entries to.",
    )
    season = models.ForeignKey("Season", null=True, blank=True, on_delete=models.PROTECT, related_name="tournaments")
    previous = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="next", help_text="What it recurs from."
    )
    recurs_from = models.DateTimeField(
        null=True, blank=True, help_text="The start that those of its kind are counted from; None: its own."
    )
    opens_from = models.DateTimeField(
        null=True, blank=True, help_text="When registration for that one opened; None: as for itself."
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField()

    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    seq = models.PositiveIntegerField(default=0)
    version = models.PositiveBigIntegerField(default=0)
    wake_at = models.DateTimeField(null=True, blank=True, help_text="When the event's alarm is due.")
    announced_at = models.DateTimeField(null=True, blank=True)
    opened_at = models.DateTimeField(null=True, blank=True, help_text="When registration opened.")
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True, help_text="Played to its end, or cancelled.")
    end_reason = models.JSONField(default=str, blank=True, help_text="Why it was cancelled.")
    paid_at = models.DateTimeField(null=True, blank=True, help_text="When the last prize was paid.")
    answered = models.JSONField(
        null=True, blank=True, default=dict,
        help_text='How far somebody answers for it: {"price", "guarantee"}. None: from before anybody had to.',
    )  # fmt: skip

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

    class Meta(EventTerms.Meta):
        constraints = [
            *EventTerms.Meta.constraints,
            models.CheckConstraint(
                condition=Q(seq=0) | ~Q(state__in=["draft", "announced"]), name="tournament_facts_begin_when_it_opens"
            ),
            models.CheckConstraint(condition=Q(parent__isnull=True) | ~Q(flight=""), name="tournament_flight_is_named"),
            models.UniqueConstraint(
                fields=["parent", "flight"], condition=Q(parent__isnull=False), name="tournament_flight_is_one"
            ),
        ]
        indexes = [
            models.Index(F("state"), F("starts_at"), name="tournament_schedule"),
            models.Index(F("ended_at").desc(), F("id").desc(), name="tournament_results"),
        ]

    @property
    def title(self) -> str:
        """`Sunday Stud #7`: told apart from others of its name, as the names of its tables are."""
        return f"{self.name} #{self.pk}"

    @property
    def unit(self) -> str:
        """The unit of its chips in the ledger."""
        return f"tournament:{self.pk}"

    @property
    def end_reason_text(self) -> str:
        """Why it was cancelled, in the current language where the house cancelled it."""
        return to_text(self.end_reason)

    @property
    def is_live(self) -> bool:
        """Whether the event is in progress, paused or not."""
        return self.state in (self.State.RUNNING, self.State.PAUSED)

    @property
    def is_over(self) -> bool:
        return self.state in (self.State.FINISHED, self.State.CANCELLED)


# Entries and the payments for them.


@guards.life_cycle(
    "an entry stays on record",
    changes=(
        "player", "name", "state", "table", "seat", "chips", "below", "tied", "place", "prize", "bounty",
        "bounties_won", "rebuys", "add_ons", "out_at", "arrived_at", "pending",
    ),
)  # fmt: skip
class TournamentEntry(models.Model):
    """One entry of one player; a re-entry is another row. `number` is the engine's entrant.

    The columns from `state` to `out_at` are what the facts come to. Places are counted from below while entry is open:
    a place is the entries less `below`, less `tied`, plus 1. `pending`: chips paid for that wait for the end of a hand,
    as `[{"chips": 1000, "payment": id}]`.
    """

    class How(models.TextChoices):
        WEB = "web", gettext_lazy("by the player")
        DESK = "desk", gettext_lazy("at the desk")
        TICKET = "ticket", gettext_lazy("with a ticket")
        FLIGHT = "flight", gettext_lazy("from a flight")
        LATE = "late", gettext_lazy("late")
        API = "api", gettext_lazy("by a program")
        HOUSE = "house", gettext_lazy("sent by the house")

    class State(models.TextChoices):
        ALTERNATE = "alternate", gettext_lazy("waiting for a seat")
        IN = "in", gettext_lazy("in")
        OUT = "out", gettext_lazy("out")
        WITHDRAWN = "withdrawn", gettext_lazy("withdrawn")

    tournament = models.ForeignKey("Tournament", on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveIntegerField()
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="tournament_entries")
    name = models.CharField(max_length=80, help_text="As it is shown on lists and cards.")
    how = models.CharField(max_length=10, choices=How.choices)
    re_entry_of = models.PositiveIntegerField(
        null=True, blank=True, help_text="The number of the entry that was knocked out before it."
    )
    from_entry = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="goes_on_as", help_text="In a flight."
    )
    at = models.DateTimeField()
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    state = models.CharField(max_length=10, choices=State.choices)
    table = models.PositiveIntegerField(null=True, blank=True, help_text="The event's own number of the table.")
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    chips = models.PositiveBigIntegerField(default=0)
    below = models.PositiveIntegerField(null=True, blank=True, help_text="How many entries finished below this one.")
    tied = models.PositiveIntegerField(default=1, help_text="How many share its place, itself included.")
    place = models.PositiveIntegerField(null=True, blank=True, help_text="Its place, once the event is over.")
    prize = models.PositiveBigIntegerField(default=0)
    bounty = models.PositiveBigIntegerField(default=0, help_text="What the player's head is worth.")
    bounties_won = models.PositiveBigIntegerField(default=0, help_text="Money won by knocking out others, in chips.")
    rebuys = models.PositiveSmallIntegerField(default=0)
    add_ons = models.PositiveSmallIntegerField(default=0)
    out_at = models.DateTimeField(null=True, blank=True)

    arrived_at = models.DateTimeField(null=True, blank=True, help_text="When the dealer saw the player in their seat.")
    pending = models.JSONField(default=list, blank=True)

    class Meta:
        verbose_name_plural = "tournament entries"
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="tournamententry_number_is_unique")
        ]
        indexes = [
            models.Index(F("tournament"), F("below").desc(), name="tournamententry_places"),
            models.Index(F("tournament"), F("table"), F("seat"), name="tournamententry_seats"),
            models.Index(F("player"), F("id").desc(), name="tournamententry_of_a_player"),
        ]

    def __str__(self) -> str:
        return f"entry {self.number} of tournament {self.tournament_id}"

    @property
    def is_live(self) -> bool:
        """Whether the player plays, or waits to."""
        return self.state in (self.State.IN, self.State.ALTERNATE)


@guards.life_cycle(
    "a payment stays on record: it can only be refunded",
    changes=("is_refund_due",),
    once=("refund", "refund_seq", "refunded_at", "refunded_by", "refund_reason", "handed_over"),
)
class Payment(models.Model):
    """What was paid for an entry, at the price of that moment, and its receipt: `number` counts within the event.

    `transfer` moved it (none for a payment of nothing); `refund` is the transfer that reversed it. What was paid in
    cash is refunded out of an open drawer, or waits until the player comes for it: then `is_refund_due`, and
    `handed_over` is the transfer by which the desk paid it.
    """

    class Kind(models.TextChoices):
        ENTRY = "entry", gettext_lazy("entry")
        RE_ENTRY = "re_entry", gettext_lazy("re-entry")
        REBUY = "rebuy", gettext_lazy("rebuy")
        ADD_ON = "add_on", gettext_lazy("add-on")

    class Method(models.TextChoices):
        WALLET = "wallet", gettext_lazy("from the wallet")
        DESK = "desk", gettext_lazy("at the desk")
        TICKET = "ticket", gettext_lazy("with a ticket")
        HOUSE = "house", gettext_lazy("by the house")
        FREE = "free", gettext_lazy("free of charge")

    tournament = models.ForeignKey("Tournament", on_delete=models.PROTECT, related_name="payments")
    entry = models.ForeignKey(TournamentEntry, on_delete=models.PROTECT, related_name="payments")
    number = models.PositiveIntegerField()
    what = models.CharField(max_length=10, choices=Kind.choices)
    method = models.CharField(max_length=10, choices=Method.choices)
    pool = models.PositiveBigIntegerField(default=0)
    fee = models.PositiveBigIntegerField(default=0)
    bounty = models.PositiveBigIntegerField(default=0)
    staff = models.PositiveBigIntegerField(default=0)
    chips = models.PositiveBigIntegerField(default=0, help_text="Tournament chips that were given for it.")
    transfer = models.OneToOneField(
        "ledger.Transfer", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    refund = models.OneToOneField("ledger.Transfer", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    refunded_at = models.DateTimeField(null=True, blank=True)
    refunded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    refund_reason = models.JSONField(
        default=str, blank=True, help_text="Typed by a person, or a sentence of the house."
    )
    seq = models.PositiveIntegerField(default=0, help_text="The fact that it was paid with; 0: not known.")
    refund_seq = models.PositiveIntegerField(default=0, help_text="The fact that it was refunded with; 0: none.")
    is_refund_due = models.BooleanField(default=False, help_text="Whether its refund waits in cash at the desk.")
    handed_over = models.OneToOneField(
        "ledger.Transfer", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="payment_receipt_number_is_unique"),
            models.CheckConstraint(
                condition=Q(refunded_at__isnull=False) | Q(refund__isnull=True, refund_reason=""),
                name="payment_refund_has_its_moment",
            ),
            models.CheckConstraint(
                condition=Q(is_refund_due=False) | Q(refunded_at__isnull=False, handed_over=None),
                name="payment_refund_due_is_not_handed_over",
            ),
        ]

    def __str__(self) -> str:
        return f"receipt {self.number} of tournament {self.tournament_id}"

    @property
    def refund_reason_text(self) -> str:
        """Why it was refunded, in the current language where the house gave the reason."""
        return to_text(self.refund_reason)

    @property
    def total(self) -> int:
        return self.pool + self.fee + self.bounty + self.staff


# Facts


@guards.append_only("what happened in a tournament stays as it was written down")
class TournamentFact(models.Model):
    """One fact: read and written through `journal` alone, refused any change by the database itself.

    `data` is JSON as text. The first fact of a command carries what identifies the command: its id, if it was given
    one, the number of its last fact (`upto`), and the person who gave it; in the others these are empty.
    """

    tournament = models.ForeignKey("Tournament", on_delete=models.PROTECT, related_name="+")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=40)
    data = models.TextField()
    at = models.DateTimeField()
    upto = models.PositiveIntegerField(default=0)
    command_id = models.CharField(max_length=80, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    chain = models.BinaryField(max_length=32, null=True, help_text="None: from before there were chains.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "seq"], name="tournamentfact_seq_is_unique_in_its_event"),
            models.UniqueConstraint(
                fields=["tournament", "command_id"], condition=~Q(command_id=""), name="tournamentfact_one_per_command"
            ),
        ]

    def __str__(self) -> str:
        return f"fact {self.seq} of tournament {self.tournament_id}"


# Leagues, their seasons, and the points won in them


@guards.free("a plan")
class League(models.Model):
    """A league: how its events score. `formula` is one of `engine.leagues`, `terms` its numbers."""

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

    @staticmethod
    def not_found() -> NotFound:
        """What is answered where there is no such row."""
        return NotFound("no-such-league", "There is no such league.")


@guards.free("a plan")
class Season(models.Model):
    """A season of a league, with a table of its own."""

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

    @staticmethod
    def not_found() -> NotFound:
        """What is answered where there is no such row."""
        return NotFound("no-such-season", "There is no such season.")
