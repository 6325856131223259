"""How the room takes in new people, and lets people in.

Browsers in which somebody has logged in before are known again by a signed cookie: a person who guesses at a password
elsewhere must not keep its owner out of their own account, so a browser that is known has wrong guesses of its own to
make. The cookie opens nothing. It is good for the password it was made under.
"""

from secrets import token_urlsafe
from typing import Any
from urllib.parse import urljoin

import structlog
from allauth.account import forms
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.email_verification import send_verification_email_to_address
from allauth.account.models import EmailAddress
from allauth.account.views import SignupView
from allauth.core.internal import ratelimit
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.webauthn.forms import AddWebAuthnForm, EditWebAuthnForm
from django.conf import settings
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.core import signing
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.forms import CharField, Form
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.html import format_html
from django.utils.translation import get_language, gettext, gettext_lazy, override

from cardroom.accounts import bans, blacklist, people, second_factor
from cardroom.accounts.pages import navigation
from cardroom.core import languages, names
from cardroom.core.errors import Conflict, Forbidden, Invalid
from cardroom.core.models import User

log = structlog.get_logger(__name__)

COOKIE = "cardroom_known"
_SALT = "cardroom.known-browser"
_MOST = 8  # people who share a browser, the last ones
_DAY = 24 * 60 * 60


def remember_browser(request: HttpRequest, answer: HttpResponse, user: User) -> None:
    """Note in a cookie that this person logged in with this browser."""
    number, people = _read_cookie(request)
    people = {**{key: mark for key, mark in people.items() if key != str(user.pk)}, str(user.pk): _mark_of(user)}
    content = {"browser": number, "people": dict([*people.items()][-_MOST:])}
    answer.set_cookie(
        COOKIE,
        signing.dumps(content, salt=_SALT),
        max_age=settings.CARDROOM_KNOWN_BROWSER_DAYS * _DAY,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def known_browser(request: HttpRequest, *, username: str = "", email: str = "", **_: Any) -> str | None:
    """What to count the wrong guesses of this browser at this person's password by; None where they have not logged in
    there under the password of now."""
    who = getattr(request, "user", None)
    if isinstance(who, User) and _is_called(who, username, email):
        return f"session:{request.session.session_key}"
    number, people = _read_cookie(request)
    if not people:
        return None
    for user in User.objects.filter(pk__in=[*people], is_active=True):
        if _is_called(user, username, email) and constant_time_compare(people[str(user.pk)], _mark_of(user)):
            return f"browser:{number}:{user.pk}"
    return None


def _read_cookie(request: HttpRequest) -> tuple[str, dict[str, str]]:
    try:
        longest = settings.CARDROOM_KNOWN_BROWSER_DAYS * _DAY
        content = signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=longest)
        return content["browser"], content["people"]
    except signing.BadSignature:
        return token_urlsafe(12), {}


def _mark_of(user: User) -> str:
    return salted_hmac(_SALT, f"{user.pk}:{user.password}", algorithm="sha256").hexdigest()[:32]


def _is_called(user: User, username: str, email: str) -> bool:
    names = {user.username.casefold()} if username else set()
    if email:
        names |= {user.email.casefold(), *(address.casefold() for address in _addresses(user))}
    return bool({username.casefold(), email.casefold()} & (names - {""}))


def _confirmed_addresses(user: User) -> list[str]:
    return [*user.emailaddress_set.filter(verified=True).values_list("email", flat=True)]


def _addresses(user: User) -> list[str]:
    return [*user.emailaddress_set.values_list("email", flat=True)]


