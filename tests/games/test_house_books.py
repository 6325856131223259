"""A house rulebook as data: what may be changed, what does not go together, and that every book it lets pass plays."""

import itertools
import random
from dataclasses import replace

import pytest

from games.engine.commands import Call, Deal, Given, Wager
from games.rulebooks import plain, queries, slugs
from games.rulebooks.house import BadBook, changes_of, derived, differences, faults_of, notes_of, read, written
from tests.support import mistakes
from tests.support.hands import by_hand, called_down, passive, third
from tests.support.invariants import Watch
from tests.support.parts.games import RulePart, asking, load, questions, rulebooks, sentence
from tests.support.parts.stud import Hand, HandShown, HandTabled, IllegalAction, Rulebook, Ruled
from tests.support.playout import play_out, random_table
from tests.support.refusals import refused
from tests.support.tiers import many

V4 = load("roberts-v4")
DOWNCARDS = ("exposed_downcard", "both_downcards_exposed")
MISDEALS = {point: {"value": "misdeal"} for point in DOWNCARDS}  # for one downcard turned up as for both
BOOKS = many(8, long=60)  # random ones; each plays three hands


_made: list[Rulebook] = []


def house_book(changes: dict, base: Rulebook = V4) -> Rulebook:
    book = derived(base, changes, slug="house:river", version="2030-01-05", title="House rules River 2030-01-05")
    _made[:] = [book]
    return book


@pytest.fixture(autouse=True)
def _found(monkeypatch):
    """A caller who asks for the book that hands are played by gets the last one."""
    monkeypatch.setattr(queries, "find", lambda slug, version: _made[0])


@pytest.mark.parametrize("slug", slugs())
def test_every_point_has_a_name_and_a_value_of_its_choices(slug):
    book = load(slug)
    copy = house_book({}, book)
    assert book.points.keys() == questions().keys()
    for key, point in book.points.items():
        question = questions()[key]
        assert question.in_words(point.value), key
        for part in question.parts:
            for value in (point.value, point.tournament):
                assert value is None or not part.reason_against(question.answer(value, part)), key
        assert (copy.points[key].value, copy.points[key].tournament) == (point.value, point.tournament)
        taken_over = f"House rules River 2030-01-05, as {book.citation(key)}"
        assert copy.citation(key) == (point.citation if point.citation == point.cite else taken_over)
    assert differences(book, copy) == []


@pytest.mark.parametrize(("here", "there"), list(itertools.permutations(slugs(), 2)))
def test_every_book_can_be_made_of_every_other(here, there):
    base, wanted = load(here), load(there)
    changes = {key: {"value": plain(point.value)} for key, point in wanted.points.items()}
    for key in changes:
        if questions()[key].has_tournament:
            changes[key]["tournament"] = plain(wanted.value(key, "tournament"))
    book = house_book(changes, base)
    for key, point in wanted.points.items():
        assert (book.points[key].value, book.points[key].tournament) == (point.value, point.tournament), key
        if key in changes_of(base, changes):
            assert book.words(key) == sentence(key, point.value, point.tournament)


def test_a_changed_point_cites_the_house_and_the_original():
    book = house_book({"raise_cap": {"value": {"raises": 4}}})
    assert book.points["raise_cap"].value == {"raises": 4, "heads_up": "uncapped"}
    assert book.points["raise_cap"].tournament == {"raises": 3, "heads_up": "uncapped-at-two-left"}
    changed = f"House rules River 2030-01-05, raise_cap (changed from {V4.citation('raise_cap')})"
    assert book.citation("raise_cap") == changed
    assert "after the first bet, is 4. It falls away" in book.words("raise_cap")
    words = "A card that came up in the deal stays up."
    book = house_book(
        {"exposed_downcard": {"value": "third-card-down", "tournament": "third-card-down", "text": words}}
    )
    assert book.points["exposed_downcard"].text == words
    assert book.value("exposed_downcard", "tournament") == "third-card-down"
    reworded = house_book({"odd_chip": {"text": "The odd chip goes to the best card by suit."}})
    assert reworded.points["odd_chip"].value == V4.points["odd_chip"].value
    assert reworded.cite("odd_chip").startswith("odd_chip (changed from")


