"""The second factor of staff. The setting `CARDROOM_STAFF_FACTOR` asks staff for a second factor: an authenticator
app or a passkey. A person who holds a role or is an operator and has none is asked to set one up on pages, in the API
and at sockets; a demo and the tests do without.
"""

from allauth.mfa.models import Authenticator
from django.conf import settings

from cardroom.core import access
from cardroom.core.access import Viewer
from cardroom.core.errors import Forbidden

KINDS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


def is_staff_person(user: Viewer) -> bool:
    """Whether this person holds a role of the room, or is an operator."""
    return user.is_authenticated and bool(user.is_superuser or user.is_staff or access.roles_of(user))


def is_asked_of(user: Viewer) -> bool:
    """Whether this person needs a second factor: staff of a room that asks for it."""
    return bool(settings.CARDROOM_STAFF_FACTOR) and is_staff_person(user)


def check(user: Viewer) -> None:
    """`Forbidden` where the user needs a second factor and has none."""
    if is_asked_of(user):
        require_factor(user)


def require_factor(user: Viewer) -> None:
    """`Forbidden` where the user has no second factor."""
    if not Authenticator.objects.filter(user=user.pk, type__in=KINDS).exists():
        raise Forbidden(
            "second-factor",
            "Staff need a second factor. Log in with a browser and set up an authenticator app or a passkey.",
        )
