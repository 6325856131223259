"""What the floor sees: every table at a glance, open calls, and past orders.

Of a hand the floor sees what spectators see. To see sealed cards needs an auditor's view, see `play.sealed`.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from datetime import datetime
from typing import Any

from django.db.models import Prefetch, Q

from cardroom.core.errors import NotFound
from cardroom.core.models import User
from games.engine.commands import ORDERS, Order
from games.engine.errors import IllegalAction
from games.engine.facts.base import RAIL, redact
from games.engine.facts.play import Ruled
from games.engine.state import HandState
from games.floor.models import FloorCall, FloorOrder
from games.rulebooks.queries import load as rulebook
from games.tables import journal as table_journal
from games.tables.models.tables import Hand, Seat, Table
from games.tables.offers import in_play as book_in_play
from games.tables.queries.tables import Viewer, table_view
from games.tables.words import BOT_STRENGTHS

_MOST_KEPT = 256
_SEATED = ("rules-live", "kills", "penalises")

#: Hands in play as spectators see them, cached so that only new facts are read.
_glances: OrderedDict[int, HandState] = OrderedDict()
_lock = threading.Lock()


def floor_view() -> dict[str, Any]:
    """Every online table, the tables of events with an open call, and every open call, as JSON; times are milliseconds
    since the epoch.

    Three queries, and one for each hand with new facts, unless this process played them.
    """
    calls = open_calls()
    waiting = [call["table"] for call in calls]
    seats = Seat.objects.select_related("player", "account").order_by("number")
    tables = Table.objects.filter(Q(event="", is_physical=False) | Q(pk__in=waiting)).exclude(
        state__in=[Table.State.CLOSED, Table.State.FREE]
    )
    rows = (
        tables.select_related("play__hand", "play__last_hand")
        .prefetch_related(Prefetch("seats", seats))
        .order_by("small_bet", "name")
    )
    return {"tables": [_table(row, waiting.count(row.pk)) for row in rows], "calls": calls}


def open_calls() -> list[dict[str, Any]]:
    """The open calls, oldest first, as JSON."""
    calls = FloorCall.objects.filter(answered_at=None).select_related("table", "player").order_by("at", "pk")
    return [
        {
            "id": call.pk,
            "table": call.table_id,
            "table_name": call.table.name,
            "hand": call.hand_id,
            "seat": call.seat,
            "who": call.player.username,
            "kind": call.kind,
            "note": call.note,
            "at": _ms(call.at),
        }
        for call in calls
    ]


def calls_at(table_id: int) -> list[FloorCall]:
    """The open calls at one table, oldest first."""
    calls = FloorCall.objects.filter(table=table_id, answered_at=None).select_related("player")
    return list(calls.order_by("at", "pk"))


def floor_log(
    *, hand: int | None = None, table: int | None = None, before: int | None = None, limit: int = 50
) -> list[FloorOrder]:
    """Past orders, newest first; `before`: only rows with a smaller id."""
    rows = FloorOrder.objects.select_related("by", "table", "hand").order_by("-pk")
    for name, value in (("hand", hand), ("table", table), ("pk__lt", before)):
        if value is not None:
            rows = rows.filter(**{name: value})
    return list(rows[:limit])


def open_orders(*, hand_id: int) -> list[dict[str, Any]]:
    """The orders that the rules leave to the floor in a hand now: `[{"what": .., "seats": [..]}]`; without seats where
    an order is about the whole hand. Each is tried with the engine."""
    if not Hand.objects.filter(pk=hand_id).exists():
        raise NotFound("no-such-hand", "There is no such hand.")
    opened = table_journal.read(hand_id)
    if opened.engine.is_over:
        return []
    orders = []
    for what in ORDERS:
        tried = sorted(opened.engine.seats) if what in _SEATED else [0]
        seats = [seat for seat in tried if _is_open(opened, Order(what, seat, "asked"))]
        if seats:
            orders.append({"what": what, "seats": [seat for seat in seats if seat]})
    return orders


def forget() -> None:
    """Clear the cache of hands; they are read from the journal again."""
    with _lock:
        _glances.clear()


def holders_of(role: str, users: set[int]) -> set[int]:
    """The ids, among these, of users who hold a role now. One query."""
    return set(User.objects.filter(pk__in=users, is_active=True, groups__name=role).values_list("pk", flat=True))


def _is_open(opened: table_journal.OpenHand, order: Order) -> bool:
    try:
        opened.engine.copy().play(order)
    except IllegalAction:
        return False
    return True


def _table(table: Table, calls: int) -> dict[str, Any]:
    book = rulebook(book_in_play(table))
    return {
        "id": table.pk,
        "name": table.name,
        "state": table.state,
        "game": table.game,
        "structure": table.structure,
        "stakes": table.stakes,
        "rulebook": {"slug": book.slug, "title": book.title},
        "dealt_by": table.dealt_by,
        "deck": table.deck,
        "seat_count": table.seat_count,
        "seats": [
            {
                "number": seat.number,
                "name": seat.player.username,
                "is_bot": seat.player.is_bot,
                "strength": BOT_STRENGTHS.get(seat.player.personality, ""),
                "stack": seat.account.balance,
                "state": seat.state,
            }
            for seat in table.seats.all()
        ],
        "last_hand": table.last_hand_id,
        "hand": _hand(table, table.hand) if table.hand is not None else None,
        "calls": calls,
    }


def _hand(table: Table, hand: Hand) -> dict[str, Any]:
    return {
        "id": hand.pk,
        "number": hand.number,
        **_glance(hand.pk, table.seq),
        "since": _ms(table.turn_at or hand.started_at),
        "deadline": _ms(table.deadline) if table.deadline else None,
    }


def preview(*, table_id: int, viewer: Viewer) -> dict[str, Any]:
    """A table as the lobby previews it: its players and their chips and, where this viewer may watch, what spectators
    see of the hand in play (`seen`: upcards and chips by seat). `NotFound` where there is no such table."""
    view = table_view(table_id=table_id, viewer=viewer)
    hand = view["hand"] if view["is_shown"] else None
    if hand is None:
        return view | {"in_play": None, "seen": {}}
    with _lock:
        state = _state_for_spectators(hand["id"], hand["seq"])
        seen = {
            seat.seat: {"upcards": list(seat.upcards), "stack": seat.stack, "bet": seat.bet, "is_live": seat.is_live}
            for seat in state.players
        }
        return view | {"in_play": {"pot": state.pot, "street": state.street, "to_act": state.to_act}, "seen": seen}


def _state_for_spectators(hand_id: int, seq: int) -> HandState:
    """The hand up to this fact. Call it with the lock held: another reader may change the cached hand."""
    state = _glances.pop(hand_id, None) or HandState()
    known = len(state.facts)
    if known < seq:
        for fact in table_journal.facts(hand_id, after=known, upto=seq):
            state.apply(redact(fact, RAIL))
    _glances[hand_id] = state
    while len(_glances) > _MOST_KEPT:
        _glances.popitem(last=False)
    return state


def _glance(hand_id: int, seq: int) -> dict[str, Any]:
    """What the floor sees of a hand."""
    with _lock:
        state = _state_for_spectators(hand_id, seq)
        return {
            "seq": len(state.facts),
            "street": state.street,
            "pot": state.pot,
            "to_act": state.to_act,
            "awaits": state.awaits,
            "last_ruling": _last_ruling(state),
        }


def _last_ruling(state: HandState) -> dict[str, Any] | None:
    if not state.rulings_made:
        return None
    last = state.rulings_made[-1]
    seqs = [seq for seq, fact in enumerate(state.facts, 1) if isinstance(fact, Ruled) and fact is last]
    return {
        "key": last.key,
        "verdict": last.verdict,
        "words": last.words,
        "rule": last.rule,
        "citation": last.citation or last.rule,
        "seats": list(last.seats),
        "seq": seqs[-1] if seqs else None,
    }


def _ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)
