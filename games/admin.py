"""Tables, seats and hands for the staff to look at. No facts: cards are seen at the table or in an auditor's view."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from games.rulebooks.models import RulebookVersion
from games.tables.models.tables import Hand, Seat, SeatMove, Table


class ReadOnly(admin.ModelAdmin):
    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Table)
class TableAdmin(ReadOnly):
    list_display = ["name", "game", "stakes", "state", "hand_count", "bots"]
    list_filter = ["state", "game"]
    search_fields = ["name"]


@admin.register(Seat)
class SeatAdmin(ReadOnly):
    list_display = ["table", "number", "player", "state", "sat_at"]
    list_filter = ["state"]
    list_select_related = ["table", "player"]


@admin.register(SeatMove)
class SeatMoveAdmin(ReadOnly):
    list_display = ["at", "table", "number", "player", "kind", "amount"]
    list_filter = ["kind"]
    list_select_related = ["table", "player"]
    date_hierarchy = "at"


@admin.register(Hand)
class HandAdmin(ReadOnly):
    list_display = ["table", "number", "started_at", "ended_at", "seq"]
    list_select_related = ["table"]
    date_hierarchy = "started_at"


@admin.register(RulebookVersion)
class RulebookVersionAdmin(ReadOnly):
    list_display = ["title", "saved_at", "saved_by", "note"]
    list_select_related = ["book", "saved_by"]
    date_hierarchy = "saved_at"
