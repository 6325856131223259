"""The cage: drawers and who is at them, slips, what a cashier may do alone, credit lines, requests of players.

What lies in a drawer, and what a player has or owes, is in the ledger and nowhere here: a slip says which transfer it
is of, a session what was counted when.
"""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.timezone import get_default_timezone, localtime
from django.utils.translation import gettext_lazy

from cardroom.core import step_up
from cardroom.core.database import guards
from cardroom.core.errors import NotFound
from cardroom.core.sentences import to_text

_USER = settings.AUTH_USER_MODEL


@guards.life_cycle("a drawer stays on record: take it out of use", changes=("name", "is_in_use"))
class Drawer(models.Model):
    """A drawer for money. Its account is `drawer:<id>`, unit "money"."""

    name = models.CharField(max_length=40, unique=True)
    is_in_use = models.BooleanField(default=True, help_text="Whether it may be opened.")
    is_for_events = models.BooleanField(
        default=False, help_text="Of the tournament desk: only money of events, and several people work on it."
    )
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["name"]
        constraints = [models.CheckConstraint(condition=~Q(name=""), name="drawer_has_a_name")]

    def __str__(self) -> str:
        return self.name

    @staticmethod
    def not_found() -> NotFound:
        """What is answered where there is no such row."""
        return NotFound("no-such-drawer", "There is no such drawer.")


@guards.life_cycle(
    "a drawer session stays as it was closed",
    changes=("state", "closed_at", "closed_by", "expected", "counted", "left_in"),
    ends="closed_at",
)
class DrawerSession(models.Model):
    """A cashier at a drawer, from the count that opens it to the count that closes it. A drawer of the tournament desk
    is opened by one person, and others join them (`SessionMember`).

    `expected` and `counted` are those of the closing count; how each count came out is in its `DrawerCount`.
    """

    class State(models.TextChoices):
        OPEN = "open", gettext_lazy("open")
        CLOSING = "closing", gettext_lazy("counted, waits for approval")
        CLOSED = "closed", gettext_lazy("closed")

    drawer = models.ForeignKey(Drawer, on_delete=models.PROTECT, related_name="sessions")
    cashier = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="drawer_sessions")
    state = models.CharField(max_length=7, choices=State.choices, default=State.OPEN)
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(_USER, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    expected = models.BigIntegerField(null=True, blank=True)
    counted = models.BigIntegerField(null=True, blank=True)
    left_in = models.BigIntegerField(null=True, blank=True, help_text="What stayed in the drawer; the rest: vault.")

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["drawer"], condition=~Q(state="closed"), name="drawersession_one_at_a_time"
            ),
            models.UniqueConstraint(
                fields=["cashier"], condition=~Q(state="closed"), name="drawersession_one_per_cashier"
            ),
            models.CheckConstraint(
                condition=~Q(state="closed")
                | Q(closed_at__isnull=False, counted__isnull=False, expected__isnull=False, left_in__isnull=False),
                name="drawersession_is_counted_when_closed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.drawer} since {localtime(self.opened_at, get_default_timezone()):%Y-%m-%d %H:%M}"

    @staticmethod
    def not_found() -> NotFound:
        """What is answered where there is no such row."""
        return NotFound("no-such-session", "There is no such drawer session.")

    @property
    def difference(self) -> int | None:
        """Over (positive) or short when it was closed; None before that."""
        return None if self.counted is None or self.expected is None else self.counted - self.expected


@guards.life_cycle("the people who worked on a drawer stay on record", once=("left_at",))
class SessionMember(models.Model):
    """Somebody who works on the open drawer of the tournament desk beside the person who opened it."""

    session = models.ForeignKey(DrawerSession, on_delete=models.PROTECT, related_name="members")
    person = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="joined_drawers")
    joined_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["person"], condition=Q(left_at=None), name="sessionmember_one_drawer_per_person"
            )
        ]

    def __str__(self) -> str:
        return f"{self.person} at session {self.session_id}"


