"""A link to answer one call by, without logging in: it goes out with the text message and the mail about the call.

Whoever has the link answers as the player. It is good for this call alone, and dead when the call is over.
"""

from django.conf import settings
from django.core import signing
from django.urls import reverse

from cardroom.models import Notice
from games.models import ListEntry

_SALT = "games.call"


def link_of(notice: Notice) -> str:
    """What is said after a notice of a call that goes out; "" for other notices, and where nobody set the room's
    address."""
    if notice.kind != "called" or not settings.CARDROOM_ADDRESS:
        return ""
    entry = ListEntry.objects.filter(pk=notice.data.get("entry"), player=notice.player_id).first()
    if entry is None or not entry.is_called or entry.called_at is None or entry.is_move:
        return ""
    address = settings.CARDROOM_ADDRESS.rstrip("/") + reverse("call_link", args=[token_of(entry)])
    return f"Answer here: {address}"


def token_of(entry: ListEntry) -> str:
    """Says which call of which name on a list, signed."""
    return signing.Signer(sep="~", salt=_SALT).sign(f"{entry.pk}-{_call(entry)}")


def entry_of(token: str) -> tuple[ListEntry, bool] | None:
    """The name on a list, and whether this call of it is to be answered still; None for what this room never signed."""
    try:
        number, _, call = signing.Signer(sep="~", salt=_SALT).unsign(token).partition("-")
    except signing.BadSignature:
        return None
    entry = ListEntry.objects.select_related("player", "offer", "called_to").filter(pk=number).first()
    if entry is None:
        return None
    return entry, entry.is_called and entry.player.is_active and call == str(_call(entry))


def _call(entry: ListEntry) -> int:
    return int(entry.called_at.timestamp() * 1000) if entry.called_at else 0
