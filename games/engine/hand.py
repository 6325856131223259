"""One hand of stud: commands in, facts out.

``play`` looks at everything, decides which facts follow and applies them one by one; applying only copies
(``state.py``). Cards, chance and time come in as arguments, so the same commands always give the same facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from . import betting, dealing, showdown
from . import commands as c
from . import facts as f
from .cards import DECK, UNKNOWN
from .errors import IllegalAction
from .family import GAMES, Game, Street
from .options import able_to_bet
from .ranking import value_of
from .rulebook import Rulebook
from .rules import Rules, resolve
from .stakes import HandConfig
from .state import HandState, SeatState

_DECK = frozenset(DECK)


class Hand(HandState):
    """A hand in play, or the same hand as a viewer may see it.

    ``start`` begins one, ``play`` goes on with it, ``replay`` rebuilds it from its facts. Without a rulebook (a
    viewer's replay) it can be looked at but not played.
    """

    book: Rulebook
    rules: Rules
    game: Game

    def __init__(self) -> None:
        super().__init__()
        self._boards: tuple[int, dict[int, int]] = (0, {})

    # -- beginnings --------------------------------------------------------------------------------------------------

    @classmethod
    def start(cls, config: HandConfig) -> Hand:
        """Post the antes, deal as far as the automatic dealer can, and stop at the first choice.

        Raises ``IllegalAction`` when the hand may not begin: too few or too many players, impossible stakes or deck.
        """
        hand = cls()
        hand._use(config.rulebook, config.setting, config.game)
        _check_config(hand, config)
        hand.emit(_started(config))
        if config.deck is not None:
            hand.emit(f.DeckShuffled(config.deck, config.scramble))
        dealing.post_antes(hand, config)
        if not config.is_hand_dealt:
            hand.go_on()
        return hand

    @classmethod
    def replay(cls, facts: Iterable[f.Fact], rulebook: Rulebook | None = None) -> Hand:
        """The hand that these facts tell, redacted or not. With ``rulebook`` play can go on."""
        hand = cls()
        for fact in facts:
            hand.apply(fact)
        if rulebook is not None:
            hand._use(rulebook, hand.started.setting, hand.started.game)
        return hand

    def copy(self) -> Hand:
        """An independent twin."""
        twin = Hand.__new__(Hand)
        twin.__dict__.update(self.__dict__)
        twin.facts = self.facts.copy()
        twin.seats = {seat: player.copy() for seat, player in self.seats.items()}
        twin.players = list(twin.seats.values())
        twin.stub = self.stub.copy()
        twin.burns = self.burns.copy()
        twin.common = self.common.copy()
        twin.rulings_made = self.rulings_made.copy()
        return twin

    def _use(self, book: Rulebook, setting: str, game: str) -> None:
        self.book = book
        if setting not in ("cash", "tournament"):
            raise IllegalAction("unknown-setting", f"There is no setting called {setting!r}: cash or tournament.")
        if game not in GAMES:
            raise IllegalAction("unknown-game", f"There is no game called {game!r}: {', '.join(GAMES)}.")
        self.rules = resolve(book, setting)
        self.game = GAMES[game]

    # -- playing -----------------------------------------------------------------------------------------------------

    def play(self, command: c.Command) -> tuple[f.Fact, ...]:
        """Decide, apply and return every fact up to the next choice.

        Raises ``IllegalAction`` before anything changes.
        """
        if self.phase == "over":
            raise self.refusal("hand-over", "The hand is over.", "acting_in_turn")
        mark = len(self.facts)
        _PLAYS[type(command)](self, command)
        return tuple(self.facts[mark:])

    def emit(self, fact: f.Fact) -> None:
        """Put a decided fact into the log and apply it."""
        self.apply(fact)

    def rule(self, key: str, verdict: str, seats: tuple[int, ...]) -> None:
        """Record a ruling with where the rulebook says so."""
        self.emit(f.Ruled(key, verdict, self.book.cite(key), seats, self.book.text(key)))

    def refusal(self, code: str, message: str, key: str = "") -> IllegalAction:
        """The refusal of a command, with the rulebook point ``key`` behind it."""
        return IllegalAction(code, message, self.book.citation(key) if key else None)

    def settle_turn(self, seat: int) -> None:
        """After ``seat`` has acted: the next one's turn, or the end of the round."""
        while True:
            if self.live_count() == 1:
                self.finish_unopposed()
                return
            seat = betting.next_to_act(self, seat)
            if not seat:
                betting.close_round(self)
                self.go_on()
                return
            if betting.give_turn(self, seat):
                return

    def start_round(self, opener: int) -> None:
        """The opener's turn; if his hand is dead or his bet already posted, the next one's."""
        player = self.seats[opener]
        if player.is_live and not player.has_acted and betting.give_turn(self, opener):
            return
        self.settle_turn(opener)

    def go_on(self) -> None:
        """Between rounds: the automatic dealer deals the next street; after the last one comes the showdown."""
        street = self.next_street()
        if street is None:
            showdown.open_showdown(self)
            return
        self._table_hands_if_all_in()
        if not self.started.is_hand_dealt:
            dealing.deal_street(self, street)
            dealing.after_deal(self)

    def _table_hands_if_all_in(self) -> None:
        """In a tournament all hands are turned up as soon as nobody can bet any more."""
        if self.started.setting != "tournament" or not self.street or able_to_bet(self) > 1:
            return
        tabled = {fact.seat for fact in self.facts if isinstance(fact, f.HandTabled)}
        for player in self.players:
            if player.is_live and player.seat not in tabled:
                self.emit(f.HandTabled(player.seat, tuple(player.cards)))

    def finish_unopposed(self) -> None:
        """The last live hand takes the pot without showing."""
        if self.phase != "show":
            betting.close_round(self)
        winner = next(player.seat for player in self.players if player.is_live)
        self.emit(f.PotAwarded(0, winner, self.pot, "whole", 0))
        self.end()

    def end(self) -> None:
        """Write down what everybody has."""
        self.emit(f.HandEnded(tuple([(player.seat, player.stack) for player in self.players])))

    # -- absent players ----------------------------------------------------------------------------------------------

    def kill_absent(self, seats: Sequence[int]) -> None:
        """Kill the hands of absent players, one ruling for each."""
        for seat in seats:
            self.rule("absent_player", "killed", (seat,))
            self.emit(f.HandKilled(seat))

    def post_for_absent(self, seat: int) -> None:
        """The forced bet of an absent lowcard goes in by itself."""
        betting.post_bring_in(self, seat)

    # -- looking -----------------------------------------------------------------------------------------------------

    def live_count(self) -> int:
        """How many hands can still win."""
        count = 0
        for player in self.players:
            if player.is_live:
                count += 1
        return count

    def next_street(self) -> Street | None:
        """The street to be dealt next; None after the last."""
        after = self.street - 2 if self.street else 0
        return self.game.streets[after] if after < len(self.game.streets) else None

    def board_values(self) -> dict[int, int]:
        """The strength of every live board with the common card, worked out once a street."""
        if self._boards[0] != self.street:
            boards = {}
            for player in self.players:
                board = [card for card in (*player.upcards, *self.common) if card is not None and card != UNKNOWN]
                if player.is_live and board:
                    boards[player.seat] = value_of(board)
            self._boards = (self.street, boards)
        return self._boards[1]

    def cards_out(self) -> set[str | None]:
        """Every card that lies somewhere else than in the stub."""
        out = {card for player in self.players for card in player.cards}
        out.update(self.common, self.burns)
        return out

    def check_seat(self, seat: int) -> SeatState:
        """The seat's state; refused when it is not in this hand."""
        player = self.seats.get(seat)
        if player is None:
            raise self.refusal("unknown-seat", f"Seat {seat} is not in this hand.")
        return player

    def check_new_cards(self, cards: Sequence[str]) -> None:
        """Refuse a card that does not exist or lies elsewhere already."""
        out = self.cards_out()
        for card in cards:
            if card == UNKNOWN:
                continue
            if card not in _DECK:
                raise self.refusal("no-such-card", f"{card!r} is not a card.")
            if card in out:
                raise self.refusal("duplicate-card", f"The {card} is already out.")
            out.add(card)


def _leave(hand: Hand, command: c.Leave) -> None:
    player = hand.check_seat(command.seat)
    if player.is_absent:
        raise hand.refusal("already-absent", f"Seat {command.seat} is absent already.", "absent_player")
    hand.emit(f.PlayerLeft(command.seat))
    if hand.phase == "bet" and hand.to_act == command.seat:
        if betting.give_turn(hand, command.seat):
            return
        hand.settle_turn(command.seat)


def _return(hand: Hand, command: c.Return) -> None:
    player = hand.check_seat(command.seat)
    if not player.is_absent:
        raise hand.refusal("not-absent", f"Seat {command.seat} is not absent.", "absent_player")
    hand.emit(f.PlayerBack(command.seat))
    if player.is_live and hand.phase != "show":
        hand.rule("absent_player", "back-in-time", (command.seat,))


_PLAYS: dict[type[c.Command], Callable[[Hand, Any], None]] = {
    c.Fold: betting.fold,
    c.Check: betting.check,
    c.Call: betting.call,
    c.BringIn: betting.bring_in,
    c.Wager: betting.wager,
    c.TimeOut: betting.time_out,
    c.Leave: _leave,
    c.Return: _return,
    c.Show: showdown.show,
    c.Muck: showdown.muck,
    c.Deal: dealing.deal_by_hand,
    c.NameOpener: dealing.name_opener,
}


# -- the configuration -----------------------------------------------------------------------------------------------


def _started(config: HandConfig) -> f.HandStarted:
    stakes = config.stakes
    seats = sorted(config.stacks)
    order = tuple([s for s in seats if s > config.dealer] + [s for s in seats if s <= config.dealer])
    return f.HandStarted(
        config.rulebook.slug,
        config.rulebook.version,
        config.setting,
        config.game,
        config.structure,
        stakes.ante,
        stakes.bring_in,
        stakes.small_bet,
        stakes.big_bet,
        stakes.min_bet,
        stakes.max_bet,
        tuple([(seat, config.stacks[seat]) for seat in seats]),
        config.dealer,
        order,
        tuple(config.absent),
        config.players_left,
        tuple(sorted(config.choices.items())),
        config.is_hand_dealt,
        config.is_hand_shown,
    )


def _check_config(hand: Hand, config: HandConfig) -> None:
    rules, stakes = hand.rules, config.stakes
    count = len(config.stacks)
    if not rules.fewest_players <= count <= rules.most_players:
        wanted = f"{rules.fewest_players} to {rules.most_players}"
        raise hand.refusal("players", f"{count} players cannot start a hand: it takes {wanted}.", "players")
    if config.structure != "fixed-limit":
        raise hand.refusal("structure", f"{config.structure} is not played here: fixed-limit is.", "limits")
    if min(config.stacks) < 1 or min(config.stacks.values()) < 1:
        raise hand.refusal("stacks", "Every seat dealt in counts from 1 and has at least one chip.", "table_stakes")
    if stakes.ante < 0 or not 0 < stakes.bring_in <= stakes.small_bet <= stakes.big_bet:
        message = "The stakes must rise: 0 < bring-in <= small bet <= big bet, and no ante below 0."
        raise hand.refusal("stakes", message, "limits")
    strangers = set(config.absent) - set(config.stacks)
    if strangers:
        raise hand.refusal("absent", f"Seat {min(strangers)} is absent but not dealt in.", "absent_player")
    _check_deck(hand, config)


def _check_deck(hand: Hand, config: HandConfig) -> None:
    decks = [deck for deck in (config.deck, config.scramble) if deck is not None]
    if not config.is_hand_dealt:
        if len(decks) < 2:
            raise hand.refusal("deck", "The automatic dealer needs a shuffled deck and a second shuffle of it.")
        if any(set(deck) != _DECK or len(deck) != len(_DECK) for deck in decks):
            raise hand.refusal("deck", "A deck is the fifty-two cards, each once.")
    elif any(len(set(deck)) != len(deck) or not set(deck) <= _DECK for deck in decks):
        raise hand.refusal("deck", "A card comes twice in the deck, or is none.")
