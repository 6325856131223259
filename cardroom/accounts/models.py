"""Rows about people: looks at sealed cards, the chat, members and visits, bans, notes, sessions and API tokens."""

from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import gettext_lazy
from knox.models import AbstractAuthToken

from cardroom.core.database import guards
from cardroom.core.errors import NotFound
from cardroom.core.sentences import to_text


@guards.life_cycle("a view of sealed cards can only be ended early", changes=("until",))
class SealedView(models.Model):
    """An auditor's session: the only way to see cards that were never shown. It ends by itself at `until`."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=gettext_lazy("auditor"), on_delete=models.PROTECT,
        related_name="sealed_views",
    )  # fmt: skip
    agreed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=gettext_lazy("approved by"), null=True, on_delete=models.PROTECT,
        related_name="+",
        help_text=gettext_lazy("The second person, who opened it; none where it was opened before one was needed."),
    )  # fmt: skip
    reason = models.CharField(gettext_lazy("reason"), max_length=300)
    opened_at = models.DateTimeField(gettext_lazy("opened at"))
    until = models.DateTimeField(gettext_lazy("until"))

    class Meta:
        verbose_name = gettext_lazy("view of sealed cards")
        verbose_name_plural = gettext_lazy("views of sealed cards")
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="sealed_view_has_a_reason"),
            models.CheckConstraint(condition=Q(until__gte=F("opened_at")), name="sealed_view_ends_after_it_began"),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.until:%Y-%m-%d %H:%M}"


@guards.append_only("a look at sealed cards stays on record")
class SealedLook(models.Model):
    """Something that was opened within a session: `subject` names it ("hand:41"), never what it showed."""

    view = models.ForeignKey(SealedView, on_delete=models.PROTECT, related_name="looks")
    subject = models.CharField(gettext_lazy("subject"), max_length=100)
    at = models.DateTimeField(gettext_lazy("time"))

    class Meta:
        verbose_name = gettext_lazy("look at sealed cards")
        verbose_name_plural = gettext_lazy("looks at sealed cards")

    def __str__(self) -> str:
        return f"{self.subject}, {self.at:%Y-%m-%d %H:%M}"


# The chat


@guards.free("lines are hidden, and forgotten after a while; who hid one is in the audit log")
class ChatLine(models.Model):
    """A line of a chat, never changed; a hidden one is shown to staff only, with the person who hid it and the
    reason."""

    class Kind(models.TextChoices):
        SAID = "said", gettext_lazy("said")
        ANNOUNCED = "announced", gettext_lazy("announcement")

    #: Lines that are a picture, said as ":heart:"; each with its words.
    EMOTES = {
        "thumbs-up": gettext_lazy("Well played"),
        "sparkles": gettext_lazy("Good luck"),
        "party-popper": gettext_lazy("Congratulations"),
        "heart": gettext_lazy("Thank you"),
        "laugh": gettext_lazy("Ha ha"),
        "frown": gettext_lazy("Oh no"),
        "flame": gettext_lazy("On fire"),
        "skull": gettext_lazy("Ouch"),
    }

    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.SAID)
    place = models.CharField(max_length=40, default="chat", help_text="The topic that tells of it.")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="chat_lines")
    is_staffs = models.BooleanField(default=False, help_text="Whether the author was staff at that time.")
    said = models.CharField(max_length=200, help_text="As it was written.")
    text = models.CharField(max_length=200, help_text="As it is shown: without muted words.")
    at = models.DateTimeField()
    hidden_at = models.DateTimeField(null=True, blank=True)
    hidden_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    hidden_why = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="chatline_says_something")]
        indexes = [
            models.Index(fields=["place", "-id"], name="chatline_by_place"),
            models.Index(F("at"), name="chatline_by_time"),
            models.Index(fields=["author", "at"], name="chatline_of_whom"),
        ]

    def __str__(self) -> str:
        return f"line {self.pk} of player {self.author_id}"

    @staticmethod
    def not_found() -> NotFound:
        """What is answered where there is no such row."""
        return NotFound("no-such-line", "There is no such message.")

    @property
    def emote(self) -> str:
        """The picture that the line is, "" for one in words."""
        name = self.text.removeprefix(":").removesuffix(":")
        return name if name in self.EMOTES and self.text == f":{name}:" else ""

    @property
    def words(self) -> str:
        """The line in words."""
        return str(self.EMOTES.get(self.emote, self.text))


@guards.free("goes with its line")
class ChatReport(models.Model):
    """A report of a line to the floor; open until the floor hides the line or lets it stand."""

    line = models.ForeignKey(ChatLine, on_delete=models.CASCADE, related_name="reports")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=300)
    at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="chatreport_has_a_reason"),
            models.UniqueConstraint(fields=["line", "by"], name="chatreport_once_by_a_person"),
        ]
        indexes = [models.Index(fields=["line"], condition=Q(settled_at=None), name="chatreport_open")]

    def __str__(self) -> str:
        return f"report of line {self.line_id}"


@guards.free("a list that staff edits, with an entry in the audit log")
class MutedWord(models.Model):
    """A word that is not shown in any chat."""

    word = models.CharField(max_length=40, unique=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.word


@guards.life_cycle("a silence stays on record: it can only be lifted", once=("lifted_at", "lifted_by"))
class ChatSilence(models.Model):
    """A player may not speak in any chat, until a moment (None: until staff lifts it)."""

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="chat_silences")
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=300)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    lifted_at = models.DateTimeField(null=True, blank=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["player"], condition=Q(lifted_at=None), name="chatsilence_one_at_a_time")
        ]

    def __str__(self) -> str:
        return f"silence of player {self.player_id}"


# Members, cards, visits, bans, notes, the blacklist


class Where(models.TextChoices):
    """What a rule or a visit is about."""

    ONLINE = "online", gettext_lazy("online")
    ROOM = "room", gettext_lazy("in the room")
    BOTH = "both", gettext_lazy("online and in the room")


@guards.life_cycle("a member keeps their number", changes=("name", "phone", "born_on"))
class Member(models.Model):
    """A player registered at the desk. The member number never changes; cards are replaced."""

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.PROTECT, related_name="member"
    )
    number = models.CharField(max_length=12, unique=True, help_text="Seven digits or more, and a check digit.")
    name = models.CharField(max_length=60, help_text="As on their ID.")
    phone = models.CharField(max_length=20, blank=True, help_text="Digits alone, a + before the country code.")
    born_on = models.DateField(null=True, blank=True)
    joined_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(name=""), name="member_has_a_name")]
        indexes = [
            models.Index(fields=["phone"], name="member_by_phone"),
            models.Index(Lower("name"), name="member_by_name"),
        ]

    def __str__(self) -> str:
        return self.number

    @staticmethod
    def not_found() -> NotFound:
        """What is answered where there is no such row."""
        return NotFound("no-member", "The player is not a member yet: make them a member first.")


@guards.life_cycle("a card is ended, not changed: issue another", once=("ended_at", "ended_as"))
class PlayerCard(models.Model):
    """A card with a barcode. A lost card is not accepted; its replacement has another barcode."""

    class EndReason(models.TextChoices):
        LOST = "lost", gettext_lazy("lost")
        REPLACED = "replaced", gettext_lazy("replaced")
        RETURNED = "returned", gettext_lazy("given back")

    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="cards")
    barcode = models.CharField(max_length=13, unique=True, help_text="Twelve digits by chance and a check digit.")
    issued_at = models.DateTimeField()
    issued_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_as = models.CharField(max_length=8, choices=EndReason.choices, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["member"], condition=Q(ended_at=None), name="playercard_one_good_one_per_member"
            ),
            models.CheckConstraint(
                condition=Q(ended_at=None, ended_as="") | (Q(ended_at__isnull=False) & ~Q(ended_as="")),
                name="playercard_says_how_it_ended",
            ),
        ]

    def __str__(self) -> str:
        return self.barcode


@guards.life_cycle("a visit stays on record: it can only end", once=("went_at", "went_by"))
class Visit(models.Model):
    """A player is here, from checking in to checking out, whatever tables they sit at meanwhile."""

    class Entrance(models.TextChoices):
        DESK = "desk", gettext_lazy("at the desk")
        KIOSK = "kiosk", gettext_lazy("at the kiosk")
        ONLINE = "online", gettext_lazy("by logging in")

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="visits")
    where = models.CharField(max_length=6, choices=Where.choices, default=Where.ROOM)
    way = models.CharField(max_length=6, choices=Entrance.choices)
    came_at = models.DateTimeField()
    came_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    went_at = models.DateTimeField(null=True, blank=True)
    went_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["player", "where"], condition=Q(went_at=None), name="visit_one_at_a_time_and_place"
            ),
            models.CheckConstraint(
                condition=Q(went_at=None) | Q(went_at__gte=F("came_at")), name="visit_ends_after_it_began"
            ),
            models.CheckConstraint(condition=~Q(where="both"), name="visit_is_at_one_place"),
        ]
        indexes = [models.Index(fields=["where", "came_at"], condition=Q(went_at=None), name="visit_who_is_here")]

    def __str__(self) -> str:
        return f"visit {self.pk} of player {self.player_id}"


@guards.life_cycle("a ban stays on record: it can only be lifted", once=("lifted_at", "lifted_by", "lifted_why"))
class Ban(models.Model):
    """A player may not play, from a moment to another (None: for good): by the house, or by their own wish, which
    nobody takes back before its end."""

    class Kind(models.TextChoices):
        HOUSE = "house", gettext_lazy("banned by the house")
        SELF = "self", gettext_lazy("excluded themselves")

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="bans")
    kind = models.CharField(max_length=5, choices=Kind.choices)
    where = models.CharField(max_length=6, choices=Where.choices, default=Where.BOTH)
    reason = models.CharField(max_length=300)
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True, help_text="None: permanent.")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    lifted_at = models.DateTimeField(null=True, blank=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    lifted_why = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(until=None) | Q(until__gt=F("since")), name="ban_ends_after_it_begins"),
            models.CheckConstraint(condition=~Q(reason=""), name="ban_has_a_reason"),
            # No service and no administrator takes back what a player wished for themselves.
            models.CheckConstraint(condition=Q(kind="house") | Q(lifted_at=None), name="ban_of_himself_is_not_lifted"),
        ]
        indexes = [models.Index(fields=["player", "until"], condition=Q(lifted_at=None), name="ban_of_a_player")]

    def __str__(self) -> str:
        return f"ban {self.pk} of player {self.player_id}"

    @staticmethod
    def not_found() -> NotFound:
        """What is answered where there is no such row."""
        return NotFound("no-such-ban", "There is no such ban.")


@guards.life_cycle("a note stays on record: it can only be removed", once=("removed_at", "removed_by"))
class PlayerNote(models.Model):
    """A note of staff about a player, which the player never sees."""

    class Flag(models.TextChoices):
        NONE = "", gettext_lazy("none")
        WATCH = "watch", gettext_lazy("watch")
        DISPUTE = "dispute", gettext_lazy("dispute")
        HOST = "host", gettext_lazy("VIP")
        CARE = "care", gettext_lazy("responsible gaming")

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="staff_notes")
    text = models.CharField(max_length=1000)
    flag = models.CharField(max_length=8, choices=Flag.choices, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True, blank=True)
    removed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ["-pk"]
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="playernote_says_something")]

    def __str__(self) -> str:
        return f"note {self.pk} about player {self.player_id}"

    @staticmethod
    def not_found() -> NotFound:
        """What is answered where there is no such row."""
        return NotFound("no-such-note", "There is no such note.")


@guards.free("a player's own, for themselves")
class PlayerMark(models.Model):
    """What a player notes about another one, for themselves only: a note, a colour, whether they are a friend, and
    whether their chat is hidden."""

    class Colour(models.TextChoices):
        NONE = "", gettext_lazy("None")
        RED = "red", gettext_lazy("Red")
        ORANGE = "orange", gettext_lazy("Orange")
        YELLOW = "yellow", gettext_lazy("Yellow")
        GREEN = "green", gettext_lazy("Green")
        BLUE = "blue", gettext_lazy("Blue")
        PURPLE = "purple", gettext_lazy("Purple")

    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="player_marks")
    about = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    note = models.CharField(max_length=500, blank=True)
    colour = models.CharField(max_length=6, choices=Colour.choices, blank=True)
    is_friend = models.BooleanField(default=False)
    is_muted = models.BooleanField(default=False, help_text="Their lines in the chat are not shown.")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at"]
        constraints = [
            models.UniqueConstraint(fields=["by", "about"], name="playermark_one_about_a_player"),
            models.CheckConstraint(condition=~Q(by=F("about")), name="playermark_is_about_somebody_else"),
        ]

    def __str__(self) -> str:
        return f"what player {self.by_id} keeps about player {self.about_id}"


@guards.life_cycle(
    "what is blocked stays on record: take the line off and add another",
    changes=("reason", "until", "removed_at"),
    ends="removed_at",
)
class Blocked(models.Model):
    """One line of the blacklist: a network, an e-mail address or domain, or a name that cannot be used to sign up or
    log in. A removed entry stays as a row."""

    class Kind(models.TextChoices):
        NETWORK = "network", gettext_lazy("network")
        EMAIL = "email", gettext_lazy("e-mail")
        NAME = "name", gettext_lazy("screen name")

    kind = models.CharField(max_length=7, choices=Kind.choices)
    value = models.CharField(max_length=254, help_text="192.0.2.0/24, @example.org or a@example.org, a name or its*.")
    reason = models.CharField(max_length=300)
    until = models.DateTimeField(null=True, blank=True, help_text="None: permanent.")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(value=""), name="blocked_is_something"),
            models.UniqueConstraint(
                fields=["kind", "value"], condition=Q(removed_at=None), name="blocked_is_on_the_list_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.value}"

    @staticmethod
    def not_found() -> NotFound:
        """What is answered where there is no such row."""
        return NotFound("no-such-line", "There is no such blacklist entry.")


@guards.free("a player's own, and removed where it is improper")
class Picture(models.Model):
    """A player's own picture, as others see it at a table: WebP. `digest`: of its bytes, and in its address.

    Players report an improper one to the floor, which removes it or lets it stand.
    """

    player = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="picture")
    digest = models.CharField(max_length=64, db_index=True)
    body = models.BinaryField()
    at = models.DateTimeField()
    reported_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    reported_at = models.DateTimeField(null=True, blank=True)
    reported_why = models.CharField(max_length=300, blank=True)

    def __str__(self) -> str:
        return f"picture of player {self.player_id}"

    @staticmethod
    def not_found() -> NotFound:
        """What is answered where there is no such row."""
        return NotFound("no-such-picture", "This player has no picture of their own.")

    @property
    def address(self) -> str:
        return reverse("picture", args=[self.digest])


# Sessions


@guards.free("ends when somebody logs out")
class RoomSession(AbstractBaseSession):
    """A session that says whose it is, so that staff can see who is connected and end it.

    Its key is a secret: `handle`, made from it, is what is shown and sent around. `seen_at`: when one of its sockets
    was last known to be open.
    """

    handle = models.CharField(max_length=16, unique=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="sessions"
    )
    kiosk_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="kiosks",
        help_text="Who made this screen a kiosk; nobody is logged in there.",
    )
    address = models.GenericIPAddressField(null=True, blank=True)
    agent = models.CharField(max_length=200, blank=True)
    began_at = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta(AbstractBaseSession.Meta):
        verbose_name = "session"
        verbose_name_plural = "sessions"

    def save(self, *, force_update: bool = False, **how: Any) -> None:
        if force_update:  # by the store, which knows nothing of sockets
            about = ("user", "kiosk_by", "address", "agent", "began_at")
            how["update_fields"] = ["session_data", "expire_date", *about]
        super().save(force_update=force_update, **how)

    @classmethod
    def get_session_store_class(cls) -> Any:
        return import_module(settings.SESSION_ENGINE).SessionStore


@guards.free("ends with its session")
class PushSubscription(models.Model):
    """A browser that gets push messages: where its push service takes them, and the keys that it reads them with.

    It ends with the session that asked for it. `seen_at`: when its player last had a page of the room in sight.
    """

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_subscriptions")
    session = models.ForeignKey(RoomSession, null=True, on_delete=models.CASCADE, related_name="+")
    endpoint = models.CharField(max_length=500, unique=True)
    p256dh = models.CharField(max_length=90)
    auth = models.CharField(max_length=30)
    browser = models.JSONField(help_text="What it is called, see `push.browser_of`.")
    at = models.DateTimeField()
    seen_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"push to {to_text(self.browser)} of player {self.player_id}"


# API tokens


@guards.free("ends when it is revoked or expires")
class ApiToken(AbstractAuthToken):
    """An API token: its secret is shown once and not stored, only its hash (`digest`) and first letters are.

    It ends at `expiry`, and does no more than its `scopes` say, whatever the person themselves may do.
    """

    # Knox makes the hash the primary key; a row that is named in an address needs another.
    id = models.BigAutoField(primary_key=True)
    digest = models.CharField(max_length=128, unique=True, editable=False)
    name = models.CharField(max_length=60)
    scopes = models.CharField(max_length=60, help_text='Parted by spaces: "read play".')
    key = models.CharField(max_length=80, blank=True, editable=False, help_text="The caller's own, for a repeat.")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="apitoken_has_a_name"),
            models.CheckConstraint(condition=~Q(scopes=""), name="apitoken_has_a_scope"),
            models.CheckConstraint(condition=Q(expiry__isnull=False), name="apitoken_ends_some_day"),
            models.UniqueConstraint(fields=["user", "key"], condition=~Q(key=""), name="apitoken_one_per_key"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def scope_names(self) -> list[str]:
        return self.scopes.split()

    def allows(self, scope: str) -> bool:
        """Whether the bearer may do what needs `scope`."""
        return scope in self.scope_names
