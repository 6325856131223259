"""What players ask for at their own seats, with a word of their own: the same one again has the first answer.

The answer is the `SeatMove` that the request led to. The table is part of the word, so that its lock is enough to keep
two requests with one word apart.
"""

from typing import Any

from cardroom.core.errors import Conflict, Invalid
from cardroom.core.models import User
from games.tables.models.tables import SeatMove

LONGEST = 60


def full(verb: str, table_id: int, key: str) -> str:
    """The word as it is kept; "" where none was given."""
    if len(key) > LONGEST:
        raise Invalid(f"A key has at most {LONGEST} characters.", "bad-key")
    return f"{verb}:{table_id}:{key}" if key else ""


def earlier(player: User, full_key: str, **content: Any) -> SeatMove | None:
    """What this word was answered before. `content`: by fields of `SeatMove`, what was asked for; None: not said.

    `Conflict` where the same word asked for something else then.
    """
    if not full_key:
        return None
    move = SeatMove.objects.filter(player=player, key=full_key).first()
    if move is not None and any(said not in (None, getattr(move, name)) for name, said in content.items()):
        raise Conflict("This key was used for another request: take a new one.", "key-taken")
    return move
