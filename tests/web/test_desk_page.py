"""The ruling desk: every question answered on a page of its own address, with its rule, under every book."""

from html import unescape

from tests.support.pages import get, html_of, says
from tests.support.parts.games import asking, load, slugs


def test_every_question_is_on_the_first_page_and_has_one_that_cites_its_rule_by_the_book_in_the_address(browse):
    first = get(browse(), "/desk/")
    for question in asking.QUESTIONS:
        says(first, f"?what={question.slug}")
        page = unescape(get(browse(), f"/desk/?what={question.slug}"))
        says(page, question.title, *(load("roberts-v4").citation(key) for key in question.keys))
    for slug in slugs():
        page = unescape(get(browse(), f"/desk/?what=too-early&rulebook={slug}"))
        says(page, f'<option value="{slug}" selected>', load(slug).citation("premature_deal"))
    page = unescape(get(browse(), "/desk/?what=who-shows&players=4"))
    says(page, "Seat 3 shows first", load("roberts-v4").citation("showdown_order"), but=["No ruling"])


def test_a_choice_brings_its_own_questions_and_what_makes_no_sense_is_said_beside_the_form(browse):
    one, both = (get(browse(), f"/desk/?what=downcard-seen&which={which}") for which in ("first", "both"))
    assert "would have been low" not in one.split("Citations")[0]
    assert 'name="would_be_low"' in both
    assert "checked" in get(browse(), "/desk/?what=misdeal&acted=2&is_in=no&is_in=yes"), "a ticked box counts"
    says(get(browse(), "/desk/?what=too-early&players=99&street=5", 400), "a whole number from", 'value="5" checked')
    for book in ("house:x", "house:x@1", "house:\0@1", "\0", "../roberts-v4", "x" * 500, "house:@"):
        assert browse().get("/desk/", {"what": "too-early", "rulebook": book}).status_code == 400, book


def test_a_part_of_the_page_is_all_a_script_gets(browse):
    says(html_of(browse().get("/desk/?what=void", headers={"HX-Request": "true"})), "ruling__title", but=["<html"])
    again = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    says(html_of(browse().get("/desk/?what=void", headers=again)), "<html")
