"""Resources of accounts, connections, the blacklist, the chat and the trail."""

from cardroom.web.api import chat, faults, trail
from cardroom.web.api.routes import resource

urlpatterns = [
    *resource("chat", chat.ChatView, name="api-chat"),
    *resource("chat/announcements", chat.AnnouncementsView, name="api-chat-announcements"),
    *resource("chat/log", chat.ChatLogView, name="api-chat-log"),
    *resource("chat/<id:line_id>/hide", chat.HideView, name="api-chat-hide"),
    *resource("chat/silences/<id:player_id>", chat.SilenceView, name="api-chat-silence"),
    *resource("trail", trail.TrailView, name="api-trail"),
    *resource("trail/<slug:form>", trail.TrailFileView, name="api-trail-file"),
    *resource("faults", faults.FaultsView, name="api-faults"),
]
