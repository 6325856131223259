"""The house's own rulebooks, version by version. A version is written once: hands are played and replayed by it."""

from django.conf import settings
from django.db import models

from cardroom.core.database import guards
from cardroom.core.errors import NotFound


@guards.append_only("a house rulebook keeps its name and its base: make another")
class HouseRulebook(models.Model):
    """A book of the house and the published one it started from. What it says is in its versions."""

    slug = models.SlugField(max_length=30, unique=True)
    name = models.CharField(max_length=40, unique=True)
    base = models.CharField(max_length=20, help_text="The slug of one in games/rulebooks.")
    founded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    founded_at = models.DateTimeField()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @staticmethod
    def not_found() -> NotFound:
        """What is answered where there is no such row."""
        return NotFound("no-such-rulebook", "There is no such house rulebook.")


@guards.append_only("a version stays as it was saved: save another")
class RulebookVersion(models.Model):
    """A house book as it was on a day. `version` is that day, with a number where it was not the first of it.

    `points`: every point as `games.rulebooks.house.written` writes it. `changes`, by point: what the house changed and
    how the base book had it then, see `house.changes_of`. `key` is the caller's own: the same one again is answered
    with this row.
    """

    book = models.ForeignKey(HouseRulebook, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField(help_text="Counts from 1 in each book.")
    version = models.CharField(max_length=14)
    base_version = models.CharField(max_length=10)
    changes = models.JSONField(blank=True, default=dict)
    points = models.JSONField()
    note = models.CharField(max_length=300, blank=True, help_text="Why, in the manager's words.")
    saved_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ["book", "number"]
        constraints = [
            models.UniqueConstraint(fields=["book", "number"], name="rulebookversion_number_is_unique_in_its_book"),
            models.UniqueConstraint(fields=["book", "version"], name="rulebookversion_day_is_unique_in_its_book"),
        ]

    def __str__(self) -> str:
        return f"{self.book} {self.version}"

    @property
    def slug(self) -> str:
        """What the facts of a hand call the book."""
        return f"house:{self.book.slug}"

    @property
    def reference(self) -> str:
        """What tables and tournaments name it by."""
        return f"{self.slug}@{self.version}"

    @property
    def title(self) -> str:
        """What rulings call it."""
        return f"House rules {self.book.name} {self.version}"