@guards.append_only("a count stays as it was written down: count again")
class DrawerCount(models.Model):
    """A count of a drawer and its book balance at that time. Never deleted."""

    class Kind(models.TextChoices):
        OPENING = "opening", gettext_lazy("opening")
        BETWEEN = "between", gettext_lazy("in between")
        CLOSING = "closing", gettext_lazy("closing")

    session = models.ForeignKey(DrawerSession, on_delete=models.PROTECT, related_name="counts")
    what = models.CharField(max_length=7, choices=Kind.choices)
    pieces = models.JSONField(default=dict, blank=True, help_text='The number of each: {"100": 4}. Empty: a sum only.')
    counted = models.BigIntegerField()
    expected = models.BigIntegerField()
    reason = models.CharField(max_length=300, blank=True)
    number = models.PositiveIntegerField(
        null=True, blank=True, help_text="How often it was counted until this count was taken; null: not kept then."
    )
    by = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(counted__gte=0), name="drawercount_is_no_debt"),
            models.CheckConstraint(
                condition=Q(counted=F("expected")) | Q(what="between") | ~Q(reason=""),
                name="drawercount_difference_has_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.what} count of session {self.session_id}"

    @property
    def difference(self) -> int:
        return self.counted - self.expected


@guards.append_only("a slip stays as it was written: reverse it by another")
class Slip(models.Model):
    """One act of the cage on paper, and the transfer it is of. Never changed: a correction is a slip that reverses it.

    `id` is the slip's number: given out one after the other under a lock, so none is missing.
    """

    class Kind(models.TextChoices):
        DEPOSIT = "deposit", gettext_lazy("deposit")
        WITHDRAWAL = "withdrawal", gettext_lazy("withdrawal")
        BUY_IN = "buy-in", gettext_lazy("buy-in")
        CASH_OUT = "cash-out", gettext_lazy("cash-out")
        CREDIT = "credit", gettext_lazy("chips on credit")
        REPAYMENT = "repayment", gettext_lazy("credit repaid")
        COMP = "comp", gettext_lazy("comp")
        COMP_USED = "comp-used", gettext_lazy("comp redeemed")
        TRANSFER = "transfer", gettext_lazy("transfer to a player")
        FILL = "fill", gettext_lazy("fill from the vault")
        TAKE = "take", gettext_lazy("excess to the vault")
        OVER_SHORT = "over-short", gettext_lazy("over or short")
        VAULT = "vault", gettext_lazy("vault")
        REVERSAL = "reversal", gettext_lazy("reversal")
        EVENT_ENTRY = "event-entry", gettext_lazy("tournament entry")
        EVENT_RE_ENTRY = "event-re-entry", gettext_lazy("tournament re-entry")
        EVENT_REBUY = "event-rebuy", gettext_lazy("tournament rebuy")
        EVENT_ADD_ON = "event-add-on", gettext_lazy("tournament add-on")
        EVENT_RETURN = "event-return", gettext_lazy("tournament prize taken back")
        EVENT_REFUND = "event-refund", gettext_lazy("tournament refund")
        EVENT_PRIZE = "event-prize", gettext_lazy("tournament prize")
        EVENT_BOUNTY = "event-bounty", gettext_lazy("tournament bounties")
        EVENT_TICKET = "event-ticket", gettext_lazy("tournament ticket paid out")

    id = models.BigIntegerField(primary_key=True, editable=False)
    kind = models.CharField(max_length=16, choices=Kind.choices)
    about = models.CharField(max_length=40, blank=True, help_text='The event whose money it is: "tournament:7".')
    player = models.ForeignKey(_USER, null=True, blank=True, on_delete=models.PROTECT, related_name="slips")
    to = models.ForeignKey(
        _USER,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="slips_received",
        help_text="Of a transfer.",
    )
    session = models.ForeignKey(
        DrawerSession, null=True, blank=True, on_delete=models.PROTECT, related_name="slips", help_text="Whose money."
    )
    amount = models.BigIntegerField(help_text="Below zero: a drawer that was short, money out of the vault.")
    unit = models.CharField(max_length=40, default="cash")
    transfer = models.OneToOneField("ledger.Transfer", on_delete=models.PROTECT, related_name="slip")
    reverses = models.OneToOneField("self", null=True, blank=True, on_delete=models.PROTECT, related_name="reversed_by")
    approval = models.ForeignKey(
        "core.Approval",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="slips",
        help_text="Where one was needed.",
    )
    reason = models.JSONField(default=str, blank=True, help_text="Typed by a person, or a sentence of the house.")
    by = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(id__gt=0), name="slip_has_a_number"),
            models.CheckConstraint(
                condition=Q(amount__gt=0) | (Q(kind__in=["over-short", "vault", "reversal"]) & ~Q(amount=0)),
                name="slip_is_of_some_amount",
            ),
            models.CheckConstraint(
                condition=Q(kind="reversal", reverses__isnull=False) | (~Q(kind="reversal") & Q(reverses=None)),
                name="slip_reversal_says_of_what",
            ),
            models.CheckConstraint(condition=~Q(kind="reversal") | ~Q(reason=""), name="slip_reversal_has_a_reason"),
        ]
        indexes = [
            models.Index(F("player"), F("id").desc(), name="slip_of_a_player"),
            models.Index(fields=["at"], name="slip_by_time"),
            models.Index(F("session"), F("id").desc(), name="slip_of_a_session"),
            models.Index(fields=["by", "kind", "at"], name="slip_what_somebody_did"),
            models.Index(F("about"), F("id"), condition=~Q(about=""), name="slip_of_an_event"),
        ]

    def __str__(self) -> str:
        return f"slip {self.pk}, {self.get_kind_display()}"

    @staticmethod
    def not_found() -> NotFound:
        """What is answered where there is no such row."""
        return NotFound("no-such-slip", "There is no slip with this number.")

    @property
    def number(self) -> str:
        """The number as printed."""
        return f"{self.pk:06}"

    @property
    def reason_text(self) -> str:
        """Its reason, in the current language where the house gave it."""
        return to_text(self.reason)

    @property
    def event(self) -> int | None:
        """The id of the event whose money it is."""
        kind, _, number = self.about.partition(":")
        return int(number) if kind == "tournament" and number.isdigit() else None


