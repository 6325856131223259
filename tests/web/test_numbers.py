"""Whole numbers as forms and addresses say them."""

import pytest

from cardroom.core.errors import Invalid
from cardroom.core.web import parts


@pytest.mark.parametrize(("said", "number"), [("7", 7), ("1,000", 1000), (" 12 500 ", 12_500), ("0", 0)])
def test_a_number_is_read_as_people_write_it(said, number):
    assert parts.whole(said) == number


@pytest.mark.parametrize(
    "said", ["", "-1", "1.5", "\N{ARABIC-INDIC DIGIT SEVEN}", "\N{SUPERSCRIPT TWO}", "9" * 19, "x"]
)
def test_anything_else_is_refused_and_breaks_nothing(said):
    assert parts.whole_or_none(said) is None
    with pytest.raises(Invalid, match="How many"):
        parts.whole(said, "How many?")
