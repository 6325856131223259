"""The resources of tables, hands and rulebooks."""

from itertools import chain

from cardroom.web.api.routes import resource
from games.web import jackpots, lists, offers, seating, shifts, table_actions, times, window
from games.web.api import (
    hands,
    house_rulebooks,
    reports_urls,
    rulebooks,
    staff_urls,
    statement_urls,
    tables,
)

urlpatterns = [
    *resource("me/seats", tables.MySeatsView, name="api-my-seats"),
    *resource("tables", tables.TablesView, name="api-tables"),
    *resource("tables/<id:table_id>", tables.TableView, name="api-table"),
    *resource("tables/<id:table_id>/seats", tables.SeatsView, name="api-seats"),
    *chain.from_iterable(
        resource(f"tables/<id:table_id>/seats/{verb}", view, name=f"api-{verb}") for verb, view in tables.VERBS.items()
    ),
    *resource("tables/<id:table_id>/rulebook", house_rulebooks.TableRulebookView, name="api-table-rulebook"),
    *resource("tables/<id:table_id>/hands", hands.HandsView, name="api-hands"),
    *resource("hands/<id:hand_id>", hands.HandView, name="api-hand"),
    *resource("hands/<id:hand_id>/facts", hands.FactsView, name="api-facts"),
    *resource("hands/<id:hand_id>/act", hands.ActView, name="api-act"),
    *seating.api,
    *times.api,
    *staff_urls.urlpatterns,
    *lists.api,
    *jackpots.api,
    *shifts.api,
    *statement_urls.urlpatterns,
    *offers.api,
    *table_actions.api,
    *reports_urls.urlpatterns,
    *resource("rulebooks", rulebooks.RulebooksView, name="api-rulebooks"),
    *resource("rulebooks/choices", rulebooks.ChoicesView, name="api-rulebook-choices"),
    *resource("rulebooks/house", house_rulebooks.HouseBooksView, name="api-house-rulebooks"),
    *resource("rulebooks/house/<slug:book>", house_rulebooks.HouseBookView, name="api-house-rulebook"),
    *resource("rulebooks/house/<slug:book>/versions", house_rulebooks.HouseVersionsView, name="api-house-versions"),
    *resource(
        "rulebooks/house/<slug:book>/versions/<slug:version>",
        house_rulebooks.HouseVersionView,
        name="api-house-version",
    ),
    *resource("rulebooks/<slug:slug>", rulebooks.RulebookView, name="api-rulebook"),
    *window.api,
]
