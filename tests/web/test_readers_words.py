"""In another language every word is in it and well formed: texts of libraries, names of fields, lists, marks."""

import gettext
import re
from importlib import util
from pathlib import Path

import pytest
from allauth.mfa import app_settings
from allauth.mfa.webauthn.forms import AddWebAuthnForm, EditWebAuthnForm
from allauth.utils import get_form_class
from django.template import Context, Template
from django.utils import translation

from cardroom import urls as _urls  # noqa: F401 (every page, and what it reads, is known)
from cardroom.accounts.models import Ban
from cardroom.core import audit_log, titles
from cardroom.core.web.api.fields import RequestBody
from cardroom.management.commands.languages import library_texts
from tests.support.models import User
from tests.support.pages import assert_shows, get
from tests.support.parts.cardroom import Forbidden, Invalid, NotFound, access, bans
from tests.support.refusals import refused
from tests.web.conftest import NOW

#: How strangers are addressed, or somebody else is meant.
POLITE = {"de": r"\b(Sie|Ihr\w*|Ihnen)\b", "es": r"(?i)\b(su|sus|usted)\b"}


def said_by(library) -> set[str]:
    """The texts that a library has marked, with a translation."""
    folder = Path(util.find_spec(library).origin).parent
    found = set()
    for path in folder.rglob("locale/es/LC_MESSAGES/django.mo"):
        with path.open("rb") as file:
            found |= set(gettext.GNUTranslations(file)._catalog)
    return {key if isinstance(key, str) else key[0] for key in found}


def test_texts_of_libraries_match_them_and_address_people_as_the_room_does():
    for library, texts in library_texts().items():
        singles = [text if isinstance(text, str) else text[0] for text in texts]
        assert set(singles) <= said_by(library), library
        for language, words in POLITE.items():
            with translation.override(language):
                wrong = [said for text in singles if re.search(words, said := translation.gettext(text))]
            assert not wrong, (language, wrong)


@pytest.mark.parametrize(("language", "name", "says_first"), [
    ("de", "Name", "Weise dich noch einmal aus"), ("es", "Nombre", "Identifícate de nuevo"),
    ("fr", "Nom", "Identifiez-vous à nouveau"), ("pt-br", "Nome", "Identifique-se de novo"),
])  # fmt: skip
def test_the_pages_of_a_second_factor_are_in_the_readers_language(browse, language, name, says_first):
    browser = browse(User.objects.create_user("ann", password="all-the-burns-4"))
    browser.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    assert_shows(get(browser, "/accounts/reauthenticate/"), says_first)
    browser.post("/accounts/reauthenticate/", {"password": "all-the-burns-4"})
    assert_shows(get(browser, "/accounts/2fa/webauthn/add/"), name, but=["Passwordless"])
    with translation.override(language):
        for form, usual in (("add_webauthn", AddWebAuthnForm), ("edit_webauthn", EditWebAuthnForm)):
            assert get_form_class(app_settings.FORMS, form, usual).base_fields["name"].label == name


def orders(kind=RequestBody):
    for each in kind.__subclasses__():
        yield from orders(each)
        if not each.__subclasses__() and not each.__module__.startswith("tests."):
            yield each


def fields_of(order):
    for name, field in order.fields.items():
        yield name
        inner = getattr(field, "child", field)
        yield from fields_of(inner) if hasattr(inner, "fields") else ()


def test_every_field_that_people_fill_in_has_a_title_for_a_refusal():
    found = {name: order.__name__ for order in orders() for name in fields_of(order())}
    assert len(found) > 200
    assert {name: order for name, order in found.items() if name not in titles._TITLES} == {}


@pytest.mark.parametrize(("language", "roles", "why", "marked"), [
    ("en", "floor, cashier, or manager", "(a ban)", "“so”"),
    ("de", "Floor, Kasse oder Manager", "(eine Sperre)", "„so“"),
    ("es", "floor, caja o gerencia", "(un veto)", "«so»"),
    ("fr", "floor, caisse ou direction", "(une exclusion)", "«\u202fso\u202f»"),
    ("pt-br", "floor, caixa ou gerente", "(um banimento)", "“so”"),
])  # fmt: skip
def test_roles_reasons_and_quotations_are_said_as_the_language_does(db, language, roles, why, marked):
    user = User.objects.create_user("ann")
    with translation.override(language):
        refused(Forbidden, re.escape(roles), access.require_role, user, "floor", "cashier", "manager")
        what = translation.gettext("a ban")
        refused(Invalid, re.escape(why), audit_log.reason_given, " ", what=what)
        assert Template("{{ words|quoted }}").render(Context({"words": "so"})) == marked


def test_quoted_words_are_escaped():
    assert Template("{{ words|quoted }}").render(Context({"words": "<b>{words}"})) == "“&lt;b&gt;{words}”"


@pytest.mark.parametrize(("language", "told"), [
    ("de", "Du darfst bis 5. Januar 2030, 20:00 UTC weder online noch im Raum spielen: laut."),
    ("es", "No puedes jugar ni en línea ni en la sala hasta el 5 de enero de 2030, 20:00 UTC: laut."),
    ("fr", "Vous ne pouvez jouer ni en ligne ni dans la salle jusqu’au 5 janvier 2030, 20:00 UTC\u202f: laut."),
    ("pt-br", "Você não pode jogar nem online nem no salão até 5 de janeiro de 2030, 20:00 UTC: laut."),
])  # fmt: skip
def test_a_ban_from_everything_is_one_sentence(language, told):
    ban = Ban(kind=Ban.Kind.HOUSE, where="both", until=NOW, reason="laut")
    with translation.override(language):
        assert bans.words_for(ban).startswith(told)


@pytest.mark.parametrize(("rule", "count"), [("Regel", "Zählung"), ("Regla", "Recuento"), ("Règle", "Comptage")])
def test_a_field_is_not_called_as_the_button_that_is_one_word_with_it_in_english(rule, count):
    language = {"Regel": "de", "Regla": "es", "Règle": "fr"}[rule]
    with translation.override(language):
        assert (titles.title("rule"), titles.title("count")) == (rule, count)


def test_a_request_to_a_wrong_host_is_refused_in_the_language_of_the_browser(browse, settings):
    settings.ALLOWED_HOSTS = ["testserver"]
    answer = browse().get("/", headers={"Host": "elsewhere.example", "Accept-Language": "de"})
    assert answer.status_code == 400
    assert_shows(answer.content.decode(), 'lang="de"')


def test_an_unknown_name_is_quoted_without_invisible_characters(db):
    for language, told in (("en", "“O'Brien\\x07”"), ("de", "„O'Brien\\x07“"), ("fr", "«\u202fO'Brien\\x07\u202f»")):
        with translation.override(language):
            assert told in refused(NotFound, access.get_user_by_name, "O'Brien\x07").message
