"""Pages and resources of the house."""

from cardroom.web import account, accounts, audit_log, cage_operations, chat, players
from cardroom.web.api import routes  # noqa: F401  knows what an <id:> is

_PARTS = (account, cage_operations, players, accounts, chat, audit_log)

urlpatterns = [pattern for part in _PARTS for pattern in part.urlpatterns]
api = [pattern for part in _PARTS for pattern in part.api]
