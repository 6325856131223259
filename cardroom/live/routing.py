"""Addresses of the house's own sockets."""

from django.urls import URLPattern, re_path

from cardroom.live.room_consumer import NewsConsumer

websocket_urlpatterns: list[URLPattern] = [re_path(r"^ws/room/$", NewsConsumer.as_asgi())]
