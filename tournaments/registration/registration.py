"""Entries: register, re-enter before the start and after a bust, be taken off for not coming.

Without the staff a player pays from the wallet or with a ticket; at the desk the staff may take cash, and register
somebody who has no account. Every verb locks the event.
"""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from django.db.models import QuerySet
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from cardroom.accounts import bans, welcome
from cardroom.core import room_time
from cardroom.core.arguments import Limits, RowId, internal, not_kept
from cardroom.core.errors import Forbidden, Illegal, Invalid, NotFound, Verbatim
from cardroom.core.models import User
from cardroom.core.sentences import StoredText
from cardroom.core.verb import verb
from cardroom.ledger import ledger, limits
from cardroom.ledger.models import Account
from cardroom.ledger.passages import Grant
from games.play import private
from tournaments.engine.commands import Command, ReEnter, Register, SeatLate, Unregister
from tournaments.engine.config import Paid
from tournaments.engine.facts import AlternateAdmitted, Entered, EnteredAsAlternate, Seated
from tournaments.events import cash, money, playing, reasons, second_person, staff, terms
from tournaments.events.arguments import ExpectedSeq, Number
from tournaments.events.journal import Locked
from tournaments.events.models import Payment, Tournament, TournamentEntry
from tournaments.events.tables import tables_of
from tournaments.prizes import payouts, tickets
from tournaments.prizes.models import Ticket
from tournaments.registration import guests

# One entry: the engine's command, the payment, the row, the receipt, the seat. Call within `playing.holding`


State = Tournament.State
How, Method = TournamentEntry.How, Payment.Method

#: Ways in that the engine has no word for.
_ENGINE_HOW: dict[str, str] = {TournamentEntry.How.HOUSE: "api"}


@dataclass(frozen=True)
class Purse:
    """What pays for an entry: `method` (`Payment.Method`), and the ticket where that is it."""

    method: str
    ticket: Ticket | None = None

    def sources(self, player: User, paid: Paid, *, what: str, now: datetime, by: User | None) -> list[ledger.Leg]:
        """The legs that `paid` comes from, before anything has happened; none for cash, which moves by a slip. Refuses:
        `NotEnoughChips` where there is too little; for cash what `cash.check` refuses."""
        if not paid.total and self.ticket is None:
            return []
        if self.method == Method.DESK:
            cash.check(cash.KINDS[what], amount=paid.total, player=player, now=now, by=by)
            return []
        if self.ticket is not None:
            legs = tickets.sources(self.ticket, paid)
        else:
            legs = [(money.purse(player, self.method), -paid.total)]
        money.check_funds(legs)
        return legs

    def leave(self, player: User, paid: Paid, *, by: User | None, now: datetime) -> Grant | None:
        """Where the house pays: leave for it. `NeedsApproval` before anything has happened."""
        return money.leave_for(player, self.method, paid, by=by, now=now) if self.ticket is None else None


@dataclass(frozen=True)
class Newcomer:
    """A player who enters, by which way, and who entered them; `stack`: None for the usual one."""

    player: User
    name: str
    how: str
    purse: Purse
    paid: Paid
    by: User | None = None
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
    return take_in(locked, newcomer, command, what=Payment.Kind.ENTRY, now=now)


def take_in(locked: Locked, newcomer: Newcomer, command: Command, *, what: str, now: datetime) -> TournamentEntry:
    """Have the engine play `command`, a `Register` or `ReEnter` of this newcomer, and do what goes with it."""
    # Who comes from a flight has paid there, and the money came along.
    paid = newcomer.paid if newcomer.from_entry is None else Paid()
    row = locked.row
    _check_may_play(row, newcomer, paid, now=now)
    sources = newcomer.purse.sources(newcomer.player, paid, what=what, now=now, by=newcomer.by)
    leave = newcomer.purse.leave(newcomer.player, paid, by=newcomer.by, now=now)
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
        leave=leave,
    )
    if newcomer.from_entry is None:
        check_has_paid(newcomer.player, newcomer.purse, paid, now=now)
    if newcomer.purse.ticket is not None:
        tickets.use(newcomer.purse.ticket, entry, now=now)
    if row.is_live and entry.state == TournamentEntry.State.IN:
        find_seat(locked, entered.entrant, now=now)
    return entry


