"""Home games, wrong passwords, watched tables, and players' notes about their hands."""

from django.conf import settings
from django.db import models

from cardroom.core.database import guards
from games.tables.models.tables import Hand, Table


@guards.free("its link is made anew when the host wishes")
class HomeGame(models.Model):
    """A private table that a player opened for the people to whom they send its link, which has this word in it."""

    table = models.OneToOneField(Table, on_delete=models.PROTECT, related_name="home")
    host = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="home_games")
    word = models.CharField(max_length=40, unique=True)
    is_hidden = models.BooleanField(
        default=False,
        help_text="Whether it is only for who is invited: nobody else is told that there is such a table.",
    )
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"home game of player {self.host_id}"


@guards.free("counted for a while")
class PasswordGuess(models.Model):
    """A wrong password at a private table: after some of them the player has to wait."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="guesses")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["table", "at"], name="passwordguess_of_a_table")]

    def __str__(self) -> str:
        return f"a guess at table {self.table_id}"


@guards.free("who looks on now")
class Watch(models.Model):
    """Somebody watches this table of an event, or did a moment ago: its bots play at a visible pace."""

    table = models.OneToOneField(Table, primary_key=True, on_delete=models.CASCADE, related_name="watch")
    until = models.DateTimeField()

    def __str__(self) -> str:
        return f"table {self.table_id} is watched"


@guards.free("a player's own, for themselves")
class HandMark(models.Model):
    """A player's note about a hand they played. Nobody else sees it.

    `tags`: words, each between two spaces, so that a query can find a whole word: " bluff river ".
    """

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="hand_marks")
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="marks")
    tags = models.CharField(max_length=200, blank=True)
    note = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "hand"], name="handmark_one_per_player_and_hand")]

    def __str__(self) -> str:
        return f"hand {self.hand_id}:{self.tags}"
