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
from cardroom.core.web.static_files import modules_of
from games.templatetags.room import module

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


def test_the_modules_of_a_page_are_found_each_once_whatever_imports_them():
    found = modules_of("games/play/main.js")
    assert len(found) == len(set(found)) > 20
    assert {"games/play/felt.js", "games/cards.js", "cardroom/look.js"} <= set(found)
    assert "games/play/main.js" not in found
    with pytest.raises(FileNotFoundError, match=r"no static file games/nothing\.js"):
        modules_of("games/nothing.js")


def test_a_page_asks_for_all_its_modules_at_once_under_names_that_never_change_their_content(built, laid_out):
    told = module("games/play/main.js")
    hints, script = re.findall(r'rel="modulepreload" href="([^"]+)"', told), re.findall(r'src="([^"]+)"', told)
    assert len(hints) == len(modules_of("games/play/main.js"))
    hashed = re.compile(r"/static/[\w/]+\.[0-9a-f]{12}\.js")
    assert all(hashed.fullmatch(address) for address in [*hints, *script])
    # What a module imports has the very names that were asked for, so that nothing is fetched twice.
    asked = {address.removeprefix("/static/") for address in hints}
    for address in [*hints, *script]:
        text = (laid_out / address.removeprefix("/static/")).read_text("utf-8")
        for imported in re.findall(r"^import[^;]*?\"(\.[^\"]+)\";", text, re.MULTILINE):
            assert os.path.normpath(f"{Path(address).parent}/{imported}").removeprefix("/static/") in asked, address


def test_files_are_compressed_and_kept_for_ever(built):
    address = staticfiles_storage.url("games/play/table.css")
    answer = built(RequestFactory().get(address, headers={"Accept-Encoding": "gzip"}))
    assert "immutable" in answer["Cache-Control"]
    assert answer["Content-Encoding"] == "gzip"
    plain = built(RequestFactory().get(address)).content
    assert gzip.decompress(answer.content) == plain
    assert len(answer.content) < len(plain) / 2
