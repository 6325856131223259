"""Pages and resources of the house."""

from cardroom.accounts.pages import account, look, notices, own_sessions, push, tokens
from cardroom.cage import urls as cage_urls
from cardroom.core.web.api import routes  # noqa: F401  knows what an <id:> is
from cardroom.office import (
    accounts,
    audit_log,
    blacklist,
    chat,
    chat_api,
    connections,
    faults,
    my_card,
    my_limits,
    pictures,
    players,
    sealed_views,
)

#: Modules with pages and their API.
_PARTS = (
    account,
    look,
    push,
    own_sessions,
    tokens,
    cage_urls,
    players,
    my_card,
    my_limits,
    accounts,
    blacklist,
    connections,
    pictures,
    audit_log,
    faults,
)

urlpatterns = [pattern for part in (*_PARTS, chat) for pattern in part.urlpatterns]
api = [pattern for part in (*_PARTS, chat_api, notices, sealed_views) for pattern in part.api]
