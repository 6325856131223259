"""Addresses of the live sockets."""

from django.urls import URLPattern, re_path

from games.live.consumers import TableConsumer
from games.live.floor_consumer import FloorConsumer

websocket_urlpatterns: list[URLPattern] = [
    re_path(r"^ws/tables/(?P<table_id>[0-9]{1,18})/$", TableConsumer.as_asgi()),
    re_path(r"^ws/floor/$", FloorConsumer.as_asgi()),
]
