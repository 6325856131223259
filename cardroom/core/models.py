"""Rows that every room uses: people, alarms, approvals, faults, outages, idempotency, the audit log, notices."""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Concat, Lower, Trim
from django.utils.translation import gettext, gettext_lazy

from cardroom.core import names, sentences
from cardroom.core.database import guards
from cardroom.core.errors import NotFound


@guards.free("an alarm is put forward, claimed and gone when it has rung")
class Alarm(models.Model):
    """One row per thing that waits: `kind` says who is to be told, `key` which one, `fence` which moment of it.

    An alarm claimed by a tick belongs to it until `claimed_until`; one not done by then is due again.
    """

    kind = models.CharField(gettext_lazy("kind"), max_length=40)
    key = models.CharField(gettext_lazy("key"), max_length=80)
    due_at = models.DateTimeField(gettext_lazy("due at"))
    fence = models.BigIntegerField(
        gettext_lazy("position"), help_text=gettext_lazy("How far the hand was, or which level, when this was set.")
    )
    claimed_until = models.DateTimeField(gettext_lazy("being handled until"), null=True, blank=True)

    class Meta:
        verbose_name = gettext_lazy("alarm")
        verbose_name_plural = gettext_lazy("alarms")
        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="alarm_one_per_kind_and_key")]
        indexes = [models.Index(fields=["due_at"], name="alarm_due")]

    def __str__(self) -> str:
        return f"{self.kind} {self.key} #{self.fence}"


# Approvals: what one person asks for and a second one decides


_USER = settings.AUTH_USER_MODEL


@guards.life_cycle(
    "an approval is decided once, and what was asked for stays as it was",
    changes=("until", "verdict", "verdict_reason", "decided_by", "decided_at", "answer"),
    ends="decided_at",
)
class Approval(models.Model):
    """`what` names the act as `core.approvals` knows it, `payload` all it needs to be done, JSON-safe.

    Decided once, by a person other than the one who asked. What is approved was done in the same transaction: `answer`
    says what it came to.
    """

    class Verdict(models.TextChoices):
        WAITING = "", gettext_lazy("waiting for approval")
        APPROVED = "approved", gettext_lazy("approved")
        REFUSED = "refused", gettext_lazy("refused")
        TAKEN_BACK = "taken-back", gettext_lazy("cancelled")
        OVER = "over", gettext_lazy("expired")

    what = models.CharField(max_length=40)
    words = models.CharField(max_length=600, help_text="What is asked for, for people.")
    told = models.JSONField(default=str, help_text="The same for readers of any language; see sentences.stored_text.")
    payload = models.JSONField(default=dict)
    details = models.JSONField(
        default=dict, blank=True, help_text="What is approved, by name, as it was when it was asked for."
    )
    subject = models.CharField(max_length=60, blank=True)
    alone = models.CharField(
        max_length=80, blank=True, default="", help_text="Of what no other request may wait; empty: of anything."
    )
    player = models.ForeignKey(_USER, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    amount = models.BigIntegerField(null=True, blank=True)
    reason = models.CharField(max_length=300, blank=True)
    asked_by = models.ForeignKey(_USER, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    until = models.DateTimeField(help_text="Expires then if not decided.")
    verdict = models.CharField(max_length=10, choices=Verdict.choices, blank=True, default=Verdict.WAITING)
    verdict_reason = models.CharField(max_length=300, blank=True)
    decided_by = models.ForeignKey(_USER, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    answer = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(what="") & ~Q(words=""), name="approval_says_what"),
            models.CheckConstraint(
                condition=Q(verdict="", decided_at=None) | (~Q(verdict="") & Q(decided_at__isnull=False)),
                name="approval_is_decided_or_waits",
            ),
            models.CheckConstraint(
                condition=~Q(verdict="approved")
                | (Q(decided_by__isnull=False) & (Q(asked_by=None) | ~Q(decided_by=F("asked_by")))),
                name="approval_is_a_second_persons",
            ),
            models.UniqueConstraint(
                fields=["alone"], condition=Q(verdict="") & ~Q(alone=""), name="approval_waits_alone"
            ),
        ]
        indexes = [
            models.Index(fields=["until"], condition=Q(verdict=""), name="approval_waiting"),
            models.Index(F("id").desc(), F("verdict"), name="approval_newest"),
        ]

    def __str__(self) -> str:
        return self.words

    @property
    def said(self) -> str:
        """What is asked for, in the current language."""
        return sentences.to_text(self.told) or self.words


# Who gave access to whom


@guards.append_only("who gave somebody access stays as it was written down")
class AccessGrant(models.Model):
    """`by` gave `user` something that lets one act as them, or lets them do more. None: an operator's command, or what
    was there before this was kept.

    The two cannot be second persons for each other, see `core.access.dependents`.
    """

    class Kind(models.TextChoices):
        ACCOUNT = "account", gettext_lazy("the account")
        ROLE = "role", gettext_lazy("a role")
        PASSWORD = "password", gettext_lazy("a password")
        EMAIL = "email", gettext_lazy("an e-mail address")
        REOPENED = "reopened", gettext_lazy("the account again")

    user = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="access_grants")
    what = models.CharField(max_length=8, choices=Kind.choices)
    role = models.CharField(max_length=20, blank=True)
    by = models.ForeignKey(_USER, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    approval = models.ForeignKey(Approval, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(what="role") & ~Q(role="") | ~Q(what="role") & Q(role=""), name="accessgrant_names_its_role"
            )
        ]
        indexes = [
            models.Index(fields=["user", "at"], name="accessgrant_to_somebody"),
            models.Index(fields=["by", "at"], name="accessgrant_by_somebody"),
        ]

    def __str__(self) -> str:
        return f"{self.role or self.what} to {self.user_id}"


