"""The event's alarm: what is due happens once, at its time, however often it rings."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from django.utils import translation

from cardroom.core.sentences import translated
from tests.support.events import START, bust, wallet
from tests.support.models import Alarm, Notice, Outage, Tournament, TournamentEntry, User
from tests.support.parts.cardroom import alarms, core_audit, room_time
from tests.support.parts.event_rules import ClockOn, GoTo, Pause, RebuyTerms, Resume
from tests.support.parts.tournaments import buying, due, event_journal, play, playing, registration, tasks
from tournaments.directing import after_outages, bots_entering, cancelling, tournaments, waking
from tournaments.engine import labels
from tournaments.online.tables import OnlineTables


def announce(make_event, **options):
    options = {"conduct": "online", "registration_opens_at": START + timedelta(minutes=30), **options}
    event = make_event(**options)
    tournaments.announce(tournament_id=event.pk, by=event.director, now=event.now)
    return event


def alarm(event):
    return Alarm.objects.filter(kind=event_journal.ALARM, key=str(event.pk)).values_list("due_at", flat=True).first()


def rung(row):
    """Its alarm has rung twice: when registration opened, and at the start."""
    for _ in range(2):
        waking.wake(tournament_id=row.pk, fence=None, now=row.wake_at)
        row.refresh_from_db()


HEARD = {
    "entrant_came": "entered",
    "add_chips": "add_chips",
    "entrants_went": "left",
    "level_began": "new_level",
    "clock_moved": "moved_on",
    "close_all": "end_tables",
}


class Tables:
    """Somebody who runs the tables of events online, and writes down what they are told."""

    def __init__(self):
        self.told = []
        self.takes_chips = False

    def tell(self, what, locked, **named):
        if locked.row.conduct == "online":
            self.told.append((what, *[named[name] for name in ("entrant", "entrants", "chips") if name in named]))
        return self.takes_chips


@pytest.fixture
def tables(monkeypatch):
    running = Tables()
    monkeypatch.setattr(OnlineTables, "catch_up", lambda self, locked, now: None)
    for method, what in HEARD.items():
        monkeypatch.setattr(OnlineTables, method, partial(running.tell, what))
    for what in ("begin", "end_tables", "wake"):
        monkeypatch.setattr(play, what, partial(running.tell, what))
    return running


def test_registration_and_start_come_once_however_often_the_alarm_rings(make_event, tables):
    event = announce(make_event)
    assert not waking.wake(tournament_id=event.pk, fence=1, now=event.now)
    assert alarm(event) == event.row.wake_at == START + timedelta(minutes=30), "it rings again at its time"
    event.now = START + timedelta(minutes=45)
    assert event.wake()
    assert not waking.wake(tournament_id=event.pk, fence=1, now=event.now)
    assert (event.row.state, event.row.seq) == ("open", 1)
    event.enter()
    event.enter()
    assert alarm(event) == START + timedelta(hours=1)
    assert event.wake()
    row = event.row
    assert (row.state, row.players_left, row.tables_count) == ("running", 2, 1)
    assert (row.started_at, tables.told) == (START + timedelta(hours=1), [("begin",)])
    assert alarm(event) == row.started_at + timedelta(minutes=15)
    alarms.set(kind=event_journal.ALARM, key="0", due_at=event.now, fence=1)
    assert not waking.wake(tournament_id=0, fence=1, now=event.now)
    assert not Alarm.objects.filter(key="0").exists()


def test_too_few_by_the_start_wait_for_more_and_then_start_at_once(make_event):
    event = announce(make_event, min_entrants=3, when_short="wait")
    event.wake()
    event.enter()
    event.enter()
    event.wake()
    assert (event.row.state, alarm(event)) == ("open", None)
    event.wait(minutes=7).enter()
    assert alarm(event) <= event.now
    event.wake()
    assert (event.row.state, event.row.started_at) == ("running", event.now)


def test_too_few_by_the_start_are_refunded_where_the_event_says_so(make_event, audited):
    event = announce(make_event, min_entrants=3, when_short="cancel")
    event.wake()
    ana = event.enter("ana").player
    User.objects.filter(pk=ana.pk).update(language="de")
    event.wake()
    row = event.row
    with translation.override("de"):
        too_few = translated(labels.TOO_FEW(n=1, least=3))
        assert row.end_reason_text == too_few
    assert f": {too_few}. " in Notice.objects.get(player=ana, kind="cancelled").text
    assert (row.state, row.end_reason_text) == ("cancelled", "1 of at least 3 entrants had come by the start")
    assert (wallet(ana), event.pool(), alarm(event)) == (1000, 0, None)


def test_in_the_room_the_director_starts_the_event_unless_the_clock_does(make_event):
    assert alarm(make_event().open(entrants=1)) is None
    by_itself = make_event(options={"starts_by_itself": True}).open()
    assert alarm(by_itself) == by_itself.row.starts_at


def test_levels_go_on_by_themselves_and_the_tables_are_told_once_each(make_event, tables):
    event = make_event(conduct="online").started(2)
    for level in range(1, 5):
        event.wake()
        assert (event.row.level, tables.told.count(("moved_on",))) == (level, level)
    assert (alarm(event), event.row.state) == (None, "running"), "the last level stays"


def test_the_tables_follow_the_director_at_the_clock_and_its_alarms(make_event, tables):
    event = make_event(conduct="online", late_level=4).started(2)
    event.wait(minutes=15, seconds=1).enter()
    assert (event.row.level, tables.told[-1]) == (1, ("moved_on",)), "a command tells them before the alarm does"
    event.play(Pause())
    assert (event.row.state, alarm(event), tables.told[-1]) == ("paused", None, ("moved_on",))
    event.wait(minutes=5).play(Resume())
    assert alarm(event) == event.now + timedelta(minutes=14, seconds=59)
    event.play(GoTo(3))
    assert (event.row.level, tables.told.count(("moved_on",))) == (3, 4)
    level_ends = alarm(event)
    event.play(ClockOn(1))
    assert alarm(event) == event.now + timedelta(seconds=30)
    assert event.wake()
    assert (alarm(event), tables.told[-1]) == (level_ends, ("wake",))


def test_chips_bought_during_a_hand_wait_for_its_end(make_event, tables):
    event = make_event(conduct="online", rebuy=RebuyTerms(1500, at_most_stack=2000), late_level=1).started(2)
    payment = buying.rebuy(tournament_id=event.pk, by=event.entry(1).player, now=event.now)
    assert tables.told[-1] == ("add_chips", 1, 1500)
    assert event.entry(1).pending == [{"chips": 1500, "payment": payment.pk}]
    assert event.entry(1).chips == 3500, "they are the player's already"
    with playing.holding(event.pk, now=event.now) as locked:
        assert buying.deliver(locked, [1, 2], now=event.now) == {}
        tables.takes_chips = True
        assert buying.deliver(locked, [1, 2], now=event.now) == {1: 1500}
        assert buying.deliver(locked, [1, 2], now=event.now) == {}
    assert event.entry(1).pending == []


def test_who_enters_a_running_event_online_is_seated_by_whoever_runs_the_tables(make_event, tables):
    event = make_event(conduct="online", late_level=2).started(2)
    late = event.enter()
    assert (tables.told[-1], late.table) == (("entered", late.number), None)
    registration.remove_no_shows(tournament_id=event.pk, entrants=[late.number], by=event.director, now=event.now)
    assert tables.told[-1] == ("left", [late.number])
    cancelling.cancel(tournament_id=event.pk, by=event.director, reason="a storm", now=event.now)
    assert tables.told[-1] == ("end_tables",)


@pytest.mark.parametrize("state", ["running", "finished"])
def test_alternates_get_their_money_back_when_entry_closes(make_event, state, audited):
    event = make_event(max_entrants=2, late_level=1 if state == "running" else 0).open(entrants=3)
    waiting = event.entry(3).player
    event.start()
    if state == "finished":
        bust(event, 2, eliminators=[1])
    assert (event.row.state, wallet(waiting)) == (state, 885)
    event.wake()
    assert (event.entry(3).state, wallet(waiting), event.row.alternates_count) == ("withdrawn", 1000, 0)
    assert (event.row.wake_at is None) == (state == "finished")


def test_a_sit_and_go_starts_with_its_last_entrant_and_the_next_one_opens(make_event, tables):
    sit_and_go = {"starts_at": None, "max_entrants": 2, "starts_when_full": True}
    event = make_event(conduct="online", recurs_when_full=True, recurs_times=5, **sit_and_go).open(entrants=1)
    assert alarm(event) is None
    event.enter()
    event.wake()
    following = Tournament.objects.get(previous=event.pk)
    assert (event.row.state, following.state, following.recurs_times) == ("running", "open", 4)
    assert (following.name, following.config) == (event.row.name, event.row.config)
    waking.wake(tournament_id=event.pk, fence=None, now=event.now)
    assert Tournament.objects.filter(previous=event.pk).count() == 1


def test_an_event_recurs_at_its_distance_as_often_as_it_should(make_event, tables):
    event = announce(make_event, recurs_minutes=120, recurs_times=1, when_short="cancel")
    event.wake()
    event.wake()
    following = Tournament.objects.get(previous=event.pk)
    assert (event.row.state, following.state, following.recurs_times) == ("cancelled", "announced", 0)
    assert following.starts_at == START + timedelta(hours=3)
    assert following.registration_opens_at == START + timedelta(hours=2, minutes=30)
    assert following.wake_at == following.registration_opens_at
    rung(following)
    assert (following.state, Tournament.objects.count()) == ("cancelled", 2)


def test_an_event_at_seven_each_evening_stays_at_seven_when_the_clocks_change(make_event, tables, settings):
    settings.TIME_ZONE = "Europe/Berlin"
    starts = datetime(2030, 3, 29, 18, tzinfo=UTC)  # 19:00; the clocks change in the night to the 31st
    asked = {"starts_at": starts, "registration_opens_at": starts - timedelta(hours=9)}
    event = announce(make_event, recurs_minutes=24 * 60, recurs_times=3, when_short="cancel", **asked)
    evenings = [event.row]
    for _ in range(3):
        rung(evenings[-1])
        evenings.append(Tournament.objects.get(previous=evenings[-1].pk))
    told = [
        room_time.format_moment(moment) for row in evenings for moment in (row.registration_opens_at, row.starts_at)
    ]
    assert told == [
        f"{day}, {clock} {zone}"
        for day, zone in (("29 March 2030", "CET"), ("30 March 2030", "CET"), ("31 March 2030", "CEST"),
                          ("1 April 2030", "CEST"))
        for clock in ("10:00", "19:00")
    ]  # fmt: skip


#: A zone, a start in it whose time is left out a day later, and what the starts after it and their openings are called.
LEFT_OUT = [
    ("Europe/Berlin", datetime(2031, 3, 29, 1, 30, tzinfo=UTC), ["03:30", "02:30", "02:30"], "22:30"),
    ("America/Santiago", datetime(2030, 9, 7, 4, 0, tzinfo=UTC), ["01:00", "00:00", "00:00"], "20:00"),
]


@pytest.mark.parametrize(("zone", "starts", "told", "opens"), LEFT_OUT)
def test_a_start_that_the_clocks_leave_out_is_back_at_its_time_the_next_day(
    make_event, tables, settings, zone, starts, told, opens
):
    settings.TIME_ZONE = zone
    asked = {"starts_at": starts, "registration_opens_at": starts - timedelta(hours=4)}
    row = announce(make_event, recurs_minutes=24 * 60, recurs_times=3, when_short="cancel", **asked).row
    for said in told:
        rung(row)
        row = Tournament.objects.get(previous=row.pk)
        assert (room_time.clock(row.starts_at), room_time.clock(row.registration_opens_at)) == (said, opens)


def test_a_start_put_off_by_an_outage_moves_none_after_it(make_event, tables):
    event = announce(make_event, recurs_minutes=24 * 60, recurs_times=3, when_short="cancel")
    row, at = event.row, event.row.starts_at
    waking.wake(tournament_id=row.pk, fence=None, now=row.wake_at)
    after_outages.give_time_back(
        Outage.objects.create(began_at=at - timedelta(minutes=1), ended_at=at + timedelta(minutes=6))
    )
    row.refresh_from_db()
    assert row.starts_at > at
    waking.wake(tournament_id=row.pk, fence=None, now=row.starts_at)
    following = Tournament.objects.get(previous=row.pk)
    assert following.starts_at == at + timedelta(days=1)
    later = following.starts_at + timedelta(hours=2)
    tournaments.edit(tournament_id=following.pk, by=event.director, now=event.now, starts_at=later)
    following.refresh_from_db()
    rung(following)
    assert Tournament.objects.get(previous=following.pk).starts_at == later + timedelta(days=1)


def test_the_alarm_goes_to_the_task_and_the_task_asks_the_service(make_event):
    event = make_event(conduct="online").open(entrants=2)
    long_ago = START - timedelta(days=10_000)
    Tournament.objects.filter(pk=event.pk).update(starts_at=long_ago, wake_at=long_ago)
    assert alarms.handlers[event_journal.ALARM] == tasks.wake_tournament.name
    tasks.wake_tournament("tournament", str(event.pk), 1)
    assert event.row.state == "running"


def test_house_bots_enter_a_few_at_a_time_and_leave_room_for_no_more_than_there_is(make_event, tables, monkeypatch):
    monkeypatch.setattr(bots_entering, "AT_ONCE", 3)
    event = make_event(conduct="online", bots=5, max_entrants=6).open(entrants=2)
    event.wake()
    assert (event.row.players_left, alarm(event)) == (5, event.now)
    event.wake()
    row = event.row
    assert (row.players_left, row.entries.filter(how="house").count(), row.alternates_count) == (6, 4, 0)
    assert alarm(event) == row.starts_at
    other = make_event(conduct="online", bots=2).open()
    other.wake()
    assert due.bots_wanted(other.row) == 0
    players = [entry.player_id for entry in TournamentEntry.objects.filter(how="house")]
    assert len(set(players)) == len(players) == 6, "nobody plays two tournaments at once"
    assert core_audit.check() == []
