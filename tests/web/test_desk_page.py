"""The ruling desk: every question answered on a page of its own address, with its rule, under every book."""

import re
from html import unescape

import pytest

from tests.support.pages import html_of
from tests.support.parts.games import asking, load, slugs


@pytest.mark.parametrize("question", asking.QUESTIONS, ids=lambda question: question.slug)
def test_every_question_has_a_page_that_cites_its_rule(browse, question):
    page = html_of(browse().get("/desk/", {"what": question.slug}))
    assert str(question.title) in page.replace("&#x27;", "'")
    for key in question.keys:
        assert load("roberts-v4").citation(key).replace("'", "&#x27;") in page


@pytest.mark.parametrize("slug", slugs())
def test_the_book_in_the_address_rules(browse, slug):
    page = browse().get("/desk/", {"what": "too-early", "rulebook": slug}).content.decode()
    assert re.search(rf'<option value="{slug}" selected>', page)
    assert load(slug).citation("premature_deal").replace("'", "&#x27;") in page


def test_the_first_page_lists_everything_and_who_shows_first_is_told_with_its_rule(browse):
    page = unescape(browse().get("/desk/?what=who-shows&players=4").content.decode())
    assert "Seat 3 shows first" in page
    assert "No ruling" not in page
    assert load("roberts-v4").citation("showdown_order") in page
    page = browse().get("/desk/").content.decode()
    for question in asking.QUESTIONS:
        assert f"?what={question.slug}" in page


def test_a_choice_brings_its_own_questions_with_it_and_a_ticked_box_counts(browse):
    one = browse().get("/desk/", {"what": "downcard-seen", "which": "first"}).content.decode()
    both = browse().get("/desk/", {"what": "downcard-seen", "which": "both"}).content.decode()
    assert "would have been low" not in one.split("Citations")[0]
    assert 'name="would_be_low"' in both
    address = "/desk/?what=misdeal&acted=2&is_in=no&is_in=yes"
    assert browse().get(address).status_code == 200
    assert "checked" in browse().get(address).content.decode()


def test_what_makes_no_sense_is_said_beside_the_form_and_a_book_that_is_none_refused(browse):
    page = html_of(browse().get("/desk/", {"what": "too-early", "players": "99", "street": "5"}), 400)
    assert "a whole number from" in page
    assert 'value="5" checked' in page, "what made sense stays as it was"
    for book in ("house:x", "house:x@1", "house:\0@1", "\0", "../roberts-v4", "x" * 500, "house:@"):
        assert browse().get("/desk/", {"what": "too-early", "rulebook": book}).status_code == 400, book


def test_a_part_of_the_page_is_all_a_script_gets(browse):
    client = browse()
    part = client.get("/desk/", {"what": "void"}, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert "ruling__title" in part
    again = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert "<html" in client.get("/desk/", {"what": "void"}, headers=again).content.decode()
