"""Rulebooks in templates."""

from django import template
from django.urls import reverse

from games import rulebooks, ruling_words
from games.engine.rulebook import Rulebook
from games.models import Table
from games.services import table_books

register = template.Library()


@register.filter
def rulebook_url(reference: str) -> str:
    """The page of the book that a table or a hand names."""
    if not reference.startswith(rulebooks.HOUSE):
        return reverse("rulebook", args=[reference])
    slug, _, version = reference.removeprefix(rulebooks.HOUSE).partition("@")
    return reverse("house_version", args=[slug, version])


@register.filter
def book_in_play(table: Table) -> str:
    """What names the book of the hand on the table."""
    return table_books.in_play(table)


@register.filter
def reference(book: Rulebook) -> str:
    """What a book is named by."""
    return rulebooks.reference(book)


@register.filter
def point_name(key: str) -> str:
    """A rulebook point by the name people know it by."""
    return ruling_words.name_of_key(key)
