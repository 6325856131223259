"""Whole numbers as forms and addresses say them."""

import pytest

from cardroom.services.errors import Invalid
from cardroom.web import numbers


@pytest.mark.parametrize(("said", "number"), [("7", 7), ("1,000", 1000), (" 12 500 ", 12_500), ("0", 0)])
def test_a_number_is_read_as_people_write_it(said, number):
    assert numbers.whole(said) == number


@pytest.mark.parametrize(
    "said", ["", "-1", "1.5", "\N{ARABIC-INDIC DIGIT SEVEN}", "\N{SUPERSCRIPT TWO}", "9" * 19, "x"]
)
def test_anything_else_is_refused_and_breaks_nothing(said):
    assert numbers.whole_or_none(said) is None
    with pytest.raises(Invalid, match="How many"):
        numbers.whole(said, "How many?")
