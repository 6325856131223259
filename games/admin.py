"""Tables, seats and hands for the staff to look at. No facts: cards are seen at the table or in an auditor's view."""

from django.contrib.admin import site

from cardroom.admin import ReadOnlyAdmin
from games.rulebooks.models import RulebookVersion
from games.tables.models.tables import Hand, Seat, SeatMove, Table

site.register(
    Table,
    ReadOnlyAdmin,
    list_display=["name", "game", "stakes", "state", "hand_count", "bots"],
    list_filter=["state", "game"],
    search_fields=["name"],
)
site.register(
    Seat,
    ReadOnlyAdmin,
    list_display=["table", "number", "player", "state", "sat_at"],
    list_filter=["state"],
    list_select_related=["table", "player"],
)
site.register(
    SeatMove,
    ReadOnlyAdmin,
    list_display=["at", "table", "number", "player", "kind", "amount"],
    list_filter=["kind"],
    list_select_related=["table", "player"],
    date_hierarchy="at",
)
site.register(
    Hand,
    ReadOnlyAdmin,
    list_display=["table", "number", "started_at", "ended_at", "seq"],
    list_select_related=["table"],
    date_hierarchy="started_at",
)
site.register(
    RulebookVersion,
    ReadOnlyAdmin,
    list_display=["title", "saved_at", "saved_by", "note"],
    list_select_related=["book", "saved_by"],
    date_hierarchy="saved_at",
)
