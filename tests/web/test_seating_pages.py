"""What staff does at the seats of a table: whom it is done to is said in full."""

import time_machine

from cardroom.accounts import members, people
from games.play import opening
from games.tables.models.offers import Offer
from tests.support.pages import get, hides, says
from tests.support.worlds import world
from tests.web.conftest import NOW


@world
@time_machine.travel(NOW, tick=False)
def table(hired):
    terms = {"ante": 1, "bring_in": 5, "small_bet": 15, "big_bet": 30, "min_buy_in": 300, "max_buy_in": 1500}
    offer = Offer.objects.create(name="Stud", is_physical=True, made_at=NOW, **terms)
    return opening.open_for(offer_id=offer.pk, by=hired["floor"], now=NOW)


@world
@time_machine.travel(NOW, tick=False)
def guest(hired):
    made = people.make_guest(name="Bobby Fox", now=NOW)
    members.register(player=made, name="Bobby Fox", phone="0170 1234567", by=hired["floor"], now=NOW)
    return made


def test_a_seat_is_for_whom_the_whole_name_the_number_or_the_card_says_and_no_part_of_one_also_at_the_lists(
    staff, table, guest, browse
):
    browser, address = browse(staff["floor"]), f"/floor/tables/{table.pk}/seats/do/"
    for words in ("Bob", "1234567", "Fox", "12345670"):
        assert browser.post(address, {"verb": "seat", "who": words, "buy_in": 500}).status_code == 404, words
    for words in ("bobby.fox", guest.member.number, guest.member.cards.get().barcode):
        assert browser.post(address, {"verb": "hold", "who": words, "minutes": 5}).status_code == 302, words
        assert table.holds.get().player == guest
        table.holds.all().delete()
    hides(get(browser, "/floor/lists/find/?name=bobby"), " checked")
    says(get(browser, f"/floor/lists/find/?name={guest.member.number}"), " checked")
