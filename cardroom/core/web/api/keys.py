"""`Idempotency-Key`: the name a client gives to a request, so that sending it again does nothing twice."""

import json
import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.db import DatabaseError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from drf_spectacular.utils import OpenApiParameter
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.core.errors import Invalid, Refusal
from cardroom.core.once import UNKEPT, answer_once, free_key

HEADER = "Idempotency-Key"
#: Header of an answer that repeats the first one.
REPLAYED = "Idempotency-Replayed"
#: What may be a key, as a regular expression.
KEY = "[A-Za-z0-9_.:-]{1,60}"

PARAMETER = OpenApiParameter(
    name=HEADER,
    location=OpenApiParameter.HEADER,
    type={"type": "string", "pattern": f"^{KEY}$"},
    description="Your own key for this request. A repeat changes nothing and gets the first answer, with "
    "`Idempotency-Replayed: true`; any other request under it is refused (409).",
)


def key_of(request: Request) -> str:
    """The key that came with a request, "" where none did; refuses (`Invalid`) one that is no key. The caller then
    makes sure that nothing is done twice."""
    request.key_is_taken = True  # type: ignore[attr-defined]
    return _idempotency_key(request)


def once(handler: Callable[..., Any]) -> Callable[..., Any]:
    """The handler of what changes something: a key is its first request's own, so any other one of the same person
    under it is a `Conflict`. That request again is given the first answer, which is kept here or, where its service
    takes the key, by that. Where the view says `answer_is_secret` or `is_heavy` the same is done again: heavy work
    waits in no transaction. Nothing is kept of a refusal, which leaves the key free, nor of a file; what a refusal
    leaves behind, such as a wrong count or a wrong password, stays."""

    @wraps(handler)
    def handle(view: Any, request: Request, *args: Any, **named: Any) -> Any:
        key = _idempotency_key(request)
        if not key:
            return handler(view, request, *args, **named)
        is_done_again = getattr(view, "answer_is_secret", False) or getattr(view, "is_heavy", False)
        fresh: list[Any] = []
        refused: list[Refusal] = []
        is_first_time = False

        def do() -> Any:
            nonlocal is_first_time
            is_first_time = True
            if is_done_again:
                return _NOT_KEPT
            try:
                fresh.append(handler(view, request, *args, **named))
            except Refusal as refusal:
                refused.append(refusal)
                return UNKEPT
            # Where the service takes the key the answer, which may hold cards of its owner, is written down nowhere.
            return _NOT_KEPT if getattr(request, "key_is_taken", False) else _stored_part(fresh[0])

        # The request may hold a password: without the room's own key nobody can try words against its digest.
        sent = json.dumps([request.method, request.path, request.data])
        content = {"asked": salted_hmac("keys.once", sent).hexdigest()}
        try:
            with transaction.atomic():
                first = answer_once(by=request.user, verb=_VERB, key=key, content=content, do=do, now=timezone.now())
        except DatabaseError:
            # A refusal that came of an error of the database: that has taken back everything already.
            if not refused:
                raise
        if refused:
            raise refused[0]
        if fresh:
            return fresh[0]
        if first == _NOT_KEPT:
            try:
                answer = handler(view, request, *args, **named)
            except Exception:
                if is_first_time:
                    free_key(by=request.user, verb=_VERB, key=key)
                raise
        else:
            answer = Response(first["data"], status=first["status"])
        if not is_done_again:
            answer[REPLAYED] = "true"
        return answer

    return handle


#: Keys of requests are compared over all addresses.
_VERB = "request"
#: Stored under a key whose answer is not kept: the view or its service answers again.
_NOT_KEPT = {"kept": False}


def _stored_part(answer: Any) -> Any:
    """The part of an answer that is stored; a file is made anew."""
    if not isinstance(answer, Response):
        return UNKEPT
    return {"status": answer.status_code, "data": json.loads(JSONRenderer().render(answer.data) or "null")}


def _idempotency_key(request: Request) -> str:
    key = request.headers.get(HEADER)
    if key is None:
        return ""
    if not re.fullmatch(KEY, key):
        raise Invalid("bad-key", "{header} is 1 to 60 letters, digits and . : _ -", header=HEADER)
    return key
