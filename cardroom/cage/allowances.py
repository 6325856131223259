"""The gate in front of the house's accounts: what somebody may give, pay or bind the house to alone, by their roles.

A service that takes chips out of a house account asks here first (`check`): who, to whom (never to themselves), and how
much, at once and in a gaming day. Above that a second person decides (`core.second_person`). The answer is a `Grant`,
which becomes a passage through the ledger once the act is in the audit log; see `cardroom.ledger.passages`.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from django.db.models import Sum
from django.db.models.functions import Abs
from django.utils.translation import gettext_lazy

from cardroom.cage import books as cage_books
from cardroom.cage.models import CageLimit, Slip
from cardroom.core import access, approvals, audit_log, room_time, sentences, topics
from cardroom.core.arguments import Limits
from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NeedsApproval
from cardroom.core.models import Approval, User
from cardroom.core.sentences import Wording, stored_text
from cardroom.core.verb import lock, verb
from cardroom.ledger import counts, passages
from cardroom.ledger.models import Account, Entry
from cardroom.ledger.passages import Grant

ADJUSTMENTS = "adjustments"
#: How references of adjustments begin that a second person approved.
APPROVED = "adjustment:approved"
RULE = gettext_lazy("House rules: an amount above the limit of a role needs a second person")

#: The verbs that have a limit, and what they are called where managers set them.
VERBS = {
    "deposit": gettext_lazy("Deposits and buy-ins"),
    "withdrawal": gettext_lazy("Withdrawals and cash-outs"),
    "credit": gettext_lazy("Chips on credit"),
    "comp": gettext_lazy("Comps"),
    "transfer": gettext_lazy("Transfers between players"),
    "reversal": gettext_lazy("Reversals"),
    "over-short": gettext_lazy("Count differences"),
    "adjustment": gettext_lazy("Wallet corrections"),
    "vault": gettext_lazy("Vault and bank transfers"),
    "promotion": gettext_lazy("Tickets and entries given by the house"),
    "price": gettext_lazy("Prices of a tournament"),
    "guarantee": gettext_lazy("Guarantees and house bots of a tournament"),
    "bots": gettext_lazy("Chips of house bots at a table"),
    "waiver": gettext_lazy("Time charges waived"),
}
#: Who does what has a limit, where that is not the staff of the cage.
HOLDERS: dict[str, tuple[str, ...]] = {
    "over-short": ("cashier", "floor", "director", "manager"),
    "deposit": ("cashier", "floor", "director", "manager"),
    "withdrawal": ("cashier", "floor", "director", "manager"),
    "promotion": ("director", "manager"),
    "price": ("director", "manager"),
    "guarantee": ("director", "manager"),
    "bots": ("floor", "manager"),
    "waiver": ("floor", "manager"),
}
#: What is added up from the audit log; the rest has slips, counts or transfers of its own.
BY_THE_LOG = ("promotion", "guarantee", "bots", "waiver")
#: Which verb's limit a slip counts against.
_COUNTS_AS: dict[str, str] = {Slip.Kind.BUY_IN: "deposit", Slip.Kind.CASH_OUT: "withdrawal"}
_COUNTS_AS |= dict.fromkeys(cage_books.EVENT_IN, "deposit") | dict.fromkeys(cage_books.EVENT_OUT, "withdrawal")
#: What is added up for a player too, and how that is said.
_OF_A_PLAYER = {
    "deposit": gettext_lazy(
        "{player} deposited {before:,} today, at all windows: {size:,} more exceed {most:,} and need the "
        "approval of a second person. Ask a manager."
    ),
    "withdrawal": gettext_lazy(
        "{player} was paid {before:,} today, at all windows: {size:,} more exceed {most:,} and need the "
        "approval of a second person. Ask a manager."
    ),
}
#: What a second person agrees to, where managers raise what binds themselves.
SET = "cage.set_limit"
_TO_RAISE = Wording("cage.ask-limit", "Limit: {role}, {acts}: {limits}")
_AT_ONCE = Wording("cage.limit-at-once", "{most:,} at once")
_ANY_AT_ONCE = Wording("cage.no-limit-at-once", "no limit at once")
_IN_A_DAY = Wording("cage.limit-in-a-day", "{most:,} in a day")
_ANY_IN_A_DAY = Wording("cage.no-limit-in-a-day", "no limit in a day")
#: The most at once, or in a day; None: no limit.
Most = Annotated[int | None, Limits(allow_null=True, min_value=0, max_value=cage_books.MOST)]


@dataclass(frozen=True)
class Allowance:
    """How many chips by one slip, and within a gaming day; None: no limit."""

    slip: int | None
    day: int | None


#: As long as no manager has set others.
DEFAULTS = {
    ("cashier", "deposit"): Allowance(20_000, 200_000),
    ("cashier", "withdrawal"): Allowance(10_000, 100_000),
    ("cashier", "credit"): Allowance(2_000, 10_000),
    ("cashier", "comp"): Allowance(200, 2_000),
    ("cashier", "transfer"): Allowance(0, 0),
    ("cashier", "reversal"): Allowance(5_000, 20_000),
    ("cashier", "over-short"): Allowance(50, 200),
    ("cashier", "adjustment"): Allowance(0, 0),
    ("cashier", "vault"): Allowance(0, 0),
    ("manager", "deposit"): Allowance(100_000, 1_000_000),
    ("manager", "withdrawal"): Allowance(50_000, 500_000),
    ("manager", "transfer"): Allowance(10_000, 50_000),
    ("manager", "vault"): Allowance(100_000, 200_000),
    ("manager", "adjustment"): Allowance(1_000, 5_000),
    ("manager", "credit"): Allowance(20_000, 100_000),
    ("manager", "comp"): Allowance(2_000, 20_000),
    ("manager", "reversal"): Allowance(50_000, 200_000),
    ("manager", "over-short"): Allowance(1_000, 5_000),
    ("floor", "over-short"): Allowance(200, 1_000),
    # At the tournament desk: entries are deposits, prizes and refunds withdrawals.
    ("director", "deposit"): Allowance(20_000, 200_000),
    ("director", "withdrawal"): Allowance(20_000, 100_000),
    ("director", "over-short"): Allowance(200, 1_000),
    ("floor", "deposit"): Allowance(20_000, 200_000),
    ("floor", "withdrawal"): Allowance(10_000, 100_000),
    ("director", "promotion"): Allowance(1_000, 5_000),
    ("manager", "promotion"): Allowance(5_000, 20_000),
    ("director", "price"): Allowance(10_000, None),
    ("manager", "price"): Allowance(50_000, None),
    ("director", "guarantee"): Allowance(20_000, 50_000),
    ("manager", "guarantee"): Allowance(100_000, 200_000),
    ("floor", "bots"): Allowance(20_000, 100_000),
    ("manager", "bots"): Allowance(50_000, 200_000),
    ("floor", "waiver"): Allowance(500, 2_000),
    ("manager", "waiver"): Allowance(2_000, 10_000),
}
OWN = gettext_lazy("House rules: nobody is their own cashier")


def table() -> dict[tuple[str, str], Allowance]:
    """Every role's allowance for every verb, as it is now. One query."""
    limits = dict(DEFAULTS)
    for row in CageLimit.objects.all():
        if (row.role, row.verb) in limits:
            limits[row.role, row.verb] = Allowance(row.slip, row.day)
    return limits


