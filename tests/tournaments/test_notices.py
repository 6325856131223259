"""What players are told, once."""

from datetime import timedelta

from django.core import mail
from django.utils import translation

from cardroom.accounts import outbox, push
from cardroom.core import notices as house_notices
from cardroom.core.models import Alarm, Notice, User
from tests.support.event_tables import new_bot
from tests.support.events import Event, bust, order
from tests.support.parts.tournaments import cancelling, notices, penalties, registration, seats, tournaments, undoing
from tests.support.push_service import Browser, push_service
from tests.support.worlds import world
from tournaments.engine.config import PayoutTerms


def texts_by_player(event, kind):
    rows = Notice.objects.filter(data__tournament=event.pk, key__startswith=f"event:{event.pk}:", kind=kind)
    return {notice.player.username: notice.text for notice in rows}


@world
def six():
    """Six players at two tables of four seats."""
    return Event(seats=4, final_seats=2).started(6)


def move_first(event, **reason):
    """The first to enter goes to the other table; the number of that table."""
    table = 3 - event.state.entrants[1].table
    seats.move(entrant=1, table=table, **order(event, **reason))
    return table


def test_a_player_who_is_moved_is_told_where_to_and_why(six, settings):
    table, player = move_first(six, reason="A dispute"), six.entry(1).player
    text = f"You are moved: go to table {table}, seat {six.state.entrants[1].seat}. A dispute"
    assert texts_by_player(six, "moved") == {player.username: text}
    with push_service(settings) as service:
        browser = Browser(service, "one")
        push.subscribe(by=player, **browser.subscription, now=six.now - timedelta(minutes=1))
        key = Alarm.objects.get(kind=house_notices.ALARM).key
        assert outbox.send(key=key, now=six.now) == ["push", "push"]
        started, moved = browser.read(push.public_key())
    assert started["body"].startswith(f"{six.row.name} has started: you sit at table")
    assert (moved["body"], moved["url"]) == (text, f"/tournaments/{six.pk}/")
    User.objects.filter(pk=player.pk).update(language="de")
    with translation.override("de"):
        said = translation.gettext("By the floor's decision")
    move_first(six)
    notice = Notice.objects.filter(kind="moved").latest("pk")
    assert notice.text.endswith(f". {said}")
    assert notice.data["why"] == "By the floor's decision"


def test_a_penalty_of_one_hand_is_told_in_the_singular(six):
    for entrant, count in ((1, 1), (2, 3)):
        penalties.penalise(entrant=entrant, kind="hands", count=count, reason="Late", **order(six))
    assert [*texts_by_player(six, "penalised").values()] == [
        *("A penalty: you miss 1 hand. Late", "A penalty: you miss 3 hands. Late")
    ]
    assert notices.message(text="Dinner  is served.", **order(six, key="m")) == 6
    assert notices.message(text="Dinner is served.", **order(six, key="m")) == 6
    assert set(texts_by_player(six, "message").values()) == {"Dinner is served."}


def test_each_is_told_in_the_language_they_chose_or_else_in_that_of_their_pages(event):
    for name, chosen, read in (("ana", "de", "fr"), ("ben", "", "fr"), ("cleo", "", ""), ("dan", "xx", "")):
        player = event.player(name)
        User.objects.filter(pk=player.pk).update(language=chosen, last_language=read)
        event.enter(player)
    event.start()
    for name, language in (("ana", "de"), ("ben", "fr"), ("cleo", "en"), ("dan", "en")):
        seat = event.row.entries.get(name=name).seat
        with translation.override(language):
            started = translation.gettext("{name} has started: you sit at table {table}, seat {seat}.")
        assert texts_by_player(event, "starting")[name] == started.format(name=event.row.name, table=1, seat=seat)


def test_everybody_but_a_bot_is_told_their_seat_when_the_event_starts(event):
    ana, bob, bot = event.player("ana"), event.player("bob"), new_bot(event.now)
    ana.email, bob.email, bob.wants_mail = "ana@example.org", "bob@example.org", False
    ana.save(), bob.save()
    event.enter(ana), event.enter(bob)
    registration.register(tournament_id=event.pk, by=None, player=bot, method="house", now=event.now)
    event.start()
    texts = texts_by_player(event, "starting")
    assert texts["ana"] == f"{event.row.name} has started: you sit at table 1, seat {event.entry(1).seat}."
    assert set(texts) == set(Notice.objects.values_list("player__username", flat=True)) == {"ana", "bob"}
    key = Alarm.objects.get(kind=house_notices.ALARM).key
    assert (outbox.send(key=key, now=event.now), outbox.send(key=key, now=event.now)) == (["mail"], [])
    assert [(message.to, message.subject, message.body) for message in mail.outbox] == [
        (["ana@example.org"], event.row.name, texts["ana"])
    ]


def test_those_who_entered_are_reminded_ten_minutes_before_the_start_and_once(event):
    event.enter("ana")
    assert Alarm.objects.get(kind=notices.REMINDER_ALARM).due_at == event.row.starts_at - timedelta(minutes=10)
    event.enter("ben")
    later = event.row.starts_at + timedelta(hours=2)
    tournaments.edit(starts_at=later, **order(event))
    event.wait(minutes=50)
    assert notices.remind(tournament_id=event.pk, now=event.now), "it was put off"
    assert Alarm.objects.get(kind=notices.REMINDER_ALARM).due_at == later - timedelta(minutes=10)
    assert texts_by_player(event, "starting-soon") == {}
    event.wait(hours=2)
    for _ in range(2):
        assert not notices.remind(tournament_id=event.pk, now=event.now)
    text = f"{event.row.name} starts at 23:00 UTC: please be on time."
    assert texts_by_player(event, "starting-soon") == {"ana": text, "ben": text}
    assert Notice.objects.filter(kind="starting-soon").count() == 2


def test_a_table_that_breaks_is_told_to_its_players_and_to_nobody_twice(six):
    broken = list(six.state.tables[2].seats.values())
    bust(six, next(iter(six.state.tables[1].seats.values())), broken.pop())
    for _ in range(2):
        seats.break_table(table=2, **order(six, key="b"))
    texts = texts_by_player(six, "table-broken")
    assert set(texts) == {six.entry(number).name for number in broken}
    for entry in map(six.entry, broken):
        assert texts[entry.name].startswith(f"Go to table 1, seat {entry.seat}. Table 2 breaks. Drawn ")
        assert texts[entry.name].endswith("(TDA 10B)")
    undoing.undo(**order(six))
    assert {text.split(":")[0] for text in texts_by_player(six, "moved").values()} == {"The move is cancelled"}


def test_winners_are_told_their_place_and_prize_and_everybody_that_an_event_is_off(make_event):
    event = make_event(payout=PayoutTerms(kind="winner")).started(2)
    bust(event, 2)
    assert texts_by_player(event, "prize") == {event.entry(1).name: f"{event.row.name}: you finished 1st and won 200."}
    off = make_event().open()
    off.enter("cy")
    cancelling.cancel(reason="the roof leaks", **order(off))
    text = f"{off.row.name} is cancelled: the roof leaks. Your payment is refunded."
    assert texts_by_player(off, "cancelled") == {"cy": text}
