"""Rulebooks in templates."""

from django import template
from django.urls import reverse

from games import rulebooks
from games.engine.rulebook import Rulebook
from games.rulebooks import words as rulebook_words
from games.tables import table_rulebook
from games.tables.models.tables import Table

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
    return table_rulebook.in_play(table)


@register.filter
def reference(book: Rulebook) -> str:
    """What a book is named by."""
    return rulebooks.reference(book)


@register.filter
def point_name(key: str) -> str:
    """A rulebook point by the name people know it by."""
    return rulebook_words.name_of_key(key)
