"""Every page of the room, as somebody who may see it: nothing to complain of, and nothing wider than the screen.

The pages are those of the permission tables (`tests.web.room_rows`, `test_permissions`, `test_event_permissions`), so a
page that has no row there fails those tests first; each lays out what its rows are about.
"""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
import time_machine
from django.db.models import Value
from django.db.models.functions import Concat
from django.urls import resolve
from django.utils import timezone

from games.training.problems import answering as problems
from games.training.problems import making as problem_making
from tests.browser.axe import findings
from tests.browser.conftest import directing, new_room
from tests.browser.staff import is_there, session_of, signed_up
from tests.support import tiers
from tests.support.evening import Evening
from tests.support.events import START
from tests.support.models import Drawer, Offer, Section, Table, User
from tests.web import test_event_permissions as events
from tests.web import test_permissions as tables
from tests.web.room_rows import areas
from tournaments.engine.commands import Pause

pytestmark = pytest.mark.browser

#: Who looks at a page: the first of these who may.
LOOKERS = ("player", "manager", "cashier", "floor", "auditor", "dealer")
NARROW, WIDE = {"width": 390, "height": 844}, {"width": 1280, "height": 800}
#: Of programs, files, and others' own.
_NO_PAGE = re.compile(
    r"^/api/(?!docs)|[./=](pdf|csv|js|json|py|png|webmanifest|webp)\b|/receipt/$|/print/|/file/|^/healthz|"
    r"/accounts/(confirm-email|password/reset)/"
)
#: How much wider than the screen a page is, and what sticks out of it furthest; asked when it has been drawn.
_OVERFLOW = """
async () => {
  await new Promise(requestAnimationFrame);
  const page = document.documentElement, wide = page.scrollWidth - page.clientWidth;
  if (wide <= 0) return "";
  const loose = (each) => !each.parentElement.closest(".tabs, .nav-links, .table-wrap");
  const all = [...document.body.querySelectorAll("*")].filter(loose);
  const ends = all.map((each) => [each.getBoundingClientRect().right, each]);
  const [, worst] = ends.sort(([one], [other]) => other - one)[0];
  return `${wide} px too wide: ${worst.tagName} ${worst.className}`;
}
"""
_UNNAMED = """
() => [...document.querySelectorAll("input:not([type=hidden]), select, textarea")]
  .filter((field) => field.checkVisibility() && !field.labels.length && !field.ariaLabel)
  .map((field) => `${field.tagName} ${field.name} has no label`)
"""
_NARROW = """
() => [...document.querySelectorAll("button, .button")]
  .filter((each) => each.checkVisibility() && each.clientWidth > 9 && each.scrollWidth > each.clientWidth + 1)
  .map((each) => `"${each.innerText}" is wider than its button`)
"""


def lay_out() -> list[tuple[str, str, User | None]]:
    """What there is to be looked at: who is asked, the path, and as whom."""
    now, looks = timezone.now(), []
    for area in areas():
        stem = area.__name__.rpartition(".")[2]
        staff = {role: signed_up(f"{stem}{role}", "" if role == "player" else role) for role in LOOKERS}
        places = area.room(staff, now)
        for row in area.ROWS:
            path = row.path.format_map(places)
            if row.method != "GET" or _NO_PAGE.search(path):
                continue
            role = next((role for role in LOOKERS if getattr(row, role) == 200), None)
            if role:
                looks.append((role, path, staff[role]))
            if row.anonymous == 200 and (not role or tiers.is_long()):
                looks.append(("anybody", path, None))
        _set_apart(stem)
    with time_machine.travel(START, tick=False):
        table = Evening(name="Larch")
        table.ann, table.bob = table.sit("anneke", 1), table.sit("bobbin", 2)
        table.deal()
        table.hand = table.table.hand_id
        table.play_out()
        lookers = tables.lay_out(table)
        problem_making.make_due(now=now)  # the room that is walked through has the time of today
        asked = problems.problem(day=None, viewer=None, now=now)
        table.places |= {"day": str(asked.day), "choice": asked.actions[0]}
        looks += _pages(tables.ROWS, lookers, table.places)
        event = events.lay_out()
        event.play(Pause())  # its clock would show the years until then
        looks += _pages(events.ROWS, event.people, event.ids)
    if tiers.is_long():
        return looks
    # An address is looked at once, whatever is asked there, by one kind of person.
    return [*{(look[0], resolve(look[1].partition("?")[0]).route): look for look in reversed(looks)}.values()][::-1]


