"""One's own hands, found again by what they were and by what one wrote about them."""

from datetime import timedelta
from typing import Any

from games.play import own_hands
from games.play.own_hands import HandSearch
from tests.support.evening import Evening
from tests.support.models import HandResult
from tests.support.parts.cardroom import Conflict, Forbidden, Invalid, NotFound
from tests.support.refusals import refused
from tests.support.worlds import world


def mark(evening: Evening, hand: int, tags: str = "", note: str = "", by=None):
    return own_hands.mark(by=by or evening.ann, hand_id=hand, tags=tags, note=note, now=evening.now)


@world
def played(evening: Evening) -> Evening:
    """Ann `folded` a hand to bob, and then played one to the showdown with them."""
    evening.folded = evening.table.hand_id
    while evening.table.hand_id:
        evening.act("bring-in" if evening.turn.bring_in else "fold" if evening.to_act == evening.ann else "complete")
    evening.deal().play_out()
    evening.shown = evening.table.last_hand_id
    return evening


def numbers(player, before: int | None = None, **fields: Any) -> list[int]:
    return [row.hand_id for row in own_hands.find_own_hands(player, HandSearch(**fields), before=before)]


def test_hands_are_found_newest_first_by_what_they_were(played: Evening) -> None:
    folded, shown, ann = played.folded, played.shown, played.ann
    assert numbers(ann) == [shown, folded]
    assert numbers(ann, only="showdown") == [shown]
    assert numbers(ann, only="all-in") == []
    assert sorted([*numbers(ann, result="won"), *numbers(ann, result="lost")]) == [folded, shown]
    assert folded in numbers(ann, result="lost")
    assert numbers(played.bob, result="won", only="")[-1] == folded
    assert numbers(ann, game="seven-card-stud", stakes="15/30", opponent="BOB") == [shown, folded]
    for asked in ({"stakes": "1/2"}, {"opponent": "nobody"}, {"game": "razz"}):
        assert numbers(ann, **asked) == []
    newest = HandResult.objects.get(player=ann, hand=shown)
    assert numbers(ann, before=newest.pk) == numbers(ann, until=newest.at) == [folded]
    assert numbers(ann, since=newest.at) == [shown]
    assert own_hands.choices(ann)["stakes"] == ["15/30"]
    assert (
        refused(Invalid, "such as 5/10", own_hands.find_own_hands, ann, HandSearch(stakes="5/x")).code == "bad-stakes"
    )


def test_a_mark_belongs_to_its_player_and_is_found_by_tag_and_words(played: Evening) -> None:
    shown, ann, bob = played.shown, played.ann, played.bob
    mark(played, shown, "#River, bluff river", "He had it all along.")
    assert own_hands.mark_of(bob, shown) is None
    found = [*({"words": words} for words in ("river", "#bluff", "all ALONG")), {"only": "marked"}, {"only": "tagged"}]
    for asked in found:
        assert (numbers(ann, **asked), numbers(bob, **asked)) == ([shown], [])
    assert numbers(ann, words="rive") == []
    for marked in (own_hands.mark_of(ann, shown), *own_hands.find_own_hands(ann, HandSearch(words="river"))):
        assert (marked.tags, marked.note) == (" bluff river ", "He had it all along.")
    assert own_hands.choices(ann)["tags"] == ["bluff", "river"]
    mark(played, shown, "", "Only a note.")
    assert (numbers(ann, only="tagged"), numbers(ann, only="marked")) == ([], [shown])
    mark(played, shown, "hero")
    assert numbers(ann, words="river") == []
    mark(played, shown)
    assert own_hands.mark_of(ann, shown) is None
    playing, other = played.deal().table.hand_id, played.player("cec")
    assert refused(Conflict, "when it is over", mark, played, playing, "bluff").code == "hand-in-play"
    assert refused(Forbidden, "not dealt into", mark, played, shown, "x", by=other).code == "not-in-hand"
    refused(NotFound, "no such hand", mark, played, 10**9, "x")
    for tags in ("one two three four five six", "x" * 21, "sm(ile"):
        assert refused(Invalid, "Up to 5 tags", mark, played, shown, tags).code == "bad-tags"
    refused(Invalid, "at most 500", mark, played, shown, "", "x" * 501)
    assert own_hands.mark_of(ann, shown) is None


def test_hands_of_an_evening_belong_together_at_whatever_table_and_come_in_turn(played: Evening) -> None:
    (ann, bob), other, began = (played.ann, played.bob), Evening(name="Another"), played.now
    for hours in (1, 3.5, 8):
        other.now = began + timedelta(hours=hours)
        for player in (ann, bob):
            other.sit(player)
        other.deal().play_out()
        for player in (ann, bob):
            other.leave(player)
        if hours == 1:
            played.later(hours=2).leave(ann)  # less than two hours before they sit down again, bob stays
    (late, [last]), (evening, hands) = own_hands.sessions(ann, own_hands.find_own_hands(ann))
    assert (late.hands, late.tables) == (1, ("Another",))
    assert (evening.hands, evening.net) == (4, sum(row.net for row in hands))
    assert (evening.since, evening.until) == (hands[-1].at, hands[0].at)
    assert evening.tables == (played.table.name, "Another")
    assert [each.hands for each, _ in own_hands.sessions(bob, own_hands.find_own_hands(bob))] == [5]
    one, two, three, four = in_turn = numbers(ann, session=evening.name)[::-1]
    assert (one, two) == (played.folded, played.shown)
    Place, place = own_hands.Place, own_hands.place_of
    expected = [Place(1, 4, None, two), Place(2, 4, one, three), Place(3, 4, two, four), Place(4, 4, three, None)]
    assert [place(ann, hand, HandSearch(session=evening.name)) for hand in in_turn] == expected
    assert place(ann, last.hand_id, HandSearch(session=evening.name)) == Place(None, 4, four, None), (
        "it is in another list"
    )
    assert place(played.player("cec"), one, HandSearch()) is None
    assert numbers(bob, session=evening.name) == []
    refused(Invalid, "no such session", own_hands.find_own_hands, played.ann, HandSearch(session="stay-x"))


def test_a_hand_in_which_all_chips_went_in_is_found_as_such() -> None:
    table = Evening(min_buy_in=40)
    ann, bob = table.sit("ann", 1, 40), table.sit("bob", 2)
    table.deal()
    while table.table.hand_id:
        table.act("raise", table.turn.sizes[0]) if table.turn.sizes else table.check_or_call()
    assert (numbers(ann, only="all-in"), numbers(bob, only="all-in")) == ([table.table.last_hand_id], [])