def verb_of(kind: str) -> str:
    """The verb whose limit slips of this kind count against."""
    return _COUNTS_AS.get(kind, str(kind))


def holders(verb: str) -> tuple[str, ...]:
    """The roles that have a limit on this verb."""
    return HOLDERS.get(verb, cage_books.STAFF)


def check(
    *,
    by: User,
    kind: str,
    amount: int,
    now: datetime,
    approval: Approval | None,
    roles: Collection[str] = (),
    player: User | None = None,
    to: Collection[User] = (),
) -> Grant:
    """Allow `by` to take this amount out of the house; returns the grant that the ledger asks for. `player`: whom it is
    about; `to`: who gets it, if that is somebody else or several; `roles`: of those who have a limit, who may do it
    here.

    Refuses: `Forbidden` (none of the roles), `Illegal` (to oneself), `NeedsApproval` (more than `by` may do alone). An
    approved request only must not be for `by` or for the second person (`Forbidden`), unless that person is one of
    several who are paid: a drawer is closed by the word of a second person even where its cashier has left the cage
    since.

    Call with the cashier's drawer, or what else keeps two acts of theirs apart, locked: differences of a count, which
    are found at tables too, with the books.
    """
    verb, size = verb_of(kind), abs(amount)
    gets = list(to) or ([player] if player is not None else [])
    if any(person.pk == by.pk for person in gets):
        raise Illegal("own-cashier", "You cannot be your own cashier: ask a colleague.", rule=OWN)
    if approval is not None and any(person.pk == approval.decided_by_id for person in gets):
        raise Forbidden("own-affair", "You are the player concerned: somebody else has to decide.")
    if approval is None:
        _check_alone(by, verb, size, now, roles or holders(verb), player)
    return passages.grant(verb, most=size, by=by, to=gets, approval=approval)


