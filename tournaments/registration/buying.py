"""Chips bought during an event: rebuys and add-ons.

They are paid for and counted at once. A player whose hand is being played online has them on the table after it: until
then the entry's `pending` says so, and whoever runs the tables calls `deliver` between hands. Every verb locks the
event.
"""

from collections.abc import Iterable
from datetime import datetime

from cardroom.core import idempotency
from cardroom.core.errors import Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.operation import operation
from tournaments.engine.commands import AddOn, Command, Rebuy
from tournaments.engine.facts import AddedOn, Rebought
from tournaments.events import locking, money, playing, staff, terms
from tournaments.events import signals as event_signals
from tournaments.events.locking import Locked
from tournaments.events.models import Payment, Tournament, TournamentEntry
from tournaments.prizes import payouts
from tournaments.registration import registration
from tournaments.registration.registration import Purse

Method = Payment.Method


@operation(locking.of_event)
def rebuy(
    *,
    tournament_id: int,
    now: datetime,
    by: User,
    player: User | None = None,
    entrant: int | None = None,
    stack: int | None = None,
    method: str = "",
    key: str = "",
) -> Payment:
    """Buy chips while the stack is low enough. By the player, or at the desk for a `player` or an `entrant`.

    `stack`: in the room, what the player has now. The payment says what chips it gave. Refuses: `NotFound` (not in),
    `Forbidden` (banned), `Illegal` (too late, too many chips, too many rebuys, over the player's own limit),
    `NotEnoughChips`.
    """
    return _buy(
        Payment.What.REBUY,
        tournament_id,
        now=now,
        by=by,
        player=player,
        entrant=entrant,
        stack=stack,
        method=method,
        key=key,
    )


@operation(locking.of_event)
def add_on(
    *,
    tournament_id: int,
    now: datetime,
    by: User,
    player: User | None = None,
    entrant: int | None = None,
    method: str = "",
    key: str = "",
) -> Payment:
    """Buy the add-on, once, in its break. Refuses as `rebuy` does."""
    return _buy(
        Payment.What.ADD_ON,
        tournament_id,
        now=now,
        by=by,
        player=player,
        entrant=entrant,
        stack=None,
        method=method,
        key=key,
    )


def deliver(locked: Locked, entrants: Iterable[int], *, now: datetime) -> dict[int, int]:
    """Put chips on the table that were bought during a hand; the chips given, by entrant. Call with the event held,
    when none of these is in a hand: who still is waits on."""
    given: dict[int, int] = {}
    waiting = TournamentEntry.objects.filter(tournament=locked.pk, number__in=list(entrants)).exclude(pending=[])
    for entry in waiting:
        left = []
        for each in entry.pending:
            reference = f"chips:{locked.pk}:{each['payment']}"
            bought = {"entrant": entry.number, "chips": each["chips"], "reference": reference}
            if all(event_signals.chips_bought.ask(locked=locked, now=now, **bought)):  # in the room nobody answers
                given[entry.number] = given.get(entry.number, 0) + each["chips"]
            else:
                left.append(each)
        entry.pending = left
        entry.save(update_fields=["pending"])
    return given


def _buy(
    what: str,
    tournament_id: int,
    *,
    now: datetime,
    by: User,
    player: User | None,
    entrant: int | None,
    stack: int | None,
    method: str,
    key: str,
) -> Payment:
    with playing.holding(tournament_id, now=now) as locked:
        entry = _entry(locked, player or (by if entrant is None else None), entrant)
        is_desk = entry.player_id != by.pk
        if is_desk:
            staff.require(by, staff.DESK)

        def make() -> Payment:
            registration.check_open(locked.row)
            # Only the staff, who can count it, says what somebody has in front of them.
            told = stack if is_desk and locked.row.conduct == Tournament.Conduct.ROOM else None
            return buy_held(locked, entry, what, method=_method(method, is_desk), stack=told, by=by, now=now)

        return idempotency.made(Payment, make, by=by, key=key, verb=f"buy:{entry.pk}", now=now)


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
    """Buy for an entry of an event that is held; None as `by` is the house, for its bots and for who asked for it."""
    paid = terms.of(locked.row, what)
    purse = Purse(method)
    if by is not None:
        registration.hold(entry.player)
    registration.check_may_pay(locked.row, entry.player, purse, paid, now=now)
    sources = purse.sources(entry.player, paid)
    command: Command = AddOn(entry.number, paid) if what == Payment.What.ADD_ON else Rebuy(entry.number, paid, stack)
    receipt = playing.play(locked, command, now=now, by=by)
    payouts.check_paid(locked)
    bought = next(fact for fact in locked.state.facts[receipt.facts_from - 1 :] if isinstance(fact, Rebought | AddedOn))
    payment = money.take(
        locked.row,
        entry,
        what=what,
        paid=paid,
        sources=sources,
        method=method,
        chips=bought.chips,
        reference=f"{what}:{locked.pk}:{entry.number}:{bought_so_far(locked, entry.number)}",
        now=now,
        by=by,
    )
    if by is not None:
        registration.check_has_paid(entry.player, purse, paid, now=now)
    entry.pending = [*entry.pending, {"chips": bought.chips, "payment": payment.pk}]
    entry.save(update_fields=["pending"])
    deliver(locked, [entry.number], now=now)
    return payment


def bought_so_far(locked: Locked, entrant: int) -> int:
    """How often this entry has bought chips; part of the transfer's reference."""
    return Payment.objects.filter(tournament=locked.pk, entry__number=entrant).count()


def _entry(locked: Locked, player: User | None, entrant: int | None) -> TournamentEntry:
    entries = locked.row.entries.exclude(state=TournamentEntry.State.WITHDRAWN).select_related("player")
    wanted = entries.filter(number=entrant) if entrant is not None else entries.filter(player=player)
    entry = wanted.order_by("-number").first()
    if entry is None:
        raise NotFound("There is no entry in this event to buy chips for.", "not-entered")
    return entry


def _method(method: str, is_desk: bool) -> str:
    allowed = ("", Method.WALLET, Method.DESK) if is_desk else ("", Method.WALLET)
    if method not in allowed:
        raise Invalid("Chips are paid for from the wallet, or in cash at the desk.", "bad-method")
    return method or (Method.DESK if is_desk else Method.WALLET)
