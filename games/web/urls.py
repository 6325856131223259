"""Pages of tables, hands and rulebooks."""

from django.urls import include, path

from cardroom.web.api import routes  # noqa: F401  knows what an <id:> is
from games.web import board, call_link, jackpots, lists, lists_kiosk, rulebooks, sealed, seating, times, views, window

urlpatterns = [
    path("", include("games.web.staff_urls")),
    *lists.urlpatterns,
    *lists_kiosk.urlpatterns,
    path("calls/<str:token>/", call_link.page, name="call_link"),
    *seating.urlpatterns,
    *times.urlpatterns,
    path("", include("games.web.offers_urls")),
    path("", include("games.web.statement_urls")),
    path("", include("games.web.reports_urls")),
    path("", views.lobby, name="lobby"),
    path("lobby/", views.lobby_tables, name="lobby_tables"),
    path("board/", board.page, name="board"),
    path("board/screens/", board.screens, name="board_screens"),
    *window.urlpatterns,
    path("jackpots/", jackpots.page, name="jackpots"),
    path("jackpots/fragment/", jackpots.fragment, name="jackpots_fragment"),
    path("jackpots/change/", jackpots.change, name="jackpot_change"),
    path("jackpots/hit/", jackpots.hit, name="jackpot_hit"),
    path("jackpots/decide/", jackpots.decide, name="jackpot_decide"),
    path("tables/<int:table_id>/", views.table_page, name="table"),
    path("tables/<int:table_id>/sit/", views.sit, name="sit"),
    path("tables/<int:table_id>/top-up/", views.top_up, name="top_up"),
    path("tables/<int:table_id>/sit-out/", views.sit_out, name="sit_out"),
    path("tables/<int:table_id>/come-back/", views.come_back, name="come_back"),
    path("tables/<int:table_id>/leave/", views.leave, name="leave"),
    path("tables/<int:table_id>/hands/", views.hands, name="hands"),
    path("hands/<int:hand_id>/", views.hand_page, name="hand"),
    path("hands/<int:hand_id>/sealed/ask/", sealed.ask, name="sealed_ask"),
    path("hands/<int:hand_id>/sealed/close/", sealed.close, name="sealed_close"),
    path("hands/<int:hand_id>/sealed/look/", sealed.look, name="sealed_look"),
    path("tables/<int:table_id>/rulebook/", rulebooks.table_rulebook, name="table_rulebook"),
    path("rules/", rulebooks.rulebooks_page, name="rulebooks"),
    path("rules/house/", rulebooks.house_books, name="house_rulebooks"),
    path("rules/house/new/", rulebooks.house_new, name="house_new"),
    path("rules/house/<slug:slug>/", rulebooks.house_book, name="house_rulebook"),
    path("rules/house/<slug:slug>/edit/", rulebooks.house_edit, name="house_edit"),
    path("rules/house/<slug:slug>/history/", rulebooks.house_history, name="house_history"),
    path("rules/house/<slug:slug>/<slug:version>/", rulebooks.house_book, name="house_version"),
    path("rules/<slug:slug>/", rulebooks.rulebook, name="rulebook"),
]
