"""The language of pages, lessons, answers and mails: what a browser asks for, what a person chose, and words laid out
anew."""

import json
import os
import re
from datetime import timedelta
from unittest.mock import Mock

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings as room_settings
from django.core import mail
from django.db import DatabaseError, OperationalError, connection
from django.db.models import QuerySet
from django.template import Context, Template
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from cardroom.core.errors import Invalid
from cardroom.core.web import parts
from cardroom.core.web.api.fields import ChipsField, RequestBody
from cardroom.management.commands.languages import words_in_data
from games.engine.games import GAMES
from games.reports.pages.reports import ChooseDaysForm as ReportSpan
from games.reports.pages.statements import ChooseSpanForm as StatementSpan
from games.tables.queries.offers import GAME_NAMES
from games.templatetags.room import short_chips
from games.training.lessons import SEAT, lessons
from tests.support.crowd import a_full_room, an_offer
from tests.support.models import Notice, User
from tests.support.pages import assert_hides, assert_shows, get, html_of, json_of
from tests.support.parts.cardroom import access, approvals, languages, look, people, room_time, sentences
from tests.support.parts.games import home_games
from tests.support.refusals import refused
from tests.web.conftest import NOW
from tournaments.engine.clock import Level
from tournaments.engine.errors import EventSentence
from tournaments.events import queries as event_queries

FIRST = lessons()["first-hand"]
COACH = next(stop for stop in FIRST.parts[0].stops if stop.poor)
HEAD = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nPlural-Forms: nplurals=2; plural=(n != 1);\\n"\n'
GERMAN = {
    "Lobby": "Empfangshalle",
    "There is no language {language!r} here: choose one from the list.": "Die Sprache {language!r} gibt es hier nicht.",
    "Password Reset Email": "Ein neues Passwort",
    "This request has expired: {words}. Send a new request.": "Diese Anfrage ist abgelaufen: {words}.",
    "{host} invites you to a home game: {table}. It is under Home games in your menu.": "{host} lädt zu {table} ein.",
    "Other tables": "Andere Tische", "Vault: {difference}": "Tresor: {difference}",
    "{amount:,} over": "{amount:,} zu viel", "{one}; {other}": "{one} – {other}", FIRST.title: "Die erste Hand",
    COACH.speech: "Was nun?", COACH.then: "Gut so.", next(iter(COACH.poor.values())): "Lieber nicht.", "You": "Du",
}  # fmt: skip


def write(folder, words, domain="django"):
    """The German of these words, as translators write it."""
    path = folder / "de" / "LC_MESSAGES" / f"{domain}.po"
    path.parent.mkdir(parents=True, exist_ok=True)
    quoted = [[json.dumps(text, ensure_ascii=False) for text in pair] for pair in words.items()]
    texts = [f"\nmsgid {said}\nmsgstr {told}\n" for said, told in quoted]
    path.write_text("".join([HEAD, *texts]), encoding="utf-8")
    return path


@pytest.fixture
def german(tmp_path, settings):
    """German has some words, and no others than these."""
    words, laid_out = tmp_path / "words", tmp_path / "laid-out"
    write(words, GERMAN)
    write(words, {"Fold": "Aussteigen"}, "djangojs")
    languages.lay_out(words, laid_out)
    settings.LOCALE_PATHS = [laid_out]


@pytest.fixture
def ann():
    user = User.objects.create_user("ann", password="all-the-burns-4", email="ann@room.example")
    people.sign_up_bonus(user=user, now=NOW)
    return user


def speaks(answer) -> str:
    """The language of a page, which it says twice."""
    told = answer["Content-Language"]
    assert f'<html lang="{told}"' in answer.content.decode()
    return told


def asked_by(user, now):
    over = sentences.stored_text("{amount:,} over", amount=5_000)
    words = sentences.stored_text("Vault: {difference}", difference=[over, "Anna"])
    return approvals.ask(what="cage.count_vault", words=words, payload={}, by=user, now=now)


def asks(browser, languages_asked, path="/", **more):
    return browser.get(path, headers={"Accept-Language": languages_asked}, **more)


def test_a_page_is_in_the_language_that_the_browser_asks_for(browse):
    page = asks(browse(), "de-CH, fr;q=0.8")
    assert speaks(page) == "de"
    assert {"Accept-Language", "Cookie"} <= {each.strip() for each in page["Vary"].split(",")}
    spoken = [speaks(asks(browse(), asked)) for asked in ("pt", "pt-BR,en", "es-MX", "xx", "")]
    assert spoken == ["pt-br", "pt-br", "es", "en", "en"]


