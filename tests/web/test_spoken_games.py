"""Players' pages in another language: lessons, the lobby and what players are told."""

import json
import re

import pytest
from django.utils import timezone, translation

from cardroom.core import languages
from cardroom.management.commands.languages import said_in_data
from games.engine.ranking import GAMES
from games.tables.queries.offers import GAME_NAMES
from games.training.lessons import SEAT, lessons
from tests.support.crowd import a_full_room, an_offer
from tests.support.models import Notice, User
from tests.support.pages import get, html_of, says
from tests.support.parts.games import home_games
from tests.web.test_languages import write

FIRST = lessons()["first-hand"]
COACH = next(stop for stop in FIRST.parts[0].stops if stop.poor)
WORDS = {
    FIRST.title: "Die erste Hand",
    COACH.says: "Was nun?",
    COACH.then: "Gut so.",
    next(iter(COACH.poor.values())): "Lieber nicht.",
    "You": "Du",
    "Other tables": "Andere Tische",
    "{host} invites you to a home game: {table}. It is under Home games in your menu.": "{host} lädt zu {table} ein.",
}


@pytest.fixture
def _german(tmp_path, settings):
    """These words in German, and no others."""
    write(tmp_path / "words", WORDS)
    languages.lay_out(tmp_path / "words", tmp_path / "locale")
    settings.LOCALE_PATHS = [tmp_path / "locale"]


@pytest.mark.usefixtures("_german")
def test_a_lesson_and_the_lobby_are_in_the_language_of_each_reader_whoever_had_them_drawn_before(client):
    page = html_of(client.get("/learn/first-hand/", headers={"Accept-Language": "de"}))
    says(page, "Die erste Hand")
    told = json.loads(re.search(r'id="lesson-data"[^>]*>(.*?)</script>', page)[1])
    assert told[0]["seats"][SEAT - 1]["name"] == "Du"
    (stop,) = (each for each in told[0]["stops"] if each["upto"] == COACH.upto)
    assert (stop["says"], stop["then"]) == ("Was nun?", "Gut so.")
    assert "Lieber nicht." in stop["poor"].values()
    says(get(client, "/learn/first-hand/"), FIRST.title)
    an_offer("Small Stud", 5, 10)
    a_full_room(tables=1, seated=2)
    says(get(client), "Other tables")
    says(html_of(client.get("/", headers={"Accept-Language": "de"})), "Andere Tische", but=["Other tables"])


@pytest.mark.usefixtures("_german")
def test_an_invitation_is_in_the_language_of_the_guest(settings):
    settings.CARDROOM_WELCOME_CHIPS = 10_000
    host, guest = (User.objects.create_user(name) for name in ("hanna", "gustav"))
    User.objects.filter(pk=guest.pk).update(language="de")
    game = home_games.open_one(by=host, now=timezone.now(), game="razz", stakes="5/10", rulebook="roberts-v4")
    home_games.invite(table_id=game.table_id, by=host, name="gustav", now=timezone.now())
    assert Notice.objects.get(player=guest).text == f"hanna lädt zu {game.table.name} ein."


def test_translators_are_told_all_that_a_lesson_says():
    known = {text for texts in said_in_data().values() for text in texts}
    for lesson in lessons().values():
        said = [lesson.title, lesson.about]
        for part in lesson.parts:
            said += [part.title, part.names[SEAT - 1]]
            for stop in part.stops:
                said += [stop.says, stop.then, *stop.poor.values()]
        assert {text for text in said if text} <= known, lesson.slug


def test_each_game_has_a_name_that_can_be_translated():
    with translation.override("en"):
        assert {slug: str(name) for slug, name in GAME_NAMES.items()} == {game: GAMES[game].title for game in GAMES}
