"""What a hand is played for and by which players: everything the engine must be told before the first card, whether a
hand may begin with it, and the fact that says how it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import gcd
from typing import Any

from games.engine.cards import DECK
from games.engine.drop import DropTerms
from games.engine.errors import Said
from games.engine.facts import play
from games.engine.in_play import HandInPlay
from games.engine.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Stakes:
    """Chips. Fixed limit uses the small and the big bet, other structures ``min_bet`` (spread limit: ``max_bet``).
    ``unit``: the smallest chip in play; 0: nobody says, see ``unit_in_play``."""

    ante: int
    bring_in: int
    small_bet: int = 0
    big_bet: int = 0
    min_bet: int = 0
    max_bet: int = 0
    unit: int = 0


@dataclass(frozen=True, slots=True)
class HandConfig:
    """One hand before it starts.

    ``stacks``: chips by seat number, every seat to be dealt in. ``dealer``: the seat that deals; cards go first to the
    next seat clockwise. ``absent``: seats dealt in without their player. ``players_left``: in a tournament, players
    left in the event (0: many). ``choices``: house choices on points the rulebook leaves open. ``warned``: seats that
    were warned at this table before for changing the order of their upcards. ``antes``: chips by seat, where they
    differ from the stakes' ante; with ``are_antes_apart`` even a short ante plays for all of them (both for recorded
    hands).

    ``deck``: 52 cards, top first. ``scramble``: the same cards in a second random order, in which cards fall that have
    to be mixed again. With ``is_hand_dealt`` a person deals and names the cards; ``deck`` is then only the order in
    which cards that nobody names are taken. ``commitment``: the public fact that binds the room to this deck, and
    ``secrets`` what it and the next one were made from. With ``is_hand_shown`` players show or muck by themselves; else
    a beaten hand is mucked, and shown by the seats in ``shows_beaten``.
    At a hand-dealt table an action out of turn binds, unless ``holds_out_of_turn`` is taken away.

    ``drop``: what the house takes of the pots, in a cash game.
    """

    rulebook: Rulebook
    stakes: Stakes
    stacks: Mapping[int, int]
    dealer: int
    setting: str = "cash"
    game: str = "seven-card-stud"
    structure: str = "fixed-limit"
    absent: tuple[int, ...] = ()
    players_left: int = 0
    choices: Mapping[str, Any] = field(default_factory=dict)
    warned: tuple[int, ...] = ()
    deck: tuple[str, ...] | None = None
    scramble: tuple[str, ...] | None = None
    commitment: play.ShuffleCommitted | None = None
    secrets: tuple[str, str] = ("", "")
    is_hand_dealt: bool = False
    is_hand_shown: bool = False
    holds_out_of_turn: bool = True
    antes: Mapping[int, int] | None = None
    are_antes_apart: bool = False
    drop: DropTerms | None = None
    shows_beaten: tuple[int, ...] = ()


def unit_in_play(config: HandConfig) -> int:
    """The smallest chip of the hand, in which pots are split: as the stakes state it, else the greatest that all stacks
    and stakes are whole numbers of. Smaller where the house takes smaller chips of a pot."""
    stakes = config.stakes
    unit = stakes.unit
    if not unit:
        forced = (stakes.ante, stakes.bring_in, *(config.antes or {}).values())
        bets = (stakes.small_bet, stakes.big_bet, stakes.min_bet, stakes.max_bet)
        unit = gcd(*config.stacks.values(), *forced, *bets)
    return gcd(unit, *config.drop.amounts()) if config.drop is not None else unit


_WHOLE_DECK = frozenset(DECK)


def hand_started(config: HandConfig) -> play.HandStarted:
    """The first fact: the table as the hand finds it."""
    stakes = config.stakes
    seats = sorted(config.stacks)
    order = tuple([s for s in seats if s > config.dealer] + [s for s in seats if s <= config.dealer])
    return play.HandStarted(
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
        tuple(config.warned),
        config.is_hand_dealt and config.holds_out_of_turn,
        config.drop.as_pairs() if config.drop is not None else (),
        unit_in_play(config),
        tuple(config.shows_beaten),
    )


def check_config(hand: HandInPlay, config: HandConfig) -> None:
    """Refuse a hand that the rules or plain sense do not let begin."""
    rules = hand.rules
    count = len(config.stacks)
    if not rules.fewest_players <= count <= rules.most_players:
        wanted = Said("{least} to {most}", least=rules.fewest_players, most=rules.most_players)
        raise hand.refusal(
            "players", "{count} players cannot start a hand: it takes {wanted}.", "players", count=count, wanted=wanted
        )
    if min(config.stacks) < 1 or min(config.stacks.values()) < 1:
        raise hand.refusal("stacks", "Every seat dealt in counts from 1 and has at least one chip.", "table_stakes")
    _check_stakes(hand, config)
    if config.drop is not None and config.setting != "cash":
        raise hand.refusal("drop", "The house takes nothing of a pot outside of cash games.")
    strangers = set(config.absent) - set(config.stacks)
    if strangers:
        raise hand.refusal("absent", "Seat {seat} is absent but not dealt in.", "absent_player", seat=min(strangers))
    _check_deck(hand, config)


def _check_stakes(hand: HandInPlay, config: HandConfig) -> None:
    stakes = config.stakes
    if stakes.ante < 0 or stakes.bring_in < 0:
        raise hand.refusal("stakes", "Ante and bring-in cannot be below 0.", "limits")
    if stakes.unit < 0:
        raise hand.refusal("stakes", "The smallest chip is worth 1 or more; 0 where nobody says.", "odd_chip")
    if not stakes.bring_in and not hand.rules.plays_without_bring_in:
        raise hand.refusal("stakes", "This book plays no game without a bring-in.", "forced_bet")
    if not stakes.bring_in and not stakes.ante:
        raise hand.refusal("stakes", "Without a bring-in there must be an ante.", "forced_bet")
    if hand.is_fixed_limit and not 0 < stakes.small_bet <= stakes.big_bet:
        raise hand.refusal("stakes", "Fixed limit needs a small bet and a big bet that is no smaller.", "limits")
    if hand.is_fixed_limit and stakes.bring_in > stakes.small_bet:
        raise hand.refusal("stakes", "The bring-in must rise to the small bet, not above it.", "limits")
    if not hand.is_fixed_limit and stakes.min_bet < 1:
        raise hand.refusal("stakes", "This structure needs a least bet.", "limits")
    if config.structure == "spread-limit" and stakes.max_bet < stakes.min_bet:
        raise hand.refusal("stakes", "The most of a spread must be at least its least.", "limits")


def _check_deck(hand: HandInPlay, config: HandConfig) -> None:
    decks = [deck for deck in (config.deck, config.scramble) if deck is not None]
    if not config.is_hand_dealt:
        if len(decks) < 2:
            raise hand.refusal("deck", "The automatic dealer needs a shuffled deck and a second shuffle of it.")
        if any(set(deck) != _WHOLE_DECK or len(deck) != len(_WHOLE_DECK) for deck in decks):
            raise hand.refusal("deck", "A deck is the fifty-two cards, each once.")
    elif any(len(set(deck)) != len(deck) or not set(deck) <= _WHOLE_DECK for deck in decks):
        raise hand.refusal("deck", "A card comes twice in the deck, or is none.")
