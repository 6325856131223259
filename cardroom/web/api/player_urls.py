"""Resources of players, accounts, connections, the blacklist and the trail."""

from cardroom.web.api import accounts, faults, players, trail
from cardroom.web.api.routes import resource

urlpatterns = [
    *resource("players", players.PlayersView, name="api-players"),
    *resource("players/<id:player_id>", players.PlayerView, name="api-player"),
    *resource("players/<id:player_id>/member", players.MemberView, name="api-member"),
    *resource("players/<id:player_id>/cards", players.CardsView, name="api-player-cards"),
    *resource("players/<id:player_id>/cards/lost", players.CardLostView, name="api-card-lost"),
    *resource("players/<id:player_id>/visit", players.VisitView, name="api-visit"),
    *resource("players/<id:player_id>/bans", players.BansView, name="api-bans"),
    *resource("players/<id:player_id>/notes", players.NotesView, name="api-notes"),
    *resource("visits", players.VisitsView, name="api-visits"),
    *resource("bans/<id:ban_id>/lift", players.LiftView, name="api-lift-ban"),
    *resource("notes/<id:note_id>", players.NoteView, name="api-note"),
    *resource("me/card", players.MyCardView, name="api-my-card"),
    *resource("me/limits", players.MyLimitsView, name="api-my-limits"),
    *resource("me/limits/<id:change_id>", players.MyLimitView, name="api-my-limit"),
    *resource("me/bans", players.MyBansView, name="api-my-bans"),
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
    *resource("trail", trail.TrailView, name="api-trail"),
    *resource("faults", faults.FaultsView, name="api-faults"),
]
