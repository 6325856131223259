"""The chat of the lobby: who speaks, how much, what staff does about it, and what is kept."""

from datetime import timedelta

import pytest

from tests.support.models import Alarm, ChatLine, ChatSilence, StaffAction
from tests.support.offers import staff
from tests.support.parts.cardroom import Conflict, Forbidden, Invalid, NotFound, TooMany, bans, chat, people, tasks
from tests.support.racing import race, refusals
from tests.support.refusals import refused

WHY = "Spoils the game"


def texts() -> list[str]:
    return [line.text for line in chat.newest()]


def test_a_line_is_said_once_under_its_key_and_staff_is_marked(north, now):
    line = chat.say(by=north, text="  good   evening ", now=now, key="a")
    assert chat.say(by=north, text="good evening", now=now, key="a") == line
    refused(Conflict, chat.say, by=north, text="good night", now=now, key="a")
    chat.say(by=staff("floor"), text="<b>hello</b>", now=now)
    assert [(row.text, row.is_staffs) for row in chat.newest()] == [("<b>hello</b>", True), ("good evening", False)]


def test_nobody_floods_the_lobby_or_says_what_cannot_be_read(north, south, now):
    for text in ("", "   ", "x" * 201, "a\u202eb", "a\0b"):
        refused(Invalid, chat.say, by=north, text=text, now=now)
    for _ in range(5):
        chat.say(by=north, text="again", now=now)
    refused(TooMany, "seconds", chat.say, by=north, text="again", now=now + timedelta(seconds=9))
    chat.say(by=south, text="hush", now=now)
    for number in range(25):
        now += timedelta(seconds=11)
        chat.say(by=north, text=f"again {number}", now=now)
    refused(TooMany, "minutes", chat.say, by=north, text="again", now=now + timedelta(seconds=11))
    chat.say(by=north, text="again", now=now + timedelta(minutes=11))


def test_who_is_banned_closed_a_bot_or_silenced_says_nothing(north, south, now):
    floor = staff("floor")
    bans.ban(player=north, reason="Rude", by=staff("manager"), now=now)
    refused(Forbidden, "Rude", chat.say, by=north, text="hello", now=now)
    with pytest.raises(Forbidden, match="bot"):
        chat.say(by=people.make_bot(name="rocky", personality="rock", now=now), text="hello", now=now)
    until = now + timedelta(hours=1)
    made = chat.silence(player=south, by=floor, reason=WHY, until=until, now=now)
    assert chat.silence(player=south, by=floor, reason=WHY, until=until, now=now) == made
    refused(Forbidden, WHY, chat.say, by=south, text="hello", now=now)
    chat.say(by=south, text="back", now=until)
    chat.silence(player=south, by=floor, reason="Again", until=until + timedelta(hours=1), now=until)
    chat.unsilence(player=south, by=floor, now=until)
    chat.unsilence(player=south, by=floor, now=until)
    chat.say(by=south, text="free", now=until)
    assert texts() == ["free", "back"]
    verbs = StaffAction.objects.filter(verb__startswith="chat.").order_by("pk").values_list("verb", flat=True)
    assert list(verbs) == ["chat.silence", "chat.silence", "chat.unsilence"]
    south.is_active = False
    refused(Forbidden, "closed", chat.say, by=south, text="hello", now=until)


def test_the_floor_silences_for_a_day_and_a_manager_for_good(north, now):
    floor, manager = staff("floor"), staff("manager")
    refused(Forbidden, "one day", chat.silence, player=north, by=floor, reason=WHY, now=now)
    refused(Invalid, "future", chat.silence, player=north, by=floor, reason=WHY, until=now, now=now)
    with pytest.raises(Invalid, match="yourself"):
        chat.silence(player=floor, by=floor, reason=WHY, until=now + timedelta(hours=1), now=now)
    chat.silence(player=north, by=manager, reason=WHY, now=now)
    assert ChatSilence.objects.get().until is None
    for act in (chat.silence, chat.unsilence):
        refused(Forbidden, act, player=north, by=north, now=now, **{"reason": WHY} if act is chat.silence else {})


def test_a_hidden_line_is_for_the_log_alone(north, now):
    floor, auditor = staff("floor"), staff("auditor")
    line = chat.say(by=north, text="buy my coins", now=now)
    refused(Forbidden, chat.hide, line_id=line.pk, by=north, reason=WHY, now=now)
    chat.hide(line_id=line.pk, by=floor, reason=WHY, now=now)
    chat.hide(line_id=line.pk, by=staff("manager"), reason="Something else", now=now)
    assert texts() == []
    kept = chat.log(by=auditor, who="NORTH", words="coins", since=now.date(), until=now.date()).get()
    assert (kept.hidden_by, kept.hidden_why) == (floor, WHY)
    assert not chat.log(by=auditor, since=now.date() + timedelta(days=1)).exists()
    refused(Forbidden, chat.log, by=floor)


def test_what_is_told_to_the_room_stands_for_hours_and_without_a_chat_too(north, now, settings):
    settings.CARDROOM_LOBBY_CHAT = False
    refused(NotFound, "no chat", chat.say, by=north, text="hello", now=now)
    refused(Forbidden, chat.announce, by=north, text="Free drinks", now=now)
    said = {"by": staff("floor"), "text": "The last hand is at four", "now": now, "key": "last"}
    line = chat.announce(**said)
    assert (chat.announce(**said), chat.standing_word(now=now + timedelta(hours=11))) == (line, line)
    assert chat.standing_word(now=now + timedelta(hours=12)) is None


def test_lines_are_deleted_after_ninety_days(north, now, monkeypatch):
    chat.say(by=north, text="old", now=now - timedelta(days=91))
    chat.say(by=north, text="new", now=now)
    alarm = Alarm.objects.get(kind=chat.ALARM)
    Alarm.objects.update(claimed_until=now)
    monkeypatch.setattr(tasks.timezone, "now", lambda: now)
    tasks.clear_chat(alarm.kind, alarm.key, alarm.fence)
    assert texts() == ["new"]
    assert Alarm.objects.get(kind=chat.ALARM).due_at > now


@pytest.mark.django_db(transaction=True)
def test_five_lines_at_most_come_through_at_once(north, now):
    results = race(*[lambda: chat.say(by=north, text="again", now=now)] * 7)
    assert (refusals(results, TooMany), ChatLine.objects.count()) == (2, 5)
