"""Addresses of the tournaments' sockets."""

from django.urls import URLPattern, re_path

from tournaments.live.consumers import TournamentConsumer

websocket_urlpatterns: list[URLPattern] = [
    re_path(r"^ws/tournaments/(?P<tournament_id>[0-9]{1,18})/$", TournamentConsumer.as_asgi()),
]
