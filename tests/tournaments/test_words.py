"""What the engine of events says, and what its journal keeps, in the reader's language."""

import json

import pytest
from django.utils import translation

from cardroom.core.sentences import translated
from tournaments.engine import balancing, breaking, labels
from tournaments.engine.clock import LEVEL
from tournaments.engine.errors import EventSentence, IllegalCommand, counted, stored
from tournaments.engine.facts import from_json
from tournaments.engine.plain import listed, ordinal

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
    refused = IllegalCommand(
        "rebuy-closed", "Rebuys ended with {level}.", "TDA 10", level=EventSentence("Level {n}", n=4)
    )
    assert (str(refused), refused.message, refused.code) == ("Rebuys ended with Level 4.",) * 2 + ("rebuy-closed",)
    assert translated(refused.message) == "Nachkäufe endeten mit Stufe 4."
    numbers = [counted(n, "{n} table", "{n} tables") for n in (1, 2)]
    assert (numbers, [translated(said) for said in numbers]) == (["1 table", "2 tables"], ["ein Tisch", "2 Tische"])
    assert translated(EventSentence("{name} is not in.", name="{level}")) == "{level} is not in.", (
        "braces in a name are letters"
    )
    assert translated("{name}") == "{name}"


LEVEL_BEGINS = labels.LEVEL_BEGINS(what=LEVEL(n=4))
OUT = listed(labels.IN_PLACE(name=name, place=ordinal(place)) for name, place in (("Ana", 23), ("Ben", 22), ("Cy", 21)))
OPENED = balancing._OPENED(seat=5, table=2, other_seat=5, other_table=1)


def from_journal(words: str) -> str:
    """These words as they come back from the database."""
    return from_json("cancelled", json.loads(json.dumps({"at": 0, "reason": stored(words)}))).reason


@pytest.mark.parametrize(("words", "english", "german"), [
    (LEVEL_BEGINS, "Level 4 begins", "Stufe 4 beginnt"),
    (labels.UNDONE(what=LEVEL_BEGINS), "Undone: Level 4 begins", "Zurückgenommen: Stufe 4 beginnt"),
    (labels.CLOCK_ON(name="Level 4 begins"), "Clock on Level 4 begins", "Uhr für Level 4 begins"),
    (labels.TABLE_COUNTED(table=3, chips=labels.number(12_000), what=labels.stacks(6)),
     "Count of table 3: 12,000 in 6 stacks", "Zählung an Tisch 3: 12.000 in 6 Stapeln"),
    (labels.TOO_FEW(n=3, least=6), "3 of at least 6 entrants had come by the start",
     "3 von mindestens 6 waren zum Start da"),
    (labels.BUST(name="Ana"), "Bust of Ana", "Ausgeschieden: Ana"),
    (labels.BUST(name=labels.AND_PLACE(name="Tom and Jerry", place=ordinal(12))), "Bust of Tom and Jerry, 12th",
     "Ausgeschieden: Tom and Jerry, 12."),
    (labels.HAND_WITH_BUST(table=3, name=OUT), "Hand at table 3: bust of Ana (23rd), Ben (22nd) and Cy (21st)",
     "Hand an Tisch 3, ausgeschieden: Ana (23.), Ben (22.) und Cy (21.)"),
    (labels.BUST_AFTER_HAND(name=listed(["Ana", "Ben"])), "Bust of Ana and Ben, when the hand is over",
     "Ausgeschieden nach der Hand: Ana und Ben"),
    (breaking.DRAWN(table=3, turn=ordinal(2), players=4, seat=5, to=1, seats=labels.free_seats(2),
                    least=labels.players(6)),
     "Table 3 breaks. Drawn 2nd of 4, then seat 5 of table 1 drawn from 2 free seats where 6 players sat, the fewest.",
     "Tisch 3 fällt weg. 2. von 4: Platz 5, Tisch 1 aus 2 freien Plätzen bei 6 Leuten."),
    (balancing._DIFFERENCE(table=1, players=8, other=2, others=6, why=balancing._EMPTY_THERE(why=OPENED, seat=4)),
     "Table 1 has 8 players and table 2 has 6. Seat 5 opened last at table 2, and the player in seat 5 of table 1 "
     "moves into it, the next clockwise: seat 4 there is empty.",
     "8 an 1, 6 an 2. Platz 5 an 2 von 5 an 1: Platz 4 leer."),
    (labels.BY_CHOICE(), "By the floor's decision", "Auf Entscheidung des Floors"),
    ("Their chair broke.", "Their chair broke.", "Their chair broke."),
])  # fmt: skip
def test_the_log_is_read_in_the_readers_language(in_german, words, english, german):
    read = from_journal(words)
    assert (read, translated(read)) == (english, german)


def test_a_fact_with_words_of_no_known_code_is_refused():
    for words in ({"code": "never-said", "values": {}}, {"code": "entry"}, 5):
        with pytest.raises(ValueError, match="a text is wanted"):
            from_json("cancelled", {"at": 0, "reason": words})
