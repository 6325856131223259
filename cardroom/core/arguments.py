"""Annotations for the parameters of a verb, besides their types. The body of a request and the fields of a form are
read off the signature: `cardroom.core.web.api.bodies`."""

from collections.abc import Mapping
from typing import Annotated, Any

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

LONGEST_REASON = 300


class Limits:
    """Keywords of the field of Django REST Framework that reads this parameter:
    `Annotated[int, Limits(min_value=1, help_text="...")]`.

    `called` is its name in a request where that is another; `message` is what is answered to any text outside the
    limits. `is_email`: an e-mail address. `is_lenient`: a flag that may be a word, such as "true". `required=False`:
    the document does not tell what is meant where it is left out.
    """

    def __init__(self, *, called: str = "", message: str | Promise = "", **options: Any) -> None:
        self.called = called
        self.message = message
        self.options = options


class Internal:
    """Marks a parameter that code sets, and that no request can set."""


class Unchanged:
    """The default of a parameter that may be left out of a change, where None is a value of its own:
    `until: datetime | Unchanged | None = UNCHANGED`."""


class NotKept:
    """Marks a result that is not kept under the key of its request: the same key does the work again."""


def changed_values(**values: Any) -> dict[str, Any]:
    """Those of these values that are not `UNCHANGED`."""
    return {name: value for name, value in values.items() if not isinstance(value, Unchanged)}


def plain(value: Any) -> Any:
    """An argument as JSON: a row by its number, words without the spaces that make no difference."""
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, Mapping):
        return {str(name): plain(inner) for name, inner in value.items()}
    return value.pk if isinstance(value, models.Model) else value


internal = Internal()
not_kept = NotKept()
UNCHANGED = Unchanged()

#: The number of a row: the parameter `table_id` is the field `table` of a request.
RowId = Annotated[int, Limits(min_value=1)]
Chips = Annotated[int, Limits(min_value=1, max_value=10**12)]
Reason = Annotated[
    str, Limits(min_length=3, max_length=LONGEST_REASON, message=gettext_lazy("Enter a reason of 3 to 300 characters."))
]
#: For where one may be given. Calls from code are held to it by `audit_log.reason_given(..., least=0)`.
OptionalReason = Annotated[str, Limits(max_length=LONGEST_REASON, required=False)]
