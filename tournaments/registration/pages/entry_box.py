"""The box on the flyer where one enters."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext

from cardroom.accounts import welcome
from cardroom.core.errors import Refusal
from cardroom.core.sentences import translated
from games.tables.stacks import places_in
from tournaments.engine.commands import AddOn, Command, Rebuy, ReEnter, Register
from tournaments.engine.config import Paid
from tournaments.engine.errors import IllegalCommand
from tournaments.engine.state import Entrant
from tournaments.engine.tournament import EventEngine
from tournaments.events import terms as event_terms
from tournaments.events.journal import ms
from tournaments.events.models import Payment, Tournament, TournamentEntry
from tournaments.prizes import queries as prize_queries
from tournaments.prizes.models import Ticket
from tournaments.prizes.standings import Standings
from tournaments.registration import automatic_rebuys, registration
from tournaments.registration import queries as registration_queries
from tournaments.registration.pages.flyer import looking

EntryState = TournamentEntry.State


@dataclass(frozen=True)
class EntryOffer:
    """Something that can be bought. `refusal`: why not, '' where it can; `short`: how many chips the wallet lacks;
    `gains`: the chips it gives."""

    what: str
    paid: Paid
    refusal: str = ""
    short: int = 0
    gains: int = 0


def box(row: Tournament, user: Any, *, now: datetime) -> dict[str, Any]:
    """Where `user`, logged in or not, stands in this event, and what they may do in it now: `register`, `re_enter`,
    `rebuy` and `add_on` as far as they are offered. Whether the event would take it is asked of the engine, on a copy
    that is thrown away; the services decide anew when it is done.

    `entry`: their latest one; `own`: as `standing.Standings.own` tells it; `is_automatic`: whether chips are bought for
    them when theirs are gone, None where that is not done; `in_line`: how many alternates go before them, this one
    included; `room_table`: the table of the room where they sit, in an online event; `refund`: what they get back by
    taking it back."""
    if not user.is_authenticated:
        with looking(row, now=now) as state:
            offer = _try_entry(row, state, Payment.Kind.ENTRY, None, None, now=now)
            return {"register": offer, "is_full": _is_full(state)}
    entry = registration_queries.of_player(row, user)
    wallet = welcome.spendable_by(user)
    payments = list(entry.payments.order_by("number")) if entry else []
    held = [ticket for ticket in prize_queries.tickets(user) if is_good(ticket, row, now)] if not row.is_over else []
    seat = places_in(event=row.unit, players={user.pk}).get(user.pk) if row.is_live else None
    with looking(row, now=now) as state:
        entrant = state.entrants.get(entry.number) if entry else None

        def tried(what: str, command: Command | None) -> EntryOffer:
            return _try_entry(row, state, what, command, wallet, now=now)

        offers: dict[str, Any] = {}
        if entry is None:
            command = Register(player=user.pk, name=user.username, paid=event_terms.price_of(row, "entry"), how="web")
            offers["register"] = tried(Payment.Kind.ENTRY, command)
        elif entry.state == EntryState.OUT and state.config.re_entries:
            offers["re_enter"] = tried(
                Payment.Kind.RE_ENTRY, ReEnter(entry.number, event_terms.price_of(row, "re_entry"))
            )
        elif entry.state == EntryState.IN and row.is_live:
            if state.config.rebuy is not None:
                offers["rebuy"] = tried(Payment.Kind.REBUY, Rebuy(entry.number, event_terms.price_of(row, "rebuy")))
            if state.config.add_on is not None:
                offers["add_on"] = tried(Payment.Kind.ADD_ON, AddOn(entry.number, event_terms.price_of(row, "add_on")))
        return offers | {
            "entry": entry,
            "is_automatic": _is_automatic(row, state, entry),
            "own": _own(row, state, entrant) if entrant and row.is_live else None,
            "can_unregister": _can_unregister(row, entry),
            "refund": sum(payment.total for payment in payments if payment.refunded_at is None),
            "in_line": _in_line(state, entry),
            "room_table": seat[0] if seat else None,
            "is_full": _is_full(state),
            "tickets": held,
            "payments": payments,
            "wallet": wallet,
        }


def _is_automatic(row: Tournament, state: EventEngine, entry: TournamentEntry | None) -> bool | None:
    is_sold = row.conduct == Tournament.Conduct.ONLINE and state.config.rebuy is not None and not row.is_over
    if not is_sold or entry is None or entry.state != EntryState.IN:
        return None
    return entry.player_id in automatic_rebuys.automatic_buyers(row)


def _try_entry(
    row: Tournament, state: EventEngine, what: str, command: Command | None, wallet: int | None, *, now: datetime
) -> EntryOffer:
    """Whether the event would take this purchase now, and why not. For a visitor who is not logged in: only whether
    entry is open."""
    paid = event_terms.price_of(row, what)
    refusal = ""
    try:
        registration.check_open(row)
        if command is not None:
            state.copy().play(command, ms(now))
        elif not state.is_entry_open(ms(now)):
            refusal = gettext("Entry is closed.")
    except (Refusal, IllegalCommand) as error:
        refusal = translated(error.message)
    short = max(0, paid.total - wallet) if wallet is not None else 0
    return EntryOffer(what, paid, refusal, short, _gains(state, what))


def _gains(state: EventEngine, what: str) -> int:
    terms = state.config
    if what == Payment.Kind.REBUY and terms.rebuy is not None:
        return terms.rebuy.chips
    if what == Payment.Kind.ADD_ON and terms.add_on is not None:
        return terms.add_on.chips
    return (terms.re_entry_stack if what == Payment.Kind.RE_ENTRY else 0) or terms.starting_stack


def _own(row: Tournament, state: EventEngine, entrant: Entrant) -> dict[str, Any]:
    rooms = places_in(event=row.unit, players=[entrant.player])
    return Standings(state).own(entrant, rooms.get(entrant.player))


def _can_unregister(row: Tournament, entry: TournamentEntry | None) -> bool:
    if entry is None or not entry.is_live:
        return False
    return row.state == Tournament.State.OPEN or (row.is_live and entry.state == EntryState.ALTERNATE)


def _is_full(state: EventEngine) -> bool:
    most = state.config.max_entrants
    return bool(most and (state.left >= most or state.alternates))


def _in_line(state: EventEngine, entry: TournamentEntry | None) -> int:
    waiting = list(state.alternates)
    return waiting.index(entry.number) + 1 if entry is not None and entry.number in waiting else 0


def is_good(ticket: Ticket, row: Tournament, now: datetime) -> bool:
    """Whether the ticket would do for this event; `tickets.find` has the last word."""
    is_late = ticket.expires_at is not None and ticket.expires_at <= now
    return not is_late and ticket.tournament_id in (None, row.pk) and ticket.series_id in (None, row.series_id)