def test_a_chosen_language_wins_over_that_of_the_browser(browse, ann):
    browser = browse(ann)
    answer = browser.post("/me/language/", {"language": "fr", "next": "/rules/?q=ante"})
    assert (answer.status_code, answer["Location"]) == (302, "/rules/?q=ante")
    assert browser.post("/me/language/", {"language": "fr", "next": "abc"})["Location"] == "/me/"
    assert speaks(asks(browser, "de")) == "fr"
    assert speaks(asks(browse(User.objects.get(pk=ann.pk)), "es")) == "fr", "on another device too"
    browser.cookies[room_settings.LANGUAGE_COOKIE_NAME] = "es"
    assert speaks(asks(browser, "de")) == "fr"
    browser.post("/me/language/", {"language": ""})
    assert speaks(asks(browser, "de")) == "de", "nor does the cookie of a guest count any longer"
    User.objects.update(language="es")
    page = get(browser, "/me/")
    assert_shows(page, '<option value="">Como pida mi navegador</option>')
    assert_shows(page, '<option value="es" lang="es" selected>Español</option>')
    assert page.count("<option value=") >= len(room_settings.LANGUAGES)


def test_the_page_of_a_fault_is_in_the_language_of_the_browser(browse, ann, monkeypatch):
    browser = browse(ann)
    browser.raise_request_exception = False
    with monkeypatch.context() as patch:
        patch.setattr(QuerySet, "update", Mock(side_effect=DatabaseError("cannot execute UPDATE")))
        answer = asks(browser, "de")
    assert (answer.status_code, speaks(answer)) == (200, "de")
    monkeypatch.setattr("django.contrib.auth.get_user", Mock(side_effect=OperationalError("connection refused")))
    answer = asks(browser, "de")
    assert (answer.status_code, speaks(answer)) == (503, "de")


def test_a_guests_language_is_kept_by_the_browser_and_redirects_stay_in_the_room(browse, ann):
    guest, kept = browse(), room_settings.LANGUAGE_COOKIE_NAME
    answer = guest.post("/language/", {"language": "de", "next": "/rules/?q=ante"})
    assert (answer.status_code, answer["Location"]) == (302, "/rules/?q=ante")
    assert answer.cookies[kept]["samesite"] == "Lax"
    assert speaks(asks(guest, "fr")) == "de"
    assert kept not in browse().post("/language/", {"language": "xx"}).cookies
    for elsewhere in ("https://evil.example/", "//evil.example/", "javascript:alert(1)", ""):
        for browser, address, back in ((browse(ann), "/me/language/", "/me/"), (guest, "/language/", "/")):
            answer = browser.post(address, {"language": "de", "next": elsewhere})
            assert (answer.status_code, answer["Location"]) == (302, back), elsewhere


def test_a_new_account_keeps_the_language_chosen_before_and_the_one_read(browse):
    for name, chosen, read in (("gerda", "de", "de"), ("fanny", "", "fr")):
        guest = browse()
        if chosen:
            guest.post("/language/", {"language": chosen})
        assert speaks(asks(guest, "fr", "/accounts/signup/")) == read
        form = {"username": name, "password1": "all-the-burns-4", "password2": "all-the-burns-4"}
        answer = guest.post("/accounts/signup/", form, headers={"Accept-Language": "fr"})
        assert answer.status_code == 302, answer.content.decode()
        user = User.objects.get(username=name)
        assert (user.language, user.last_language) == (chosen, read)


def test_mail_to_people_without_a_chosen_language_uses_the_one_they_read_last(browse, ann, german):
    def now_shown() -> str:
        with languages.spoken_to(User.objects.get(pk=ann.pk)):
            return room_time.format_moment(NOW)

    browser = browse(ann)
    assert now_shown() == "5 January 2030, 20:00 UTC"
    assert (speaks(asks(browser, "de")), now_shown()) == ("de", "5. Januar 2030, 20:00 UTC")
    assert (speaks(asks(browser, "fr")), now_shown()) == ("fr", "5 janvier 2030, 20:00 UTC"), "pages follow the browser"
    asks(browser, "es", "/api/v1/me")
    asks(browser, "es", "/no-such-page/")
    assert now_shown() == "5 janvier 2030, 20:00 UTC", "none of these is a page that they read"
    browser.post("/me/language/", {"language": "de"})
    asks(browser, "es")
    assert now_shown() == "5. Januar 2030, 20:00 UTC", "what they chose wins"
    row = User.objects.get(pk=ann.pk)
    assert (row.language, row.last_language) == ("de", "fr")
    asks(browser, "en")
    browser.post("/me/language/", {"language": ""})
    assert (speaks(asks(browser, "en")), now_shown()) == ("en", "5 January 2030, 20:00 UTC")


def test_the_language_of_a_reader_is_saved_once_and_not_for_guests(browse, ann):
    browser, guest = browse(ann), browse()
    asks(browser, "en"), asks(guest, "de")
    for reads, asked, written in ((browser, "en", 0), (guest, "de", 0), (browser, "de", 1), (browser, "de", 0)):
        with CaptureQueriesContext(connection) as queries:
            asks(reads, asked)
        assert sum('SET "last_language"' in each["sql"] for each in queries) == written, asked


