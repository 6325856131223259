"""Who is asking: the bearer of a token, somebody with a session, and, to make a token, name and password."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from knox.auth import TokenAuthentication
from rest_framework.authentication import BasicAuthentication, SessionAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied, Throttled
from rest_framework.request import Request

from cardroom.accounts import second_factor, tokens
from cardroom.accounts.models import ApiToken
from cardroom.accounts.pages.login import check_may_log_in
from cardroom.core.errors import Forbidden
from cardroom.core.models import User


class RoomToken(TokenAuthentication):
    """`Authorization: Bearer <secret>`, or `Token <secret>`. What it may do is asked in `access`."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Authenticate by `Token` or `Bearer`; the framework knows only one of these keywords."""
        word, *rest = get_authorization_header(request).split() or [b""]
        if word.lower() not in (b"token", b"bearer"):
            return None
        if len(rest) != 1:
            raise AuthenticationFailed(gettext("This token is invalid or has expired. Create a new one."), "bad-token")
        return self.authenticate_credentials(rest[0])

    def authenticate_credentials(self, token: bytes) -> tuple[User, ApiToken]:
        bearer = tokens.bearer_of(token.decode("latin-1"), now=timezone.now())
        if bearer is None:
            raise AuthenticationFailed(gettext("This token is invalid or has expired. Create a new one."), "bad-token")
        second_factor.check(bearer.user)
        return bearer.user, bearer


class SessionLogin(SessionAuthentication):
    """The session of a browser; what changes something needs its CSRF token in `X-CSRFToken` as well."""

    def enforce_csrf(self, request: Request) -> None:
        """Check the CSRF token as the framework does, but give the reason in the reader's language."""
        try:
            super().enforce_csrf(request)
        except PermissionDenied:
            words = gettext("The CSRF token is missing, or is that of an earlier log-in: load the page again.")
            raise PermissionDenied(words) from None


class Password(BasicAuthentication):
    """Name and password, for making the first token of a program; as many wrong guesses as the log-in page allows.

    Not for an account with a second factor: there a person logs in and makes the token in their session.
    """

    www_authenticate_realm = "Cardroom"

    def authenticate_credentials(self, userid: str, password: str, request: Request | None = None) -> tuple[User, None]:
        user = self._checked(userid, password, request)
        if user is None or not user.is_active or user.is_bot:
            raise AuthenticationFailed(gettext("Wrong name or password."), "bad-password")
        if request is not None:
            check_may_log_in(getattr(request, "_request", request), user)
        second_factor.check(user)
        if is_mfa_enabled(user):
            raise Forbidden(
                "second-factor", "This account has a second factor: log in with a browser to create a token."
            )
        return user, None

    def _checked(self, name: str, password: str, request: Request | None) -> Any:
        if "\0" in name or not name.isprintable():
            return None
        try:
            return get_adapter().authenticate(getattr(request, "_request", request), username=name, password=password)
        except ValidationError as refusal:
            raise Throttled(detail=" ".join(refusal.messages)) from refusal


class _TokenScheme(OpenApiAuthenticationExtension):
    target_class = RoomToken
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        words = "A token of the room. `Authorization: Token <secret>` does the same."
        return {"type": "http", "scheme": "bearer", "description": words}


class _SessionScheme(OpenApiAuthenticationExtension):
    target_class = SessionLogin
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        words = "The cookie of a browser that is logged in; requests that change something also need X-CSRFToken."
        return {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME, "description": words}


class _PasswordScheme(OpenApiAuthenticationExtension):
    target_class = Password
    name = "password"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {"type": "http", "scheme": "basic"}
