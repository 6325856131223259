"""A person or a house bot. What somebody may do is a matter of Django groups, see `services.access`."""

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower

from cardroom import names


class LooksField(models.CharField):  # type: ignore[type-arg]
    """What the screen name of the row looks like, written whenever the row is."""

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        user: Any = model_instance
        user.looks = names.looks(user.username)
        return user.looks


class User(AbstractUser):
    """`username` is the screen name everybody at the table sees; two that look alike are the same name, see `looks`."""

    looks = LooksField(
        max_length=600,
        unique=True,
        editable=False,
        help_text="The screen name without what makes no difference to the eye, see cardroom.names.",
    )
    is_bot = models.BooleanField(default=False, help_text="A player of the house, marked as such at the table.")
    personality = models.CharField(max_length=40, blank=True, help_text="How a bot plays; empty for people.")
    four_colour = models.BooleanField("four-colour deck", default=False)
    time_zone = models.CharField(
        max_length=60, blank=True, help_text="Such as Europe/Berlin: what pages show is in it; empty: the room's."
    )
    wants_mail = models.BooleanField(
        "mail about tournaments and calls",
        default=True,
        help_text="Starts, prizes, cancellations, and calls from waiting lists: to those who gave an address.",
    )

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                Lower("username"),
                name="user_screen_name_is_unique",
                violation_error_message="Somebody already plays under this name.",
            ),
            models.CheckConstraint(
                condition=models.Q(is_bot=False, personality="") | (models.Q(is_bot=True) & ~models.Q(personality="")),
                name="user_personality_is_a_bots",
            ),
        ]

    def clean(self) -> None:
        """For forms that know the model only, as the operator's."""
        super().clean()
        fault = names.fault(self.username)
        same = type(self).objects.filter(looks=names.looks(self.username)).exclude(pk=self.pk)
        if not fault and same.exists():
            fault = "Somebody already plays under this name, or one that looks like it."
        if fault:
            raise ValidationError({"username": fault})