def test_programs_choose_a_language_too_and_one_that_is_not_spoken_is_refused(browse, ann, german):
    program = browse(ann)

    def wish(language):
        return program.patch("/api/v1/me", json.dumps({"language": language}), content_type="application/json")

    assert wish("xx").json()["detail"] == "There is no language 'xx' here: choose one from the list."
    assert wish("de").json()["language"] == "de"
    problem = json_of(wish("xx"), 400)
    assert (problem["code"], problem["detail"]) == ("no-such-language", "Die Sprache 'xx' gibt es hier nicht.")
    assert User.objects.get(pk=ann.pk).language == "de"
    assert_shows(html_of(program.post("/me/language/", {"language": "xx"}), 400), "Die Sprache")


def test_a_page_has_translated_words_and_untranslated_ones_in_english(browse, german):
    page = asks(browse(), "de").content.decode()
    assert_shows(page, "Empfangshalle</a>", "Skip to the content", f'src="/words/de/{languages.version("de")}.js"')
    assert_hides(asks(browse(), "en").content.decode(), "Empfangshalle", "/words/")


def test_mails_and_notices_are_in_the_language_of_their_recipient(browse, ann, german, settings):
    ann.language = "de"
    ann.save()
    EmailAddress.objects.create(user=ann, email=ann.email, primary=True, verified=True)
    asked = browse().post("/accounts/password/reset/", {"email": ann.email}, headers={"Accept-Language": "fr"})
    assert asked.status_code == 302
    assert ["Ein neues Passwort" in letter.subject for letter in mail.outbox] == [True]
    approvals.expire(approval_id=asked_by(ann, NOW).pk, now=NOW + timedelta(days=2))
    settings.CARDROOM_WELCOME_CHIPS = 10_000
    host = User.objects.create_user("hanna")
    game = home_games.open_one(by=host, now=NOW, game="razz", stakes="5/10", rulebook="roberts-v4")
    home_games.invite(table_id=game.table_id, by=host, name="ann", now=NOW)
    told = ["Diese Anfrage ist abgelaufen: Tresor: 5.000 zu viel – Anna.", f"hanna lädt zu {game.table.name} ein."]
    assert list(Notice.objects.filter(player=ann).order_by("pk").values_list("text", flat=True)) == told


def test_a_second_person_is_asked_in_their_own_language(browse, ann, german):
    access.grant_role(user=ann, role="manager", by=None)
    row = asked_by(ann, timezone.now())
    assert row.words == "Vault: 5,000 over; Anna", "the log has it in one language"
    said = [f'id="words-{row.pk}">{words}<' for words in ("Tresor: 5.000 zu viel – Anna", row.words)]
    for language, (shown, other) in {"de": said, "en": said[::-1]}.items():
        page = asks(browse(ann), language, "/cage/approvals/").content.decode()
        assert_shows(page, shown)
        assert_hides(page, other)


def test_the_address_of_script_words_changes_with_their_translation(german, tmp_path):
    answer = Client().get("/words/de/0123456789ab.js", headers={"Accept-Language": "fr"})
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Content-Language"] == "de"
    assert {"max-age=31536000", "immutable", "public"} <= set(answer["Cache-Control"].split(", "))
    assert "Aussteigen" in answer.content.decode()
    assert "Aussteigen" not in Client().get("/words/fr/0123456789ab.js").content.decode()
    version = languages.version.__wrapped__
    before = version("de")
    write(tmp_path / "words", {"Fold": "Passen"}, "djangojs")
    assert version("de") == before, "it lies beside what is said"
    languages.lay_out(tmp_path / "words", tmp_path / "anew")
    with override_settings(LOCALE_PATHS=[tmp_path / "anew"]):  # as the next process finds them
        assert version("de") != before


def test_lesson_and_lobby_are_cached_for_each_language(browse, german):
    page = html_of(asks(browse(), "de", "/learn/first-hand/"))
    assert_shows(page, "Die erste Hand")
    told = json.loads(re.search(r'id="lesson-data"[^>]*>(.*?)</script>', page)[1])
    assert told[0]["seats"][SEAT - 1]["name"] == "Du"
    (stop,) = (each for each in told[0]["stops"] if each["upto"] == COACH.upto)
    assert (stop["says"], stop["then"]) == ("Was nun?", "Gut so.")
    assert "Lieber nicht." in stop["poor"].values()
    assert_shows(get(browse(), "/learn/first-hand/"), FIRST.title)
    an_offer("Small Stud", 5, 10)
    a_full_room(tables=1, seated=2)
    assert_shows(get(browse()), "Other tables")
    assert_shows(html_of(asks(browse(), "de")), "Andere Tische", but=["Other tables"])


