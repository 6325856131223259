"""What the settings promise to an operator and to a browser."""

import json
import secrets
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from django.test import Client

from cardroom.core import seals
from tests.support.room import Room

PROJECT = Path(__file__).resolve().parents[1]
PRODUCTION = {
    "REDIS_URL": "", "SECRET_KEY": secrets.token_urlsafe(64), "ALLOWED_HOSTS": "room.example",
    "CARDROOM_HTTPS": "true", "HSTS_SECONDS": "31536000", "CARDROOM_HISTORY_MAIL": "accountant@room.example",
    "TRUSTED_PROXIES": "1",
}  # fmt: skip
#: For each environment on a line of its input: the settings a process would have in it, as Python writes them.
READ = """
import importlib, json, os, sys
from cardroom import settings
for line in sys.stdin:
    os.environ.update(json.loads(line))
    importlib.reload(settings)
    print(json.dumps([repr(getattr(settings, name)) for name in sys.argv[1:]]))
"""


def settings_of(names: Sequence[str], *environments: dict[str, str]) -> list[list[str]]:
    """The named settings in each of these environments; what one does not say is as in the one before."""
    given, command = "\n".join(map(json.dumps, environments)), [sys.executable, "-c", READ, *names]
    done = subprocess.run(command, cwd=PROJECT, input=given, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_room_set_up_for_the_public_passes_djangos_deployment_check(tmp_path: Path) -> None:
    asked = ("check", "--deploy", "--fail-level", "WARNING")
    done = Room(tmp_path, database_url="", **PRODUCTION).manage(*asked)
    assert done.returncode == 0, done.stderr


def test_a_room_behind_https_that_does_not_know_its_proxies_says_so(tmp_path: Path) -> None:
    for said, is_warned in (("", True), ("0", False), ("1", False)):
        done = Room(tmp_path, database_url="", **PRODUCTION | {"TRUSTED_PROXIES": said}).manage("check")
        assert ("TRUSTED_PROXIES" in done.stderr) is is_warned, done.stderr


def test_a_room_that_demands_a_confirmed_address_asks_whoever_signs_up_for_one(tmp_path: Path) -> None:
    demands, optional = ({"ACCOUNT_EMAIL_VERIFICATION": how} for how in ("mandatory", "optional"))
    done = Room(tmp_path, database_url="", **demands).manage("check")
    assert done.returncode == 0, done.stderr
    fields = [["['username*', 'email*', 'password1*']"], ["['username*', 'email', 'password1*']"]]
    assert settings_of(["ACCOUNT_SIGNUP_FIELDS"], demands, optional) == fields


def test_cookies_are_secure_by_https_and_a_room_without_redis_runs_its_alarms() -> None:
    with_redis = {"REDIS_URL": "redis://127.0.0.1:6379/3"}
    names = ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT", "DEBUG", "CARDROOM_EMBEDDED")
    others = ({"CARDROOM_HTTPS": "false"}, with_redis, {"CARDROOM_EMBEDDED": "true"})
    without_https = ["False", "False", "False", "False"]
    assert settings_of(names, PRODUCTION, *others) == [
        ["True", "True", "True", "False", "True"],
        *[[*without_https, "True"], [*without_https, "False"], [*without_https, "True"]],
    ]


def test_staff_needs_a_second_factor_unless_the_operator_does_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CARDROOM_STAFF_FACTOR", raising=False)  # which the suite sets for itself
    assert settings_of(["CARDROOM_STAFF_FACTOR"], {}, {"CARDROOM_STAFF_FACTOR": "false"}) == [["True"], ["False"]]


def test_only_a_room_of_one_process_makes_its_own_key_of_the_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CARDROOM_CARDS_KEY", raising=False)  # which the suite sets for itself
    alone = {"REDIS_URL": "", "CARDROOM_EMBEDDED": "true"}
    apart = {"REDIS_URL": "redis://127.0.0.1:6379/3", "CARDROOM_EMBEDDED": "false"}
    [[own], [none], [again]] = settings_of(["CARDROOM_CARDS_KEY"], alone, apart, alone)
    assert (none, again) == ("''", own)
    assert list(seals.parse_keys(own.strip("'"))) == [1]
    path = PROJECT / ".run" / "cards_key"
    assert (path.read_text("ascii"), path.stat().st_mode & 0o777) == (own.strip("'"), 0o600)


def test_a_key_of_the_cards_that_is_none_stops_the_room_and_is_not_repeated(tmp_path: Path) -> None:
    done = Room(tmp_path, database_url="", CARDROOM_CARDS_KEY="1:half-a-key").manage("check")
    assert done.returncode != 0
    assert "CARDROOM_CARDS_KEY: each key is a number from 1, a colon and 32 bytes in base64" in done.stderr
    assert "half-a-key" not in done.stderr


def test_a_room_apart_that_was_given_no_key_of_the_cards_says_so(tmp_path: Path) -> None:
    apart = {"CARDROOM_CARDS_KEY": "", "CARDROOM_EMBEDDED": "false"}
    done = Room(tmp_path, database_url="", **apart).manage("check")
    assert done.returncode == 0
    assert "There is no CARDROOM_CARDS_KEY: no hand is dealt" in done.stderr


@pytest.mark.django_db
def test_no_page_may_run_inline_scripts_or_reach_other_hosts(client: Client) -> None:
    policy = client.get("/accounts/login/").headers["Content-Security-Policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))

    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == "'self'"
    assert "unsafe" not in policy


@pytest.mark.django_db
def test_measurements_are_for_the_bearer_of_the_token_only(client: Client, settings) -> None:
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics").status_code == 404
    settings.METRICS_TOKEN = "a-token"
    assert client.get("/metrics").status_code == 401
    assert client.get("/metrics", headers={"Authorization": "Bearer another"}).status_code == 401
    answer = client.get("/metrics", headers={"Authorization": "Bearer a-token"})
    assert answer.status_code == 200
    assert b"django_http_requests" in answer.content
