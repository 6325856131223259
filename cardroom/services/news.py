"""That something changed, told to the pages that show it: a topic and nothing else.

A page that hears of a topic asks again for what it shows, with its own reader's rights, so no news can tell too much
and a lost one costs a moment. Topics: "lobby" (tables, states, free seats), "lists" and "list:<offer id>", "floor",
"board", "cage", "approvals", "jackpots", "shifts", "players", "tournaments", "chat", "hands" (stacks moved somewhere,
told seldom), and "player:<user id>" for what concerns one person. Who may hear of which: `cardroom.live.room_topics`.
"""

from functools import partial

from django.db import transaction
from django.dispatch import Signal

room_moved = Signal()
"""(topics): a tuple of topics whose pages are out of date. Sent after the commit."""


def tell(*topics: str) -> None:
    """Once the transaction at hand is committed, say that what these topics show has changed."""
    transaction.on_commit(partial(_send, topics), robust=True)


def _send(topics: tuple[str, ...]) -> None:
    room_moved.send_robust(sender=None, topics=topics)
