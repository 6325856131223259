"""Chips bought during an event: rebuys and add-ons.

They are paid for and counted at once. A player whose hand is being played online has them on the table after it: until
then the entry's `pending` says so, and the host of the tables calls `deliver` between hands. Every verb locks the
event.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Annotated

from cardroom.core.arguments import RowId, internal
from cardroom.core.errors import Forbidden, Illegal, Invalid, NotEnoughChips, NotFound
from cardroom.core.models import User
from cardroom.core.verb import verb
from tournaments.engine.commands import AddOn, Command, Rebuy
from tournaments.engine.facts import AddedOn, Rebought
from tournaments.events import journal as event_journal
from tournaments.events import money, playing, second_person, staff, terms
from tournaments.events import terms as event_terms
from tournaments.events.journal import Locked
from tournaments.events.models import Payment, Tournament, TournamentEntry
from tournaments.events.tables import tables_of
from tournaments.events.terms import option
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
    given: dict[int, int] = {}
    waiting = TournamentEntry.objects.filter(tournament=locked.pk, number__in=list(entrants)).exclude(pending=[])
    for entry in waiting:
        left = []
        for purchase in entry.pending:
            reference = f"chips:{locked.pk}:{purchase['payment']}"
            tables, chips = tables_of(locked), purchase["chips"]
            if tables.add_chips(locked, entrant=entry.number, chips=chips, reference=reference, now=now):
                given[entry.number] = given.get(entry.number, 0) + chips
            else:
                left.append(purchase)
        entry.pending = left
        entry.save(update_fields=["pending"])
    return given


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
    paid = terms.of(locked.row, what)
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


# Who may buy again when their last chips are gone, and for whom that is done at once.


#: For a player to decide whether to buy again, where the event does not say (option `rebuy_seconds`).
SECONDS = 20
AUTOMATIC = "automatic_rebuys"


@verb("registration.ask_for_rebuys")
def ask(*, tournament_id: RowId, player: User, on: bool) -> None:
    """Turn automatic rebuys of this player on or off: one is bought whenever their last chips are gone.

    Refuses: `NotFound`, `Illegal` (the event sells no chips, the player is not in it).
    """
    with playing.holding(tournament_id) as locked:
        if locked.row.conduct != Tournament.Conduct.ONLINE:
            raise Illegal("no-rebuy", "In the room rebuys are bought at the table or the desk.")
        if playing.opened(locked).engine.config.rebuy is None:
            raise Illegal("no-rebuy", "This tournament is played without rebuys.")
        if player.pk not in locked.state.players:
            raise Illegal("not-entered", "You are not in this tournament.")
        buyers = asked_for(locked.row) - {player.pk} | ({player.pk} if on else set())
        locked.row.options = locked.row.options | {AUTOMATIC: {"event": locked.pk, "players": sorted(buyers)}}
        locked.row.save(update_fields=["options"])


def asked_for(row: Tournament) -> set[int]:
    """Players with automatic rebuy in this event; settings copied from another event are ignored."""
    kept = row.options.get(AUTOMATIC)
    return set(kept["players"]) if isinstance(kept, dict) and kept.get("event") == row.pk else set()


def seconds(locked: Locked) -> int:
    return option(locked.row, "rebuy_seconds", SECONDS)


def may_any(locked: Locked, entrants: Sequence[int], *, now: datetime) -> bool:
    """Whether any of these, who have just lost their last chips, will or may buy again."""
    able = _able(locked, entrants, now=now)
    return any(_decides(locked, entry) or _buys(locked, entry, now=now) for entry in able)


def may_decide(locked: Locked, entrants: Sequence[int], *, now: datetime) -> bool:
    """Whether the table has to wait for one of these to decide."""
    return any(_decides(locked, entry) for entry in _able(locked, entrants, now=now))


def buy_for(locked: Locked, entrants: Sequence[int], *, now: datetime) -> list[int]:
    """Buy for those with automatic rebuy; returns the others."""
    left = list(entrants)
    for entry in _able(locked, entrants, now=now):
        if _buys(locked, entry, now=now):
            buy_held(locked, entry, Payment.Kind.REBUY, method=_rebuy_method(entry), by=None, now=now)
            left.remove(entry.number)
    return left


def _able(locked: Locked, entrants: Sequence[int], *, now: datetime) -> list[TournamentEntry]:
    """The entries of those whom the terms let buy; no query where they let nobody."""
    state = locked.state
    terms = state.config.rebuy
    is_sold = terms is not None and state.deal is None and not state.is_hand_for_hand
    if terms is None or not is_sold or not state.sells_rebuys(event_journal.ms(now)):
        return []
    able = [number for number in entrants if not terms.most or state.entrants[number].rebuys < terms.most]
    entries = TournamentEntry.objects.filter(tournament=locked.pk, number__in=able) if able else []
    return list(entries.select_related("player").order_by("number")) if able else []


def _buys(locked: Locked, entry: TournamentEntry, *, now: datetime) -> bool:
    if entry.player.is_bot:
        return locked.state.entrants[entry.number].rebuys < option(locked.row, "bots_rebuy", 0)
    return entry.player_id in asked_for(locked.row) and _can_pay(locked, entry, now=now)


def _can_pay(locked: Locked, entry: TournamentEntry, *, now: datetime) -> bool:
    """False for a player who has too little in the wallet, is banned, or has reached a limit of their own."""
    purse, paid = Purse(_rebuy_method(entry)), event_terms.of(locked.row, Payment.Kind.REBUY)
    try:
        registration.check_may_pay(locked.row, entry.player, purse, paid, now=now)
        purse.sources(entry.player, paid, what=Payment.Kind.REBUY, now=now, by=None)
    except (Forbidden, Illegal, NotEnoughChips):
        return False
    return True


def _decides(locked: Locked, entry: TournamentEntry) -> bool:
    return not entry.player.is_bot and seconds(locked) > 0


def _rebuy_method(entry: TournamentEntry) -> str:
    return Payment.Method.HOUSE if entry.player.is_bot else Payment.Method.WALLET
