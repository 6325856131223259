"""The words of scripts in another language: sentences keep their names, and no word of the engine stays English."""

from itertools import permutations

import pytest
from django.utils import translation

from games.rulebooks import words as rulebook_words
from games.rulebooks.queries import load
from games.tables.queries import offers
from tests.browser.test_modules import as_json
from tests.support.parts.games import table_words
from tests.support.parts.stud import play, ranking
from tests.web.test_words import NAMES

pytestmark = pytest.mark.browser

KINDS = ranking.Category
TOLD = """
async ([catalogue, facts, names]) => {
  document.documentElement.lang = "de";
  const found = (key, text) => catalogue[key] ?? text;
  globalThis.django = {
    gettext: (text) => found(text, text),
    pgettext: (context, text) => found(`${context}|${text}`, text),
    ngettext: (one, many, n) => found(one, n === 1 ? one : many),
  };
  const { sentence } = await import("/static/games/play/words.js");
  const { inWords } = await import("/static/games/cards.js");
  const { amount } = await import("/static/games/play/amounts.js");
  const { either, list } = await import("/static/cardroom/language.js");
  return [...facts.map(([kind, fact]) => sentence(kind, fact, (seat) => names[seat])), inWords("Ts"), amount(12500),
    list(["a", "b", "c"]), either(["a", "b", "c"])];
}
"""
GERMAN = {
  "{who} raises to {amount}.": "Auf {amount} erhöht {who}.",
  "{who} is high: {hand}.": "Hoch ist {who}: {hand}.",
  "two pair, {ranks} and {others}": "zwei Paare, {ranks} und {others}",
  "several cards|kings": "Könige",
  "several cards|nines": "Neunen",
  "{rank} of {suit}": "{suit}-{rank}",
  "a card|ten": "Zehn",
  "a suit|spades": "Pik",
}  # fmt: skip
MARKED = """
async ([hands, levels]) => {
  globalThis.django = { gettext: (text) => `~${text}` };
  const { handWords } = await import("/static/games/play/made.js");
  const { gameWords } = await import("/static/tournaments/clock/board.js");
  const { SeatView } = await import("/static/games/play/seats.js");
  const { emptyHand } = await import("/static/games/play/hand.js");
  const names = "summary cards plate ring initial face name mark bot stack made dealer won say open sit free";
  const template = document.createElement("template");
  template.innerHTML = `<li>${names.split(" ").map((name) => `<span data-part="${name}"></span>`).join("")}</li>`;
  const seat = new SeatView(1, template);
  const bots = ["Expert", ""].map((strength) => {
    const row = { name: "Ada", isBot: true, strength, avatar: "", stack: 5, state: "playing" };
    seat.draw({ row, hand: emptyHand(), place: 0, words: "" });
    return seat.parts.summary.textContent.split(", ")[1];
  });
  return [hands.map(handWords), levels.map((level) => gameWords(levels, level)), bots];
}
"""
INSIDE = """
async ([language, words]) => {
  document.documentElement.lang = language;
  return (await import("/static/cardroom/language.js")).inside(words);
}
"""
CITED = """
async ([catalogue, said, citations, ruling]) => {
  globalThis.django = { gettext: (text) => catalogue[text] ?? text };
  document.getElementById("ruling-words").textContent = JSON.stringify({ said, routine: [] });
  const { cited, drawWords } = await import("/static/games/play/rulings.js");
  const { Log } = await import("/static/games/play/log.js");
  const [list, voice, caption] = ["ol", "div", "p"].map((name) => document.createElement(name));
  const log = new Log({ list, voice, caption }, { nameOf: String, bookOf: () => ({ title: "Home" }) });
  log.fact("ruled", ruling, { isOld: true });
  const told = (within) => [...within.childNodes].map((node) => [node.lang ?? "", node.textContent]);
  return [citations.map(cited), told(drawWords(ruling)), told(list.lastElementChild)];
}
"""
RENEWED = """
async () => {
  document.documentElement.lang = "de";
  globalThis.django = { gettext: (text) => text };
  document.getElementById("ruling-words").textContent = JSON.stringify({ said: {}, points: {}, verdicts: {} });
  const { nameOfVerdict } = await import("/static/games/play/rulings.js");
  const { connectBooks } = await import("/static/games/play/books.js");
  const books = connectBooks({}, { rulesUrl: "/rules/", log: { note() {} }, toast() {} });
  const [tip, home] = ["poker-tip", "home"].map((reference) => ({ reference, title: reference }));
  const before = nameOfVerdict("dead-hand");
  books.draw({ rulebook: tip, next_rulebook: null }, null);
  books.draw({ rulebook: tip, next_rulebook: home }, null);
  while (nameOfVerdict("dead-hand") === before) await new Promise(requestAnimationFrame);
  return nameOfVerdict("dead-hand");
}
"""


