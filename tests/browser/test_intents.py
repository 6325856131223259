"""What a player chooses before their turn: it stays on their page, is done at the price they saw and at no other, and
goes with a word when that price changes."""

import re
from typing import Any

import pytest
from django.conf import settings
from django.template import Context, Template
from playwright.sync_api import Page, expect

from tests.browser.modules import ADDRESS, page_without_server
from tests.browser.player import OVERHEAR, Player
from tests.browser.test_modules import as_json, hands, seen_by

pytestmark = pytest.mark.browser

# -- the rules, in the modules alone ---------------------------------------------------------------------------------

#: For each turn of a hand: what its player could have chosen the moment before, and what would be done about it now.
_FORESEE = """
async (facts) => {
  const { apply, emptyHand } = await import("/static/games/play/hand.js");
  const { choiceFor, intentOf, offersOf } = await import("/static/games/play/intents.js");
  const { choicesOf } = await import("/static/games/play/actions.js");
  const hand = emptyHand(1), turns = [];
  facts.forEach(([kind, fact], i) => {
    if (kind === "action-on") {
      const { stack, bet, did } = hand.seats[fact.seat];
      const choices = choicesOf(fact, stack, bet);
      const done = offersOf(hand, fact.seat).filter(({ isOpen }) => isOpen).map((offer) => {
        const choice = choiceFor(intentOf(offer, hand, fact.seat), choices);
        return [offer.id, choice && choice.action, choice?.figure ?? 0];
      });
      turns.push({ turn: fact, done, hasActed: Boolean(did) });
    }
    apply(hand, i + 1, kind, fact);
  });
  return turns;
}
"""


def expected(turn: dict[str, Any], *, has_acted: bool) -> list[list[Any]]:
    if turn["bring_in"]:
        return [["fold", "fold" if turn["can_fold"] else None, 0]]
    if turn["call"]:
        return [["fold", "fold", 0], ["call", "call", turn["call"]], ["any", "call", turn["call"]]]
    return [["fold", "check", 0], *([] if has_acted else [["check", "check", 0]]), ["any", "check", 0]]


def test_what_is_offered_before_a_turn_is_what_the_turn_allows_at_the_same_price(modules):
    seen = set()
    for hand, viewer in hands():
        for each in modules.evaluate(_FORESEE, as_json(seen_by(hand, viewer))):
            turn, done = each["turn"], each["done"]
            assert [one for one in done if one[0] != "raise"] == expected(turn, has_acted=each["hasActed"]), each
            # A raise is the turn's one wager, or nothing; at fixed limit it is offered wherever there is one.
            has_wager = turn["verb"] and not turn["is_range"]
            wager = [turn["verb"].removesuffix("-to"), turn["sizes"][0]] if has_wager else [None, 0]
            raises = [one for one in done if one[0] == "raise"]
            assert raises in ([], [["raise", *wager]]), each
            is_due = hand.started.structure == "fixed-limit" and turn["verb"] and not turn["bring_in"]
            assert raises or not is_due, each
            seen.update(offer for offer, *_ in done)
    assert seen == {"fold", "check", "call", "any", "raise"}


# -- the bar, with the facts of a hand and no server -------------------------------------------------------------------


@pytest.fixture(scope="module")
def _stopped(browser):
    """Its clock moves when a test says so."""
    with page_without_server(browser) as page:
        page.clock.pause_at("2099-01-05T20:00")
        yield page


@pytest.fixture
def page(_stopped):
    """The same with a new document: the bar listens to all of it."""
    _stopped.goto(ADDRESS)
    return _stopped


Told = tuple[str, dict[str, Any]]

