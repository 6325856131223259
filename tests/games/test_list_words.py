"""Why something happened to a name on a list, read out of what was kept in English."""

import pytest
from django.utils import translation

from tests.support.parts.games import list_words

GERMAN = {
    "{name}: {what}.": "{name}: {what}.",
    "on the list since {time}, the first who waits": "seit {time} auf der Liste",
    "{what}; passed over: {others}.": "{what}; nicht aufgerufen: {others}.",
    "wants {seats}, and free {free}": "will {seats}, frei {free}",
    "seat {most} or {n}": "Platz {most} oder {n}",
    "is seat {n}": "ist Platz {n}",
    "would leave {n} where they play, and {more} play here ({rule})": "ließe {n} zurück, hier spielen {more} ({rule})",
    "Did not come in time to {at}, seat {seat}: {what}.": "Kam nicht rechtzeitig zu {at}, Platz {seat}: {what}.",
    "off the list": "von der Liste",
    "Waiting list of {game}, {what}.": "Warteliste von {game}, {what}.",
    "by phone": "am Telefon",
}


@pytest.mark.parametrize(("kept", "read"), [
    ("Left the list.", "Left the list."),
    ("Acacia: on the list since 16:05, the first who waits.", "Acacia: seit 16:05 auf der Liste."),
    (
        "Acacia: on the list since 16:05, the first who waits; passed over: Elm (wants seat 3, 4 or 5, and free is"
        " seat 8), Oak (would leave 3 where they play, and 5 play here (Robert's Rules, Seating 3: no transfer)).",
        "Acacia: seit 16:05 auf der Liste; nicht aufgerufen: Elm (will Platz 3, 4 oder 5, frei ist Platz 8), Oak"
        " (ließe 3 zurück, hier spielen 5 (Robert's Rules, Seating 3: no transfer)).",
    ),
    (
        "Did not come in time to Table 2, seat 8: off the list.",
        "Kam nicht rechtzeitig zu Table 2, Platz 8: von der Liste.",
    ),
    ("Waiting list of Stud 20/40 live, by phone.", "Warteliste von Stud 20/40 live, am Telefon."),
    ("Their daughter waits outside.", "Their daughter waits outside."), ("", ""),
])  # fmt: skip
def test_a_reason_is_read_in_the_readers_language_and_in_english_as_it_was_written(monkeypatch, kept, read):
    assert list_words.reason(kept) == kept
    monkeypatch.setattr(translation._trans, "gettext", lambda message: GERMAN.get(message, message))
    with translation.override("de"):
        assert list_words.reason(kept) == read


@pytest.mark.parametrize("pattern", list_words._PATTERNS)
def test_each_pattern_is_found_before_another_that_would_take_its_words(monkeypatch, pattern):
    marked = {each: f"<{at}>" for at, each in enumerate(list_words._PATTERNS)}
    monkeypatch.setattr(translation._trans, "gettext", lambda message: marked.get(message, message))
    some = {"n": "4", "seat": "3", "time": "16:05", "what": "by phone", "seats": "seat 3", "free": "is seat 3"}
    told = pattern.format(**some, at="Regent", game="Stud 15/30", name="Elm", more="5", most="3, 4", rule="a rule",
                          others="Oak (off the list)")  # fmt: skip
    with translation.override("de"):
        assert list_words.reason(told) == marked[pattern]
