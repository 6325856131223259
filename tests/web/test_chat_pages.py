"""The chat in the lobby, its own page, and its log, as people see them."""

from datetime import timedelta

import pytest

from cardroom.accounts import chat
from tests.support.models import ChatLine, ChatSilence
from tests.support.offers import staff
from tests.support.pages import assert_hides, assert_shows, get


@pytest.fixture
def floor(now):
    return staff("floor", "flo")


def test_a_chat_message_is_shown_as_text_and_the_field_is_empty_again(browse, pia, floor):
    form = {"text": "<script>alert(1)</script> https://example.org", "key": "a"}
    for _ in range(2):
        assert browse(pia).post("/chat/", form)["Location"] == "/chat/"
    page = get(browse(floor))
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt; https://example.org</span> <a") == 1
    assert_shows(page, 'data-topics="lobby lists jackpots tournaments chat', but=['href="https://example.org'])
    assert_hides(get(browse()), "alert(1)")
    answer = browse(pia).post("/chat/", {"text": "hello", "key": "b"}, headers={"HX-Request": "true"})
    assert answer["HX-Trigger"] == "room:chat"
    assert 'value="b"' not in answer.content.decode()
    refused = browse(pia).post("/chat/", {"text": ""}, headers={"HX-Request": "true"})
    assert (refused.status_code, b"data-detail" in refused.content) == (400, True)
    assert "x" * 201 in browse(pia).post("/chat/", {"text": "x" * 201}).content.decode()


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
    aud = browse(staff("auditor", "aud"))
    chat.hide(line_id=chat.say(by=pia, text="=cmd", now=now).pk, by=floor, reason="Spam", now=now)
    chat.say(by=floor, text="Behave", now=now)
    page, file = get(aud, f"/chat/log/?who=PIA&since={now:%Y-%m-%d}"), get(aud, "/chat/log.csv?who=pia")
    assert_shows(page, "=cmd", "Spam")
    assert_shows(file, "'=cmd")
    assert_hides(page + file, "Behave")


@pytest.mark.smoke
def test_a_moderated_chat_shows_no_hidden_line_and_no_silenced_author(pia, press, browse, floor, now):
    author = browse(pia)
    line = chat.say(by=pia, text="buy my coins", now=now)
    assert "The tables close at four" in press(floor, "/chat/", "Announce", text="The tables close at four")
    page = f"/chat/{line.pk}/"
    assert_shows(get(browse(floor)), page)
    assert_hides(get(author), page)
    assert "The message is hidden." in press(floor, page, "Hide", reason="Spam")
    assert_hides(get(author), "buy my coins")
    assert "pia is muted." in press(floor, page, "Mute", hours="24", reason="Spam")
    assert "pia is unmuted." in press(floor, page, "Unmute")
    press(floor, page, "Mute", hours="1", reason="Spam")
    assert timedelta(minutes=59) < ChatSilence.objects.latest("pk").until - now < timedelta(minutes=61)
    assert author.post("/chat/", {"text": "hello"}).status_code == 403
    assert "Muted" not in press(floor, "/chat/", "Unmute: pia")
    assert not ChatSilence.objects.filter(lifted_at=None).exists()
    assert author.post("/chat/", {"text": "hello"}).status_code == 302
    assert ChatLine.objects.get(pk=line.pk).hidden_why == "Spam"
    assert ChatLine.objects.get(author=pia, hidden_at=None).text == "hello"
