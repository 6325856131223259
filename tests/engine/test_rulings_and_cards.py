"""What a ruling says and what lies on the table are the same: every single and every double mistake of a deal.

``Slip`` is one mistake with one card of a street. What a slip comes to is read off the cards alone, without the
engine's own judgement, and held against its rulings.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

import pytest

from games.rulebooks.queries import load
from tests.support.hands import by_hand, passive, shuffled_deck
from tests.support.invariants import Watch
from tests.support.mistakes import BOOKS
from tests.support.parts.stud import CardsPutRight, Hand, Ruled, c, cards_left, receivers, street_mistakes

STARTING, LAST = 3, 7
FACE_UP = ("is_exposed", "is_off_table")
#: What can happen to one card on its way.
KINDS = (*FACE_UP, "is_skipped", "twice")
#: Three stacks of whom nobody is all-in, two of them, and a short one who is all-in for the ante and the bring-in.
STACKS = {"three": {1: 500, 2: 500, 4: 500}, "two": {2: 500, 3: 500}, "all-in": {1: 500, 2: 6, 4: 500}}


@dataclass(frozen=True)
class Slip:
    """``kind``: one of ``KINDS``, with the card at ``place`` of the street for ``seat``."""

    seat: int
    place: int
    kind: str


def slips(seats: Sequence[int], places: int) -> Iterator[tuple[Slip, ...]]:
    """Every single mistake and every two that do not befall the same card."""
    every = [Slip(seat, place, kind) for seat in seats for place in range(places) for kind in KINDS]
    yield from ((slip,) for slip in every)
    for first, second in combinations(every, 2):
        if (first.seat, first.place) != (second.seat, second.place):
            yield first, second


def cards_given(seats: Sequence[int], places: int, made: Sequence[Slip]) -> tuple[c.Given, ...]:
    """The street as it was dealt, mistakes and all."""
    cards: list[c.Given] = []
    wrong = {(slip.seat, slip.place): slip.kind for slip in made}
    for place in range(places):
        for seat in seats:
            card, kind = c.Given(seat, place=place), wrong.get((seat, place), "")
            cards += [card, card] if kind == "twice" else [replace(card, **{kind: True}) if kind else card]
    return tuple(cards)


def table(book: str, **changes) -> Hand:
    return by_hand(
        changes.pop("stacks"),
        rulebook=load(book),
        deck=shuffled_deck(5),
        scramble=shuffled_deck(6),
        is_hand_shown=True,
        **changes,
    )


def lying(hand: Hand, start: Hand, seat: int) -> list[bool]:
    """Whether each card is up that the seat has got since ``start``, as they lie now; one kept early was there."""
    return hand.seats[seat].ups[len(start.seats[seat].ups) :]


# -- the starting hand -----------------------------------------------------------------------------------------------


def check_start(hand: Hand, made: Sequence[Slip]) -> None:
    """Each seat's cards are what the rulings say of them, and nothing else is ruled."""
    wrong = {(slip.seat, slip.place): slip.kind for slip in made}
    misdealt = [ruling for ruling in hand.rulings_made if ruling.verdict == "misdeal"]
    if misdealt:
        assert hand.is_over
        assert {seat: player.stack for seat, player in hand.seats.items()} == dict(hand.started.stacks)
        assert any(kind in FACE_UP for kind in wrong.values())
        return
    for seat, player in hand.seats.items():
        ruled = {(ruling.key, ruling.verdict) for ruling in hand.rulings_made if seat in ruling.seats}
        face_up = [place for place in range(3) if wrong.get((seat, place)) in FACE_UP]
        came = [place for place in range(3) if wrong.get((seat, place)) != "is_skipped"]
        came = sorted(came + [place for place in came if wrong.get((seat, place)) == "twice"])
        ups = dict(enumerate(zip(came, player.ups, strict=True)))
        third = [is_up for place, is_up in ups.values() if place == 2]
        downs = [is_up for place, is_up in ups.values() if place < 2]
        if ("both_downcards_exposed", "dead-hand") in ruled:
            assert not player.is_live
            assert player.stack == dict(hand.started.stacks)[seat]
            assert len(player.upcards) >= 2
            assert ("exposed_downcard", "third-card-down") not in ruled
        elif ("exposed_downcard", "third-card-down") in ruled:
            assert not any(third), "the ruling says that the third card lies down"
            assert sum(downs) == 1 == len(player.upcards)
            assert player.is_live
        else:
            assert not any(downs), "a downcard lies up and nobody ruled on it"
            assert all(third)
            assert player.is_live
        assert (("card_off_table", "exposed") in ruled) == any(wrong.get((seat, p)) == "is_off_table" for p in range(3))
        for place, is_up in ups.values():
            if place in face_up and wrong[seat, place] in FACE_UP:
                assert is_up, "a card that was seen lies down"


@pytest.mark.parametrize("setting", ["cash", "tournament"])
@pytest.mark.parametrize("book", BOOKS)
def test_the_starting_cards_lie_as_they_are_ruled(book: str, setting: str) -> None:
    seats = (1, 2, 3)
    start = table(book, stacks=dict.fromkeys(seats, 500), setting=setting)
    verdicts = set()
    for made in slips(seats, 3):
        hand = start.copy()
        hand.play(c.Deal(STARTING, cards_given(seats, 3, made)))
        check_start(hand, made)
        verdicts |= {(ruling.key, ruling.verdict) for ruling in hand.rulings_made}
    exposed = {ruling for ruling in verdicts if ruling[0] in ("exposed_downcard", "both_downcards_exposed")}
    plays_on = load(book).value("exposed_downcard", setting) == "third-card-down"
    assert exposed == (
        {("exposed_downcard", "third-card-down"), ("both_downcards_exposed", "dead-hand")}
        if plays_on
        else {("exposed_downcard", "misdeal")}
    )


