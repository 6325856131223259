"""Pages of the house."""

from django.urls import path

from cardroom.web import faults, trail, views
from cardroom.web.accounts import urlpatterns as accounts
from cardroom.web.api import routes  # noqa: F401  knows what an <id:> is
from cardroom.web.cage_operations import urlpatterns as cage
from cardroom.web.chat import urlpatterns as chat
from cardroom.web.players import urlpatterns as players

urlpatterns = [
    path("me/", views.me, name="me"),
    path("me/four-colour/", views.four_colour, name="four_colour"),
    path("me/mail/", views.wants_mail, name="wants_mail"),
    path("me/time-zone/", views.time_zone, name="time_zone"),
    path("me/tokens/", views.tokens, name="tokens"),
    path("me/tokens/<int:token_id>/revoke/", views.revoke_token, name="revoke_token"),
    path("trail/", trail.page, name="trail"),
    path("trail/trail.<slug:form>", trail.export, name="trail_export"),
    path("staff/errors/", faults.page, name="faults"),
    *cage,
    *players,
    *accounts,
    *chat,
]
