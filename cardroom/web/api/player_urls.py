"""Resources of accounts, connections, the blacklist, the chat and the trail."""

from cardroom.web.api import accounts, chat, faults, trail
from cardroom.web.api.routes import resource

urlpatterns = [
    *resource("accounts", accounts.AccountsView, name="api-accounts"),
    *resource("accounts/<id:user_id>", accounts.AccountView, name="api-account"),
    *resource("accounts/<id:user_id>/close", accounts.CloseView, name="api-account-close"),
    *resource("accounts/<id:user_id>/reopen", accounts.ReopenView, name="api-account-reopen"),
    *resource("accounts/<id:user_id>/password", accounts.PasswordView, name="api-account-password"),
    *resource("accounts/<id:user_id>/roles/<slug:role>", accounts.RoleView, name="api-account-role"),
    *resource("accounts/<id:user_id>/adjust", accounts.AdjustView, name="api-account-adjust"),
    *resource("blacklist", accounts.BlacklistView, name="api-blacklist"),
    *resource("blacklist/<id:line_id>", accounts.BlacklistLineView, name="api-blacklist-line"),
    *resource("connections", accounts.ConnectionsView, name="api-connections"),
    *resource("connections/<slug:handle>", accounts.ConnectionView, name="api-connection"),
    *resource("connections/<slug:handle>/message", accounts.MessageView, name="api-connection-message"),
    *resource("connections/<slug:handle>/terminate", accounts.TerminateView, name="api-connection-terminate"),
    *resource("chat", chat.ChatView, name="api-chat"),
    *resource("chat/announcements", chat.AnnouncementsView, name="api-chat-announcements"),
    *resource("chat/log", chat.ChatLogView, name="api-chat-log"),
    *resource("chat/<id:line_id>/hide", chat.HideView, name="api-chat-hide"),
    *resource("chat/silences/<id:player_id>", chat.SilenceView, name="api-chat-silence"),
    *resource("trail", trail.TrailView, name="api-trail"),
    *resource("trail/<slug:form>", trail.TrailFileView, name="api-trail-file"),
    *resource("faults", faults.FaultsView, name="api-faults"),
]
