"""What the engine of events says, and what its journal keeps in English, in the language of whoever reads it."""

import pytest
from django.utils import translation

from cardroom.core.sentences import spoken
from tournaments.engine.errors import IllegalAction, Said, counted
from tournaments.events.labels import spoken_label, spoken_why

GERMAN = {
    "Rebuys ended with {level}.": "Nachkäufe endeten mit {level}.", "Level {n}": "Stufe {n}",
    "Count of table {table}: {chips} in {what}": "Zählung an Tisch {table}: {chips} in {what}",
    "Undone: {what}": "Zurückgenommen: {what}", "{n} stacks": "{n} Stapeln", "{what} begins": "{what} beginnt",
    "Clock on {name}": "Uhr für {name}", "Bust of {name}": "Ausgeschieden: {name}",
    "Bust of {name}, when the hand is over": "Ausgeschieden nach der Hand: {name}",
    "Hand at table {table}: bust of {name}": "Hand an Tisch {table}, ausgeschieden: {name}",
    "{names} and {last}": "{names} und {last}", "{n} players": "{n} Leuten", "{n} free seats": "{n} freien Plätzen",
    **dict.fromkeys(("{n}st", "{n}nd", "{n}rd", "{n}th"), "{n}."),
    "Table {table} breaks. Drawn {turn} of {players}, then seat {seat} of table {to} drawn from {seats} where "
    "{least} sat, the fewest.": "Tisch {table} fällt weg. {turn} von {players}: Platz {seat}, Tisch {to} aus {seats} "
    "bei {least}.",
    "Table {table} has {players} players and table {other} has {others}. {why}": "{players} an {table}, {others} an "
    "{other}. {why}",
    "By the floor's decision": "Auf Entscheidung des Floors",
    "{why}, the next clockwise: seat {seat} there is empty.": "{why}: Platz {seat} leer.",
    "Seat {seat} opened last at table {table}, and the player in seat {other_seat} of table {other_table} moves into "
    "it": "Platz {seat} an {table} von {other_seat} an {other_table}",
    "{n} of at least {least} entrants had come by the start": "{n} von mindestens {least} waren zum Start da",
}  # fmt: skip


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
    ("Bust of Ana", "Ausgeschieden: Ana"),
    ("Bust of Guest 3, 2nd", "Ausgeschieden: Guest 3, 2."),
    ("Bust of Tom and Jerry, 12th", "Ausgeschieden: Tom and Jerry, 12."),
    ("Undone: Bust of Ana (7th) and Ben (6th)", "Zurückgenommen: Ausgeschieden: Ana (7.) und Ben (6.)"),
    ("Hand at table 3: bust of Ana (23rd), Ben (22nd) and Cy (21st)",
     "Hand an Tisch 3, ausgeschieden: Ana (23.), Ben (22.) und Cy (21.)"),
    ("Bust of Ana and Ben, when the hand is over", "Ausgeschieden nach der Hand: Ana und Ben"),
    ("Something said in an older release", "Something said in an older release"),
])  # fmt: skip
def test_the_log_is_read_in_the_readers_language_and_in_english_as_it_was_written(in_german, kept, read):
    assert spoken_label(kept) == read
    with translation.override("en"):
        assert spoken_label(kept) == kept


@pytest.mark.parametrize(("kept", "read"), [
    ("Table 3 breaks. Drawn 2nd of 4, then seat 5 of table 1 drawn from 2 free seats where 6 players sat, the fewest.",
     "Tisch 3 fällt weg. 2. von 4: Platz 5, Tisch 1 aus 2 freien Plätzen bei 6 Leuten."),
    ("Table 1 has 8 players and table 2 has 6. Seat 5 opened last at table 2, and the player in seat 5 of table 1 "
     "moves into it, the next clockwise: seat 4 there is empty.",
     "8 an 1, 6 an 2. Platz 5 an 2 von 5 an 1: Platz 4 leer."),
    ("By the floor's decision", "Auf Entscheidung des Floors"),
    ("Their chair broke.", "Their chair broke."),
])  # fmt: skip
def test_why_somebody_was_moved_is_read_so_too_and_what_a_director_wrote_as_it_is(in_german, kept, read):
    assert spoken_why(kept) == read
    with translation.override("en"):
        assert spoken_why(kept) == kept
