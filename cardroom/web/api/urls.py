"""The house's resources."""

from cardroom.web.accounts import api as accounts
from cardroom.web.api import account, notices, sealed
from cardroom.web.api.player_urls import urlpatterns as house
from cardroom.web.api.routes import resource
from cardroom.web.cage_operations import api as cage
from cardroom.web.chat import api as chat
from cardroom.web.players import api as players

urlpatterns = [
    *resource("me", account.MeView, name="api-me"),
    *resource("me/transfers", account.TransfersView, name="api-transfers"),
    *resource("me/notices", notices.NoticesView, name="api-notices"),
    *resource("me/notices/<id:notice_id>/read", notices.ReadNoticeView, name="api-read-notice"),
    *resource("me/messages", notices.MessagesView, name="api-my-messages"),
    *resource("me/messages/<id:notice_id>/read", notices.ReadMessageView, name="api-read-message"),
    *resource("me/sealed-view", sealed.SealedViewView, name="api-sealed-view"),
    *resource("tokens", account.TokensView, name="api-tokens"),
    *resource("tokens/<id:token_id>", account.TokenView, name="api-token"),
    *cage,
    *players,
    *accounts,
    *chat,
    *house,
]
