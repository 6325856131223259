"""Replays scenarios through the engine, once under each rulebook they name, and reports what came of them.

The engine is given facts only and finds the rulings itself. A run stops at the first thing that is not as expected.
``? cannot`` is checked by trying the command.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from games.engine.cards import DECK
from games.engine.errors import IllegalAction
from games.engine.hand import Hand
from games.engine.seat import SeatState
from games.engine.stakes import HandConfig, Stakes
from games.notation.scenarios.checks import ScriptScene, failure
from games.notation.scenarios.commands import command_of
from games.notation.scenarios.files import read_path
from games.notation.scenarios.model import (
    BurnLine,
    DealLine,
    Expectation,
    FactLine,
    LowLine,
    PlayerLine,
    Scenario,
    ScenarioFault,
    ScriptLine,
)
from games.notation.scenarios.reading import cards_named
from games.rulebooks import RulebookError
from games.rulebooks.queries import load


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """One scenario under one rulebook. ``reason`` is empty when it passed; ``line`` is where it failed, else where it
    begins. ``rulebook`` and ``name`` are None where the file could not be read that far."""

    file: str
    line: int
    name: str | None
    rule: str | None
    rulebook: str | None
    passed: bool
    reason: str

    def as_json(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)

    def __str__(self) -> str:
        what = [self.file] if not self.line else [f"{self.file}:{self.line}"]
        what += [self.name] if self.name else []
        book = f" [{self.rulebook}]" if self.rulebook else ""
        return f"{': '.join(what)}{book}: {self.reason}"


def run_paths(paths: Iterable[Path]) -> Iterator[ScenarioResult]:
    """Every scenario of these files and folders under each of its rulebooks; what cannot be read has failed."""
    for path in paths:
        for scenario in read_path(path):
            if isinstance(scenario, ScenarioFault):
                yield ScenarioResult(
                    scenario.file, scenario.line, scenario.name or None, None, None, False, scenario.reason
                )
            else:
                for slug in scenario.rulebooks:
                    yield run(scenario, slug)


def run(scenario: Scenario, slug: str) -> ScenarioResult:
    """``scenario`` under the rulebook ``slug``."""
    return play_scenario(scenario, slug)[0]


def play_scenario(scenario: Scenario, slug: str) -> tuple[ScenarioResult, Hand | None]:
    """What came of ``scenario`` under the rulebook ``slug``, and the hand as far as it was played, if it began."""
    hand: Hand | None = None
    line: ScriptLine | None = None
    reason = ""
    try:
        hand = Hand.start(_config(scenario, slug))
    except RulebookError as error:
        reason = str(error)
    except IllegalAction as error:
        if not _is_start_refused(scenario):
            reason = f"the hand may not begin: {_with_rule(error)}"
    if not reason:
        line, reason = _play(scenario, ScriptScene(hand) if hand is not None else None)
    number = line.number if line else scenario.line
    full_reason = f"{line.text!r}: {reason}" if line else reason
    result = ScenarioResult(
        scenario.file, number, scenario.name, scenario.rule, slug, not reason, full_reason if reason else ""
    )
    return result, hand


def _play(scenario: Scenario, scene: ScriptScene | None) -> tuple[ScriptLine | None, str]:
    """(the line that failed, why); no reason when all is well."""
    for line in scenario.lines:
        try:
            reason = _step(scene, line)
        except IllegalAction as error:
            return line, f"refused: {_with_rule(error)}"
        except Exception as error:  # A fault of the engine must not hide what the other scenarios find.
            return line, f"the engine failed: {type(error).__name__}: {error}"
        if reason:
            return line, reason
    return None, ""


def _is_start_refused(scenario: Scenario) -> bool:
    first = scenario.lines[0].content
    return isinstance(first, Expectation) and first == Expectation("cannot")


def _with_rule(error: IllegalAction) -> str:
    return f"{error.message} ({error.rule})" if error.rule else error.message


def _config(scenario: Scenario, slug: str) -> HandConfig:
    return HandConfig(
        rulebook=load(slug),
        setting=scenario.setting,
        game=scenario.game,
        structure=scenario.structure,
        stakes=Stakes(**{"ante": 0, "bring_in": 0, **scenario.stakes}),
        stacks={seat: chips for seat, chips in enumerate(scenario.stacks, start=1) if chips},
        dealer=scenario.dealer,
        absent=scenario.absent,
        players_left=scenario.players_left,
        choices=scenario.options,
        deck=_reserve(scenario),
        is_hand_dealt=True,
        is_hand_shown=scenario.is_shown_manually,
    )


def _reserve(scenario: Scenario) -> tuple[str, ...]:
    """Cards that no line names, in the order in which they are taken: the scenario's stub, then any."""
    facts = [line.content for line in scenario.lines if not isinstance(line.content, Expectation)]
    named = {card for fact in facts for card in cards_named(fact)}
    return scenario.stub + tuple(card for card in DECK if card not in named and card not in scenario.stub)


def _step(scene: ScriptScene | None, line: ScriptLine) -> str:
    content = line.content
    if scene is None:
        return "" if content == Expectation("cannot") else "the hand did not begin"
    if not isinstance(content, Expectation):
        _play_line(scene, content)
        return ""
    if content.what == "cannot":
        return _try_refusal(scene.hand, content)
    return failure(scene, content)


def _play_line(scene: ScriptScene, fact: FactLine) -> None:
    if isinstance(fact, BurnLine):
        scene.burns = fact.count
        return
    command = command_of(fact, scene.burns)
    scene.burns = None
    if command is None:
        return
    before = len(scene.hand.facts)
    scene.hand.play(command)
    scene.facts_before_line = before
    if isinstance(fact, DealLine | PlayerLine):
        scene.facts_before_action = before
        scene.has_named_low = False
    elif isinstance(fact, LowLine):
        scene.has_named_low = True


def _try_refusal(hand: Hand, expectation: Expectation) -> str:
    """Give the engine what it should refuse; it must say why and leave everything as it was."""
    if expectation.value is None:
        return "the hand has begun"
    command = command_of(expectation.value)
    if command is None:
        return "nothing to refuse"
    before = _picture(hand)
    try:
        hand.play(command)
    except IllegalAction as error:
        if _picture(hand) != before:
            return "it was refused, but something changed"
        return "" if error.message else "it was refused without a reason"
    return "it was allowed"


def _picture(hand: Hand) -> dict[str, Any]:
    """Everything a hand consists of, as values that can be compared; its caches (``_name``) aside."""
    return {
        name: _comparable(value) for name, value in vars(hand).items() if not name.startswith("_") and name != "players"
    }


def _comparable(value: Any) -> Any:
    if isinstance(value, SeatState):
        return tuple(_comparable(getattr(value, name)) for name in SeatState.__slots__)
    if isinstance(value, dict):
        return {key: _comparable(item) for key, item in value.items()}
    if isinstance(value, list):
        return tuple(value)
    return value
