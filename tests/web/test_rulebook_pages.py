"""The pages of the rules: books side by side, the house's own, and which book a table plays."""

import re
from dataclasses import replace
from html import unescape

import pytest
import time_machine
from django.utils import translation

from cardroom.core import access
from games.engine.facts.play import Ruled
from games.play.pages.story import parts_of
from games.rulebooks import services as rulebook_services
from games.rulebooks import words as rulebook_words
from games.tables import offers
from games.tables.queries.history import hand_story
from tests.support.models import RulebookVersion, Table
from tests.support.pages import assert_hides, assert_shows
from tests.support.parts.games import load, questions, slugs
from tests.support.worlds import world
from tests.web.conftest import NOW

NEW = "/rules/house/new/"


@pytest.fixture(autouse=True)
def _now(time_machine):
    time_machine.move_to(NOW, tick=False)


@world
@time_machine.travel(NOW, tick=False)
def mia(two_at_a_table):
    manager = two_at_a_table.player("mia")
    access.grant_role(user=manager, role="manager", by=None)
    return manager


@world
@time_machine.travel(NOW, tick=False)
def river(two_at_a_table, mia):
    """A house book that allows four raises, in its first version."""
    changes = {"raise_cap": {"value": {"raises": 4}, "text": "Four raises at our tables."}}
    given = {"name": "River Room", "base": "roberts-v4", "changes": changes}
    return rulebook_services.create_book(**given, by=mia, now=two_at_a_table.now)


def text_of(answer, status=200):
    assert answer.status_code == status
    return unescape(answer.content.decode())


def form_of(page):
    """What a browser would send of the form as it stands."""
    sent: dict[str, list[str]] = {}
    for tag in re.findall(r"<input[^>]*>", page):
        field = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        if "name" not in field or (field.get("type") in ("radio", "checkbox") and not re.search(r"\bchecked\b", tag)):
            continue
        sent.setdefault(unescape(field["name"]), []).append(unescape(field.get("value", "")))
    for name, words in re.findall(r'<textarea[^>]*name="([^"]*)"[^>]*>([^<]*)</textarea>', page):
        sent[name] = [unescape(words)]
    return sent


def test_rulebooks_are_shown_side_by_side_and_one_by_one(browse):
    points, page = load("roberts-v4").points, text_of(browse().get("/rules/roberts-v4/"))
    assert_shows(page, *(f'id="{key}"' for key in points))
    assert page.count("<cite>") == len(points)
    page = text_of(browse().get("/rules/"))
    assert_shows(page, *(load(slug).title for slug in slugs()), *(f'id="{key}"' for key in questions()))
    assert_shows(text_of(browse().get("/rules/?only=differences")), 'id="raise_cap"', but=['id="streets"'])
    with_texts = text_of(browse().get("/rules/?texts=on"))
    for slug in slugs():
        assert_shows(with_texts, load(slug).words("raise_cap"), load(slug).citation("raise_cap"))


def test_a_house_book_shows_both_texts_and_keeps_a_page_for_each_version(river, browse, evening, mia):
    page = text_of(browse().get("/rules/house/river-room/"))
    assert_shows(page, "“Four raises at our tables.”", load("roberts-v4").words("raise_cap"))
    assert_shows(page, "House rules River Room 2030-01-05, raise_cap (changed from Robert's Rules of Poker v4, 3; ")
    assert_shows(page, "House rules River Room 2030-01-05, as Robert's Rules of Poker v4, 4", but=["Change it"])
    played = load("house:river-room@2030-01-05").points["raise_cap"].played
    assert page.count(f"<strong>Played:</strong> {played}") == 2
    assert_shows(text_of(browse().get("/rules/")), "River Room 2030-01-05")
    changed = {"slug": "river-room", "changes": {"raise_cap": {"value": {"raises": 5}}}, "note": "Busier"}
    rulebook_services.revise(**changed, after="2030-01-05", by=mia, now=evening.now)
    assert_shows(text_of(browse().get("/rules/house/river-room/")), "2030-01-05-2")
    old = text_of(browse().get("/rules/house/river-room/2030-01-05/"))
    assert_shows(old, "This is an older version", "Four raises at our tables.")
    history = text_of(browse().get("/rules/house/river-room/history/"))
    assert history.index("2030-01-05-2") < history.index('id="version-1"')
    assert_shows(history, "Busier")
    assert re.search(r"<del>raises after the bet: 4;.*<ins>raises after the bet: 5;", history, re.DOTALL)


