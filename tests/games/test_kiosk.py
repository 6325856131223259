"""The kiosk: whose name is put on a list there, by what proof, and how often it is tried."""

from datetime import timedelta

from cardroom.core.verb import at
from games.waitlists import guests, joining
from games.waitlists.wishes import Wishes
from tests.support.lists import ListRoom
from tests.support.models import KioskTry, ListEntry, User, Visit
from tests.support.parts.cardroom import Forbidden, Invalid, NotFound, TooMany, members, people
from tests.support.refusals import refused
from tests.support.worlds import world


@world
def room() -> ListRoom:
    made = ListRoom(is_physical=True)
    made.memo = made.player("memo")
    made.card = members.register(player=made.memo, name="Memo", phone="+34 600 123 456", by=made.floor, now=made.now)
    return made


def at_kiosk(room: ListRoom, who: str, **said) -> ListEntry:
    wishes, now = Wishes(**said.pop("wishes", {})), said.pop("now", room.now)
    said = {"offer_id": room.offer.pk, "opened_by": room.floor, "kiosk": "k1", **said}
    with at(now):
        return guests.at_kiosk(who=who, wishes=wishes, **said)


def check_in(room: ListRoom, *, who: str = "", kiosk: str = "") -> Visit:
    with at(room.now):
        return guests.check_in_at_kiosk(who=who or room.card.barcode, kiosk=kiosk)


def test_a_card_is_a_barcode_or_a_number_with_the_end_of_the_telephone(room):
    number = members.number_of(room.memo)
    for words, phone in ((number, ""), (number, "3457"), (number[:-1], "3456"), ("0000000000000", ""), (number, "456")):
        refused(NotFound, "Card not found", at_kiosk, room, words, phone=phone, kiosk=f"{words}{phone}"[:16])
    assert at_kiosk(room, number, phone="3456").player == room.memo
    joining.leave(entry_id=ListEntry.objects.get().pk, by=room.memo, now=room.now)
    entry = at_kiosk(room, room.card.barcode, phone="600 999 999")
    assert (entry.player, "phone" in entry.wishes) == (room.memo, False), "what they say of a telephone changes nothing"
    assert check_in(room).way == "kiosk"
    assert Visit.objects.filter(player=room.memo).count() == 1
    refused(Invalid, "Choose a game", check_in, room, who="Ana Ruiz")


def test_a_lost_card_or_a_number_without_a_telephone_is_no_card(room):
    bob = room.player("bob")
    members.register(player=bob, name="Bob Fox", by=room.floor, now=room.now)
    members.report_lost(player=room.memo, by=room.memo, now=room.now)
    for words, phone in ((members.number_of(bob), ""), (members.number_of(bob), "0000"), (room.card.barcode, "")):
        refused(NotFound, "Card not found", at_kiosk, room, words, phone=phone)


def test_a_name_makes_another_guest_except_for_the_same_telephone_or_key(room):
    ana = people.make_guest(name="ana", now=room.now)
    assert at_kiosk(room, ana.username).player != ana
    refused(Forbidden, "scan your card", at_kiosk, room, "Memo")
    first = at_kiosk(room, "Ana Ruiz", key="k", wishes={"seats": [3]})
    assert (at_kiosk(room, "Ana Ruiz", key="k", wishes={"seats": [3]}), first.wishes) == (first, {"seats": [3]})
    other, names = ListRoom(is_physical=True).offer.pk, []
    for said in ({}, {"offer_id": other}, {"phone": "600 1"}, {"phone": "600-1", "offer_id": other}):
        names.append(at_kiosk(room, "Ana Ruiz", **said).player)
    assert (names[2], len(set(names))) == (names[3], 3)
    joining.leave(entry_id=ListEntry.objects.get(player=names[2], offer=room.offer).pk, by=names[2], now=room.now)
    assert at_kiosk(room, "Ana Ruiz", phone="6001", kiosk="k2").player not in names, "another kiosk"


def test_a_kiosk_takes_five_wrong_cards_in_a_quarter_of_an_hour(room):
    for _ in range(5):
        refused(NotFound, at_kiosk, room, "12345678")
    refused(TooMany, "ask the desk", at_kiosk, room, room.card.barcode)
    assert check_in(room, kiosk="k2")
    assert at_kiosk(room, room.card.barcode, now=room.now + timedelta(minutes=15)).player == room.memo


def test_a_kiosk_makes_thirty_guests_in_a_quarter_of_an_hour(room, monkeypatch):
    monkeypatch.setattr(guests, "_MOST_GUESTS", 2)
    for name in ("One Fox", "Two Fox"):
        at_kiosk(room, name)
    refused(TooMany, at_kiosk, room, "Three Fox")
    assert not User.objects.filter(first_name="Three").exists()
    assert at_kiosk(room, "Three Fox", now=room.now + timedelta(minutes=15))
    at_kiosk(room, "Bea Ruiz", now=room.now + timedelta(days=3))
    assert [tried.name for tried in KioskTry.objects.all()] == ["Bea Ruiz"]
