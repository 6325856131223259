"""What an event may cost the house, and who answers for it: its prices, its guarantee and its house bots.

A director answers for it when the event is announced or opened, and again when that is changed; above their limit a
second person does (`allowances`). `Tournament.answered` keeps how far somebody has answered. What the house then pays
to a guarantee, or for its bots, is within that and needs nobody any more.
"""

from datetime import datetime
from typing import Any

from django.utils.translation import gettext_noop

from cardroom.cage import allowances, asking
from cardroom.core import approvals, audit_log
from cardroom.core.errors import NotFound
from cardroom.core.models import Approval, User
from cardroom.core.once import after_refusal
from cardroom.core.sentences import stored_text
from tournaments.engine.config import PayoutTerms
from tournaments.events import staff, terms
from tournaments.events.models import Payment, Tournament

ACT = "tournaments.answer"
KINDS = ("price", "guarantee")
_WORDS = {
    "price": gettext_noop("Prices of {event}: up to {chips:,}"),
    "guarantee": gettext_noop(
        "Guarantee and house bots of {event} and the tournaments that follow it: up to {chips:,}"
    ),
}


def exposure(row: Tournament, *, payout: PayoutTerms | None = None) -> dict[str, int]:
    """The largest price of the event; and what the house may have to add to it: the guarantee and the entries of its
    bots, in this event and in all that follow it by themselves. `payout`: other terms of the payout than its own."""
    prices = {what: terms.price_of(row, what).total for what in Payment.Kind.values}
    rebuys = row.options.get("bots_rebuy", 0)
    bots = row.bots * (prices[Payment.Kind.ENTRY] + (rebuys if type(rebuys) is int else 0) * prices[Payment.Kind.REBUY])
    guarantee = (payout or terms.config_of(row).payout).guarantee
    return {"price": max(prices.values()), "guarantee": (guarantee + bots) * (row.recurs_times + 1)}


def begin(row: Tournament) -> None:
    """An event from before anybody had to answer is answered for as it stands; call before it is changed."""
    if row.answered is None:
        row.answered = exposure(row)


def split_answered(row: Tournament) -> tuple[dict[str, int], dict[str, int]]:
    """What stays answered for of this event, and what its next one is answered for: what the house may have to add is
    shared between the two, so that no event of a row of them uses what was answered for the whole row."""
    begin(row)
    in_all = row.answered.get("guarantee", 0)
    own = min(in_all, exposure(row)["guarantee"] // (row.recurs_times + 1))
    return row.answered | {"guarantee": own}, row.answered | {"guarantee": in_all - own}


def answer(
    row: Tournament, *, by: User | None, now: datetime, payout: PayoutTerms | None = None, then: str = ""
) -> None:
    """Have `by` answer for what the event may cost; call with the event held. `by` None: the house itself.

    Where it is more than `by` may answer for, a second person is asked and this is refused (`NeedsApproval`). Once that
    person agrees, what was asked for may be repeated; or it is done at once, `then` ("announce", "open").
    """
    begin(row)
    wanted = exposure(row, payout=payout)
    for kind in KINDS:
        chips, before = wanted[kind], row.answered.get(kind, 0)
        if chips <= before:
            continue
        if by is not None:
            # A guarantee is added up over a day: only what it grows by counts. A price is compared whole.
            more = chips - before if kind == "guarantee" else chips
            try:
                grant = allowances.check(by=by, kind=kind, amount=more, now=now, approval=None, roles=staff.DIRECTORS)
            except allowances.NeedsApproval as refusal:
                raise _ask_second_person(refusal, row, kind, wanted, by=by, now=now, then=then) from None
            _note(row, kind, chips, by=by, now=now, **grant.details)
        row.answered = row.answered | {kind: chips}
    row.save(update_fields=["answered"])


def _note(row: Tournament, kind: str, most: int, *, by: User | None, now: datetime, **details: Any) -> None:
    audit_log.note(verb=ACT, subject=f"tournament:{row.pk}", by=by, now=now, what=kind, amount=most, **details)


def _ask_second_person(
    refusal: allowances.NeedsApproval, row: Tournament, kind: str, wanted: dict[str, int], *, by: User, now: datetime,
    then: str,
) -> allowances.NeedsApproval:  # fmt: skip
    """Ask a second person to answer for it. Returns the refusal, which tells of the request."""
    words = [
        stored_text(_WORDS[counted], event=row.name, chips=wanted[counted]) for counted in KINDS if wanted[counted]
    ]
    payload = {"tournament": row.pk, "wanted": wanted, "then": then}
    subject = f"tournament:{row.pk}"

    details = {"tournament": {"id": row.pk, "name": row.name}, **wanted}
    if kind == "price":  # it has no limit in a day
        details["limit"] = refusal.values.get("most")
    else:
        details |= asking.limit_passed(refusal, by=by, kind=kind, now=now)

    def ask() -> Approval:
        earlier = approvals.waiting_alike(what=ACT, payload=payload, by=by, now=now)
        return earlier or approvals.ask(
            what=ACT,
            words=words,
            payload=payload,
            by=by,
            now=now,
            subject=subject,
            amount=wanted[kind],
            details=details,
        )

    sent = allowances.NeedsApproval(
        "needs-approval",
        "{refusal} Approval is requested: see Approvals.",
        rule=allowances.RULE,
        refusal=refusal.message,
        most=refusal.values.get("most"),
    )
    return after_refusal(sent, ask)  # type: ignore[return-value]


def add_agreed(row: Tournament, approval: Approval, *, by: User, now: datetime) -> None:
    """A second person answers for it too; call with the event held."""
    if approval.asked_by is None:
        raise NotFound("no-such-approval", "There is no such approval request.")
    for kind in KINDS:
        chips = approval.payload["wanted"][kind]
        if chips > (row.answered or {}).get(kind, 0):
            grant = allowances.check(by=approval.asked_by, kind=kind, amount=chips, now=now, approval=approval)
            _note(row, kind, chips, by=approval.asked_by, now=now, **grant.details)
            row.answered = (row.answered or {}) | {kind: chips}
    row.save(update_fields=["answered"])
