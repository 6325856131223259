"""A rulebook laid out for its page: points in groups, each with its value in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.engine.rulebook import Point, Rulebook

_GROUPS = (
    (
        "The deal and who acts",
        "players streets burns forced_bet later_opener opener_may_complete bring_in_is_open deck_exhaustion",
    ),
    (
        "Betting",
        "limits wager_size completion raise_cap open_pair_fourth short_bring_in short_all_in ante_all_in_lowcard"
        " beaten_call_stands fold_keeps_receiving picked_up_upcards acting_in_turn time_out table_stakes",
    ),
    ("Absent players and announcements", "absent_player announcements"),
    ("Pots and showdown", "side_pots uncalled_bet showdown_order all_in_showdown odd_chip"),
    (
        "Mistakes and what the floor may order",
        "exposed_downcard both_downcards_exposed dead_hand_lowcard wrong_lowcard card_off_table burn_error"
        " premature_deal all_in_final_faceup final_card_faceup wrong_card_count upcard_order"
        " misdeal void_hand penalty",
    ),
)
_REST = "Further points"


@dataclass(frozen=True)
class Row:
    """One point. `tournament` is "" where a tournament plays the same; `citation` names book and rule."""

    key: str
    name: str
    value: str
    tournament: str
    text: str
    citation: str
    is_silent: bool


@dataclass(frozen=True)
class Section:
    title: str
    rows: list[Row]


def sections(book: Rulebook) -> list[Section]:
    """Every point of the book, in groups; one that no group names comes last rather than not at all."""
    grouped = [(title, keys.split()) for title, keys in _GROUPS]
    named = {key for _, keys in grouped for key in keys}
    grouped.append((_REST, [key for key in book.points if key not in named]))
    laid_out = [
        Section(title, [_row(book, book.points[key]) for key in keys if key in book.points]) for title, keys in grouped
    ]
    return [section for section in laid_out if section.rows]


def in_words(value: Any) -> str:
    """A point's value as people read it: "third card down", "raises: 3; heads up: uncapped"."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return "; ".join(f"{in_words(key)}: {in_words(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(in_words(item) for item in value)
    return str(value).replace("-", " ").replace("_", " ")


def _row(book: Rulebook, point: Point) -> Row:
    return Row(
        key=point.key,
        name=in_words(point.key).capitalize(),
        value=in_words(point.value),
        tournament="" if point.tournament is None else in_words(point.tournament),
        text=point.text,
        citation=book.citation(point.key),
        is_silent=point.is_silent,
    )
