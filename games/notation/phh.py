"""PHH: the text is read into ``Recording``s, and a recording is replayed through the engine.

Reading checks fields, makes amounts whole units and splits actions into their words; it knows no rules. Players are
numbered from 1 in the order in which they receive cards. In a replay the engine checks every action against the rules;
one that they do not allow is a ``PhhError`` that names the action and the rule. The players are the seats 1 to n, the
last of them dealing.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from math import gcd
from types import MappingProxyType
from typing import Any

from games.engine import commands as c
from games.engine.cards import UNKNOWN, parse_cards
from games.engine.drop import DropTerms
from games.engine.errors import IllegalAction
from games.engine.facts.play import ActionOn
from games.engine.hand import Hand
from games.engine.rulebook import Rulebook
from games.engine.rules.choices import able_to_bet
from games.engine.rules.stub import receivers
from games.engine.seat import SeatState
from games.engine.stakes import HandConfig, Stakes
from games.rulebooks import RulebookError
from games.rulebooks.queries import load

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
class Action:
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
    actions: tuple[Action, ...]
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


# -- fields ----------------------------------------------------------------------------------------------------------


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


# -- actions ---------------------------------------------------------------------------------------------------------


def _is_wager(words: list[str]) -> bool:
    return len(words) == 3 and words[1] == "cbr" and _AMOUNT.fullmatch(words[2]) is not None


def _action(number: int, text: str, words: list[str], players: int, scale: int) -> Action:
    try:
        return _read_action(number, text, words, players, scale)
    except ValueError as error:
        raise PhhError(str(error), number, text) from None


def _read_action(number: int, text: str, words: list[str], players: int, scale: int) -> Action:
    match words:
        case ["d", "db", cards]:
            return Action(number, text, "db", 0, cards=parse_cards(cards, unknown_allowed=True))
        case ["d", "dh", label, cards]:
            return Action(number, text, "dh", _player(label, players), cards=parse_cards(cards, unknown_allowed=True))
        case [label, "cbr", amount] if _AMOUNT.fullmatch(amount):
            to = _units(Decimal(amount.replace(",", "")), scale) or 0
            return Action(number, text, "cbr", _player(label, players), to)
        case [label, "cbr", amount]:
            raise ValueError(f"{amount!r} is not an amount")
        case [label, ("pb" | "cc" | "f" | "sm") as what]:
            return Action(number, text, what, _player(label, players))
        case [label, "sm", "-"]:
            return Action(number, text, "sm", _player(label, players), is_as_dealt=True)
        case [label, "sm", cards]:
            return Action(number, text, "sm", _player(label, players), cards=parse_cards(cards, unknown_allowed=True))
    raise ValueError("it is not an action of this game: write d dh, d db, pb, cbr, cc, f or sm as the format says")


def _player(label: str, players: int) -> int:
    if not re.fullmatch(r"p[0-9]+", label):
        raise ValueError(f"{label!r} is not a player: write p and a number")
    if not 1 <= int(label[1:]) <= players:
        raise ValueError(f"there is no player {label}: the hand has p1 to p{players}")
    return int(label[1:])


# Replay


_DEFAULT_BOOK = "roberts-v4"
_STREET_NAMES = {3: "third", 4: "fourth", 5: "fifth", 6: "sixth", 7: "seventh"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a recording. ``finishing_stacks``: in units, None for a player whose stack is not known; None as a
    whole while the recorded part does not reach the end. ``matches``: None where the file says no result. ``notes``:
    what was read otherwise than it is written."""

    hand: Hand
    finishing_stacks: tuple[int | None, ...] | None
    matches: bool | None
    notes: tuple[str, ...] = ()


def replay(recording: Recording) -> Outcome:
    """Play ``recording`` to its end. Raises ``PhhError``."""
    hand = _start(recording)
    player = _Replay(hand, recording)
    for place, action in enumerate(recording.actions):
        player.take(action, recording.actions[place + 1 :])
    player.finish()
    wanted = recording.finishing_stacks
    if not hand.is_over:
        if wanted is not None:
            raise PhhError(f"the actions stop before the hand is over: {player.waiting()}")
        return Outcome(hand, None, None, tuple(player.notes))
    known = zip(hand.seats.values(), recording.starting_stacks, strict=True)
    stacks = tuple(seat.stack if stack is not None else None for seat, stack in known)
    return Outcome(hand, stacks, None if wanted is None else stacks == wanted, tuple(player.notes))


def _start(recording: Recording) -> Hand:
    count = len(recording.starting_stacks)
    try:
        book = load(recording.rulebook) if recording.rulebook else _as_recorded(load(_DEFAULT_BOOK))
        return Hand.start(
            HandConfig(
                rulebook=book,
                setting=recording.setting or "cash",
                game=recording.game,
                stakes=Stakes(
                    max(recording.antes),
                    recording.bring_in,
                    recording.small_bet,
                    recording.big_bet,
                    unit=recording.unit,
                ),
                stacks={seat: _stack(recording, seat) for seat in range(1, count + 1)},
                dealer=count,
                absent=recording.absent,
                drop=recording.drop,
                players_left=recording.players_left,
                # The format gives the antes of two players the other way round.
                antes=dict(enumerate(recording.antes[:: -1 if count == 2 else 1], start=1)),
                are_antes_apart=not recording.is_ante_trimmed,
                is_hand_dealt=True,
                holds_out_of_turn=False,
                is_hand_shown=True,
            )
        )
    except RulebookError as error:
        raise PhhError(str(error)) from None
    except IllegalAction as error:
        raise PhhError(_told(error)) from None


