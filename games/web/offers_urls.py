"""Pages of the games on offer, drop schedules, sections, and of what is done with a table as a whole."""

from django.urls import path

from games.web import offers, offers_tables

urlpatterns = [
    path("floor/offers/", offers.page, name="offers"),
    path("floor/offers/new/", offers.edit, name="offer_new"),
    path("floor/offers/<int:offer_id>/", offers.edit, name="offer"),
    path("floor/offers/<int:offer_id>/open/", offers.open_table, name="offer_open"),
    path("floor/offers/<int:offer_id>/<slug:verb>/", offers.change, name="offer_change"),
    path("floor/schedules/", offers.schedule_list, name="drop_schedules"),
    path("floor/schedules/new/", offers.schedule_edit, name="drop_schedule_new"),
    path("floor/schedules/<int:schedule_id>/", offers.schedule_edit, name="drop_schedule"),
    path("floor/schedules/<int:schedule_id>/retire/", offers.schedule_retire, name="drop_schedule_retire"),
    path("floor/sections/", offers.section_list, name="sections"),
    path("floor/sections/add/", offers.section_add, name="section_add"),
    path("floor/sections/<int:section_id>/<slug:verb>/", offers.section_change, name="section_change"),
    path("floor/tables/add/", offers.add_table, name="table_add"),
    path("floor/tables/<int:table_id>/actions/", offers_tables.actions, name="floor_table_actions"),
    path("floor/tables/<int:table_id>/actions/<slug:verb>/", offers_tables.act, name="floor_table_act"),
    path("tables/<int:table_id>/unlock/", offers_tables.unlock, name="table_unlock"),
]
