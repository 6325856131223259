"""Open drawers for tests: of the tournament desk, with a float out of the vault."""

from datetime import datetime
from itertools import count

from cardroom.cage import drawers, vault
from cardroom.ledger import ledger
from tests.support.models import Drawer, DrawerSession, User
from tests.support.offers import person

_numbers = count(1)


def open_till(by: User, *, now: datetime, money: int = 10_000, name: str = "") -> DrawerSession:
    """A drawer of the tournament desk that `by` has open, with so much out of the vault; the one they have already."""
    if (earlier := DrawerSession.objects.filter(cashier=by).exclude(state="closed").first()) is not None:
        return earlier
    manager = person(f"till-manager-{next(_numbers)}", "manager")
    if money:
        vault.vault(amount=money, by=manager, now=now, reason="the float of the tournament desk")
    drawer = drawers.make_drawer(
        name=name or f"Tournament desk {next(_numbers)}", by=manager, now=now, is_for_events=True
    )
    session = drawers.open_drawer(drawer_id=drawer.pk, counted=0, by=by, now=now)
    if money:
        vault.fill(amount=money, session_id=session.pk, by=manager, now=now)
    return session


def in_drawer(drawer: Drawer | int) -> int:
    """What a drawer holds by the books."""
    pk = drawer.pk if isinstance(drawer, Drawer) else drawer
    return ledger.balance(ledger.open_account(kind="drawer", label=f"drawer:{pk}", unit="money"))


def in_till(by: User) -> int:
    """What the drawer holds that `by` has open."""
    return in_drawer(DrawerSession.objects.filter(cashier=by).exclude(state="closed").get().drawer)