@pytest.mark.parametrize("game", ["razz", "stud-eight", "mississippi-stud"])
def test_the_starting_cards_of_every_game_lie_as_they_are_ruled(game: str) -> None:
    seats = (2, 5)
    start = table("home", stacks=dict.fromkeys(seats, 500), game=game)
    for made in slips(seats, 3):
        hand = start.copy()
        hand.play(c.Deal(STARTING, cards_given(seats, 3, made)))
        check_start(hand, made)


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_a_misdeal_for_two_exposures_comes_with_the_third_card_too(seat: int) -> None:
    for place in (0, 1):
        hand = table("poker-tip", stacks=dict.fromkeys((1, 2, 3), 500), choices={"both_downcards_exposed": "misdeal"})
        made = (Slip(seat, place, "is_exposed"), Slip(seat, 2, "is_exposed"))
        hand.play(c.Deal(STARTING, cards_given((1, 2, 3), 3, made)))
        assert [(ruling.key, ruling.verdict) for ruling in hand.rulings_made] == [("both_downcards_exposed", "misdeal")]
        assert hand.is_over


# -- later streets ---------------------------------------------------------------------------------------------------


@cache
def before(book: str, street: int, who: str, game: str, live: int, house: str) -> Hand:
    """A hand that waits for ``street``; with ``live``, so many of eight are left and the deck is nearly out."""
    stacks = dict.fromkeys(range(1, 9), 500) if live else STACKS[who]
    hand = table(book, stacks=stacks, game=game, choices=HOUSES[house])
    while hand.next_street() is not None and not (hand.awaits == "deal" and hand.next_street().number == street):
        if hand.awaits == "deal":
            hand.play(c.Deal(hand.next_street().number))
        elif live and hand.street == 6 and hand.live > live and hand.turn.call:
            hand.play(c.Fold(hand.to_act))
        elif live and hand.street == 6 and hand.turn.sizes and not hand.level:
            hand.play(c.Wager(hand.to_act, hand.turn.sizes[0]))
        else:
            hand.play(passive(hand))
    return hand


def check_street(hand: Hand, start: Hand, made: Sequence[Slip], since: int) -> None:
    """``start``: the hand before the deal; ``since``: how many facts there were before what is checked."""
    due_up = start.next_street().ups[0]
    newest: dict[tuple[str, int], str] = {}
    for ruling in hand.facts[since:]:
        if isinstance(ruling, Ruled):
            newest.update({(ruling.key, seat): ruling.verdict for seat in ruling.seats})
    wrong = {slip.seat: slip.kind for slip in made}
    is_up_with_others = not {"second-up", "all-up"}.isdisjoint(newest.values())
    for seat, player in hand.seats.items():
        cards = lying(hand, start, seat)
        verdicts = {key: verdict for (key, to), verdict in newest.items() if to == seat}
        assert verdicts.get("card_off_table") == ("exposed" if wrong.get(seat) == "is_off_table" else None)
        if due_up or not player.is_live or not cards:
            assert all(cards) or not due_up
            continue
        kept = verdicts.get("final_card_faceup", verdicts.get("all_in_final_faceup"))
        if "all-up" in newest.values():
            assert all(cards), "the ruling says that all last cards are up"
        elif kept is None and not is_up_with_others:
            assert not any(cards), "the last card lies up and nobody ruled on it"
        else:
            assert any(cards), "the ruling is about a card that lies down"
        assert player.may_declare == (kept == "all-in-option")


STUD = "seven-card-stud"
#: What houses choose: every last card up with one that is, a last card that is never dealt.
HOUSES = {"": {}, "all-up": {"final_card_faceup": "all-up"}, "never": {"last_stub_card": "never"}}
CASES = [
    *[(book, LAST, who, STUD, 0, "") for book in BOOKS for who in STACKS if who != "two"],
    *[(book, LAST, "two", STUD, 0, "") for book in BOOKS if book != "poker-tip"],  # which starts with three
    *[(book, LAST, "", STUD, live, house) for book in BOOKS for live in (2, 3, 4) for house in ("", "all-up")],
    *[(book, LAST, "", STUD, live, "never") for book in BOOKS for live in (2, 3)],
    *[("gardens", LAST, who, STUD, 0, "all-up") for who in STACKS],
    *[("home", street, "three", "mississippi-stud", 0, "") for street in (4, 5, 6, 7)],
    *[("gardens", street, "three", STUD, 0, "") for street in (4, 5, 6)],
]


@pytest.mark.parametrize(("book", "street", "who", "game", "live", "house"), CASES)
def test_a_later_card_lies_as_it_is_ruled(book: str, street: int, who: str, game: str, live: int, house: str) -> None:
    start = before(book, street, who, game, live, house)
    seats = receivers(start)
    for burns in (None, 2):
        for made in slips(seats, 1):
            cards = cards_given(seats, 1, made)
            if sum(not card.is_skipped for card in cards) > cards_left(start):
                continue  # there was no card to make this mistake with
            hand = start.copy()
            hand.play(c.Deal(street, cards, burns=burns))
            dealt = len(hand.facts)
            check_street(hand, start, made, len(start.facts))
            if has_moved_cards(hand):
                check_street(hand, start, (), dealt)
                Watch([seats[0]], allows_mistakes=True).saw(hand.facts)


def has_moved_cards(hand: Hand) -> bool:
    """Whether the mistake, pointed out, could still be corrected: then it has been."""
    if street_mistakes(hand) is None:
        return False
    return any(isinstance(fact, CardsPutRight) for fact in hand.play(c.NoticeMistake()))
