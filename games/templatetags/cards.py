"""Cards in templates: as pictures, in running text, and in words."""

import re
from typing import Any

from django import template
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, pgettext_lazy

from games.tables import words as table_words

register = template.Library()

_CARD = re.compile(r"\[([2-9TJQKA])([shdc])\]")
_SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_SUITS = {
    "s": pgettext_lazy("a suit", "spades"),
    "h": pgettext_lazy("a suit", "hearts"),
    "d": pgettext_lazy("a suit", "diamonds"),
    "c": pgettext_lazy("a suit", "clubs"),
}
_RANKS = dict(zip("23456789TJQKA", table_words.RANKS.values(), strict=True))

register.filter("hand_words", table_words.hand_words)


def in_words(card: str | None) -> str:
    """ "As" -> "ace of spades"."""
    if not card or card[0] not in _RANKS:
        return gettext("a hidden card")
    return gettext("{rank} of {suit}").format(rank=_RANKS[card[0]], suit=_SUITS[card[1]])


@register.filter
def cards_in_text(text: str) -> SafeString:
    """A sentence with each "[As]" drawn as a small card with a name."""
    return mark_safe(_CARD.sub(_pip, conditional_escape(text)))  # noqa: S308  (escaped, and the rest is ours)


@register.inclusion_tag("games/play/_fan.html")
def fan(cards: list[tuple[str | None, bool]], five: tuple[str, ...] = (), words: str = "") -> dict[str, Any]:
    """Cards side by side; with `five` the others are dimmed."""
    drawn = [
        {
            "rank": _rank(card) if card else "",
            "suit": card[1] if card else "",
            "is_known": bool(card) and card != "??",
            "is_idle": bool(five) and card not in five,
        }
        for card, _ in cards
    ]
    known = [in_words(card) for card, _ in cards if card and card != "??"]
    hidden = len(cards) - len(known)
    parts = [*known, *([gettext("{n} face down").format(n=hidden)] if hidden else [])]
    return {"cards": drawn, "words": words or ", ".join(parts)}


@register.inclusion_tag("games/play/_fan.html")
def shown(cards: str, new: int) -> dict[str, Any]:
    """Cards such as "?? Kh" side by side; all but the last `new` are dimmed."""
    named = cards.split()
    drawn = fan([(card, True) for card in named])
    for place, card in enumerate(drawn["cards"]):
        card["is_idle"] = place < len(named) - new
    return drawn


def _pip(match: re.Match[str]) -> str:
    rank, suit = match.groups()
    card = rank + suit
    pip = '<span class="pip pip--{}" role="img" aria-label="{}">{}{}</span>'
    return format_html(pip, suit, in_words(card), _rank(card), _SIGNS[suit])


def _rank(card: str) -> str:
    return "10" if card[0] == "T" else card[0]
