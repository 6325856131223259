"""The words of the code: a new puzzle fails here, and so does an exception that is no longer one."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.support import house, plain_words

Finder = Callable[[Path, Iterable[str]], list[str]]
FINDERS: dict[str, Finder] = {
    "puzzling_names": plain_words.puzzling_names,
    "repeated_class_names": plain_words.repeated_class_names,
    "modules_under_two_names": plain_words.modules_under_two_names,
    "missing_nouns": plain_words.missing_nouns,
    "long_test_names": plain_words.long_test_names,
}
#: What stands, each for a reason; none is added, and one that is mended leaves the list.
EXCEPTIONS: dict[str, frozenset[str]] = {
    # Columns of the database, and fields that programs read by these names.
    "puzzling_names": frozenset(
        {
            "cardroom/accounts/models.py: ChatLine: said",
            "cardroom/core/models.py: Approval: told",
            "cardroom/core/models.py: Repeat: asked",
            "games/dealers/models.py: Shift: found",
            "games/floor/pages/offer_shapes.py: HourRow: each",
            "games/floor/pages/shifts.py: ShiftOut: found",
            "games/play/randomness.py: Figure: found",
            "tournaments/events/pages/serializers.py: ToldCount: told",
        }
    ),
    # A hand in play and the row of a hand: the word of the game for both, and they are never used in one place.
    "repeated_class_names": frozenset({"Hand: games/engine/hand.py, games/tables/models/tables.py"}),
}
PUZZLE = '"""A seat for ' + 'who plays."""'
SEATS = '''from games import tables
from games import tables as rows

RULES = (
    "Whoever brings in may raise.",
)


class Seat:
    """A seat."""


class Table:
    class Seat:
        PUZZLE_HERE

    class Kind:
        """A choice."""


def sit(asked):
    for each in asked:
        found = each
        person = found.who
    return person


def test_NAME():
    """A test."""
'''.replace("NAME", "n" * 76).replace("PUZZLE_HERE", PUZZLE)


@pytest.mark.parametrize("name", FINDERS)
def test_words_are_plain(name: str) -> None:
    files = house.tracked(house.PROJECT)
    is_of_product = name in ("puzzling_names", "repeated_class_names")
    lines = set(FINDERS[name](house.PROJECT, house.product(files) if is_of_product else house.python(files)))
    listed = EXCEPTIONS.get(name, frozenset())
    assert lines - listed == set(), "give it a noun, or a name of its own: see CONTRIBUTING.md, plain words"
    assert listed - lines == set(), "mended: take it off the list of exceptions"


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("puzzling_names", ["seats.py: sit: asked", "seats.py: sit: each", "seats.py: sit: found"]),
        ("repeated_class_names", ["Seat: seats.py, seats.py"]),
        ("modules_under_two_names", ["seats.py: games.tables"]),
        ("missing_nouns", [f"seats.py: {PUZZLE}"]),
        ("long_test_names", [f"seats.py: test_{'n' * 76}"]),
    ],
)
def test_a_puzzle_is_found(name: str, lines: list[str], tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "tables.py").touch()
    (tmp_path / "seats.py").write_text(SEATS)
    assert FINDERS[name](tmp_path, ["seats.py"]) == lines
