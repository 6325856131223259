"""The resources of games on offer, drop schedules, sections, and of the life of tables."""

from itertools import chain

from cardroom.web.api.routes import resource
from games.web.api import offer_tables, offers, private_tables

TABLE = "tables/<id:table_id>"

urlpatterns = [
    *resource("offers", offers.OffersView, name="api-offers"),
    *resource("offers/order", offers.OfferOrderView, name="api-offers-order"),
    *resource("offers/<id:offer_id>", offers.OfferView, name="api-offer"),
    *chain.from_iterable(
        resource(f"offers/<id:offer_id>/{verb}", view, name=f"api-offer-{verb}")
        for verb, view in offers.OFFER_VERBS.items()
    ),
    *resource("offers/<id:offer_id>/tables", offer_tables.OfferTablesView, name="api-offer-tables"),
    *resource("drop-schedules", offers.SchedulesView, name="api-drop-schedules"),
    *resource("drop-schedules/preview", offers.SchedulePreviewView, name="api-drop-schedule-preview"),
    *resource("drop-schedules/<id:schedule_id>", offers.ScheduleView, name="api-drop-schedule"),
    *resource("drop-schedules/<id:schedule_id>/retire", offers.RetireScheduleView, name="api-drop-schedule-retire"),
    *resource("sections", offers.SectionsView, name="api-sections"),
    *resource("sections/<id:section_id>", offers.SectionView, name="api-section"),
    *resource("floor/tables", offer_tables.RoomTablesView, name="api-floor-tables"),
    *resource("floor/tables/<id:table_id>", offer_tables.RoomTableView, name="api-floor-table"),
    *chain.from_iterable(
        resource(f"{TABLE}/{verb}", view, name=f"api-table-{verb}") for verb, view in offer_tables.VERBS.items()
    ),
    *resource(f"{TABLE}/section", offer_tables.TableSectionView, name="api-table-section"),
    *resource(f"{TABLE}/privacy", private_tables.PrivacyView, name="api-table-privacy"),
    *resource(f"{TABLE}/invitations", private_tables.InvitationsView, name="api-table-invitations"),
    *resource(f"{TABLE}/invitations/<id:player_id>", private_tables.InvitationView, name="api-table-invitation"),
    *resource(f"{TABLE}/unlock", private_tables.UnlockView, name="api-table-unlock"),
    *resource(f"{TABLE}/counts", offer_tables.CountsView, name="api-table-counts"),
]
