"""Chips bought during an event: rebuys and add-ons.

They are paid for and counted at once. A player whose hand is being played online has them on the table after it: until
then the entry's `pending` says so, and the host of the tables calls `deliver` between hands. Every verb locks the
event.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated

from cardroom.core.arguments import RowId, internal
from cardroom.core.errors import Invalid, NotFound
from cardroom.core.models import User
from tournaments.engine.commands import AddOn, Command, Rebuy
from tournaments.engine.facts import AddedOn, Rebought
from tournaments.events import money, playing, second_person, staff, terms
from tournaments.events.journal import Locked
from tournaments.events.models import Payment, Tournament, TournamentEntry
from tournaments.events.tables import tables_of
from tournaments.prizes import payouts
from tournaments.registration import registration
from tournaments.registration.registration import Purse

Method = Payment.Method


@second_person.verb("registration.rebuy")
def rebuy(
    *,
    tournament_id: RowId,
    player: Annotated[User | None, internal] = None,
    entrant: RowId | None = None,
    stack: int | None = None,
    method: str = "",
    by: User,
) -> Payment:
    """Buy chips while the stack is low enough. By the player, or at the desk for a `player` or an `entrant`.

    `stack`: in the room, what the player has now. The payment says what chips it gave. Refuses: `NotFound` (not in),
    `Forbidden` (banned), `Illegal` (too late, too many chips, too many rebuys, over the player's own limit),
    `NotEnoughChips`.
    """
    return _buy(Payment.Kind.REBUY, tournament_id, by=by, player=player, entrant=entrant, stack=stack, method=method)


@second_person.verb("registration.add_on")
def add_on(
    *,
    tournament_id: RowId,
    player: Annotated[User | None, internal] = None,
    entrant: RowId | None = None,
    method: str = "",
    by: User,
) -> Payment:
    """Buy the add-on, once, in its break. Refuses as `rebuy` does."""
    return _buy(Payment.Kind.ADD_ON, tournament_id, by=by, player=player, entrant=entrant, method=method)


def deliver(locked: Locked, entrants: Iterable[int], *, now: datetime) -> dict[int, int]:
    """Put chips on the table that were bought during a hand; returns the chips given, by entrant. Call with the event
    held. An entrant who is in a hand goes on waiting."""
    chips_given: dict[int, int] = {}
    waiting = TournamentEntry.objects.filter(tournament=locked.pk, number__in=list(entrants)).exclude(pending=[])
    for entry in waiting:
        left = []
        for purchase in entry.pending:
            reference = f"chips:{locked.pk}:{purchase['payment']}"
            tables, chips = tables_of(locked), purchase["chips"]
            if tables.add_chips(locked, entrant=entry.number, chips=chips, reference=reference, now=now):
                chips_given[entry.number] = chips_given.get(entry.number, 0) + chips
            else:
                left.append(purchase)
        entry.pending = left
        entry.save(update_fields=["pending"])
    return chips_given


def _buy(
    what: str,
    tournament_id: int,
    *,
    by: User,
    player: User | None,
    entrant: int | None,
    stack: int | None = None,
    method: str,
) -> Payment:
    with playing.holding(tournament_id) as locked:
        entry = _entry(locked, player or (by if entrant is None else None), entrant)
        is_desk = entry.player_id != by.pk
        if is_desk:
            staff.require(by, staff.DESK)
        registration.check_open(locked.row)
        # Only the staff, who can count it, says what a player has in front of them.
        counted = stack if is_desk and locked.row.conduct == Tournament.Conduct.ROOM else None
        return buy_held(locked, entry, what, method=_method(method, is_desk), stack=counted, by=by, now=locked.now)


def buy_held(
    locked: Locked,
    entry: TournamentEntry,
    what: str,
    *,
    method: str,
    by: User | None,
    now: datetime,
    stack: int | None = None,
) -> Payment:
    """Buy for an entry of an event that is held; None as `by` is the house, for its bots and for players with automatic
    rebuys."""
    paid = terms.price_of(locked.row, what)
    purse = Purse(method)
    if by is not None:
        registration.hold(entry.player)
    registration.check_may_pay(locked.row, entry.player, purse, paid, now=now)
    sources = purse.sources(entry.player, paid, what=what, now=now, by=by)
    leave = purse.leave(entry.player, paid, by=by, now=now)
    command: Command = AddOn(entry.number, paid) if what == Payment.Kind.ADD_ON else Rebuy(entry.number, paid, stack)
    receipt = playing.play(locked, command, now=now, by=by)
    payouts.check_paid(locked)
    bought = next(fact for fact in locked.state.facts[receipt.facts_from - 1 :] if isinstance(fact, Rebought | AddedOn))
    so_far = Payment.objects.filter(tournament=locked.pk, entry__number=entry.number).count()
    payment = money.take(
        locked.row,
        entry,
        what=what,
        paid=paid,
        sources=sources,
        method=method,
        chips=bought.chips,
        reference=f"{what}:{locked.pk}:{entry.number}:{so_far}",
        now=now,
        by=by,
        leave=leave,
    )
    if by is not None:
        registration.check_has_paid(entry.player, purse, paid, now=now)
    entry.pending = [*entry.pending, {"chips": bought.chips, "payment": payment.pk}]
    entry.save(update_fields=["pending"])
    deliver(locked, [entry.number], now=now)
    return payment


def _entry(locked: Locked, player: User | None, entrant: int | None) -> TournamentEntry:
    entries = locked.row.entries.exclude(state=TournamentEntry.State.WITHDRAWN).select_related("player")
    wanted = entries.filter(number=entrant) if entrant is not None else entries.filter(player=player)
    entry = wanted.order_by("-number").first()
    if entry is None:
        raise NotFound("not-entered", "There is no entry in this tournament to buy chips for.")
    return entry


def _method(method: str, is_desk: bool) -> str:
    allowed = ("", Method.WALLET, Method.DESK) if is_desk else ("", Method.WALLET)
    if method not in allowed:
        raise Invalid("bad-method", "Chips are paid for from the wallet, or in cash at the desk.")
    return method or (Method.DESK if is_desk else Method.WALLET)
