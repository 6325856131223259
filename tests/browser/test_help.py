"""Help for a game of memory: true to the engine's words, counted from what is seen, and silent on what is not."""

import json
import random
from collections import Counter
from itertools import combinations

import pytest
from playwright.sync_api import expect

from games.engine.games import GAMES
from tests.browser.test_modules import as_json, hands, seen_by
from tests.support.games import DESCRIBED
from tests.support.hands import deals
from tests.support.parts.stud import DECK, Hand, base, ranking

pytestmark = pytest.mark.browser

NAMED = """
async ([hands, game]) => {
  const { highOf, lowRanks, lowWords, madeWords } = await import("/static/games/play/made.js");
  return hands.map((cards) => [highOf(cards).words, lowWords(lowRanks(cards)), madeWords(game, cards)]);
}
"""
OUTS = """
async ([hands, game]) => {
  const { nextCard } = await import("/static/games/play/help.js");
  return hands.map((own) => {
    const cards = own.map((card) => ({ card, isUp: true }));
    const hand = { game, common: [], isOver: false, seats: { 1: { isLive: true, cards } } };
    return nextCard(hand, 1).outs.map(({ count }) => count);
  });
}
"""
HELPED = """
async ([facts, mine, cap, games]) => {
  const { apply, emptyHand } = await import("/static/games/play/hand.js");
  const help = await import("/static/games/play/help.js");
  const hand = emptyHand(1, games);
  return facts.map(([kind, fact], i) => {
    apply(hand, i + 1, kind, fact);
    return {
      seen: [...help.seenCards(hand, mine)].sort(), own: help.ownCards(hand, mine), boards: help.boards(hand, mine),
      next: help.nextCard(hand, mine), price: help.price(hand, mine), raises: String(help.raisesLeft(hand, cap)),
    };
  });
}
"""
CAP = {"raises": 3, "heads_up": "uncapped"}


def help_shown(modules, facts, mine):
    return modules.evaluate(HELPED, [as_json(facts), mine, CAP, DESCRIBED])


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_what_one_holds_is_called_as_the_engine_calls_it(modules, game):
    held = [*deals(1500, (1, 2, 3, 4, 5, 6, 7), 5), *combinations(["As", "Ah", "2d", "2c", "2s", "Ad", "3c"], 6)]
    named = modules.evaluate(NAMED, [held, DESCRIBED[game.slug]])
    for cards, (high, low, made) in zip(held, named, strict=True):
        names = {False: ranking.name_of(ranking.value_of(cards)), True: ranking.low_name_of(ranking.low_five_of(cards))}
        assert (high, low) == (names[False], names[True]), cards
        winning = [names[way.is_low] for way in game.ways if way.strength(cards) is not None]
        assert made == " · ".join(winning), cards


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_next_card_makes_what_the_engine_says(modules, game):
    held = [*deals(40, (3, 4, 5, 6), 6)]
    for cards, outs in zip(held, modules.evaluate(OUTS, [held, DESCRIBED[game.slug]]), strict=True):
        unseen = [card for card in DECK if card not in cards]
        counts = [(better_lows if way.is_low else better_highs)(way, cards, unseen) for way in game.ways]
        assert outs == [number for count in counts for _, number in sorted(count.items())], cards


def better_highs(way, cards, unseen):
    """How many of the unseen cards make each better kind of hand, the best kind first."""
    kind = ranking.category_of(ranking.value_of(cards))
    kinds = [ranking.category_of(ranking.value_of([*cards, card])) for card in unseen]
    return Counter(-each for each in kinds if each > kind)


def better_lows(way, cards, unseen):
    """How many of the unseen cards make a better low of five ranks, by its highest rank."""
    if len(cards) < 4:
        return Counter()
    before = ranking.low_value_of(cards) if is_low(way, cards) else None
    lows = [ranking.low_value_of([*cards, card]) for card in unseen if is_low(way, [*cards, card])]
    return Counter(ranking.ranks_in(low)[0] for low in lows if before is None or low < before)


def is_low(way, cards):
    value = ranking.low_value_of(cards)
    return way.strength(cards) is not None and len(set(ranking.ranks_in(value))) == 5


def with_swapped_cards(hand: Hand, viewer: int, one: str, other: str) -> list[base.Fact]:
    """What the viewer sees of the same hand as if two cards of its deck had changed places."""

    def swap(text: str) -> str:
        return text.replace(f'"{one}"', "\0").replace(f'"{other}"', f'"{one}"').replace("\0", f'"{other}"')

    facts = [base.from_json(fact.kind, json.loads(swap(json.dumps(base.to_json(fact))))) for fact in hand.facts]
    return [base.redact(fact, viewer) for fact in facts]


def test_help_is_the_same_whatever_lies_face_down_and_differs_for_what_is_seen(modules):
    chance = random.Random(11)
    differs = checked = 0
    for hand, viewer in hands():
        told = json.dumps(as_json(seen_by(hand, viewer)))
        unseen = [card for card in DECK if f'"{card}"' not in told]
        seen = sorted(set(DECK) - set(unseen))
        if viewer not in hand.seats or len(unseen) < 2 or not seen:
            continue
        truth = help_shown(modules, seen_by(hand, viewer), viewer)
        one, other = chance.sample(unseen, 2)
        assert help_shown(modules, with_swapped_cards(hand, viewer, one, other), viewer) == truth
        checked += 1
        # The control: a card that was seen, changed for one that was not, changes what is told.
        differs += help_shown(modules, with_swapped_cards(hand, viewer, chance.choice(seen), other), viewer) != truth
    assert checked > 20
    assert differs > checked * 0.8


