"""The rulebooks as data: every point is cited and told, every point that the engine asks for is there."""

import ast
import json
from collections.abc import Iterator
from functools import cache
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.notation.scenarios.model import Scenario
from games.notation.scenarios.words import RULE_KEYS, VERDICTS
from tests.support.hands import by_hand
from tests.support.parts.games import RulebookError, load, parse, play_scenario, read_path, slugs
from tests.support.parts.stud import BY_ANALOGY, DECK, BringIn, Call, Deal, Hand
from tests.support.refusals import refused

PROJECT = Path(__file__).resolve().parents[2]
#: Where each call of the engine names a point: the method, and which argument it is.
NAMES_A_POINT = {"value": 0, "cite": 0, "citation": 0, "words": 0, "rule": 0, "refusal": 2}
#: What each book is cited as, and what its rules are cited by.
NUMBERED = {str(number) for number in range(1, 20)} | {"intro"}
SECTIONS = {
    "roberts-v4": ("Robert's Rules of Poker v4", NUMBERED),
    "roberts-later": ("Robert's Rules of Poker, later edition", NUMBERED),
    "gardens": ("The Gardens Casino", NUMBERED - {"19"} | {"17.1-17.3"}),
    "poker-tip": ("Poker Tip", {
        "intro", "First round", "Accidental card dealt up", "Out of order bet", "Second round", "The showdown",
        "Other rules before the next round of betting", "Folded hand without a wager made", "Dealer's action/mistakes",
    }),
    "home": (
        "Wikipedia, Seven-card stud", {"introduction", "Quick play overview", "In-depth play rules", "Sample deal"}
    ),
}  # fmt: skip
#: Where the rules are from that no stud page has.
ROBERTS, TDA, OURS = "Robert's Rules of Poker, general sections", "TDA 2024, rule ", "House practice"
GENERAL = {
    "showdown_order": [ROBERTS, TDA + "17"], "table_stakes": [ROBERTS], "acting_in_turn": [TDA + "53"],
    "wager_size": [ROBERTS], "short_all_in": [ROBERTS, TDA + "47B"], "side_pots": [ROBERTS],
    "uncalled_bet": [ROBERTS], "odd_chip": [TDA + "20"], "time_out": [OURS], "all_in_showdown": [TDA + "16"],
    "misdeal": [ROBERTS, TDA + "35"], "void_hand": [OURS], "ante": [OURS], "last_stub_card": [OURS],
    "fouled_deck": [ROBERTS, TDA + "35E"], "penalty": [TDA + "71"],
}  # fmt: skip
#: What stands beside the book's own rule.
BESIDE = {
    **{(slug, "raise_cap"): [ROBERTS, TDA + "48"] for slug in ("roberts-v4", "roberts-later", "gardens")},
    ("poker-tip", "players"): [OURS],
}
#: Verdicts that a book does not have: seven cards or nothing at the Gardens; at home no cap on raises, no cards for a
#: folded hand, and no second burn when the deck runs short.
NEVER = {
    "gardens": {("wrong_card_count", "live")},
    "home": {
        ("raise_cap", "capped"), ("fold_keeps_receiving", "receiving"), ("fold_keeps_receiving", "killed"),
        ("deck_exhaustion", "remixed"),
    },
}  # fmt: skip
#: What no book has, and the point that is followed.
LIKE = {("wrong_card_count", "corrected"): "burn_error", ("wrong_card_count", "misdeal"): "misdeal"}
BOOK = """
title = "House rules"
version = "1"
[points.burns]
value = [4, 5]
cite = "1"
text = "One card."
"""


def points_named(source: str) -> Iterator[str]:
    """The points that a module of the engine asks its rulebook for by name."""
    for node in ast.walk(ast.parse(source)):
        place = NAMES_A_POINT.get(getattr(getattr(node, "func", None), "attr", ""))
        if place is None or len(node.args) <= place:
            continue
        named = node.args[place]
        for choice in [named.body, named.orelse] if isinstance(named, ast.IfExp) else [named]:
            if isinstance(choice, ast.Constant) and isinstance(choice.value, str) and choice.value:
                yield choice.value