def _check_may_play(row: Tournament, newcomer: Newcomer, paid: Paid, *, now: datetime) -> None:
    """Refuse a player who is banned or over a limit of their own. One who comes from a flight was checked there; bots
    are not checked."""
    if newcomer.from_entry is None:
        hold(newcomer.player)
        if newcomer.purse.method == Method.WALLET:
            welcome.at_first_seat(newcomer.player, now=now)
        check_may_pay(row, newcomer.player, newcomer.purse, paid, now=now)


def check_may_pay(row: Tournament, player: User, purse: Purse, paid: Paid, *, now: datetime) -> None:
    """Before chips of an event are paid for, on entering and later: `Forbidden` for a banned player,
    `Illegal` for one over a limit of their own. Bots are not checked."""
    if player.is_bot:
        return
    bans.check_may_play(player=player, now=now, where="online" if row.conduct == row.Conduct.ONLINE else "room")
    private.check_may_enter(row.unit, player)
    if purse.method == Method.WALLET and paid.total:
        limits.check(player=player, kind="buy-in", amount=paid.total, now=now)


def hold(player: User) -> None:
    """Lock the player: anything else that pays for a seat or an entry of theirs, or bans them, waits until the
    transaction ends. With the event locked; for one player only, since several would be locked in any order."""
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
        tables_of(locked).entrant_came(locked, entrant=entrant, now=now)
    elif not locked.row.options.get("seats_late_by_hand") and not locked.state.entrants[entrant].table:
        playing.play(locked, SeatLate(entrant, secrets.randbits(64)), now=now)


def check_open(row: Tournament) -> None:
    """Refuse (`Illegal`) where the event takes no entries, and say why; what only the engine knows, it refuses."""
    if row.state in (State.DRAFT, State.ANNOUNCED):
        sentence = gettext("Registration for {name} has not opened yet.").format(name=row.name)
        if row.registration_opens_at:
            opens = room_time.format_moment(row.registration_opens_at)
            sentence = gettext("Registration for {name} has not opened yet. It opens on {when}.").format(
                name=row.name, when=opens
            )
        raise Illegal("not-open-yet", Verbatim(sentence))
    if row.is_over:
        raise Illegal("event-over", "{name} is {state}: entry is closed.", name=row.name, state=row.get_state_display())


def refund(
    locked: Locked,
    entries: Sequence[TournamentEntry],
    *,
    also: Collection[Account] = (),
    reason: StoredText,
    now: datetime,
    by: User | None,
    is_handed_over: bool = False,
) -> list[Payment]:
    """Give back all that was paid for these entries and not given back yet, to where it came from; `also` and
    `is_handed_over` as `money.give_back` has them."""
    owed = list(
        Payment.objects.filter(entry__in=entries, refunded_at=None)
        .select_related("entry__player", "tournament")
        .order_by("-number")
    )
    refund_payments(locked, owed, also=also, reason=reason, now=now, by=by, is_handed_over=is_handed_over)
    return owed


def refund_payments(
    locked: Locked,
    owed: Sequence[Payment],
    *,
    also: Collection[Account] = (),
    reason: StoredText,
    now: datetime,
    by: User | None,
    is_handed_over: bool = False,
) -> None:
    """Give these payments back as `refund` does; a ticket is good again."""
    money.give_back(owed, also=also, reason=reason, now=now, by=by, is_handed_over=is_handed_over)
    Payment.objects.filter(pk__in=[payment.pk for payment in owed]).update(refund_seq=locked.row.seq)
    tickets.reopen([payment.entry_id for payment in owed if payment.method == Method.TICKET])


