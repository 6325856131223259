"""Tickets: an entry that was won or given. What a ticket is worth lies in a pool until the ticket is used or ended.

`issue`, `sources` and `reopen` are for other services, with the event locked.
"""

import secrets
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Annotated

from django.db import transaction
from django.utils.translation import gettext_noop

from cardroom.cage import allowances, asking
from cardroom.core import access, approvals, audit_log, room_time
from cardroom.core.arguments import Limits, RowId, internal, not_kept
from cardroom.core.errors import Conflict, Illegal, Invalid, NotFound
from cardroom.core.models import Approval, Repeat, User
from cardroom.core.once import kept_of
from cardroom.core.sentences import StoredText, stored_text
from cardroom.core.verb import current_time, lock, verb
from cardroom.ledger import ledger
from cardroom.ledger.models import Account
from cardroom.ledger.passages import Grant, Passage
from tournaments.engine.config import Paid
from tournaments.events import cash, money, second_person, staff, terms
from tournaments.events.models import Payment, Series, Tournament, TournamentEntry
from tournaments.prizes import reasons
from tournaments.prizes.models import Ticket

#: What a second person agrees to, where a director may not give a ticket alone.
GIVE = "tickets.give"
_WORDS = gettext_noop("Ticket of {value:,} for {event} to {player}")
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that is read for another
_LENGTH = 10
TICKETS = Ticket.objects.select_related("player")

WhyTicket = Annotated[str, Limits(max_length=200)]


def pool_of(ticket: Ticket) -> str:
    """The label of the pool account for tickets of this kind."""
    if ticket.tournament_id:
        return f"tournament:{ticket.tournament_id}:tickets"
    return f"series:{ticket.series_id}:tickets" if ticket.series_id else "tickets"


def account(ticket: Ticket) -> Account:
    """The account that holds a ticket's value."""
    return ledger.open_account(kind=Account.Kind.POOL, label=pool_of(ticket))


def issue(
    *,
    player: User,
    value: int,
    source: Account,
    key: str,
    now: datetime,
    by: User | None = None,
    tournament: Tournament | None = None,
    series: Series | None = None,
    won_in: Tournament | None = None,
    reason: StoredText = "",
    expires_at: datetime | None = None,
    leave: Grant | None = None,
) -> Ticket:
    """A ticket for `player`, its `value` taken from `source`. The same `key` again returns the first one.

    For `tournament`, or any event of `series`, or with neither any event of that price. `leave`: where the house gives
    it, as its value is paid out of the house here and not when it is used. Raises `NotEnoughChips`, `Invalid`.
    """
    if type(value) is not int or value < 1:
        raise Invalid("bad-amount", "A ticket is worth a whole number from 1.")
    fields = {
        "code": "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH)),
        "player": player,
        "tournament": tournament,
        "series": series,
        "value": value,
        "won_in": won_in,
        "reason": reason,
        "issued_by": by,
        "issued_at": now,
        "expires_at": expires_at,
    }
    with transaction.atomic():
        ticket, is_new = Ticket.objects.get_or_create(key=key, defaults=fields)
        if is_new:
            legs = [(source, -value), (account(ticket), value)]
            passage = _note_gift(ticket, leave) if leave is not None else None
            ledger.post(
                reference=f"ticket:{ticket.pk}", reason=reasons.A_TICKET(), legs=legs, at=now, by=by, passage=passage
            )
    return ticket


