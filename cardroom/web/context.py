"""What every page shows of the person who looks at it."""

from functools import partial
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from cardroom.services import selectors
from cardroom.web import navigation


def wallet(request: HttpRequest) -> dict[str, Any]:
    """`wallet`: the chips in the wallet; a template that does not name it asks the database nothing."""
    return {"wallet": partial(selectors.wallet_balance, request.user)}


def welcome(request: HttpRequest) -> dict[str, Any]:
    """`welcome_chips`: what everybody begins with."""
    return {"welcome_chips": settings.CARDROOM_WELCOME_CHIPS}


def menus(request: HttpRequest) -> dict[str, Any]:
    """`menus`: what the top of the page leads to; see `navigation`."""
    return {"menus": partial(navigation.menus, request)}