#: Ada sits in seat 1; `watch` has her page's bar follow facts, `come` asks it what to do now that it is her turn.
_SET_UP = """
async ([html, options]) => {
  const { apply, emptyHand } = await import("/static/games/play/hand.js");
  const { IntentBar } = await import("/static/games/play/intentbar.js");
  const { choicesOf } = await import("/static/games/play/actions.js");
  document.body.innerHTML = html;
  const told = [], sent = [], hand = emptyHand(7);
  const row = (number) => ({ number, name: `P${number}`, state: "playing", stack: 600 });
  const table = { seats: [1, 2, 3].map(row), event: "", isHandDealt: false, isPhysical: false, ...options };
  const draw = () => bar.draw(table, hand, { seat: 1 }, hand.turn?.seat !== 1);
  const bar = new IntentBar(document.querySelector(".intents"), {
    say: (text) => told.push(text), redraw: draw, sitOut: (isOut) => sent.push(isOut),
  });
  const watch = (facts) => {
    for (const [kind, fact] of facts) {
      apply(hand, hand.seq + 1, kind, fact);
      bar.fact(kind, fact, hand, 1);
    }
    draw();
  };
  const come = () => {
    const { stack, bet } = hand.seats[1];
    const choice = bar.take(choicesOf(hand.turn, stack, bet));
    return choice && [choice.action, choice.figure ?? 0];
  };
  const sit = (state) => {
    table.seats[0].state = state;
    draw();
  };
  window.ada = { bar, told, sent, watch, come, sit };
}
"""


class Bar:
    """The bar of Ada's page; its clock stands still but for `wait`."""

    def __init__(self, page: Page, **options: Any) -> None:
        self.page = page
        page.evaluate(_SET_UP, [intents_html(), options])

    def watch(self, *facts: Told) -> "Bar":
        self.page.evaluate("(facts) => ada.watch(facts)", list(facts))
        return self

    def wait(self, milliseconds: int = 500) -> None:
        self.page.clock.run_for(milliseconds)

    def tick(self, which: str) -> None:
        self.wait()
        self.button(which).click()

    def button(self, which: str) -> Any:
        return self.page.locator(f"[data-intent={which}]")

    def pressed(self) -> list[str]:
        return self.page.locator(".intent[aria-pressed=true]").all_text_contents()

    def told(self) -> list[str]:
        return list(self.page.evaluate("ada.told"))

    def sent(self) -> list[bool]:
        return list(self.page.evaluate("ada.sent"))

    def come(self) -> Any:
        return self.page.evaluate("ada.come()")


def intents_html() -> str:
    """The bar as the table's page has it."""
    page = (settings.BASE_DIR / "templates/games/play/table.html").read_text()
    found = re.search(r'<div class="intents".*?</div>', page, re.DOTALL)
    assert found
    return Template(found[0]).render(Context())


def hand_started(stack: int = 600) -> Told:
    seats = {"order": [2, 3, 1], "stacks": [[1, stack], [2, 600], [3, 600]], "absent": [], "dealer": 1}
    return "hand-started", seats | {"rulebook": "roberts-v4", "rulebook_version": 1}


def street(number: int, *, opener: int = 2, is_bring_in: bool = False) -> list[Told]:
    dealt: Told = ("cards-dealt", {"street": number, "cards": []})
    opened = {"street": number, "named": opener, "opener": opener, "sizes": [15], "is_bring_in": is_bring_in}
    return [dealt, ("round-opened", opened), turn(opener, bring_in=5 if is_bring_in else 0)]


def turn(seat: int, *, call: int = 0, bring_in: int = 0, can_fold: bool = True) -> Told:
    legal = {"can_fold": can_fold, "can_check": not call and not bring_in, "can_declare_all_in": False}
    legal |= {"call": call, "bring_in": bring_in, "verb": "", "sizes": [], "is_range": False}
    return "action-on", {"seat": seat, **legal}


def checked(seat: int) -> Told:
    return "checked", {"seat": seat}


def bets(seat: int, to: int, *, verb: str = "bet", amount: int = 0) -> Told:
    fact = {"verb": verb, "to": to, "amount": amount or to, "sizes": [15], "raises": 1, "is_capped": False}
    return "wagered", {"seat": seat, **fact}


CLOSED: Told = ("round-closed", {"pots": [[90, [1, 2, 3]]]})
ENDED: Told = ("hand-ended", {"stacks": [[1, 600], [2, 645], [3, 555]]})


