"""Programs that speak to the room: `api(user)` is a client with a token of theirs, `api()` one of nobody."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from rest_framework.test import APIClient

from cardroom.accounts import second_factor, tokens
from cardroom.core.models import User
from tests.support.events import START
from tests.support.pages import json_of

Api = Callable[..., APIClient]


@pytest.fixture(autouse=True)
def _fresh(_same_cards: None) -> None:
    """Each test begins like that."""


@pytest.fixture
def still(db) -> Iterator[time_machine.Traveller]:
    """Time stands still at the beginning of the events of tests, until the test moves it."""
    with time_machine.travel(START, tick=False) as clock:
        yield clock


@pytest.fixture
def ann(db) -> User:
    return User.objects.create_user("ann", password="sit-down-and-play")


@pytest.fixture
def api() -> Api:
    def client(user: User | None = None, *scopes: str) -> APIClient:
        caller = APIClient()
        if user is not None:
            caller.credentials(HTTP_AUTHORIZATION=f"Token {secret_of(user, *scopes)}")
        return caller

    return client


def secret_of(user: User, *scopes: str) -> str:
    """The secret of a new token."""
    own = tokens.SCOPES if second_factor.is_staff_person(user) else ("read", "play")
    _, secret = tokens.issue(by=user, name="a program", scopes=scopes or own, now=timezone.now())
    assert secret
    return secret


def twice(client: APIClient, address: str, body: dict[str, Any], status: int = 200) -> Any:
    """What a request is answered that is sent twice under one key: both times the same."""
    first, again = (
        json_of(client.post(f"/api/v1/{address}", body, headers={"Idempotency-Key": "twice"}), status) for _ in range(2)
    )
    assert again == first
    return first


def problem(answer: Any, status: int) -> dict[str, Any]:
    """The problem that this answer is."""
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    body = answer.json()
    assert body.keys() >= {"type", "title", "status", "detail", "code", "instance"}
    assert (body["type"], body["status"]) == ("about:blank", status)
    return body
