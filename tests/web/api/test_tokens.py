"""Tokens: how a program gets one, what it is good for, and how it ends."""

import base64
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from django.utils import timezone
from rest_framework.test import APIClient

from cardroom.accounts import tokens
from cardroom.accounts.models import ApiToken
from cardroom.core import access
from cardroom.core.errors import Forbidden, Invalid
from tests.support.models import User
from tests.support.pages import confirmed, json_of
from tests.support.refusals import refused
from tests.web.api.conftest import problem, secret_of

ORDER = {"name": "my bot", "scopes": ["read", "play"]}
#: What the browser's scripts send along.
CSRF = {"HTTP_X_CSRFTOKEN": "c" * 32}


@pytest.fixture
def session(ann) -> APIClient:
    """Ann's browser: it is logged in, and its requests need the CSRF token as well."""
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(ann)
    client.cookies["csrftoken"] = "c" * 32
    return confirmed(client)


def by_password(name, password):
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION="Basic " + base64.b64encode(f"{name}:{password}".encode()).decode())
    return client


@pytest.mark.smoke
def test_a_token_is_made_in_a_session_with_its_csrf_token_and_shown_once(session, ann):
    made = json_of(session.post("/api/v1/tokens", ORDER, **CSRF), 201)
    assert (made["name"], made["scopes"]) == ("my bot", ["read", "play"])
    secret = made["token"]
    assert (len(secret), made["begins_with"]) == (64, secret[:15])
    assert secret not in {str(value) for value in vars(ApiToken.objects.get()).values()}
    (listed,) = session.get("/api/v1/tokens").json()
    assert (listed["id"], "token" in listed) == (made["id"], False)
    program = APIClient()
    program.credentials(HTTP_AUTHORIZATION=f"Token {secret}")
    assert program.get("/api/v1/me").json()["name"] == "ann"
    refused = problem(session.post("/api/v1/tokens", ORDER), 403)
    assert (refused["code"], "CSRF" in refused["detail"]) == ("permission-denied", True)
    assert ApiToken.objects.count() == 1


def test_name_and_password_only_give_a_first_token(ann):
    for name in ("ann", "nobody", "an\0n", ""):
        assert problem(by_password(name, "guess").post("/api/v1/tokens", ORDER), 401)["code"] == "bad-password", name
    assert not ApiToken.objects.exists()
    program = by_password("ann", "sit-down-and-play")
    assert json_of(program.post("/api/v1/tokens", ORDER), 201)["token"]
    assert program.get("/api/v1/me").status_code == 401
    Authenticator.objects.create(user=ann, type=Authenticator.Type.TOTP, data={"secret": "unused"})
    assert problem(program.post("/api/v1/tokens", ORDER), 403)["code"] == "second-factor", "it is not got around"
    assert ApiToken.objects.count() == 1


def test_a_token_is_borne_by_either_word_and_revokes_itself_whatever_its_scopes(client, ann):
    for word in ("Token", "Bearer", "bearer"):
        _, secret = tokens.issue(by=ann, name=word, scopes=("read",), now=timezone.now())
        told = {"Authorization": f"{word} {secret}"}
        assert client.get("/api/v1/me", headers=told).json()["name"] == "ann"
        other = ApiToken.objects.exclude(name=word).first()
        if other is not None:
            assert client.delete(f"/api/v1/tokens/{other.pk}", headers=told).json()["code"] == "not-this-token"
        assert client.patch("/api/v1/me", {"wants_mail": True}, headers=told).status_code == 403
        mine = ApiToken.objects.get(name=word).pk
        if word != "Token":
            assert client.delete(f"/api/v1/tokens/{mine}", headers=told).status_code == 204
            assert problem(client.get("/api/v1/me", headers=told), 401)["code"] == "bad-token"
    for said in ("Bearer", "Bearer a b"):
        assert client.get("/api/v1/me", headers={"Authorization": said}).json()["code"] == "bad-token"


def test_the_same_key_makes_one_token_and_tells_its_secret_once(session):
    first = session.post("/api/v1/tokens", ORDER, HTTP_IDEMPOTENCY_KEY="once", **CSRF)
    again = session.post("/api/v1/tokens", ORDER, HTTP_IDEMPOTENCY_KEY="once", **CSRF)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json() | {"token": None}
    other = session.post("/api/v1/tokens", ORDER | {"scopes": ["read"]}, HTTP_IDEMPOTENCY_KEY="once", **CSRF)
    assert problem(other, 409)["code"] == "key-used"