def pay_again(locked: Locked, refunded: Payment, *, now: datetime, by: User | None) -> Payment:
    """Take again what was refunded, from where it came and at the price that was paid: its refund is undone. Cash that
    is still due at the desk is not due any more. Refuses: `NotEnoughChips`, `Illegal` (the ticket that paid it is not
    good any more), for cash what `cash.check` refuses."""
    entry = refunded.entry
    paid = Paid(refunded.pool, refunded.fee, refunded.bounty, refunded.staff)
    ticket = None
    if refunded.method == Method.TICKET:
        ticket = tickets.find_alike(refunded, now=now)
    purse = Purse(refunded.method, ticket)
    if refunded.is_refund_due:
        sources = [(money.refunds(locked.row), -paid.total)]
    else:
        sources = purse.sources(entry.player, paid, what=refunded.what, now=now, by=by)
    so_far = Payment.objects.filter(tournament=locked.pk, entry=entry).count()
    payment = money.take(
        locked.row,
        entry,
        what=refunded.what,
        paid=paid,
        sources=sources,
        method=refunded.method,
        chips=refunded.chips,
        reference=f"again:{locked.pk}:{entry.number}:{so_far}",
        now=now,
        by=by,
        leave=purse.leave(entry.player, paid, by=by, now=now),
        is_in_hand=refunded.is_refund_due,
    )
    if refunded.is_refund_due:
        refunded.is_refund_due = False
        refunded.save(update_fields=["is_refund_due"])
    if ticket is not None:
        tickets.use(ticket, entry, now=now)
    return payment


EntryState = TournamentEntry.State


@second_person.verb("registration.register")
def register(
    *,
    tournament_id: RowId,
    player: User | None = None,
    guest: str = "",
    method: str = "",
    ticket_id: RowId | None = None,
    entry_code: str = "",
    how: Annotated[str, internal] = "",
    by: User | None,
) -> TournamentEntry:
    """Enter an event. `by` is the player themselves, or one of the staff at the desk (None: the house, for its bots).

    The desk names a `player`, or a `guest` without an account by their name (`guests.take_in`). `method`: wallet (a
    player's own way), desk (cash; the desk's), or house; with `ticket_id` the ticket pays. When the event is full the
    entry is an alternate.
    Refuses: `NotFound`, `Forbidden` (somebody else's entry, the entry code), `Illegal` (closed, twice, over the
    number of re-entries: the engine's words), `NotEnoughChips`, `Invalid`, `NeedsApproval` (the house pays more than
    the director may give alone).
    """
    is_desk = by is not None and (player is None or by.pk != player.pk)
    if is_desk:
        staff.require(by, staff.DESK)
    if (player is None) == (not guest):
        raise Invalid("no-player", "Choose a player, or enter the name of a guest at the desk.")
    if guest and not is_desk:
        raise Forbidden("desk-only", "Guests enter at the desk.")

    with playing.holding(tournament_id) as locked:
        row, now = locked.row, locked.now
        check_open(row)
        if guest and row.conduct == Tournament.Conduct.ONLINE:
            raise Illegal("guest-online", "An online tournament needs an account: create one for this player.")
        if not is_desk and by is not None:
            _check_code(row, entry_code)
        if player is not None:
            _check_once(row, player)
        who = player or guests.take_in(row, guest, now=now)
        purse = _purse(row, who, by, is_desk, method, ticket_id, now=now)
        newcomer = Newcomer(
            player=who,
            name=guests.name_of(guest) or who.shown_name,
            how=_how(by, is_desk, purse, how),
            purse=purse,
            paid=terms.price_of(row, Payment.Kind.ENTRY),
            by=by,
        )
        entry = enter(locked, newcomer, now=now)
    entry.refresh_from_db()
    return entry


@second_person.verb("registration.unregister")
def unregister(
    *,
    tournament_id: RowId,
    player: Annotated[User | None, internal] = None,
    entrant: RowId | None = None,
    reason: Annotated[str, Limits(max_length=200, required=False)] = "",
    by: User,
) -> Annotated[TournamentEntry, not_kept]:
    """Take an entry back before the event has started, and refund all that was paid for it. Cash comes out of the open
    drawer of the desk; where the player does it themselves it is due at the desk.

    `by` is the player themselves, or one of the desk, who names the player or the `entrant`'s number. Refuses:
    `NotFound` (no entry that stands), `Forbidden`, `Illegal` (the event has started).
    """
    with playing.holding(tournament_id) as locked:
        entry = _standing(locked, player or (by if entrant is None else None), entrant)
        is_desk = entry.player_id != by.pk
        if is_desk:
            staff.require(by, staff.DESK)
        why = "refund" if is_desk else "withdrew"
        words = reason or reasons.WITHDREW()
        take_off(locked, [entry], why=why, reason=words, now=locked.now, by=by, is_handed_over=is_desk)
    entry.refresh_from_db()
    return entry


