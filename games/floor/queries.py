"""What the floor looks at: every table at a glance, the calls that wait, and what was ordered.

The floor sees of a hand what the rail sees. Sealed cards take an auditor's view, see `play.sealed`.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.db.models import Prefetch, Q

from cardroom.core.errors import NotFound
from cardroom.core.models import User
from cardroom.ledger.models import Account
from games.engine.commands import ORDERS, Order
from games.engine.errors import IllegalAction
from games.engine.facts.base import RAIL, redact
from games.engine.facts.play import Ruled
from games.engine.state import HandState
from games.floor.lobby import IN_THE_ROOM, ONLINE, Wanted, room_lobby
from games.floor.models import FloorCall, FloorOrder
from games.rake.models.drops import Jackpot
from games.rulebooks.queries import load as rulebook
from games.tables import journal as table_journal
from games.tables.models.tables import Hand, Seat, Table
from games.tables.offers import in_play as book_in_play
from games.tables.queries.tables import Viewer, table_view
from games.tables.words import BOT_STRENGTHS
from games.waitlists.models import ListEntry
from games.waitlists.queries import tables_wanted

_MOST_KEPT = 256
_SEATED = ("rules-live", "kills", "penalises")

#: Hands in play as the rail sees them, so that looking again reads only what is new.
_glances: OrderedDict[int, HandState] = OrderedDict()
_lock = threading.Lock()


def floor_view() -> dict[str, Any]:
    """Every table whose hands are dealt here, those of events where somebody called, and every call that waits, as
    JSON; times are milliseconds since the epoch.

    Three queries, and one for each hand that went on since it was last looked at, unless this process played it.
    """
    calls = open_calls()
    waiting = [call["table"] for call in calls]
    seats = Seat.objects.select_related("player", "account").order_by("number")
    tables = Table.objects.filter(Q(event="", is_physical=False) | Q(pk__in=waiting)).exclude(
        state__in=[Table.State.CLOSED, Table.State.FREE]
    )
    rows = (
        tables.select_related("hand", "last_hand")
        .prefetch_related(Prefetch("seats", seats))
        .order_by("small_bet", "name")
    )
    return {"tables": [_table(row, waiting.count(row.pk)) for row in rows], "calls": calls}


def open_calls() -> list[dict[str, Any]]:
    """The calls nobody has answered yet, oldest first, as JSON."""
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
    """The calls at one table that nobody has answered yet, oldest first."""
    calls = FloorCall.objects.filter(table=table_id, answered_at=None).select_related("player")
    return list(calls.order_by("at", "pk"))


def floor_log(
    *, hand: int | None = None, table: int | None = None, before: int | None = None, limit: int = 50
) -> list[FloorOrder]:
    """What was ordered, newest first, with who ordered it; ``before``: only rows with a smaller id."""
    rows = FloorOrder.objects.select_related("by", "table", "hand").order_by("-pk")
    for name, value in (("hand", hand), ("table", table), ("pk__lt", before)):
        if value is not None:
            rows = rows.filter(**{name: value})
    return list(rows[:limit])


def open_orders(*, hand_id: int) -> list[dict[str, Any]]:
    """What the rules leave to the floor in a hand now: ``[{"what": .., "seats": [..]}]``; without seats where an order
    concerns the whole hand. Asked of the engine itself."""
    if not Hand.objects.filter(pk=hand_id).exists():
        raise NotFound("no-such-hand", "There is no such hand.")
    opened = table_journal.read(hand_id)
    if opened.engine.is_over:
        return []
    found = []
    for what in ORDERS:
        tried = sorted(opened.engine.seats) if what in _SEATED else [0]
        seats = [seat for seat in tried if _is_open(opened, Order(what, seat, "asked"))]
        if seats:
            found.append({"what": what, "seats": [seat for seat in seats if seat]})
    return found


def forget() -> None:
    """Clears the cache of hands; they are read from the journal again."""
    with _lock:
        _glances.clear()


def holders_of(role: str, users: set[int]) -> set[int]:
    """Which of these users, by id, hold a role now. One query."""
    return set(User.objects.filter(pk__in=users, is_active=True, groups__name=role).values_list("pk", flat=True))


def _is_open(opened: table_journal.OpenHand, order: Order) -> bool:
    try:
        opened.engine.copy().play(order)
    except IllegalAction:
        return False
    return True


# -- one table -------------------------------------------------------------------------------------------------------


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
    """A table as the lobby previews it: who sits there with how much and, where this viewer may watch, what the rail
    sees of the hand in play (`seen`: upcards and chips by seat). `NotFound` where there is no such table."""
    view = table_view(table_id=table_id, viewer=viewer)
    hand = view["hand"] if view["is_shown"] else None
    if hand is None:
        return view | {"in_play": None, "seen": {}}
    with _lock:
        state = _seen_by_the_rail(hand["id"], hand["seq"])
        seen = {
            seat.seat: {"upcards": list(seat.upcards), "stack": seat.stack, "bet": seat.bet, "is_live": seat.is_live}
            for seat in state.players
        }
        return view | {"in_play": {"pot": state.pot, "street": state.street, "to_act": state.to_act}, "seen": seen}


def _seen_by_the_rail(hand_id: int, seq: int) -> HandState:
    """The hand up to this fact. Under the lock, for another reader may carry the cached hand on."""
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
    """What is shown of a hand."""
    with _lock:
        state = _seen_by_the_rail(hand_id, seq)
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


# What the board on the wall shows: games with their free seats, names on lists, jackpots. Nothing that is private.


SCREENS = ("games", "lists", "jackpots", "events")
WHERE = (ONLINE, IN_THE_ROOM)
#: Names of one list that the wall has room for.
_MOST_NAMES = 12


@dataclass(frozen=True)
class Line:
    """A game: ``tables`` going, ``free`` seats anybody may take, ``waiting`` names on its list; ``is_wanted``: so many
    that a table could be opened."""

    offer: int | None
    name: str
    stakes: str
    game: str
    tables: int
    free: int
    waiting: int
    interested: int
    is_physical: bool
    is_wanted: bool = False


@dataclass(frozen=True)
class Name:
    name: str
    is_called: bool
    table: str = ""


@dataclass
class NameList:
    """The names on a game's list in their order; ``more`` have no room."""

    game: str
    stakes: str
    names: list[Name] = field(default_factory=list)
    more: int = 0


