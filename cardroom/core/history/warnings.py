"""What `manage.py check` says of a room without a key for its seals, or without a place for their heads."""

from typing import Any

from django.conf import settings
from django.core import checks


@checks.register(checks.Tags.security, deploy=True)
def refuse_no_key(**_: Any) -> list[checks.CheckMessage]:
    """Without a key anyone who writes to the database can make the seals anew."""
    if settings.CARDROOM_HISTORY_KEY:
        return []
    return [
        checks.Error(
            "There is no CARDROOM_HISTORY_KEY: whoever writes to the database can make the seals of history anew.",
            hint="Set it to '1:' and a long random text, in every process of the room, and keep a copy.",
            id="cardroom.E011",
        )
    ]


@checks.register(checks.Tags.security, deploy=True)
def tell_of_no_heads(**_: Any) -> list[checks.CheckMessage]:
    """Heads of seals that lie nowhere else show nothing once the key is known as well."""
    if settings.CARDROOM_HISTORY_HEADS or settings.CARDROOM_HISTORY_MAIL:
        return []
    return [
        checks.Warning(
            "The heads of the seals of history are taken nowhere: set CARDROOM_HISTORY_HEADS or CARDROOM_HISTORY_MAIL.",
            id="cardroom.W011",
        )
    ]