def test_a_sentence_of_the_house_is_quoted_beside_the_rule():
    own = "The highest card makes the forced bet."
    book = house_book({"forced_bet": {"text": own}})
    low = book.points["forced_bet"]
    assert (low.value, low.text, low.played) == ("lowest", own, V4.points["forced_bet"].text)
    back = read(written(book), base=V4, slug=book.slug, version=book.version, title=book.title)
    assert back.points["forced_bet"] == low
    hand = by_hand({1: 100, 2: 100}, rulebook=house_book({"card_off_table": {"text": own}}))
    cards = [Given(1, "As", is_off_table=True), Given(1, "Ks"), Given(1, "5d"), Given(2, "Qh"), Given(2, "Qd")]
    hand.play(Deal(3, (*cards, Given(2, "Jc"))))
    (ruling,) = hand.rulings("card_off_table")
    assert ruling.words == f"“{own}” Played: {V4.words('card_off_table')}"
    told = asking.answer(
        what="downcard-seen", rulebook=rulebooks.reference(house_book({"exposed_downcard": {"text": own}}))
    )
    assert told.points[0].text == f"“{own}” Played: {V4.words('exposed_downcard')}"


def test_an_older_saved_book_cites_its_sources_and_takes_new_points_from_its_base():
    told = written(house_book({"odd_chip": {"text": "The odd chip goes to the best card by suit."}}))
    was = "Robert's Rules of Poker v4, general TDA"
    told["acting_in_turn"] |= {"cite": f"as {was} 53", "text": "An action out of turn is not taken."}
    told["odd_chip"]["cite"] = f"odd_chip (changed from {was} 20)"
    del told["misdeal"]
    book = read(told, base=V4, slug="house:river", version="1", title="House rules River 1")
    assert book.points["acting_in_turn"] == V4.points["acting_in_turn"]
    assert book.citation("odd_chip") == "House rules River 1, odd_chip (changed from TDA 2024, rule 20)"
    assert book.value("misdeal", "cash") == {"too_late_after": 2}


def test_an_untouched_point_is_unchanged_and_events_play_like_cash_games():
    same = {"value": plain(V4.points["raise_cap"].value), "text": V4.words("raise_cap")}
    assert changes_of(V4, {"raise_cap": same, "odd_chip": {"text": ""}}) == {}
    book = house_book({"players": {"value": {"least": 3}, "tournament": {"least": 2}}})
    assert book.value("players", "cash") == {"least": 3, "most": 8}
    assert book.value("players", "tournament") == {"least": 2, "most": 8}
    assert house_book({"players": {"value": {"least": 3}}}).points["players"].tournament is None


@pytest.mark.parametrize("changes", [
    {"absent_player": {"tournament": "when-reached"}},
    MISDEALS,
    {"players": {"value": {"most": 6}, "tournament": {"least": 2}}, "burns": {"value": [5, 7]}},
    {"upcard_order": {"value": ["penalty"], "text": "Reordering is penalised here, and at once."}},
])  # fmt: skip
def test_what_was_changed_makes_the_same_book_again_and_is_read_as_it_was_written(changes):
    book, again = house_book(changes), house_book(changes_of(V4, changes))
    assert written(again) == written(book)
    back = read(written(book), base=V4, slug=book.slug, version=book.version, title=book.title)
    assert dict(back.points) == dict(book.points)


UNBURNED = {"burns": {"value": []}, "deck_exhaustion": {"value": "burns-without-burn"}}


