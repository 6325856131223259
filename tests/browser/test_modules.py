"""The table's own folding and telling, held against the engine's on random hands as every viewer sees them."""

import json
import random
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from django.urls import reverse

from games.templatetags.rules import rulebook_url
from tests.support import mistakes
from tests.support.hands import by_hand, round_called, shuffled_deck
from tests.support.parts.games import rulebooks, table_words
from tests.support.parts.stud import Hand, base, c, play
from tests.support.playout import play_out, random_table
from tests.web.test_words import SAID

pytestmark = pytest.mark.browser

HANDS = 40
NAMES = dict(enumerate(["Ada", "Bo", "As", "Dot", "Eve", "Td", "Gil", "Hal", "Ivo"], 1))

FOLD = """
async (facts) => {
  const { apply, emptyHand } = await import("/static/games/play/hand.js");
  const hand = emptyHand(1);
  return facts.map(([kind, fact], i) => {
    apply(hand, i + 1, kind, fact);
    const seats = Object.entries(hand.seats).map(([number, seat]) => [
      Number(number), seat.stack, seat.bet, seat.total, seat.won, seat.isLive, seat.isAbsent,
      seat.cards.map(({ card }) => card), seat.cards.map(({ isUp }) => isUp),
    ]);
    return [hand.street, hand.pot, hand.common, hand.turn?.seat ?? 0, hand.isOver, seats];
  });
}
"""
TELL = """
async ([facts, names]) => {
  const { sentence } = await import("/static/games/play/words.js");
  return facts.map(([kind, fact]) => sentence(kind, fact, (seat) => names[seat]));
}
"""


@cache
def hands() -> list[tuple[Hand, int]]:
    """Random hands, each with somebody who looks at it: a seat or the rail."""
    played = []
    for seed in range(HANDS):
        rng = random.Random(seed)
        hand = Hand.start(random_table(rng))
        play_out(hand, rng)
        played.append((hand, rng.choice([base.RAIL, *hand.seats])))
        table = mistakes.random_table(rng)
        hand = Hand.start(table.config)
        mistakes.play_out(hand, table, rng)
        played.append((hand, rng.choice([base.RAIL, *hand.seats])))
    return played


def seen_by(hand: Hand, viewer: int) -> list[base.Fact]:
    return [base.redact(fact, viewer) for fact in hand.facts]


def as_json(facts: Iterable[base.Fact]) -> list[Any]:
    return json.loads(json.dumps([[fact.kind, base.to_json(fact)] for fact in facts]))


def view_of(hand: Hand) -> list[Any]:
    seats = [
        [p.seat, p.stack, p.bet, p.total, p.won, p.is_live, p.is_absent, list(p.cards), list(p.ups)]
        for p in sorted(hand.players, key=lambda p: p.seat)
    ]
    return [hand.street, hand.pot, hand.common, hand.turn.seat if hand.turn else 0, hand.is_over, seats]


def check_folded(modules, hand: Hand, viewer: int) -> None:
    """The page draws after every fact what the engine makes of it."""
    seen, engine = seen_by(hand, viewer), Hand.replay([])
    for fact, drawn in zip(seen, modules.evaluate(FOLD, as_json(seen)), strict=True):
        engine.apply(fact)
        assert drawn == view_of(engine), fact


def test_the_page_folds_a_hand_as_the_engine_does(modules):
    for hand, viewer in hands():
        check_folded(modules, hand, viewer)


@pytest.mark.parametrize(("cards", "burns"), [(1, 0), (1, 2), (2, 1)])
def test_a_last_card_kept_early_stays_with_its_owner_when_sixth_street_is_put_right(modules, cards, burns):
    hand = by_hand({1: 500, 2: 500}, deck=shuffled_deck(3), scramble=shuffled_deck(4))
    for street in (3, 4, 5):
        hand.play(c.Deal(street))
        round_called(hand)
    hand.play(c.Deal(6, (*[c.Given(1, place=0)] * cards, c.Given(2, place=0)), burns=burns))
    hand.play(c.DealTooSoon(7, (c.Given(1),)))
    hand.play(c.Look(1))
    hand.play(c.NoticeMistake())
    for viewer in (base.RAIL, base.AUDITOR, 1):
        check_folded(modules, hand, viewer)


def test_every_sentence_is_the_same_on_the_page_and_on_that_of_a_finished_hand(modules):
    for facts in ([fact for fact, _ in SAID], *(seen_by(hand, viewer) for hand, viewer in hands())):
        told = modules.evaluate(TELL, [as_json(facts), NAMES])
        assert told == [table_words.sentence(fact, NAMES.__getitem__) for fact in facts]


