"""After an outage of the room: levels online, the end of registration, votes and rebuys have that time back."""

from datetime import timedelta

import pytest

from cardroom.core.errors import Illegal
from games.play import receivers
from tests.support.events import START, Event, order
from tests.support.models import DealProposal, Outage
from tests.support.online import OnlineEvent
from tests.support.parts.tournaments import Locked, deals, event_clock, event_journal
from tests.tournaments.test_play_rebuys import ann_of, dear, until_ann_waits
from tournaments.directing import after_outages
from tournaments.engine.config import PayoutTerms

SECOND = timedelta(seconds=1)


def be_away(event: Event, *, seconds: float) -> Outage:
    """The room goes away now, and is back so much later."""
    outage = Outage.objects.create(began_at=event.now, ended_at=event.now + seconds * SECOND)
    event.now = outage.ended_at
    after_outages.give_time_back(outage)
    return outage


def clock_shown(event: Event) -> tuple[int, float]:
    """(level, seconds left)"""
    reading = event.state.reading(event_journal.ms(event.now))
    return reading.level, reading.remaining_ms / 1000


@pytest.mark.parametrize("seconds", [25, 200])
def test_the_level_online_goes_on_where_it_stood(seconds: float, audited: None) -> None:
    event = OnlineEvent(3).start()
    event.now += 40 * SECOND
    before = clock_shown(event)
    be_away(event, seconds=seconds)
    assert (clock_shown(event), event.row.wake_at) == (before, event.now + 20 * SECOND)
    assert event.state.facts[-1].label.endswith(": the room was away")
    event.now += 30 * SECOND
    assert clock_shown(event)[0] == before[0] + 1


def test_a_clock_in_the_room_went_on_with_the_cards_and_one_that_stands_gets_nothing(event: Event) -> None:
    event.started(4)
    event.now += 60 * SECOND
    left = clock_shown(event)[1]
    be_away(event, seconds=25)
    assert clock_shown(event)[1] == left - 25
    online = OnlineEvent(3).start()
    event_clock.pause(**order(online))
    before, seq = clock_shown(online), online.row.seq
    be_away(online, seconds=25)
    assert (clock_shown(online), online.row.seq) == (before, seq)


def test_an_event_that_cannot_take_its_time_back_keeps_no_other_from_it(monkeypatch) -> None:
    broken, event = OnlineEvent(3).start(), OnlineEvent(3).start()
    lengthen = after_outages._lengthen_level

    def refuse(locked: Locked, outage: Outage) -> None:
        if locked.row.pk == broken.row.pk:
            raise Illegal("broken", "a fault")
        lengthen(locked, outage)

    monkeypatch.setattr(after_outages, "_lengthen_level", refuse)
    event.now = broken.now = max(event.now, broken.now) + 40 * SECOND
    before = clock_shown(event)
    be_away(event, seconds=25)
    assert clock_shown(event) == before


@pytest.mark.parametrize(
    ("before", "after"),
    [(15, 15), (3, 10), (30, 10), (300, 275)],
    ids=["in the outage", "at its beginning", "right after it", "later, as announced"],
)
def test_registration_stays_open_as_long_as_it_would_have(before: int, after: int) -> None:
    event = Event(conduct="online", starts_at=START + before * SECOND).open()
    be_away(event, seconds=25)
    assert event.row.starts_at == event.row.wake_at == event.now + after * SECOND


def test_a_vote_on_a_deal_is_open_so_much_longer(audited: None) -> None:
    event = OnlineEvent(people=3, payout=PayoutTerms(places=3), price={"entry": {"pool": 100}}).start()
    proposal = deals.propose(kind="even", **(order(event) | {"by": event.people[0]}))
    assert proposal.expires_at is not None
    be_away(event, seconds=25)
    assert DealProposal.objects.get(pk=proposal.pk).expires_at == proposal.expires_at + 25 * SECOND


def test_who_may_buy_again_has_as_long_for_it() -> None:
    event = until_ann_waits(dear().start())
    (table,) = event.tables.values()
    event.now += 5 * SECOND
    be_away(event, seconds=30)
    assert receivers.wake(table_id=table.pk, fence=None, now=event.now)
    (table,) = event.tables.values()
    assert ann_of(event).is_in
    assert table.wake_at == event.now + 15 * SECOND
    event.ring()
    assert not ann_of(event).is_in
