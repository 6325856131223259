"""Pages of tables, hands and rulebooks."""

from django.urls import path

from games.web import views

urlpatterns = [
    path("", views.lobby, name="lobby"),
    path("lobby/", views.lobby_tables, name="lobby_tables"),
    path("tables/<int:table_id>/", views.table_page, name="table"),
    path("tables/<int:table_id>/sit/", views.sit, name="sit"),
    path("tables/<int:table_id>/top-up/", views.top_up, name="top_up"),
    path("tables/<int:table_id>/sit-out/", views.sit_out, name="sit_out"),
    path("tables/<int:table_id>/come-back/", views.come_back, name="come_back"),
    path("tables/<int:table_id>/leave/", views.leave, name="leave"),
    path("tables/<int:table_id>/hands/", views.hands, name="hands"),
    path("hands/<int:hand_id>/", views.hand_page, name="hand"),
    path("rules/", views.rulebooks, name="rulebooks"),
    path("rules/<slug:slug>/", views.rulebook, name="rulebook"),
]
