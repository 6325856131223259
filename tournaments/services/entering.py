"""One more entry: the engine takes it, the money moves, the row and the receipt are written, a seat is seen to.

For `registration` and whoever sends entries from elsewhere; call within `playing.holding`.
"""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from cardroom.models import Account, User
from cardroom.services import ledger, limits, room_time, standing
from cardroom.services.errors import Illegal
from games.services import sealed
from tournaments.engine.commands import Command, Register, SeatLate
from tournaments.engine.config import Paid
from tournaments.engine.facts import Entered, EnteredAsAlternate
from tournaments.models import Payment, Ticket, Tournament, TournamentEntry
from tournaments.services import money, online, payouts, playing, tickets
from tournaments.services.locking import Locked

State = Tournament.State
Method = Payment.Method

#: Ways in that the engine has no word for.
_ENGINE_HOW: dict[str, str] = {TournamentEntry.How.HOUSE: "api"}


@dataclass(frozen=True)
class Purse:
    """What pays for an entry: `method` (`Payment.Method`), and the ticket where that is it."""

    method: str
    ticket: Ticket | None = None

    def sources(self, player: User, paid: Paid) -> list[ledger.Leg]:
        """The legs that `paid` comes from; `NotEnoughChips` where there is too little, before anything has happened."""
        if not paid.total and self.ticket is None:
            return []
        if self.ticket is not None:
            legs = tickets.sources(self.ticket, paid)
        else:
            legs = [(money.purse(player, self.method), -paid.total)]
        money.check_funds(legs)
        return legs


@dataclass(frozen=True)
class Newcomer:
    """Who enters, how, on whose word; `key`: the caller's own for this request; `stack`: None for the usual one."""

    player: User
    name: str
    how: str
    purse: Purse
    paid: Paid
    by: User | None = None
    key: str = ""
    stack: int | None = None
    from_entry: TournamentEntry | None = None


def enter(locked: Locked, newcomer: Newcomer, *, now: datetime) -> TournamentEntry:
    """Take the entry. Raises what the engine refuses as `Illegal`, and `NotEnoughChips` with nothing changed."""
    command = Register(
        player=newcomer.player.pk,
        name=newcomer.name,
        paid=newcomer.paid,
        stack=newcomer.stack,
        how=_ENGINE_HOW.get(newcomer.how, str(newcomer.how)),
    )
    return take_in(locked, newcomer, command, what=Payment.What.ENTRY, now=now)


def take_in(locked: Locked, newcomer: Newcomer, command: Command, *, what: str, now: datetime) -> TournamentEntry:
    """Have the engine play `command`, a `Register` or `ReEnter` of this newcomer, and do what goes with it."""
    # Who comes from a flight has paid there, and the money came along.
    paid = newcomer.paid if newcomer.from_entry is None else Paid()
    row = locked.row
    _check_may_play(row, newcomer, paid, now=now)
    sources = newcomer.purse.sources(newcomer.player, paid)
    receipt = playing.play(locked, command, now=now, by=newcomer.by)
    payouts.check_paid(locked)
    entered = next(
        fact for fact in locked.state.facts[receipt.facts_from - 1 :] if isinstance(fact, Entered | EnteredAsAlternate)
    )
    entry = TournamentEntry.objects.create(
        tournament=row,
        number=entered.entrant,
        player=newcomer.player,
        name=newcomer.name,
        how=newcomer.how,
        re_entry_of=entered.re_entry_of or None,
        from_entry=newcomer.from_entry,
        at=now,
        entered_by=newcomer.by,
        key=newcomer.key,
        state=locked.state.entrants[entered.entrant].status,
    )
    money.take(
        row,
        entry,
        what=what,
        paid=paid,
        sources=sources,
        method=newcomer.purse.method,
        chips=entered.stack,
        reference=f"entry:{row.pk}:{entered.entrant}",
        now=now,
        by=newcomer.by,
    )
    if newcomer.from_entry is None:
        check_has_paid(newcomer.player, newcomer.purse, paid, now=now)
    if newcomer.purse.ticket is not None:
        tickets.use(newcomer.purse.ticket, entry, now=now)
    if row.is_live and entry.state == TournamentEntry.State.IN:
        find_seat(locked, entered.entrant, now=now)
    return entry


