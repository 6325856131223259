"""The cage: what cashiers do with money, chips, credit and comps, each act a slip with its transfer in the one ledger.

`cage.request` is the door of pages and programs, which asks a second person where it takes one; the verbs themselves
refuse then (`NeedsApproval`).
"""

from cardroom.services.cage.allowances import Allowance, NeedsApproval, set_limit
from cardroom.services.cage.asking import request
from cardroom.services.cage.books import slip
from cardroom.services.cage.closing import close_drawer
from cardroom.services.cage.corrections import reverse
from cardroom.services.cage.credits import line_of, owed_by, set_line
from cardroom.services.cage.drawers import count, make_drawer, open_drawer, retire_drawer
from cardroom.services.cage.slips import buy_in, cash_out, comp, credit, deposit, repay, transfer, use_comp, withdraw
from cardroom.services.cage.vaults import count_vault, fill, take, vault

__all__ = [
    "Allowance",
    "NeedsApproval",
    "buy_in",
    "cash_out",
    "close_drawer",
    "comp",
    "count",
    "count_vault",
    "credit",
    "deposit",
    "fill",
    "line_of",
    "make_drawer",
    "open_drawer",
    "owed_by",
    "repay",
    "request",
    "retire_drawer",
    "reverse",
    "set_limit",
    "set_line",
    "slip",
    "take",
    "transfer",
    "use_comp",
    "vault",
    "withdraw",
]
