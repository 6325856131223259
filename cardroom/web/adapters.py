"""How the room takes in new people, and lets people in."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone

from cardroom.models import User
from cardroom.services import blacklist, people, standing
from cardroom.services.errors import Forbidden, Invalid


class AccountAdapter(DefaultAccountAdapter):
    """A person who signs up gets a screen name that fits a seat, and the welcome chips. Who is on the blacklist does
    not sign up, and neither he nor who is banned from playing online logs in."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        blacklist.check(now=timezone.now(), address=address_of(request))
        return super().is_open_for_signup(request)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        username = super().clean_username(username, shallow=shallow)
        try:
            people.check_name(username)
            blacklist.check(now=timezone.now(), name=username)
        except (Invalid, Forbidden) as refusal:
            raise ValidationError(refusal.message, code=refusal.code) from refusal
        return username

    def clean_email(self, email: str) -> str:
        email = super().clean_email(email)
        try:
            blacklist.check(now=timezone.now(), email=email)
        except Forbidden as refusal:
            raise ValidationError(refusal.message, code=refusal.code) from refusal
        return email

    def pre_login(self, request: HttpRequest, user: User, **how: Any) -> Any:
        check_may_log_in(request, user)
        return super().pre_login(request, user, **how)

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        if not commit:
            return super().save_user(request, user, form, commit=False)
        try:
            with transaction.atomic():
                user = super().save_user(request, user, form)
                people.sign_up_bonus(user=user, now=timezone.now())
        except IntegrityError as error:
            # Two people chose one name in the same moment; the form found it free for both.
            raise people.name_taken(user.username) from error
        return user


def check_may_log_in(request: HttpRequest, user: User) -> None:
    """The gate of every way in by name and password, passkey or code: `Forbidden`, with the reason of a ban."""
    now = timezone.now()
    standing.check_may_log_in(player=user, now=now)
    blacklist.check(now=now, address=address_of(request), email=user.email, name=user.username)


def address_of(request: HttpRequest) -> str | None:
    """Where a request came from, past the proxies that are trusted; None where nobody can say."""
    if not request.META.get("REMOTE_ADDR"):
        return None
    address: str = AccountAdapter(request).get_client_ip(request)
    return address