@verb("tickets.give", roles=staff.DIRECTORS)
def give(
    *,
    player: User,
    tournament_id: RowId,
    reason: WhyTicket,
    expires_at: Annotated[datetime | None, internal] = None,
    by: User,
) -> Ticket | Approval:
    """A ticket from the house for one event, at what its entry costs now. For directors; above what they may give
    alone a second person decides (`Approval`).

    Refuses: `NotFound`, `Illegal` (entry is free; to oneself), `Invalid` (no reason).
    """
    now = current_time()
    tournament = Tournament.objects.filter(pk=tournament_id).first()
    if tournament is None:
        raise NotFound("no-such-event", "There is no such tournament.")
    if tournament.is_over:
        raise Illegal("event-over", "This tournament is over: it takes no tickets.")
    value = terms.price_of(tournament, "entry").total
    if not value:
        raise Illegal("entry-is-free", "Entry to this tournament is free: no ticket is needed.")
    reason = _checked_text(reason, "reason", 200)
    ticket_key = f"given:{by.pk}:{secrets.token_urlsafe(16)}"

    def do() -> Ticket:
        return _give_ticket(
            tournament=tournament,
            player=player,
            value=value,
            key=ticket_key,
            reason=reason,
            expires_at=expires_at,
            by=by,
            now=now,
        )

    return asking.done_or_asked(
        do,
        kind="promotion",
        by=by,
        now=now,
        what=GIVE,
        words=stored_text(_WORDS, value=value, event=tournament.name, player=str(player)),
        payload={
            "player": player.pk,
            "tournament": tournament.pk,
            "value": value,
            "key": ticket_key,
            "expires_at": expires_at.isoformat() if expires_at else None,
        },
        reason=reason,
        subject=tournament.unit,
        player=player,
        amount=value,
        details={"tournament": {"id": tournament.pk, "name": tournament.name}},
    )


def _give_ticket(
    *,
    tournament: Tournament,
    player: User,
    value: int,
    key: str,
    reason: str,
    expires_at: datetime | None,
    by: User,
    now: datetime,
    approval: Approval | None = None,
) -> Ticket:
    leave = allowances.check(by=by, kind="promotion", amount=value, now=now, approval=approval, player=player)
    return issue(
        player=player,
        value=value,
        source=money.house(money.PROMOTIONS),
        key=key,
        now=now,
        by=by,
        tournament=tournament,
        reason=reason,
        expires_at=expires_at,
        leave=leave,
    )


def _note_gift(ticket: Ticket, leave: Grant) -> Passage:
    entry = audit_log.note(
        verb=GIVE,
        subject=f"ticket:{ticket.pk}",
        player=ticket.player,
        by=ticket.issued_by,
        now=ticket.issued_at,
        reason=ticket.reason,
        tournament=ticket.tournament_id,
        amount=ticket.value,
        **leave.details,
    )
    return leave.noted(entry)


def _give_agreed_ticket(approval: Approval, by: User, now: datetime) -> dict[str, int]:
    """A second person agrees with a ticket of the house."""
    request = approval.payload
    tournament = Tournament.objects.filter(pk=request["tournament"]).first()
    if tournament is None or approval.asked_by is None:
        raise NotFound("no-such-approval", "There is no such approval request.")
    if tournament.is_over or terms.price_of(tournament, "entry").total != request["value"]:
        raise Conflict("changed-since", "This tournament has changed since the request: send a new request.")
    ticket = _give_ticket(
        tournament=tournament,
        player=access.get_user(request["player"]),
        value=request["value"],
        key=request["key"],
        reason=approval.reason,
        expires_at=datetime.fromisoformat(request["expires_at"]) if request["expires_at"] else None,
        by=approval.asked_by,
        now=now,
        approval=approval,
    )
    # Under their key the person who asked gets the ticket from now on.
    requests = Repeat.objects.filter(user=approval.asked_by, verb=give.name, answer=kept_of(approval))
    requests.update(answer=kept_of(ticket))
    return {"ticket": ticket.pk}


approvals.register(GIVE, _give_agreed_ticket)


