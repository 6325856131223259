"""The sealed cards of a hand, for an auditor's open view and nobody else; each look is recorded first."""

from datetime import datetime

from cardroom.models import User
from cardroom.services import access
from cardroom.services.errors import Forbidden, NotFound
from games import journal
from games.engine.facts import AUDITOR, Fact, redact
from games.models import Hand


def look(*, hand_id: int, by: User, now: datetime) -> list[tuple[int, Fact]]:
    """The facts of a hand with every card that was dealt, numbered from 1.

    Refuses: `NotFound`; `Forbidden` without an open view, or while he plays in this very hand.
    """
    hand = Hand.objects.filter(pk=hand_id).first()
    if hand is None:
        raise NotFound("There is no such hand.", "no-such-hand")
    is_playing = hand.ended_at is None and by.pk in {sitter.player for sitter in journal.sitters(hand).values()}
    if is_playing:
        raise Forbidden("You play in this hand: its cards are sealed for you until it is over.", "plays-in-hand")
    access.look_at_sealed(user=by, subject=f"hand:{hand_id}", now=now)
    return [(seq, redact(fact, AUDITOR)) for seq, fact in enumerate(journal.facts(hand_id), 1)]