class AccountAdapter(DefaultAccountAdapter):
    """A person who signs up gets a screen name that fits a seat, and the welcome chips. People on the blacklist cannot
    sign up or log in; players banned from playing online cannot log in."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        blacklist.check(now=timezone.now(), address=address_of(request))
        return super().is_open_for_signup(request)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        username = super().clean_username(names.normal(username), shallow=shallow)
        try:
            username = people.good_name(username)
            if not shallow and people.is_name_taken(username):
                raise people.name_taken_refusal(username)
            blacklist.check(now=timezone.now(), name=username)
        except (Conflict, Invalid, Forbidden) as refusal:
            raise ValidationError(refusal.message, code=refusal.code) from refusal
        return username

    def clean_email(self, email: str) -> str:
        email = super().clean_email(email)
        try:
            blacklist.check(now=timezone.now(), email=email)
        except Forbidden as refusal:
            raise ValidationError(refusal.message, code=refusal.code) from refusal
        return email

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Warns the operator of many wrong passwords from one address. They lock nobody out: a whole room may share
        that address, and the right password of one of its guests is not refused for the guesses of others."""
        super().authentication_failed(request, **credentials)
        if ratelimit.consume(request, app="allauth.account", action="login_failed_address") is None:
            log.warning("many wrong passwords from one address", address=ratelimit.get_ip(request))

    def send_notification_mail(
        self, template_prefix: str, user: Any, context: dict[str, Any] | None = None, email: str | None = None
    ) -> None:
        """A change of how a person logs in is mailed to every address that they have confirmed, and to the old one."""
        to = {email or EmailAddress.objects.get_primary_email(user), *_confirmed_addresses(user)}
        for address in sorted(filter(None, to)):
            super().send_notification_mail(template_prefix, user, {"user": user, **(context or {})}, email=address)

    def set_password(self, user: User, password: str) -> None:
        with transaction.atomic():  # what the old one opened ends with it
            super().set_password(user, password)

    def pre_login(self, request: HttpRequest, user: User, **how: Any) -> Any:
        check_may_log_in(request, user)
        return super().pre_login(request, user, **how)

    def post_login(self, request: HttpRequest, user: User, **how: Any) -> HttpResponse:
        answer: HttpResponse = super().post_login(request, user, **how)
        remember_browser(request, answer, user)
        return answer

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """Staff with a second factor have to use it; their password alone is not enough."""
        ways: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        by_factor = [way for way in ways if way["id"].startswith("mfa")]
        return by_factor if by_factor and second_factor.is_asked_of(user) else ways

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Wrong guesses from elsewhere are not counted against a browser in which the person has logged in before."""
        known = known_browser(request, **credentials)
        if known is None:
            super().pre_authenticate(request, **credentials)
            return
        usage = ratelimit.consume(request, app="allauth.account", action="login_failed_known", key=known)
        self._login_failed_rl_usage = usage
        if usage is None:
            raise self.validation_error("too_many_login_attempts")

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """By address and name together: a person who guesses at a password locks themselves out, not its owner."""
        return f"{ratelimit.get_ip(request)}|{super()._get_login_attempts_cache_key(request, **credentials)}"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """A mail has the room's own name and address, not those of the machine."""
        address = (settings.CARDROOM_ADDRESS or self.request.build_absolute_uri("/")).rstrip("/")
        room = {"name": settings.CARDROOM_NAME, "domain": address}
        links = {name: _at_the_rooms_address(link) for name, link in context.items() if name.endswith("_url")}
        wished = languages.chosen_by(context.get("user")) or get_language() or settings.LANGUAGE_CODE
        with override(wished):
            super().send_mail(template_prefix, email, context | links | {"current_site": room})

    def is_safe_url(self, url: str) -> bool:
        try:
            return bool(super().is_safe_url(url))
        except ValueError:  # no address at all, such as "https://[::"
            return False

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        return navigation.begins_at(request.user)

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        if not commit:
            return super().save_user(request, user, form, commit=False)
        try:
            with transaction.atomic():
                user.language, user.last_language = languages.kept_in(request), get_language() or ""
                user = super().save_user(request, user, form)
        except IntegrityError as error:
            # Two people chose one name in the same moment; the form found it free for both.
            raise people.name_taken_refusal(user.username) from error
        return user


