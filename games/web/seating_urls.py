"""Pages of seats."""

from django.urls import path

from games.web import seating

urlpatterns = [
    path("floor/tables/<int:table_id>/seats/", seating.plan, name="floor_table_seats"),
    path("floor/tables/<int:table_id>/seats/do/", seating.do, name="floor_seats_do"),
    path("me/seats/", seating.mine, name="my_seats"),
    path("me/seats/<int:table_id>/give-up/", seating.give_up, name="give_up_seat"),
]
