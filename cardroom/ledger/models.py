"""Rows of the ledger, double entry: accounts, transfers, entries; counts; limits that players set for themselves.

Only `cardroom.ledger.ledger` writes transfers. The database keeps the rules as well (`cardroom.core.database.guards`):
a transfer balances in every unit, a balance is the sum of its entries, and what is posted is never edited.
"""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy, pgettext_lazy

from cardroom.core.database import guards
from cardroom.core.errors import NotFound


@guards.life_cycle("an account keeps its kind, owner, label and unit: open another", changes=("balance",))
class Account(models.Model):
    """An account for chips of one unit. Its balance changes only with its entries."""

    class Kind(models.TextChoices):
        WALLET = (
            "wallet",
            pgettext_lazy("account", "wallet"),
        )  # what a player has in the house and not on a table; one per player and unit
        STACK = (
            "stack",
            pgettext_lazy("account", "stack"),
        )  # what they have on a table; a new one each time a seat is taken
        HOUSE = "house", pgettext_lazy("account", "house")  # where play money comes from; the only kind that may owe
        POOL = (
            "pool",
            pgettext_lazy("account", "pool"),
        )  # what lies there for prizes, jackpots, a table's chips; nobody's, and never owes
        DRAWER = "drawer", pgettext_lazy("account", "drawer")  # money in a cashier's drawer, unit "money"
        DEBT = (
            "debt",
            pgettext_lazy("account", "debt"),
        )  # what a player owes the house for chips on credit; paid back, it is empty

    kind = models.CharField(gettext_lazy("kind"), max_length=20, choices=Kind.choices)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=pgettext_lazy("of an account", "owner"),
        null=True, blank=True, on_delete=models.PROTECT, related_name="accounts",
    )  # fmt: skip
    label = models.CharField(
        gettext_lazy("label"),
        max_length=100,
        blank=True,
        help_text=gettext_lazy('Which one, such as "table:7:seat:3".'),
    )
    unit = models.CharField(
        gettext_lazy("unit"),
        max_length=40,
        default="cash",
        help_text=gettext_lazy("Chips of different units never mix."),
    )
    balance = models.BigIntegerField(gettext_lazy("balance"), default=0, editable=False)

    class Meta:
        verbose_name = gettext_lazy("account")
        verbose_name_plural = gettext_lazy("accounts")
        constraints = [
            # Said of all but the house, so that a kind added later cannot owe unless somebody decides that it may.
            models.CheckConstraint(condition=Q(kind="house") | Q(balance__gte=0), name="account_is_not_overdrawn"),
            models.CheckConstraint(
                condition=(~Q(kind__in=["house", "pool", "drawer"]) | Q(owner__isnull=True))
                & (~Q(kind__in=["wallet", "stack", "debt"]) | Q(owner__isnull=False)),
                name="account_has_its_owner",
            ),
            models.CheckConstraint(condition=~Q(kind="stack") | ~Q(label=""), name="account_stack_names_its_seat"),
            models.CheckConstraint(
                condition=~Q(kind__in=["pool", "drawer"]) | ~Q(label=""), name="account_pool_says_what_for"
            ),
            models.UniqueConstraint(
                fields=["owner", "unit"], condition=Q(kind="wallet"), name="account_one_wallet_per_player_and_unit"
            ),
            models.UniqueConstraint(
                fields=["label", "unit"], condition=Q(kind="house"), name="account_one_of_the_house_per_label_and_unit"
            ),
            models.UniqueConstraint(
                fields=["label", "unit"], condition=Q(kind="pool"), name="account_one_pool_per_label_and_unit"
            ),
            models.UniqueConstraint(
                fields=["label", "unit"], condition=Q(kind="drawer"), name="account_one_drawer_per_label_and_unit"
            ),
            models.UniqueConstraint(
                fields=["owner", "unit"], condition=Q(kind="debt"), name="account_one_debt_per_player_and_unit"
            ),
        ]
        indexes = [models.Index(fields=["label"], condition=Q(kind="stack"), name="account_stacks_of_a_seat")]

    def __str__(self) -> str:
        whose = f" of {self.owner}" if self.owner_id else ""
        which = f" {self.label}" if self.label else ""
        return f"{self.kind}{whose}{which} ({self.unit})"