def _pages(rows, people, places) -> Iterator[tuple[str, str, User | None]]:
    """Each page once, as the one who may do least of those who may see it."""
    for row in rows:
        path = row.path.format_map(places)
        role = next((role for role in people if getattr(row, role) == 200), None)
        if row.method == "GET" and role and not _NO_PAGE.search(path):
            yield role, path, people[role]


def _set_apart(stem):
    """What an area laid out is called after it from now on: the next one may have the same names."""
    for model, name in ((User, "username"), (Table, "name"), (Offer, "name"), (Section, "name"), (Drawer, "name")):
        model.objects.exclude(**{f"{name}__contains": "~"}).update(**{name: Concat(name, Value(f"~{stem}"))})


@pytest.fixture(scope="module")
def room(tmp_path_factory, _migrated_database):
    """What is laid out here has the names of the permission table."""
    with new_room(tmp_path_factory.mktemp("room"), _migrated_database) as own:
        yield own


@pytest.fixture(scope="module")
def looks(room, django_db_blocker):
    with directing(room, django_db_blocker) as direct:
        return direct(lay_out)


@pytest.fixture
def walk(room, come_in, direct, looks):
    """`walk(size, faults)`: nothing is what `faults(page, who)` finds wrong with each page on a screen of this size, as
    somebody who may see it. They follow each other at one browser, which has read the styles and modules then."""

    def walked(size, faults):
        sessions = direct(lambda: {user: session_of(user) for _, _, user in looks if user})
        person, here, wrong, seen = come_in(None), None, [], set()
        person.page.set_viewport_size(size)
        # A fragment that is opened by itself names no icon: Chromium asks for one at the usual place.
        person.context.route("**/favicon.ico", lambda route: route.fulfill(status=204))
        manager = next(user for user in sessions if user.username.endswith("manager"))
        for who, path, user in [*looks, ("manager", "/kiosk/", manager)]:
            if user != here:
                # The page of the one before would go on asking, as nobody.
                person.page.goto("about:blank")
                person.context.clear_cookies()
                if user:
                    is_there(person, user, sessions[user], url=room.url)
                here = user
            wrong += [f"{path} as {who}: {fault}" for fault in _looked_at(person, path, user, who, faults, seen)]
        person.page.get_by_role("button", name="Open the kiosk here").click()
        person.page.locator("#kiosk-form").wait_for()
        wrong += [f"the open kiosk: {each}" for each in _looked_at(person, "/kiosk/", "kiosk", "kiosk", faults, seen)]
        assert not wrong, "\n".join(wrong)

    return walked


def _looked_at(person, path, user, who, faults, seen):
    """A part that is opened by itself leads to the page that it is of, and that one is looked at, unless they have
    `seen` it."""
    answer = person.page.goto(path, wait_until="commit")
    if answer.status != 200 or (user and "/accounts/login/" in answer.url.removesuffix(path)):
        yield f"answers {answer.status} at {answer.url}"
        return
    if (answer.url, user) in seen:
        return
    seen.add((answer.url, user))
    person.page.wait_for_load_state()
    yield from faults(person.page, who)
    yield from person.complaints
    person.complaints.clear()


def test_no_page_complains_or_is_wider_than_a_phone(walk, looks):
    assert len(looks) > 100
    asked = f"async () => [await ({_OVERFLOW})(), ...({_UNNAMED})(), ...({_NARROW})()].filter(Boolean)"
    kinds = set()

    def faults(page, who):
        yield from page.evaluate(asked)
        kind = who, urlsplit(page.url).path.split("/")[1]
        if kind not in kinds:
            kinds.add(kind)
            yield from findings(page, ("dark",))

    walk(NARROW, faults)
    assert len(kinds) > 30


@pytest.mark.long("every page on two screens in both colours; a page of each kind stays, and the table in test_axe.py")
@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["phone", "desk"])
def test_axe_finds_nothing_on_any_page_and_none_is_wider_than_the_screen(walk, size):
    walk(size, lambda page, _: filter(None, [page.evaluate(_OVERFLOW), *findings(page)]))
