"""What the pages of the cage have in common."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext

from cardroom.cage.counting import PIECES
from cardroom.cage.models import DrawerCount, Slip
from cardroom.core import approvals
from cardroom.core.sentences import filled
from cardroom.ledger import counts


def go_on_to(request: HttpRequest, result: Any, address: str) -> HttpResponse:
    """Go on to the page at `address`, with a message about the slip or the approval that it waits for."""
    if isinstance(result, Slip):
        joint = "&" if "?" in address else "?"
        return redirect(f"{address}{joint}slip={result.pk}")
    messages.warning(request, approvals.request_message(result))
    return redirect(address)


def count_message(row: Any) -> str:
    """The message after a count. How far a count in between is off is shown to nobody who counts."""
    if isinstance(row, DrawerCount) and row.difference:
        return filled(gettext("{counted:,} is recorded as counted, with your reason."), counted=row.counted)
    return filled(gettext("Counted {counted:,}: {words}."), counted=row.counted, words=counts.words(row.difference))


def pieces(request: HttpRequest) -> list[tuple[int, str]]:
    """How many of each piece were typed before a refusal."""
    return [(worth, request.POST.get(f"pieces-{worth}", "")) for worth in PIECES]


def page_of(rows: list[Any], most: int) -> tuple[list[Any], int | None]:
    """The rows of one page, and the number of its last row where there are more."""
    return rows[:most], rows[most - 1].pk if len(rows) > most else None