def test_translators_are_told_all_that_a_lesson_says_and_the_name_of_each_game():
    known = {text for texts in words_in_data().values() for text in texts}
    for lesson in lessons().values():
        said = [lesson.title, lesson.about]
        for part in lesson.parts:
            said += [part.title, part.names[SEAT - 1]]
            for stop in part.stops:
                said += [stop.speech, stop.then, *stop.poor.values()]
        assert {text for text in said if text} <= known, lesson.slug
    with translation.override("en"):
        assert {slug: str(name) for slug, name in GAME_NAMES.items()} == {game: GAMES[game].title for game in GAMES}


def test_a_face_to_choose_is_named_in_the_language_of_who_chooses(every_word_marked):
    assert str(look.LOOK_SETTINGS["avatar"].choices["03"]) == "~Face 3"


def test_days_are_said_and_written_on_a_page_as_the_language_does():
    page = Template('{{ at|date:"l j F Y" }}; {{ at|date:"j M, H:i" }}{{ never|date:"j M" }}')
    days = {}
    for code, _ in room_settings.LANGUAGES:
        with languages.spoken_to(User(language=code)):
            days[code] = (room_time.format_moment(NOW), page.render(Context({"at": NOW, "never": None})))
    assert days == {
        "en": ("5 January 2030, 20:00 UTC", "Saturday 5 January 2030; 5 Jan, 20:00"),
        "de": ("5. Januar 2030, 20:00 UTC", "Samstag, 5. Januar 2030; 5. Jan, 20:00"),
        "es": ("5 de enero de 2030, 20:00 UTC", "sábado, 5 de enero de 2030; 5 ene, 20:00"),
        "fr": ("5 janvier 2030, 20:00 UTC", "samedi 5 janvier 2030; 5 jan, 20:00"),
        "pt-br": ("5 de janeiro de 2030, 20:00 UTC", "Sábado, 5 de janeiro de 2030; 5 jan, 20:00"),
    }


def test_words_are_laid_out_anew_when_they_have_changed_and_only_then(tmp_path):
    words, laid_out = tmp_path / "words", tmp_path / "laid-out"
    path = write(words, GERMAN)
    (made,) = languages.lay_out(words, laid_out)
    before = made.read_bytes()
    assert languages.lay_out(words, laid_out) == []
    write(words, GERMAN | {"Lobby": "Vorraum"})
    later = made.stat().st_mtime + 10
    os.utime(path, (later, later))
    assert languages.lay_out(words, laid_out) == [made]
    assert b"Vorraum" in made.read_bytes()
    assert b"Vorraum" not in before


@pytest.mark.parametrize(
    ("language", "mark"),
    [("en", ","), ("de", "."), ("es", "\N{NO-BREAK SPACE}"), ("fr", "\N{NO-BREAK SPACE}"), ("pt-br", ".")],
)
def test_numbers_in_a_sentence_are_written_as_its_language_does_and_can_be_typed_so(language, mark):
    with translation.override(language):
        most = sentences.number(2_500_000)
        assert most == f"2{mark}500{mark}000"
        said = sentences.filled("{0:,} {up:+,} {down:+,} {none:+,} {at}", 1000, up=1000, down=-1000, none=0, at=7)
        assert said == f"1{mark}000 +1{mark}000 -1{mark}000 +0 7"
        assert sentences.translated(EventSentence("{chips:,} of naught", chips=1000)) == f"1{mark}000 of naught"
        assert sentences.localized_numbers("1,000/2,000, 5,5") == f"1{mark}000/2{mark}000, 5,5"
        assert parts.whole_number(most) == 2_500_000


def test_what_a_page_says_of_chips_is_in_the_figures_of_its_reader():
    level = Level(ante=1000, bring_in=2000, small_bet=5000, big_bet=10_000)
    with translation.override("de"):
        assert (short_chips(12_400), short_chips(9500)) == ("12,4k", "9.500")
        assert (event_queries.points(1250), event_queries.bets(level)) == ("12,5", "5.000/10.000")
    assert (short_chips(12_400), short_chips(3_100_000), event_queries.points(1250)) == ("12.4k", "3.1M", "12.5")


class _Asked(RequestBody):
    amount = ChipsField()


def test_a_refusal_of_a_form_names_the_field_as_the_page_does():
    for typed in ("many", "0"):
        with translation.override("de"):
            refusal = refused(Invalid, r"^Betrag", _Asked.typed, {"amount": typed})
        assert "Amount" not in refusal.message
        refused(Invalid, r"^Amount", _Asked.typed, {"amount": typed})
    refused(Invalid, r"^From: ", ReportSpan({"since": "soon"}).span, NOW)
    refused(Invalid, r"^From: ", StatementSpan({"since": "soon"}).wanted, User())
