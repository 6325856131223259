"""Asking twice: what the staff asked for under a word of their own is done once and answered alike ever after."""

import hashlib
import json
from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar

from django.db import IntegrityError, models, transaction

from cardroom.models import User
from cardroom.services.errors import Conflict, Invalid
from games.models import RoomOrder

LONGEST_KEY = 60

Made = TypeVar("Made", bound=models.Model)


def once(
    kind: type[Made],
    make: Callable[[], Made],
    /,
    *,
    by: User | None,
    key: str,
    verb: str,
    now: datetime,
    **content: Any,
) -> Made:
    """What `make` makes, in a transaction; what it made the first time where `by` asks again with the same `key`.

    `content`: what was asked for; the same key with another is a `Conflict`. Without a key, and without somebody whose
    key it could be, it is simply made.
    """
    if len(key) > LONGEST_KEY:
        raise Invalid(f"A key has at most {LONGEST_KEY} characters.", "bad-key")
    if not key or by is None:
        with transaction.atomic():
            return make()
    digest = hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()
    earlier = _answered(kind, by, key, verb, digest)
    if earlier is not None:
        return earlier
    try:
        with transaction.atomic():
            made = make()
            RoomOrder.objects.create(by=by, key=key, verb=verb, content=digest, made=made.pk, at=now)
            return made
    except (Conflict, IntegrityError):
        # Two requests of one key at once: the second finds what the first made, once that is committed.
        earlier = _answered(kind, by, key, verb, digest)
        if earlier is None:
            raise
        return earlier


def _answered(kind: type[Made], by: User, key: str, verb: str, digest: str) -> Made | None:
    order = RoomOrder.objects.filter(by=by, key=key).first()
    if order is None:
        return None
    if (order.verb, order.content) != (verb, digest):
        raise Conflict("This key was used for something else: take a new one.", "key-used")
    return kind._default_manager.get(pk=order.made)
