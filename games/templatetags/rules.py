"""Rulebooks and rulings in templates: their names, and how other books have the same point."""

from dataclasses import dataclass
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html, json_script
from django.utils.safestring import SafeString

from cardroom.core import sentences
from games import rulebooks
from games.rulebooks import slugs
from games.rulebooks import words as rulebook_words
from games.rulebooks.queries import load
from games.tables import offers
from games.templatetags.cards import cards_in_text

register = template.Library()
register.filter("book_in_play", offers.in_play)
register.filter("reference", rulebooks.reference)
register.filter("point_name", rulebook_words.name_of_key)
register.filter("cited", rulebook_words.cited)


@register.filter
def rulebook_url(reference: str) -> str:
    """The page of the book that a table or a hand names."""
    if not reference.startswith(rulebooks.HOUSE):
        return reverse("rulebook", args=[reference])
    slug, _, version = reference.removeprefix(rulebooks.HOUSE).partition("@")
    return reverse("house_version", args=[slug, version])


@dataclass(frozen=True)
class Elsewhere:
    """The same point in another book."""

    title: str
    text: str
    citation: str


@register.filter
def ruling_title(ruling: Any) -> str:
    """Point and verdict in words, of anything with a `key` and a `verdict`."""
    return rulebook_words.title(ruling.key, ruling.verdict)


@register.filter
def of_a_book(words: str, own_language: str | None = None) -> SafeString:
    """The text of a book or a ruling, in the reader's language with the book's own words beside it. `own_language`: the
    text in the reader's language ("": only the book's own words); without it the words are translated."""
    own_language = rulebook_words.translated(words) if own_language is None else own_language
    own = cards_in_text(words)
    if own_language:
        return format_html('{} <q class="book-words" lang="en">{}</q>', cards_in_text(own_language), own)
    return own if sentences.is_english() else format_html('<span lang="en">{}</span>', own)


@register.filter
def order_name(what: str) -> str:
    """An order of the floor in words."""
    return rulebook_words.ORDERS.get(what, what)


@register.filter
def other_books(key: str, slug: str) -> list[Elsewhere]:
    """What every published book but `slug` plays on this point."""
    books = [load(other) for other in slugs() if other != slug]
    return [Elsewhere(book.title, book.points[key].text, book.citation(key)) for book in books if key in book.points]


@register.simple_tag
def ruling_words(*references: str) -> str:
    """The names of points and verdicts, and the texts of these books in the reader's language, as JSON for the scripts
    of a page with rulings."""
    return json_script(rulebook_words.words(*references), "ruling-words")