@pytest.mark.parametrize(
    ("stack", "before", "ticked", "then", "told"),
    [
        (600, [], "check", [bets(2, 15)], "“Check” is off: 15 to call now."),
        (600, [bets(2, 15)], "call", [bets(3, 30, verb="raise")], "“Call 15” is off: 30 to call now."),
        (10, [bets(2, 15)], "call", [bets(3, 30, verb="raise")], "“Call all-in 10” is off: somebody raised."),
        (600, [], "check", [checked(2), CLOSED, *street(5)], "“Check” is off: a new street."),
        (600, [], "fold", [checked(2), CLOSED, *street(5)], "“Check/fold” is off: a new street."),
        (600, [], "check", [("entry-reversed", {"upto": 4, "reason": ""})],
         "“Check” is off: the last entry was taken back."),
    ],
    ids=["a bet", "a raise", "a raise over a short stack", "a new street", "new cards", "an entry taken back"],
)  # fmt: skip
def test_a_choice_goes_with_a_word_when_what_it_was_made_on_changes(page, stack, before, ticked, then, told):
    bar = Bar(page).watch(hand_started(stack), *street(4), *before, turn(3))
    bar.tick(ticked)
    assert len(bar.pressed()) == 1
    bar.watch(*then)
    assert bar.told() == [told]
    assert page.evaluate("ada.bar.note") == told
    assert bar.pressed() == []
    bar.wait(10_000)
    assert page.evaluate("ada.bar.note") == ""
    bar.watch(turn(1, call=15))
    assert bar.come() is None


def test_a_fold_in_advance_can_be_taken_back_and_checks_where_that_is_free(page):
    bar = Bar(page).watch(hand_started(), *street(4))
    bar.tick("fold")
    assert bar.pressed() == ["Check/foldX"]
    bar.watch(bets(2, 15), turn(3, call=15))
    assert bar.pressed() == ["FoldX"]
    bar.button("fold").dispatch_event("click")
    assert bar.pressed() == []
    bar.tick("fold")
    bar.watch(bets(3, 30, verb="raise"), turn(1, call=30))
    assert bar.come() == ["fold", 0]
    bar.watch(("called", {"seat": 1, "amount": 30}), CLOSED, *street(5))
    bar.tick("fold")
    bar.watch(checked(2), checked(3), turn(1))
    assert (bar.come(), bar.told()) == (["check", 0], [])


def test_a_choice_is_done_once_and_only_at_its_own_price(page):
    bar = Bar(page).watch(hand_started(), *street(4), bets(2, 15), turn(3, call=15))
    bar.tick("call")
    bar.watch(("called", {"seat": 3, "amount": 15}), turn(1, call=15))
    assert bar.come() == ["call", 15]
    assert bar.come() is None
    bar.watch(CLOSED, *street(5), bets(2, 30), turn(3, call=30))
    bar.tick("call")
    # Whatever the page made of the facts: the turn itself has the last word.
    bar.watch(turn(1, call=45))
    assert bar.come() is None
    assert bar.told() == ["“Call 30” is off: it is not open to you now."]


def test_nobody_chooses_a_price_before_the_bring_in_is_known(page):
    bar = Bar(page).watch(hand_started(), *street(3, is_bring_in=True))
    bar.wait()
    is_off = [bar.button(which).get_attribute("aria-disabled") for which in ("fold", "check", "call")]
    assert is_off == ["false", "true", "true"]
    bar.tick("fold")
    # The lowcard's player is gone, and this one opens in their place.
    bar.watch(turn(1, bring_in=5, can_fold=False))
    assert bar.come() is None
    assert bar.told() == ["“Fold” is off: it is not open to you now."]


def test_who_has_acted_may_only_fold_to_a_raise_and_needs_no_word_when_none_comes(page):
    bar = Bar(page).watch(hand_started(), *street(4, opener=1), checked(1), turn(2))
    bar.tick("fold")
    assert (bar.pressed(), bar.button("check").get_attribute("aria-disabled")) == (["Fold to a betX"], "true")
    bar.watch(checked(2), checked(3), CLOSED, *street(5))
    assert (bar.pressed(), bar.told()) == ([], [])