@guards.append_only("a posted transfer stays as it is: post a reversing transfer")
class Transfer(models.Model):
    """Chips moved at once: a buy-in, a hand, a correction. Its entries add up to zero in every unit."""

    reference = models.CharField(
        gettext_lazy("reference"), max_length=200, unique=True,
        help_text=gettext_lazy('What it is, said once for ever: "hand:41", "welcome:7".'),
    )  # fmt: skip
    reason = models.JSONField(gettext_lazy("reason"), help_text="Typed by a person, or a sentence of the house.")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=pgettext_lazy("of a transfer", "by"),
        null=True, blank=True, on_delete=models.PROTECT, related_name="+",
    )  # fmt: skip
    at = models.DateTimeField(gettext_lazy("time"))
    passage = models.CharField(  # noqa: DJ001 - most transfers have none, and it costs them no byte
        max_length=60, null=True, blank=True, editable=False,
        help_text="Who or what answers for the chips that left an account of the house; see passages.",
    )  # fmt: skip

    class Meta:
        verbose_name = gettext_lazy("transfer")
        verbose_name_plural = gettext_lazy("transfers")
        constraints = [models.CheckConstraint(condition=~Q(reference=""), name="transfer_has_a_reference")]
        indexes = [
            # Reports and statements of a day find where it begins by this.
            models.Index(fields=["at"], name="transfer_by_time"),
            # The audit reads what left the house, and since when that is gated.
            models.Index(fields=["id"], condition=Q(passage__isnull=False), name="transfer_out_of_the_house"),
        ]

    def __str__(self) -> str:
        return self.reference


@guards.append_only("a posted entry stays as it is: post a reversing transfer")
class Entry(models.Model):
    """One leg of a transfer: chips into an account, or out of it when the amount is negative."""

    transfer = models.ForeignKey(Transfer, on_delete=models.PROTECT, related_name="entries")
    account = models.ForeignKey(
        Account, verbose_name=gettext_lazy("account"), on_delete=models.PROTECT, related_name="entries"
    )
    amount = models.BigIntegerField(gettext_lazy("amount"))

    class Meta:
        verbose_name = pgettext_lazy("of the ledger", "entry")
        verbose_name_plural = pgettext_lazy("of the ledger", "entries")
        constraints = [
            models.CheckConstraint(condition=~Q(amount=0), name="entry_moves_something"),
            models.UniqueConstraint(fields=["account", "transfer"], name="entry_one_per_account_and_transfer"),
        ]
        # The unique pair finds where in an account a day begins; a statement reads the account from the newest entry
        # back, and adds up what came since some day out of the index alone.
        indexes = [models.Index(F("account"), F("id").desc(), F("amount"), name="entry_of_an_account")]

    def __str__(self) -> str:
        return f"{self.amount:+,} {self.account_id}"


# Counts, entered before the books are shown


