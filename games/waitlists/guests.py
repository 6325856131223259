"""Names put on lists at a kiosk in the room, where nobody is logged in: members scan their card, others give a name and
become guests."""

from datetime import datetime, timedelta
from typing import Any, cast

from cardroom.accounts import members, people, visits
from cardroom.accounts.models import Member, RoomSession, Visit
from cardroom.core import room_time, texting
from cardroom.core.errors import Forbidden, Illegal, Invalid, NotFound, TooMany
from cardroom.core.models import User
from cardroom.core.verb import current_time, lock, verb
from games.tables.models.offers import Offer
from games.waitlists import joining
from games.waitlists.models import KioskTry, ListEntry
from games.waitlists.wishes import Wishes, check_wishes

#: Wrong cards and guests that a kiosk accepts within `_WINDOW`.
_MOST_CARDS, _MOST_GUESTS = 5, 30
_WINDOW = timedelta(minutes=15)
_KEPT = timedelta(days=2)


def at_kiosk(
    *,
    offer_id: int,
    who: str,
    opened_by: User,
    kiosk: str = "",
    phone: str = "",
    wishes: Wishes | None = None,
    key: str = "",
) -> ListEntry:
    """Put a name on a list at a kiosk, and check its player in: a member by card, others by a name.

    A name makes a guest, who is called at `phone`; the same name with the same phone there on the same day is that
    guest again. A member's name is refused without their card (`Forbidden`). Refuses also what `card_owner` and
    `joining.join` refuse, and `TooMany` after many guests in a short time.
    """
    wishes = wishes or Wishes()
    if is_card(who):
        player = card_owner(who=who, phone=phone, kiosk=kiosk)
        return _member_at_kiosk.once(key, offer_id=offer_id, wishes=wishes, by=player)
    name = " ".join(who.split())
    return _guest_at_kiosk.once(
        key, offer_id=offer_id, name=name, phone=phone, kiosk=kiosk, wishes=wishes, by=opened_by
    )


@verb("lists.member_at_kiosk")
def _member_at_kiosk(*, offer_id: int, wishes: Wishes, by: User) -> ListEntry:
    entry = joining.join(offer_id=offer_id, source=ListEntry.Source.KIOSK, wishes=wishes, by=by)
    visits.check_in(player=by, by=None, now=current_time(), way=Visit.Entrance.KIOSK)
    return entry


@verb("lists.at_kiosk", roles=joining.ROLES)
def _guest_at_kiosk(*, offer_id: int, name: str, phone: str, kiosk: str, wishes: Wishes, by: User) -> ListEntry:
    number = texting.plain(phone)
    if phone and not number:
        raise Invalid("bad-phone", "That is no telephone number: digits, and + at the front.")
    person = User.objects.filter(username__iexact=name, is_active=True).first()
    if person is not None and (person.has_usable_password() or members.member_of(person) is not None):
        raise Forbidden("member", "This is the name of a member: scan your card, or ask the desk.")
    offer, now = lock(Offer, offer_id)
    guest = _guest(name, number, kiosk, now)
    wanted = check_wishes(wishes) | ({"phone": number} if number else {})
    entry = joining.create_entry(offer, guest, wishes=wanted, source=ListEntry.Source.KIOSK, by=by, now=now)
    visits.check_in(player=guest, by=None, now=now, way=Visit.Entrance.KIOSK)
    return entry


def check_in_at_kiosk(*, who: str, kiosk: str = "", phone: str = "") -> Visit:
    """Check a member in, by their card at a kiosk. Refuses what `card_owner` and `visits.check_in` refuse."""
    if not is_card(who):
        raise Invalid("no-card", "Choose a game first. To check in alone, scan your card.")
    player = card_owner(who=who, phone=phone, kiosk=kiosk)
    return visits.check_in(player=player, by=None, way=Visit.Entrance.KIOSK)


def is_card(words: str) -> bool:
    """Whether the text is a card's barcode or a member number."""
    return words.strip().isdigit()


def card_owner(*, who: str, phone: str, kiosk: str) -> User:
    """The owner of a card: by its barcode, or by the member number with the last four digits of their phone.

    The refusal is the same whatever is wrong (`NotFound`), and after several of them `TooMany`.
    """
    player = _try_card(who=who.strip(), phone=phone, kiosk=kiosk)
    if player is None:
        raise NotFound(
            "no-such-card",
            "Card not found. Scan its barcode, or enter your member number and the last four "
            "digits of your phone number; or ask the desk.",
        )
    return player


@verb("lists.try_card")
def _try_card(*, who: str, phone: str, kiosk: str) -> User | None:
    """The owner, or None for a wrong card: a refusal would roll back the row that counts the try."""
    _, now = lock(_lock_kiosk, kiosk)
    _check_tries(kiosk, now, most=_MOST_CARDS, guest=None)
    player = _owner(who, phone)
    if player is None:
        _note_try(kiosk, now)
    return player


def _owner(number: str, phone: str) -> User | None:
    """The owner of this barcode, or of this member number with the last four digits of their phone; None if wrong."""
    if members.BARCODE.fullmatch(number):
        try:
            return members.by_barcode(number)
        except (NotFound, Illegal):
            return None
    member = Member.objects.select_related("player").filter(number=number).first()
    last = _last_four(phone)
    return member.player if member is not None and last and last == _last_four(member.phone) else None


def _last_four(phone: str) -> str:
    """The last four digits of a phone number; "" where it has fewer."""
    digits = "".join(letter for letter in phone if letter.isdigit())
    return digits[-4:] if len(digits) >= 4 else ""


def _guest(name: str, phone: str, kiosk: str, now: datetime) -> User:
    """A new guest; with a phone number the guest whom this kiosk made today by the same name and number, if any."""
    today = room_time.midnight(room_time.today(now))
    earlier_tries = KioskTry.objects.filter(
        kiosk=kiosk, name__iexact=name, phone=phone, guest__isnull=False, at__gte=today
    )
    if phone and (earlier := earlier_tries.select_related("guest").order_by("-pk").first()) is not None:
        return cast(User, earlier.guest)
    _lock_kiosk(kiosk)
    _check_tries(kiosk, now, most=_MOST_GUESTS, guest__isnull=False)
    guest = people.make_guest(name=name, now=now)
    _note_try(kiosk, now, guest=guest, name=name, phone=phone)
    return guest


def _note_try(kiosk: str, now: datetime, *, guest: User | None = None, name: str = "", phone: str = "") -> None:
    """Count a wrong card, or a `guest`, and delete the rows that are out of date."""
    KioskTry.objects.filter(at__lt=now - _KEPT).delete()
    KioskTry.objects.create(kiosk=kiosk, at=now, guest=guest, name=name, phone=phone)


def _lock_kiosk(kiosk: str) -> None:
    """Lock the kiosk, so that tries at the same moment are all counted."""
    list(RoomSession.objects.select_for_update().filter(handle=kiosk))


def _check_tries(kiosk: str, now: datetime, *, most: int, **filters: Any) -> None:
    """`TooMany` where the kiosk had `most` tries of this kind lately."""
    if KioskTry.objects.filter(kiosk=kiosk, at__gt=now - _WINDOW, **filters).count() >= most:
        minutes = _WINDOW // timedelta(minutes=1)
        raise TooMany(
            "too-many-tries",
            "Too many tries at this kiosk: wait up to {minutes} minutes, or ask the desk.",
            minutes=minutes,
        )
