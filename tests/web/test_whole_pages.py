"""What a person opens in a tab of their own is a page, never a part of one."""

import pytest

from tests.web.conftest import NOW
from tests.web.room_rows import areas
from tests.web.test_event_permissions import ROWS as EVENT_ROWS
from tests.web.test_event_permissions import event  # noqa: F401, a fixture
from tests.web.test_room_permissions import name_of

AS_A_BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
WHOLE = b"<!doctype html"


def parts(rows, browser, places, role):
    """The addresses of the rows that answer this role with a piece of HTML."""
    found = []
    for row in rows:
        if row.method != "GET" or row.path.startswith("/api/") or getattr(row, role) != 200:
            continue
        path = row.path.format_map(places)
        answer = browser.get(path, headers=AS_A_BROWSER, follow=True)
        assert answer.status_code == 200, path
        is_html = answer["Content-Type"].startswith("text/html")
        if is_html and not answer.content[:200].lstrip().lower().startswith(WHOLE):
            found.append(path)
    return found


@pytest.mark.usefixtures("_remembered_logins")
@pytest.mark.parametrize("area", list(areas()), ids=name_of)
def test_every_address_of_the_room_opens_as_a_whole_page(area, staff, browse):
    places = area.room(staff, NOW)
    assert not [path for role in ("player", "manager") for path in parts(area.ROWS, browse(staff[role]), places, role)]


@pytest.mark.usefixtures("_remembered_logins")
def test_every_address_of_an_event_opens_as_a_whole_page(event, browse):  # noqa: F811, the fixture
    assert not parts(EVENT_ROWS, browse(event.director), event.ids, "director")


@pytest.mark.parametrize("more", [{"HX-Request": "true"}, {}])
def test_a_page_that_asks_for_its_part_gets_the_part(evening, browse, more):
    answer = browse().get("/lobby/?game=razz", headers={"Accept": "*/*"} | more)
    assert WHOLE not in answer.content.lower()


def test_going_back_to_a_part_shows_the_page_it_belongs_to(evening, browse):
    headers = AS_A_BROWSER | {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert browse().get("/lobby/?game=razz", headers=headers)["Location"] == "/?game=razz"