def hand_names() -> list[str]:
    """All that the engine calls high hands."""
    ranks = range(2, 15)
    pairs = list(permutations(ranks, 2))
    told = [
        *((kind, (rank,)) for kind in (KINDS.HIGH_CARD, KINDS.PAIR, KINDS.TRIPS, KINDS.QUADS) for rank in ranks),
        *((kind, (top,)) for kind in (KINDS.STRAIGHT, KINDS.FLUSH, KINDS.STRAIGHT_FLUSH) for top in range(5, 15)),
        *((kind, both) for kind in (KINDS.TWO_PAIR, KINDS.FULL_HOUSE) for both in pairs),
    ]
    assert {kind for kind, _ in told} == set(KINDS)
    return [ranking.name_of(ranking.pack(kind, values)) for kind, values in told]


def test_a_sentence_in_another_language_has_its_names_in_their_places(page):
    facts = [
        play.Wagered(2, "raise", 30, 1_260, 60, 1, (30,), 0, False),
        play.Announced("high-hand", 1, "two pair, kings and nines"),
        play.Checked(3),
    ]
    assert page.evaluate(TOLD, [GERMAN, as_json(facts), NAMES]) == [
        "Auf 1.260 erhöht As.", "Hoch ist Ada: zwei Paare, Könige und Neunen.", "Cleo checks.", "Pik-Zehn", "12.500",
        "a, b und c", "a, b oder c",
    ]  # fmt: skip


def test_the_hands_of_the_engine_are_called_as_it_calls_them(modules):
    names = [*hand_names(), "8-6-4-3-A", "", "a five-card hand", "three high kings"]
    told = modules.each("games/play/made.js", "handWords", [[name] for name in names])
    assert told == names == [table_words.hand_words(name) for name in names]


def test_a_ruling_is_in_the_readers_language_beside_the_books_words(page):
    book = load("home")
    citations = [*map(book.citation, book.points), "By analogy with Home, 3", "River, cap (changed from Home, 3; A, 4)"]
    citations.append("River, cap (changed from Home (silent; played as house practice))")
    text = book.points["wager_size"].text
    with translation.override("de"):
        catalogue = {pattern: translation.gettext(pattern) for pattern in rulebook_words.CITED}
        said, expected = rulebook_words.words("home")["said"], list(map(rulebook_words.cited, citations))
    told, drawn, logged = page.evaluate(CITED, [catalogue, said, citations, {"words": text}])
    assert told == expected
    assert drawn == [["", said[text]], ["", " "], ["en", text]]
    assert logged == [["", said[text]], ["", " "], ["", "Home"], ["", " "], ["en", text]]
    assert said[text] != text
    assert expected[-1] == "River, cap (geändert gegenüber Home (sagt nichts; gespielt wie Hausbrauch))"


def test_who_has_a_table_open_is_told_of_rulings_by_its_next_book_in_their_language(page):
    assert page.evaluate(RENEWED) == "hand dead, ante back"


def test_no_hand_or_game_of_the_engine_and_no_bots_strength_keeps_its_english_name(page, every_word_marked):
    names = hand_names()
    levels = [
        {"kind": "level", "game": game, "betting": "fixed-limit", "is_usual": False} for game in offers.GAME_NAMES
    ]
    hands, games, bots = page.evaluate(MARKED, [names, levels])
    assert all(told.startswith("~") for told in [*hands, *map(table_words.hand_words, names)])
    assert games == list(map(str, offers.GAME_NAMES.values()))
    assert bots == ["~Expert bot", "~bot"]


@pytest.mark.parametrize(
    ("language", "words", "said"),
    [("en", "Third street", "third street"), ("fr", "Étape", "étape"), ("de", "Third Street", "Third Street")],
)
def test_a_noun_inside_a_german_sentence_keeps_its_capital_letter(page, language, words, said):
    assert page.evaluate(INSIDE, [language, words]) == said
