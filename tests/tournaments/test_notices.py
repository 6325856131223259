"""What players are told, once."""

from datetime import timedelta

from django.core import mail
from django.utils import translation

from cardroom.accounts import outbox, push
from cardroom.core import notices as house_notices
from cardroom.core.models import Alarm, Notice, User
from tests.support.event_tables import new_bot
from tests.support.events import bust, order
from tests.support.parts.tournaments import hands, notices, registration, seats, tournaments
from tests.support.push_service import Browser, push_service
from tournaments.engine.config import PayoutTerms


def told(event, kind):
    rows = Notice.objects.filter(data__tournament=event.pk, key__startswith=f"event:{event.pk}:", kind=kind)
    return {notice.player.username: notice.text for notice in rows}


def test_who_is_moved_is_told_where_to_and_why(make_event):
    event = make_event(seats=4).started(6)
    mover = event.state.entrants[1]
    table = 3 - mover.table
    seats.move(entrant=1, table=table, reason="A dispute", **order(event))
    moved = event.state.entrants[1]
    assert told(event, "moved") == {
        event.entry(1).name: f"You are moved: go to table {table}, seat {moved.seat}. A dispute"
    }


def test_each_is_told_in_the_language_they_chose_or_else_in_that_of_their_pages(event):
    for name, chosen, read in (("ana", "de", "fr"), ("ben", "", "fr"), ("cleo", "", ""), ("dan", "xx", "")):
        player = event.player(name)
        User.objects.filter(pk=player.pk).update(language=chosen, last_language=read)
        event.enter(player)
    event.start()

    def said(code, pattern, **values):
        with translation.override(code):
            return translation.gettext(pattern).format(**values)

    asked = {"ana": "de", "ben": "fr", "cleo": "en", "dan": "en"}
    started = "{name} has started: you sit at table {table}, seat {seat}."
    seats_of = {entry.name: (1, entry.seat) for entry in event.row.entries.all()}
    assert told(event, "starting") == {
        name: said(code, started, name=event.row.name, table=seats_of[name][0], seat=seats_of[name][1])
        for name, code in asked.items()
    }


def test_who_is_moved_by_choice_is_told_so_in_their_own_language(make_event):
    event = make_event(seats=4).started(6)
    User.objects.filter(pk=event.entry(1).player_id).update(language="de")
    with translation.override("de"):
        said = translation.gettext("By the floor's decision")
    seats.move(entrant=1, table=3 - event.state.entrants[1].table, **order(event))
    (notice,) = Notice.objects.filter(kind="moved")
    assert notice.text.endswith(f". {said}")
    assert notice.data["why"] == "By the floor's decision"


def test_a_penalty_of_one_hand_is_said_of_one_hand(make_event):
    event = make_event().started(3)
    for entrant, count in ((1, 1), (2, 3)):
        hands.penalise(entrant=entrant, kind="hands", count=count, reason="Late", **order(event))
    assert [*told(event, "penalised").values()] == [
        *("A penalty: you miss 1 hand. Late", "A penalty: you miss 3 hands. Late")
    ]


def test_a_seat_that_is_drawn_is_pushed(make_event, settings):
    event = make_event(seats=4).started(6)
    mover = event.state.entrants[1]
    seats.move(entrant=1, table=3 - mover.table, reason="A dispute", **order(event))
    with push_service(settings) as service:
        browser = Browser(service, "one")
        long_ago = event.now - timedelta(minutes=1)
        push.subscribe(player=event.entry(1).player, **browser.subscription, now=long_ago)
        key = Alarm.objects.get(kind=house_notices.ALARM).key
        assert outbox.send(key=key, now=event.now) == ["push", "push"]
        started, moved = browser.read(push.public_key())
    assert started["body"].startswith(f"{event.row.name} has started: you sit at table")
    assert (moved["body"], moved["url"]) == (told(event, "moved")[event.entry(1).name], f"/tournaments/{event.pk}/")


