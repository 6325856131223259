"""What the engine of events says, and what its journal keeps in English, in the language of whoever reads it."""

import pytest
from django.utils import translation

from cardroom.core.languages import spoken
from tournaments.engine.errors import IllegalAction, Said, counted
from tournaments.events.labels import spoken_label

GERMAN = {
    "Rebuys ended with {level}.": "Nachkäufe endeten mit {level}.",
    "Level {n}": "Stufe {n}",
    "Undone: {what}": "Zurückgenommen: {what}",
    "Count of table {table}: {chips} in {what}": "Zählung an Tisch {table}: {chips} in {what}",
    "{n} stacks": "{n} Stapeln",
    "{what} begins": "{what} beginnt",
    "Clock on {name}": "Uhr für {name}",
    "{n} of at least {least} entrants had come by the start": "{n} von mindestens {least} waren zum Start da",
}


@pytest.fixture
def in_german(monkeypatch):
    monkeypatch.setattr(translation._trans, "gettext", lambda message: GERMAN.get(message, message))
    monkeypatch.setattr(translation._trans, "ngettext", lambda one, many, n: "ein Tisch" if n == 1 else "{n} Tische")
    with translation.override("de"):
        yield


def test_a_refusal_is_an_english_sentence_that_can_be_said_in_another_language(in_german):
    refused = IllegalAction("rebuy-closed", "Rebuys ended with {level}.", "TDA 10", level=Said("Level {n}", n=4))
    assert (str(refused), refused.message, refused.code) == ("Rebuys ended with Level 4.",) * 2 + ("rebuy-closed",)
    assert spoken(refused.message) == "Nachkäufe endeten mit Stufe 4."
    numbers = [counted(n, "{n} table", "{n} tables") for n in (1, 2)]
    assert (numbers, [spoken(said) for said in numbers]) == (["1 table", "2 tables"], ["ein Tisch", "2 Tische"])
    assert spoken(Said("{name} is not in.", name="{level}")) == "{level} is not in.", "braces in a name are letters"
    assert spoken("{name}") == "{name}"


@pytest.mark.parametrize(("kept", "read"), [
    ("Level 4 begins", "Stufe 4 beginnt"),
    ("Undone: Clock on Level 4 begins", "Zurückgenommen: Uhr für Level 4 begins"),
    ("Count of table 3: 12,000 in 6 stacks", "Zählung an Tisch 3: 12.000 in 6 Stapeln"),
    ("Undone: Level 4 begins", "Zurückgenommen: Stufe 4 beginnt"),
    ("3 of at least 6 entrants had come by the start", "3 von mindestens 6 waren zum Start da"),
    ("Something said in an older release", "Something said in an older release"),
])  # fmt: skip
def test_the_log_is_read_in_the_readers_language_and_in_english_as_it_was_written(in_german, kept, read):
    assert spoken_label(kept) == read
    with translation.override("en"):
        assert spoken_label(kept) == kept
