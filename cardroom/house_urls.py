"""Pages and resources of the house."""

from cardroom.accounts.pages import account, own_sessions, tokens
from cardroom.cage import operations as cage_operations
from cardroom.core.web.api import routes  # noqa: F401  knows what an <id:> is
from cardroom.office import accounts, audit_log, blacklist, chat, connections, pictures, players

_PARTS = (
    account,
    own_sessions,
    tokens,
    cage_operations,
    players,
    accounts,
    blacklist,
    connections,
    chat,
    pictures,
    audit_log,
)

urlpatterns = [pattern for part in _PARTS for pattern in part.urlpatterns]
api = [pattern for part in _PARTS for pattern in part.api]