@second_person.verb("tickets.pay_out", roles=staff.DIRECTORS)
def pay_out(*, ticket_id: RowId, reason: WhyTicket, in_cash: Annotated[bool, internal] = False, by: User) -> Ticket:
    """Pay a ticket's value into the player's wallet instead or, `in_cash`, out of one's open drawer. For directors.
    Refuses: `Illegal` (it is used, or one's own), for cash what `cash.till` and `cash.move` refuse."""
    why = _checked_text(reason, "reason", 200)
    ticket, now = lock(TICKETS, ticket_id)
    check_good(ticket)
    if ticket.player_id == by.pk:
        raise Illegal("own-cashier", "This is your own ticket: ask a colleague.", rule=allowances.OWN)
    if in_cash:
        event = ticket.tournament or ticket.won_in
        slip = cash.move(
            event,
            cash.Kind.EVENT_TICKET,
            till=cash.till(by),
            legs=[(account(ticket), -ticket.value)],
            amount=ticket.value,
            player=ticket.player,
            reference=_end_reference(ticket, Ticket.State.REFUNDED),
            words=reasons.TICKET_PAID_OUT(code=ticket.code),
            reason=why,
            now=now,
        )
        return _end_ticket(ticket, Ticket.State.REFUNDED, reason=why, now=slip.at)
    legs = [(account(ticket), -ticket.value), (ledger.wallet(ticket.player), ticket.value)]
    return end(ticket, Ticket.State.REFUNDED, reason=why, legs=legs, now=now, by=by)


@verb("tickets.exchange")
def exchange(*, ticket_id: RowId, by: User) -> Annotated[Ticket, not_kept]:
    """The player's own ticket for one event, or one series, for one of the same value that is good for any event:
    tournament money. The same ticket again returns the one that was given for it.

    Refuses: `NotFound` (not theirs), `Illegal` (used, expired, or good for any event already).
    """
    ticket, now = lock(TICKETS.filter(player=by), ticket_id)
    reference = f"exchange:{ticket.pk}"
    if (earlier := Ticket.objects.filter(key=reference).first()) is not None:
        return earlier
    check_good(ticket, now=now)
    if not (ticket.tournament_id or ticket.series_id):
        raise Illegal("ticket-for-any", "This ticket is already valid for any tournament.")
    if not ticket.won_in_id:
        raise Illegal("given", "Only a won ticket can be exchanged, not a ticket given by the house.")
    fresh = issue(
        player=by,
        value=ticket.value,
        source=account(ticket),
        key=reference,
        now=now,
        by=by,
        won_in=ticket.won_in,
        reason=ticket.reason,
        expires_at=ticket.expires_at,
    )
    ticket.state, ticket.ended_at, ticket.reason = Ticket.State.REFUNDED, now, reasons.EXCHANGED()
    ticket.save(update_fields=["state", "ended_at", "reason"])
    return fresh


@verb("tickets.take_back", roles=staff.DIRECTORS)
def take_back(*, ticket_id: RowId, reason: WhyTicket, by: User) -> Ticket:
    """Revoke a ticket of the house; its value goes back to the house. For directors.

    `Illegal` where it is used, or was won with money that others paid: that is paid out.
    """
    why = _checked_text(reason, "reason", 200)
    ticket, now = lock(TICKETS, ticket_id)
    check_good(ticket)
    if ticket.won_in_id:
        raise Illegal("ticket-won", "This ticket was won: it can be paid out, but not revoked.")
    legs = [(account(ticket), -ticket.value), (money.house(money.PROMOTIONS), ticket.value)]
    return end(ticket, Ticket.State.CANCELLED, reason=why, legs=legs, now=now, by=by)


def find(*, ticket_id: int, player: User, tournament: Tournament, now: datetime) -> Ticket:
    """The player's ticket, locked, where it is good for this event; otherwise a refusal that says why not."""
    ticket, _ = lock(TICKETS.filter(player=player), ticket_id)
    check_good(ticket, now=now)
    is_for_another = ticket.tournament_id not in (None, tournament.pk)
    is_for_another_series = ticket.series_id not in (None, tournament.series_id)
    if is_for_another or is_for_another_series:
        raise Illegal("ticket-for-another", "This ticket is for another tournament.")
    return ticket