def test_a_press_that_comes_with_the_change_of_a_price_is_for_nothing(page):
    bar = Bar(page).watch(hand_started(), *street(4), bets(2, 15), turn(3, call=15))
    bar.wait()
    bar.watch(bets(3, 30, verb="raise"), turn(2, call=15))
    bar.button("call").dispatch_event("click")
    assert bar.pressed() == [], "it said another price a moment ago"
    bar.wait()
    # A thumb lies on the button while the price changes, and is lifted long after.
    bar.button("call").hover()
    page.mouse.down()
    bar.watch(bets(2, 45, verb="raise", amount=30), turn(3, call=15))
    bar.wait()
    page.mouse.up()
    assert bar.pressed() == [], "what was touched was another price"
    bar.tick("call")
    assert bar.pressed() == ["Call 45L"]
    bar.tick("call")
    assert bar.pressed() == [], "pressed again it is taken back"


def test_a_lost_connection_drops_all_choices_in_advance(page):
    bar = Bar(page, event="an-event").watch(hand_started(), *street(4))
    bar.tick("check")
    bar.tick("away")
    page.evaluate("ada.bar.drop('the connection was lost', { isForReturn: true })")
    word = "“Check” is off: the connection was lost. “Sit out next hand” is off: the connection was lost."
    assert bar.told() == [word]
    bar.wait(10_000)
    assert page.evaluate("ada.bar.note") == ""
    page.evaluate("ada.bar.tellAgain()")
    assert page.evaluate("ada.bar.note") == word
    page.evaluate("ada.bar.tellAgain()")
    assert bar.told() == [word, word], "once more, and not each time"
    bar.watch(ENDED)
    assert bar.sent() == []


def test_who_is_away_at_an_event_means_nothing_any_more(page):
    bar = Bar(page, event="an-event").watch(hand_started(), *street(4))
    bar.tick("check")
    page.evaluate("ada.sit('sitting-out')")
    assert bar.told() == ["“Check” is off: you are away."]
    bar.watch(turn(1))
    assert bar.come() is None


def test_keys_choose_and_leave_a_field_alone(page):
    bar = Bar(page).watch(hand_started(), *street(4))
    bar.wait()
    page.keyboard.press("k")
    assert bar.pressed() == ["CheckK"]
    page.keyboard.press("x")
    assert bar.pressed() == ["Check/foldX"]
    page.evaluate("document.body.append(document.createElement('input'))")
    page.locator("input").press("k")
    assert bar.pressed() == ["Check/foldX"]
    bar.button("check").focus()
    page.keyboard.press("Space")
    assert bar.pressed() == ["CheckK"]
    # A turn of one's own takes the bar away, and gives the place in it back.
    bar.watch(turn(1))
    expect(page.locator(".intents")).to_be_hidden()
    bar.watch(checked(1), turn(2))
    expect(bar.button("check")).to_be_focused()


@pytest.mark.parametrize("options", [{"isHandDealt": True}, {"isPhysical": True}])
def test_where_a_dealer_takes_the_action_nothing_is_chosen_beforehand(page, options):
    bar = Bar(page, **options).watch(hand_started(), *street(4))
    expect(page.locator(".intents")).to_be_hidden()
    page.keyboard.press("k")
    assert bar.pressed() == []


def test_sitting_out_is_the_servers_at_cash_and_waits_for_the_hand_at_an_event(page):
    bar = Bar(page).watch(hand_started(), *street(4))
    bar.tick("away")
    assert bar.sent() == [True]
    page.evaluate("ada.sit('sitting-out')")
    assert bar.pressed() == ["Sit out next handN"]
    assert page.evaluate("ada.bar.hasSitOut")
    bar.tick("away")
    assert bar.sent() == [True, False]


