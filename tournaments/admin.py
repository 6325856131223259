"""Events for the operator to look at. They are run on their own pages, and facts are read by `journal` alone."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from tournaments.events.models import League, Payment, Season, Series, Template, Tournament, TournamentEntry
from tournaments.prizes.models import Payout, Ticket


class ReadOnly(admin.ModelAdmin):
    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Tournament)
class TournamentAdmin(ReadOnly):
    list_display = ["name", "conduct", "state", "starts_at", "entries_count", "players_left", "pool"]
    list_filter = ["state", "conduct"]
    search_fields = ["name"]
    date_hierarchy = "created_at"


@admin.register(TournamentEntry)
class TournamentEntryAdmin(ReadOnly):
    list_display = ["tournament", "number", "name", "state", "table", "seat", "chips", "place", "prize"]
    list_filter = ["state", "how"]
    list_select_related = ["tournament"]
    search_fields = ["name", "=player__username"]


@admin.register(Payment)
class PaymentAdmin(ReadOnly):
    list_display = ["tournament", "number", "entry", "what", "method", "pool", "fee", "bounty", "staff", "refunded_at"]
    list_filter = ["what", "method"]
    list_select_related = ["tournament", "entry"]
    date_hierarchy = "at"


@admin.register(Payout)
class PayoutAdmin(ReadOnly):
    list_display = ["tournament", "number", "entry", "what", "place", "amount", "state", "paid_at"]
    list_filter = ["state", "what"]
    list_select_related = ["tournament", "entry"]


@admin.register(Ticket)
class TicketAdmin(ReadOnly):
    list_display = ["code", "player", "tournament", "series", "value", "state", "issued_at"]
    list_filter = ["state"]
    list_select_related = ["player", "tournament", "series"]
    search_fields = ["code", "=player__username"]


@admin.register(Template)
class TemplateAdmin(ReadOnly):
    list_display = ["name", "conduct", "updated_at", "is_archived"]
    list_filter = ["conduct", "is_archived"]


@admin.register(Series)
class SeriesAdmin(ReadOnly):
    list_display = ["name", "starts_on", "ends_on", "is_archived"]


@admin.register(League)
class LeagueAdmin(ReadOnly):
    list_display = ["name", "formula", "best_of", "is_archived"]


@admin.register(Season)
class SeasonAdmin(ReadOnly):
    list_display = ["league", "name", "starts_on", "ends_on", "closed_at"]
    list_select_related = ["league"]
