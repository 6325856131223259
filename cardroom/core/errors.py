"""The refusals of the house. Each says what is wrong and how to mend it, in words meant for the person who asked."""

from collections.abc import Callable
from typing import Any


class CardroomError(Exception):
    """Base of every refusal.

    `message` is shown to people as it is, so it never holds a card that is not public. `code` is a stable word for
    programs ("seat-taken"), `rule` the citation of the rule that decides, and `details` are JSON-safe facts about the
    refusal. `status` is the HTTP status every edge answers with.
    """

    status = 400
    code = "refused"
    #: After so many seconds the same may be asked again; None: it would be refused again.
    retry_after: int | None = None
    #: Writes what stays of what was refused, such as a count that was wrong; see `operation.after_refusal`.
    leaves: Callable[[], object] | None = None
    #: Whether the same request under the same key gets this refusal again, and leaves nothing more behind.
    is_answer = False

    def __init__(self, message: str, code: str | None = None, rule: str | None = None, **details: Any) -> None:
        # Words that are kept to be translated are so now, in the language of whoever is refused.
        super().__init__(str(message))
        self.message = str(message)
        self.code = code or type(self).code
        self.rule = None if rule is None else str(rule)
        self.details = details


class Invalid(CardroomError):
    """The request makes no sense as it stands: a field is missing, malformed or out of range."""

    status = 400
    code = "invalid"


class Forbidden(CardroomError):
    """The caller may see this but may not do it."""

    status = 403
    code = "forbidden"


class NotFound(CardroomError):
    """There is no such thing, or the person asking may not know that there is."""

    status = 404
    code = "not-found"


class Conflict(CardroomError):
    """It contradicts what already happened: a seat taken, a name taken, a reference used for something else."""

    status = 409
    code = "conflict"


class Stale(CardroomError):
    """The person asking acted on a view that is no longer true; look again and decide again."""

    status = 409
    code = "stale"


class Illegal(CardroomError):
    """Refused by a rule; `rule` cites it."""

    status = 422
    code = "illegal"


class NotEnoughChips(CardroomError):
    """An account would go below zero. `details`: `account` (id), `held` and `needed` in chips."""

    status = 422
    code = "not-enough-chips"


class TooMany(CardroomError):
    """Asked too often in a short time; `message` says how long to wait."""

    status = 429
    code = "too-many"


class Unavailable(CardroomError):
    """A part of the room is away, or lacks what it needs; nothing has changed."""

    status = 503
    code = "unavailable"


class Busy(CardroomError):
    """The room has too much to do at this moment; nothing has changed, and the same may be asked again."""

    status = 503
    code = "busy"
    retry_after = 2