def _check_may_play(row: Tournament, newcomer: Newcomer, paid: Paid, *, now: datetime) -> None:
    """Neither banned nor over a limit of their own. Who comes from a flight was asked there; bots nobody asks."""
    if newcomer.from_entry is None:
        hold(newcomer.player)
        check_may_pay(row, newcomer.player, newcomer.purse, paid, now=now)


def check_may_pay(row: Tournament, player: User, purse: Purse, paid: Paid, *, now: datetime) -> None:
    """The gate before chips of an event are paid for, on entering and later: `Forbidden` for who is banned, `Illegal`
    for what is over a limit of their own. Bots nobody asks."""
    if player.is_bot:
        return
    standing.check_may_play(player=player, now=now, where="online" if row.conduct == row.Conduct.ONLINE else "room")
    sealed.check_may_enter(row.unit, player)
    if purse.method == Method.WALLET and paid.total:
        limits.check(player=player, kind="buy-in", amount=paid.total, now=now)


def has_entered(event: str, player: User) -> bool:
    """Whether they have, or had, an entry in the event of this unit."""
    prefix, _, number = event.partition(":")
    return prefix == "tournament" and TournamentEntry.objects.filter(tournament=int(number), player=player).exists()


def hold(player: User) -> None:
    """Whatever else pays for a seat or an entry of this player, or bans them, waits until the transaction ends. With
    the event locked; for one player only, for several would be locked in any order."""
    if not player.is_bot:
        list(User.objects.select_for_update(no_key=True).filter(pk=player.pk).values_list("pk"))


def check_has_paid(player: User, purse: Purse, paid: Paid, *, now: datetime) -> None:
    """`Illegal` where the player is over a limit of their own by now: the wallet is locked by the payment, and what
    tables took out of it a moment ago was not seen before."""
    if purse.method == Method.WALLET and paid.total:
        limits.check(player=player, kind="buy-in", amount=0, now=now)


def find_seat(locked: Locked, entrant: int, *, now: datetime) -> None:
    """A seat for somebody who came in while the event is being played: the room draws it at once, unless the floor
    keeps that to itself (option `seats_late_by_hand`); online it is for those who run the tables."""
    if locked.row.conduct == Tournament.Conduct.ONLINE:
        online.tables_of(locked.row).entered(locked, entrant, now=now)
    elif not locked.row.options.get("seats_late_by_hand") and not locked.state.entrants[entrant].table:
        playing.play(locked, SeatLate(entrant, secrets.randbits(64)), now=now)


def check_open(row: Tournament) -> None:
    """Refuse (`Illegal`) where the event takes no entries, and say why; what only the engine knows, it refuses."""
    if row.state in (State.DRAFT, State.ANNOUNCED):
        opens = f"It opens on {room_time.said(row.registration_opens_at)}." if row.registration_opens_at else ""
        raise Illegal(f"Registration for {row.name} has not opened yet. {opens}".strip(), "not-open-yet")
    if row.is_over:
        raise Illegal(f"{row.name} is {row.get_state_display()}: nobody can enter any more.", "event-over")


def refund(
    locked: Locked,
    entries: Sequence[TournamentEntry],
    *,
    also: Collection[Account] = (),
    reason: str,
    now: datetime,
    by: User | None,
) -> list[Payment]:
    """Give back all that was paid for these entries and not given back yet, to where it came from; `also` as
    `money.give_back` has it."""
    owed = list(Payment.objects.filter(entry__in=entries, refunded_at=None).order_by("-number"))
    money.give_back(owed, also=also, reason=reason, now=now, by=by)
    tickets.reopen([payment.entry_id for payment in owed if payment.method == Method.TICKET])
    return owed