def check_difference(
    difference: int, *, by: User, now: datetime, approval: Approval | None, roles: Collection[str] = ()
) -> Grant:
    """`check` of what a count is over (above zero) or short, of whatever was counted."""
    return check(by=by, kind="over-short", amount=difference, now=now, approval=approval, roles=roles)


def _check_alone(by: User, verb: str, size: int, now: datetime, roles: Collection[str], player: User | None) -> None:
    held = access.roles_of(by)
    if held.isdisjoint(roles):
        access.require_role(by, *roles)
    if verb not in VERBS:
        return
    known = table()
    allowances = [known[role, verb] for role in roles if role in held and (role, verb) in known]
    if not any(allowance.slip is None or size <= allowance.slip for allowance in allowances):
        most = max((allowance.slip or 0 for allowance in allowances), default=0)
        if not most:
            raise NeedsApproval(
                "needs-approval",
                "{acts}, whatever the amount, need the approval of a second person: ask a manager.",
                rule=RULE,
                acts=VERBS[verb],
                most=most,
            )
        raise NeedsApproval(
            "needs-approval",
            "{acts} of more than {most:,} at once need the approval of a second person: ask a manager.",
            rule=RULE,
            acts=VERBS[verb],
            most=most,
        )
    if verb in _OF_A_PLAYER and player is not None:
        _check_player(player, verb, size, allowances, now)
    used_today = done_today(by, verb, now)
    if not any(allowance.day is None or size + used_today <= allowance.day for allowance in allowances):
        most = max((allowance.day or 0 for allowance in allowances), default=0)
        raise NeedsApproval(
            "needs-approval",
            "You have used {done:,} of your daily limit of {most:,} ({acts}): {size:,} more need the"
            " approval of a second person. Ask a manager.",
            rule=RULE,
            done=used_today,
            most=most,
            acts=sentences.mid_sentence(VERBS[verb]),
            size=size,
        )


@verb(SET, roles=("manager",))
def set_limit(
    *,
    role: Annotated[str, Limits(choices=cage_books.EVENT_DESK)],
    verb: Annotated[str, Limits(choices=list(VERBS))],
    slip: Most,
    day: Most,
    by: User,
) -> CageLimit | Approval:
    """Set what members of a role may do alone. For managers; to raise it takes a second one (`Approval`), where there
    is or was another. Refuses: `Invalid` (no such role or verb). Locks the cage's books."""
    if (role, verb) not in DEFAULTS:
        raise Invalid(
            "no-such-limit",
            "There are limits for {roles}, on: {acts}.",
            roles=access.role_list(cage_books.STAFF, style="standard"),
            acts=", ".join(VERBS),
        )
    for most in (slip, day):
        if most is not None and (type(most) is not int or not 0 <= most <= cage_books.MOST):
            raise Invalid("bad-amount", "A limit is a whole number from 0 to {most:,}, or none.", most=cage_books.MOST)
    # What everybody locks who asks for an allowance at the cage, or approves a higher limit.
    _, now = lock(cage_books.lock_books)
    before = table()[role, verb]
    is_raised = any(_is_more(new, old) for new, old in ((slip, before.slip), (day, before.day)))
    # A manager who raises the limit of a colleague could have them do what the manager may not do alone.
    if is_raised and (role in access.roles_of(by) or access.has_second_manager(by)):
        at_once = _ANY_AT_ONCE() if slip is None else _AT_ONCE(most=slip)
        in_a_day = _ANY_IN_A_DAY() if day is None else _IN_A_DAY(most=day)
        role_text = stored_text(role, context="role")
        words = _TO_RAISE(role=role_text, acts=stored_text(VERBS[verb]), limits=[at_once, in_a_day])
        payload = {"role": role, "verb": verb, "slip": slip, "day": day, "before": [before.slip, before.day]}
        details = {
            "role": role,
            "verb": stored_text(VERBS[verb]),
            "slip": slip,
            "slip_before": before.slip,
            "day": day,
            "day_before": before.day,
        }
        subject = f"cage-limit:{role}:{verb}"
        return approvals.ask(
            what=SET, words=words, payload=payload, details=details, by=by, now=now, subject=subject, alone=subject
        )
    return _store_limit(role, verb, Allowance(slip, day), before, by=by, now=now)


