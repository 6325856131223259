"""The operator's look at the house: people can be edited, the books only read. Nothing here shows a hand.

What pages of the room show (tables, events, slips ...) is not shown here a second time, and model permissions, for
which the room does not ask, not at all: what somebody may do is their groups'.
"""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from cardroom.accounts.models import SealedLook, SealedView
from cardroom.core.models import Alarm, User
from cardroom.ledger.models import Account, Entry, Transfer


class ReadOnly:
    """Mixed into an admin or an inline: it can be looked at by whoever may, and changed by nobody."""

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def _without_permissions(options: Any) -> dict[str, Any]:
    return {**options, "fields": tuple(name for name in options["fields"] if name != "user_permissions")}


admin.site.unregister(Group)


@admin.register(Group)
class RoleAdmin(admin.ModelAdmin):
    """A role. What it may do is in the code."""

    fields = ("name",)


@admin.register(User)
class PersonAdmin(UserAdmin):
    list_display = ("username", "email", "is_bot", "is_staff", "is_active", "last_login")
    list_filter = ("is_bot", "is_staff", "is_active", "groups")
    fieldsets = (
        *((title, _without_permissions(options)) for title, options in UserAdmin.fieldsets or ()),
        (gettext_lazy("At the table"), {"fields": ("is_bot", "personality", "look", "wants_mail")}),
    )

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Somebody who ever held chips stays in the books: close the account by "active" instead."""
        return False


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
    list_display = ("id", "at", "reference", "reason", "by")
    list_select_related = ("by",)
    search_fields = ("reference",)
    date_hierarchy = "at"
    inlines = (EntryInline,)


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