def test_a_person_has_a_limited_number_of_tokens(session, ann):
    for field, wrong in (
        *(("name", each) for each in ("", 7, "a\0b", "x" * 61)),
        *(("scopes", each) for each in ([], ["rule"], "read")),
        *(("days", each) for each in (0, 366, "30")),
        ("dayz", 3),
    ):
        answer = session.post("/api/v1/tokens", ORDER | {field: wrong}, **CSRF)
        assert list(json_of(answer, 400)["errors"]) == [field], wrong
    for _ in range(tokens.MOST_TOKENS):
        secret_of(ann)
    assert problem(session.post("/api/v1/tokens", ORDER, **CSRF), 409)["code"] == "too-many-tokens"
    ApiToken.objects.update(expiry=datetime(2020, 1, 1, tzinfo=UTC))
    assert session.post("/api/v1/tokens", ORDER, **CSRF).status_code == 201
    assert ApiToken.objects.count() == 1


def test_a_token_ends_by_itself_and_with_its_account_and_what_is_none_is_no_token(api, ann):
    client = api(ann)
    with time_machine.travel(datetime.now(UTC) + timedelta(days=tokens.DAYS, minutes=1)):
        assert problem(client.get("/api/v1/me"), 401)["code"] == "bad-token"
    ann.is_active = False
    ann.save()
    assert client.get("/api/v1/me").status_code == 401
    strange = ("Token \0", "Token a b", b"Token \xff\xfe", "Basic !", "Basic Og==", "x")
    for header in ("Token", "Token x", "Token " + "0" * 64, *strange):
        client.credentials(HTTP_AUTHORIZATION=header)
        for address in ("me", "tokens"):
            assert client.get(f"/api/v1/{address}").status_code == 401, header


def test_nobody_revokes_the_token_of_another_and_a_revoked_one_is_good_for_nothing(api, ann, session):
    client, other = api(ann), APIClient()
    number = ApiToken.objects.get().pk
    other.force_login(User.objects.create_user("bob"))
    assert other.delete(f"/api/v1/tokens/{number}").status_code == 404
    assert ApiToken.objects.filter(pk=number).exists()
    assert session.delete(f"/api/v1/tokens/{number}", **CSRF).status_code == 204
    assert client.get("/api/v1/me").status_code == 401
    assert session.delete(f"/api/v1/tokens/{number}", **CSRF).status_code == 404


def test_a_token_revokes_itself_and_no_other_and_makes_none(api, ann):
    other, client = secret_of(ann), api(ann)
    first, own = ApiToken.objects.order_by("pk")
    assert problem(client.delete(f"/api/v1/tokens/{first.pk}"), 403)["code"] == "not-this-token"
    assert client.delete(f"/api/v1/tokens/{own.pk}").status_code == 204
    client.credentials(HTTP_AUTHORIZATION=f"Token {other}")
    assert client.get("/api/v1/me").status_code == 200
    assert problem(client.post("/api/v1/tokens", ORDER), 403)["code"] == "no-token-by-token"


def test_a_token_goes_as_far_as_its_scopes(api, evening):
    reader = api(evening.ann, "read")
    assert reader.get(f"/api/v1/tables/{evening.pk}").status_code == 200
    for verb in ("leave", "sit-out", "come-back", "top-up"):
        told = problem(reader.post(f"/api/v1/tables/{evening.pk}/seats/{verb}", {}), 403)
        assert (told["code"], "'play'" in told["detail"]) == ("scope", True), verb
    assert reader.delete(f"/api/v1/tables/{evening.pk}/seats").status_code == 403
    order = {"action": "fold", "expected_seq": evening.table.seq, "command_id": "x"}
    assert reader.post(f"/api/v1/hands/{evening.table.hand_id}/act", order).status_code == 403
    player = api(evening.ann, "play")
    assert player.post(f"/api/v1/tables/{evening.pk}/seats/sit-out").status_code == 200
    assert player.get("/api/v1/me").json()["code"] == "scope"


def test_a_session_that_nobody_confirmed_lately_makes_no_token(session, ann):
    stored = session.session
    del stored["account_authentication_methods"]
    stored.save()
    refused = problem(session.post("/api/v1/tokens", ORDER, **CSRF), 403)
    assert refused["code"] == "reauthenticate"
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize(("scope", "days"), [("direct", 90), ("cage", 30), ("manage", 30)])
def test_a_scope_of_staff_takes_a_role_and_lasts_a_shorter_time(ann, scope, days):
    order, now = {"name": "till", "scopes": ["read", scope]}, timezone.now()
    assert refused(Forbidden, tokens.issue, by=ann, now=now, days=1, **order).code == "scope-of-staff"
    access.grant_role(user=ann, role="cashier", by=None)
    assert refused(Invalid, tokens.issue, by=ann, now=now, days=days + 1, **order).code == "bad-days"
    token, _ = tokens.issue(by=ann, now=now, days=days, **order)
    assert token.expiry == now + timedelta(days=days)
