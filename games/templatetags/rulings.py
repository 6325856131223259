"""Rulings in templates: what they are called, and how other books have the same point."""

from dataclasses import dataclass
from typing import Any

from django import template

from games.rulebooks import slugs
from games.rulebooks import words as rulebook_words
from games.rulebooks.queries import load

register = template.Library()


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
def order_name(what: str) -> str:
    """An order of the floor in words."""
    return rulebook_words.ORDERS.get(what, what)


@register.filter
def other_books(key: str, slug: str) -> list[Elsewhere]:
    """How every published book but `slug` has the point."""
    books = [load(each) for each in slugs() if each != slug]
    return [Elsewhere(book.title, book.points[key].text, book.citation(key)) for book in books if key in book.points]
