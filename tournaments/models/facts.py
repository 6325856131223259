"""The facts of tournaments."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class TournamentFact(models.Model):
    """One fact: read and written by `journal` alone, refused any change by the database itself.

    `data` is JSON as text. The first fact of a command carries what the command is known by: its id, if it was given
    one, the number of its last fact (`upto`), and who gave it; in the others these are empty.
    """

    tournament = models.ForeignKey("Tournament", on_delete=models.PROTECT, related_name="+")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=40)
    data = models.TextField()
    at = models.DateTimeField()
    upto = models.PositiveIntegerField(default=0)
    command_id = models.CharField(max_length=80, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "seq"], name="tournamentfact_seq_is_unique_in_its_event"),
            models.UniqueConstraint(
                fields=["tournament", "command_id"], condition=~Q(command_id=""), name="tournamentfact_one_per_command"
            ),
        ]

    def __str__(self) -> str:
        return f"fact {self.seq} of tournament {self.tournament_id}"
