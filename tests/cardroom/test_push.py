"""What browsers are told by push: encrypted for them, signed by the room, once, and only where no page is in sight."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from cardroom.core.sentences import to_text
from tests.support.models import Notice, PushSubscription, RoomSession, User
from tests.support.parts.cardroom import Invalid, NotFound, notices, outbox, push
from tests.support.push_service import Browser, PushService, push_service
from tests.support.refusals import refused

NOW = datetime(2030, 1, 5, 20, 0, tzinfo=UTC)
LATER = NOW + timedelta(minutes=5)


@pytest.fixture
def service(settings) -> Iterator[PushService]:
    with push_service(settings) as service:
        yield service


@pytest.fixture
def ann() -> User:
    return User.objects.create_user("ann")


def subscribe(player: User, service: PushService, name: str = "one", now: datetime = NOW, **more: str) -> Browser:
    browser = Browser(service, name)
    push.subscribe(by=player, **browser.subscription, now=now, **more)
    return browser


def tell(player: User, text: str = "Your seat is ready.", now: datetime = LATER) -> str:
    return str(notices.tell(player=player, kind="called", text=text, now=now, is_sent=True).pk)


def test_a_browser_alone_can_read_what_it_is_told_and_it_is_told_once(ann, service, settings):
    browser, other = subscribe(ann, service), subscribe(ann, service, "other")
    key = tell(ann)
    assert (outbox.send(key=key, now=LATER), outbox.send(key=key, now=LATER)) == (["push", "push"], [])
    said = {"title": settings.CARDROOM_NAME, "body": "Your seat is ready.", "tag": "call", "url": "/"}
    assert browser.read(push.public_key()) == other.read(push.public_key()) == [said]
    headers, body = service.got["one"][0]
    assert (headers["TTL"], headers["Content-Encoding"], b"seat" in body) == ("7200", "aes128gcm", False)


def test_a_player_with_a_page_in_sight_gets_no_push(ann, service):
    browser = subscribe(ann, service)
    said = {"player": ann, "kind": "turn", "text": "Your turn.", "data": {"table": 7}, "at": LATER}
    notice = Notice.objects.create(way=Notice.Channel.PUSH_ALONE, **said)
    assert (notices.newest(ann), outbox.send(key=str(notice.pk), now=LATER + timedelta(minutes=2))) == ([], [])
    push.note_in_sight(players=[ann.pk], now=LATER)
    assert outbox.send(key=tell(ann), now=LATER) == []
    later = LATER + push.IN_SIGHT + timedelta(seconds=1)
    assert outbox.send(key=tell(ann, "Once more.", later), now=later) == ["push"]
    assert [said["body"] for said in browser.read(push.public_key())] == ["Once more."]


def test_a_browser_that_is_gone_is_removed(ann, service):
    for name, status in (("gone", 410), ("unknown", 404), ("broken", 503), ("moved", 307)):
        subscribe(ann, service, name)
        service.answers[name] = status
    key = tell(ann)
    assert (outbox.send(key=key, now=LATER), outbox.send(key=key, now=LATER)) == ([], [])
    assert [each.endpoint.rpartition("/")[2] for each in push.subscriptions_of(ann)] == ["broken", "moved"]
    assert {name: len(got) for name, got in service.got.items()} == dict.fromkeys(service.answers, 1)
    texts = [notice.text for notice in notices.newest(ann) if notice.kind == "push-ended"]
    assert texts == ["Push has ended in A browser. Switch it on again on your account page."] * 2


@pytest.mark.parametrize("endpoint", [
    "http://push.example/x", "https://127.0.0.1/x", "https://[::1]/x", "https://10.0.0.8/x", "file:///etc/passwd",
    "https://push.example.evil.example/x", "https://evilpush.example/x", "https://push.example:8443/x",
    "https://push.example@evil.example/x", "https://ann@push.example/x", "https://push.example:port/x", "x",
    "https://127.0.0.1\\.push.example/x", "https://127.0.0.1\t.push.example/x", "https://127.0.0.1%2f.push.example/x",
    "https://127.0.0.1\\x.push.example/x", "https://.push.example/x", "https://a b.push.example/x",
])  # fmt: skip
def test_no_address_is_asked_but_those_of_known_push_services_by_keys_of_a_browser(ann, settings, service, endpoint):
    given = Browser(service, "one").subscription
    for wrong in ({"auth": "c2hvcnQ"}, {"p256dh": "BAAA"}, {"p256dh": "not base64 é"}, {"auth": ""}):
        refused(Invalid, "no keys of a browser", push.subscribe, by=ann, **given | wrong, now=NOW)
    settings.CARDROOM_PUSH_SERVICES = ["push.example"]
    refused(Invalid, "no such push service", push.subscribe, by=ann, **given | {"endpoint": endpoint}, now=NOW)
    for known in ("https://push.example/x", "https://eu.push.example/x"):
        assert push.subscribe(by=ann, **given | {"endpoint": known}, now=NOW).endpoint == known


def test_push_goes_to_ten_browsers_at_most(ann, settings, service):
    for number in range(push.MOST + 2):
        subscribe(ann, service, f"b{number}", now=NOW + timedelta(minutes=number))
    assert [each.endpoint.rpartition("b")[2] for each in push.subscriptions_of(ann)] == [*map(str, range(2, 12))]
    settings.CARDROOM_PUSH_SERVICES = ["push.example"]
    assert (outbox.send(key=tell(ann), now=LATER), service.got) == ([], {})
    settings.CARDROOM_PUSH_SERVICES = []
    assert not push.is_possible()


def test_push_ends_with_the_session_that_asked_for_it(ann, service, client):
    client.force_login(ann)
    key = client.session.session_key
    subscribe(ann, service, session_key=key)
    fresh = subscribe(ann, service, "fresh", session_key=key)
    assert [each.endpoint for each in push.subscriptions_of(ann)] == [fresh.subscription["endpoint"]]
    client.logout()
    assert not PushSubscription.objects.exists()
    assert not RoomSession.objects.exists()
    subscribe(ann, service)
    bob = User.objects.create_user("bob")
    subscribe(bob, service)
    assert push.subscriptions_of(ann) == []
    mine = push.subscriptions_of(bob)[0]
    refused(NotFound, push.unsubscribe, by=ann, subscription_id=mine.pk, now=NOW)
    push.unsubscribe(by=bob, subscription_id=mine.pk, now=NOW)
    assert not PushSubscription.objects.exists()
    subscribe(ann, service)
    ann.set_password("seven-cards")
    ann.save()
    assert not PushSubscription.objects.exists()


AGENTS = {
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile": (
        "Chrome on Android", "~Chrome on Android"),
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Safari/605": (
        "Safari on a Mac", "~Safari on ~a Mac"),
    "Mozilla/5.0 (X11; Linux) Firefox/130.0": ("Firefox on Linux", "~Firefox on Linux"),
    "(Windows NT 10.0)": ("A browser on Windows", "~A browser on Windows"),
    "": ("A browser", "~A browser"),
}  # fmt: skip


def test_a_browser_is_named_by_what_it_says_of_itself():
    assert [to_text(push.browser_of(agent)) for agent in AGENTS] == [english for english, _ in AGENTS.values()]


def test_a_browser_is_named_in_the_language_of_the_reader(every_word_marked):
    assert [to_text(push.browser_of(agent)) for agent in AGENTS] == [marked for _, marked in AGENTS.values()]


def test_browsers_told_by_push_stand_on_the_account_page_and_in_the_api(ann, service, client):
    subscribe(ann, service)
    PushSubscription.objects.update(browser=push.browser_of("Mac OS X 14_5 Safari/605"))
    client.force_login(ann)
    assert "Safari on a Mac" in client.get("/me/").content.decode()
    shown = client.get("/api/v1/me/push").json()
    assert [row["browser"] for row in shown] == ["Safari on a Mac"]
