"""The sealed cards of a hand that is over, for an auditor's open view and nobody else; each look is recorded first.

Nobody looks into a game that they play in: who sat in it in the session of the hand or since sees none of its cards,
and who has looked does not sit in it for a session more. Of an event the session is all of it.
"""

from datetime import datetime, timedelta
from typing import Any

from cardroom.accounts import sealed_views
from cardroom.core.errors import Conflict, Forbidden, NotFound
from cardroom.core.models import User
from cardroom.core.operation import operation, row_of
from games.engine.facts.base import AUDITOR, Fact, redact
from games.tables import journal as table_journal
from games.tables import signals as table_signals
from games.tables import stacks
from games.tables.models.tables import Hand, Seat, SeatMove, Table
from games.tables.models.times import Stay

#: No evening at a cash table is longer; whoever plays on the next day has slept.
SESSION = timedelta(hours=12)


@operation(row_of(User, "by"))
def look(*, hand_id: int, by: User, now: datetime) -> list[tuple[int, Fact]]:
    """The facts of a hand with every card that was dealt, numbered from 1.

    Refuses: `NotFound`; `Forbidden` without an open view, or to who sat in that game; `Conflict` while the hand is
    being played. Locks the player, so that they do not sit down meanwhile.
    """
    hand = Hand.objects.select_related("table").filter(pk=hand_id).first()
    if hand is None:
        raise NotFound("There is no such hand.", "no-such-hand")
    view = sealed_views.require(user=by, now=now)
    if hand.ended_at is None:
        raise Conflict("This hand is in progress: its sealed cards can be viewed when it is over.", "hand-in-play")
    stacks.lock_player(by)
    if _has_sat(by, hand):
        raise Forbidden("You had a seat in this game: ask another auditor.", "sat-in-the-game")
    sealed_views.note_look(view=view, subject=f"hand:{hand_id}", now=now)
    return [(seq, redact(fact, AUDITOR)) for seq, fact in enumerate(table_journal.facts(hand_id), 1)]


def check_may_sit(table: Table, player: User, *, now: datetime) -> None:
    """`Forbidden` where they have looked at sealed cards of this game. One query for who never looked."""
    looked = sealed_views.looks_of(player, kind="hand", since=now - SESSION)
    if looked and Hand.objects.filter(pk__in=looked, **_same_game(table, "table__")).exists():
        raise Forbidden(
            f"You have seen sealed cards of this game: take a seat in it {SESSION // timedelta(hours=1)} hours later.",
            "saw-sealed-cards",
        )


def check_may_enter(event: str, player: User) -> None:
    """`Forbidden` where they have looked at sealed cards of this event."""
    looked = sealed_views.looks_of(player, kind="hand")
    if looked and Hand.objects.filter(pk__in=looked, table__event=event).exists():
        raise Forbidden("You have seen sealed cards of this event.", "saw-sealed-cards")


def _has_sat(player: User, hand: Hand) -> bool:
    """In the session before the hand, in it, or since."""
    game = _same_game(hand.table, "table__")
    if Seat.objects.filter(player=player, **game).exists():
        return True
    if hand.table.event:
        entered = table_signals.has_entered.ask(event=hand.table.event, player=player)
        return any(entered) or SeatMove.objects.filter(player=player, **game).exists()
    stays = Stay.objects.filter(player=player, **game)
    return stays.exclude(left_at__lt=hand.started_at - SESSION).exists()


def _same_game(table: Table, prefix: str) -> dict[str, Any]:
    """The tables of the same event, of the same game on offer, or this one alone."""
    if table.event:
        return {f"{prefix}event": table.event}
    if table.offer_id:
        return {f"{prefix}offer": table.offer_id}
    return {prefix.removesuffix("__"): table.pk}
