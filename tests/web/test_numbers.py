"""Whole numbers as forms and addresses say them."""

from decimal import Decimal

import pytest
from django.forms import ValidationError

from cardroom.core.errors import Invalid
from cardroom.core.web import parts
from tournaments.pages.levels import numbers


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


def test_a_field_of_a_form_reads_thousands_and_keeps_its_least_and_most():
    field = parts.WholeNumberField(min_value=10, max_value=20_000)
    assert [field.clean(said) for said in ("10.000", "10\N{NARROW NO-BREAK SPACE}000", "10,000", 12)] == [
        10_000
    ] * 3 + [12]
    for wrong in ("1.5", "10.00", "9", "20.001", "ten"):
        with pytest.raises(ValidationError):
            field.clean(wrong)
    assert field.widget.attrs == {"inputmode": "numeric"}


def test_decimals_stand_after_a_point_or_a_comma():
    field = parts.DecimalsField(decimal_places=2)
    assert field.clean("2,5") == field.clean("2.5") == Decimal("2.5")


def test_several_numbers_are_told_apart_and_one_that_may_be_two_is_refused():
    assert numbers("25, 100,500 1.000") == [25, 100, 500, 1000]
    assert numbers("25 1\N{NO-BREAK SPACE}000") == [25, 1000]
    assert numbers("") == []
    assert numbers("100, 1,000") is None
