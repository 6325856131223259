"""What tests ask for from the house's own rooms: people, ledger, cage, office."""

# ruff: noqa: F401

from cardroom import tasks
from cardroom.accounts import (
    accounts,
    bans,
    blacklist,
    chat,
    look,
    members,
    outbox,
    people,
    pictures,
    player_marks,
    push,
    roles,
    sealed_views,
    second_factor,
    sessions,
    tokens,
    visits,
)
from cardroom.accounts import receivers as account_receivers
from cardroom.accounts.pages import login
from cardroom.cage import allowances, corrections, drawers, slips, vault
from cardroom.cage import audit as cage_audit
from cardroom.cage import books as cage_books
from cardroom.cage import queries as cage_queries
from cardroom.cage import requests as cage_requests
from cardroom.cage.allowances import NeedsApproval
from cardroom.core import (
    access,
    alarms,
    approvals,
    languages,
    names,
    notices,
    outages,
    paper,
    room_time,
    seals,
    sentences,
    texting,
    watchdog,
)
from cardroom.core import audit as core_audit
from cardroom.core import documents as core_documents
from cardroom.core.database import guards
from cardroom.core.documents import moment
from cardroom.core.errors import (
    Conflict,
    Forbidden,
    Illegal,
    Invalid,
    NotEnoughChips,
    NotFound,
    Refusal,
    Stale,
    TooMany,
)
from cardroom.core.paper import BOLD, PLAIN, Column, Paper, printable
from cardroom.core.process import heartbeat
from cardroom.ledger import counts, ledger, limits