# When alarms last rang


@guards.free("one row: the last tick")
class Clockwork(models.Model):
    """One row: when a worker last carried out a tick."""

    at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="clockwork_is_one_row")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M:%S}"


# Faults of the server, for operators


@guards.free("for operators; only the newest are kept")
class Fault(models.Model):
    """One line of the error log: no card and no secret is in it. What went wrong in the same place before is one line
    with it (`times`, since `first_at`). Only the newest are kept."""

    at = models.DateTimeField()
    first_at = models.DateTimeField()
    times = models.PositiveIntegerField(default=1)
    sort = models.CharField(max_length=32, blank=True, db_index=True)
    level = models.CharField(max_length=10)
    logger = models.CharField(max_length=80)
    message = models.CharField(max_length=500)
    details = models.JSONField(default=dict, blank=True)
    trace = models.TextField(blank=True)

    class Meta:
        indexes = [models.Index(F("at").desc(), F("id").desc(), name="fault_newest")]

    def __str__(self) -> str:
        return self.message


# Outages


@guards.free("one row: the last beat")
class Heartbeat(models.Model):
    """One row: when a web process last noted here that it and the database were there."""

    at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="heartbeat_is_one_row")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M:%S}"


@guards.append_only("an outage stays as it was written down")
class Outage(models.Model):
    """A span in which nobody could be heard. The clocks that ran have had it back. Kept for ever."""

    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(ended_at__gt=F("began_at")), name="outage_has_a_length")]
        indexes = [models.Index(fields=["ended_at"], name="outage_by_end")]

    def __str__(self) -> str:
        return f"{self.began_at:%Y-%m-%d %H:%M:%S} to {self.ended_at:%H:%M:%S}"


# Idempotency keys of requests that have no row of their own


