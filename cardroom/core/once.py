"""A request under a key of the caller's own is done once: the same key again gets the first answer.

Where the record of it keeps the key itself, in a column or in a log of facts, that record is looked up (`made_before`,
`command_name`); for everything else the first answer is kept in a `Repeat` (`answer_once`).
"""

import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from typing import Any, TypeVar

import msgspec
from django.apps import apps
from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, models, transaction
from django.db.models import QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext_noop

from cardroom.core import errors
from cardroom.core.errors import Conflict, Invalid, Refusal, Verbatim
from cardroom.core.models import Repeat, User

LONGEST_KEY = 60
#: Of a command in a hand or an event.
LONGEST_COMMAND_ID = 64
#: For how long a key is remembered.
KEPT = timedelta(days=30)
#: Instead of an answer: none is kept, so the same key does it anew.
UNKEPT = object()
#: In the record of a key: it was refused, and that is the answer.
_REFUSED = "kept refusal"

Row = TypeVar("Row", bound=models.Model)


def check_key(key: str) -> None:
    """Refuses (`Invalid`) what is too long for a key, or cannot be printed."""
    if len(key) > LONGEST_KEY or not key.isprintable():
        raise Invalid("bad-key", "A key has at most {most} printable characters.", most=LONGEST_KEY)


def command_name(whose: User | int | None, command_id: str, *, is_required: bool = False) -> str:
    """The name under which a command is written down in its log of facts, "" without an id. `whose` (a person, a seat,
    None: the house) keeps anybody's id out of the way of another's.

    Refuses (`Invalid`) an id that is too long, or missing where it `is_required`.
    """
    if len(command_id) > LONGEST_COMMAND_ID or (is_required and not command_id):
        pattern = gettext_noop("A command id has at most {most} characters.")
        if is_required:
            pattern = gettext_noop("A command id has 1 to {most} characters.")
        raise Invalid("bad-command-id", pattern, most=LONGEST_COMMAND_ID)
    owner = "house" if whose is None else f"by{whose.pk}" if isinstance(whose, User) else whose
    return f"{owner}:{command_id}" if command_id else ""


def made_before(rows: QuerySet[Row], key: str, **content: Any) -> Row | None:
    """The row of `rows`, which keep their key as long as they last, that this `key` made before; None without a key.
    Call it with their owner locked.

    `content`: by fields of the row, what is asked for. Refuses: `Invalid` (no key), `Conflict` (the key was used for
    something else).
    """
    check_key(key)
    row = rows.filter(key=key).first() if key else None
    if row is not None and any(getattr(row, name) != value for name, value in content.items()):
        raise Conflict("key-taken", "This key was used for another request: take a new one.")
    return row


def answer_once(
    *, by: User, verb: str, key: str, content: Mapping[str, Any], do: Callable[[], Any], now: datetime | None
) -> Any:
    """What `do` answers (an id or ids, JSON-safe); under a `key` that `by` has used for this `verb` before, what it
    answered then, and nothing is done. Without a key it is just done. Call within a transaction.

    Two at once wait for each other. A refusal is no answer, and leaves the key free, unless it `is_answer`.
    Refuses: `Invalid` (no key), `Conflict` (the key was used for something else).
    """
    if not key:
        return do()
    check_key(key)
    digest = sha256(msgspec.json.encode(dict(content), order="deterministic", enc_hook=str)).hexdigest()
    try:
        with transaction.atomic():
            row = Repeat.objects.create(user=by, verb=verb, key=key, asked=digest, at=now or timezone.now())
    except IntegrityError:
        earlier = Repeat.objects.get(user=by, verb=verb, key=key)
        if earlier.asked != digest:
            raise Conflict("key-used", "This key belongs to another request: use a new one.") from None
        if isinstance(earlier.answer, dict) and earlier.answer.keys() == {_REFUSED}:
            raise _refusal(earlier.answer[_REFUSED]) from None
        return earlier.answer
    try:
        answer = do()
    except Refusal as refusal:
        if refusal.is_answer and refusal.leaves is not None:
            stored_refusal = {_REFUSED: _kept_refusal(refusal)}
            refusal.leaves = partial(
                _leave_once, refusal.leaves, user=by, verb=verb, key=key, asked=digest, at=row.at, answer=stored_refusal
            )
        raise
    if answer is UNKEPT:
        row.delete()
    else:
        row.answer = answer
        row.save(update_fields=["answer"])
    return answer


