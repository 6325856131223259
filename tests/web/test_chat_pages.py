"""The chat in the lobby, its own page, and its log, as people see them."""

from datetime import timedelta

import pytest

from cardroom.accounts import chat
from tests.support.models import ChatLine, ChatSilence
from tests.support.offers import staff
from tests.support.pages import get, says


@pytest.fixture
def floor(now):
    return staff("floor", "flo")


def test_what_is_said_stands_in_the_lobby_as_text(browse, pia, floor, now):
    form = {"text": "<script>alert(1)</script> https://example.org", "key": "a"}
    for _ in range(2):
        assert browse(pia).post("/chat/", form)["Location"] == "/chat/"
    page = get(browse(floor))
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt; https://example.org</span> <a") == 1
    assert 'href="https://example.org' not in page
    assert 'data-topics="lobby lists jackpots tournaments chat' in page
    assert "alert(1)" not in get(browse())


def test_an_answer_to_the_page_is_an_empty_field_with_a_new_key(browse, pia):
    answer = browse(pia).post("/chat/", {"text": "hello", "key": "a"}, headers={"HX-Request": "true"})
    assert answer["HX-Trigger"] == "room:chat"
    assert 'value="a"' not in answer.content.decode()
    refused = browse(pia).post("/chat/", {"text": ""}, headers={"HX-Request": "true"})
    assert (refused.status_code, b"data-detail" in refused.content) == (400, True)
    assert "x" * 201 in browse(pia).post("/chat/", {"text": "x" * 201}).content.decode()


@pytest.mark.smoke
def test_staff_hides_a_line_and_silences_its_author(browse, pia, floor, now):
    line = chat.say(by=pia, text="buy my coins", now=now)
    assert f"/chat/{line.pk}/" in get(browse(floor))
    assert f"/chat/{line.pk}/" not in get(browse(pia))
    assert browse(floor).post(f"/chat/{line.pk}/", {"what": "hide", "reason": "Spam"}).status_code == 302
    browse(floor).post(f"/chat/{line.pk}/", {"what": "silence", "player_id": pia.pk, "hours": "1", "reason": "Spam"})
    assert timedelta(minutes=59) < ChatSilence.objects.get().until - now < timedelta(minutes=61)
    assert "buy my coins" not in get(browse(pia))
    assert browse(pia).post("/chat/", {"text": "hello"}).status_code == 403
    assert "Unmute" in get(browse(floor), "/chat/")
    browse(floor).post("/chat/", {"what": "unsilence", "player_id": pia.pk})
    assert browse(pia).post("/chat/", {"text": "hello"}).status_code == 302
    assert list(ChatLine.objects.filter(hidden_at=None).values_list("text", flat=True)) == ["hello"]


def test_what_is_told_to_the_room_stands_above_the_lobby_until_it_is_hidden(browse, pia, floor, now, settings):
    line = chat.announce(by=floor, text="The tables close at four", now=now)
    for number in range(chat.SHOWN):
        ChatLine.objects.create(author=pia, text=f"{number}", at=now)
    for settings.CARDROOM_CHAT in (True, False):
        for user in (None, pia):
            assert "The tables close at four" in get(browse(user))
    assert browse(pia).get("/chat/").status_code == 404
    assert browse(floor).get("/chat/").status_code == 200
    chat.hide(line_id=line.pk, by=floor, reason="Changed", now=now)
    assert "The tables close at four" not in get(browse(pia))


def test_the_log_is_found_by_person_and_day_and_comes_as_a_file(browse, pia, floor, now):
    aud = staff("auditor", "aud")
    chat.hide(line_id=chat.say(by=pia, text="=cmd", now=now).pk, by=floor, reason="Spam", now=now)
    chat.say(by=floor, text="Behave", now=now)
    page = get(browse(aud), f"/chat/log/?who=PIA&since={now:%Y-%m-%d}")
    says(page, "=cmd", "Spam")
    assert "Behave" not in page
    file = browse(aud).get("/chat/log.csv", {"who": "pia"}).content.decode()
    assert "'=cmd" in file
    assert "Behave" not in file
