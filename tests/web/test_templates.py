"""What the policy for content forbids is not in a template to begin with."""

import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted((PROJECT / "templates").rglob("*.html"))
STATIC = [PROJECT / app / "static" for app in ("cardroom", "games", "tournaments")]
SCRIPTS = sorted(path for folder in STATIC for path in folder.rglob("*.js"))
SHEETS = sorted(path for folder in STATIC for path in folder.rglob("*.css"))


def name(path: Path) -> str:
    return str(path.relative_to(PROJECT))


@pytest.mark.parametrize("path", TEMPLATES, ids=name)
def test_a_template_has_no_inline_style_or_code(path):
    text = path.read_text("utf-8")
    assert not re.search(r"\sstyle\s*=", text)
    assert not re.search(r"<style", text)
    assert not re.search(r"\son[a-z]+\s*=", text)
    assert not re.search(r"javascript:", text)
    for tag in re.findall(r"<script[^>]*>", text):
        assert "src=" in tag


@pytest.mark.parametrize("path", TEMPLATES, ids=name)
def test_a_template_posts_with_its_token(path):
    text = path.read_text("utf-8")
    for form in re.findall(r"<form[^>]*method=\"post\".*?</form>", text, re.DOTALL):
        assert "{% csrf_token %}" in form


@pytest.mark.parametrize("path", [*SCRIPTS, *SHEETS], ids=name)
def test_nothing_comes_from_elsewhere(path):
    text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|@import|\beval\(|new Function|innerHTML|insertAdjacentHTML|document\.write", text)
