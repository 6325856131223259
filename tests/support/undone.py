"""What an event has come to, so that an order and its undo can be compared with nothing.

One place says what is equal. Different stay: the log, the ledger's entries and the audit log, which only grow; receipts
that were refunded or are void; an entry that was undone, which keeps its number as one that withdrew; notices; and the
event's `seq` and `version`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.support.directing import event_snapshot, is_same
from tests.support.events import Event
from tests.support.models import Account, Seat, Ticket, TournamentEntry
from tests.support.parts.tournaments import COLUMNS, playing, prize_models
from tournaments.events.models import Payment

_OF_THE_ROW = (
    "state", "started_at", "ended_at", "end_reason", "entries_count", "alternates_count", "players_left",
    "tables_count", "pool", "places_paid", "level", "clock", "is_entry_open", "is_hand_for_hand", "paid_at", "config",
    "wake_at",
)  # fmt: skip


@dataclass(frozen=True)
class Picture:
    """An event at one moment."""

    state: dict[str, Any]
    rows: dict[str, Any]


def picture(event: Event) -> Picture:
    """Its state and its rows, chips and money to the unit."""
    with playing.holding(event.pk, now=event.now):
        pass  # the clock has gone on: the row says so from the next order on
    row = event.row
    entries = TournamentEntry.objects.filter(tournament=event.pk).exclude(state=TournamentEntry.State.WITHDRAWN)
    payments = Payment.objects.filter(tournament=event.pk, refunded_at=None).order_by("entry__number", "what", "pk")
    payouts = prize_models.Payout.objects.filter(tournament=event.pk).exclude(state=prize_models.Payout.State.VOID)
    money = Account.objects.exclude(balance=0).exclude(kind=Account.Kind.STACK)
    accounts = money.values_list("kind", "owner", "label", "unit", "balance")
    tickets = Ticket.objects.filter(state=Ticket.State.ISSUED)
    seats = Seat.objects.filter(table__event=row.unit).order_by("player")
    return Picture(
        event_snapshot(event.state),
        {
            "event": {name: getattr(row, name) for name in _OF_THE_ROW},
            "entries": {entry.pop("number"): entry for entry in entries.values("number", "pending", *COLUMNS)},
            "paid": list(payments.values_list("entry__number", "what", "method", "pool", "fee", "bounty", "staff")),
            "prizes": sorted(payouts.values_list("entry__number", "what", "state", "method", "amount")),
            "money": {(kind, owner, label, unit): balance for kind, owner, label, unit, balance in accounts},
            "tickets": sorted(tickets.values_list("player", "value", "tournament", "series", "used_for")),
            "seats": list(seats.values_list("player", "table__name", "number", "account__balance")),
        },
    )


def assert_same(event: Event, before: Picture, what: str) -> None:
    """The event is as it was."""
    after = picture(event)
    for name, rows in before.rows.items():
        assert after.rows[name] == rows, f"{what}: {name}"
    assert is_same(event.state, before.state), what
