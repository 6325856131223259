"""The vault, and how it was counted."""

from django.http import HttpRequest, HttpResponse

from cardroom.cage import books as cage_books
from cardroom.cage import documents as cage_documents
from cardroom.cage import queries as cage_queries
from cardroom.cage import serializers as shapes
from cardroom.cage import vault as cage_vault
from cardroom.cage.pages.drawers import SHOWN
from cardroom.cage.pages.shared import count_message, page_of, pieces
from cardroom.core import access
from cardroom.core.models import Approval
from cardroom.core.web import parts
from cardroom.core.web.forms import PagePost
from cardroom.core.web.pages import Context, Page
from cardroom.ledger import counts
from cardroom.ledger.models import BlindCount


def vault(request: HttpRequest) -> Context:
    """The vault, and how it was counted."""
    rows = counts.counts_of(cage_vault.SUBJECT, limit=SHOWN + 1, before=parts.query_number(request, "before"))
    counts_shown, later = page_of(rows, SHOWN)
    return {
        "pieces": pieces(request),
        "standing": counts.open_count(cage_vault.SUBJECT, viewer=request.user),
        "kept": counts_shown,
        "later": later,
        "vault": cage_queries.vault(),
        "sees_vault": cage_queries.sees_vault(request.user),
        "is_cashier": access.has_role(request.user, *cage_books.STAFF),
    }


VAULT = Page("cage/vault/", "cage_vault", vault, cage_documents.SEES, template="cardroom/cage/vault.html")


class CountVaultForm(PagePost):
    page, does, asks_factor, body = VAULT, cage_vault.count_vault, True, shapes.VaultCountOrder
    path, name = "cage/vault/count/", "cage_count_vault"

    def done(self, request: HttpRequest, result: BlindCount | Approval) -> HttpResponse:
        return VAULT.say(request, count_message, result)


PAGES = [VAULT]
FORMS: list[type[PagePost]] = [CountVaultForm]
