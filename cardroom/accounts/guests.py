"""Somebody the room does not know yet stands at the desk or the cage: they are taken in, with a card, to be seated."""

from datetime import date, datetime

from cardroom.accounts import members, people, visits
from cardroom.core import audit_log
from cardroom.core.models import User
from cardroom.core.operation import operation

STAFF = members.STAFF


@operation(verb="account.take-in", roles=STAFF)
def take_in(*, name: str, by: User, now: datetime, phone: str = "", born_on: date | None = None) -> User:
    """A guest by this name, registered as a member with a card and checked in. They have no password and
    no chips. Each call makes another person, and the same `key` again the same one.

    For the floor, cashiers and managers. Refuses: `Forbidden`, and as `members.register`. Those who make players take
    turns.
    """
    people.take_turns()
    player = people.make_guest(name=name, now=now)
    members.register(player=player, by=by, now=now, name=name, phone=phone, born_on=born_on)
    visits.check_in(player=player, by=by, now=now)
    audit_log.note(verb="account.take-in", subject=f"user:{player.pk}", player=player, by=by, now=now)
    return player
