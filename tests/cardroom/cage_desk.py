"""A cage to test: cashiers with drawers, players, and what must hold of its books at every moment."""

from itertools import count
from types import SimpleNamespace

from tests.support.offers import person
from tests.support.parts.cardroom import cage_audit, drawers, vault


def faults() -> list[str]:
    """What the audit says about the cage."""
    found = (
        cage_audit.slips_are_their_transfers(),
        cage_audit.drawers_hold_what_was_counted(),
        cage_audit.money_and_chips_agree(),
    )
    return [fault for each in found for fault in each]


def furnished(now, *, float_: int = 10_000) -> SimpleNamespace:
    """`cay` is a cashier with a drawer of `float_` open, out of 100,000 in the vault, `cal` one without; `mia` and
    `max` are managers, `pia` and `pip` play. `key()` is a new key each time."""
    numbers = count(1)
    room = SimpleNamespace(now=now, key=lambda: f"key-{next(numbers)}")
    room.cay, room.cal = person("cay", "cashier"), person("cal", "cashier")
    room.mia, room.max = person("mia", "manager"), person("max", "manager")
    room.pia, room.pip = person("pia"), person("pip")
    vault.vault(amount=100_000, by=room.mia, now=now, reason="what lies there on the first day")
    room.drawer = drawers.make_drawer(name="Window 1", by=room.mia, now=now)
    room.session = drawers.open_drawer(
        drawer_id=room.drawer.pk, counted=float_, from_vault=float_, by=room.cay, now=now
    )
    return room
