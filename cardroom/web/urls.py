"""Pages of the house."""

from django.urls import path

from cardroom.web import views

urlpatterns = [
    path("me/", views.me, name="me"),
    path("me/four-colour/", views.four_colour, name="four_colour"),
    path("me/mail/", views.wants_mail, name="wants_mail"),
    path("me/tokens/", views.tokens, name="tokens"),
    path("me/tokens/<int:token_id>/revoke/", views.revoke_token, name="revoke_token"),
]
