"""A cage to test: cashiers with drawers, players, and what must hold of its books at every moment."""

from collections.abc import Callable
from datetime import datetime
from itertools import count
from types import SimpleNamespace
from typing import Any

from cardroom.core.errors import NeedsApproval
from cardroom.core.verb import nested
from tests.support.models import Approval, Drawer, User
from tests.support.offers import person
from tests.support.parts.cardroom import approvals, cage_audit, drawers, vault
from tests.support.refusals import refused


def faults() -> list[str]:
    """What the audit says about the cage."""
    found = [*cage_audit.slips_are_their_transfers(), *cage_audit.drawers_hold_what_was_counted()]
    return [*found, *cage_audit.money_and_chips_agree()]


def furnished(now) -> SimpleNamespace:
    """`cay` is a cashier with a drawer of 10,000 open, out of 100,000 in the vault, `cal` one without; `mia` and
    `max` are managers, `pia` and `pip` play. `key()` is a new key each time."""
    numbers = count(1)
    room = SimpleNamespace(now=now, key=lambda: f"key-{next(numbers)}")
    room.cay, room.cal = person("cay", "cashier"), person("cal", "cashier")
    room.mia, room.max = person("mia", "manager"), person("max", "manager")
    room.pia, room.pip = person("pia"), person("pip")
    vault.vault(amount=100_000, by=room.mia, now=now, reason="what lies there on the first day")
    room.drawer = window(room, room.cay, 10_000, number=1)
    room.session = room.cay.drawer_sessions.get()
    return room


def window(room: SimpleNamespace, by: User, money: int = 0, *, number: int = 2) -> Drawer:
    """A drawer that `by` opens with so much out of the vault."""
    drawer = drawers.make_drawer(name=f"Window {number}", by=room.mia, now=room.now)
    drawers.open_drawer(drawer_id=drawer.pk, counted=money, from_vault=money, by=by, now=room.now)
    return drawer


def refused_alone(words: str, verb: Callable[..., Any], **arguments: Any) -> NeedsApproval:
    """The refusal of a verb that needs a second person, as a part of another verb, which asks for none."""
    token = nested.set(1)
    try:
        return refused(NeedsApproval, words, verb, **arguments)
    finally:
        nested.reset(token)


def approved(row: Approval, by: User, **when: datetime) -> Approval:
    """A second person agrees with what was asked for."""
    assert isinstance(row, Approval)
    return approvals.decide(approval_id=row.pk, by=by, approve=True, **when)