@verb("registration.remove_no_shows", roles=staff.DESK)
def remove_no_shows(
    *,
    tournament_id: RowId,
    entrants: Annotated[
        list[Number],
        Limits(
            min_length=1, max_length=1000, error_messages={"required": gettext_lazy("select the players to remove.")}
        ),
    ],
    expected_seq: ExpectedSeq = None,
    by: User,
) -> list[TournamentEntry]:
    """Take off those who never came: refunded, cash when they come for it, and the pool as if they had never entered;
    chips they have lost stay in play. For the staff of the desk. Refuses: `NotFound`, `Forbidden`, `Stale`, `Illegal`
    (somebody has come, or is out).
    """
    with playing.holding(tournament_id) as locked:
        playing.check_seq(locked, expected_seq)
        entries = [_standing(locked, None, number) for number in dict.fromkeys(entrants)]
        for entry in entries:
            if entry.arrived_at is not None:
                raise Illegal("has-come", "{name} was seen in their seat and is not a no-show.", name=entry.name)
        take_off(locked, entries, why="no-show", reason=reasons.DID_NOT_COME(), now=locked.now, by=by)
    return list(TournamentEntry.objects.filter(pk__in=[entry.pk for entry in entries]).order_by("number"))


@second_person.verb("registration.re_enter")
def re_enter(
    *,
    tournament_id: RowId,
    player: Annotated[User | None, internal] = None,
    entrant: RowId | None = None,
    method: str = "",
    ticket_id: RowId | None = None,
    by: User,
) -> TournamentEntry:
    """Enter once more after having busted, at the price of a re-entry, with a new number.

    By the player, or at the desk for a `player` or the `entrant` who is out. Refuses: `NotFound`, `Forbidden`,
    `Illegal` (entry is closed, still in, no re-entry left), `NotEnoughChips`.
    """
    with playing.holding(tournament_id) as locked:
        row, now = locked.row, locked.now
        last = _last(locked, player or (by if entrant is None else None), entrant)
        is_desk = last.player_id != by.pk
        if is_desk:
            staff.require(by, staff.DESK)
        check_open(row)
        purse = _purse(row, last.player, by, is_desk, method, ticket_id, now=now)
        newcomer = Newcomer(
            player=last.player,
            name=last.name,
            how=_how(by, is_desk, purse, ""),
            purse=purse,
            paid=terms.price_of(row, Payment.Kind.RE_ENTRY),
            by=by,
        )
        command = ReEnter(last.number, newcomer.paid)
        entry = take_in(locked, newcomer, command, what=Payment.Kind.RE_ENTRY, now=now)
    entry.refresh_from_db()
    return entry


@second_person.verb("registration.pay_refunds", roles=staff.DESK)
def pay_refunds(*, tournament_id: RowId, entrant: RowId, by: User) -> Annotated[list[Payment], not_kept]:
    """Pay in cash what is due to this player at the desk: refunds of entries that were taken off while they were not
    there, or of an event that was cancelled. For the staff of the desk. Again it does nothing.

    Refuses: `NotFound`, `Forbidden`, `Conflict` (no drawer open), `NotEnoughChips`, `NeedsApproval`.
    """
    with playing.holding(tournament_id) as locked:
        entry = locked.row.entries.filter(number=entrant).first()
        if entry is None:
            raise NotFound("no-such-entry", "There is no entry {entrant} in this tournament.", entrant=entrant)
        due = Payment.objects.filter(entry=entry, is_refund_due=True).select_related("entry__player", "tournament")
        if payments := list(due.order_by("number")):
            till = cash.till(by)
            for payment in payments:
                money.hand_over(payment, till, now=locked.now)
    return list(entry.payments.exclude(handed_over=None).select_related("entry").order_by("number"))


