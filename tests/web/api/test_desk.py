"""The desk and practice by the API."""

from games.training.desk import asking
from tests.support.pages import json_of
from tests.web.api.conftest import twice


def test_the_desk_is_public_and_answers_what_the_rules_do_not_allow(api):
    told = json_of(api().get("/api/v1/desk"))
    assert [row["slug"] for row in told["questions"]] == [question.slug for question in asking.QUESTIONS]
    told = api().get("/api/v1/desk/downcard-seen?players=2&rulebook=poker-tip").json()
    assert (bool(told["refused"]["rule"]), told["table"]) == (True, None)
    assert api().get("/api/v1/desk/too-early?street=").status_code == 200


def test_a_ruling_has_an_address_of_its_own(api):
    told = json_of(api().get("/api/v1/desk/burned-wrong?street=7&last_card=looked-at&players=3"))
    assert (told["answers"]["players"], told["refused"], told["next"][:4]) == (3, None, "Seat")
    assert [row["verdict"] for row in told["rulings"]] == ["kept", "corrected"]
    assert (told["rulings"][0]["citation"], bool(told["points"][0]["text"])) == ("Robert's Rules of Poker v4, 13", True)


def test_a_program_asks_with_a_body(api, ann):
    body = {"what": "wrong-low", "rulebook": "gardens", "answers": {"acted": "next", "floor": True}}
    assert [row["verdict"] for row in json_of(api(ann).post("/api/v1/desk", body))["rulings"]] == ["corrected"]


def test_a_trainee_rules_first_and_sees_how_it_goes_and_nobody_else_does(api, ann, django_user_model):
    me = api(ann)
    started = twice(me, "practice", {"rulebook": "roberts-v4", "rate": 100, "seed": 3}, 201)
    address = f"/api/v1/practice/{started['id']}"
    situation = me.get(address).json()
    assert (situation["number"], "rulings" in situation) == (1, False)
    picked = [{name: choice[name] for name in ("key", "verdict")} for choice in situation["choices"][:2]]
    pick = {"number": 1, "rulings": picked}
    result = json_of(me.post(f"{address}/answer", pick))
    rulings = {(row["key"], row["verdict"]) for row in result["rulings"]}
    assert result["is_right"] == ({(row["key"], row["verdict"]) for row in picked} == rulings)
    assert [row["key"] for row in result["picked"]] == [row["key"] for row in picked]
    assert me.post(f"{address}/answer", pick).json() == result
    assert me.post(f"{address}/answer", {"number": 1, "rulings": picked[:1]}).status_code == 409
    assert (me.get("/api/v1/practice/results").json()["asked"], me.get(address).json()["number"]) == (1, 2)
    bob = api(django_user_model.objects.create_user("bob"))
    assert (bob.get(address).status_code, bob.post(f"{address}/answer", pick).status_code) == (404, 404)