def test_everybody_but_a_bot_is_told_his_seat_when_the_event_starts_and_mailed_once_who_wants_it(event):
    ana, bob, bot = event.player("ana"), event.player("bob"), new_bot(event.now)
    ana.email, bob.email, bob.wants_mail = "ana@example.org", "bob@example.org", False
    ana.save(), bob.save()
    event.enter(ana), event.enter(bob)
    registration.register(tournament_id=event.pk, by=None, player=bot, method="house", now=event.now)
    event.start()
    texts = told(event, "starting")
    assert texts["ana"] == f"{event.row.name} has started: you sit at table 1, seat {event.entry(1).seat}."
    assert set(texts) == set(Notice.objects.values_list("player__username", flat=True)) == {"ana", "bob"}
    key = Alarm.objects.get(kind=house_notices.ALARM).key
    assert (outbox.send(key=key, now=event.now), outbox.send(key=key, now=event.now)) == (["mail"], [])
    assert [(message.to, message.subject, message.body) for message in mail.outbox] == [
        (["ana@example.org"], event.row.name, texts["ana"])
    ]


def test_a_message_reaches_everybody_who_has_an_entry_and_is_not_repeated(make_event):
    event = make_event().started(3)
    assert notices.message(text="Dinner  is served.", **order(event, command_id="m")) == 3
    assert notices.message(text="Dinner is served.", **order(event, command_id="m")) == 0
    assert set(told(event, "message").values()) == {"Dinner is served."}


def test_those_who_entered_are_reminded_ten_minutes_before_the_start_and_once(event):
    event.enter("ana")
    assert Alarm.objects.get(kind=notices.REMINDER_ALARM).due_at == event.row.starts_at - timedelta(minutes=10)
    event.enter("ben")
    later = event.row.starts_at + timedelta(hours=2)
    tournaments.edit(tournament_id=event.pk, by=event.director, now=event.now, starts_at=later)
    event.wait(minutes=50)
    assert notices.remind(tournament_id=event.pk, now=event.now), "it was put off"
    assert Alarm.objects.get(kind=notices.REMINDER_ALARM).due_at == later - timedelta(minutes=10)
    assert told(event, "starting-soon") == {}
    event.wait(hours=2)
    for _ in range(2):
        assert not notices.remind(tournament_id=event.pk, now=event.now)
    text = f"{event.row.name} starts at 23:00 UTC: please be on time."
    assert told(event, "starting-soon") == {"ana": text, "ben": text}
    assert Notice.objects.filter(kind="starting-soon").count() == 2


def test_a_table_that_breaks_is_told_to_its_players_and_to_nobody_twice(make_event):
    event = make_event(seats=4, final_seats=2).started(6)
    broken = list(event.state.tables[2].seats.values())
    bust(event, next(iter(event.state.tables[1].seats.values())))
    bust(event, broken.pop())
    seats.break_table(table=2, **order(event, command_id="b"))
    seats.break_table(table=2, **order(event, command_id="b"))
    texts = told(event, "table-broken")
    assert set(texts) == {event.entry(number).name for number in broken}
    for number in broken:
        text = texts[event.entry(number).name]
        assert text.startswith(f"Go to table 1, seat {event.entry(number).seat}. Table 2 breaks. Drawn ")
        assert text.endswith("(TDA 10B)")
    seats.undo(**order(event))
    assert {text.split(":")[0] for text in told(event, "moved").values()} == {"The move is cancelled"}


def test_winners_are_told_their_place_and_prize_and_everybody_that_an_event_is_off(make_event):
    event = make_event(payout=PayoutTerms(kind="winner")).started(2)
    bust(event, 2)
    assert told(event, "prize") == {event.entry(1).name: f"{event.row.name}: you finished 1st and won 200."}
    off = make_event().open()
    off.enter("cy")
    tournaments.cancel(tournament_id=off.pk, by=off.director, reason="the roof leaks", now=off.now)
    text = f"{off.row.name} is cancelled: the roof leaks. Your payment is refunded."
    assert told(off, "cancelled") == {"cy": text}
