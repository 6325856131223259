"""The problems that come with the house, for days without one of its own hands: hands that house bots played through
the engine, each with its answer.

A line of `problem_files/hands.toml` has the deck from its top and what was done turn by turn, so the engine plays the
same hand again; `manage.py problems` writes such lines.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any

from games.engine import commands as c
from games.engine.cards import DECK
from games.engine.facts import play
from games.engine.facts.base import redact
from games.engine.hand import Hand
from games.engine.stakes import HandConfig, Stakes
from games.play.bots.choosing import PERSONALITIES, choose
from games.rulebooks.queries import load
from games.training.problems.rollouts import RolloutAnswer, Worth
from games.training.problems.selection import Selected, select
from games.training.problems.turns import turns_of

STAKES = Stakes(ante=1, bring_in=2, small_bet=5, big_bet=10)
RULEBOOK = "roberts-v4"
GAMES = ("seven-card-stud", "seven-card-stud", "razz", "seven-card-stud", "stud-eight")
_STACK = 300
_FILE = Path(__file__).parents[1] / "problem_files" / "hands.toml"
#: What is done in a turn, as a letter.
_LETTERS: Mapping[str, type[c.Command]] = {"b": c.BringIn, "f": c.Fold, "k": c.Check, "c": c.Call, "w": c.Wager}
_OF = {command: letter for letter, command in _LETTERS.items()}


@lru_cache(maxsize=1)
def rows() -> tuple[Mapping[str, Any], ...]:
    """The lines of the file."""
    return tuple(tomllib.loads(_FILE.read_text("utf-8"))["problems"])


def problem(number: int) -> Selected:
    """A bundled problem, its hand played again; numbers past the last one begin again at the first. ``IllegalAction``
    or ``ValueError`` for a line that cannot be played as it is written."""
    row = rows()[number % len(rows())]
    hand = _start(row["game"], row["seats"], [row["deck"][at : at + 2] for at in range(0, 104, 2)])
    upto = 0
    for place, letter in enumerate(row["done"]):
        upto = len(hand.facts) if place == row["turn"] else upto
        seat, command = hand.to_act, _LETTERS[letter]
        hand.play(command(seat, hand.options(seat).sizes[0]) if command is c.Wager else command(seat))
    turn = next((turn for turn in turns_of(hand.facts) if turn.upto == upto), None)
    if turn is None:
        raise ValueError(f"problem {number} asks at no turn with a choice")
    worths = tuple(Worth(choice, *figures) for choice, figures in row["worth"].items())
    return Selected(hand.facts, turn, RolloutAnswer(worths, *row["lead"]))


def new_lines(many: int, *, seed: int) -> Iterator[str]:
    """`many` new lines for the file, from hands of house bots; the same for the same seed."""
    rng = random.Random(seed)
    for number in range(many):
        game = GAMES[number % len(GAMES)]
        yield next(filter(None, (_line(game, rng) for _ in count())))


def _start(game: str, seats: int, deck: list[str]) -> Hand:
    return Hand.start(
        HandConfig(
            rulebook=load(RULEBOOK), game=game, stakes=STAKES, stacks=dict.fromkeys(range(1, seats + 1), _STACK),
            dealer=seats, deck=tuple(deck), scramble=DECK,
        )
    )  # fmt: skip


def _line(game: str, rng: random.Random) -> str:
    """The line of a new hand that has a problem in it; "" where the hand has none."""
    hand = _start(game, rng.randint(4, 7), rng.sample(DECK, len(DECK)))
    players = {seat: rng.choice(list(PERSONALITIES)) for seat in hand.seats}
    actions, begun = "", {}
    while seat := hand.to_act:
        begun[len(hand.facts)] = len(actions)
        view = Hand.replay(redact(fact, seat) for fact in hand.facts)
        command = choose(hand=view, seat=seat, personality=players[seat], rng=rng)
        actions += _OF[type(command)]
        hand.play(command)
    candidates = select(hand.facts, seats=hand.seats, book=hand.book, rng=rng)
    selected = next(filter(None, candidates), None)
    return _problem_toml(selected, game, actions, begun[selected.turn.upto]) if selected else ""


def _problem_toml(selected: Selected, game: str, actions: str, turn: int) -> str:
    deck = next(fact.deck for fact in selected.facts if isinstance(fact, play.DeckShuffled))
    seats = sum(isinstance(fact, play.HandStarted) and len(fact.order) for fact in selected.facts)
    answer = selected.answer
    worth = ", ".join(f"{choice.action} = [{choice.value:.3f}, {choice.error:.3f}]" for choice in answer.worths)
    return (
        f'[[problems]]\ngame = "{game}"\nseats = {seats}\ndeck = "{"".join(map(str, deck or ()))}"\n'
        f'done = "{actions}"\nturn = {turn}\nworth = {{ {worth} }}\n'
        f"lead = [{answer.lead:.3f}, {answer.lead_error:.3f}]\n"
    )
