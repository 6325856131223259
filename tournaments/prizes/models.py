"""Rows of tickets, payouts, and deals with their secret votes."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy

from cardroom.core import step_up
from cardroom.core.database import guards
from cardroom.core.errors import NotFound
from cardroom.core.sentences import to_text


@step_up.before_change
@guards.life_cycle(
    "a ticket is used, paid out or revoked once; only the refund of an entry makes it good again",
    changes=("player", "used_for", "ended_at", "reason"),
    ends={"state": ("refunded", "cancelled")},
    steps={"state": {"issued": ("used", "refunded", "cancelled"), "used": ("issued",)}},
)
class Ticket(models.Model):
    """Good for one entry to `tournament`, to any event of `series`, or, where both are empty, to any event of its
    value. The value lies in a pool account until the ticket is used, paid out or taken back.
    """

    class State(models.TextChoices):
        ISSUED = "issued", gettext_lazy("good")
        USED = "used", gettext_lazy("used")
        REFUNDED = "refunded", gettext_lazy("paid out")
        CANCELLED = "cancelled", gettext_lazy("revoked")

    code = models.CharField(max_length=20, unique=True)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="tickets")
    tournament = models.ForeignKey(
        "events.Tournament", null=True, blank=True, on_delete=models.PROTECT, related_name="tickets"
    )
    series = models.ForeignKey("events.Series", null=True, blank=True, on_delete=models.PROTECT, related_name="tickets")
    value = models.PositiveBigIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.ISSUED)
    won_in = models.ForeignKey(
        "events.Tournament", null=True, blank=True, on_delete=models.PROTECT, related_name="tickets_won"
    )
    reason = models.JSONField(default=str, blank=True, help_text="Typed by a person, or a sentence of the house.")
    issued_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    issued_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    key = models.CharField(max_length=80, unique=True, help_text='What it was issued for, such as "prize:7:3".')
    used_for = models.ForeignKey(
        "events.TournamentEntry", null=True, blank=True, on_delete=models.PROTECT, related_name="tickets"
    )
    ended_at = models.DateTimeField(null=True, blank=True, help_text="When it was used, paid out or taken back.")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(value__gt=0), name="ticket_is_worth_something"),
            models.CheckConstraint(
                condition=Q(tournament__isnull=True) | Q(series__isnull=True), name="ticket_is_for_one_thing"
            ),
            models.CheckConstraint(
                condition=Q(state="used", used_for__isnull=False) | (~Q(state="used") & Q(used_for__isnull=True)),
                name="ticket_used_for_an_entry",
            ),
        ]
        indexes = [models.Index(F("player"), F("state"), name="ticket_of_a_player")]

    def __str__(self) -> str:
        return f"ticket {self.code}"

    @staticmethod
    def not_found() -> NotFound:
        """What is answered where there is no such row."""
        return NotFound("no-such-ticket", "There is no such ticket.")

    @property
    def reason_text(self) -> str:
        """Its reason, in the current language where the house gave it."""
        return to_text(self.reason)


# Payouts


@step_up.before_change
@guards.life_cycle(
    "a payout is paid once, and stays as it was paid: it can only be undone",
    changes=("amount", "place", "method", "transfer", "ticket", "paid_at", "paid_seq", "by"),
    once=("undone", "undone_at", "undone_by", "undone_reason"),
    ends={"state": ("paid", "void")},
    steps={"state": {"due": ("paid", "void"), "paid": ("void",)}},
)
class Payout(models.Model):
    """One sum that one entry is paid, once: `transfer` moved it. `number` is its receipt within the event. A payment
    that was undone is void, and `undone` is the transfer that moved it back; what is paid instead is another row."""

    class Kind(models.TextChoices):
        PRIZE = "prize", gettext_lazy("prize")
        BOUNTY = "bounty", gettext_lazy("bounties")
        TICKET = "ticket", gettext_lazy("ticket")

    class State(models.TextChoices):
        DUE = "due", gettext_lazy("due")
        PAID = "paid", gettext_lazy("paid")
        VOID = "void", gettext_lazy("void")

    class PaidBy(models.TextChoices):
        WALLET = "wallet", gettext_lazy("to the wallet")
        DESK = "desk", gettext_lazy("at the desk")
        TICKET = "ticket", gettext_lazy("a ticket")

    tournament = models.ForeignKey("events.Tournament", on_delete=models.PROTECT, related_name="payouts")
    entry = models.ForeignKey("events.TournamentEntry", on_delete=models.PROTECT, related_name="payouts")
    number = models.PositiveIntegerField()
    what = models.CharField(max_length=10, choices=Kind.choices, default=Kind.PRIZE)
    place = models.PositiveIntegerField(null=True, blank=True)
    amount = models.PositiveBigIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.DUE)
    method = models.CharField(max_length=10, choices=PaidBy.choices, default=PaidBy.WALLET)
    reason = models.CharField(max_length=200, blank=True)
    transfer = models.OneToOneField(
        "ledger.Transfer", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    ticket = models.OneToOneField("Ticket", null=True, blank=True, on_delete=models.PROTECT, related_name="payout")
    made_at = models.DateTimeField()
    paid_at = models.DateTimeField(null=True, blank=True)
    seq = models.PositiveIntegerField(default=0, help_text="The fact that it was noted with; 0: not known.")
    paid_seq = models.PositiveIntegerField(default=0, help_text="The fact that it was paid with; 0: none.")
    undone = models.OneToOneField("ledger.Transfer", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    undone_reason = models.JSONField(
        default=str, blank=True, help_text="Typed by a person, or a sentence of the house."
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="payout_receipt_number_is_unique"),
            models.UniqueConstraint(
                fields=["entry", "what"], condition=~Q(state="void"), name="payout_one_of_a_kind_per_entry"
            ),
            models.CheckConstraint(
                condition=Q(state="paid", paid_at__isnull=False) | ~Q(state="paid"), name="payout_paid_has_its_moment"
            ),
        ]

    def __str__(self) -> str:
        return f"payout {self.number} of tournament {self.tournament_id}"


# Deals


@step_up.before_change
@guards.life_cycle(
    "a deal stays as it ended", changes=("amounts", "stacks", "state", "expires_at", "ended_at"), ends="ended_at"
)
class DealProposal(models.Model):
    """How those who are left would share what is left. `amounts` and `stacks` are by entry number, as the state after
    fact `seq` has them; a bust makes the proposal stale.
    """

    class Kind(models.TextChoices):
        ICM = "icm", "ICM"
        CHIPS = "chips", gettext_lazy("by chips")
        EVEN = "even", gettext_lazy("even")
        CUSTOM = "custom", gettext_lazy("as agreed")

    class State(models.TextChoices):
        OPEN = "open", gettext_lazy("being voted on")
        AGREED = "agreed", gettext_lazy("agreed")
        REFUSED = "refused", gettext_lazy("refused")
        WITHDRAWN = "withdrawn", gettext_lazy("withdrawn")
        STALE = "stale", gettext_lazy("overtaken by play")

    tournament = models.ForeignKey("events.Tournament", on_delete=models.PROTECT, related_name="deal_proposals")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    play_for = models.PositiveBigIntegerField(default=0, help_text="Money left to play for.")
    amounts = models.JSONField(default=dict)
    stacks = models.JSONField(default=dict)
    seq = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    proposed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tournament"], condition=Q(state="open"), name="dealproposal_one_open_per_event"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} deal in tournament {self.tournament_id}"


@guards.free("a vote may be changed until the deal is agreed on or refused")
class DealVote(models.Model):
    """One player's vote on a proposal. Votes stay secret: only the outcome is told."""

    proposal = models.ForeignKey(DealProposal, on_delete=models.PROTECT, related_name="votes")
    entry = models.ForeignKey("events.TournamentEntry", on_delete=models.PROTECT, related_name="deal_votes")
    is_yes = models.BooleanField()
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", help_text="The floor, in the room."
    )
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["proposal", "entry"], name="dealvote_one_per_player")]

    def __str__(self) -> str:
        return f"a vote on deal {self.proposal_id}"
