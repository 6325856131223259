"""Reads PHH text into ``Recording``s.

Reading checks fields, makes amounts whole units and splits actions into their words; it knows no rules. Players are
numbered from 1 in the order in which they receive cards. In a replay the engine checks every action against the rules;
one that they do not allow is a ``PhhError`` that names the action and the rule. The players are the seats 1 to n, the
last of them dealing.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from math import gcd
from typing import Any

from games.engine.cards import parse_cards
from games.engine.drop import DropTerms

#: What each code of the format stands for.
VARIANTS = {
    "F7S": "fixed-limit seven-card stud",
    "F7S/8": "fixed-limit seven-card stud eight-or-better",
    "FR": "fixed-limit razz",
    "FT": "fixed-limit Texas hold'em",
    "NT": "no-limit Texas hold'em",
    "NS": "no-limit short-deck hold'em",
    "PO": "pot-limit Omaha",
    "FO/8": "fixed-limit Omaha eight-or-better",
    "N2L1D": "no-limit deuce-to-seven single draw",
    "F2L3D": "fixed-limit deuce-to-seven triple draw",
    "FB": "fixed-limit badugi",
}


#: The engine's name of those that it plays.
GAMES = {"F7S": "seven-card-stud", "F7S/8": "stud-eight", "FR": "razz"}


#: Currencies have cents: amounts written with a point are kept to at least so many places.
_PLACES = 2


_TOO_MUCH = 10**15


_TOO_FINE = 40


_AMOUNT = re.compile(r"[0-9][0-9,]*(\.[0-9]+)?")


class PhhError(ValueError):
    """A recording that cannot be read or played. ``action``: the number of the action at fault, from 1 (0: none)."""

    def __init__(self, reason: str, action: int = 0, text: str = "") -> None:
        super().__init__(f"action {action} {text!r}: {reason}" if action else reason)
        self.action = action


@dataclass(frozen=True, slots=True)
class RecordedAction:
    """One action. ``what``: dh, db, pb, cbr, cc, f or sm. ``player``: from 1 (0: the dealer's board card).

    ``to``: the total of a ``cbr`` in units. ``cards``: as written, ``??`` for unknown ones. ``is_as_dealt``: ``sm -``.
    """

    number: int
    text: str
    what: str
    player: int
    to: int = 0
    cards: tuple[str, ...] = ()
    is_as_dealt: bool = False

    def error(self, reason: str) -> PhhError:
        """The error of this action."""
        return PhhError(reason, self.number, self.text)


@dataclass(frozen=True, slots=True)
class Recording:
    """One hand as recorded. Amounts are ints in units, ``scale`` of them to one of the file's; None is unknown.

    ``is_ante_trimmed``: what a short ante does not cover goes into side pots; else all antes are the main pot's.
    ``unit``: the smallest chip that pots are split in, by a field of our own, else the greatest that all amounts of the
    file are whole numbers of. ``rulebook``, ``setting``, ``players_left``, ``absent`` (players) and ``drop`` are fields
    of our own, empty elsewhere.
    """

    game: str
    antes: tuple[int, ...]
    is_ante_trimmed: bool
    bring_in: int
    small_bet: int
    big_bet: int
    starting_stacks: tuple[int | None, ...]
    finishing_stacks: tuple[int | None, ...] | None
    actions: tuple[RecordedAction, ...]
    scale: int
    unit: int
    rulebook: str = ""
    setting: str = ""
    players_left: int = 0
    absent: tuple[int, ...] = ()
    drop: DropTerms | None = None

    def written(self, units: int | None) -> int | float | None:
        """``units`` in the amounts of the file, ready for JSON."""
        if units is None:
            return None
        whole, rest = divmod(units, self.scale)
        return float(Decimal(units) / self.scale) if rest else whole


def loads(text: str) -> dict[str, Recording | PhhError]:
    """The hands in ``text``: one under the name '', or those of a collection under theirs.

    A hand of a collection that cannot be read is given as its error. Raises ``PhhError`` when the text is no TOML, or a
    single hand cannot be read.
    """
    try:
        data = tomllib.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError) as error:  # A number with too many digits is a plain ValueError.
        raise PhhError(f"it is not TOML: {error}") from None
    if "variant" in data or not data or not all(isinstance(value, dict) for value in data.values()):
        return {"": _recording(data)}
    hands: dict[str, Recording | PhhError] = {}
    for name, table in data.items():
        try:
            hands[name] = _recording(table)
        except PhhError as error:
            hands[name] = error
    return hands


def _recording(data: Mapping[str, Any]) -> Recording:
    game = _game(data)
    for field in ("antes", "bring_in", "small_bet", "big_bet", "starting_stacks", "actions"):
        if field not in data:
            raise PhhError(f"the field {field} is missing")
    stacks = _amounts(data, "starting_stacks", may_be_unknown=True)
    if any(stack is not None and stack <= 0 for stack in stacks):
        raise PhhError("starting_stacks: every stack must be above 0")
    antes = _amounts(data, "antes")
    has_result = "finishing_stacks" in data
    finishing = _amounts(data, "finishing_stacks", may_be_unknown=True) if has_result else None
    for field, values in (("antes", antes), ("finishing_stacks", finishing)):
        if values is not None and len(values) != len(stacks):
            raise PhhError(f"{field} has {len(values)} amounts for {len(stacks)} players")
    bets = {field: _amount(field, data[field]) for field in ("bring_in", "small_bet", "big_bet")}
    texts = data["actions"]
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise PhhError("actions is not a list of texts")
    split = [(number, text, text.split("#", 1)[0].split()) for number, text in enumerate(texts, start=1)]
    raises = [_amount(f"action {n}", Decimal(words[2].replace(",", ""))) for n, _, words in split if _is_wager(words)]
    amounts = [*stacks, *antes, *(finishing or ()), *bets.values(), *raises]
    scale = _scale(amounts)
    unit = _whole("_unit", data.get("_unit", 0)) * scale or gcd(*(_units(amount, scale) or 0 for amount in amounts))
    return Recording(
        game=game,
        antes=tuple(_units(ante, scale) or 0 for ante in antes),
        is_ante_trimmed=_is_ante_trimmed(data),
        starting_stacks=tuple(_units(stack, scale) for stack in stacks),
        finishing_stacks=tuple(_units(stack, scale) for stack in finishing) if finishing is not None else None,
        actions=tuple(_action(number, text, words, len(stacks), scale) for number, text, words in split if words),
        scale=scale,
        unit=unit,
        rulebook=_text(data, "_rulebook"),
        setting=_text(data, "_setting"),
        players_left=_whole("_players_left", data.get("_players_left", 0)),
        absent=_absent(data, len(stacks)),
        drop=_drop(data, scale),
        **{field: _units(amount, scale) or 0 for field, amount in bets.items()},
    )


def _game(data: Mapping[str, Any]) -> str:
    variant = data.get("variant")
    if variant is None:
        raise PhhError("the field variant is missing")
    if variant not in GAMES:
        title = f" ({VARIANTS[variant]})" if variant in VARIANTS else ""
        raise PhhError(f"variant {variant!r}{title} is not played here; {', '.join(GAMES)} are")
    return GAMES[variant]


def _is_ante_trimmed(data: Mapping[str, Any]) -> bool:
    value = data.get("ante_trimming_status", False)
    if not isinstance(value, bool):
        raise PhhError("ante_trimming_status is neither true nor false")
    return value


def _text(data: Mapping[str, Any], field: str) -> str:
    value = data.get(field, "")
    if not isinstance(value, str):
        raise PhhError(f"{field} is not a text")
    return value


def _whole(field: str, value: Any) -> int:
    if type(value) is not int or value < 0:
        raise PhhError(f"{field}: {value!r} is not a whole number")
    return value


def _absent(data: Mapping[str, Any], players: int) -> tuple[int, ...]:
    value = data.get("_absent", [])
    if not isinstance(value, list) or not all(type(player) is int and 1 <= player <= players for player in value):
        raise PhhError(f"_absent is not a list of players, 1 to {players}")
    return tuple(value)


def _drop(data: Mapping[str, Any], scale: int) -> DropTerms | None:
    """The terms of the drop as we write them, in units."""
    value = data.get("_drop")
    if value is None:
        return None
    try:
        caps = tuple([(_whole("_drop", players), _whole("_drop", chips)) for players, chips in value.get("caps", [])])
        return DropTerms(**{**value, "caps": caps}).scaled(scale)
    except (AttributeError, TypeError, ValueError):
        raise PhhError("_drop: these are no terms of a drop") from None


def _amount(field: str, value: Any) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise PhhError(f"{field}: {value!r} is not an amount")
    amount = Decimal(value)
    if not amount.is_finite() or amount < 0:
        raise PhhError(f"{field}: {value} is not an amount")
    if amount >= _TOO_MUCH or -int(amount.as_tuple().exponent) > _TOO_FINE:
        raise PhhError(f"{field}: an amount is below {_TOO_MUCH} and has {_TOO_FINE} decimal places at most")
    return amount


def _amounts(data: Mapping[str, Any], field: str, *, may_be_unknown: bool = False) -> list[Decimal | None]:
    values = data[field]
    if not isinstance(values, list) or not values:
        raise PhhError(f"{field} is not a list of amounts, one for each player")
    return [
        None if may_be_unknown and isinstance(value, Decimal) and value.is_infinite() else _amount(field, value)
        for value in values
    ]


def _scale(amounts: Iterable[Decimal | None]) -> int:
    """How many units one of the file's makes, so that every amount is a whole number of them."""
    places = 0
    for amount in amounts:
        exponent = amount.as_tuple().exponent if amount is not None else 0
        if isinstance(exponent, int) and exponent < 0:
            places = max(places, _PLACES, -exponent)
    return int(10**places)


def _units(amount: Decimal | None, scale: int) -> int | None:
    return None if amount is None else int(amount * scale)


def _is_wager(words: list[str]) -> bool:
    return len(words) == 3 and words[1] == "cbr" and _AMOUNT.fullmatch(words[2]) is not None


def _action(number: int, text: str, words: list[str], players: int, scale: int) -> RecordedAction:
    try:
        return _read_action(number, text, words, players, scale)
    except ValueError as error:
        raise PhhError(str(error), number, text) from None


def _read_action(number: int, text: str, words: list[str], players: int, scale: int) -> RecordedAction:
    match words:
        case ["d", "db", cards]:
            return RecordedAction(number, text, "db", 0, cards=parse_cards(cards, unknown_allowed=True))
        case ["d", "dh", label, cards]:
            return RecordedAction(
                number, text, "dh", _player(label, players), cards=parse_cards(cards, unknown_allowed=True)
            )
        case [label, "cbr", amount] if _AMOUNT.fullmatch(amount):
            to = _units(Decimal(amount.replace(",", "")), scale) or 0
            return RecordedAction(number, text, "cbr", _player(label, players), to)
        case [label, "cbr", amount]:
            raise ValueError(f"{amount!r} is not an amount")
        case [label, ("pb" | "cc" | "f" | "sm") as what]:
            return RecordedAction(number, text, what, _player(label, players))
        case [label, "sm", "-"]:
            return RecordedAction(number, text, "sm", _player(label, players), is_as_dealt=True)
        case [label, "sm", cards]:
            return RecordedAction(
                number, text, "sm", _player(label, players), cards=parse_cards(cards, unknown_allowed=True)
            )
    raise ValueError("it is not an action of this game: write d dh, d db, pb, cbr, cc, f or sm as the format says")


def _player(label: str, players: int) -> int:
    if not re.fullmatch(r"p[0-9]+", label):
        raise ValueError(f"{label!r} is not a player: write p and a number")
    if not 1 <= int(label[1:]) <= players:
        raise ValueError(f"there is no player {label}: the hand has p1 to p{players}")
    return int(label[1:])


DEFAULT_BOOK = "roberts-v4"


STREET_NAMES = {3: "third", 4: "fourth", 5: "fifth", 6: "sixth", 7: "seventh"}
