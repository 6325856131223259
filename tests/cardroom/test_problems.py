"""A refusal leaves the server as the right page or the right JSON, and never as a traceback."""

from http import HTTPStatus

import psycopg
import pytest
import redis
from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, InternalError, OperationalError
from django.http import Http404
from django.test import RequestFactory
from django.urls import include, path
from rest_framework import serializers
from rest_framework.decorators import api_view, permission_classes
from rest_framework.exceptions import Throttled
from rest_framework.permissions import AllowAny
from rest_framework.response import Response

from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotEnoughChips, NotFound, Stale
from cardroom.core.web import problems


def read_only() -> InternalError:
    """As Django raises it of a statement that would write where nothing can be written."""
    error = InternalError("cannot execute INSERT in a read-only transaction")
    error.__cause__ = psycopg.errors.ReadOnlySqlTransaction()
    return error


REFUSALS = {
    "invalid": Invalid("invalid", "The buy-in is missing."), "forbidden": Forbidden("forbidden", "This is for: floor."),
    "not-found": NotFound("not-found", "There is no table 7."), "stale": Stale("stale", "The hand went on."),
    "conflict": Conflict("seat-taken", "Seat 3 was taken a moment ago."),
    "illegal": Illegal("not-your-turn", "Not your turn.", rule="Robert's Rules v4, 3"),
    "not-enough": NotEnoughChips("not-enough-chips", "Not enough chips.", held=5, needed=6),
    "http404": Http404("No Table matches <script>"),
    "denied": PermissionDenied(), "throttled": Throttled(wait=6.2), "broken": ZeroDivisionError("As Kd"),
    "busy": OperationalError("database is locked"),
    "cut-off": InterfaceError("connection already closed"),
    "read-only": read_only(),
    "without-redis": redis.ConnectionError("Connection refused."),
}  # fmt: skip


class BuyIn(serializers.Serializer):
    amount = serializers.IntegerField()


def page(request, name):
    raise REFUSALS[name]


@api_view(["GET", "POST"])
@permission_classes([AllowAny])
def resource(request, name):
    if request.method == "POST":
        BuyIn(data=request.data).is_valid(raise_exception=True)
        return Response({})
    raise REFUSALS[name]


urlpatterns = [
    *(path("page/<name>/", page), path("api/resource/<name>/", resource)),
    path("", include("cardroom.urls")),
]
handler400 = problems.bad_request
handler403 = problems.permission_denied
handler404 = problems.not_found
handler500 = problems.server_error

pytestmark = pytest.mark.urls(__name__)


@pytest.fixture
def client(client):
    client.raise_request_exception = False
    return client


@pytest.mark.parametrize(("name", "status", "code"), [
    ("invalid", 400, "invalid"), ("forbidden", 403, "forbidden"), ("not-found", 404, "not-found"),
    ("conflict", 409, "seat-taken"), ("stale", 409, "stale"), ("illegal", 422, "not-your-turn"),
    ("not-enough", 422, "not-enough-chips"),
])  # fmt: skip
def test_every_refusal_has_one_status_as_json_and_as_a_page(client, name, status, code):
    answer = client.get(f"/api/resource/{name}/")
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
    problem = answer.json()
    assert (problem["status"], problem["code"], problem["detail"]) == (status, code, REFUSALS[name].message)
    assert (problem["type"], problem["instance"]) == ("about:blank", f"/api/resource/{name}/")
    shown = client.get(f"/page/{name}/", headers={"accept": "text/html"})
    assert (shown.status_code, shown["Content-Type"].partition(";")[0]) == (status, "text/html")


def test_a_problem_names_its_rule_its_details_and_its_words_to_programs_and_people(client):
    assert client.get("/api/resource/illegal/").json()["rule"] == "Robert's Rules v4, 3"
    told = client.get("/api/resource/forbidden/", headers={"accept-language": "de"})
    assert (told.json()["title"], told.json()["code"]) == ("Verboten", "forbidden")
    assert client.get("/api/resource/not-enough/").json()["needed"] == 6
    answer = client.get("/page/illegal/", headers={"accept": "application/json"})
    assert (answer.status_code, answer["Content-Type"]) == (422, "application/problem+json")
    assert answer.json()["rule"] == "Robert's Rules v4, 3"
    assert "taken a moment ago" in client.get("/page/conflict/").content.decode()


def test_an_address_where_things_are_only_done_says_so_in_a_page(client, north):
    client.force_login(north)
    for accept, kind in (("text/html", "text/html"), ("application/json", problems.PROBLEM_JSON)):
        answer = client.get("/me/look/", headers={"accept": accept})
        assert (answer.status_code, answer["Allow"], answer["Content-Type"].partition(";")[0]) == (405, "POST", kind)
        assert "go back to the page you came from" in answer.content.decode()


def test_what_is_hidden_is_told_apart_from_nothing_by_nobody(client):
    hidden = client.get("/api/resource/http404/").json()
    assert hidden["detail"] == "There is no such page, or you may not see it."
    assert client.get("/api/no/such/thing/").json()["detail"] == hidden["detail"]
    shown = client.get("/page/http404/")
    assert (shown.status_code, "No Table matches" in shown.content.decode()) == (404, False)


def test_a_malformed_body_names_the_field(client):
    answer = client.post("/api/resource/any/", {"amount": "lots"}, content_type="application/json")
    problem, words = answer.json(), "A valid integer is required."
    assert (answer.status_code, problem["code"], problem["detail"]) == (400, "invalid", f"amount: {words}")
    assert problem["errors"] == {"amount": [words]}
    answer = client.post("/api/resource/any/", "{", content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "parse-error")


def test_other_answers_of_the_framework_are_problems_too(client):
    answer = client.get("/api/v1/me")
    assert (answer.status_code, answer.json()["code"]) == (401, "not-authenticated")
    assert answer["WWW-Authenticate"] == "Token"
    assert client.get("/api/resource/denied/").json()["detail"] == "You may not do this."
    throttled = client.get("/api/resource/throttled/")
    assert (throttled.status_code, throttled["Retry-After"]) == (429, "7")


@pytest.mark.parametrize("address", ["/page/", "/api/resource/"])
def test_a_fault_shows_no_traceback(client, address):
    answer = client.get(f"{address}broken/")
    found = [said in answer.content.decode() for said in ("Your chips are safe", "As Kd", "Traceback")]
    assert (answer.status_code, found) == (500, [True, False, False])
    for name in ("busy", "cut-off", "read-only", "without-redis"):
        answer = client.get(f"{address}{name}/")
        assert (answer.status_code, answer["Retry-After"]) == (503, "2")
        assert "try again in a moment" in answer.content.decode()
    answer = client.get("/api/resource/busy/", headers={"accept": "text/html"})
    assert answer["Content-Type"] == problems.PROBLEM_JSON, "a page would ask what does not answer"


def test_a_refusal_has_a_page_without_any_template(settings, every_word_marked):
    settings.TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates"}]
    request = RequestFactory().get("/page/", headers={"accept": "text/html"})
    answer = problems.ProblemMiddleware(lambda _: None).process_exception
    shown = answer(request, Conflict("conflict", "A bet of <7> is illegal.", rule="Rule 3")).content.decode()
    said = "<p>~A bet of &lt;7&gt; is illegal.</p><p>Rule 3</p>"
    assert f"<title>~Conflict</title><h1>~Conflict</h1>{said}" in shown
    assert answer(request, ValueError()) is None
    statuses = {400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500, 503}
    assert {HTTPStatus(status).phrase for status in statuses} <= set(problems._TITLES)
