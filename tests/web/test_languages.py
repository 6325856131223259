"""The language of pages, answers and mails: what a browser asks for, what a person chose, and words laid out anew."""

import ast
import json
import os
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.conf import settings as room_settings
from django.core import mail
from django.db import DatabaseError, OperationalError, connection
from django.db.models import QuerySet
from django.template import Context, Template
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from cardroom.core.errors import Invalid
from cardroom.core.web import parts
from cardroom.core.web.api import schema
from cardroom.core.web.api.fields import Chips, Order
from games.reports.pages import SpanForm as ReportSpan
from games.reports.statement_pages import SpanForm as StatementSpan
from games.templatetags.room import short_chips
from tests.support.models import Notice, User
from tests.support.parts.cardroom import access, approvals, languages, look, people, room_time
from tournaments.engine.clock import Level
from tournaments.engine.errors import Said
from tournaments.events import queries as event_queries

GERMAN = """
msgid ""
msgstr ""
"Language: de\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "Lobby"
msgstr "Empfangshalle"

msgid "There is no language {language!r} here: choose one from the list."
msgstr "Die Sprache {language!r} gibt es hier nicht: bitte eine aus der Liste wählen."

msgid "Password Reset Email"
msgstr "Ein neues Passwort"

msgid "Vault: {difference}"
msgstr "Tresor: {difference}"

msgid "{amount:,} over"
msgstr "{amount:,} zu viel"

msgid "This request has expired: {words}. Send a new request."
msgstr "Diese Anfrage ist abgelaufen: {words}. Bitte neu stellen."
"""
API = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"

