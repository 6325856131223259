"""`Idempotency-Key`: the name a client gives to a request, so that sending it once more does nothing twice."""

import json
import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.db import DatabaseError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext
from drf_spectacular.utils import OpenApiParameter
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.core.errors import CardroomError, Invalid
from cardroom.core.operation import UNKEPT, answer_once

HEADER = "Idempotency-Key"
#: What may be a key, as a regular expression.
KEY = "[A-Za-z0-9_.:-]{1,60}"

PARAMETER = OpenApiParameter(
    name=HEADER,
    location=OpenApiParameter.HEADER,
    type={"type": "string", "pattern": f"^{KEY}$"},
    description="Your own key for this request. A repeat changes nothing and gets the first answer.",
)


def key_of(request: Request) -> str:
    """The key that came with a request, "" where none did; refuses (`Invalid`) one that is no key. Who asks sees to it
    that nothing is done twice."""
    request.key_is_taken = True  # type: ignore[attr-defined]
    return _given(request)


def once(handler: Callable[..., Any]) -> Callable[..., Any]:
    """The handler of what changes something: under a key that its service does not take, the first answer is kept and
    given again. Where the view says `answer_is_secret` or `is_heavy`, where it answers with a file, or refuses, nothing
    is kept, and the same is done again: heavy work waits in no transaction. What a refusal leaves behind, such as a
    wrong count or a wrong password, stays."""

    @wraps(handler)
    def handle(view: Any, request: Request, *args: Any, **named: Any) -> Any:
        key, operation = _given(request), (handler, type(view))
        is_done_again = getattr(view, "answer_is_secret", False) or getattr(view, "is_heavy", False)
        if not key or operation in _takes_it_itself or is_done_again:
            return handler(view, request, *args, **named)
        fresh: list[Any] = []
        refused: list[CardroomError] = []

        def do() -> Any:
            try:
                fresh.append(handler(view, request, *args, **named))
            except CardroomError as refusal:
                refused.append(refusal)
            # Where the service takes the key the answer, which may hold cards of its owner, is written down nowhere.
            return UNKEPT if getattr(request, "key_is_taken", False) else _kept(fresh)

        verb = f"{request.method} {type(view).__name__}"[:40]
        # What was sent may hold a password: nobody can try words against its digest who has not the room's own key.
        asked = {"asked": salted_hmac("keys.once", json.dumps([request.path, request.data])).hexdigest()}
        try:
            with transaction.atomic():
                told = answer_once(by=request.user, verb=verb, key=key, asked=asked, do=do, now=timezone.now())
                if getattr(request, "key_is_taken", False):
                    _takes_it_itself.add(operation)
        except DatabaseError:
            # A refusal that came of an error of the database: that has taken back everything already.
            if not refused:
                raise
        if refused:
            raise refused[0]
        return fresh[0] if fresh else Response(told["data"], status=told["status"])

    return handle


#: Handlers whose services take the key: known of each when it has asked for it once.
_takes_it_itself: set[Any] = set()


def _kept(answers: list[Any]) -> Any:
    """The part of an answer that is stored; None for a refusal or a file."""
    if not (answers and isinstance(answers[0], Response)):
        return UNKEPT
    return {"status": answers[0].status_code, "data": json.loads(JSONRenderer().render(answers[0].data) or "null")}


def _given(request: Request) -> str:
    key = request.headers.get(HEADER)
    if key is None:
        return ""
    if not re.fullmatch(KEY, key):
        raise Invalid(gettext("{header} is 1 to 60 letters, digits and . : _ -").format(header=HEADER), "bad-key")
    return key
