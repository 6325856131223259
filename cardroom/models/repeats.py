"""Requests that were answered, for what has no room of its own for the caller's key."""

from django.conf import settings
from django.db import models


class Repeat(models.Model):
    """One request of `user` under their own `key`: what was asked, as a digest, and which row answered it."""

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
