"""A room as its staff find it: games on offer, free tables, guests with chips, and a drawer in the cage."""

from __future__ import annotations

from importlib import import_module

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.utils import timezone

from tests.browser.player import PASSWORD, Player
from tests.support.models import Drawer, Offer, Section, Table, User
from tests.support.parts.cardroom import drawers, ledger, members, people, slips, vault
from tests.support.parts.games import offers, opening, seating, sections, tables

#: Of a table that is opened for no game on offer.
STAKES = {
    "stakes": opening.TableStakes(ante=1, bring_in=5, small_bet=15, big_bet=30), "min_buy_in": 300, "max_buy_in": 1500,
}  # fmt: skip
STUD = {"ante": 3, "bring_in": 5, "small_bet": 20, "big_bet": 40, "min_buy_in": 400, "max_buy_in": 2_000}


class House:
    """`stem` is in every name, for the room is not new. `mia` manages, `flo` runs the floor, `cay` sits in the cage."""

    def __init__(self, stem: str) -> None:
        self.stem = stem
        self.now = timezone.now()
        staff = (("Mia", "manager"), ("Flo", "floor"), ("Cay", "cashier"))
        self.mia, self.flo, self.cay = (signed_up(f"{name}{stem}", role) for name, role in staff)
        self.section: Section = sections.create(name=f"{stem} room", by=self.mia, now=self.now)

    def offer(self, **terms: object) -> Offer:
        terms = {"name": f"{self.stem} live", "is_physical": True, **STUD, **terms}
        return offers.create(by=self.mia, now=self.now, **terms)

    def free_tables(self, *names: str) -> list[Table]:
        return [tables.add(name=name, by=self.mia, now=self.now, section_id=self.section.pk) for name in names]

    def open(self, offer: Offer, table: Table) -> Table:
        return opening.open_for(offer_id=offer.pk, table_id=table.pk, by=self.mia, now=self.now)

    def guests(self, *names: str) -> list[User]:
        made = [people.make_guest(name=name, now=self.now) for name in names]
        for guest in made:
            given = {"amount": 5_000, "reference": f"browser-guest:{guest.pk}", "reason": "chips"}
            people.issue_play_money(user=guest, now=self.now, **given)
        return made

    def seat(self, table: Table, guest: User) -> None:
        seating.seat(table_id=table.pk, player=guest, number=1, buy_in=800, by=self.mia, now=self.now)

    def wallet_of(self, guest: User) -> int:
        return ledger.balance(ledger.wallet(guest))

    def drawer(self, name: str) -> Drawer:
        vault.vault(amount=50_000, reason="for the drawers", by=self.mia, now=self.now)
        return drawers.make_drawer(name=name, by=self.mia, now=self.now)

    def card(self, guest: User) -> str:
        """They are a member from now on, and may owe a little: what their card says to a scanner."""
        slips.set_line(player=guest, most=1_000, reason="known to us", by=self.mia, now=self.now)
        return members.register(player=guest, name=guest.username, by=self.mia, now=self.now).barcode


def signed_up(name: str, role: str = "") -> User:
    """Somebody new, with the chips that everybody begins with."""
    return people.make_player(name=name, password=PASSWORD, now=timezone.now(), roles=[role] if role else [])


def session_of(user: User) -> str:
    """They are logged in from now on: the key of their session. How it is done by hand has tests of its own."""
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    backend = "django.contrib.auth.backends.ModelBackend"
    told = {SESSION_KEY: str(user.pk), BACKEND_SESSION_KEY: backend, HASH_SESSION_KEY: user.get_session_auth_hash()}
    session.update(told)
    session.save()
    return str(session.session_key)


def is_there(person: Player, user: User, session: str, *, url: str) -> None:
    """`person` is `user`, at this address of the room."""
    person.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": url}])
    person.name, person.user = user.username, user
