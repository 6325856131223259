"""Whether a hand may begin, and the fact that says how it does."""

from __future__ import annotations

from . import facts as f
from .cards import DECK
from .in_play import HandInPlay
from .stakes import HandConfig, unit_in_play

_WHOLE_DECK = frozenset(DECK)


def started(config: HandConfig) -> f.HandStarted:
    """The first fact: the table as the hand finds it."""
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
        tuple(config.warned),
        config.is_hand_dealt and config.holds_out_of_turn,
        config.drop.told() if config.drop is not None else (),
        unit_in_play(config),
    )


def check_config(hand: HandInPlay, config: HandConfig) -> None:
    """Refuse a hand that the rules or plain sense do not let begin."""
    rules = hand.rules
    count = len(config.stacks)
    if not rules.fewest_players <= count <= rules.most_players:
        wanted = f"{rules.fewest_players} to {rules.most_players}"
        raise hand.refusal("players", f"{count} players cannot start a hand: it takes {wanted}.", "players")
    if min(config.stacks) < 1 or min(config.stacks.values()) < 1:
        raise hand.refusal("stacks", "Every seat dealt in counts from 1 and has at least one chip.", "table_stakes")
    _check_stakes(hand, config)
    if config.drop is not None and config.setting != "cash":
        raise hand.refusal("drop", "The house takes nothing of a pot outside of cash games.")
    strangers = set(config.absent) - set(config.stacks)
    if strangers:
        raise hand.refusal("absent", f"Seat {min(strangers)} is absent but not dealt in.", "absent_player")
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