@pytest.mark.parametrize("slug", slugs())
def test_a_book_has_a_sentence_and_a_true_citation_for_every_point(slug: str) -> None:
    assert set(load(slug).points) == RULE_KEYS
    name, sections = SECTIONS[slug]
    for key, point in load(slug).points.items():
        assert all((point.text[0].isupper(), point.text.endswith("."), point.cite)), key
        if point.is_silent:
            continue
        if key in GENERAL and point.cite not in sections:
            assert point.citation == point.cite == "; ".join(GENERAL[key])
            continue
        assert point.cite in sections, key
        assert point.citation == "; ".join([f"{name}, {point.cite}", *BESIDE.get((slug, key), [])]), key
    own = {key for key in GENERAL if load(slug).cite(key) in sections}
    assert own == ({"showdown_order"} if slug == "poker-tip" else set())


@pytest.mark.parametrize("slug", slugs())
def test_a_silent_point_says_whose_rule_is_played_and_plays_it(slug: str) -> None:
    for key, point in load(slug).points.items():
        assert bool(point.follows) == point.is_silent, key
        if not point.is_silent:
            continue
        followed, _, rule = point.follows.partition(" ")
        if point.follows == "house practice":
            assert point.citation == f"{SECTIONS[slug][0]} (silent; played as house practice)"
            continue
        other = load(followed).points[key]
        assert followed != slug
        assert (other.cite, other.is_silent) == (rule, False), key
        assert point.citation == f"{SECTIONS[slug][0]} (silent; played as {other.citation})"
        # Eight at most where the page does not say, for nine stud hands only sometimes go round.
        if key != "players":
            assert (point.value, point.tournament, point.text) == (other.value, other.tournament, other.text), key


def test_rules_of_no_stud_page_are_told_alike_in_every_book() -> None:
    for key in GENERAL:
        told = {load(slug).words(key) for slug in slugs() if load(slug).cite(key) == "; ".join(GENERAL[key])}
        assert len(told) == 1, key


@pytest.mark.parametrize("slug", slugs())
def test_a_table_with_a_dealer_is_told_that_an_action_out_of_turn_is_held(slug: str) -> None:
    hand = by_hand(dict.fromkeys((1, 2, 3), 500), rulebook=load(slug), deck=DECK, scramble=DECK)
    hand.play(Deal(3))
    hand.play(BringIn(hand.to_act))
    hand.play(Call(hand.following[hand.to_act]))
    assert hand.held
    words = load(slug).words("acting_in_turn")
    assert "at a table with a dealer a fold out of turn binds, and another action does unless" in words
    assert "not taken" not in words


def test_the_engine_asks_for_no_point_that_is_not_there() -> None:
    sources = (PROJECT / "games/engine").rglob("*.py")
    named = {key for path in sources for key in points_named(path.read_text("utf-8"))}
    assert len(named) >= 20
    assert named <= RULE_KEYS


@cache
def played_by_us(slug: str) -> tuple[tuple[str, Hand | None], ...]:
    """Every scenario of our own that names the book ``slug``: its rule, and its hand played to the end."""
    read = [each for each in read_path(PROJECT / "tests/scenarios") if isinstance(each, Scenario)]
    hands = [(scenario.rule, play_scenario(scenario, slug)) for scenario in read if slug in scenario.rulebooks]
    assert not [str(result) for _, (result, _) in hands if not result.passed]
    return tuple((rule, hand) for rule, (_, hand) in hands)


@pytest.mark.parametrize("slug", slugs())
def test_every_verdict_of_every_book_is_reached_in_a_scenario_and_cites_its_rule(slug: str) -> None:
    book = load(slug)
    rulings = [ruling for _, hand in played_by_us(slug) if hand is not None for ruling in hand.rulings_made]
    for ruling in rulings:
        # A call that was weighed is its owner's alone: nobody is told of a ruling.
        told = "" if ruling.key == "beaten_call_stands" else book.citation(ruling.key)
        if (like := LIKE.get((ruling.key, ruling.verdict))) is not None:
            told = f"By analogy with {book.citation(like)}"
        assert ruling.rule == (f"by analogy with {book.cite(like)}" if like else book.cite(ruling.key)), ruling
        assert ruling.citation == told, ruling
    reached = {(ruling.key, ruling.verdict) for ruling in rulings}
    assert set(LIKE) == set(BY_ANALOGY)
    every = {(key, verdict) for key, verdicts in VERDICTS.items() for verdict in verdicts}
    assert every - reached == NEVER.get(slug, set())