def _is_more(new: int | None, old: int | None) -> bool:
    return old is not None and (new is None or new > old)


def _store_limit(
    role: str,
    verb: str,
    most: Allowance,
    before: Allowance,
    *,
    by: User,
    now: datetime,
    approval: Approval | None = None,
) -> CageLimit:
    row, _ = CageLimit.objects.update_or_create(role=role, verb=verb, defaults={"slip": most.slip, "day": most.day})
    audit_log.note(
        verb="cage.set_limit",
        subject=f"cage-limit:{role}:{verb}",
        by=by,
        now=now,
        slip=most.slip,
        day=most.day,
        slip_before=before.slip,
        day_before=before.day,
        approval=approval.pk if approval else None,
    )
    topics.tell("cage")
    return row


def _raise_agreed_limit(approval: Approval, by: User, now: datetime) -> dict[str, int]:
    """A second person agrees with the higher limit."""
    payload = approval.payload
    role, verb = payload["role"], payload["verb"]
    before = table()[role, verb]
    if approval.asked_by is None or [before.slip, before.day] != payload["before"]:
        raise Conflict("changed-since", "This limit has changed since the request: send a new request.")
    most = Allowance(payload["slip"], payload["day"])
    return {"limit": _store_limit(role, verb, most, before, by=approval.asked_by, now=now, approval=approval).pk}


approvals.register(SET, _raise_agreed_limit, lock=lambda approval: cage_books.lock_books())


def _check_player(player: User, verb: str, size: int, allowances: list[Allowance], now: datetime) -> None:
    """The limit of one slip also holds for several slips with the same player, at whatever window."""
    day = since(now)
    slips = Slip.objects.filter(player=player, kind__in=_kinds(verb), at__gte=day, approval=None, reversed_by=None)
    before = int(slips.aggregate(done=Sum("amount"))["done"] or 0)
    if not any(allowance.slip is None or size + before <= allowance.slip for allowance in allowances):
        most = max(allowance.slip or 0 for allowance in allowances)
        raise NeedsApproval(
            "needs-approval",
            _OF_A_PLAYER[verb],
            rule=RULE,
            player=player,
            before=before,
            size=size,
            most=most,
            done=before,
        )


def _kinds(verb: str) -> list[str]:
    return [kind for kind in Slip.Kind.values if verb_of(kind) == verb]


def since(now: datetime) -> datetime:
    """The beginning of the gaming day, for limits of a day."""
    return room_time.begins(room_time.day_of(now))


def done_today(by: User, verb: str, now: datetime, *, alone: bool = True) -> int:
    """What `by` did in this gaming day; `alone`: without a second person."""
    start = since(now)
    if verb == "adjustment":
        return _adjusted_chips(by, since=start, alone=alone)
    if verb == "over-short":
        return counts.differences_answered(by, since=start, alone=alone)
    if verb in BY_THE_LOG:
        return passages.granted_since(verb, by=by, since=start, alone=alone)
    slips = Slip.objects.filter(by=by, kind__in=_kinds(verb), at__gte=start)
    slips = slips.filter(approval=None) if alone else slips
    return int(slips.aggregate(done=Sum(Abs("amount")))["done"] or 0)


def _adjusted_chips(by: User, *, since: datetime, alone: bool) -> int:
    """Chips that `by` corrected in the accounts of players: transfers without a slip. `alone`: without those that a
    second person approved, whose references begin with `APPROVED`."""
    house = Entry.objects.filter(account__kind=Account.Kind.HOUSE, account__label=ADJUSTMENTS)
    entries = house.filter(transfer__by=by, transfer__at__gte=since)
    if alone:
        entries = entries.exclude(transfer__reference__startswith=f"{APPROVED}:")
    return int(entries.aggregate(done=Sum(Abs("amount")))["done"] or 0)
