"""The chat of the lobby: who speaks, how much, what staff does about it, and what is kept."""

from datetime import timedelta

import pytest

from tests.support.models import Alarm, ChatLine, ChatReport, ChatSilence, StaffAction, User
from tests.support.offers import staff
from tests.support.parts.cardroom import Forbidden, Invalid, NotFound, TooMany, bans, chat, people, player_marks, tasks
from tests.support.racing import race, refusals
from tests.support.refusals import refused

WHY = "Spoils the game"


def texts(reader: User | None = None, **where: str) -> list[str]:
    reader = reader or User.objects.filter(is_bot=False).first()
    return [line.text for line in chat.newest(reader=reader, **where)]


def test_nobody_floods_the_lobby_or_says_what_cannot_be_read_and_staff_is_marked(north, south, now):
    chat.say(by=north, text="  good   evening ", now=now - timedelta(hours=1))
    chat.say(by=staff("floor"), text="<b>hello</b>", now=now - timedelta(hours=1))
    said = [(row.text, row.is_staffs) for row in chat.newest(reader=north)]
    assert said == [("<b>hello</b>", True), ("good evening", False)]
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
    bot = people.make_bot(name="rocky", personality="rock", now=now)
    refused(Forbidden, "bot", chat.say, by=bot, text="hello", now=now)
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
    until = now + timedelta(hours=1)
    refused(Invalid, "yourself", chat.silence, player=floor, by=floor, reason=WHY, until=until, now=now)
    chat.silence(player=north, by=manager, reason=WHY, now=now)
    assert ChatSilence.objects.get().until is None
    refused(Forbidden, chat.silence, player=north, by=north, reason=WHY, now=now)
    refused(Forbidden, chat.unsilence, player=north, by=north, now=now)


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
    settings.CARDROOM_CHAT = False
    refused(NotFound, "no chat", chat.say, by=north, text="hello", now=now)
    refused(Forbidden, chat.announce, by=north, text="Free drinks", now=now)
    line = chat.announce(by=staff("floor"), text="The last hand is at four", now=now)
    assert chat.standing_word(now=now + timedelta(hours=11)) == line
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


def test_muted_words_become_dots_but_stay_in_the_log(north, now):
    manager = staff("manager")
    refused(Forbidden, chat.mute_words, words=["fish"], by=north, now=now)
    refused(Invalid, chat.mute_words, words=["two words"], by=manager, now=now)
    assert chat.mute_words(words=["Fish", "donkey", "fish"], by=manager, now=now) == ["donkey", "fish"]
    line = chat.say(by=north, text="What a FISH, you f1sh! Fishing, d\u043enkey?", now=now)
    assert texts() == ["What a ••••, you ••••! Fishing, ••••••?"]
    assert (line.said, list(chat.log(by=manager, words="f1sh"))) == ("What a FISH, you f1sh! Fishing, dоnkey?", [line])
    chat.mute_words(words=[], by=manager, now=now)
    chat.say(by=north, text="fish", now=now)
    assert texts()[0] == "fish"


def test_a_report_stands_until_the_floor_hides_the_line_or_lets_it_stand(north, south, now):
    floor = staff("floor")
    rude, fair = (chat.say(by=north, text=text, now=now) for text in ("rude", "fair"))
    refused(Invalid, "your own", chat.report, line_id=rude.pk, by=north, reason=WHY, now=now)
    refused(NotFound, chat.report, line_id=0, by=south, reason=WHY, now=now)
    made = chat.report(line_id=rude.pk, by=south, reason=WHY, now=now)
    assert chat.report(line_id=rude.pk, by=south, reason="Again", now=now) == made
    chat.report(line_id=fair.pk, by=south, reason="Lies", now=now + timedelta(minutes=1))
    found = [(line, [(report.by, report.reason) for report in line.reports.all()]) for line in chat.reported()]
    assert found == [(rude, [(south, WHY)]), (fair, [(south, "Lies")])]
    refused(Forbidden, chat.dismiss, line_id=fair.pk, by=south, now=now)
    chat.dismiss(line_id=fair.pk, by=floor, now=now)
    chat.hide(line_id=rude.pk, by=floor, reason=WHY, now=now)
    assert (chat.reported(), texts()) == ([], ["fair"])
    assert set(ChatReport.objects.values_list("settled_by", flat=True)) == {floor.pk}
    refused(NotFound, chat.report, line_id=rude.pk, by=floor, reason=WHY, now=now)


def test_one_person_cannot_hide_the_reports_of_others_behind_many_of_their_own(north, south, now):
    lines = []
    for number in range(chat.MOST_REPORTS + 1):
        now += timedelta(minutes=1)
        lines.append(chat.say(by=north, text=f"fine {number}", now=now))
    for line in lines[:-1]:
        chat.report(line_id=line.pk, by=south, reason=WHY, now=now)
    refused(TooMany, "The floor", chat.report, line_id=lines[-1].pk, by=south, reason=WHY, now=now)
    assert chat.report(line_id=lines[0].pk, by=south, reason=WHY, now=now)
    chat.dismiss(line_id=lines[0].pk, by=staff("floor"), now=now)
    chat.report(line_id=lines[-1].pk, by=south, reason=WHY, now=now)


def test_a_mark_is_for_oneself_alone_and_who_is_muted_is_not_read_unless_it_is_staff(north, south, now):
    floor = staff("floor")
    for author in (south, floor):
        player_marks.mark(by=north, player=author.username, is_muted=True, now=now)
        chat.say(by=author, text=f"from {author}", now=now)
    assert (texts(north), texts(floor)) == ([f"from {floor}"], [f"from {floor}", f"from {south}"])
    player_marks.mark(by=north, player=floor.username, now=now)
    kept = player_marks.mark(by=north, player=south.username.upper(), note=" calls ", colour="red", now=now)
    assert (kept.note, kept.about) == ("calls", south)
    assert (player_marks.marks_of(north), player_marks.marks_of(south)) == ([kept], [])
    again = player_marks.mark(by=north, player=south.username, is_friend=True, now=now)
    assert (again.pk, again.note, again.colour, again.is_friend) == (kept.pk, "", "", True)
    refused(NotFound, player_marks.mark, by=north, player="nobody", note="x", now=now)
    refused(Invalid, "other players", player_marks.mark, by=north, player=north.username, note="x", now=now)
    refused(Invalid, "red, orange", player_marks.mark, by=north, player=south.username, colour="pink", now=now)
    refused(Invalid, "500", player_marks.mark, by=north, player=south.username, note="x" * 501, now=now)
    player_marks.mark(by=north, player=south.username, now=now)
    assert player_marks.marks_of(north) == []
