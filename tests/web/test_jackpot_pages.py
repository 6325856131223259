"""The page of jackpots: everybody reads it, staff asks and decides on it, and a refusal loses nothing."""

import pytest

from tests.support.models import Approval, Jackpot, User
from tests.support.offers import staff
from tests.support.pages import get, hides, html_of, says


@pytest.fixture
def pair(browse):
    return browse(staff("manager", "max")), browse(staff("manager", "mia"))


def test_two_managers_make_a_jackpot_and_everybody_sees_it(pair, browse):
    asked, decided = pair
    asked.post("/jackpots/change/", {"name": "Bad beat", "seed": "12,000", "reason": "For the opening", "key": "a"})
    hides(get(browse(), "/jackpots/fragment/"), "Bad beat")
    approval = Approval.objects.get()
    assert asked.post("/jackpots/decide/", {"approval_id": approval.pk, "approve": "yes"}).status_code == 403
    done = decided.post("/jackpots/decide/", {"approval_id": approval.pk, "approve": "yes"}, follow=True)
    says(html_of(done), "12,000")
    seen = get(browse(), "/jackpots/fragment/")
    says(seen, "Bad beat", "12,000")
    assert Jackpot.objects.get().seed == 12_000
    assert seen in get(browse()), "the lobby has it from the first, and does not jump"


def test_a_refusal_is_said_with_what_was_typed_and_a_player_sees_no_forms(pair, browse):
    answer = pair[0].post("/jackpots/change/", {"name": "Bad beat", "seed": "lots", "reason": "For the opening"})
    says(html_of(answer, 400), "Seed is a whole number", 'value="lots"', 'value="For the opening"')
    assert pair[0].post("/jackpots/hit/", {"jackpot_id": "1", "players": "9" * 6000}).status_code == 400
    says(get(browse(User.objects.create_user("pia")), "/jackpots/"), "No live jackpots", but=["Request approval"])