def _as_recorded(book: Rulebook) -> Rulebook:
    """``book`` for hands recorded elsewhere: the format records no card for a hand that was folded."""
    key = "fold_keeps_receiving"
    points = {**book.points, key: replace(book.points[key], value="never")}
    return Rulebook(book.slug, book.version, book.title, MappingProxyType(points))


def _stack(recording: Recording, seat: int) -> int:
    """The chips of a player; one whose stack nobody knew has more than the hand can cost."""
    stack = recording.starting_stacks[seat - 1]
    known = [chips for chips in recording.starting_stacks if chips is not None]
    return stack if stack is not None else 1000 * (sum(known) + recording.big_bet)


def _told(error: IllegalAction) -> str:
    return f"{error.message} ({error.rule})" if error.rule else error.message


class _Replay:
    """A hand on its way: the street being dealt, and who has shown or mucked before it was due."""

    def __init__(self, hand: Hand, recording: Recording) -> None:
        self.hand = hand
        self.recording = recording
        self.dealt: dict[int, list[str]] = {}
        self.seen: dict[str, Action] = {}
        self.turned_up: dict[int, Action] = {}
        self.faces: dict[int, list[str]] = {}
        self.notes: list[str] = []

    def take(self, action: Action, following: tuple[Action, ...]) -> None:
        """Do what ``action`` says; ``following`` tells who opens where the cards do not."""
        self._check_cards(action)
        try:
            if action.what == "dh":
                self._deal(action)
            elif action.what == "db":
                self._turn_common(action)
            elif action.what == "sm":
                self._check_dealt(action)
                self._show(action)
            elif not self._is_idle_check(action) and not self._is_done_for_absent(action):
                self._check_dealt(action)
                self.hand.play(self._command(action))
            self._name_opener(following)
            self._settle_shown()
        except IllegalAction as error:
            raise action.error(_told(error)) from None

    def finish(self) -> None:
        """After the last action: hands nobody bothered to record as shown are shown."""
        hand = self.hand
        while hand.awaits == "show":
            seat = hand.to_act
            cards = self._cards_of(seat)
            if UNKNOWN in cards:
                raise PhhError(f"at the showdown the cards of p{seat} are not known, and no action shows them")
            hand.play(c.Show(seat, cards))

    def waiting(self) -> str:
        """What the hand waits for."""
        hand = self.hand
        if hand.awaits == "deal":
            street = hand.next_street()
            return f"{street.name if street else 'no'} street is to be dealt"
        where = f"on {_STREET_NAMES[hand.street]} street"
        if hand.awaits == "opener":
            return f"{where} nothing tells who opens"
        return f"{where} it is the turn of p{hand.to_act}"

    # -- the dealer --------------------------------------------------------------------------------------------------

    def _check_cards(self, action: Action) -> None:
        if action.what == "sm":
            return
        for card in action.cards:
            if card in self.seen:
                before = self.seen[card]
                raise action.error(f"the {card} is already out: action {before.number} {before.text!r} dealt it")
            if card != UNKNOWN:
                self.seen[card] = action

    def _deal(self, action: Action) -> None:
        hand, street = self.hand, self.hand.next_street()
        if hand.awaits != "deal" or street is None:
            raise action.error(f"no card can be dealt now: {self._why_not_dealt()}")
        if not hand.seats[action.player].is_live:
            raise action.error(f"p{action.player} is out of the hand and gets no card")
        cards = self.dealt.setdefault(action.player, [])
        cards.extend(action.cards)
        wanted = len(street.ups)
        if len(cards) > wanted:
            raise action.error(f"p{action.player} gets {wanted} on {street.name} street, and this makes {len(cards)}")
        if all(len(self.dealt.get(seat.seat, ())) == wanted for seat in hand.players if seat.is_live):
            dealt, self.dealt = self.dealt, {}
            for seat in receivers(hand):
                dealt.setdefault(seat, [UNKNOWN] * wanted)
            hand.play(
                c.Deal(street.number, tuple(c.Given(seat, card) for seat, cards in dealt.items() for card in cards))
            )

    def _why_not_dealt(self) -> str:
        return "the hand is over" if self.hand.is_over else self.waiting()

    def _turn_common(self, action: Action) -> None:
        street = self.hand.next_street()
        if len(action.cards) != 1:
            raise action.error("one common card is turned up, no more")
        if street is None or self.hand.awaits != "deal":
            raise action.error(f"no card can be dealt now: {self._why_not_dealt()}")
        self.hand.play(c.Deal(street.number, common=action.cards[0]))

    def _check_dealt(self, action: Action) -> None:
        """Somebody acts, so the street must be out."""
        hand, street = self.hand, self.hand.next_street()
        if hand.awaits != "deal" or street is None or (action.what == "sm" and not self.dealt):
            return
        missing = [seat.seat for seat in hand.players if len(self.dealt.get(seat.seat, ())) < len(street.ups)]
        live = [f"p{seat}" for seat in missing if hand.seats[seat].is_live]
        raise action.error(f"{street.name} street has not been dealt to {', '.join(live)}")

    def _name_opener(self, following: tuple[Action, ...]) -> None:
        if self.hand.awaits != "opener":
            return
        acts = [action.player for action in following if action.what in ("pb", "cbr", "cc", "f")]
        if acts:
            self.hand.play(c.NameOpener(acts[0]))

    # -- the players -------------------------------------------------------------------------------------------------

    def _is_idle_check(self, action: Action) -> bool:
        """A check by the only player with chips left: some recorders write it, and there is nothing to it."""
        hand, seat = self.hand, self.hand.seats[action.player]
        is_between = hand.awaits in ("deal", "show") and bool(hand.street) and not self.dealt
        return action.what == "cc" and is_between and seat.is_live and seat.stack > 0 and able_to_bet(hand) == 1

    def _is_done_for_absent(self, action: Action) -> bool:
        """The forced bet or the end of an absent player's hand, which the rules have brought about already."""
        is_absent = action.player in self.recording.absent
        return is_absent and action.what in ("pb", "f") and self.hand.to_act != action.player

    def _command(self, action: Action) -> c.Command:
        seat, turn = action.player, self.hand.options(action.player)
        # Some recorders write an all-in that covers no more than the forced bet as a completion.
        is_all_of_it = turn is not None and action.to == turn.bring_in == self.hand.seats[seat].stack
        if action.what == "pb" or (action.what == "cbr" and is_all_of_it):
            return c.BringIn(seat)
        if action.what == "cbr":
            return c.Wager(seat, self._total(action, turn))
        if action.what == "f":
            return c.Fold(seat)
        return c.Check(seat) if turn is not None and turn.can_check else c.Call(seat)

    def _total(self, action: Action, turn: ActionOn | None) -> int:
        """The seat's total after a bet or raise. PokerKit writes no more of one than somebody can call; what is legal
        is played then, and what nobody called comes back."""
        if turn is None or not turn.sizes or not self.hand.level < action.to < turn.sizes[0]:
            return action.to
        others = [seat for seat in self.hand.players if seat.is_live and seat.seat != action.player]
        if action.to != max(seat.bet + seat.stack for seat in others):
            return action.to
        written, legal = (self.recording.written(chips) for chips in (action.to, turn.sizes[0]))
        self.notes.append(
            f"action {action.number} {action.text!r}: nobody can call more than {written}; "
            f"the legal size is {legal}, and is played"
        )
        return turn.sizes[0]

    def _show(self, action: Action) -> None:
        """Note it, to be done when the seat's time to show has come; after the end it changes nothing."""
        seat = self.hand.seats[action.player]
        if action.cards:
            self._fill_in(action, seat)
        if self.hand.is_over:
            return
        if not seat.is_live:
            raise action.error(f"p{action.player} is out of the hand")
        if action.player in self.turned_up:
            raise action.error(f"p{action.player} has shown or mucked already")
        if self.hand.awaits == "action":
            raise action.error(f"there is no showdown yet: {self.waiting()}")
        self.turned_up[action.player] = action

    def _fill_in(self, action: Action, seat: SeatState) -> None:
        """Give faces to the cards that nobody knew; the others must be those dealt."""
        shown = list(action.cards)
        if len(shown) != len(seat.cards):
            raise action.error(f"p{seat.seat} has {len(seat.cards)} cards and shows {len(shown)}")
        for card in seat.cards:
            if card != UNKNOWN:
                if card not in shown:
                    raise action.error(f"p{seat.seat} shows other cards than it was dealt: the {card} is missing")
                shown.remove(card)
        for card in shown:
            if card in self.seen:
                raise action.error(f"the {card} is already out: action {self.seen[card].number} dealt it")
            if card != UNKNOWN:
                self.seen[card] = action
        self.faces[seat.seat] = shown

    def _cards_of(self, seat: int) -> tuple[str, ...]:
        """The seat's cards with the faces they were shown to have."""
        faces = iter(self.faces.get(seat, ()))
        cards = [card or UNKNOWN for card in self.hand.seats[seat].cards]
        return tuple(next(faces, UNKNOWN) if card == UNKNOWN else card for card in cards)

    def _settle_shown(self) -> None:
        """Show and muck what the players have, once it is the time for it."""
        hand = self.hand
        for player in list(self.turned_up):
            if hand.awaits != "show":
                return
            action = self.turned_up.pop(player)
            is_muck = not action.cards and not action.is_as_dealt
            hand.play(c.Muck(player) if is_muck else c.Show(player, self._cards_of(player)))
