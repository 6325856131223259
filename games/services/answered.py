"""Commands of the staff in hands: under which name they are written down, and what a repeated one is answered."""

from cardroom.models import User
from cardroom.services.errors import Invalid, NotFound, Stale
from games import journal
from games.journal import Receipt
from games.models import Hand

_LONGEST = 64


def key_of(by: User, command_id: str) -> str:
    """The name of a command that ``by`` gave the id ``command_id``: nobody's can stand in the way of another's."""
    if not 1 <= len(command_id) <= _LONGEST:
        raise Invalid(f"A command id has 1 to {_LONGEST} characters.", "bad-command-id")
    return f"by{by.pk}:{command_id}"


def after_the_end(hand_id: int, key: str) -> Receipt:
    """What a command was answered in a hand that is not being played; `Stale` where there was no such command."""
    if not Hand.objects.filter(pk=hand_id).exists():
        raise NotFound("There is no such hand.", "no-such-hand")
    receipt = journal.receipt(hand_id, key)
    if receipt is None:
        raise Stale("This hand is over.", "hand-over")
    return receipt
