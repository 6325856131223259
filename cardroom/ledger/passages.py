"""Passages: the leave without which the ledger takes nothing out of an account of the house.

`ledger.post` refuses a transfer that takes a house account down and has no passage, as a programming error, before
anything is written. There are three kinds, and nothing else makes one:

- `rule`: nobody decides, a rule of the house moves the chips. The rules are named in `RULES`.
- `back`: the mirror of an earlier transfer, or a part of it: what was paid is paid back, and no more.
- `Grant.noted`: a person decided. Only `cardroom.cage.allowances` makes a `Grant`: it has asked who, to whom and how
  much, and an entry in the audit log goes with it.

What a passage was is kept with the transfer (`Transfer.passage`), so that `manage.py audit` can look it up again.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import BigIntegerField, QuerySet, Sum
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from cardroom.core.models import Approval, StaffAction, User
from cardroom.ledger.models import Account, Transfer

#: Units that are worth something outside an event.
_VALUES = ("cash", "money", "comp")
#: Where the house pays without anybody deciding it, each with the label of the account that it takes from:
RULES = {
    "welcome": "play money",  # chips that a player begins with; the room's settings say how many
    "demo": "play money",  # chips of the people that `manage.py demo` lays out
    "bots": "play money",  # chips that house bots play with; the person who opens their table or event answers for them
    "event chips": "chips",  # good for nothing but the event, for a price that was paid
    "growth": "promotions",  # what a jackpot grows by, as two persons agreed
    "comp points": "comps",  # for time played, at the rate of the game
    "guarantee": "guarantees",  # what is missing to a guarantee, which was answered for when the event opened
    "bench": "play money",  # chips of a benchmark, in a database of its own
}
_RULE, _BACK, _ENTRY = "rule", "back", "entry"


class UngatedError(RuntimeError):
    """A transfer would take a house account down without a passage. A programming error, no refusal."""


@dataclass(frozen=True)
class Passage:
    """Permission for one transfer. `most`: the most that a single account of the house may lose; `by`: the person who
    decided it, and who gets nothing of it; `label`: of the only account of the house that may pay; `reference`: what
    the transfer keeps."""

    reference: str
    most: int
    by: int | None = None
    label: str = ""


@dataclass(frozen=True)
class Grant:
    """What a person may take out of the house by `cardroom.cage.allowances`; its audit entry is still missing."""

    kind: str
    most: int
    by: int
    approval: int | None = None

    @property
    def details(self) -> dict[str, Any]:
        """Details for the audit entry, besides those of the service."""
        return {"gate": self.kind, "chips": self.most, "approval": self.approval}

    def noted(self, entry: StaffAction) -> Passage:
        """The passage of this grant, with its audit entry."""
        if entry.details.get("gate") != self.kind or entry.by_id != self.by:
            raise UngatedError(f"the entry {entry.pk} of the audit log does not tell of this {self.kind}")
        return Passage(f"{_ENTRY}:{entry.pk}", self.most, self.by)


def rule_passage(name: str, most: int) -> Passage:
    """The passage of a payment by one of the house's `RULES`."""
    if name not in RULES:
        raise UngatedError(f"the house has no rule {name!r}")
    return Passage(f"{_RULE}:{name}", most, label=RULES[name])


def reversal_passage(transfer: Transfer, most: int, entry: StaffAction | None = None) -> Passage:
    """The passage of a reversal, whole or in part, of a transfer whose legs were at most `most`. `entry`: of the audit
    log, where one of the staff decided."""
    return Passage(f"{_BACK}:{transfer.pk}{f':{entry.pk}' if entry else ''}", most)


