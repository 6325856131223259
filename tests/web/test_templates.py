"""What the policy for content forbids is not in a template to begin with; static files are laid out for a room that is
open to the world."""

import gzip
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from posixpath import normpath

import pytest
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import Http404
from django.test import RequestFactory, override_settings

from cardroom.core.web import static_files as collected
from cardroom.core.web.parts import StaticFilesMiddleware
from cardroom.core.web.static_files import WHOLE, join, modules_of
from games.templatetags.room import module
from tests.support import static_files
from tests.support.refusals import refused
from tournaments.directing.pages.panels import PANELS

PROJECT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted((PROJECT / "templates").rglob("*.html"))
STATIC = [PROJECT / app / "static" for app in ("cardroom", "games", "tournaments")]
SCRIPTS = sorted(path for folder in STATIC for path in folder.rglob("*.js"))
SHEETS = sorted(path for folder in STATIC for path in folder.rglob("*.css"))
INLINE = r"\sstyle\s*=|<style|\son[a-z]+\s*=|javascript:|<script(?![^>]*src=)[^>]*>"
FOREIGN = r"https?://|@import(?! \"[./\w]+\";)|\beval\(|new Function|innerHTML|insertAdjacentHTML|document\.write"


BUILT = {"default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
         "staticfiles": {"BACKEND": "cardroom.core.web.static_files.NamedByContent"}}  # fmt: skip


def name(path: Path) -> str:
    return str(path.relative_to(PROJECT))


def forms_posted(path):
    """The forms of a template that change something."""
    return re.findall(r"<form[^>]*method=\"post\".*?</form>", path.read_text("utf-8"), re.DOTALL)


def test_no_template_has_inline_code_or_foreign_files():
    for pattern, paths in ((INLINE, TEMPLATES), (FOREIGN, [*SCRIPTS, *SHEETS])):
        texts = {path: path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "") for path in paths}
        assert [(name(path), found) for path, text in texts.items() if (found := re.findall(pattern, text))] == []
    forms = [
        (name(path), form[:200]) for path in TEMPLATES for form in forms_posted(path) if "{% csrf_token %}" not in form
    ]
    assert forms == []


def test_enter_in_a_field_presses_no_button_that_nobody_chose():
    """A browser's Enter presses the first button of a form: with several, that one does nothing, or says what it is."""
    for path in TEMPLATES:
        for form in forms_posted(path):
            fields, buttons = most(form, r"<input[^>]*>", is_typed_in), most(form, r"<button[^>]*>", is_pressed)
            if fields and buttons > 1:
                first = next(tag for tag in re.findall(r"<button[^>]*>", form) if is_pressed(tag))
                assert "disabled hidden" in first or 'aria-hidden="true"' in first, (name(path), form[:200])


def is_typed_in(tag):
    return not re.search(r'type="(hidden|checkbox|radio|file|color)"', tag)


def is_pressed(tag):
    return not re.search(r'type="(button|reset)"', tag)


def most(template, tag, is_meant):
    """How many of these tags it shows at most: of the ways through an `if`, the fullest."""
    counts = [[0]]
    for word in re.findall(rf"{tag}|{{%\s*(?:if|elif|else|endif)\b", template):
        if word.endswith("endif"):
            ways = counts.pop()
            counts[-1][-1] += max(ways)
        elif word.startswith("<"):
            counts[-1][-1] += is_meant(word)
        elif word.endswith(("elif", "else")):
            counts[-1].append(0)
        else:
            counts.append([0])
    return counts[0][0]


def test_a_page_that_asks_for_news_hears_it():
    """Whatever it names is drawn anew by some part of it, or of what it includes."""
    found = {name(path): deaf_to(path) - {"player", "list"} for path in TEMPLATES}
    assert {page: deaf for page, deaf in found.items() if deaf} == {}