class LoginForm(forms.LoginForm):  # type: ignore[misc]
    """The form of the login page, its field named by what is typed there."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.fields["login"].label = gettext("Username or e-mail")


class ResetPasswordForm(forms.ResetPasswordForm):  # type: ignore[misc]
    """The form of a forgotten password. A new one is mailed to confirmed addresses alone: anybody can type an address
    into an account, and a person who had somebody's browser for a minute may have done so. The first password of an
    account that was opened at the desk is mailed to the address that it was opened with: nobody had a browser of it."""

    def clean_email(self) -> str:
        email: str = super().clean_email()
        is_confirmed = EmailAddress.objects.filter(email__iexact=email, verified=True).values("user")
        accounts = User.objects.filter(pk__in=[user.pk for user in self.users])
        is_new = Q(last_login=None, password__startswith=UNUSABLE_PASSWORD_PREFIX)
        self.users = [*accounts.filter(Q(pk__in=is_confirmed) | is_new)]
        return email


class KeyForm(AddWebAuthnForm):  # type: ignore[misc]
    """The form of a new security key, all of it in the reader's language."""

    name = CharField(label=gettext_lazy("Name"), required=False)


class KeyNameForm(EditWebAuthnForm):  # type: ignore[misc]
    """The same of one whose name changes."""

    name = CharField(label=gettext_lazy("Name"))


class SecondFactorAdapter(DefaultMFAAdapter):
    """Where something is missing for a second factor, redirects to the page where it is corrected."""

    def validation_error(self, code: str, *args: Any) -> ValidationError:
        if code != "unverified_email":
            return super().validation_error(code, *args)
        for address in self.request.user.emailaddress_set.filter(verified=False):
            send_verification_email_to_address(self.request, address)  # at most one in some minutes
        words = gettext(
            "Confirm your e-mail address first, by the link that is mailed to you, or remove it from "
            'your account: <a href="{}">E-mail addresses</a>.'
        )
        return ValidationError(format_html(words, reverse("account_email")), code=code)

    def _get_site_name(self) -> str:
        return str(settings.CARDROOM_NAME)


def _at_the_rooms_address(url: str) -> str:
    """The same page at the public address of the room, where the settings have one; else at that of the request."""
    if not settings.CARDROOM_ADDRESS:
        return url
    _, _, path = url.partition("://")
    return urljoin(settings.CARDROOM_ADDRESS, "/" + path.partition("/")[2])


def check_may_log_in(request: HttpRequest, user: User) -> None:
    """The gate of every way in by name and password, passkey or code: `Forbidden`, with the reason of a ban."""
    now = timezone.now()
    bans.check_may_log_in(player=user, now=now)
    blacklist.check(now=now, address=address_of(request), email=user.email, name=user.username)


def address_of(request: HttpRequest) -> str | None:
    """The address that a request came from, past the trusted proxies; None where it is not known."""
    if not request.META.get("REMOTE_ADDR"):
        return None
    address: str = AccountAdapter(request).get_client_ip(request)
    return address


class SignUpView(SignupView):  # type: ignore[misc]
    """Where the form is sent again because its first answer was lost, the name is taken by the person themselves: the
    same name and password log them in, by the rules and limits of the login page."""

    def form_valid(self, form: Form) -> HttpResponse:
        try:
            answer: HttpResponse = super().form_valid(form)
        except Conflict:
            again = self._logged_in(form)
            if again is None:
                raise
            return again
        return answer

    def form_invalid(self, form: Form) -> HttpResponse:
        is_taken = form.has_error("username", "username_taken")
        return (self._logged_in(form) if is_taken else None) or super().form_invalid(form)

    def _logged_in(self, form: Form) -> HttpResponse | None:
        name, password = form.data.get("username", ""), form.data.get("password1")
        login = LoginForm({"login": name, "password": password}, request=self.request)
        if not User.objects.filter(username=name).exists() or not login.is_valid():
            return None
        answer: HttpResponse = login.login(self.request, redirect_url=self.get_success_url())
        return answer