msgid "The error log"
msgstr "Das Fehlerprotokoll"
"""
SCRIPTS = """
msgid ""
msgstr ""
"Language: de\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "Fold"
msgstr "Aussteigen"
"""


def write(folder, words, domain="django"):
    path = folder / "de" / "LC_MESSAGES" / f"{domain}.po"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(words.lstrip(), encoding="utf-8")
    return path


@pytest.fixture
def german(tmp_path, settings):
    """German has some words, and no others than these."""
    words, laid_out = tmp_path / "words", tmp_path / "laid-out"
    write(words, GERMAN)
    write(words, SCRIPTS, "djangojs")
    write(words, API, "api")
    languages.lay_out(words, laid_out)
    settings.LOCALE_PATHS = [laid_out]


@pytest.fixture
def ann():
    user = User.objects.create_user("ann", password="all-the-burns-4", email="ann@room.example")
    people.sign_up_bonus(user=user, now=datetime(2030, 1, 5, 20, 0, tzinfo=UTC))
    return user


def speaks(answer) -> str:
    """The language of a page, which it says twice."""
    told = answer["Content-Language"]
    assert f'<html lang="{told}"' in answer.content.decode()
    return told


def asked_by(user, now):
    over = languages.kept("{amount:,} over", amount=5_000)
    words = languages.kept("Vault: {difference}", difference=[over, "Anna"])
    return approvals.ask(what="cage.count_vault", words=words, payload={}, by=user, now=now)


def asks(browser, languages_asked, path="/", **more):
    return browser.get(path, headers={"Accept-Language": languages_asked}, **more)


def test_a_page_is_in_the_language_that_the_browser_asks_for(browse):
    page = asks(browse(), "de-CH, fr;q=0.8")
    assert speaks(page) == "de"
    assert {"Accept-Language", "Cookie"} <= {each.strip() for each in page["Vary"].split(",")}
    assert [speaks(asks(browse(), asked)) for asked in ("pt", "pt-BR,en", "es-MX", "xx", "")] == [
        *("pt-br", "pt-br", "es", "en", "en")
    ]


def test_what_a_person_chose_wins_over_the_browser_until_they_take_it_back(browse, ann):
    browser = browse(ann)
    answer = browser.post("/me/language/", {"language": "fr", "next": "/rules/?q=ante"})
    assert (answer.status_code, answer["Location"]) == (302, "/rules/?q=ante")
    assert speaks(asks(browser, "de")) == "fr"
    assert speaks(asks(browse(User.objects.get(pk=ann.pk)), "es")) == "fr", "on another device too"
    browser.cookies[room_settings.LANGUAGE_COOKIE_NAME] = "es"
    assert speaks(asks(browser, "de")) == "fr"
    browser.post("/me/language/", {"language": ""})
    assert speaks(asks(browser, "de")) == "de", "nor does the cookie of a guest count any longer"


def test_who_is_logged_in_is_told_of_a_fault_in_the_language_of_their_browser(browse, ann, monkeypatch):
    def away(request):
        raise OperationalError("connection refused")

    browser = browse(ann)
    browser.raise_request_exception = False
    monkeypatch.setattr("django.contrib.auth.get_user", away)
    answer = asks(browser, "de")
    assert (answer.status_code, speaks(answer)) == (500, "de")


def test_the_account_page_offers_each_language_by_its_own_name(browse, ann):
    ann.language = "es"
    ann.save()
    page = browse(ann).get("/me/").content.decode()
    assert '<option value="">Como pida mi navegador</option>' in page
    assert '<option value="es" lang="es" selected>Español</option>' in page
    assert page.count("<option value=") >= len(room_settings.LANGUAGES)


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", ""])
def test_after_a_choice_one_stays_in_this_room(browse, ann, elsewhere):
    answer = browse(ann).post("/me/language/", {"language": "de", "next": elsewhere})
    assert (answer.status_code, answer["Location"]) == (302, "/me/")
    answer = browse().post("/language/", {"language": "de", "next": elsewhere})
    assert (answer.status_code, answer["Location"]) == (302, "/")


def test_a_guests_choice_is_kept_by_their_browser_and_leads_back_to_the_page(browse):
    guest = browse()
    answer = guest.post("/language/", {"language": "de", "next": "/rules/?q=ante"})
    assert (answer.status_code, answer["Location"]) == (302, "/rules/?q=ante")
    assert answer.cookies[room_settings.LANGUAGE_COOKIE_NAME]["samesite"] == "Lax"
    assert speaks(asks(guest, "fr")) == "de"
    assert room_settings.LANGUAGE_COOKIE_NAME not in browse().post("/language/", {"language": "xx"}).cookies


def _signed_up(browser, name):
    form = {"username": name, "password1": "all-the-burns-4", "password2": "all-the-burns-4"}
    assert asks(browser, "fr", "/accounts/signup/").status_code == 200
    answer = browser.post("/accounts/signup/", form, headers={"Accept-Language": "fr"})
    assert answer.status_code == 302, answer.content.decode()
    user = User.objects.get(username=name)
    return f"{user.language} {user.last_language}"


def test_who_signs_up_keeps_the_language_they_chose_and_beside_it_the_one_they_only_read(browse):
    guest = browse()
    guest.post("/language/", {"language": "de"})
    assert _signed_up(guest, "gerda") == "de de"
    assert _signed_up(browse(), "fanny") == " fr"


def test_what_is_sent_to_who_chose_no_language_is_in_that_of_the_pages_they_read_last(browse, ann, german):
    def told() -> str:
        with languages.spoken_to(User.objects.get(pk=ann.pk)):
            return room_time.said(datetime(2030, 1, 5, 20, 0, tzinfo=UTC))

    browser = browse(ann)
    assert told() == "5 January 2030, 20:00 UTC"
    assert (speaks(asks(browser, "de")), told()) == ("de", "5. Januar 2030, 20:00 UTC")
    assert (speaks(asks(browser, "fr")), told()) == ("fr", "5 janvier 2030, 20:00 UTC"), "pages follow the browser"
    asks(browser, "es", "/api/v1/me")
    asks(browser, "es", "/no-such-page/")
    assert told() == "5 janvier 2030, 20:00 UTC", "none of these is a page that they read"
    browser.post("/me/language/", {"language": "de"})
    asks(browser, "es")
    assert told() == "5. Januar 2030, 20:00 UTC", "what they chose wins"
    row = User.objects.get(pk=ann.pk)
    assert (row.language, row.last_language) == ("de", "fr")
    asks(browser, "en")
    browser.post("/me/language/", {"language": ""})
    assert (speaks(asks(browser, "en")), told()) == ("en", "5 January 2030, 20:00 UTC")


def test_the_language_of_pages_is_written_once_and_not_for_guests_and_readers_of_english(browse, ann):
    browser, guest = browse(ann), browse()
    asks(browser, "en"), asks(guest, "de")
    for reads, asked, written in ((browser, "en", 0), (guest, "de", 0), (browser, "de", 1), (browser, "de", 0)):
        with CaptureQueriesContext(connection) as queries:
            asks(reads, asked)
        assert sum('SET "last_language"' in each["sql"] for each in queries) == written, asked


def test_a_page_is_shown_where_its_language_cannot_be_written(browse, ann, monkeypatch):
    def refused(*_, **__):
        raise DatabaseError("cannot execute UPDATE in a read-only transaction")

    browser = browse(ann)
    monkeypatch.setattr(QuerySet, "update", refused)
    assert speaks(asks(browser, "de")) == "de"


def test_programs_choose_a_language_too_and_one_that_is_not_spoken_is_refused(browse, ann, german):
    program = browse(ann)

    def wish(language):
        return program.patch("/api/v1/me", json.dumps({"language": language}), content_type="application/json")

    assert wish("xx").json()["detail"] == "There is no language 'xx' here: choose one from the list."
    assert wish("de").json()["language"] == "de"
    refused = wish("xx")
    assert (refused.status_code, refused.json()["code"]) == (400, "no-such-language")
    assert refused.json()["detail"] == "Die Sprache 'xx' gibt es hier nicht: bitte eine aus der Liste wählen."
    assert User.objects.get(pk=ann.pk).language == "de"
    page = program.post("/me/language/", {"language": "xx"})
    assert (page.status_code, "Die Sprache" in page.content.decode()) == (400, True)


def test_a_translated_word_is_on_the_page_and_what_has_no_translation_is_english(browse, german):
    page = asks(browse(), "de").content.decode()
    assert "Empfangshalle</a>" in page
    assert "Skip to the content" in page
    assert "Empfangshalle" not in asks(browse(), "en").content.decode()


def test_the_api_is_described_in_ones_language_and_is_the_same_but_for_that(browse, german):
    told = [asks(browse(), language, "/api/schema/?format=json").json() for language in ("de", "en")]
    logs = [document["paths"]["/api/v1/faults"]["get"]["summary"] for document in told]
    assert logs == ["Das Fehlerprotokoll", "The error log"]
    for document in told:
        for part, key, _ in schema.texts(document):
            part[key] = ""
    assert told[0] == told[1]


def test_a_mail_is_in_the_language_of_its_recipient_and_not_of_who_asked_for_it(browse, ann, german):
    ann.language = "de"
    ann.save()
    asked = browse().post("/accounts/password/reset/", {"email": ann.email}, headers={"Accept-Language": "fr"})
    assert asked.status_code == 302
    assert ["Ein neues Passwort" in letter.subject for letter in mail.outbox] == [True]


def test_a_notice_is_written_in_the_language_of_its_recipient(ann, german):
    ann.language = "de"
    ann.save()
    now = datetime(2030, 1, 5, 20, 0, tzinfo=UTC)
    row = asked_by(ann, now)
    approvals.expire(approval_id=row.pk, now=now + timedelta(days=2))
    told = "Diese Anfrage ist abgelaufen: Tresor: 5.000 zu viel; Anna. Bitte neu stellen."
    assert [notice.text for notice in Notice.objects.filter(player=ann)] == [told]


def test_a_second_person_is_asked_in_their_own_language(browse, ann, german):
    access.grant_role(user=ann, role="manager", by=None)
    row = asked_by(ann, datetime.now(UTC))
    assert row.words == "Vault: 5,000 over; Anna", "the log has it in one language"
    said = [f'id="words-{row.pk}">{words}<' for words in ("Tresor: 5.000 zu viel; Anna", row.words)]
    for language, (shown, other) in {"de": said, "en": said[::-1]}.items():
        page = asks(browse(ann), language, "/cage/approvals/").content.decode()
        assert shown in page
        assert other not in page


def test_the_words_of_scripts_have_the_address_of_what_is_said_and_not_of_what_lies_beside_it(german, tmp_path):
    version = languages.version.__wrapped__
    before = version("de")
    write(tmp_path / "words", SCRIPTS.replace("Aussteigen", "Passen"), "djangojs")
    assert version("de") == before
    languages.lay_out(tmp_path / "words", tmp_path / "anew")
    with override_settings(LOCALE_PATHS=[tmp_path / "anew"]):  # as the next process finds them
        assert version("de") != before


def test_a_face_to_choose_is_named_in_the_language_of_who_chooses(every_word_marked):
    assert str(look.WISHES["avatar"].choices["03"]) == "~Face 3"


def test_days_are_said_as_the_language_says_them():
    at = datetime(2030, 1, 5, 20, 0, tzinfo=UTC)
    said = {}
    for code, _ in room_settings.LANGUAGES:
        with languages.spoken_to(User(language=code)):
            said[code] = room_time.said(at)
    assert said == {
        "en": "5 January 2030, 20:00 UTC",
        "de": "5. Januar 2030, 20:00 UTC",
        "fr": "5 janvier 2030, 20:00 UTC",
        "es": "5 de enero de 2030, 20:00 UTC",
        "pt-br": "5 de janeiro de 2030, 20:00 UTC",
    }


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", "Saturday 5 January 2030; 5 Jan, 20:00"),
        ("de", "Samstag, 5. Januar 2030; 5. Jan, 20:00"),
        ("es", "sábado, 5 de enero de 2030; 5 ene, 20:00"),
        ("fr", "samedi 5 janvier 2030; 5 jan, 20:00"),
        ("pt-br", "Sábado, 5 de janeiro de 2030; 5 jan, 20:00"),
    ],
)
def test_a_page_writes_days_as_its_language_does(code, said):
    page = Template('{{ at|date:"l j F Y" }}; {{ at|date:"j M, H:i" }}{{ never|date:"j M" }}')
    with languages.spoken_to(User(language=code)):
        assert page.render(Context({"at": datetime(2030, 1, 5, 20, 0, tzinfo=UTC), "never": None})) == said


def test_the_words_of_scripts_are_kept_for_ever_and_in_the_language_of_their_address(german):
    answer = Client().get("/words/de/0123456789ab.js", headers={"Accept-Language": "fr"})
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Content-Language"] == "de"
    assert {"max-age=31536000", "immutable", "public"} <= set(answer["Cache-Control"].split(", "))
    assert "Aussteigen" in answer.content.decode()
    assert "Aussteigen" not in Client().get("/words/fr/0123456789ab.js").content.decode()


def test_a_page_names_the_words_of_scripts_but_in_english_which_scripts_speak_themselves(browse):
    assert f'src="/words/de/{languages.version("de")}.js"' in asks(browse(), "de").content.decode()
    assert "/words/" not in asks(browse(), "en").content.decode()


def test_words_are_laid_out_anew_when_they_have_changed_and_only_then(tmp_path):
    words, laid_out = tmp_path / "words", tmp_path / "laid-out"
    path = write(words, GERMAN)
    (made,) = languages.lay_out(words, laid_out)
    before = made.read_bytes()
    assert languages.lay_out(words, laid_out) == []
    write(words, GERMAN.replace("Empfangshalle", "Vorraum"))
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
        most = languages.number(2_500_000)
        assert most == f"2{mark}500{mark}000"
        said = languages.filled("{0:,} {up:+,} {down:+,} {none:+,} {at}", 1000, up=1000, down=-1000, none=0, at=7)
        assert said == f"1{mark}000 +1{mark}000 -1{mark}000 +0 7"
        assert languages.spoken(Said("{chips:,} of naught", chips=1000)) == f"1{mark}000 of naught"
        assert languages.renumbered("1,000/2,000, 5,5") == f"1{mark}000/2{mark}000, 5,5"
        assert parts.whole(most) == 2_500_000


def test_what_a_page_says_of_chips_is_in_the_figures_of_its_reader():
    level = Level(ante=1000, bring_in=2000, small_bet=5000, big_bet=10_000)
    with translation.override("de"):
        assert (short_chips(12_400), short_chips(9500)) == ("12,4k", "9.500")
        assert (event_queries.points(1250), event_queries.bets(level)) == ("12,5", "5.000/10.000")
    assert (short_chips(12_400), short_chips(3_100_000), event_queries.points(1250)) == ("12.4k", "3.1M", "12.5")


class _Asked(Order):
    amount = Chips()


@pytest.mark.parametrize("typed", ["many", "0"])
def test_a_refusal_of_a_form_calls_its_field_as_the_page_does(typed):
    with translation.override("de"), pytest.raises(Invalid, match=r"^Betrag") as refusal:
        _Asked.typed({"amount": typed})
    assert "Amount" not in refusal.value.message
    with pytest.raises(Invalid, match=r"^Amount"):
        _Asked.typed({"amount": typed})


def test_days_of_a_report_that_cannot_be_read_are_named_as_on_their_page():
    with pytest.raises(Invalid, match=r"^From: "):
        ReportSpan({"since": "soon"}).span(datetime.now(UTC))
    with pytest.raises(Invalid, match=r"^From: "):
        StatementSpan({"since": "soon"}).wanted(User())