@guards.append_only("a print of a slip stays on record")
class SlipPrint(models.Model):
    """A receipt that was printed: the first is the receipt, those after it are copies."""

    slip = models.ForeignKey(Slip, on_delete=models.PROTECT, related_name="prints")
    number = models.PositiveSmallIntegerField(help_text="0: the receipt; 1: copy 1.")
    by = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["slip", "number"], name="slipprint_one_per_number")]

    def __str__(self) -> str:
        return f"print {self.number} of slip {self.slip_id}"


@step_up.before_change
@guards.life_cycle("a limit of the cage is set anew, for the same role and act", changes=("slip", "day"))
class CageLimit(models.Model):
    """What a member of a role may do alone; above it a second person decides. Without a row the house's own numbers
    hold.

    `slip` (at once) and `day` (a gaming day) None: no limit; 0: always a second person.
    """

    role = models.CharField(max_length=10)
    verb = models.CharField(max_length=12)
    slip = models.PositiveBigIntegerField(null=True, blank=True)
    day = models.PositiveBigIntegerField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["role", "verb"], name="cagelimit_one_per_role_and_verb")]

    def __str__(self) -> str:
        return f"{self.verb} by a {self.role}"


@step_up.before_change
@guards.append_only("a credit line stays on record: set another")
class CreditLine(models.Model):
    """How much a player may owe at most. A new one is written for each change; the last counts."""

    player = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="credit_lines")
    most = models.PositiveBigIntegerField()
    reason = models.CharField(max_length=300)
    by = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(F("player"), F("id").desc(), name="creditline_newest")]

    def __str__(self) -> str:
        return f"{self.most:,} for player {self.player_id}"


@guards.life_cycle(
    "a request is answered once", changes=("state", "answered_by", "answer", "answered_at", "slip"), ends="answered_at"
)
class CashierRequest(models.Model):
    """A player's request to the cage from their own page; a cashier does it or refuses it with a reason."""

    class Kind(models.TextChoices):
        DEPOSIT = "deposit", gettext_lazy("deposit")
        WITHDRAWAL = "withdrawal", gettext_lazy("withdrawal")

    class State(models.TextChoices):
        OPEN = "open", gettext_lazy("waiting for a cashier")
        DONE = "done", gettext_lazy("done")
        REFUSED = "refused", gettext_lazy("refused")
        TAKEN_BACK = "taken-back", gettext_lazy("cancelled")

    player = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="cashier_requests")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    amount = models.PositiveBigIntegerField()
    note = models.CharField(max_length=200, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    slip = models.OneToOneField(Slip, null=True, blank=True, on_delete=models.PROTECT, related_name="request")
    answer = models.CharField(max_length=300, blank=True)
    answered_by = models.ForeignKey(_USER, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    answered_at = models.DateTimeField(null=True, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="cashierrequest_is_of_some_amount"),
            models.CheckConstraint(
                condition=Q(state="done", slip__isnull=False) | (~Q(state="done") & Q(slip=None)),
                name="cashierrequest_done_has_its_slip",
            ),
        ]
        indexes = [
            models.Index(fields=["at"], condition=Q(state="open"), name="cashierrequest_waiting"),
            models.Index(F("player"), F("id").desc(), name="cashierrequest_of_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.amount:,} for player {self.player_id}"

    @staticmethod
    def not_found() -> NotFound:
        """What is answered where there is no such row."""
        return NotFound("no-such-request", "There is no such request.")