def test_a_card_is_drawn_from_its_mark_and_never_from_a_name(modules):
    drawn = modules.evaluate(
        """async () => {
          const { spoken, textWithCards } = await import("/static/games/cards.js");
          const box = document.createElement("p");
          box.append(textWithCards("As: [2h] is low. Td gets [Kc] down."));
          return [box.textContent, box.querySelectorAll(".pip").length, spoken("As: [2h] is low.")];
        }"""
    )
    assert drawn == ["As: 2♥ is low. Td gets K♣ down.", 2, "As: deuce of hearts is low."]


def test_a_pile_has_the_largest_chips_first(modules):
    piles = {1: [1], 30: [25, 5], 133: [100, 25, 5, 1, 1, 1], 20_000: [5000] * 4, 0: []}
    assert modules.each("games/play/chips.js", "discsFor", [[n] for n in piles]) == list(piles.values())


def test_every_seat_has_a_place_of_its_own_with_the_viewers_at_the_bottom(modules):
    asked = [(count, viewer) for count in range(2, 9) for viewer in range(1, count + 1)]
    for (count, viewer), places in zip(asked, modules.each("games/play/layout.js", "placesFor", asked), strict=True):
        assert (len(set(places.values())), places[str(viewer)]) == (count, 0)


@pytest.mark.parametrize(("clock", "now", "reads"), [
    ((90_000, 30_000), 0, (False, False, 30, 1)),
    ((90_000, 30_000), 15_000, (False, False, 15, 0.5)),
    ((90_000, 30_000), 30_000, (True, False, 60, 1)),
    ((90_000, 30_000), 89_500, (True, False, 1, pytest.approx(0.5 / 60))),
    ((90_000, 30_000), 95_000, (True, False, 0, 0)),
    ((330_000, 270_000, 240_000), 15_000, (False, False, 255, pytest.approx(255 / 270))),
    ((330_000, 270_000, 240_000), 30_000, (False, True, 240, 1)),
    ((330_000, 270_000, 240_000), 150_000, (False, True, 120, 0.5)),
])  # fmt: skip
def test_the_ring_shows_the_clock_the_extra_time_and_the_time_bank(modules, clock, now, reads):
    given = dict(zip(("deadline", "bank_from", "extra"), clock, strict=False))
    named = dict(zip(("isBank", "isExtra", "seconds", "part"), reads, strict=True))
    assert modules.each("games/play/clock.js", "reading", [[given, 0, now]]) == [named]


def test_the_buttons_are_exactly_the_legal_actions(modules):
    choose = """async ([turn, stack, bet]) => {
      const { choicesOf, spokenChoices } = await import("/static/games/play/actions.js");
      const choices = choicesOf(turn, stack, bet);
      return [choices.map(({ action, amount }) => [action, amount]), spokenChoices(choices)];
    }"""
    turn = {"seat": 1, "can_fold": True, "can_check": False, "call": 15, "bring_in": 0, "is_range": False}
    pair = turn | {"verb": "raise-to", "sizes": [30, 45]}
    short = turn | {"call": 9, "verb": "", "sizes": []}
    low = turn | {"can_fold": False, "call": 0, "bring_in": 5, "verb": "complete-to", "sizes": [15]}
    wagers = [["fold", None], ["call", None], ["raise", 30], ["raise", 45]]
    for open_now, stack, buttons, words in (
        (pair, 500, wagers, "Fold, call 15, raise to 30 or raise to 45"),
        (short, 9, [["fold", None], ["call", None]], "Fold or call all-in 9"),
        (low, 500, [["bring-in", None], ["complete", 15]], "Bring in 5 or complete to 15"),
    ):
        assert modules.evaluate(choose, [open_now, stack, 0]) == [buttons, words]


#: What is said, and what is heard of it.
ALOUD = [
    (play.Announced("lowcard", 1, "2h is low"), "Ada: [2h] is low."),
    (play.Announced("low-hand", 1, "A7T"), "Ada is low: 10-7-A."),
    (play.Announced("raise", 1, "raise to 30"), "Ada: raise to 30."),
    (play.Announced("completion", 1, "completes to 15"), "Ada: completes to 15."),
    (play.Ruled("misdeal", "misdeal", "3", (), "words"), "Ruling. Misdeal."),
    (play.Ruled("raise_cap", "capped", "3", (1,), "words"), ""),
    (play.Checked(1), ""),
]


def test_everything_the_dealer_announces_is_heard(modules):
    hear = """async ([facts, names]) => {
      const { heard } = await import("/static/games/play/speech.js");
      return facts.map(([kind, fact]) => heard(kind, fact, (seat) => names[seat]));
    }"""
    facts, words = zip(*ALOUD, strict=True)
    assert modules.evaluate(hear, [as_json(facts), NAMES]) == list(words)


