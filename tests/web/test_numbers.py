"""Whole numbers as forms and addresses say them."""

from decimal import Decimal

from django.forms import ValidationError

from cardroom.core.errors import Invalid
from cardroom.core.web import parts
from tests.support.refusals import refused
from tournaments.pages.levels import numbers

#: The blanks that languages put between thousands.
THIN, HARD = "\N{NARROW NO-BREAK SPACE}", "\N{NO-BREAK SPACE}"


def test_a_number_is_read_as_people_write_it_and_anything_else_refused():
    for number, written in (
        (0, ["0"]),
        (7, ["7"]),
        (1000, ["1000", "1,000", "1.000", f"1{THIN}000"]),
        (12_500, [" 12 500 "]),
        (1_234_567, [f"1{HARD}234{HARD}567"]),
        (12_345_678, ["12.345.678"]),
    ):
        assert [parts.whole(said) for said in written] == [number] * len(written)

    odd = ("\N{ARABIC-INDIC DIGIT SEVEN}", "\N{SUPERSCRIPT TWO}", "9" * 19, "x", "")
    for said in ("-1", "1.5", "1,50", "1.0000", "1.000,000", "1,", ",100", "1 2", "100,00", *odd):
        assert parts.whole_or_none(said) is None, said
        refused(Invalid, "How many", parts.whole, said, "How many?")


def test_a_field_of_a_form_reads_thousands_and_decimals_and_keeps_its_least_and_most():
    field = parts.WholeNumberField(min_value=10, max_value=20_000)
    assert [field.clean(said) for said in ("10.000", f"10{THIN}000", "10,000", 12)] == [10_000, 10_000, 10_000, 12]
    for wrong in ("1.5", "10.00", "9", "20.001", "ten"):
        refused(ValidationError, field.clean, wrong)
    assert field.widget.attrs == {"inputmode": "numeric"}
    decimals = parts.DecimalsField(decimal_places=2)
    assert decimals.clean("2,5") == decimals.clean("2.5") == Decimal("2.5")


def test_several_numbers_are_told_apart_and_one_that_may_be_two_is_refused():
    assert numbers("25, 100,500 1.000") == [25, 100, 500, 1000]
    assert numbers(f"25 1{HARD}000") == [25, 1000]
    assert numbers("") == []
    assert numbers("100, 1,000") is None
