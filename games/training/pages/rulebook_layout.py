"""Rulebooks laid out for their pages: points in groups, each with its value in words, of one book or of several side by
side."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext_lazy

from cardroom.core import sentences
from games.engine.rulebook import Point, Rulebook
from games.rulebooks import frozen
from games.rulebooks import words as rulebook_words
from games.rulebooks.house.choices import questions

_GROUPS = (
    (
        gettext_lazy("The deal and who acts"),
        "players ante streets burns forced_bet later_opener opener_may_complete bring_in_is_open deck_exhaustion"
        " last_stub_card",
    ),
    (
        gettext_lazy("Betting"),
        "limits wager_size completion raise_cap open_pair_fourth short_bring_in short_all_in ante_all_in_lowcard"
        " beaten_call_stands fold_keeps_receiving picked_up_upcards acting_in_turn time_out table_stakes",
    ),
    (gettext_lazy("Absent players and announcements"), "absent_player announcements"),
    (gettext_lazy("Pots and showdown"), "side_pots uncalled_bet showdown_order all_in_showdown odd_chip"),
    (
        gettext_lazy("Mistakes and what the floor may order"),
        "exposed_downcard both_downcards_exposed dead_hand_lowcard wrong_lowcard card_off_table burn_error"
        " premature_deal all_in_final_faceup final_card_faceup wrong_card_count upcard_order"
        " misdeal fouled_deck void_hand penalty",
    ),
)
_REST = gettext_lazy("Further points")


@dataclass(frozen=True)
class RulebookRow:
    """One point. `tournament` is "" where a tournament plays the same; `citation` names book and rule; `played` says
    what is played where `text` is the house's own: a sentence in English, else the value in words. `was`: the point as
    the base book of a house book has it, where the house changed it."""

    key: str
    name: str
    value: str
    tournament: str
    text: str
    citation: str
    is_silent: bool = False
    played: str = ""
    was: "RulebookRow | None" = None


@dataclass(frozen=True)
class RulebookSection:
    title: str
    rows: list[RulebookRow]


@dataclass(frozen=True)
class ComparedPoint:
    """One point in several books, in their order. `is_same`: they all play it alike."""

    key: str
    name: str
    cells: list[tuple[Rulebook, RulebookRow]]
    is_same: bool


@dataclass(frozen=True)
class ComparedSection:
    title: str
    points: list[ComparedPoint]


def grouped(keys: Collection[str]) -> list[tuple[str, list[str]]]:
    """The points in groups; one that no group names comes last rather than not at all."""
    groups = [(title, [key for key in names.split() if key in keys]) for title, names in _GROUPS]
    named = {key for _, group in groups for key in group}
    groups.append((_REST, [key for key in keys if key not in named]))
    return [(title, group) for title, group in groups if group]


def sections(book: Rulebook, was: Mapping[str, Mapping[str, Any]] | None = None) -> list[RulebookSection]:
    """Every point of the book. `was`: the changed points of a house book as its base has them."""
    before = was or {}
    return [
        RulebookSection(title, [_with_change(row(book, key), before.get(key)) for key in keys])
        for title, keys in grouped(book.points)
    ]


def side_by_side(books: list[Rulebook], *, only_different: bool = False) -> list[ComparedSection]:
    """Every point in every book, or those on which the books do not play the same."""
    groups = []
    for title, keys in grouped(books[0].points):
        points = [_compared_point(books, key) for key in keys]
        if points := [point for point in points if not (only_different and point.is_same)]:
            groups.append(ComparedSection(title, points))
    return groups


def row(book: Rulebook, key: str) -> RulebookRow:
    """One point of a book."""
    point = book.points[key]
    return RulebookRow(
        key=key,
        name=str(questions()[key].name),
        value=in_words(key, point.value),
        tournament="" if point.tournament is None else in_words(key, point.tournament),
        text=point.text,
        citation=book.citation(key),
        is_silent=point.is_silent,
        played=point.played if sentences.is_english() else point.played and rulebook_words.played(point),
    )


def point_row(point: Point) -> RulebookRow:
    """A point by itself, without its book."""
    return row(Rulebook("", "", "", {point.key: point}), point.key)


def in_words(key: str, value: Any) -> str:
    """A point's value as people read it."""
    return questions()[key].in_words(value)


def _with_change(now: RulebookRow, was: Mapping[str, Any] | None) -> RulebookRow:
    if was is None:
        return now
    value, other = frozen(was["value"]), frozen(was["tournament"])  # as it is kept, it has lists
    tournament = "" if other is None else in_words(now.key, other)
    before = RulebookRow(now.key, now.name, in_words(now.key, value), tournament, was["text"], was["citation"])
    return replace(now, was=before)


def _compared_point(books: list[Rulebook], key: str) -> ComparedPoint:
    played = [(book.points[key].value, book.points[key].tournament) for book in books]
    cells = [(book, row(book, key)) for book in books]
    return ComparedPoint(key, str(questions()[key].name), cells, is_same=all(values == played[0] for values in played))
