"""Static files laid out for a room that is open to the world."""

import gzip
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import RequestFactory, override_settings

from cardroom.core.web.parts import StaticFilesMiddleware
from cardroom.core.web.static_files import WHOLE, join, modules_of
from games.templatetags.room import module
from tests.support.refusals import refused

PROJECT = Path(__file__).resolve().parents[2]
BUILT = {"default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
         "staticfiles": {"BACKEND": "cardroom.core.web.static_files.NamedByContent"}}  # fmt: skip


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory):
    """All static files as `make run` lays them out, in a folder of this module's own."""
    folder = tmp_path_factory.mktemp("static")
    script = (
        "import django; django.setup(); from django.conf import settings;"
        " from django.core.management import call_command;"
        f" settings.STATIC_ROOT = {str(folder)!r}; call_command('collectstatic', interactive=False, verbosity=0)"
    )
    environment = {**os.environ, "CARDROOM_STATIC_BUILT": "true", "DJANGO_SETTINGS_MODULE": "cardroom.settings"}
    subprocess.run([sys.executable, "-c", script], cwd=PROJECT, env=environment, check=True, timeout=120)
    return folder


@pytest.fixture
def built(laid_out):
    with override_settings(STORAGES=BUILT, STATIC_ROOT=laid_out, WHITENOISE_USE_FINDERS=False):
        yield StaticFilesMiddleware(lambda request: None)


def test_the_modules_of_a_page_are_each_found_once_and_asked_for_at_once_where_they_were_not_collected(tmp_path):
    found = modules_of("games/play/main.js")
    assert len(found) == len(set(found)) > 20
    assert {"games/play/felt.js", "games/cards.js", "cardroom/look.js"} <= set(found)
    assert "games/play/main.js" not in found
    hints = re.findall(r'rel="modulepreload" href="([^"]+)"', module("games/play/main.js"))
    assert [f"/static/{name}" for name in found] == hints
    refused(FileNotFoundError, r"no static file games/nothing\.js", modules_of, "games/nothing.js")
    (tmp_path / "page.js").write_text('import "./nothing.js";')
    refused(ValueError, r"page\.js cannot be put in one file: .*nothing\.js", join, tmp_path, ["page.js"])


def test_a_page_that_was_collected_has_its_script_and_its_sheet_in_one_file_each_compressed_and_kept_for_ever(
    built, laid_out, settings
):
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


def test_what_is_put_in_one_file_is_the_only_script_of_its_page():
    templates = [path.read_text("utf-8") for path in (PROJECT / "templates").rglob("*.html")]
    named = {name for text in templates for name in re.findall(r"block own_scripts %}.*{% module '([^']+)' %}", text)}
    assert named == {name for name in WHOLE if name.endswith(".js")}
    own = {"cardroom/page.js", "cardroom/room.js", "cardroom/calls.js"}
    assert all(own <= set(modules_of(name)) for name in named)
