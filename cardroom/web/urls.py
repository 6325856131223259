"""Pages of the house."""

from cardroom.web.account import urlpatterns as account
from cardroom.web.accounts import urlpatterns as accounts
from cardroom.web.api import routes  # noqa: F401  knows what an <id:> is
from cardroom.web.audit_log import urlpatterns as audit
from cardroom.web.cage_operations import urlpatterns as cage
from cardroom.web.chat import urlpatterns as chat
from cardroom.web.players import urlpatterns as players
from cardroom.web.tokens import urlpatterns as tokens

urlpatterns = [*account, *tokens, *players, *accounts, *audit, *chat, *cage]