def hand_started(order, **more):
    said = {"rulebook": "roberts-v4", "rulebook_version": "4", "game": "seven-card-stud", "structure": "fixed-limit"}
    stacks = [[seat, 100] for seat in order]
    return ["hand-started", {**said, "big_bet": 10, "players_left": 0, "stacks": stacks, "order": order, "dealer": 1,
                             "absent": [], **more}]  # fmt: skip


def round_opened(street, opener):
    return ["round-opened", {"street": street, "opener": opener, "sizes": [5], "is_bring_in": False}]


def table(modules, facts):
    return modules.evaluate(HELPED, [facts, 1, CAP, DESCRIBED])[-1]


def test_dead_cards_are_those_of_folded_hands_and_live_ones_are_told_apart(modules):
    dealt = [[1, "Ks", False], [1, "Kh", False], [1, "2c", True], [2, None, False], [2, None, False], [2, "9d", True],
             [3, None, False], [3, None, False], [3, "Kd", True]]  # fmt: skip
    facts = [
        hand_started([1, 2, 3]),
        ["cards-dealt", {"street": 3, "cards": dealt}],
        round_opened(3, 2),
        ["folded", {"seat": 3}],
    ]
    told = table(modules, facts)
    assert dict(told["seen"]) == {"Ks": "mine", "Kh": "mine", "2c": "mine", "9d": "live", "Kd": "dead"}
    assert told["boards"] == [{"seat": 2, "cards": ["9d"], "words": "nine high"}]
    # One king is left of 47 cards, and three deuces for two pair.
    outs = [{"what": "three of a kind", "count": 1}, {"what": "two pair", "count": 3}]
    assert told["next"] == {"outs": outs, "unseen": 47}


def test_a_call_has_its_price_and_raises_are_counted_until_only_two_can_bet(modules):
    def wagered(seat, to, raises):
        sizes = [to + 5] if raises < 3 else []
        return ["wagered", {"seat": seat, "verb": "raise" if raises else "bet", "amount": to, "to": to, "sizes": sizes,
                            "raises": raises, "is_capped": not sizes}]  # fmt: skip

    def price_and_raises(*more):
        now = table(modules, [*dealt, *more])
        return now["price"], now["raises"]

    antes = ["antes-posted", {"antes": [[1, 1], [2, 1], [3, 1]]}]
    cards = ["cards-dealt", {"street": 3, "cards": [[seat, None, False] for seat in (1, 2, 3)]}]
    dealt = [hand_started([1, 2, 3]), antes, cards, round_opened(3, 2)]
    bet, raised = wagered(2, 5, 0), wagered(3, 10, 1)
    assert price_and_raises(bet) == ({"toCall": 5, "odds": "1.6 to 1"}, "3")
    assert price_and_raises(bet, raised) == ({"toCall": 10, "odds": "1.8 to 1"}, "2")
    assert price_and_raises(bet, raised, ["folded", {"seat": 2}])[1] == "Infinity"
    assert price_and_raises(bet, raised, wagered(1, 15, 3)) == (None, "0")


def test_the_next_card_is_counted_for_lows_as_well(modules):
    def low(game, *cards):
        dealt = [[1, card, True] for card in cards]
        facts = [hand_started([1, 2], game=game), ["cards-dealt", {"street": 6, "cards": dealt}]]
        return {out["what"]: out["count"] for out in table(modules, facts)["next"]["outs"]}

    # Four to a wheel of sixes: fives make the best, every seven and eight a worse one.
    every = {f"{top} low": 4 for top in (5, 6, 7, 8, 9, 10, "J", "Q", "K")}
    assert low("razz", "As", "2d", "3c", "4h") == every
    assert low("razz", "As", "2d", "3c", "4h", "8s") == {"5 low": 4, "6 low": 4, "7 low": 4}
    eight = low("stud-eight", "As", "2d", "3c", "7h")
    assert {what: count for what, count in eight.items() if "low" in what} == {"7 low": 12, "8 low": 4}
    assert low("razz", "As", "2d", "3c", "4h", "5s", "Kd", "Qd") == {}


def test_a_player_sees_the_help_they_want_where_the_table_allows_it(come_in, open_table):
    ada = come_in("Ada")
    page = ada.page
    ada.sit(7, at=open_table("Sumac", bots=2, has_help=False))
    expect(page.locator(".actions")).to_be_visible()
    expect(page.get_by_text("No help is given at this table.")).to_be_visible()
    expect(page.locator(".memory, .help__hand, .is-you .seat__made:visible")).to_have_count(0)

    ada.sit(7, at=open_table("Saffron", bots=2))
    expect(page.locator(".actions")).to_be_visible()
    panel = page.locator("[data-page=help]")
    expect(panel.locator(".memory .is-mine")).to_have_count(page.locator(".is-you .card[data-card]").count())
    expect(page.locator(".is-you .seat__made")).to_have_text(panel.locator(".help__hand strong").inner_text())
    assert page.title().startswith("● Your turn")
    page.keyboard.press("t")
    expect(page.locator("[data-page=voice]")).to_contain_text("Your turn:")
    page.locator(".options > summary").click()
    page.locator(".options summary", has_text="Help").click()
    page.get_by_label("Cards seen").uncheck()
    expect(panel.locator(".memory")).to_have_count(0)
    page.get_by_label("Amounts").select_option("In big bets")
    expect(page.locator("[data-page=potAmount]")).to_contain_text("BB")
    with page.expect_response(lambda answer: "felt=blue" in (answer.request.post_data or "")):
        page.get_by_label("Felt").select_option("Blue")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-look-felt", "blue")
    expect(page.locator("html")).to_have_attribute("data-look-dead", "off")
