"""Practice of rulings: a row of questions from a seed, and what the trainee made of each."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from cardroom.core.database import guards


class PracticeSession(models.Model):
    """Question `n` of a session follows from `seed` and `n`; `rate` is the percentage of them with a mistake in it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="practice_sessions")
    seed = models.BigIntegerField()
    rate = models.PositiveSmallIntegerField(default=70)
    rulebook = models.CharField(max_length=80)
    game = models.CharField(max_length=40, default="seven-card-stud")
    setting = models.CharField(max_length=20, default="cash")
    started_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(rate__gte=0, rate__lte=100), name="practice_rate_is_a_percentage")
        ]

    def __str__(self) -> str:
        return f"practice {self.pk}"


@guards.append_only("an answer given stays as it was given")
class PracticeAnswer(models.Model):
    """What was picked and what was right; empty words: nothing was wrong, or was said to be. `key` and `verdict` are
    the first of the rulings to be made; `picked_also`: the rulings picked beside the first, as [key, verdict]."""

    session = models.ForeignKey(PracticeSession, on_delete=models.PROTECT, related_name="answers")
    number = models.PositiveIntegerField()
    key = models.CharField(max_length=40, blank=True)
    verdict = models.CharField(max_length=40, blank=True)
    picked_key = models.CharField(max_length=40, blank=True)
    picked_verdict = models.CharField(max_length=40, blank=True)
    picked_also = models.JSONField(default=list)
    is_right = models.BooleanField()
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["session", "number"], name="practice_one_answer_a_question")]

    def __str__(self) -> str:
        return f"answer {self.number} of practice {self.session_id}"

    @property
    def picks(self) -> list[tuple[str, str]]:
        """Every ruling that was picked."""
        return [(self.picked_key, self.picked_verdict), *[(key, verdict) for key, verdict in self.picked_also]]
