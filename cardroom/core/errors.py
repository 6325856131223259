"""The refusals of the house: a code for programs, and a sentence that says what is wrong and how to mend it."""

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext

from cardroom.core.sentences import filled, translated

#: What a pattern is filled with as it is, and JSON can hold; anything else stands in it by its name.
_PLAIN = (str, int, float, Decimal, date, timedelta, list, tuple, dict, Promise, type(None))


class Verbatim(str):
    """A sentence that is worded already, in the language of the person who is refused."""

    __slots__ = ()


class Refusal(Exception):
    """Base of every refusal: `raise Conflict("on-the-list", "{player} is already on this list.", player=player)`.

    `code` is a stable word for programs. `pattern` is the sentence in English, which translators find here; it may be
    what an engine words (its `Said`), a lazy text, or `Verbatim`. `values` fill the pattern and are shown to programs,
    so that neither ever holds a card that is not public. `rule` is the citation of the rule that decides. `status` is
    the HTTP status that every edge answers with.
    """

    status = 400
    code = "refused"
    #: After so many seconds the same may be asked again; None: it would be refused again.
    retry_after: int | None = None
    #: Writes what stays of what was refused, such as a count that was wrong; see `once.after_refusal`.
    leaves: Callable[[], object] | None = None
    #: Whether the same request under the same key gets this refusal again, and leaves nothing more behind.
    is_answer = False

    def __init__(self, code: str, pattern: Any, /, *, rule: Any = None, **values: Any) -> None:
        super().__init__(code)
        self.code = code
        self.pattern = pattern
        self.values = {name: value if isinstance(value, _PLAIN) else str(value) for name, value in values.items()}
        self._rule = rule

    @property
    def is_worded(self) -> bool:
        """Whether there is no pattern to translate later: the sentence is worded, or comes from an engine."""
        return isinstance(self.pattern, Verbatim) or bool(getattr(self.pattern, "pattern", ""))

    @property
    def message(self) -> str:
        """The sentence in the current language."""
        if isinstance(self.pattern, Verbatim):
            return str(self.pattern)
        if getattr(self.pattern, "pattern", ""):
            return translated(self.pattern)
        is_marked = type(self.pattern) is str and self.pattern
        text = gettext(self.pattern) if is_marked else str(self.pattern)
        values = {name: translated(value) if isinstance(value, str) else value for name, value in self.values.items()}
        return filled(text, **values) if values else text

    @property
    def rule(self) -> str | None:
        """The citation in the current language."""
        return None if self._rule is None else str(self._rule)

    def __str__(self) -> str:
        return self.message


class Invalid(Refusal):
    """The request makes no sense as it stands: a field is missing, malformed or out of range."""

    status = 400
    code = "invalid"


class Forbidden(Refusal):
    """The caller may see this but may not do it."""

    status = 403
    code = "forbidden"


class NotFound(Refusal):
    """There is no such thing, or the person asking may not know that there is."""

    status = 404
    code = "not-found"


class Conflict(Refusal):
    """It contradicts what already happened: a seat taken, a name taken, a reference used for something else."""

    status = 409
    code = "conflict"


class Stale(Refusal):
    """The person asking acted on a view that is no longer true; look again and decide again."""

    status = 409
    code = "stale"


class Illegal(Refusal):
    """Refused by a rule; `rule` cites it."""

    status = 422
    code = "illegal"


class NeedsApproval(Illegal):
    """It is above what the person may do alone: a second person decides. See `core.second_person`."""

    code = "needs-approval"


class NotEnoughChips(Refusal):
    """An account would go below zero. `values`: `account` (id), `held` and `needed` in chips."""

    status = 422
    code = "not-enough-chips"


class TooMany(Refusal):
    """Asked too often in a short time; `message` says how long to wait."""

    status = 429
    code = "too-many"


class Unavailable(Refusal):
    """A part of the room is away, or lacks what it needs; nothing has changed."""

    status = 503
    code = "unavailable"


class Busy(Refusal):
    """The room has too much to do at this moment; nothing has changed, and the same may be asked again."""

    status = 503
    code = "busy"
    retry_after = 2
