"""Whole numbers as forms and addresses say them."""

import pytest

from cardroom.core.errors import Invalid
from cardroom.core.web import parts


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("7", 7),
        ("0", 0),
        ("1000", 1000),
        ("1,000", 1000),
        (" 12 500 ", 12_500),
        ("1.000", 1000),
        ("1\N{NARROW NO-BREAK SPACE}000", 1000),
        ("1\N{NO-BREAK SPACE}234\N{NO-BREAK SPACE}567", 1_234_567),
        ("12.345.678", 12_345_678),
    ],
)
def test_a_number_is_read_as_people_write_it(said, number):
    assert parts.whole(said) == number


@pytest.mark.parametrize(
    "said",
    [
        "",
        "-1",
        "1.5",
        "1,50",
        "1.0000",
        "1.000,000",
        "1,",
        ",100",
        "1 2",
        "100,00",
        "\N{ARABIC-INDIC DIGIT SEVEN}",
        "\N{SUPERSCRIPT TWO}",
        "9" * 19,
        "x",
    ],
)
def test_anything_else_is_refused_and_breaks_nothing(said):
    assert parts.whole_or_none(said) is None
    with pytest.raises(Invalid, match="How many"):
        parts.whole(said, "How many?")
