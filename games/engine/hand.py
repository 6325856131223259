"""One hand of stud: commands in, facts out.

``play`` looks at everything, decides which facts follow and applies them one by one; applying only copies
(``state.py``). Cards, chance and time come in as arguments, so the same commands always give the same facts.

What a command comes to is decided by the rules. They take the hand in play (``in_play.py``), do not know this module,
and tell when a street is over; what comes after it is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from games.engine import commands as c
from games.engine.errors import IllegalAction
from games.engine.facts import base
from games.engine.facts.play import DeckShuffled
from games.engine.games import GAMES, STRUCTURES
from games.engine.in_play import HandInPlay
from games.engine.rulebook import Rulebook, resolve
from games.engine.rules import (
    betting,
    dealing,
    floor,
    manual_dealing,
    mistakes,
    out_of_turn,
    pots,
    reversing,
    showdown,
    wrong_lowcard,
)
from games.engine.rules.dealing import after_deal
from games.engine.stakes import HandConfig, check_config, hand_started


class Hand(HandInPlay):
    """A hand in play, or the same hand as a viewer may see it.

    ``start`` begins one, ``play`` goes on with it, ``replay`` rebuilds it from its facts. Without a rulebook (a
    viewer's replay) it can be looked at but not played.
    """

    @classmethod
    def start(cls, config: HandConfig) -> Hand:
        """Post the antes, deal as far as the automatic dealer can, and stop at the first choice.

        Raises ``IllegalAction`` when the hand may not begin: too few or too many players, impossible stakes or deck.
        """
        hand = cls()
        hand._use(config.rulebook, config.setting, config.game, config.structure)
        check_config(hand, config)
        hand.emit(hand_started(config))
        if config.commitment is not None:
            hand.emit(config.commitment)
        if config.deck is not None:
            hand.emit(DeckShuffled(config.deck, config.scramble, *config.secrets))
        dealing.post_antes(hand, config)
        if not config.is_hand_dealt:
            hand._go_on()
        return hand

    @classmethod
    def replay(cls, facts: Iterable[base.Fact], rulebook: Rulebook | None = None) -> Hand:
        """The hand that these facts tell, redacted or not. With ``rulebook`` play can go on."""
        hand = cls()
        for fact in facts:
            hand.apply(fact)
        if rulebook is not None:
            opening = hand.started
            hand._use(rulebook, opening.setting, opening.game, opening.structure)
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

    def _use(self, book: Rulebook, setting: str, game: str, structure: str) -> None:
        self.book = book
        if setting not in ("cash", "tournament"):
            raise IllegalAction(
                "unknown-setting", "There is no setting called {setting!r}: cash or tournament.", setting=setting
            )
        if game not in GAMES:
            raise IllegalAction(
                "unknown-game", "There is no game called {game!r}: {choices}.", game=game, choices=", ".join(GAMES)
            )
        self.rules = resolve(book, setting)
        self.game = GAMES[game]
        if structure not in STRUCTURES:
            raise IllegalAction("unknown-structure", "There is no structure called {structure!r}.", structure=structure)
        self.is_fixed_limit = structure == "fixed-limit"

    def play(self, command: c.Command) -> tuple[base.Fact, ...]:
        """Decide, apply and return every fact up to the next choice.

        Raises ``IllegalAction`` before anything changes.
        """
        if self.phase == "over":
            raise self.refusal("hand-over", "The hand is over.", "acting_in_turn")
        mark = len(self.facts)
        if isinstance(command, out_of_turn.ACTIONS) and out_of_turn.acts_behind(self, command):
            self._fold_picked_up_and_play(command)
        elif _PLAYS[type(command)](self, command):
            self._go_on()
        return tuple(self.facts[mark:])

    def _go_on(self) -> None:
        """What comes after a street: the last hand wins, the next street is dealt, or hands are shown. Rules say that a
        street is over and leave the rest to this loop."""
        is_street_over = True
        while is_street_over:
            street = self.next_street()
            if self.live == 1:
                pots.finish_unopposed(self)
                return
            if street is None:
                showdown.open_showdown(self)
                return
            showdown.table_hands_if_all_in(self)
            if self.started.is_hand_dealt:
                return
            dealing.deal_street(self, street)
            is_street_over = after_deal(self)

    def _fold_picked_up_and_play(self, command: c.Command) -> None:
        """Somebody acts behind a hand whose upcards were picked up: that one is folded first. A command that is refused
        then is refused on a twin, so it changes nothing here."""
        for hand in (self.copy(), self):
            if out_of_turn.fold_picked_up(hand):
                hand._go_on()
            if not hand.is_over:
                hand.play(command)


#: What carries a command out. True: the street is over, and the hand goes on from there.
_PLAYS: dict[type[c.Command], Callable[[Hand, Any], bool | None]] = {
    c.Fold: betting.fold,
    c.Check: betting.check,
    c.Call: betting.call,
    c.BringIn: betting.bring_in,
    c.Wager: betting.wager,
    c.TimeOut: betting.time_out,
    c.Leave: floor.leave,
    c.Return: floor.come_back,
    c.Look: floor.look,
    c.Mix: floor.mix,
    c.PickUp: floor.pick_up,
    c.Reorder: floor.reorder,
    c.DeclareAllIn: floor.declare_all_in,
    c.Show: showdown.show,
    c.Muck: showdown.muck,
    c.Deal: manual_dealing.deal_manually,
    c.DealTooSoon: manual_dealing.deal_too_soon,
    c.NameOpener: wrong_lowcard.name_opener,
    c.NoticeMistake: mistakes.notice,
    c.DeclareFouled: mistakes.declare_fouled,
    c.Order: floor.order,
    c.Reverse: reversing.reverse,
}