@pytest.mark.parametrize("slug", slugs())
def test_every_point_of_a_rulebook_has_a_scenario_of_our_own(slug: str) -> None:
    assert {rule for rule, _ in played_by_us(slug)} == set(load(slug).points)
    settings = {(rule, hand.started.setting) for rule, hand in played_by_us(slug) if hand is not None}
    different = {key for key, point in load(slug).points.items() if point.tournament not in (None, point.value)}
    assert {key for key in different if (key, "tournament") not in settings} == set()


def test_a_loaded_book_cannot_be_changed() -> None:
    refused(RulebookError, r"no rulebook called 'hoyle'; there are: .*roberts-v4", load, "hoyle")
    refused(CommandError, "no rulebook called 'hoyle'", rules, "hoyle")
    book = load("roberts-v4")
    assert load("roberts-v4") is book
    with pytest.raises(TypeError):
        book.points["burns"] = book.points["limits"]  # type: ignore[index]
    with pytest.raises(TypeError):
        book.value("raise_cap", "cash")["raises"] = 4
    assert book.value("burns", "cash") == (4, 5, 6, 7)
    assert (book.cite("limits"), book.value("limits", "tournament")) == ("intro", "small-then-big")


@pytest.mark.parametrize(("text", "reason"), [
    ("title = ", "roberts: "),
    (BOOK.replace('title = "House rules"', ""), "title is missing"),
    (BOOK.replace("value = [4, 5]", ""), "burns: value is missing"),
    (BOOK.replace('cite = "1"', 'cite = ""'), "burns: cite is missing"),
    (BOOK.replace('cite = "1"', "silent = true"), "burns: follows is missing"),
    (BOOK.replace('cite = "1"', 'sources = ["TDA 7"]'), "burns: 'TDA 7' is no source of general rules"),
    (BOOK.replace('text = "One card."', ""), "burns: text is missing"),
    (BOOK + "colour = 1", "burns: there is no field 'colour'"),
])  # fmt: skip
def test_a_book_written_wrongly_says_where(text: str, reason: str) -> None:
    refused(RulebookError, reason, parse, "roberts", text)


def rules(*arguments: str) -> str:
    """What the command prints."""
    out = StringIO()
    call_command("rules", *arguments, stdout=out)
    return out.getvalue()


def test_the_rules_command_prints_every_point_and_one_object_per_book() -> None:
    text = rules("roberts-v4")
    for point in load("roberts-v4").points.values():
        assert all(said in text for said in (f"\n{point.key}: ", point.text)), point.key
    assert "raise_cap: raises 3, heads_up uncapped; in a tournament raises 3, heads_up uncapped-at-two-left" in text
    books = [json.loads(line) for line in rules("--json").splitlines()]
    assert [book["slug"] for book in books] == list(slugs())
    cap = next(point for point in books[-1]["points"] if point["key"] == "raise_cap")
    assert cap["value"] == {"raises": 3, "heads_up": "uncapped"}
    assert cap["tournament"] == {"raises": 3, "heads_up": "uncapped-at-two-left"}
    assert cap["citation"] == f"Robert's Rules of Poker v4, 3; {ROBERTS}; {TDA}48"


def test_the_rules_command_prints_the_books_side_by_side_all_or_those_it_is_given() -> None:
    lines = rules("--width", "200").splitlines()
    assert all(line.rstrip() == line and len(line) <= 200 for line in lines)
    books = [load(slug) for slug in slugs()]
    for book in books:
        assert (book.title in lines[0], f"({book.slug}, version" in lines[1]) == (True, True)
    cap = lines.index("* raise_cap")
    beside = " ".join(lines[cap + 1 : cap + 4])
    assert beside.count("raises 3, heads_up uncapped") >= 3
    assert beside.count("raises 0, heads_up uncapped") == 1
    for key in books[0].points:
        values = [(book.points[key].value, book.points[key].tournament) for book in books]
        assert f"{'*' if any(each != values[0] for each in values) else ' '} {key}" in lines
    differing = sum(line.startswith("* ") for line in lines)
    assert lines[-1] == f"{len(RULE_KEYS)} points; the books differ on the {differing} marked *"
    titles = rules("gardens", "home", "--width", "100").splitlines()[0]
    assert titles.split("  ")[1] == "The Gardens Casino"
    assert "Poker Tip" not in titles
