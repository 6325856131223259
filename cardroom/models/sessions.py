"""Who is logged in, and from where."""

from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models


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