@pytest.mark.parametrize(("changes", "points", "words"), [
    ({"players": {"value": {"least": 6, "most": 5}}}, {"players"}, "only 5 are dealt in"),
    ({"players": {"value": {"most": 9}}}, {"players", "fold_keeps_receiving"}, "folded hand gets no more cards"),
    ({"raise_cap": {"value": {"raises": 0, "heads_up": "capped"}}}, {"raise_cap"}, "without a cap"),
    ({"raise_cap": {"value": {"heads_up": "uncapped-at-two-left"}}}, {"raise_cap"}, "In cash games: a cash game"),
    (
        {"exposed_downcard": {"value": "misdeal"}},
        DOWNCARDS,
        "In cash games: one downcard face up is a misdeal already",
    ),
    ({"both_downcards_exposed": {"tournament": "dead-hand"}}, DOWNCARDS, "In tournaments: one downcard"),
    (UNBURNED, UNBURNED, "no burns to deal on"),
])  # fmt: skip
def test_values_that_do_not_go_together_are_refused_with_the_reason(changes, points, words):
    (fault,) = faults_of(V4, changes)
    assert set(fault.points) == set(points)
    assert words in fault.reason
    refused(BadBook, words.split("(")[0], house_book, changes)


@pytest.mark.parametrize(("changes", "words"), [
    ({"burns": {"value": [3, 4]}}, "any of 4, 5, 6, 7"),
    ({"burns": {"value": [5, 4]}}, "in this order"),
    ({"burns": {"value": 4}}, "any of"),
    *(({"players": {"value": {"least": least}}}, "a whole number from 2 to 9") for least in (1, True, "three")),
    ({"players": {"value": {"fewest": 3}}}, "its parts are least, most"),
    ({"players": {"value": 3}}, "its parts are"),
    ({"forced_bet": {"value": "highest"}}, "one of lowest, lowest-or-highest"),
    ({"opener_may_complete": {"value": 1}}, "one of yes, no"),
    ({"opener_may_complete": {"value": True, "tournament": False}}, "a tournament plays this as a cash game does"),
    ({"streets": {"value": "three-down"}}, "played one way only"),
    ({"time_out": {"value": {"free": "fold"}}}, "played one way only"),
    ({"wrong_lowcard": {"value": {"before_the_next_action": "stands"}}}, "played one way only"),
    ({"burn_error": {"value": {"kept_when": ["looked-at"]}}}, "one of mixed, mixed+looked-at"),
    ({"hoyle": {"value": 1}}, "There is no point called 'hoyle'"),
    *(({"burns": change}, "say what to change") for change in ([4], {"values": [4]})),
    *(({"odd_chip": {"text": text}}, "10 to 400 characters") for text in ("short", "x" * 401)),
    ({"odd_chip": {"text": "A sentence with \x00 in it."}}, "cannot be written"),
    ({"odd_chip": {"text": 12}}, "is a text"),
])  # fmt: skip
def test_what_is_no_value_of_a_point_is_refused_with_what_would_be(changes, words):
    (fault,) = faults_of(V4, changes)
    assert words in fault.reason


def test_every_fault_is_told_at_once():
    changes = {"burns": {"value": [3]}, "players": {"value": {"least": 0}}, "hoyle": {}}
    assert len(faults_of(V4, changes)) == 3


@pytest.mark.parametrize(("changes", "words"), [
    (MISDEALS, "no hand gets as far"),
    ({"both_downcards_exposed": {"value": "misdeal"}}, "no dead hand that could have been low"),
    ({"burns": {"value": []}}, "No card is burned"),
    ({"opener_may_complete": {"value": False}}, "cannot open for a full bet either"),
    ({"limits": {"value": "any-structure"}}, "fixed limit only"),
    ({"players": {"value": {"least": 3}}}, "In tournaments: a tournament comes down to two players"),
])  # fmt: skip
def test_what_a_change_brings_with_it_is_explained(changes, words):
    assert any(words in note.reason for note in notes_of(house_book(changes), changes))
    assert not notes_of(house_book({}), {})


def some_value(part: RulePart, chance: random.Random):
    if part.kind == "number":
        return chance.randint(part.least, min(part.most, 9))
    if part.kind == "set":
        return [plain(choice.value) for choice in part.choices if chance.random() < 0.5]
    return plain(chance.choice(part.choices).value)


