"""Why something happened to a name on a list, as it is stored and as it is read."""

import json

import pytest
from django.utils import translation

from cardroom.core.sentences import to_text
from tests.support.models import ListEntry
from tests.support.parts.games import list_reasons

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
FIRST = list_reasons.FIRST_ON_LIST(time="16:05")
WANTS_SEATS = list_reasons.WANTS_OTHER_SEATS(seats=list_reasons.seats({5, 3, 4}), free=list_reasons.free_seats([8]))
TOO_FEW = list_reasons.LEAVES_TOO_FEW(n=3, more=5, rule="Robert's Rules, Seating 3: no transfer")
BEFORE_OTHERS = list_reasons.OTHERS_PASSED_OVER(
    what=list_reasons.CHOSEN_BEFORE_OTHERS(name="Acacia", what=FIRST), others=[["Elm", WANTS_SEATS], ["Oak", TOO_FEW]]
)
NOT_COME = list_reasons.NOT_COME(at="Table 2", seat=8, what=list_reasons.OFF_THE_LIST())
JOINED = list_reasons.JOINED["list"](game="Stud 20/40 live", what=list_reasons.SOURCES["phone"]())


@pytest.mark.parametrize(
    ("why", "english", "german"),
    [
        (list_reasons.LEFT_LIST(), "Left the list.", "Left the list."),
        (
            list_reasons.CHOSEN(name="Acacia", what=FIRST),
            "Acacia: on the list since 16:05, the first who waits.",
            "Acacia: seit 16:05 auf der Liste.",
        ),
        (
            BEFORE_OTHERS,
            "Acacia: on the list since 16:05, the first who waits; passed over: Elm (wants seat 3, 4 or 5, and free is"
            " seat 8), Oak (would leave 3 where they play, and 5 play here (Robert's Rules, Seating 3: no transfer)).",
            "Acacia: seit 16:05 auf der Liste; nicht aufgerufen: Elm (will Platz 3, 4 oder 5, frei ist Platz 8), Oak"
            " (ließe 3 zurück, hier spielen 5 (Robert's Rules, Seating 3: no transfer)).",
        ),
        (
            NOT_COME,
            "Did not come in time to Table 2, seat 8: off the list.",
            "Kam nicht rechtzeitig zu Table 2, Platz 8: von der Liste.",
        ),
        (JOINED, "Waiting list of Stud 20/40 live, by phone.", "Warteliste von Stud 20/40 live, am Telefon."),
        ("Left the list.", "Left the list.", "Left the list."),
        ("Their daughter waits outside.", "Their daughter waits outside.", "Their daughter waits outside."),
    ],
)
def test_a_reason_is_stored_by_its_code_and_read_in_the_readers_language(monkeypatch, why, english, german):
    stored = json.loads(json.dumps(why))
    assert to_text(stored) == english
    monkeypatch.setattr(translation._trans, "gettext", lambda message: GERMAN.get(message, message))
    with translation.override("de"):
        assert to_text(stored) == german


def test_a_player_reads_nothing_of_the_others_who_were_passed_over():
    assert to_text(list_reasons.without_others(BEFORE_OTHERS)) == "Acacia: on the list since 16:05, the first who waits"
    for why in (JOINED, "Their daughter waits outside."):
        assert list_reasons.without_others(why) == why


def test_a_seat_and_several_seats_are_named():
    assert [to_text(list_reasons.seats(numbers)) for numbers in ([3], [5, 3])] == ["seat 3", "seat 3 or 5"]
    assert [to_text(list_reasons.free_seats(numbers)) for numbers in ([3], [7, 3, 5])] == [
        "is seat 3",
        "are seats 3, 5 and 7",
    ]


def test_each_way_onto_a_list_has_its_words():
    assert set(list_reasons.SOURCES) == set(ListEntry.Source)
    assert set(list_reasons.JOINED) == set(ListEntry.Kind) - {ListEntry.Kind.MUST_MOVE}
