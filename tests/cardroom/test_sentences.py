"""Sentences that are stored as a code and its values."""

import json

import pytest
from django.utils import translation

from cardroom.core.sentences import CountedWording, Wording, to_text

CLOSED = Wording("test.closed", "Closed")
LEFT = Wording("test.left", "{name}: {why} at {chips:,}")
DAYS = CountedWording("test.days", "{n} day", "{n} days")


def stored(words):
    return json.loads(json.dumps(words))


def test_a_stored_sentence_is_worded_in_the_language_of_its_reader():
    sentence = stored(LEFT(name="Ann", why=CLOSED(), chips=1500))
    assert sentence == {
        "code": "test.left",
        "values": {"name": "Ann", "why": {"code": "test.closed", "values": {}}, "chips": 1500},
    }
    assert to_text(sentence) == "Ann: Closed at 1,500"
    with translation.override("de"):
        closed = translation.gettext("Closed")
        assert to_text(sentence) == f"Ann: {closed} at 1.500"
        assert closed != "Closed"


def test_a_stored_sentence_counts():
    assert [to_text(stored(DAYS(n=n))) for n in (1, 2)] == ["1 day", "2 days"]


def test_two_sentences_never_share_a_code():
    with pytest.raises(AssertionError, match=r"test\.closed"):
        Wording("test.closed", "Open")


def test_a_code_that_is_gone_is_shown_as_it_is():
    assert to_text({"code": "test.gone", "values": {}}) == "test.gone"
