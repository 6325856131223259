"""One's own hands, found again by what they were and by what one wrote about them."""

import pytest

from games.play import own_hands
from tests.support.evening import Evening
from tests.support.models import HandResult
from tests.support.parts.cardroom import Conflict, Forbidden, Invalid, NotFound
from tests.support.refusals import refused


def mark(evening: Evening, hand: int, tags: str = "", note: str = "", by=None):
    return own_hands.mark(player=by or evening.ann, hand_id=hand, tags=tags, note=note, now=evening.now)


@pytest.fixture
def hands(evening: Evening) -> tuple[int, int]:
    """Ann folds a hand to bob, and then plays one to the showdown with him."""
    folded = evening.table.hand_id
    while evening.table.hand_id == folded:
        evening.act("bring-in" if evening.turn.bring_in else "fold" if evening.to_act == evening.ann else "complete")
    evening.deal()
    shown = evening.table.hand_id
    evening.play_out()
    return folded, shown


def numbers(player, **asked) -> list[int]:
    return [row.hand_id for row in own_hands.found(player, **asked)]


def test_hands_are_found_newest_first_by_what_they_were(evening: Evening, hands: tuple[int, int]) -> None:
    folded, shown = hands
    assert numbers(evening.ann) == [shown, folded]
    assert numbers(evening.ann, only="showdown") == [shown]
    assert numbers(evening.ann, only="all-in") == []
    of_both = [*numbers(evening.ann, result="won"), *numbers(evening.ann, result="lost")]
    assert sorted(of_both) == [folded, shown]
    assert folded in numbers(evening.ann, result="lost")
    assert numbers(evening.bob, result="won", only="")[-1] == folded
    stakes = f"{evening.table.small_bet}/{evening.table.big_bet}"
    assert numbers(evening.ann, game="seven-card-stud", stakes=stakes, opponent="BOB") == [shown, folded]
    for asked in ({"stakes": "1/2"}, {"opponent": "nobody"}, {"game": "razz"}):
        assert numbers(evening.ann, **asked) == []
    newest = HandResult.objects.get(player=evening.ann, hand=shown)
    assert numbers(evening.ann, before=newest.pk) == [folded]
    assert numbers(evening.ann, since=newest.at) == [shown]
    assert numbers(evening.ann, until=newest.at) == [folded]
    assert own_hands.choices(evening.ann)["stakes"] == [stakes]
    assert refused(Invalid, "such as 5/10", own_hands.found, evening.ann, stakes="5/x").code == "bad-stakes"


def test_a_mark_is_ones_own_and_is_found_by_its_tag_and_its_words(evening: Evening, hands: tuple[int, int]) -> None:
    _, shown = hands
    mark(evening, shown, "#River, bluff river", "He had it all along.")
    assert own_hands.mark_of(evening.ann, shown).tags == " bluff river "
    assert own_hands.mark_of(evening.bob, shown) is None
    for asked in ({"words": "river"}, {"words": "#bluff"}, {"words": "all ALONG"}, {"only": "marked"}):
        assert numbers(evening.ann, **asked) == [shown]
        assert numbers(evening.bob, **asked) == []
    assert numbers(evening.ann, words="rive") == []
    (row,) = own_hands.found(evening.ann, words="river")
    assert (row.tags, row.note) == (" bluff river ", "He had it all along.")
    assert own_hands.choices(evening.ann)["tags"] == ["bluff", "river"]
    assert numbers(evening.ann, only="tagged") == [shown]
    mark(evening, shown, "", "Only a note.")
    assert (numbers(evening.ann, only="tagged"), numbers(evening.ann, only="marked")) == ([], [shown])
    mark(evening, shown, "hero")
    assert numbers(evening.ann, words="river") == []
    mark(evening, shown)
    assert own_hands.mark_of(evening.ann, shown) is None


def test_hands_of_a_sitting_belong_together_with_what_they_came_to(evening: Evening, hands: tuple[int, int]) -> None:
    rows = own_hands.found(evening.ann)
    [session] = own_hands.sessions(evening.ann, rows).values()
    assert (session.hands, session.net) == (2, sum(row.net for row in rows))
    assert (session.since, session.until) == (rows[1].at, rows[0].at)
    assert numbers(evening.ann, session=session.name) == [*hands][::-1]
    assert numbers(evening.bob, session=session.name) == []
    refused(Invalid, "no such session", own_hands.found, evening.ann, session="stay-x")


def test_a_hand_in_which_all_chips_went_in_is_found_as_such() -> None:
    table = Evening(min_buy_in=40)
    ann, bob = table.sit("ann", 1, 40), table.sit("bob", 2)
    hand = table.deal().table.hand_id
    while table.table.hand_id == hand:
        turn = table.turn
        if turn.bring_in:
            table.act("bring-in")
        elif turn.verb:
            table.act({"bet": "bet", "complete-to": "complete", "raise-to": "raise"}[turn.verb], turn.sizes[0])
        else:
            table.act("call")
    assert numbers(ann, only="all-in") == [hand]
    assert numbers(bob, only="all-in") == []


def test_a_mark_is_refused_with_its_reason(evening: Evening) -> None:
    playing = evening.table.hand_id
    assert refused(Conflict, "when it is over", mark, evening, playing, "bluff").code == "hand-in-play"
    evening.play_out()
    other = evening.player("cec")
    assert refused(Forbidden, "not dealt into", mark, evening, playing, "x", by=other).code == "not-in-hand"
    refused(NotFound, "no such hand", mark, evening, 10**9, "x")
    for tags in ("one two three four five six", "x" * 21, "sm(ile"):
        assert refused(Invalid, "Up to 5 tags", mark, evening, playing, tags).code == "bad-tags"
    refused(Invalid, "at most 500", mark, evening, playing, "", "x" * 501)
    assert own_hands.mark_of(evening.ann, playing) is None