@pytest.mark.smoke
def test_the_untouched_form_is_the_base_book_and_sent_twice_saved_once(mia, browse):
    page = text_of(browse(mia).get(f"{NEW}?base=home"))
    assert_shows(page, "No changes")
    for _ in range(2):
        assert browse(mia).post(NEW, form_of(page) | {"name": "Home from home", "save": "1"}).status_code == 302
    saved = RulebookVersion.objects.get()
    assert (saved.changes, saved.book.base) == ({}, "home")


@pytest.mark.parametrize("base", slugs())
def test_a_manager_starts_from_any_book_and_changes_points(base, mia, browse):
    browser = browse(mia)
    assert_shows(text_of(browser.get(NEW)), f'value="{base}"')
    sent = form_of(text_of(browser.get(f"{NEW}?base={base}")))
    sent |= {"name": "River Room", "note": "As we play", "raise_cap.raises": "5", "raise_cap.heads_up": "capped"}
    sent |= {"burns": ["", "5", "7"], "text:burns": "We burn before the fifth and the seventh card."}
    checked = text_of(browser.post(NEW, sent | {"check": "1"}))
    assert_shows(checked, "2 points changed", load(base).words("raise_cap"), sent["text:burns"])
    assert not RulebookVersion.objects.exists()
    answer = browser.post(NEW, sent | {"save": "1"}, follow=True)
    assert answer.redirect_chain == [("/rules/house/river-room/", 302)]
    assert_shows(text_of(answer), "House rules River Room 2030-01-05 is saved")
    book = load("house:river-room@2030-01-05")
    assert book.points["burns"].value == (5, 7)
    assert book.value("raise_cap", "cash") == {"raises": 5, "heads_up": "capped"}
    assert book.value("raise_cap", "tournament") == load(base).value("raise_cap", "tournament")


def test_what_makes_no_sense_is_refused_in_its_place_and_nothing_typed_is_lost(mia, browse):
    browser = browse(mia)
    form = form_of(text_of(browser.get(f"{NEW}?base=roberts-v4"))) | {"name": "River Room", "save": "1"}
    sent = {"exposed_downcard": "misdeal", "text:odd_chip": "To the best card, by suit."}
    page = text_of(browser.post(NEW, form | sent), 422)
    assert page.count("In cash games: one downcard face up is a misdeal already") == 3, "on top, and beside both points"
    assert_shows(page, 'value="River Room"')
    assert {name: form_of(page)[name] for name in sent} == {name: [value] for name, value in sent.items()}
    for field, value, words in (
        *(("players.least", each, "a whole number from 2 to 9") for each in ("", "two", "99999999999999999999")),
        ("raise_cap.heads_up", "perhaps", "one of uncapped"),
        ("text:odd_chip", "x", "10 to 400 characters"),
        ("name", "x", "a name of 3 to 40 characters"),
        ("note", "x" * 301, "at most 300 characters"),
    ):
        answer = browser.post(NEW, form | {field: value})
        assert answer.status_code in (400, 422)
        assert_shows(unescape(answer.content.decode()), words)
    assert not RulebookVersion.objects.exists()


def test_a_manager_changes_a_book_again_from_where_it_stands(river, mia, browse):
    browser = browse(mia)
    sent = form_of(text_of(browser.get("/rules/house/river-room/edit/")))
    assert (sent["raise_cap.raises"], sent["text:raise_cap"]) == (["4"], ["Four raises at our tables."])
    sent |= {"save": "1"}
    assert_shows(text_of(browser.post("/rules/house/river-room/edit/", sent), 409), "Nothing differs")
    answer = browser.post("/rules/house/river-room/edit/", sent | {"raise_cap.raises": "3"}, follow=True)
    assert_shows(text_of(answer), "2030-01-05-2 is saved")
    stale = browser.post("/rules/house/river-room/edit/", sent | {"key": "other"})
    assert_shows(text_of(stale, 409), "The newest version is 2030-01-05-2, not 2030-01-05")


