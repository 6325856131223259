"""Names that are put on lists for people who are not logged in: by telephone, and at a kiosk in the room."""

from datetime import datetime

from cardroom.models import User
from cardroom.services import access, cards, people, repeats, texting
from cardroom.services.errors import Forbidden, Invalid, NotFound
from games.models import ListEntry
from games.services.lists import joining, store

Source = ListEntry.Source


def phone_in(
    *, offer_id: int, name: str, by: User, now: datetime, phone: str = "", key: str = "", source: str = Source.PHONE
) -> ListEntry:
    """Somebody who is not in the house, and maybe never was, is put on a list by the name he gives.

    A screen name of the room is that person; any other name makes a guest of it. Refuses as `join`, and `Invalid` for a
    number that is none.
    """
    access.require_role(by, *joining.ROLES)
    number = texting.plain(phone) if phone else ""
    if phone and not number:
        raise Invalid("That is no telephone number: digits, and + at the front.", "bad-phone")

    def make() -> ListEntry:
        store.offer(offer_id)
        player = User.objects.filter(username__iexact=name.strip(), is_bot=False, is_active=True).first()
        player = player or people.make_guest(name=name, now=now)
        wishes = {"phone": number} if number else {}
        return joining.join(offer_id=offer_id, player=player, source=source, by=by, wishes=wishes, now=now)

    return repeats.made(
        ListEntry, make, by=by, key=key, verb="lists.phone_in", now=now, offer=offer_id, name=name, phone=number
    )


def at_kiosk(*, offer_id: int, who: str, opened_by: User, now: datetime, phone: str = "", key: str = "") -> ListEntry:
    """Somebody puts his name on a list at a kiosk: a member by the number or barcode of his card, others by a name.

    Nobody puts a member's name there without his card: the name of somebody with an account is refused (`Forbidden`).
    Refuses also what `join` refuses.
    """
    said = who.strip()
    if said.isdigit() or cards.BARCODE.fullmatch(said):
        found = cards.find(said, limit=2)
        if len(found) != 1:
            raise NotFound("No card has this number: ask at the desk.", "no-such-card")
        wishes = {"phone": phone} if phone else {}
        return joining.join(
            offer_id=offer_id, player=found[0], source=Source.KIOSK, wishes=wishes, now=now, key=key,
        )  # fmt: skip
    person = User.objects.filter(username__iexact=said, is_active=True).first()
    if person is not None and (person.has_usable_password() or cards.member_of(person) is not None):
        raise Forbidden("This is the name of a member: give the number on his card, or ask at the desk.", "member")
    return phone_in(offer_id=offer_id, name=said, phone=phone, by=opened_by, now=now, key=key, source=Source.KIOSK)
