"""Games on offer, the staff who put them there, and tables opened for them."""

from typing import Any

from cardroom.core import access
from tests.support.evening import Evening
from tests.support.models import Offer, Table, User
from tests.support.parts.games import offers, opening

TERMS = {"ante": 1, "bring_in": 5, "small_bet": 15, "big_bet": 30, "min_buy_in": 300, "max_buy_in": 1500}


def staff(role: str = "floor", name: str = "") -> User:
    """Somebody with this role of the room; the one there is of this name."""
    return person(name or role, role, user=User.objects.filter(username=name or role).first())


def person(name: str, *roles: str, user: User | None = None) -> User:
    """A new person with these roles; or `user`, given them."""
    user = user or User.objects.create_user(name, password="seven-cards")
    for role in roles:
        access.grant_role(user=user, role=role, by=None)
    return user


def offer_tables(*evenings: Evening, **terms: Any) -> Offer:
    """Makes these tables those of one game on offer, which has the stakes of the first of them."""
    row, now = evenings[0].table, evenings[0].now
    same = {name: getattr(row, name) for name in TERMS}
    offer = Offer.objects.create(name="Stud 15/30", made_at=now, **same | terms)
    Table.objects.filter(pk__in=[evening.pk for evening in evenings]).update(offer=offer)
    for evening in evenings:
        offers.note(evening.table, now=now)
    return offer


class Games(Evening):
    """An evening in a room with games on offer: `offer()` puts one there, `open()` opens a table for it; the rest is of
    the table that was opened last, or of the one that `at` names."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.manager, self.floor = staff("manager"), staff("floor")

    def offer(self, name: str = "Stud 15/30", **terms: Any) -> Offer:
        return offers.create(by=self.manager, now=self.now, **{**TERMS, "name": name, **terms})

    def open(self, offer: Offer, **options: Any) -> Table:
        table = opening.open_for(offer_id=offer.pk, by=self.floor, now=self.now, **options)
        self.pk = table.pk
        return table

    def at(self, table: Table) -> "Games":
        self.pk = table.pk
        return self