def test_a_manager_tells_a_table_which_book_to_play(evening, river, mia, browse):
    browser, address = browse(mia), f"/tables/{evening.pk}/rulebook/"
    assert_shows(text_of(browser.get(address)), river.reference)
    page = text_of(browser.post(address, {"rulebook": river.reference}, follow=True))
    assert_shows(page, "uses House rules River Room 2030-01-05 from the next hand", "The current hand ends under")
    assert evening.table.rulebook == river.reference
    by_the_old_one = '"/rules/roberts-v4/" data-page="book"'  # the hand on it is still played
    assert_shows(text_of(browser.get(f"/tables/{evening.pk}/")), by_the_old_one)
    Table.objects.filter(pk=evening.pk).update(dealt_by="person")
    access.grant_role(user=mia, role="dealer", by=None)
    assert_shows(
        text_of(browser.get(f"/tables/{evening.pk}/deal/")), by_the_old_one, '?rulebook=roberts-v4" data-page="desk"'
    )
    Table.objects.filter(pk=evening.pk).update(dealt_by="automatic")
    evening.play_out()
    evening.deal()
    assert_shows(
        text_of(browser.get(f"/tables/{evening.pk}/")), '"/rules/house/river-room/2030-01-05/" data-page="book"'
    )
    assert_shows(text_of(browser.post(address, {"rulebook": "hoyle"}), 400), "no rulebook called 'hoyle'")


def test_a_finished_hand_cites_the_book_that_it_was_played_by(finished, river, mia, browse):
    offers.play_by(table_id=finished.pk, reference=river.reference, by=mia, now=finished.now)
    first = finished.hand
    finished.deal()
    second = finished.table.hand_id
    finished.act("complete")
    finished.play_out()
    assert_shows(
        text_of(browse().get(f"/hands/{first}/")), 'by <a href="/rules/roberts-v4/">Robert\'s Rules of Poker v4</a>'
    )
    page = text_of(browse().get(f"/hands/{second}/"))
    assert_shows(page, 'by <a href="/rules/house/river-room/2030-01-05/">House rules River Room 2030-01-05</a>')
    assert_shows(page, '<a href="/rules/house/river-room/2030-01-05/#completion">House rules River Room 2030-01-05, as')

    def last_line(reference, key, verdict):
        """The ruling, and how a hand that ends with it by this book is told."""
        book, played = load(reference), hand_story(hand_id=first, viewer=None)
        seq, at, _ = played.facts[-1]
        ruled = Ruled(key, verdict, seats=(1,), **book.cited(key, verdict))
        return ruled, parts_of(replace(played, book=book, facts=[*played.facts, (seq + 1, at, ruled)]))[-1].lines[-1]

    _, told = last_line("roberts-v4", "penalty", "penalty")
    assert told.rule == "TDA 2024, rule 71", "and no book that does not have it"
    _, told = last_line(river.reference, "raise_cap", "capped")
    assert (told.own_language, rulebook_words.words(river.reference)["said"]) == ("", {})
    with translation.override("de"):
        ruled, told = last_line(river.reference, "raise_cap", "capped")
        assert told.own_language.startswith("Erhöhungen nach dem Einsatz: 4; ")
        assert (
            rulebook_words.words("house:nowhere@2030-01-05", river.reference)["said"][ruled.words] == told.own_language
        )


def test_a_book_is_told_in_the_readers_language_beside_its_own_words(browse):
    german = {"headers": {"Accept-Language": "de"}}
    point = load("home").points["burn_error"]
    own = f'<q class="book-words" lang="en">{point.text}</q>'
    with translation.override("de"):
        said = translation.gettext(point.text)
    for address in ("/rules/home/", "/rules/?texts=on", "/desk/?what=burned-wrong&rulebook=home"):
        assert_shows(text_of(browse().get(address, **german)), f"{said} {own}")
        assert_hides(text_of(browse().get(address)), f"{point.text} <q")
    silent = text_of(browse().get("/rules/home/", **german))
    assert_shows(silent, "(sagt nichts; gespielt wie Robert's Rules of Poker v4, ", but=["silent; played as"])
