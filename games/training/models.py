"""Practice of rulings: a row of questions from a seed, and what the trainee made of each. Problems of the day, and what
people answered."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from cardroom.core.database import guards


@guards.append_only("a row of questions stays as it was begun")
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


@guards.free("a problem of a day to come is made better until then")
class Problem(models.Model):
    """A turn out of a hand, one a day. All facts are as the player in `seat` may see them, [kind, data] in their order:
    `before` to their turn, `after` to the end of the hand. `worths`: {"action", "value", "error"} in big bets, the best
    first. `hand`: of the room, and by its number alone; none where the problem came with the house."""

    day = models.DateField(unique=True)
    hand = models.PositiveBigIntegerField(null=True, blank=True)
    seat = models.PositiveSmallIntegerField()
    before = models.JSONField()
    after = models.JSONField()
    worths = models.JSONField()
    taken = models.CharField(max_length=20, help_text="What was done in the hand.")
    times = models.PositiveIntegerField(help_text="How often each choice was played on.")
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"problem of {self.day}"

    @property
    def best(self) -> str:
        return str(self.worths[0]["action"])


@guards.append_only("an answer given stays as it was given")
class ProblemAnswer(models.Model):
    """What somebody chose, once for each problem."""

    problem = models.ForeignKey(Problem, on_delete=models.PROTECT, related_name="answers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="problem_answers")
    action = models.CharField(max_length=20)
    is_right = models.BooleanField()
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["problem", "user"], name="problem_one_answer_a_person")]

    def __str__(self) -> str:
        return f"{self.action} to problem {self.problem_id}"