def free_key(*, by: User, verb: str, key: str, unless_answered: bool = False) -> None:
    """Forget what `by` did under this `key`: it was refused after all. `unless_answered`: only where it was begun and
    nothing came of it."""
    rows = _under(by, verb, key)
    (rows.filter(answer__isnull=True) if unless_answered else rows).delete()


def is_answered(*, by: User, verb: str, key: str) -> bool:
    """Whether what was begun under this key is done."""
    return _under(by, verb, key).filter(answer__isnull=False).exists()


def keep_answer(*, by: User, verb: str, key: str, answer: Any) -> None:
    """What came of what was begun under this key."""
    _under(by, verb, key).update(answer=answer)


def _under(by: User, verb: str, key: str) -> QuerySet[Repeat]:
    return Repeat.objects.filter(user=by, verb=verb, key=key)


def _leave_once(leave: Callable[[], object], **row: Any) -> object:
    """What a refusal leaves behind, and the refusal under its key; nothing where the same request has just done so."""
    with transaction.atomic():
        try:
            with transaction.atomic():
                Repeat.objects.create(**row)
        except IntegrityError:
            return None
        return leave()


def _kept_refusal(refusal: Refusal) -> dict[str, Any]:
    kind = next(kind for kind in type(refusal).__mro__ if kind.__module__ == errors.__name__)
    with translation.override(settings.LANGUAGE_CODE):
        pattern = refusal.message if refusal.is_worded else str(refusal.pattern)
        answer = {
            "kind": kind.__name__,
            "code": refusal.code,
            "pattern": pattern,
            "is_worded": refusal.is_worded,
            "rule": refusal.rule,
            "values": refusal.values,
        }
    plain: dict[str, Any] = json.loads(json.dumps(answer, cls=DjangoJSONEncoder))
    return plain


def _refusal(stored: Mapping[str, Any]) -> Refusal:
    """The refusal that was kept, of its kind, which the pages and the API go by."""
    kind = getattr(errors, stored["kind"], Refusal)
    pattern = Verbatim(stored["pattern"]) if stored["is_worded"] else stored["pattern"]
    return kind(stored["code"], pattern, rule=stored["rule"], **stored["values"])


def forget_old_keys(*, now: datetime) -> int:
    """Delete the keys of requests that nobody sends again, and return how many. One statement."""
    return Repeat.objects.filter(at__lt=now - KEPT).delete()[0]


def kept_of(result: Any) -> Any:
    """A result as it is kept under its key: a row by its number."""
    return {"model": result._meta.label, "pk": result.pk} if isinstance(result, models.Model) else result


def first_answer(answer: Any) -> Any:
    """The result that was kept so. Refuses: `Conflict` (its row is deleted)."""
    if not isinstance(answer, dict) or set(answer) != {"model", "pk"}:
        return answer
    row = apps.get_model(answer["model"])._default_manager.filter(pk=answer["pk"]).first()
    if row is None:
        raise Conflict("key-used", "The result of this key is deleted: use a new key.")
    return row


def after_refusal(refusal: Refusal, leave: Callable[[], object], *, is_answer: bool = False) -> Refusal:
    """The refusal of a verb that leaves something behind: `leave` writes it once all else is rolled back.

    `is_answer`: under a key it is kept like any other answer, so that a request that is sent again leaves nothing more.
    """
    refusal.leaves, refusal.is_answer = leave, is_answer
    return refusal
