"""How the room takes in new people."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone

from cardroom.models import User
from cardroom.services import people
from cardroom.services.errors import Invalid


class AccountAdapter(DefaultAccountAdapter):
    """A person who signs up gets a screen name that fits a seat, and the welcome chips."""

    def clean_username(self, username: str, shallow: bool = False) -> str:
        username = super().clean_username(username, shallow=shallow)
        try:
            people.check_name(username)
        except Invalid as refusal:
            raise ValidationError(refusal.message, code=refusal.code) from refusal
        return username

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
