"""What the verbs of events are asked for, beside what the types say."""

from typing import Annotated

from cardroom.core.arguments import Limits
from tournaments.engine.config import MOST_STUD_SEATS

MOST_SEQ = 2**31 - 1
#: The highest number of a row, an entry or a table that anybody is asked for.
MOST_ID = 2**62
MOST_TABLES = 9999

ExpectedSeq = Annotated[
    int | None,
    Limits(
        allow_null=True,
        min_value=0,
        max_value=MOST_SEQ,
        help_text="The event's `seq` as you saw it; 409, and what was done meanwhile, when it has moved on.",
    ),
]

#: The number of a row, or of an entry of an event.
Number = Annotated[int, Limits(min_value=1, max_value=MOST_ID)]
EntrantNumber = Annotated[int, Limits(min_value=1, max_value=MOST_ID, help_text="The number of the player's entry.")]
TableNumber = Annotated[int, Limits(min_value=1, max_value=MOST_TABLES)]
#: 0: none in particular.
SeatNumber = Annotated[int, Limits(min_value=0, max_value=MOST_STUD_SEATS)]
#: The chips of a player, or all in play.
Stack = Annotated[int, Limits(min_value=0, max_value=10**12)]
Why = Annotated[str, Limits(min_length=3, max_length=200)]