def test_a_page_finds_the_book_its_table_plays_where_the_room_has_it(modules):
    references = [*rulebooks.slugs(), "house:riverside@2026-11-20", "house:riverside@2026-11-20-2"]
    asked = [[{"reference": reference}, reverse("rulebooks")] for reference in references]
    found = modules.each("games/play/books.js", "pageOf", asked)
    assert found == [rulebook_url(reference) for reference in references]


def test_a_book_to_come_is_told_once_to_who_was_there_and_written_down_for_who_comes(modules):
    follow = """async () => {
      const { connectBooks } = await import("/static/games/play/books.js");
      const now = { reference: "roberts-v4", title: "Roberts" }, next = { reference: "poker-tip", title: "Tip" };
      const heardBy = (...tables) => {
        const heard = [];
        const log = { note: (words) => heard.push(["log", words]) };
        const toast = ({ message }) => heard.push(["toast", message]);
        const books = connectBooks({}, { rulesUrl: "/rules/", log, toast });
        tables.forEach((next_rulebook) => books.draw({ rulebook: now, next_rulebook }));
        return heard;
      };
      return [heardBy(null, next, next, null, next), heardBy(next, next)];
    }"""
    words = "From the next hand on this table plays by Tip."
    there, came = modules.evaluate(follow)
    assert there == [["log", words], ["toast", words]] * 2
    assert came == [["log", words]]


def test_a_ruling_names_the_book_its_hand_is_played_by_however_late_the_table_tells(modules):
    """The table was told of before the hand began: it still has the book of the hand before."""
    name = """async ([kind, started]) => {
      const { connectBooks } = await import("/static/games/play/books.js");
      const { apply, emptyHand } = await import("/static/games/play/hand.js");
      const { drawCitation } = await import("/static/games/play/rulings.js");
      const hand = emptyHand(7);
      apply(hand, 1, kind, started);
      const house = { reference: "house:river@2030-01-05", title: "House rules River" };
      const table = { rulebook: { reference: "roberts-v4", title: "Robert's" }, next_rulebook: house };
      const part = { book: document.createElement("a"), desk: document.createElement("a") };
      part.desk.href = "/desk/";
      const books = connectBooks(part, { rulesUrl: "/rules/", log: null, toast: null });
      books.draw(table, hand);
      const cites = ["House rules River, as Robert's Rules of Poker v4, 13", ""].map((citation) =>
        drawCitation({ key: "burn_error", rule: "13", citation }, books.played(table, hand)).firstChild);
      return [part.book.pathname, part.desk.search, ...cites.map((link) => [link.textContent, link.pathname])];
    }"""
    book = "/rules/house/river/2030-01-05/"
    started = Hand.start(random_table(random.Random(1))).facts[0]
    told = as_json([replace(started, rulebook="house:river", rulebook_version="2030-01-05")])[0]
    assert modules.evaluate(name, told) == [
        book, "?rulebook=house%3Ariver%402030-01-05", ["House rules River, as Robert's Rules of Poker v4, 13", book],
        ["House rules River", book],
    ]  # fmt: skip


HEARD = """
async ([wishes, names]) => {
  Object.assign(document.documentElement.dataset, wishes);
  Object.defineProperty(navigator, "userActivation", { value: { hasBeenActive: true }, configurable: true });
  const made = [];
  const starts = [AudioBufferSourceNode, AudioScheduledSourceNode].map(({ prototype }) => [prototype, prototype.start]);
  for (const [prototype, start] of starts) {
    prototype.start = function (...when) { made.push(when); start.apply(this, when); };
  }
  // Its own copy for each way of wishing.
  const { play } = await import(`/static/games/play/sound.js?${JSON.stringify(wishes)}`);
  const heard = names.map((name) => { made.length = 0; play(name); return made.length > 0; });
  for (const [prototype, start] of starts) prototype.start = start;
  for (const name of Object.keys(wishes)) delete document.documentElement.dataset[name];
  return heard;
}
"""
ALL_SOUNDS = {f"look{kind}_sound": "on" for kind in ("Turn", "Chip", "Card", "Chat")}
KINDS = ["turn", "chips", "cards", "said"]


@pytest.mark.parametrize(("wishes", "heard"), [
    ({"lookSounds": "low"}, [True] * 4),
    ({"lookSounds": "loud", "lookChip_sound": "off", "lookChat_sound": "off"}, [True, False, True, False]),
    ({"lookSounds": "off"}, [False] * 4),
])  # fmt: skip
def test_only_the_sounds_that_are_wished_for_are_heard(modules, wishes, heard):
    assert modules.evaluate(HEARD, [ALL_SOUNDS | wishes, KINDS]) == heard
