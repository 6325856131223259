"""Events for the operator to look at. They are run on their own pages, and facts are read by `journal` alone."""

from django.contrib.admin import site

from cardroom.admin import ReadOnlyAdmin
from tournaments.events.models import League, Payment, Season, Series, Template, Tournament, TournamentEntry
from tournaments.prizes.models import Payout, Ticket

site.register(
    Tournament,
    ReadOnlyAdmin,
    list_display=["name", "conduct", "state", "starts_at", "entries_count", "players_left", "pool"],
    list_filter=["state", "conduct"],
    search_fields=["name"],
    date_hierarchy="created_at",
)
site.register(
    TournamentEntry,
    ReadOnlyAdmin,
    list_display=["tournament", "number", "name", "state", "table", "seat", "chips", "place", "prize"],
    list_filter=["state", "how"],
    list_select_related=["tournament"],
    search_fields=["name", "=player__username"],
)
site.register(
    Payment,
    ReadOnlyAdmin,
    list_display=["tournament", "number", "entry", "what", "method", "pool", "fee", "bounty", "staff", "refunded_at"],
    list_filter=["what", "method"],
    list_select_related=["tournament", "entry"],
    date_hierarchy="at",
)
site.register(
    Payout,
    ReadOnlyAdmin,
    list_display=["tournament", "number", "entry", "what", "place", "amount", "state", "paid_at"],
    list_filter=["state", "what"],
    list_select_related=["tournament", "entry"],
)
site.register(
    Ticket,
    ReadOnlyAdmin,
    list_display=["code", "player", "tournament", "series", "value", "state", "issued_at"],
    list_filter=["state"],
    list_select_related=["player", "tournament", "series"],
    search_fields=["code", "=player__username"],
)
site.register(
    Template,
    ReadOnlyAdmin,
    list_display=["name", "conduct", "updated_at", "is_archived"],
    list_filter=["conduct", "is_archived"],
)
site.register(Series, ReadOnlyAdmin, list_display=["name", "starts_on", "ends_on", "is_archived"])
site.register(League, ReadOnlyAdmin, list_display=["name", "formula", "best_of", "is_archived"])
site.register(
    Season,
    ReadOnlyAdmin,
    list_display=["league", "name", "starts_on", "ends_on", "closed_at"],
    list_select_related=["league"],
)
