"""What every page shows of the person who looks at it."""

from functools import partial
from typing import Any

from django.http import HttpRequest

from cardroom.services import selectors


def wallet(request: HttpRequest) -> dict[str, Any]:
    """`wallet`: the chips in the wallet; a template that does not name it asks the database nothing."""
    return {"wallet": partial(selectors.wallet_balance, request.user)}