@guards.free("forgotten after a while")
class Repeat(models.Model):
    """One request of `user` under their own `key`: what was asked, as a digest, and which row answered it,
    or the refusal that did (`core.once.after_refusal`)."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    verb = models.CharField(max_length=40)
    key = models.CharField(max_length=80)
    asked = models.CharField(max_length=64, help_text="SHA-256 of what was asked for.")
    answer = models.JSONField(null=True, help_text="The id of the row, or the ids of the rows, that it came to.")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "verb", "key"], name="repeat_one_per_key")]

    def __str__(self) -> str:
        return f"{self.verb} {self.key}"


# The audit log


@guards.append_only("what staff did stays as it was written down")
class StaffAction(models.Model):
    """One act of somebody of the staff, written in the transaction that did it.

    `verb` is the service's name ("cage.deposit"), `subject` what it was done to ("user:7", "table:3"), `player` whom it
    concerns, if anybody. `details` are JSON-safe facts about it, never a card.
    """

    verb = models.CharField(max_length=60)
    subject = models.CharField(max_length=60)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    reason = models.JSONField(default=str, blank=True, help_text="Typed by a person, or a sentence of the house.")
    details = models.JSONField(default=dict, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(verb=""), name="staffaction_says_what")]
        indexes = [
            models.Index(F("at").desc(), F("id").desc(), name="staffaction_newest"),
            models.Index(F("subject"), F("id").desc(), name="staffaction_of_a_subject"),
            models.Index(F("player"), F("id").desc(), name="staffaction_of_a_player"),
            models.Index(F("by"), F("id").desc(), name="staffaction_by_somebody"),
        ]

    def __str__(self) -> str:
        return f"{self.verb} {self.subject}"


# That history which was changed shows, see `cardroom.core.history`


@guards.append_only("a seal of the history stays as it was made", is_sealed=False)
class HistorySeal(models.Model):
    """A seal over what was written down since the one before it. `content` is JSON as text, and names the head of that
    one; `head` is its SHA-256, `mac` its HMAC under a key outside the database, after the number of the key."""

    number = models.PositiveBigIntegerField(primary_key=True)
    content = models.TextField()
    head = models.CharField(max_length=64)
    mac = models.CharField(max_length=80, blank=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"seal {self.number}"


@guards.free("made anew from the seals where it is missing")
class HistoryState(models.Model):
    """One row: how far each table is sealed, and which of the rows up to there have not come to their end."""

    number = models.PositiveBigIntegerField(default=0, help_text="Of the last seal.")
    upto = models.JSONField(default=dict)
    open = models.JSONField(default=dict)
    mailed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="historystate_is_one_row")]

    def __str__(self) -> str:
        return f"sealed up to {self.number}"


# Notices


@guards.free("what is told; what it is about is kept elsewhere")
class Notice(models.Model):
    """`kind` is a stable word ("called", "moved", "table-breaks"), `data` what it is about for programs: of an event
    its id besides, as "tournament".

    `key` keeps one thing from being told twice; `mailed_at`, `texted_at` and `pushed_at` keep it from being sent twice.
    What goes by e-mail or text message goes to browsers too.
    """

    class Channel(models.TextChoices):
        PAGES = "", gettext_lazy("on pages alone")
        MAIL = "mail", gettext_lazy("on pages and by e-mail")
        TEXT = "text", gettext_lazy("on pages, by e-mail and by text message")
        PUSH = "push", gettext_lazy("on pages and to browsers")
        MAIL_ALONE = "mail-alone", gettext_lazy("by e-mail alone")
        PUSH_ALONE = "push-alone", gettext_lazy("to browsers alone")

    #: How the keys begin of what is told about events; the id of the event comes next.
    OF_EVENTS = "event:"

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="notices")
    kind = models.CharField(max_length=20)
    text = models.CharField(max_length=300)
    data = models.JSONField(default=dict, blank=True)
    key = models.CharField(max_length=110, blank=True)
    way = models.CharField(max_length=10, choices=Channel.choices, blank=True, default=Channel.PAGES)
    subject = models.CharField(max_length=80, blank=True, help_text="Of its e-mail; empty: the name of the room.")
    at = models.DateTimeField()
    read_at = models.DateTimeField(null=True, blank=True)
    mailed_at = models.DateTimeField(null=True, blank=True, help_text="Claimed for e-mail.")
    texted_at = models.DateTimeField(null=True, blank=True, help_text="Claimed for a text message.")
    pushed_at = models.DateTimeField(null=True, blank=True, help_text="Claimed for browsers.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "key"], condition=~Q(key=""), name="house_notice_told_once"),
            models.CheckConstraint(condition=~Q(text=""), name="house_notice_says_something"),
        ]
        indexes = [
            models.Index(F("player"), F("id").desc(), name="house_notice_newest"),
            models.Index(F("player"), condition=Q(read_at__isnull=True), name="house_notice_unread"),
            models.Index(F("at"), name="house_notice_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} to {self.player_id}"

    @staticmethod
    def not_found() -> NotFound:
        """What is answered where there is no such row."""
        return NotFound("no-such-notice", "There is no such notice.")

    @property
    def tournament_id(self) -> int | None:
        """The event that it is about; None: the room."""
        number: int | None = self.data.get("tournament")
        return number


# People. What a user may do follows from their Django groups, see `cardroom.core.access`


class LooksField(models.CharField):  # type: ignore[type-arg]
    """What the screen name of the row looks like, written whenever the row is."""

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        user: Any = model_instance
        user.looks = names.looks(user.username)
        return user.looks


@guards.free("people change their names and settings; what staff did about them is in the audit log")
class User(AbstractUser):
    """`username` is the screen name everybody at the table sees; two that look alike are the same name, see `looks`."""

    looks = LooksField(
        max_length=600,
        unique=True,
        editable=False,
        help_text="The screen name without what makes no difference to the eye, see cardroom.core.names.",
    )
    is_bot = models.BooleanField(
        gettext_lazy("bot"),
        default=False,
        help_text=gettext_lazy("A player of the house, marked as such at the table."),
    )
    personality = models.CharField(
        gettext_lazy("style of play"), max_length=40, blank=True,
        help_text=gettext_lazy("How a bot plays; empty for people."),
    )  # fmt: skip
    look = models.JSONField(
        gettext_lazy("look of the table"), default=dict, blank=True,
        help_text=gettext_lazy("What they chose in their settings, by name; the rest is as usual."),
    )  # fmt: skip
    time_zone = models.CharField(
        max_length=60, blank=True, help_text="Such as Europe/Berlin: what pages show is in it; empty: the browser's."
    )
    language = models.CharField(
        max_length=10,
        blank=True,
        help_text="Of pages, and of what is sent to them; empty: as their browser asks, and as it asked last.",
    )
    last_language = models.CharField(
        max_length=10,
        blank=True,
        editable=False,
        help_text="That their pages were last read in, while they chose none: of what is sent to them.",
    )
    wants_mail = models.BooleanField(
        gettext_lazy("mail about tournaments and calls"),
        default=True,
        help_text=gettext_lazy("Starts, prizes, cancellations and calls from lists, to those who gave an address."),
    )

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                Lower("username"), name="user_screen_name_is_unique", violation_error_message="This name is taken."
            ),
            models.CheckConstraint(
                condition=models.Q(is_bot=False, personality="") | (models.Q(is_bot=True) & ~models.Q(personality="")),
                name="user_personality_is_a_bots",
            ),
        ]

    @staticmethod
    def not_found() -> NotFound:
        """What is answered where there is no such row."""
        return NotFound("no-such-player", "There is no such player.")

    @property
    def shown_name(self) -> str:
        """What the room calls them: a guest without an account by the name as they gave it, others by screen name."""
        is_guest = self.first_name and not self.is_bot and not self.email and not self.has_usable_password()
        return self.get_full_name() if is_guest else self.username

    @staticmethod
    def of_guests(player: str = "") -> models.Q:
        """A filter for players whom a desk took in by a name, without an account; `player`: the path to them, such as
        "player"."""
        at = f"{player}__" if player else ""
        named = ~models.Q(**{f"{at}first_name": ""})
        return named & models.Q(**{f"{at}is_bot": False, f"{at}email": "", f"{at}password__startswith": "!"})

    @staticmethod
    def shown_name_of(player: str) -> models.Case:
        """The shown name as an expression of the database, of the user at this path, such as "player"."""
        full = Trim(Concat(f"{player}__first_name", models.Value(" "), f"{player}__last_name"))
        return models.Case(
            models.When(User.of_guests(player), then=full),
            default=models.F(f"{player}__username"),
            output_field=models.CharField(),
        )

    def clean(self) -> None:
        """For forms that know the model only, as the operator's."""
        super().clean()
        fault = names.fault(self.username)
        lookalikes = type(self).objects.filter(looks=names.looks(self.username)).exclude(pk=self.pk)
        if not fault and lookalikes.exists():
            fault = gettext("This name, or one that looks like it, is taken.")
        if fault:
            raise ValidationError({"username": fault})


#: The tables between people and what they may do, which have no model of their own in the code.
guards.life_cycle("a role is given and taken away, never rewritten", stays=False)(User.groups.through)
guards.free("no permission is given to single people")(User.user_permissions.through)