@guards.life_cycle(
    "a count stays as it was written down: count again",
    once=("settled_at", "posted", "approval", "reason"),
    steps={"stage": {"confirmed": ("explained", "barred")}},
)
class BlindCount(models.Model):
    """One count of a drawer, the vault, a box or the chips of a table, kept for ever: the wrong ones too.

    `subject` is what was counted ("drawer:3", "vault"), `expected` what the books said then. It is open, and stands,
    until its difference is answered for or somebody else counted anew: `settled_at`. `stage` says what came of it, see
    `cardroom.ledger.counts`; `number` which count this is since the last one that was taken. `posted`: its difference
    went into the ledger, with `approval` where one was needed.
    """

    class Stage(models.TextChoices):
        AGREED = "agreed", gettext_lazy("as expected")
        FIRST = "first", gettext_lazy("to be counted again")
        CORRECTION = "correction", gettext_lazy("instead of the first")
        CONFIRMED = "confirmed", gettext_lazy("counted twice")
        EXPLAINED = "explained", gettext_lazy("explained, not posted")
        BARRED = "barred", gettext_lazy("somebody else counts")

    subject = models.CharField(max_length=60)
    counted = models.BigIntegerField()
    expected = models.BigIntegerField()
    pieces = models.JSONField(default=dict, blank=True, help_text='The number of each: {"100": 4}. Empty: a sum only.')
    reason = models.CharField(max_length=300, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)
    posted = models.BooleanField(default=False, help_text="Whether its difference is in the ledger.")
    stage = models.CharField(
        max_length=10, choices=Stage.choices, blank=True, default="", help_text="Empty: settled before this was kept."
    )
    number = models.PositiveIntegerField(default=1, help_text="Which count this is since the last that was taken.")
    approval = models.ForeignKey(
        "core.Approval",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="counts",
        help_text="Where one was needed.",
    )

    class Meta:
        ordering = ["pk"]
        constraints = [models.CheckConstraint(condition=Q(counted__gte=0), name="blindcount_is_no_debt")]
        indexes = [
            models.Index(F("subject"), F("id").desc(), name="blindcount_of_a_subject"),
            models.Index(fields=["subject"], condition=Q(settled_at=None), name="blindcount_open"),
            models.Index(fields=["by", "at"], condition=Q(posted=True), name="blindcount_what_somebody_did"),
        ]

    def __str__(self) -> str:
        return f"{self.counted} counted in {self.subject}"

    @property
    def difference(self) -> int:
        """Chips over (above zero) or short (below zero)."""
        return self.counted - self.expected

    @property
    def is_told(self) -> bool:
        """Whether the counter may see its difference: it is posted, or zero."""
        return self.posted or self.stage == self.Stage.AGREED


# Limits


@guards.life_cycle("a limit stays as it was asked for: ask for another", once=("cancelled_at",))
class LimitChange(models.Model):
    """A limit that a player asked for, and from when it is in force; the last one in force is their
    limit.

    `amount` None: no limit. Chips for deposits and losses, minutes for time. Only a change that does not count yet can
    be cancelled.
    """

    class Kind(models.TextChoices):
        DEPOSIT_DAY = "deposit-day", gettext_lazy("deposits in a day")
        DEPOSIT_WEEK = "deposit-week", gettext_lazy("deposits in a week")
        DEPOSIT_MONTH = "deposit-month", gettext_lazy("deposits in a month")
        LOSS_DAY = "loss-day", gettext_lazy("losses in a day")
        TIME_DAY = "time-day", gettext_lazy("minutes of play in a day")
        REMINDER = "reminder", gettext_lazy("minutes between reminders")

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="limit_changes")
    kind = models.CharField(max_length=13, choices=Kind.choices)
    amount = models.PositiveBigIntegerField(null=True, blank=True)
    asked_at = models.DateTimeField()
    counts_from = models.DateTimeField()
    cancelled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(counts_from__gte=F("asked_at")), name="limitchange_looks_ahead"),
            models.CheckConstraint(
                condition=Q(cancelled_at=None) | Q(cancelled_at__lte=F("counts_from")),
                name="limitchange_is_cancelled_before_it_counts",
            ),
        ]
        indexes = [models.Index(fields=["player", "kind", "counts_from"], name="limitchange_of_a_player")]

    def __str__(self) -> str:
        return f"{self.kind} of player {self.player_id}"

    @staticmethod
    def not_found() -> NotFound:
        """What is answered where there is no such row."""
        return NotFound("no-such-limit", "You have no such change.")
