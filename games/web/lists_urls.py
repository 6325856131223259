"""Pages of waiting lists."""

from django.urls import path

from games.web import call_link, lists, lists_kiosk, lists_staff

urlpatterns = [
    path("lists/", lists.every, name="lists"),
    path("lists/<int:offer_id>/", lists.game_list, name="list"),
    path("lists/<int:offer_id>/join/", lists.join, name="list_join"),
    path("me/lists/", lists.mine, name="my_lists"),
    path("me/lists/<int:entry_id>/", lists.entry, name="my_list_entry"),
    path("me/lists/<int:entry_id>/<slug:verb>/", lists.do, name="my_list_do"),
    path("me/calls/", lists.calls, name="my_calls"),
    path("calls/<str:token>/", call_link.page, name="call_link"),
    path("me/notices/<int:notice_id>/read/", lists.read_notice, name="notice_read"),
    path("floor/lists/", lists_staff.page, name="staff_lists"),
    path("floor/lists/side/", lists_staff.side, name="floor_lists"),
    path("floor/lists/find/", lists_staff.find, name="list_find"),
    path("floor/lists/add/", lists_staff.add, name="list_add"),
    path("floor/lists/tables/<int:table_id>/call-next/", lists_staff.call_next, name="list_call_next"),
    path("floor/lists/<int:entry_id>/", lists_staff.entry, name="staff_list_entry"),
    path("floor/lists/<int:entry_id>/<slug:verb>/", lists_staff.do, name="staff_list_do"),
    path("kiosk/", lists_kiosk.page, name="kiosk"),
    path("kiosk/open/", lists_kiosk.open_here, name="kiosk_open"),
    path("kiosk/close/", lists_kiosk.close_here, name="kiosk_close"),
    path("kiosk/join/", lists_kiosk.join, name="kiosk_join"),
]