@dataclass(frozen=True)
class Board:
    lines: list[Line]
    lists: list[NameList]
    jackpots: list[tuple[str, int]]


def board(*, now: datetime, where: str = "") -> Board:
    """The board as it is now. Eight queries."""
    wanted = tables_wanted()
    lobby = room_lobby(viewer=None, wanted=Wanted(where=where), now=now)
    lines, lists = [], {}
    for group in lobby.groups:
        tables = [table for table in group.tables if not table.is_private]
        if group.offer is None:
            for stakes in dict.fromkeys(table.stakes for table in tables):
                lines.append(_line(group.game, stakes, group.game, [row for row in tables if row.stakes == stakes]))
        else:
            offer = group.offer
            counts = {"waiting": group.waiting, "interested": group.interested, "offer": offer.pk}
            line = _line(offer.name, offer.stakes, group.game, tables, **counts)
            lines.append(replace(line, is_wanted=offer.pk in wanted, is_physical=offer.is_physical))
            lists[offer.pk] = NameList(offer.name, offer.stakes)
    _fill(lists)
    return Board(lines, [each for each in lists.values() if each.names], jackpots())


def jackpots() -> list[tuple[str, int]]:
    """The live jackpots and what lies in them, greatest first. Two queries."""
    live = dict(Jackpot.objects.filter(state=Jackpot.State.LIVE).values_list("pk", "name"))
    pools = Account.objects.filter(kind=Account.Kind.POOL, label__in=[f"jackpot:{pk}" for pk in live], unit="cash")
    lying = dict(pools.values_list("label", "balance"))
    found = [(name, lying.get(f"jackpot:{pk}", 0)) for pk, name in live.items()]
    return sorted(found, key=lambda each: (-each[1], each[0]))


def _line(name: str, stakes: str, game: str, tables: list, offer: int | None = None, **counts: int) -> Line:  # type: ignore[type-arg]
    return Line(
        offer,
        name,
        stakes,
        game,
        tables=sum(table.is_going for table in tables),
        free=sum(table.free for table in tables),
        waiting=counts.get("waiting", 0),
        interested=counts.get("interested", 0),
        is_physical=any(table.is_physical for table in tables),
    )


def _fill(lists: dict[int, NameList]) -> None:
    """The names, in the order in which they will be called."""
    kinds = (ListEntry.Kind.LIST, ListEntry.Kind.INTEREST)
    entries = ListEntry.objects.filter(offer__in=lists, state__in=ListEntry.ACTIVE, kind__in=kinds)
    rows = (
        entries.annotate(shown=User.shown_name_of("player"))
        .order_by("tier", "place")
        .values_list("offer", "shown", "state", "called_to__name")
    )
    for offer, name, state, table in rows:
        one = lists[offer]
        if len(one.names) < _MOST_NAMES:
            is_called = state in (ListEntry.State.CALLED, ListEntry.State.COMING)
            one.names.append(Name(name, is_called, (table or "") if is_called else ""))
        else:
            one.more += 1
