"""Names that are put on lists for people who are not logged in: by telephone, and at a kiosk in the room."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, cast

from django.db import transaction

from cardroom.models import Member, RoomSession, User, Visit
from cardroom.services import access, cards, people, repeats, room_time, texting, visits
from cardroom.services.errors import Forbidden, Illegal, Invalid, NotFound, TooMany
from cardroom.services.operations import operation, read
from games.models import KioskTry, ListEntry
from games.services.lists import joining, store, wished

Source = ListEntry.Source

#: Wrong cards and guests that a kiosk takes in so long a while.
_MOST_CARDS, _MOST_GUESTS = 5, 30
_WHILE = timedelta(minutes=15)
_KEPT = timedelta(days=2)


@operation(store.of_offer)
def phone_in(
    *, offer_id: int, name: str, by: User, now: datetime, phone: str = "", wishes: Mapping[str, Any] | None = None,
    key: str = "", source: str = Source.PHONE,
) -> ListEntry:  # fmt: skip
    """Somebody who is not in the house, and maybe never was, is put on a list by the name they give.

    A screen name of the room is that person; any other name makes a guest of it. Refuses as `join`.
    """
    access.require_role(by, *joining.ROLES)
    wanted = wished.checked({**(wishes or {}), **({"phone": phone} if phone else {})})

    def make() -> ListEntry:
        store.offer(offer_id)
        player = User.objects.filter(username__iexact=name.strip(), is_bot=False, is_active=True).first()
        player = player or people.make_guest(name=name, now=now)
        return joining.join(offer_id=offer_id, player=player, source=source, by=by, wishes=wanted, now=now)

    return repeats.made(
        ListEntry, make, by=by, key=key, verb="lists.phone_in", now=now, offer=offer_id, name=name, wishes=wanted
    )


def at_kiosk(
    *, offer_id: int, who: str, opened_by: User, now: datetime | None = None, kiosk: str = "", phone: str = "",
    wishes: Mapping[str, Any] | None = None, key: str = "",
) -> ListEntry:  # fmt: skip
    """Somebody puts their name on a list at a kiosk, and is here from then on: a member by card, others by a name.

    A name makes a guest, `phone` is where they are called; the same name with the same telephone there on the same day
    is that guest again. Nobody puts a member's name there without their card (`Forbidden`). Refuses also what
    `card_owner` and `join` refuse, and `TooMany` after many guests in a short while.
    """
    said: dict[str, Any] = {"source": Source.KIOSK, "offer_id": offer_id}
    if is_card(who):
        player = card_owner(who=who, phone=phone, kiosk=kiosk, now=now)
        with transaction.atomic():
            store.of_offer(offer_id)
            now = read(now)
            entry = joining.join(player=player, wishes=wishes, key=key, now=now, **said)
            visits.check_in(player=player, by=None, now=now, way=Visit.Way.KIOSK)
        return entry
    access.require_role(opened_by, *joining.ROLES)
    name, number = " ".join(who.split()), texting.plain(phone)
    if phone and not number:
        raise Invalid("That is no telephone number: digits, and + at the front.", "bad-phone")
    _check_no_member(name)
    wanted = {**(wishes or {}), **({"phone": number} if number else {})}

    def make() -> ListEntry:
        nonlocal now
        store.offer(offer_id)
        now = read(now)
        guest = _guest(name, number, kiosk, now)
        entry = joining.join(player=guest, by=opened_by, wishes=wanted, now=now, **said)
        visits.check_in(player=guest, by=None, now=now, way=Visit.Way.KIOSK)
        return entry

    return repeats.made(
        ListEntry, make, by=opened_by, key=key, verb="lists.at_kiosk", now=now, offer=offer_id, name=name, wishes=wanted
    )


def check_in_at_kiosk(*, who: str, now: datetime | None = None, kiosk: str = "", phone: str = "") -> Visit:
    """A member comes into the room, by their card at a kiosk. Refuses as `card_owner` and `visits.check_in`."""
    if not is_card(who):
        raise Invalid("Choose a game first. To check in alone, scan your card.", "no-card")
    player = card_owner(who=who, phone=phone, kiosk=kiosk, now=now)
    return visits.check_in(player=player, by=None, now=now, way=Visit.Way.KIOSK)


def is_card(words: str) -> bool:
    """Whether this is meant as a card: its barcode, or a member number."""
    return words.strip().isdigit()


def card_owner(*, who: str, phone: str, kiosk: str, now: datetime | None = None) -> User:
    """Whose card this is: by its barcode, or by the member number with the last four digits of their telephone.

    Whatever is wrong with it, the refusal is the same (`NotFound`), and after some of them `TooMany`.
    """
    with transaction.atomic():
        list(RoomSession.objects.select_for_update().filter(handle=kiosk))
        now = read(now)
        _check_tries(kiosk, now, most=_MOST_CARDS, guest=None)
        if (player := _owner(who.strip(), phone)) is not None:
            return player
        _note(kiosk, now)
    raise NotFound(
        "No card is good for that. Scan its barcode, or give your member number and the last four digits of your "
        "telephone; or ask at the desk.",
        "no-such-card",
    )


def _owner(said: str, phone: str) -> User | None:
    if cards.BARCODE.fullmatch(said):
        try:
            return cards.by_barcode(said)
        except (NotFound, Illegal):
            return None
    member = Member.objects.select_related("player").filter(number=said).first()
    last = _last_four(phone)
    return member.player if member is not None and last and last == _last_four(member.phone) else None


def _last_four(phone: str) -> str:
    """ "" where it has not as many."""
    digits = "".join(letter for letter in phone if letter.isdigit())
    return digits[-4:] if len(digits) >= 4 else ""


def _check_no_member(name: str) -> None:
    person = User.objects.filter(username__iexact=name, is_active=True).first()
    if person is not None and (person.has_usable_password() or cards.member_of(person) is not None):
        raise Forbidden("This is the name of a member: scan your card, or ask at the desk.", "member")


def _guest(name: str, phone: str, kiosk: str, now: datetime) -> User:
    """Another guest; with a telephone number the one whom this kiosk made by both of them today."""
    today = room_time.midnight(room_time.today(now))
    same = KioskTry.objects.filter(kiosk=kiosk, name__iexact=name, phone=phone, guest__isnull=False, at__gte=today)
    if phone and (earlier := same.select_related("guest").order_by("-pk").first()) is not None:
        return cast(User, earlier.guest)
    _check_tries(kiosk, now, most=_MOST_GUESTS, guest__isnull=False)
    guest = people.make_guest(name=name, now=now)
    _note(kiosk, now, guest=guest, name=name, phone=phone)
    return guest


def _note(kiosk: str, now: datetime, **said: Any) -> None:
    """Who is no member is not kept here for longer than it is of use."""
    KioskTry.objects.filter(at__lt=now - _KEPT).delete()
    KioskTry.objects.create(kiosk=kiosk, at=now, **said)


def _check_tries(kiosk: str, now: datetime, *, most: int, **which: Any) -> None:
    list(RoomSession.objects.select_for_update().filter(handle=kiosk))  # one at a time, or none is counted
    if KioskTry.objects.filter(kiosk=kiosk, at__gt=now - _WHILE, **which).count() >= most:
        minutes = _WHILE // timedelta(minutes=1)
        raise TooMany(f"Too many at this kiosk: wait up to {minutes} minutes, or ask at the desk.", "too-many-tries")
