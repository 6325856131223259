"""Slips: all of them, and one with its entries and prints."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from cardroom.cage import books as cage_books
from cardroom.cage import corrections
from cardroom.cage import documents as cage_documents
from cardroom.cage import queries as cage_queries
from cardroom.cage.api import slip_page
from cardroom.cage.models import Drawer, Slip
from cardroom.cage.pages.counter import player_of
from cardroom.cage.pages.shared import go_on_to, page_of
from cardroom.core import access
from cardroom.core.documents import File
from cardroom.core.errors import Refusal
from cardroom.core.models import Approval
from cardroom.core.web import parts
from cardroom.core.web.file_answers import file_answer
from cardroom.core.web.forms import PagePost
from cardroom.core.web.pages import Context, Page
from cardroom.ledger.models import Account

_SLIPS = 50


def slips(request: HttpRequest) -> HttpResponse | Context:
    """Slips, newest first: `?player=`, `?session=`, `?kind=`, `?before=`; `?form=csv` saves them."""
    wanted = {name: parts.query_number(request, name) for name in ("player", "session")}
    kind = request.GET.get("kind", "")
    kind = kind if kind in Slip.Kind.values else ""
    if request.GET.get("form") == "csv":
        return file_answer(cage_documents.slips_csv(by=request.user, kind=kind, **wanted))
    before = parts.query_number(request, "before")
    rows, later = page_of(cage_queries.slips(limit=_SLIPS + 1, before=before, kind=kind, **wanted), _SLIPS)
    query = request.GET.copy()
    query.pop("before", None)
    player = player_of(wanted["player"]) if wanted["player"] else None
    shown = {"slips": rows, "later": later, "kind": kind, "kinds": Slip.Kind.choices, "query": query.urlencode()}
    return wanted | {"player": player} | shown


_ACCOUNTS = {
    "wallet": gettext_lazy("Chip balance of {owner}"),
    "stack": gettext_lazy("Stack of {owner}, {label}"),
    "house": gettext_lazy("House: {label}"),
    "pool": gettext_lazy("Pool: {label}"),
    "drawer": gettext_lazy("Drawer {label}"),
    "debt": gettext_lazy("Credit of {owner}"),
}
#: Accounts of the house as a cashier calls them, by label and unit.
_OF_THE_HOUSE = {
    (cage_books.STREET, cage_books.MONEY): gettext_lazy("Cash from players"),
    (cage_books.VAULT, cage_books.MONEY): gettext_lazy("Vault"),
    (cage_books.BANK, cage_books.MONEY): gettext_lazy("Bank"),
    (cage_books.OVER_SHORT, cage_books.MONEY): gettext_lazy("Over and short"),
    (cage_books.CHIPS, "cash"): gettext_lazy("Chips of the house"),
    (cage_books.CREDIT, "cash"): gettext_lazy("Chips on credit"),
    (cage_books.PROMOTIONS, "cash"): gettext_lazy("Promotions"),
    (cage_books.COMPS, cage_books.COMP): gettext_lazy("Comp points of the house"),
}
_UNITS = {
    "cash": pgettext_lazy("unit", "chips"),
    cage_books.MONEY: pgettext_lazy("unit", "money"),
    cage_books.COMP: pgettext_lazy("unit", "comp"),
}


def account_name(account: Account) -> str:
    """What an account of the ledger is called in the reader's language: "Chip balance of ann"."""
    label = account.label
    if account.kind == Account.Kind.DRAWER:
        label = (
            Drawer.objects.filter(pk=label.partition(":")[2] or None).values_list("name", flat=True).first() or label
        )
    if account.kind == Account.Kind.WALLET and account.unit == cage_books.COMP:
        return gettext("Comp points of {owner}").format(owner=account.owner)
    known = _OF_THE_HOUSE.get((label, account.unit)) if account.kind == Account.Kind.HOUSE else None
    return str(known or _ACCOUNTS[account.kind]).format(owner=account.owner, label=label)


def slip(request: HttpRequest, *, slip_id: int) -> Context:
    """One slip, with its entries and prints for the cage."""
    row = cage_books.slip(slip_id)
    is_staff = access.has_role(request.user, *cage_documents.SEES)
    cage_queries.check_may_see(row, request.user, is_staff=is_staff)
    entries = row.transfer.entries.select_related("account__owner").order_by("pk") if is_staff else []
    return {
        "slip": row,
        "prints": row.prints.select_related("by").order_by("number") if is_staff else [],
        "entries": [
            (account_name(entry.account), _UNITS.get(entry.account.unit, entry.account.unit), entry.amount)
            for entry in entries
        ],
        "may_reverse": access.has_role(request.user, *cage_books.STAFF)
        and row.kind not in (Slip.Kind.REVERSAL, Slip.Kind.OVER_SHORT, *cage_books.EVENT_KINDS)
        and not hasattr(row, "reversed_by"),
        "is_staff": is_staff,
    }


SLIPS = Page("cage/slips/", "cage_slips", slips, cage_documents.SEES, template="cardroom/cage/slips.html")
SLIP = Page("cage/slips/<id:slip_id>/", "cage_slip", slip, template="cardroom/cage/slip.html")


class ReceiptForm(PagePost):
    page, does, asks_factor = SLIP, cage_documents.receipt, True
    path, name = "cage/slips/<id:slip_id>/receipt/", "cage_receipt"

    def of_request(self, request: HttpRequest) -> dict[str, str]:
        return slip_page(request)

    def done(self, request: HttpRequest, result: File) -> HttpResponse:
        return file_answer(result)

    def refused(self, request: HttpRequest, refusal: Refusal, **address: Any) -> HttpResponse:
        raise refusal


class ReverseForm(PagePost):
    page, does, asks_factor = SLIP, corrections.reverse, True
    path, name = "cage/slips/<id:slip_id>/reverse/", "cage_reverse"

    def done(self, request: HttpRequest, result: Slip | Approval) -> HttpResponse:
        slip_id = result.reverses_id if isinstance(result, Slip) else result.payload["asked"]["slip"]
        return go_on_to(request, result, reverse("cage_slip", args=[slip_id]))


PAGES = [SLIPS, SLIP]
FORMS: list[type[PagePost]] = [ReceiptForm, ReverseForm]
