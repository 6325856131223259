"""Who asks, what their wallet holds and where it came from."""

from datetime import UTC, datetime

from tests.support.models import User
from tests.support.pages import json_of
from tests.support.parts.cardroom import access, look, people

NOW = datetime(2030, 1, 5, 20, 0, tzinfo=UTC)


def earn(user, times):
    for number in range(times):
        given = {"amount": 100 + number, "reference": f"gift:{user.pk}:{number}", "reason": "a gift", "now": NOW}
        people.issue_play_money(user=user, **given)


def test_an_account_tells_who_it_is_and_what_it_holds(api, ann):
    earn(ann, 1)
    access.grant_role(user=ann, role="floor", by=None)
    told = json_of(api(ann).get("/api/v1/me"))
    taste = {"wants_mail": True, "time_zone": "", "language": ""}
    wallet = {"unit": "cash", "balance": 100}
    assert told == taste | {"id": ann.pk, "name": "ann", "roles": ["floor"], "wallet": wallet}


def test_answers_about_look_and_mail_settings_are_not_cached(api, ann):
    client = api(ann)
    usual = client.get("/api/v1/me/look").json()
    assert (usual["deck"], usual["felt"], usual["dead"], usual["sure"]) == ("two", "green", "on", "never")
    assert look.look_of(User(look={"sure": "on"}))["sure"] == "always", "what was on before a bet had a size"
    assert client.patch("/api/v1/me/look", {"deck": "four"}).json() == usual | {"deck": "four"}
    assert client.patch("/api/v1/me/look", {"felt": "blue"}).json() == usual | {"deck": "four", "felt": "blue"}
    for bad in ({"felt": "pink"}, {}):
        assert client.patch("/api/v1/me/look", bad).status_code == 400
    assert client.patch("/api/v1/me", {"wants_mail": False}).json()["wants_mail"] is False
    ann.refresh_from_db()
    assert (ann.wants_mail, ann.look) == (False, {"deck": "four", "felt": "blue"})
    assert api(ann, "read").patch("/api/v1/me/look", {"felt": "red"}).status_code == 403
    for address in ("me", "tables", "tokens"):
        assert "no-store" in api(ann).get(f"/api/v1/{address}")["Cache-Control"]


def test_hot_keys_change_one_by_one_and_can_be_reset(api, ann):
    client, address = api(ann), "/api/v1/me/keys"
    usual = client.get(address).json()
    assert (usual["fold"], usual["call"], usual["read"]) == ("F", "C", "T")
    assert client.patch(address, {"fold": "q"}).json() == usual | {"fold": "Q"}
    assert client.patch(address, {"read": "F"}).json() == usual | {"fold": "Q", "read": "F"}
    taken = client.patch(address, {"muck": "c"})
    assert (taken.status_code, taken.json()["code"]) == (409, "key-taken")
    assert "C is the key for “Check, call or bring in” already" in taken.json()["detail"]
    assert client.patch(address, {"next": "[", "previous": "]"}).json()["next"] == "[", "two change places"
    for bad in ({"fold": "7"}, {"fold": " "}, {"fold": "ß"}, {"fold": "ab"}, {}):
        assert client.patch(address, bad).status_code == 400
    client.patch("/api/v1/me/look", {"deck": "four"})
    assert client.get(address).json()["fold"] == "Q"
    assert client.delete(address).json() == usual
    ann.refresh_from_db()
    assert ann.look == {"deck": "four"}


def test_new_postings_do_not_shift_the_pages_of_a_statement(api, ann):
    earn(ann, 5)
    lines, address = [], "/api/v1/me/transfers?limit=2"
    while address:
        page = api(ann).get(address).json()
        assert len(page["results"]) <= 2
        lines += page["results"]
        address = page["next"]
        people.sign_up_bonus(user=ann, now=NOW)  # it is given once
    assert [line["amount"] for line in lines] == [104, 103, 102, 101, 100]
    assert [line["balance"] for line in lines] == [510, 406, 303, 201, 100]
    assert lines[0]["reference"] == f"gift:{ann.pk}:4"
