"""The house's resources."""

from cardroom.web.account import api as account
from cardroom.web.accounts import api as accounts
from cardroom.web.audit_log import api as audit
from cardroom.web.cage_operations import api as cage
from cardroom.web.chat import api as chat
from cardroom.web.players import api as players
from cardroom.web.tokens import api as tokens

urlpatterns = [*account, *tokens, *cage, *players, *accounts, *chat, *audit]