def check(
    accounts: Mapping[int, Account], moves: Mapping[int, int], passage: Passage | None, *, reference: str
) -> str | None:
    """What the transfer stores of its passage; None where no account of the house goes down. `UngatedError` where one
    does and no passage, or too small a one, is there, or where the person who decided it would get something."""
    falls = {
        accounts[pk]: -chips for pk, chips in moves.items() if chips < 0 and accounts[pk].kind == Account.Kind.HOUSE
    }
    if not falls:
        return None
    largest = max(falls.values())
    if passage is None:
        raise UngatedError(f"{reference} takes {largest:,} out of the house without a passage")
    if largest > passage.most:
        raise UngatedError(f"{reference} takes {largest:,} out of the house, and {passage.most:,} were granted")
    if passage.label:
        is_event = passage.reference == f"{_RULE}:event chips"
        for account in falls:
            if account.label != passage.label or is_event is (account.unit in _VALUES):
                raise UngatedError(
                    f"{reference} takes chips out of {account}, which {passage.reference} does not pay from"
                )
    if passage.by is not None and any(chips > 0 and accounts[pk].owner_id == passage.by for pk, chips in moves.items()):
        raise UngatedError(f"{reference} pays the person who decided it")
    return passage.reference


def granted_since(kind: str, *, by: User, since: datetime, alone: bool = True) -> int:
    """The sum that a person was granted since then, of this kind, by the audit log; `alone`: without a second
    person."""
    entries = StaffAction.objects.filter(by=by, at__gte=since, details__gate=kind)
    entries = entries.filter(details__approval=None) if alone else entries
    chips = entries.annotate(chips=Cast(KT("details__chips"), BigIntegerField())).aggregate(sum=Sum("chips"))["sum"]
    return int(chips or 0)


def grant(kind: str, *, most: int, by: User, to: Collection[User], approval: Approval | None) -> Grant:
    """A grant. For `cardroom.cage.allowances` alone, which has checked that `by` may do it."""
    if any(person.pk == by.pk for person in to):
        raise UngatedError(f"{by} would be paid a {kind} by themselves")
    return Grant(kind, most, by.pk, approval.pk if approval is not None else None)


def passage_faults(transfers: QuerySet[Transfer]) -> list[str]:
    """Faults of the passages among these transfers."""
    faults = []
    for transfer in transfers.prefetch_related("entries__account").iterator(1_000):
        kind, _, rest = (transfer.passage or "").partition(":")
        if (fault := _PROOFS.get(kind, _unknown)(transfer, rest)) is not None:
            faults.append(f"{transfer.reference} {fault}")
    return faults


def _largest(transfer: Transfer) -> int:
    return max((abs(entry.amount) for entry in transfer.entries.all()), default=0)


def _fall(transfer: Transfer) -> int:
    """The most that an account of the house lost by it."""
    entries = [entry for entry in transfer.entries.all() if entry.account.kind == Account.Kind.HOUSE]
    return max((-entry.amount for entry in entries if entry.amount < 0), default=0)


def _of_a_rule(transfer: Transfer, name: str) -> str | None:
    return None if name in RULES else f"names the rule {name!r}, which the house does not have"


def _of_an_entry(transfer: Transfer, number: str) -> str | None:
    entry = StaffAction.objects.filter(pk=int(number)).first() if number.isdecimal() else None
    if entry is None or not entry.details.get("gate"):
        return f"names entry {number} of the audit log, which tells of no such leave"
    if _fall(transfer) > entry.details.get("chips", 0):
        return f"took {_fall(transfer):,} out of the house, and entry {number} of the audit log grants less"
    return None


def _of_an_earlier(transfer: Transfer, numbers: str) -> str | None:
    number = numbers.partition(":")[0]
    earlier = Transfer.objects.filter(pk=int(number)).first() if number.isdecimal() else None
    if earlier is None or earlier.pk >= transfer.pk:
        return f"mirrors transfer {number}, which was not there before it"
    return None if _fall(transfer) <= _largest(earlier) else f"gives back more than {earlier.reference} moved"


def _unknown(transfer: Transfer, rest: str) -> str | None:
    return f"has the passage {transfer.passage!r}, which is none"


_PROOFS = {_RULE: _of_a_rule, _ENTRY: _of_an_entry, _BACK: _of_an_earlier}
