"""Players cut the deck of the next hand: with words of their own, after its root is published and before it is dealt.

The room has fixed the deck before, and a player does not know it, so neither can choose which cards fall where. Only
the hash of the words is kept and published; the player can prove with `verify_deal.py` that they were mixed in.
"""

from dataclasses import dataclass
from typing import Annotated

from cardroom.core.arguments import RowId, not_kept
from cardroom.core.errors import Conflict, Forbidden, Invalid
from cardroom.core.models import User
from cardroom.core.verb import lock, verb
from games.play import shuffling, verify_deal
from games.tables import locking
from games.tables.models.tables import Table

LONGEST = 200


@dataclass(frozen=True)
class WaitingCut:
    """A cut that waits for the deal. `cut`: the hash of its words."""

    table: int
    seat: int
    root: str
    cut: str


@verb("cutting.cut")
def cut(*, table_id: RowId, root: str, words: str, by: User) -> Annotated[WaitingCut, not_kept]:
    """Cut the deck with this `root`, which the hand being played, or the last one, published for the next hand.

    The same words a second time change nothing. Refuses: `NotFound` (no such table), `Forbidden` (no seat there),
    `Conflict` (that deck is dealt, or there is none to cut; they cut it already), `Invalid` (no words, or too many).
    """
    if not 1 <= len(words) <= LONGEST:
        raise Invalid("bad-cut", "A cut is text of 1 to {most} characters.", most=LONGEST)
    table, _ = lock(locking.table, table_id)
    seat = table.seats.filter(player=by).first()
    if seat is None:
        raise Forbidden("no-seat", "You have no seat at this table.")
    committed, _ = shuffling.committed_of(table.hand_id or table.last_hand_id)
    if committed is None or committed.next_root != root or not table.has_system_deck:
        raise Conflict("no-deck-to-cut", "That deck is dealt already: cut the next one.")
    cuts = dict(table.cuts["cuts"]) if table.cuts.get("root") == root else {}
    hashed = verify_deal.cut_hash(words)
    if cuts.setdefault(str(seat.number), hashed) != hashed:
        raise Conflict("cut-already", "You have cut this deck already.")
    Table.objects.filter(pk=table.pk).update(cuts={"root": root, "cuts": cuts})
    return WaitingCut(table.pk, seat.number, root, hashed)
