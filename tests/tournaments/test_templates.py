"""Templates and series: events to be made again and again."""

from datetime import date, timedelta

import pytest

from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotFound
from tests.support.events import PRICE, config
from tests.support.parts.tournaments import event_terms, series, tournaments
from tests.support.refusals import refused
from tournaments.engine import config as terms


@pytest.fixture
def event(make_event):
    return make_event(conduct="online", entry_code="aces", when_short="cancel")


def template(event, **fields):
    given = {"name": "Nightly", "config": terms.to_json(config(late_level=2)), "price": PRICE, **fields}
    return event_terms.create(**{"by": event.director, "now": event.now, **given})


def test_an_event_takes_from_its_template_what_it_is_not_given_and_stays_so_when_it_changes(event):
    nightly = template(event, when_short="cancel")
    made = tournaments.create(by=event.director, now=event.now, template_id=nightly.pk, name="Nightly, Friday")
    event_terms.edit(template_id=nightly.pk, by=event.director, now=event.now, config=terms.to_json(config()))
    for row, late_level in ((made, 2), (nightly, 0)):
        row.refresh_from_db()
        assert terms.from_json(row.config).late_level == late_level
    assert (made.name, made.when_short, made.template) == ("Nightly, Friday", "cancel", nightly)
    assert made.price == nightly.price


def test_a_template_may_be_an_event_there_is_is_checked_as_one_and_frees_its_name_when_it_is_put_away(event):
    kept = event_terms.save_as(tournament_id=event.pk, by=event.director, name="Nightly", now=event.now)
    assert (kept.name, kept.entry_code, kept.when_short) == ("Nightly", "aces", "cancel")
    assert kept.config == event.row.config
    refused(Conflict, "called Nightly already", template, event)
    event_terms.archive(template_id=kept.pk, by=event.director, now=event.now)
    assert template(event).pk != kept.pk
    refused(NotFound, tournaments.create, by=event.director, now=event.now, template_id=kept.pk)
    refused(Illegal, "2 to 8 seats", template, event, config=terms.to_json(config()) | {"seats": 1})
    refused(Forbidden, template, event, by=event.player())


def test_a_series_has_a_name_of_its_own_and_days_that_run_forwards(event):
    spring = series.create(by=event.director, name=" Spring  Festival ", now=event.now, starts_on=date(2030, 3, 1))
    assert spring.name == "Spring Festival"
    refused(Conflict, series.create, by=event.director, name="Spring Festival", now=event.now)
    edit = {"series_id": spring.pk, "by": event.director}
    refused(Invalid, "or later", series.edit, ends_on=date(2030, 2, 1), **edit)
    assert series.edit(ends_on=date(2030, 3, 9), is_archived=True, **edit).is_archived
    refused(NotFound, series.edit, series_id=0, by=event.director)


def test_an_event_does_not_start_in_the_past(event):
    made = {"by": event.director, "now": event.now, "name": "Late", "config": terms.to_json(config()), "price": PRICE}
    hour = timedelta(hours=1)
    refused(Invalid, "past", tournaments.create, **made, starts_at=event.now - hour)
    row = tournaments.create(**made, starts_at=event.now + hour)
    edit = {"tournament_id": row.pk, "by": event.director}
    refused(Invalid, "past", tournaments.edit, **edit, now=event.now, starts_at=event.now - hour)
    edited = tournaments.edit(**edit, now=event.now + 2 * hour, starts_at=row.starts_at, description="As it was")
    assert edited.starts_at == row.starts_at