@pytest.mark.parametrize("end", [[ENDED], [turn(1), ("folded", {"seat": 1})]], ids=["the hand is over", "they fold"])
def test_at_an_event_the_page_says_it_when_the_hand_is_over(page, end):
    bar = Bar(page, event="an-event").watch(hand_started(), *street(4))
    bar.tick("away")
    bar.watch(checked(2), turn(3))
    assert (bar.sent(), bar.pressed()) == ([], ["Sit out next handN"])
    bar.watch(*end)
    assert bar.sent() == [True]
    page.evaluate("ada.sit('sitting-out')")
    expect(page.locator(".intents")).to_be_hidden()


# -- at a real table ---------------------------------------------------------------------------------------------------


def intent(player: Player, which: str) -> Any:
    return player.page.locator(f"[data-intent={which}]")


@pytest.mark.long("hands at a real table; the bar with the facts of a hand stays")
def test_a_choice_in_advance_is_done_in_turn_and_dropped_by_a_bet(two_sit):
    ada, bert = two_sit("Intent", width=390, height=844)
    for player in (ada, bert):
        player.page.evaluate(OVERHEAR)
    hand, seq = ada.hand, 0

    def settle() -> tuple[Player, Player]:
        """Both pages have drawn the next turn: who has it, and the other."""
        nonlocal seq
        ada.wait_for_news(hand, seq)
        seq = ada.seq
        expect(bert.main).to_have_attribute("data-seq", str(seq))
        assert not ada.is_over
        return (ada, bert) if ada.turn == "1" else (bert, ada)

    first, second = settle()  # third street
    first.check_or_call()
    settle()
    second.check_or_call()

    # Fourth street: a check.
    first, second = settle()
    expect(intent(second, "check")).to_be_enabled()
    second.fits(".intent:visible")
    sent = len(second.page.evaluate("window.sent"))
    intent(second, "check").click()
    expect(intent(second, "check")).to_have_attribute("aria-pressed", "true")
    assert len(second.page.evaluate("window.sent")) == sent, "it is nobody else's business"
    first.check_or_call()
    for player in (ada, bert):
        expect(player.page.locator(".log__list")).to_contain_text("Fifth street")
    assert second.page.evaluate("window.sent")[sent:] == [["act", "check"]]

    # Fifth street: a check, and a bet that makes it none.
    first, second = settle()
    sent = len(second.page.evaluate("window.sent"))
    intent(second, "check").click()
    first.page.locator(".act--wager").first.click()
    settle()
    expect(second.page.locator("[data-page=status]")).to_have_text("“Check” is off: 30 to call now.")
    expect(second.page.locator("[data-page=voice]")).to_contain_text("“Check” is off: 30 to call now.")
    expect(second.action("Call")).to_be_enabled()
    assert second.page.evaluate("window.sent")[sent:] == []
    second.check_or_call()

    # Sixth street: a check, and a connection that is lost.
    first, second = settle()
    intent(second, "check").click()
    second.context.set_offline(True)
    expect(second.banner).to_contain_text("Reconnecting")
    second.context.set_offline(False)
    expect(second.banner).to_be_hidden()
    first.check_or_call()
    settle()
    expect(second.action("Check")).to_be_enabled()
    expect(second.page.locator(".log__list")).not_to_contain_text("Seventh street")
    second.check_or_call()

    # Seventh street: sitting out is chosen, taken back, and chosen.
    first, second = settle()
    away = intent(second, "away")
    for state in ("true", "false", "true"):
        away.click()
        expect(away).to_have_attribute("aria-pressed", state)
    expect(second.page.get_by_text(f"Waiting for {first.name}")).to_be_visible()
    expect(second.page.get_by_role("button", name="I’m back")).to_be_hidden()
    first.page.locator(".act--wager").first.click()
    second.action("Fold").click()
    expect(second.page.get_by_text("You are sitting out.")).to_be_visible()
    second.page.get_by_role("button", name="I’m back").click()
    expect(second.page.get_by_text("You are sitting out.")).to_be_hidden()
