"""A showdown that says why: the winning hand beside the best it beat, with the card that decides."""

import json

import pytest
from playwright.sync_api import expect

from games.engine.games import GAMES
from tests.browser.test_modules import as_json, hands, seen_by
from tests.browser.told import facts_by_action
from tests.support.games import DESCRIBED

pytestmark = pytest.mark.browser

WHY = """
async ([game, share, lows, ...shown]) => {
  const { whyWon } = await import("/static/games/play/why.js");
  const seats = Object.fromEntries(shown.map((five, i) => {
    return [i + 1, { isLive: true, five: game.has_high ? five : [], lowFive: lows[i] ? five : [] }];
  }));
  return whyWon({ game, pots: [], order: shown.map((_, i) => i + 1), seats }, { pot: 0, seat: 1, share });
}
"""
STUD, RAZZ, EIGHT = "seven-card-stud", "razz", "stud-eight"
#: Game, share, the five cards of the winner and of the others, what is said.
SAID = [
    (STUD, "whole", "AhKhTh8h4h AdKd9d8d7d", "Flush, ace-king-*ten* beats ace-king-nine."),
    (STUD, "whole", "AhTh8h5h4h KdQd9d8d7d QhQdQcJc7s", "Flush, *ace* high beats king high."),
    (STUD, "whole", "AhKhTh8h4h QhQdQcJc7s JsJd4s4d2c", "*Ace-high flush* beats three queens."),
    (STUD, "whole", "KhKdAs9c2d KsKcAd8h7h", "Pair of kings, ace-*nine* beats ace-eight."),
    (STUD, "whole", "KhKdAs9c2d QsQcAd8h7h", "Pair of *kings* beats pair of queens."),
    (STUD, "whole", "KhKd9s9cQd KsKc9d9h7h", "Two pair, kings and nines, *queen* beats seven."),
    (STUD, "whole", "KhKd9s9cQd KsKc8d8hAh", "Two pair, kings and *nines* beats kings and eights."),
    (STUD, "whole", "6h6d6s2c3d 5s5c5dAhKh", "Three *sixes* beats three fives."),
    (STUD, "whole", "Th9h8d7c6s 9d8c7h6d5s", "Straight, *ten* high beats nine high."),
    (STUD, "whole", "KhKdKs2c2d QsQcQdAhAd", "Full house, *kings* over deuces beats queens over aces."),
    (STUD, "whole", "AhKd9s7c2d AsKc9d6h3h", "Ace-king-nine-*seven* beats ace-king-nine-six."),
    (STUD, "whole", "KhKdAs9c2d KsKcAd9h2h QhQdAc9s2s", "Split: pair of kings, ace-nine-deuce."),
    (STUD, "whole", "KhKdAs9c2d", ""),
    (STUD, "whole", "2h3d5s9cJd KsKcAd9h2h", ""),
    (RAZZ, "whole", "8h6d4s3cAd 8d6s5h3dAh", "8-6-*4*-3-A beats 8-6-5-3-A."),
    (RAZZ, "whole", "KhQdJsTc9d 2d2s4h3dAh", "*K-Q-J-10-9* beats 4-3-2-2-A."),
    (EIGHT, "low", "8h5d4s3cAd 8d6s4h3dAh", "8-*5*-4-3-A beats 8-6-4-3-A."),
    (EIGHT, "low", "8h5d4s3cAd KhKd9s9cQd", "8-5-4-3-A is the only low shown."),
    (EIGHT, "high", "KhKd9s9cQd 8h5d4s3cAd", "*Two pair, kings and nines* beats ace high."),
]


@pytest.mark.parametrize(("game", "share", "shown", "said"), SAID)
def test_the_hand_that_won_is_told_beside_the_best_it_beat(modules, game, share, shown, said):
    fives = [[five[i : i + 2] for i in range(0, 10, 2)] for five in shown.split()]
    lows = [any(way.is_low and way.strength(five) is not None for way in GAMES[game].ways) for five in fives]
    assert modules.evaluate(WHY, [DESCRIBED[game], share, lows, *fives]) == said


def test_a_reason_is_given_for_each_pot_that_two_hands_contend_for(modules):
    asked = """
    async ([facts, games]) => {
      const { apply, emptyHand } = await import("/static/games/play/hand.js");
      const { whyWon } = await import("/static/games/play/why.js");
      const hand = emptyHand(1, games);
      return facts.flatMap(([kind, fact], i) => {
        apply(hand, i + 1, kind, fact);
        if (kind !== "pot-awarded") return [];
        const inIt = (hand.pots[fact.pot]?.seats ?? hand.order).map((number) => hand.seats[number]);
        const isShown = inIt.some(({ isLive, five }) => isLive && five);
        return [[isShown && inIt.filter(({ isLive, isMucked }) => isLive || isMucked).length > 1, whyWon(hand, fact)]];
      });
    }
    """
    told = 0
    for hand, viewer in hands():
        for is_contended, why in modules.evaluate(asked, [as_json(seen_by(hand, viewer)), DESCRIBED]):
            assert bool(why) == is_contended, json.dumps(as_json(hand.facts))
            told += bool(why)
    assert told > 20


def test_a_showdown_is_shown_on_the_felt_in_the_log_and_read_out(told):
    table = told()
    facts = [fact for part in facts_by_action(1) for fact in part]
    last = next(i for i, fact in enumerate(facts) if fact.kind == "showdown-opened")
    table.hand(iter([facts[:last], facts[last:]]))
    why = table.page.locator(".caption .why").last
    expect(why).to_have_text("Full house, queens over nines: nobody shows a better hand.")
    words = why.inner_text()
    expect(table.page.locator(".log__line--why").last).to_have_text(words)
    expect(table.page.locator("[data-page=voice]")).to_contain_text(words)

    table.own_seat(stack=0, state="sitting-out")
    move = table.page.get_by_role("region", name="Your move")
    expect(move).to_contain_text("Your chips are gone.")
    expect(table.page.locator("[data-page=voice]")).to_contain_text("Your chips are gone.")
    expect(move.get_by_role("button", name="Leave the table")).to_be_visible()
    expect(why).to_be_visible()  # nothing lies over the showdown
    expect(table.page.get_by_role("dialog")).to_have_count(0)
    move.get_by_role("button", name="Add chips").click()
    expect(table.page.get_by_role("dialog", name="Add chips")).to_be_visible()


def test_chips_that_are_gone_are_told_after_the_showdown_and_not_before_it(told):
    table = told(reduced_motion="no-preference")
    facts = [fact for part in facts_by_action(1) for fact in part]
    last = next(i for i, fact in enumerate(facts) if fact.kind == "showdown-opened")
    table.hand(iter([facts[:last]]))
    early = """() => {
      const status = document.querySelector("[data-page=status]");
      const page = document.querySelector("[data-table]");
      const look = () => {
        if (status.textContent.includes("gone")) window.toldAt ??= page.dataset.handState;
      };
      new MutationObserver(look).observe(page, { subtree: true, childList: true, attributes: true });
    }"""
    table.page.evaluate(early)
    table.hand(iter([facts]), is_watched=False)
    table.own_seat(stack=0, state="sitting-out")
    expect(table.page.get_by_role("button", name="Leave the table")).to_be_visible()
    assert table.page.evaluate("window.toldAt") == "over"
