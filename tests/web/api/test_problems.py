"""Whatever is sent, the answer is a problem that says what is wrong: never a fault of ours."""

import pytest
from django.core.cache import cache
from redis import ConnectionError as RedisConnectionError
from rest_framework.test import APIClient
from rest_framework.throttling import SimpleRateThrottle, UserRateThrottle

from cardroom.core.web.api.formats import MOST_BYTES
from tests.web.api.conftest import problem

GERMAN = {"Accept-Language": "de"}
BODIES = [
    *(b"", b"{", b"null", b"7", b'"fold"', b"[]", b'[{"buy_in": 400}]', b"NaN", b"\xff\xfe{}", b"\0"),
    *(b'{"buy_in": ' + worth + b"}" for worth in (b"NaN", b"Infinity", b"1e999", b"-1e999", b"9" * 5000)),
    *(b'{"buy_in": 400, "buy_in": "x"}', b'{"buy_in": {"a": {}}}', b'{"buy_in": "\\ud800"}'),
    *(b'{"buy_in": 400, "\\ud800": 1}', b'{"buy_in": 400, "\\u0000": 1}'),
    *(b"[" * 30_000, b'{"a":' * 10_000 + b"1" + b"}" * 10_000),
]


@pytest.mark.parametrize("address", ["tables/{table}/seats", "hands/{hand}/act", "tables/{table}/seats/top-up"])
def test_a_body_that_makes_no_sense_is_malformed(api, evening, address):
    address = address.format(table=evening.pk, hand=evening.table.hand_id)
    before, client = evening.table.version, api(evening.ann)
    for body in BODIES:
        problem(client.post(f"/api/v1/{address}", body, content_type="application/json"), 400)
        assert evening.table.version == before, body[:24]


def test_a_body_that_is_too_large_or_of_the_wrong_type_is_refused(api, evening):
    body = b'{"buy_in": 400, "x": "' + b"x" * MOST_BYTES + b'"}'
    answer = api(evening.ann).post(f"/api/v1/tables/{evening.pk}/seats", body, content_type="application/json")
    assert problem(answer, 413)["code"] == "too-large"
    client = api(evening.ann)
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "x", "\0"):
        answer = client.post(f"/api/v1/tables/{evening.pk}/seats", b"buy_in=400", content_type=kind)
        assert problem(answer, 415)["code"] == "unsupported-media-type"
    answer = client.put(f"/api/v1/tables/{evening.pk}", {})
    assert problem(answer, 405)["code"] == "method-not-allowed"
    assert "GET" in answer["Allow"]


@pytest.mark.smoke
def test_an_address_of_nothing_and_an_answer_nobody_can_give_are_problems_too(api, db):
    assert problem(api().get("/api/v1/nothing"), 404)["instance"] == "/api/v1/nothing"
    assert problem(api().post("/api/v1/nothing", {}), 404)
    assert problem(api().get("/api/v1/tables", HTTP_ACCEPT="text/csv"), 406)["code"] == "not-acceptable"


def test_a_browser_is_told_the_problem_as_json(api, evening):
    answer = api(evening.ann).get("/api/v1/tables/999", HTTP_ACCEPT="text/html,*/*;q=0.8")
    assert problem(answer, 404)["code"] == "no-such-table"


def test_a_token_of_an_earlier_log_in_is_refused_in_the_readers_language(evening, every_word_marked):
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(evening.ann)
    told = problem(client.post("/api/v1/tokens", {}), 403)
    assert (told["code"], told["detail"][:16]) == ("permission-denied", "~The CSRF token ")


def test_a_body_that_makes_no_sense_is_refused_in_the_readers_language(api, evening, every_word_marked):
    address, client = f"/api/v1/tables/{evening.pk}/seats", api(evening.ann)
    for body, status, said in (
        (b'{"buy_in" 4}', 400, "~This is not JSON: look at line 1, column 11."),
        (b"[" * 30_000, 400, "~This is not JSON: it is nested too deeply."),
        (b'{"buy_in": "\\ud800"}', 400, "~This is not JSON: half a character"),
        (b" " * MOST_BYTES + b" ", 413, "~A request has at most 65.536 bytes."),
        (b'{"buy_in": 1000000000001}', 400, "~Ensure this value is less than or equal to 1.000.000.000.000."),
    ):
        answer = problem(client.post(address, body, content_type="application/json", headers=GERMAN), status)
        assert str(answer).count(said) >= 1, answer


def test_who_asks_too_often_is_told_when_to_come_back(api, ann, monkeypatch):
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", {"anon": "2/min", "user": "3/min"})
    assert UserRateThrottle().rate == "3/min"
    client = api(ann)
    assert [client.get("/api/v1/me").status_code for _ in range(4)] == [200, 200, 200, 429]
    slowed = client.get("/api/v1/me")
    assert problem(slowed, 429)["code"] == "throttled"
    assert 0 < int(slowed["Retry-After"]) <= 60
    guests = [api().get("/api/v1/tables", HTTP_X_FORWARDED_FOR=f"10.0.0.{number}") for number in range(3)]
    assert [guest.status_code for guest in guests] == [200, 200, 429], "nobody chooses who they are counted as"


def test_nobody_is_counted_while_the_cache_does_not_answer(api, ann, monkeypatch):
    def down(*_):
        raise RedisConnectionError

    monkeypatch.setattr(type(cache), "__getattr__", lambda *_: down)
    assert api(ann).get("/api/v1/me").status_code == 200
    assert api().get("/api/v1/tables").status_code == 200


def test_headers_that_make_no_sense_do_no_harm(evening):
    client = APIClient()
    for header in ("HTTP_AUTHORIZATION", "HTTP_IDEMPOTENCY_KEY", "HTTP_ACCEPT", "HTTP_X_FORWARDED_FOR", "HTTP_COOKIE"):
        for value in ("\0", "é", "\xff\xfe", "a" * 5000, ",;=", "*/*;q=x"):
            answer = client.get(f"/api/v1/tables/{evening.pk}", **{header: value})
            assert answer.status_code < 500, (header, value)
