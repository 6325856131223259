"""Keys by which programs speak for a person."""

from django.db import models
from django.db.models import Q
from knox.models import AbstractAuthToken


class ApiToken(AbstractAuthToken):
    """One key: the secret itself is shown once and kept nowhere, only its hash (`digest`) and first letters are.

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
