"""Checks what a script expects of a hand: ``failure`` says in a sentence what an expectation misses."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from games.engine.facts import play
from games.engine.facts.mistakes import HandVoided
from games.engine.hand import Hand
from games.engine.rules.choices import may_declare
from games.notation.scenarios.model import Expectation


@dataclass(slots=True)
class ScriptScene:
    """A hand at one line of a script.

    ``facts_before_action``: how many facts there were before the last action or deal; ``facts_before_line``: before the
    last line of any kind; ``burns``: how many cards a line said were burned before the next deal; ``ruling_key``: the
    rule key of the last ``? ruling``; ``has_named_low``: the dealer named a lowcard since then.
    """

    hand: Hand
    facts_before_action: int = 0
    facts_before_line: int = 0
    burns: int | None = None
    ruling_key: str = ""
    has_named_low: bool = False


def failure(scene: ScriptScene, wanted: Expectation) -> str:
    """Why ``wanted`` is not true now; '' when it is."""
    return _CHECKS[wanted.what](scene, wanted)


def choices_of(turn: play.ActionOn) -> dict[str, Any]:
    """The choices in an ``ActionOn`` as ``? can`` writes them."""
    choices: dict[str, Any] = {}
    if turn.can_fold:
        choices["fold"] = None
    if turn.can_check:
        choices["check"] = None
    if turn.call:
        choices["call"] = turn.call
    if turn.bring_in:
        choices["bring-in"] = turn.bring_in
    if turn.sizes:
        is_range = turn.is_range and turn.sizes[0] < turn.sizes[-1]
        choices[turn.verb] = range(turn.sizes[0], turn.sizes[-1] + 1) if is_range else frozenset(turn.sizes)
    if turn.can_declare_all_in:
        choices["declare-all-in"] = None
    return choices


def _write(choices: dict[str, Any]) -> str:
    words = []
    for name, amount in choices.items():
        if amount is None:
            words.append(name)
        elif isinstance(amount, range):
            words.append(f"{name}:{amount[0]}..{amount[-1]}")
        elif isinstance(amount, frozenset):
            words.append(f"{name}:{'|'.join(str(size) for size in sorted(amount))}")
        else:
            words.append(f"{name}:{amount}")
    return " ".join(words)


def _turn(scene: ScriptScene, wanted: Expectation) -> str:
    acts = scene.hand.to_act
    if acts == (wanted.seat or 0):
        return ""
    return f"it is the turn of seat {acts}" if acts else "it is nobody's turn"


def _can(scene: ScriptScene, wanted: Expectation) -> str:
    hand = scene.hand
    turn = hand.options(wanted.seat or 0)
    player = hand.seats.get(wanted.seat or 0)
    if turn is None and player is not None and may_declare(hand, player) and wanted.value == {"declare-all-in": None}:
        return ""  # the one thing that can be done before one's turn
    if turn is None:
        return _turn(scene, wanted) or f"seat {wanted.seat} has nothing to choose"
    choices = choices_of(turn)
    return "" if choices == _named_alike(turn, wanted.value) else f"seat {wanted.seat} can {_write(choices)}"


def _named_alike(turn: play.ActionOn, wanted: dict[str, Any]) -> dict[str, Any]:
    """Without fixed limit the format has no word of its own for a forced bettor who opens for more: bet, completion and
    raise are the same there."""
    if not turn.bring_in or turn.verb != "bet":
        return wanted
    return {turn.verb if name in ("bet", "raise-to", "complete-to") else name: what for name, what in wanted.items()}


def _difference(actual: Any, wanted: Any, what: str) -> str:
    return "" if actual == wanted else f"{what} {actual}"


def _pot(scene: ScriptScene, wanted: Expectation) -> str:
    return _difference(scene.hand.pot, wanted.value, "the pot is")


def _burns(scene: ScriptScene, wanted: Expectation) -> str:
    return _difference(len(scene.hand.burns), wanted.value, "the cards burned are")


def _stub(scene: ScriptScene, wanted: Expectation) -> str:
    return _difference(len(scene.hand.stub), wanted.value, "the cards in the stub are")


def _common(scene: ScriptScene, wanted: Expectation) -> str:
    common = scene.hand.common
    if not common:
        return "there is no common card"
    return "" if wanted.value in common else f"the common card is {' and '.join(map(str, common))}"


def _stack(scene: ScriptScene, wanted: Expectation) -> str:
    player = scene.hand.seats.get(wanted.seat or 0)
    return _difference(player.stack if player else 0, wanted.value, f"the stack of seat {wanted.seat} is")


def _wins(scene: ScriptScene, wanted: Expectation) -> str:
    player = scene.hand.seats.get(wanted.seat or 0)
    return _difference(player.won if player else 0, wanted.value, f"seat {wanted.seat} has collected")


def _cards(scene: ScriptScene, wanted: Expectation) -> str:
    player = scene.hand.seats.get(wanted.seat or 0)
    return _difference(len(player.cards) if player else 0, wanted.value, f"the cards of seat {wanted.seat} are")


def _down(scene: ScriptScene, wanted: Expectation) -> str:
    player = scene.hand.seats.get(wanted.seat or 0)
    return _difference(len(player.downcards) if player else 0, wanted.value, f"the downcards of seat {wanted.seat} are")


def _upcards(scene: ScriptScene, wanted: Expectation) -> str:
    player = scene.hand.seats.get(wanted.seat or 0)
    upcards = player.upcards if player else ()
    if upcards == wanted.value:
        return ""
    return f"seat {wanted.seat} shows {''.join(str(card) for card in upcards) or 'no card'}"


def _live(scene: ScriptScene, wanted: Expectation) -> str:
    player = scene.hand.seats.get(wanted.seat or 0)
    return "" if player and player.is_live else f"the hand of seat {wanted.seat} is dead"


def _dead(scene: ScriptScene, wanted: Expectation) -> str:
    return "" if _live(scene, wanted) else f"the hand of seat {wanted.seat} is live"


def _receives(scene: ScriptScene, wanted: Expectation) -> str:
    player = scene.hand.seats.get(wanted.seat or 0)
    is_dealt_to = player is not None and (player.is_live or player.is_still_dealt_to)
    return "" if is_dealt_to else f"seat {wanted.seat} gets no more cards"


def _not_receives(scene: ScriptScene, wanted: Expectation) -> str:
    return "" if _receives(scene, wanted) else f"seat {wanted.seat} is still dealt to"


def _shows_first(scene: ScriptScene, wanted: Expectation) -> str:
    shown = [fact.seat for fact in scene.hand.facts if isinstance(fact, play.HandShown)]
    if not shown:
        return "no hand has been shown"
    return _difference(shown[0], wanted.seat, "the first hand shown was that of seat")


def _ruling(scene: ScriptScene, wanted: Expectation) -> str:
    key, verdict = wanted.value
    scene.ruling_key = key
    rulings = scene.hand.rulings(key)
    if not rulings:
        return f"there is no ruling on {key}"
    # What one line brought about is equally new: some of the last cards kept, say, and the others corrected.
    new_rulings = [
        fact for fact in scene.hand.facts[scene.facts_before_line :] if isinstance(fact, play.Ruled) and fact.key == key
    ]
    if any(ruling.verdict == verdict for ruling in new_rulings):
        return ""
    return _difference(rulings[-1].verdict, verdict, f"the newest ruling on {key} is")


def _no_ruling(scene: ScriptScene, wanted: Expectation) -> str:
    rulings = scene.hand.rulings(wanted.value)
    return f"there is a ruling on {wanted.value}: {rulings[-1].verdict}" if rulings else ""


def _cites(scene: ScriptScene, wanted: Expectation) -> str:
    rulings = scene.hand.rulings(scene.ruling_key)
    if not rulings:
        return f"there is no ruling on {scene.ruling_key}"
    cite = rulings[-1].rule
    if _is_cited(str(wanted.value), cite) or wanted.value in _ways_to_say_silent(scene):
        return ""
    return _difference(cite, wanted.value, f"the ruling on {scene.ruling_key} cites")


def _is_cited(wanted: str, cite: str) -> bool:
    """``wanted`` is the rule, one of a range of them (17.2 of 17.1-17.3, or 17 for all), or a heading cut short."""
    first, dash, last = cite.partition("-")
    if dash and re.fullmatch(r"[0-9.]+", first) and re.fullmatch(r"[0-9.]+", wanted):
        return wanted in (first.partition(".")[0], first, last) or _numbers(first) <= _numbers(wanted) <= _numbers(last)
    is_heading = not re.match(r"[0-9]", cite)
    return wanted == cite or (is_heading and (cite.startswith(wanted) or wanted.startswith(cite)))


def _numbers(rule: str) -> tuple[int, ...]:
    return tuple(int(number) for number in rule.split("."))


def _ways_to_say_silent(scene: ScriptScene) -> set[str]:
    """A silent point is cited as what it is, with or without the rule that is played instead."""
    point = scene.hand.book.points[scene.ruling_key]
    return {"silent", point.follows, f"silent; played as {point.follows}"} if point.is_silent else set()


#: Where the low board opens, it is what the high hand is elsewhere.
_HEARD_AS = {"low-hand": "high-hand"}


def _announces(scene: ScriptScene, wanted: Expectation) -> str:
    announced = [fact for fact in scene.hand.facts[scene.facts_before_action :] if isinstance(fact, play.Announced)]
    if scene.has_named_low:  # the lowcard that the dealer named, not the one that the engine would have named
        low = [fact for fact in announced if fact.what == "lowcard"][-1:]
        announced = [fact for fact in announced if fact.what != "lowcard"] + low
    if any(_HEARD_AS.get(fact.what, fact.what) == wanted.value and fact.seat == wanted.seat for fact in announced):
        return ""
    heard = ", ".join(f"{fact.what} {fact.seat}" for fact in announced)
    return f"the dealer announced {heard}" if heard else "the dealer announced nothing"


def _silent(scene: ScriptScene, wanted: Expectation) -> str:
    return "" if _announces(scene, wanted) else f"the dealer announced {wanted.value} {wanted.seat}"


def _misdeal(scene: ScriptScene, wanted: Expectation) -> str:
    hand = scene.hand
    if not isinstance(hand.facts[-1], HandVoided):
        return "no misdeal was called, and the hand is not void"
    are_back = all(hand.seats[seat].stack == chips for seat, chips in hand.started.stacks)
    return "" if hand.is_over and are_back else "the chips are not back"


def _over(scene: ScriptScene, wanted: Expectation) -> str:
    return "" if scene.hand.is_over else f"the hand is not over: it waits for {scene.hand.awaits}"


_CHECKS: dict[str, Callable[[ScriptScene, Expectation], str]] = {
    "turn": _turn,
    "can": _can,
    "pot": _pot,
    "burns": _burns,
    "stub": _stub,
    "common": _common,
    "stack": _stack,
    "wins": _wins,
    "cards": _cards,
    "down": _down,
    "upcards": _upcards,
    "live": _live,
    "dead": _dead,
    "receives": _receives,
    "not-receives": _not_receives,
    "shows-first": _shows_first,
    "ruling": _ruling,
    "no-ruling": _no_ruling,
    "cites": _cites,
    "announces": _announces,
    "silent": _silent,
    "misdeal": _misdeal,
    "over": _over,
}