def take_off(
    locked: Locked,
    entries: Sequence[TournamentEntry],
    *,
    why: str,
    reason: StoredText,
    now: datetime,
    by: User | None,
    is_handed_over: bool = False,
) -> list[Payment]:
    """Remove these entries from the event and refund them; `is_handed_over`: cash too, out of the drawer that `by` has
    open. Call within `playing.holding`."""
    first = len(locked.state.facts)
    for entry in entries:
        if entry.from_entry_id is not None:
            raise Illegal("from-flight", "{name} came from a flight: their stack stays in play.", name=entry.name)
        playing.play(locked, Unregister(entry.number, why), now=now, by=by)
    payouts.check_paid(locked)
    if locked.row.is_live:
        gone = [entry.number for entry in entries]
        tables_of(locked).entrants_went(locked, entrants=gone, now=now)
        let_in = [fact.entrant for fact in locked.state.facts[first:] if isinstance(fact, AlternateAdmitted | Seated)]
        for number in dict.fromkeys(let_in):
            find_seat(locked, number, now=now)
    return refund(locked, entries, reason=reason, now=now, by=by, is_handed_over=is_handed_over)


def _check_code(row: Tournament, code: str) -> None:
    if row.entry_code and " ".join(code.split()).casefold() != row.entry_code.casefold():
        raise Forbidden("entry-code", "Wrong entry code: ask the director.")


def _check_once(row: Tournament, player: User) -> None:
    """Refuse a second entry in words for the player; the engine would refuse it too."""
    entry = row.entries.filter(player=player, state__in=(EntryState.IN, EntryState.ALTERNATE)).first()
    if entry is not None:
        pattern = (
            gettext_noop("{name} waits for a seat already, with entry {number}.")
            if entry.state == EntryState.ALTERNATE
            else gettext_noop("{name} is in already, with entry {number}.")
        )
        raise Illegal("entered-already", pattern, name=entry.name, number=entry.number)


def _how(by: User | None, is_desk: bool, purse: Purse, wanted: str) -> str:
    if wanted and wanted not in (How.API, How.WEB, How.DESK, How.FLIGHT):
        raise Invalid("bad-way-in", "An entry comes by the web, the api, the desk or a flight.")
    if by is None:
        return wanted or How.HOUSE
    if is_desk:
        return How.DESK
    return How.TICKET if purse.ticket is not None else wanted or How.WEB


def _purse(
    row: Tournament, player: User, by: User | None, is_desk: bool, method: str, ticket_id: int | None, *, now: datetime
) -> Purse:
    """The source of payment: cash only at the desk, the house only by a director."""
    if ticket_id is not None:
        if not terms.price_of(row, Payment.Kind.ENTRY).total:
            raise Illegal("entry-is-free", "Entry to this tournament is free: keep your ticket.")
        return Purse(Method.TICKET, tickets.find(ticket_id=ticket_id, player=player, tournament=row, now=now))
    if method not in ("", Method.WALLET, Method.DESK, Method.HOUSE):
        raise Invalid("bad-method", "An entry is paid from the wallet, at the desk, by the house, or with a ticket.")
    if by is None:
        return Purse(method or Method.HOUSE)
    if not is_desk and method not in ("", Method.WALLET):
        raise Forbidden("desk-only", "You pay from your wallet or with a ticket; the desk takes cash.")
    if method == Method.HOUSE:
        staff.require(by, staff.DIRECTORS)
    return Purse(method or (Method.DESK if is_desk else Method.WALLET))


def _standing(locked: Locked, player: User | None, entrant: int | None) -> TournamentEntry:
    """The player's active entry; `NotFound` without one."""
    entries = locked.row.entries.filter(state__in=(EntryState.IN, EntryState.ALTERNATE))
    entry = _chosen_entry(entries, player, entrant)
    if entry is None:
        sentence = gettext("You have no entry in this tournament that can be removed.")
        if entrant is not None:
            sentence = gettext("Number {number} is no entry in this tournament that can be removed.").format(
                number=entrant
            )
        raise NotFound("not-entered", Verbatim(sentence))
    return entry


def _last(locked: Locked, player: User | None, entrant: int | None) -> TournamentEntry:
    """The player's latest entry; `NotFound` without one."""
    entry = _chosen_entry(locked.row.entries.exclude(state=EntryState.WITHDRAWN), player, entrant)
    if entry is None:
        raise NotFound("not-entered", "You have no entry to re-enter with: register first.")
    return entry


def _chosen_entry(
    entries: QuerySet[TournamentEntry], player: User | None, entrant: int | None
) -> TournamentEntry | None:
    wanted = entries.filter(number=entrant) if entrant is not None else entries.filter(player=player)
    return wanted.select_related("player").order_by("-number").first()
