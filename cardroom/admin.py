"""The house for the operator: the names of people can be edited, the rest is read-only. No hand is shown here.

What lets somebody act (roles, passwords, addresses, second factors, tokens) is not changed here: managers do that on
`/staff/accounts/`, where it takes two and is written down, and the operator by the command `role`.

What pages of the room show (tables, events, slips ...) is not shown here a second time, and model permissions, for
which the room does not ask, not at all: what somebody may do is their groups'.
"""

from typing import Any

import allauth.account.admin  # registers its models, which are registered in another way below
import allauth.mfa.admin  # noqa: F401
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy

from cardroom.accounts.models import SealedLook, SealedView
from cardroom.core.models import Alarm, User
from cardroom.core.sentences import to_text
from cardroom.ledger.models import Account, Entry, Transfer


class ReadOnly:
    """Mixed into an admin or an inline: it can be viewed with the permission to, and changed by nobody."""

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


for editable in (Group, EmailAddress, Authenticator):
    admin.site.unregister(editable)


@admin.register(Group)
class RoleAdmin(ReadOnly, admin.ModelAdmin):
    """A role. What it may do is in the code."""

    fields = ("name",)


@admin.register(User)
class PersonAdmin(UserAdmin):
    list_display = ("username", "email", "is_bot", "is_staff", "is_active", "last_login")
    list_filter = ("is_bot", "is_staff", "is_active", "groups")
    readonly_fields = ("email", "is_active", "is_staff", "is_superuser", "groups", "last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("username", "first_name", "last_name", "email")}),
        (gettext_lazy("Access"), {"fields": ("is_active", "is_staff", "is_superuser", "groups")}),
        (gettext_lazy("At the table"), {"fields": ("is_bot", "personality", "look", "wants_mail")}),
        (gettext_lazy("Important dates"), {"fields": ("last_login", "date_joined")}),
    )

    def has_add_permission(self, request: HttpRequest) -> bool:
        """People sign up, or managers open an account for them."""
        return False

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        """A password that somebody else chose is set by managers, who are written down."""
        raise PermissionDenied

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Somebody who ever held chips stays in the books: close the account by "active" instead."""
        return False


@admin.register(EmailAddress)
class AddressAdmin(ReadOnly, admin.ModelAdmin):
    """An address to which a new password is sent."""

    list_display = ("email", "user", "primary", "verified")
    list_filter = ("primary", "verified")
    list_select_related = ("user",)
    search_fields = ("email", "user__username")


@admin.register(Authenticator)
class FactorAdmin(ReadOnly, admin.ModelAdmin):
    """A second factor; its secret is not shown."""

    fields = list_display = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)
    list_select_related = ("user",)


@admin.register(Account)
class AccountAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("id", "kind", "owner", "label", "unit", "balance")
    list_filter = ("kind", "unit")
    list_select_related = ("owner",)
    search_fields = ("=owner__username", "label")


class EntryInline(ReadOnly, admin.TabularInline):
    model = Entry
    fields = ("account", "amount")

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("account__owner")


@admin.register(Transfer)
class TransferAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("id", "at", "reference", "reason_text", "by")
    fields = ("reference", "reason_text", "by", "at")
    list_select_related = ("by",)
    search_fields = ("reference",)
    date_hierarchy = "at"
    inlines = (EntryInline,)

    @admin.display(description=gettext_lazy("reason"))
    def reason_text(self, transfer: Transfer) -> str:
        return to_text(transfer.reason)


@admin.register(Alarm)
class AlarmAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("kind", "key", "due_at", "fence", "claimed_until")
    list_filter = ("kind",)


class SealedLookInline(ReadOnly, admin.TabularInline):
    model = SealedLook
    fields = ("subject", "at")


@admin.register(SealedView)
class SealedViewAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("user", "agreed_by", "reason", "opened_at", "until")
    list_select_related = ("user", "agreed_by")
    inlines = (SealedLookInline,)