def find_alike(payment: Payment, *, now: datetime) -> Ticket:
    """The ticket that paid this, which was refunded, or another of the player's as good; locked. `Illegal` where there
    is none any more."""
    entry, event = payment.entry, payment.tournament
    moved = payment.transfer.entries.select_related("account") if payment.transfer is not None else ()
    pools = {leg.account.label: -leg.amount for leg in moved if leg.account.kind == Account.Kind.POOL}
    valid_tickets = Ticket.objects.filter(player=entry.player, state=Ticket.State.ISSUED).order_by("pk")
    for ticket in valid_tickets:
        if pools.get(pool_of(ticket)) == ticket.value and not (ticket.expires_at and ticket.expires_at <= now):
            return find(ticket_id=ticket.pk, player=entry.player, tournament=event, now=now)
    raise Illegal("ticket-used", "The ticket of {name} is good no more.", name=entry.name)


def without_use(target: Tournament | None, players: Collection[User]) -> set[int]:
    """Those of `players`, by id, who could do nothing with a ticket to `target` (None: no event in particular): they
    have one, or an entry that stands, or the event takes none any more; and bots, who enter at the house's expense."""
    if target is None:
        return {player.pk for player in players if player.is_bot}
    if target.is_over or (target.is_live and not target.is_entry_open):
        return {player.pk for player in players}
    held = Ticket.objects.filter(tournament=target, player__in=players, state=Ticket.State.ISSUED)
    states = (TournamentEntry.State.IN, TournamentEntry.State.ALTERNATE)
    entered = TournamentEntry.objects.filter(tournament=target, player__in=players, state__in=states)
    bots = [player.pk for player in players if player.is_bot]
    return {*bots, *held.values_list("player", flat=True), *entered.values_list("player", flat=True)}


def sources(ticket: Ticket, paid: Paid) -> list[ledger.Leg]:
    """The legs that pay `paid` with this ticket: its value, and the difference from or into the wallet."""
    return [(account(ticket), -ticket.value), (ledger.wallet(ticket.player), ticket.value - paid.total)]


def use(ticket: Ticket, entry: TournamentEntry, *, now: datetime) -> None:
    """Mark a ticket as used for an entry."""
    ticket.state, ticket.used_for, ticket.ended_at = Ticket.State.USED, entry, now
    ticket.save(update_fields=["state", "used_for", "ended_at"])


def reopen(entries: Collection[int]) -> None:
    """Make tickets valid again whose entries were refunded."""
    if entries:
        Ticket.objects.filter(used_for__in=entries).update(state=Ticket.State.ISSUED, used_for=None, ended_at=None)


def check_good(ticket: Ticket, *, now: datetime | None = None) -> None:
    """`Illegal` where it is used or ended, or has expired by `now`."""
    if ticket.state != Ticket.State.ISSUED:
        raise Illegal("ticket-used", "This ticket is already {state}.", state=ticket.get_state_display())
    if now is not None and ticket.expires_at is not None and ticket.expires_at <= now:
        raise Illegal(
            "ticket-expired", "This ticket was valid until {said}.", said=room_time.format_moment(ticket.expires_at)
        )


def end(
    ticket: Ticket, state: str, *, reason: StoredText, legs: Sequence[ledger.Leg], now: datetime, by: User | None
) -> Ticket:
    """End a ticket: its value moves as `legs` say."""
    ledger.post(reference=_end_reference(ticket, state), reason=reason, legs=legs, at=now, by=by)
    return _end_ticket(ticket, state, reason=reason, now=now)


def _end_reference(ticket: Ticket, state: str) -> str:
    return f"ticket:{ticket.pk}:{state}"


def _end_ticket(ticket: Ticket, state: str, *, reason: StoredText, now: datetime) -> Ticket:
    ticket.state, ticket.ended_at, ticket.reason = state, now, reason
    ticket.save(update_fields=["state", "ended_at", "reason"])
    return ticket


def _checked_text(text: str, name: str, most: int) -> str:
    text = " ".join(text.split())
    if not 1 <= len(text) <= most or not text.isprintable():
        raise Invalid(f"bad-{name}", "The {name} is text of 1 to {most} characters.", name=name, most=most)
    return text