def some_changes(chance: random.Random) -> dict:
    changes = {}
    for key, question in questions().items():
        if question.is_fixed or chance.random() < 0.5:
            continue
        answers = {part.key: some_value(part, chance) for part in question.parts}
        changes[key] = {"value": answers.get("", answers)}
        if question.has_tournament and chance.random() < 0.5:
            again = {part.key: some_value(part, chance) for part in question.parts}
            changes[key]["tournament"] = again.get("", again)
    return changes


def test_every_house_book_that_is_let_pass_can_be_played():
    """Random books, the refused ones left out: hands end, chips stay, nobody sees a hidden card."""
    chance = random.Random(33)
    played = 0
    while played < BOOKS:
        base, changes = load(chance.choice(slugs())), some_changes(chance)
        if faults_of(base, changes):
            continue
        book = house_book(changes, base)
        played += 1
        for _ in range(3):
            config = random_table(chance)
            players = book.value("players", config.setting)
            if not players["least"] <= len(config.stacks) <= players["most"]:
                continue
            hand = Hand.start(replace(config, rulebook=book))
            watch = Watch([0, *config.stacks])
            watch.saw(hand.facts)
            play_out(hand, chance, after=lambda hand, facts, watch=watch: watch.saw(facts))
            assert hand.is_over
            assert all(f.rule == book.cite(f.key) for f in hand.facts if isinstance(f, Ruled))


def test_every_house_book_is_played_by_dealers_who_err():
    """The same where a person deals, errs, and calls the floor: `Watch` holds every ruling against the book."""
    chance = random.Random(34)
    played = 0
    while played < 2 * BOOKS:
        table = mistakes.random_table(chance)
        base, changes = load(table.config.rulebook.slug), some_changes(chance)
        if faults_of(base, changes):
            continue
        table = replace(table, config=replace(table.config, rulebook=house_book(changes, base)))
        try:
            hand = Hand.start(table.config)
        except IllegalAction as refused:
            if refused.code not in ("players", "stakes"):  # such a table does not play by such a book
                raise
            continue
        played += 1
        watch = Watch([0, *table.config.stacks], allows_mistakes=True)
        watch.saw(hand.facts)
        mistakes.play_out(hand, table, chance, after=watch.saw)
        assert hand.is_over


@pytest.mark.parametrize("burns", [[], [4, 5, 6], [7], [4, 6]])
@pytest.mark.parametrize("how", ["remix", "mix-all"])
def test_eight_players_to_the_end_of_a_deck_that_is_burned_otherwise(burns, how):
    book = house_book({"burns": {"value": burns}, "deck_exhaustion": {"value": how}})
    eight = {"stacks": dict.fromkeys(range(1, 9), 1000), "dealer": 8, "players_left": 0, "absent": ()}
    as_usual = {"setting": "cash", "is_hand_dealt": False, "is_hand_shown": False}
    hand = Hand.start(replace(random_table(random.Random(5)), rulebook=book, **eight, **as_usual))
    watch = Watch(range(9))
    watch.saw(hand.facts)
    while not hand.is_over:
        watch.saw(hand.play(passive(hand)))
    assert len(hand.burns) <= len(burns) + 1
    assert hand.common


@pytest.mark.parametrize("setting", ["cash", "tournament"])
@pytest.mark.parametrize("when", ["at-once", "at-the-showdown"])
def test_the_house_says_when_hands_are_turned_up_with_nobody_left_to_bet(setting, when):
    book = house_book({"all_in_showdown": {"value": when, "tournament": when}})
    hand = third({1: 16, 2: 16, 3: 16}, rulebook=book, setting=setting)
    for deed in (Wager, Call, Call):
        hand.play(deed(hand.to_act))
    assert any(isinstance(fact, HandTabled) for fact in hand.facts) == (when == "at-once")
    called_down(hand)
    assert {fact.seat for fact in hand.facts if isinstance(fact, HandTabled | HandShown)} == {1, 2, 3}
