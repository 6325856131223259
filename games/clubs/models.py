"""Clubs, their members and tables, and the players who are shown on the leaderboard of the room."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from cardroom.core.database import guards
from cardroom.core.errors import NotFound
from games.tables.models.tables import Table


@guards.free("a club is what its organisers make of it")
class Club(models.Model):
    """Players who play among themselves."""

    class Joining(models.TextChoices):
        OPEN = "open", gettext_lazy("anybody")
        REQUEST = "request", gettext_lazy("by request")
        LINK = "link", gettext_lazy("by link only")

    name = models.CharField(max_length=40)
    looks = models.CharField(max_length=600, help_text="What the name looks like: two clubs never look alike.")
    description = models.CharField(max_length=300, blank=True)
    welcome = models.CharField(max_length=300, blank=True, help_text="What a new member is told.")
    way = models.CharField(max_length=10, choices=Joining, default=Joining.REQUEST, help_text="How one joins.")
    word = models.CharField(max_length=40, unique=True, help_text="Of the link by which one joins.")
    founded_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["looks"], condition=Q(closed_at=None), name="club_names_do_not_look_alike")
        ]

    def __str__(self) -> str:
        return self.name

    @staticmethod
    def not_found() -> NotFound:
        """The refusal where there is no such row."""
        return NotFound("no-such-club", "There is no such club.")


@guards.free("what somebody is in a club now")
class ClubMember(models.Model):
    """A player's part in a club; players who ask to join, left or were removed have a row too."""

    class Kind(models.TextChoices):
        OWNER = "owner", gettext_lazy("owner")
        ORGANISER = "organiser", gettext_lazy("organiser")
        MEMBER = "member", gettext_lazy("member")
        ASKED = "asked", gettext_lazy("asks to join")
        LEFT = "left", gettext_lazy("left")
        REMOVED = "removed", gettext_lazy("removed")

    IN = (Kind.OWNER, Kind.ORGANISER, Kind.MEMBER)

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="members")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="clubs")
    part = models.CharField(max_length=10, choices=Kind)
    is_silenced = models.BooleanField(default=False, help_text="In the chat of the club; leaving does not end it.")
    at = models.DateTimeField(help_text="Of the last change of their part.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "player"], name="clubmember_one_row_per_player"),
            models.UniqueConstraint(fields=["club"], condition=Q(part="owner"), name="clubmember_one_owner"),
        ]

    def __str__(self) -> str:
        return f"{self.player} ({self.part})"


@guards.free("whose home game it is")
class ClubTable(models.Model):
    """A home game whose seats are for the members of a club."""

    table = models.OneToOneField(Table, on_delete=models.PROTECT, related_name="club_table")
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="tables")

    def __str__(self) -> str:
        return f"table {self.table_id} of club {self.club_id}"


@guards.free("a player's own wish")
class Ranked(models.Model):
    """A player who wants to be shown on the leaderboard of the room; without this row they are not."""

    player = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ranked")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"player {self.player_id} is shown"
