"""Several managers at once at one house rulebook."""

from functools import partial

import pytest
from django.db import IntegrityError

from cardroom.core.verb import current_time
from games.rulebooks import services as rulebook_services
from games.rulebooks.models import RulebookVersion
from tests.support.parts.cardroom import Conflict, Stale, access
from tests.support.racing import in_step, race, refusals

pytestmark = pytest.mark.django_db(transaction=True)

ACTORS = 4


@pytest.fixture
def managers(open_table):
    """Four of them, each about to save another number of raises after the version they all have before them."""
    table = open_table()
    people = [table.player(f"mia{n}") for n in range(ACTORS)]
    for person in people:
        access.grant_role(user=person, role="manager", by=None)
    first = rulebook_services.create_book(name="River Room", base="gardens", changes={}, by=people[0], now=table.now)
    revise = partial(rulebook_services.revise, slug="river-room", after=first.version, now=table.now)
    return [
        partial(revise, by=person, changes={"raise_cap": {"value": {"raises": 4 + n}}})
        for n, person in enumerate(people)
    ]


def test_one_of_several_saves_makes_the_next_version(managers):
    outcomes = race(*managers)
    assert (refusals(outcomes, Stale), RulebookVersion.objects.count()) == (ACTORS - 1, 2)
    newest = next(outcome.version for outcome in outcomes if isinstance(outcome, RulebookVersion))
    window = partial(managers[0], after=newest, changes={"raise_cap": {"value": {"raises": 9}}}, key="save")
    assert len({outcome.pk for outcome in race(*[window] * ACTORS)}) == 1
    found = partial(
        rulebook_services.create_book, name="Harbour", base="home", changes={}, now=managers[0].keywords["now"]
    )
    outcomes = race(*[partial(found, by=manager.keywords["by"]) for manager in managers])
    assert refusals(outcomes, Conflict) == ACTORS - 1


@pytest.mark.postgres
@pytest.mark.long("shows that the guard is needed; the same race with it stays")
def test_without_the_lock_only_the_numbering_stops_them(managers, monkeypatch):
    monkeypatch.setattr(rulebook_services, "lock", lambda book, pk: (book.objects.get(pk=pk), current_time()))
    monkeypatch.setattr(rulebook_services, "_draft_version", in_step(rulebook_services._draft_version, ACTORS))
    outcomes = race(*managers)
    assert refusals(outcomes, IntegrityError) == ACTORS - 1  # not Stale: nobody was told in words
