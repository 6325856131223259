"""The page of jackpots: everybody reads it, staff asks and decides on it, and a refusal loses nothing."""

import pytest

from tests.support.models import Approval, Jackpot, User
from tests.support.offers import staff
from tests.support.pages import html_of, says


def manager(name: str) -> User:
    return staff("manager", name)


@pytest.fixture
def pair(browse):
    return browse(manager("max")), browse(manager("mia"))


def test_two_managers_make_a_jackpot_and_everybody_sees_it(pair, browse):
    asked, decided = pair
    asked.post("/jackpots/change/", {"name": "Bad beat", "seed": "12,000", "reason": "For the opening", "key": "a"})
    assert "Bad beat" not in browse(None).get("/jackpots/fragment/").content.decode()
    approval = Approval.objects.get()
    assert asked.post("/jackpots/decide/", {"approval_id": approval.pk, "approve": "yes"}).status_code == 403
    done = decided.post("/jackpots/decide/", {"approval_id": approval.pk, "approve": "yes"}, follow=True)
    assert "12,000" in done.content.decode()
    seen = browse(None).get("/jackpots/fragment/").content.decode()
    says(seen, "Bad beat", "12,000")
    assert Jackpot.objects.get().seed == 12_000
    assert seen in browse(None).get("/").content.decode(), "the lobby has it from the first, and does not jump"


def test_a_refusal_is_said_with_what_was_typed_and_a_player_sees_no_forms(pair, browse):
    answer = pair[0].post("/jackpots/change/", {"name": "Bad beat", "seed": "lots", "reason": "For the opening"})
    page = html_of(answer, 400)
    says(page, "Seed is a whole number", 'value="lots"', 'value="For the opening"')
    page = browse(User.objects.create_user("pia")).get("/jackpots/").content.decode()
    assert "Request approval" not in page
    assert "No live jackpots" in page


def test_a_seat_of_many_digits_is_refused_as_any_that_there_is_not(pair):
    assert pair[0].post("/jackpots/hit/", {"jackpot_id": "1", "players": "9" * 6000}).status_code == 400
