"""A recorded hand played again by the engine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType

from games.engine import commands as c
from games.engine.cards import UNKNOWN
from games.engine.errors import IllegalAction
from games.engine.facts.play import ActionOn
from games.engine.hand import Hand
from games.engine.rulebook import Rulebook
from games.engine.rules.choices import able_to_bet
from games.engine.rules.stub import receivers
from games.engine.seat import SeatState
from games.engine.stakes import HandConfig, Stakes
from games.notation.phh import DEFAULT_BOOK, STREET_NAMES, PhhError, RecordedAction, Recording
from games.rulebooks import RulebookError
from games.rulebooks.queries import load


@dataclass(frozen=True, slots=True)
class ReplayOutcome:
    """What came of a recording. ``finishing_stacks``: in units, None for a player whose stack is not known; None as a
    whole while the recorded part does not reach the end. ``matches``: None where the file says no result. ``notes``:
    what was read otherwise than it is written."""

    hand: Hand
    finishing_stacks: tuple[int | None, ...] | None
    matches: bool | None
    notes: tuple[str, ...] = ()


def replay(recording: Recording) -> ReplayOutcome:
    """Play ``recording`` to its end. Raises ``PhhError``."""
    hand = _start(recording)
    player = _Replay(hand, recording)
    for place, action in enumerate(recording.actions):
        player.play(action, recording.actions[place + 1 :])
    player.finish()
    wanted = recording.finishing_stacks
    if not hand.is_over:
        if wanted is not None:
            raise PhhError(f"the actions stop before the hand is over: {player.waiting()}")
        return ReplayOutcome(hand, None, None, tuple(player.notes))
    known = zip(hand.seats.values(), recording.starting_stacks, strict=True)
    stacks = tuple(seat.stack if stack is not None else None for seat, stack in known)
    return ReplayOutcome(hand, stacks, None if wanted is None else stacks == wanted, tuple(player.notes))


def _start(recording: Recording) -> Hand:
    count = len(recording.starting_stacks)
    try:
        book = load(recording.rulebook) if recording.rulebook else _as_recorded(load(DEFAULT_BOOK))
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
        raise PhhError(_with_rule(error)) from None


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


def _with_rule(error: IllegalAction) -> str:
    return f"{error.message} ({error.rule})" if error.rule else error.message


class _Replay:
    """A recording that is being replayed: the street being dealt, and players who showed or mucked before it was
    due."""

    def __init__(self, hand: Hand, recording: Recording) -> None:
        self.hand = hand
        self.recording = recording
        self.dealt: dict[int, list[str]] = {}
        self.seen: dict[str, RecordedAction] = {}
        self.turned_up: dict[int, RecordedAction] = {}
        self.faces: dict[int, list[str]] = {}
        self.notes: list[str] = []

    def play(self, action: RecordedAction, following: tuple[RecordedAction, ...]) -> None:
        """Play ``action``; ``following`` names the opener where the cards do not show it."""
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
            raise action.error(_with_rule(error)) from None

    def finish(self) -> None:
        """After the last action: show the hands whose showing was not recorded."""
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
        where = f"on {STREET_NAMES[hand.street]} street"
        if hand.awaits == "opener":
            return f"{where} nothing tells who opens"
        return f"{where} it is the turn of p{hand.to_act}"

    def _check_cards(self, action: RecordedAction) -> None:
        if action.what == "sm":
            return
        for card in action.cards:
            if card in self.seen:
                before = self.seen[card]
                raise action.error(f"the {card} is already out: action {before.number} {before.text!r} dealt it")
            if card != UNKNOWN:
                self.seen[card] = action

    def _deal(self, action: RecordedAction) -> None:
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

    def _turn_common(self, action: RecordedAction) -> None:
        street = self.hand.next_street()
        if len(action.cards) != 1:
            raise action.error("one common card is turned up, no more")
        if street is None or self.hand.awaits != "deal":
            raise action.error(f"no card can be dealt now: {self._why_not_dealt()}")
        self.hand.play(c.Deal(street.number, common=action.cards[0]))

    def _check_dealt(self, action: RecordedAction) -> None:
        """Refuse an action while cards of the street are still missing."""
        hand, street = self.hand, self.hand.next_street()
        if hand.awaits != "deal" or street is None or (action.what == "sm" and not self.dealt):
            return
        missing = [seat.seat for seat in hand.players if len(self.dealt.get(seat.seat, ())) < len(street.ups)]
        live = [f"p{seat}" for seat in missing if hand.seats[seat].is_live]
        raise action.error(f"{street.name} street has not been dealt to {', '.join(live)}")

    def _name_opener(self, following: tuple[RecordedAction, ...]) -> None:
        if self.hand.awaits != "opener":
            return
        acts = [action.player for action in following if action.what in ("pb", "cbr", "cc", "f")]
        if acts:
            self.hand.play(c.NameOpener(acts[0]))

    def _is_idle_check(self, action: RecordedAction) -> bool:
        """Whether this is a check by the only player with chips left: some recorders write it, and it changes
        nothing."""
        hand, seat = self.hand, self.hand.seats[action.player]
        is_between = hand.awaits in ("deal", "show") and bool(hand.street) and not self.dealt
        return action.what == "cc" and is_between and seat.is_live and seat.stack > 0 and able_to_bet(hand) == 1

    def _is_done_for_absent(self, action: RecordedAction) -> bool:
        """Whether this is the forced bet or the fold of an absent player, which the engine has made already."""
        is_absent = action.player in self.recording.absent
        return is_absent and action.what in ("pb", "f") and self.hand.to_act != action.player

    def _command(self, action: RecordedAction) -> c.Command:
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

    def _total(self, action: RecordedAction, turn: ActionOn | None) -> int:
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

    def _show(self, action: RecordedAction) -> None:
        """Keep the action until it is the seat's turn to show; after the end of the hand it changes nothing."""
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

    def _fill_in(self, action: RecordedAction, seat: SeatState) -> None:
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