def deaf_to(path):
    text = path.read_text("utf-8")
    named = re.search(r"{% block topics %}(.*?){% endblock %}", text)
    if not named:
        return set()
    topics = set(re.findall(r"\b[a-z]+\b", re.sub(r"{[%{].*?[%}]}", " ", named[1])))
    parts = re.sub(r"room:{{ (\w+)\.news }}", r"room:\1", whole(path))
    heard = parts + "".join(script.read_text("utf-8") for script in scripts_of(text))
    return {topic for topic in topics if f"room:{topic}" not in heard}


def scripts_of(text):
    for script in re.findall(r"{% static '([^']+\.js)' %}", text):
        yield from (folder / script for folder in STATIC if (folder / script).exists())


#: What a page includes by a variable.
CHOSEN = {"tournaments/directing/panel.html": [f"tournaments/directing/_{name}.html" for name in PANELS]}
PAGES = [path for path in TEMPLATES if "{% extends" in path.read_text("utf-8")]
VOID = frozenset({"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})


def test_what_htmx_asks_for_has_a_place_on_the_page_it_is_asked_from():
    """A form, a link or a button that says no target takes the answer into itself, unless something around it does."""
    lost = []
    for path in PAGES:
        asked = Asked()
        asked.feed(re.sub(r"{[%#{].*?[%#}]}", "x", whole(path), flags=re.DOTALL))
        for tag, target in asked.found:
            if target is None or (target[:1] == "#" and target[1:] not in asked.ids):
                lost.append((name(path), tag))
    assert lost == []


def whole(path, seen=()):
    """The template with all that it includes in its place."""

    def included(found):
        inside = PROJECT / "templates" / found[1]
        return whole(inside, (*seen, found[1])) if found[1] not in seen and inside.exists() else ""

    parts = "".join(f'{{% include "{part}" %}}' for part in CHOSEN.get(name(path).removeprefix("templates/"), ()))
    text = path.read_text("utf-8").replace("{% include panel %}", parts)
    return re.sub(r'{%\s*include "([^"]+)"[^%]*%}', included, text)


class Asked(HTMLParser):
    """`found`: what sends a request by htmx whose answer is drawn, and its target, None for itself."""

    def __init__(self):
        super().__init__()
        self.around, self.ids, self.found = [], set(), []

    def handle_starttag(self, tag, attrs):
        own = dict(attrs)
        self.ids.add(own.get("id"))
        line = [own, *(outer for _, outer in reversed(self.around))]
        swap = next((each["hx-swap"] for each in line if "hx-swap" in each), "")
        is_sent = "hx-post" in own or ("hx-get" in own and tag in ("a", "button", "form", "input"))
        if is_sent and swap != "none" and not any("hx-disable" in each for each in line):
            target = next((each["hx-target"] for each in line if "hx-target" in each), None)
            self.found.append((self.get_starttag_text(), target))
        if tag not in VOID:
            self.around.append((tag, own))

    def handle_endtag(self, tag):
        places = [place for place, (open_tag, _) in enumerate(self.around) if open_tag == tag]
        if places:
            del self.around[places[-1] :]


#: What a page has to hold for these scripts.
WANTED = {"games/play/rulings.js": "{% ruling_words", "games/play/actions.js": 'json_script:"hot-keys"'}


def test_every_page_has_the_data_that_its_scripts_need():
    asking = Counter()
    for path in TEMPLATES:
        template = path.read_text("utf-8")
        for script in re.findall(r"(?:<script[^>]*\{% static|\{% module) '([^']+)' %\}", template):
            for wanted, told in WANTED.items():
                if wanted in modules_of(script):
                    asking[wanted] += 1
                    assert told in whole(path), (name(path), script)
    assert asking["games/play/rulings.js"] >= 4
    assert asking["games/play/actions.js"] >= 3


@pytest.fixture(scope="module")
def laid_out():
    return static_files.laid_out()


@pytest.fixture
def built(laid_out):
    with override_settings(STORAGES=BUILT, STATIC_ROOT=laid_out, WHITENOISE_USE_FINDERS=False):
        yield StaticFilesMiddleware(lambda request: None)


def test_the_script_modules_of_a_page_are_preloaded_once_each(tmp_path):
    found = modules_of("games/play/main.js")
    assert len(found) == len(set(found)) > 20
    assert {"games/play/felt.js", "games/cards.js", "cardroom/look.js"} <= set(found)
    assert "games/play/main.js" not in found
    hints = re.findall(r'rel="modulepreload" href="([^"]+)"', module("games/play/main.js"))
    assert [f"/static/{name}" for name in found] == hints
    refused(FileNotFoundError, r"no static file games/nothing\.js", modules_of, "games/nothing.js")
    (tmp_path / "page.js").write_text('import "./nothing.js";')
    refused(ValueError, r"page\.js cannot be put in one file: .*nothing\.js", join, tmp_path, ["page.js"])


def test_a_page_that_was_collected_without_the_bundler_asks_for_its_modules_at_once(tmp_path, monkeypatch, settings):
    monkeypatch.setattr(collected, "run_bun", None)
    name = "games/training/lesson.js"
    files = (name, *modules_of(name))
    storage = collected.NamedByContent(location=tmp_path)
    for each in files:
        (tmp_path / each).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / each).write_text(Path(finders.find(each)).read_text("utf-8"))
    assert {result for _, _, result in storage.post_process({each: (storage, each) for each in files})} == {True}
    settings.STATIC_ROOT, settings.CARDROOM_STATIC_BUILT = tmp_path, True
    assert collected.asked_at_once(name) == files[1:]
    script = (tmp_path / storage.stored_name(name)).read_text("utf-8")
    named = {storage.stored_name(each) for each in files[1:]}
    imported = set(re.findall(r'"(\.{1,2}/[^"]+)"', script))
    assert imported
    assert {normpath(f"{name}/../{address}") for address in imported} <= named, "each by the name that is asked for"


def test_a_collected_page_has_one_compressed_script_and_style_file(built, laid_out, settings):
    settings.CARDROOM_STATIC_BUILT = True
    addresses = re.findall(r'(?:href|src)="([^"]+)"', module("games/play/main.js"))
    assert [re.sub(r"\.[0-9a-f]{12}\.", ".", address) for address in addresses] == [
        "/static/cardroom/page.js", "/static/games/play/main.js"
    ]  # fmt: skip
    script = (laid_out / addresses[1].removeprefix("/static/")).read_text("utf-8")
    # What other scripts use beside it is the same module for all, under the name that was asked for.
    assert re.findall(r'import"([^"]+)"', script) == [f"../../{addresses[0].removeprefix('/static/')}"]
    sheet = (laid_out / staticfiles_storage.url("games/table_page.css").removeprefix("/static/")).read_text("utf-8")
    assert "@import" not in sheet
    fonts = re.findall(r"url\(\"?(fonts/[\w.]+)\"?\)", sheet)
    assert len(fonts) == 2
    assert all((laid_out / "games" / font).is_file() for font in fonts)

    address = staticfiles_storage.url("games/play/table.css")
    answer = built(RequestFactory().get(address, headers={"Accept-Encoding": "gzip"}))
    assert "immutable" in answer["Cache-Control"]
    assert answer["Content-Encoding"] == "gzip"
    plain = built(RequestFactory().get(address)).content
    assert gzip.decompress(answer.content) == plain
    assert len(answer.content) < len(plain) / 2


def test_a_file_that_was_collected_anew_meanwhile_is_one_that_there_is_not(tmp_path):
    (old := tmp_path / "old.css").write_text("p {}")
    with override_settings(STATIC_ROOT=tmp_path, WHITENOISE_USE_FINDERS=False):
        files = StaticFilesMiddleware(lambda request: None)
    old.unlink()
    refused(Http404, "collected anew", files, RequestFactory().get("/static/old.css"))


def test_what_is_put_in_one_file_is_the_only_script_of_its_page():
    templates = [path.read_text("utf-8") for path in (PROJECT / "templates").rglob("*.html")]
    named = {name for text in templates for name in re.findall(r"block own_scripts %}.*{% module '([^']+)' %}", text)}
    assert named == {name for name in WHOLE if name.endswith(".js")}
    own = {"cardroom/page.js", "cardroom/room.js", "cardroom/calls.js"}
    assert all(own <= set(modules_of(name)) for name in named)
