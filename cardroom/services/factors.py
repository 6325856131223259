"""The second factor of staff: an authenticator app or a passkey, without which nobody works in the room.

The setting `CARDROOM_STAFF_FACTOR` asks for it; a demo and the tests do without. Who holds a role, or is an operator,
and has none is asked at every door to set one up first: pages, API, tokens and sockets.
"""

from allauth.mfa.models import Authenticator
from django.conf import settings

from cardroom.services import access
from cardroom.services.access import Viewer
from cardroom.services.errors import Forbidden

KINDS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


def is_asked_of(user: Viewer) -> bool:
    """Whether this person needs a second factor: staff of a room that asks for it."""
    if not settings.CARDROOM_STAFF_FACTOR or not user.is_authenticated:
        return False
    return bool(user.is_superuser or user.is_staff or access.roles_of(user))


def check(user: Viewer) -> None:
    """`Forbidden` where the user needs a second factor and has none."""
    if is_asked_of(user) and not Authenticator.objects.filter(user=user.pk, type__in=KINDS).exists():
        raise Forbidden(
            "Who works in this room needs a second factor. Log in with a browser and set up an authenticator app or a "
            "passkey.",
            "second-factor",
        )
