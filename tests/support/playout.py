"""Random hands, the same ones for the same seed: tables, what may be done and what may not, and a whole playout."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence

from games.engine.commands import BringIn, Call, Check, Command, Deal, Fold, Leave, Muck, Return, Show, TimeOut, Wager
from games.engine.facts.play import ShuffleCommitted
from games.rulebooks.queries import load
from tests.support.parts.stud import DECK, ROUNDINGS, DropTerms, Fact, Hand, HandConfig, Stakes, must_table_all

RULEBOOK = "roberts-v4"
#: A hand that takes more commands than this does not end.
MOST_COMMANDS = 2_000

STAKES = (
    Stakes(ante=1, bring_in=5, small_bet=15, big_bet=30), Stakes(ante=1, bring_in=2, small_bet=4, big_bet=8),
    Stakes(ante=2, bring_in=3, small_bet=10, big_bet=20), Stakes(ante=5, bring_in=5, small_bet=20, big_bet=40),
    Stakes(ante=25, bring_in=50, small_bet=150, big_bet=300),
)  # fmt: skip

#: What is told of every deck here, whatever its cards are.
COMMITTED = ShuffleCommitted("a scheme", "ab" * 32, True, ((2, "cd" * 32),), "ef" * 32)

#: How likely a player is to take an option, by what it is.
STYLES: tuple[Mapping[type[Command], int], ...] = (
    {},  # each as likely as the other
    {Fold: 1, Wager: 3, Call: 8, Check: 8, BringIn: 8},  # to the showdown, and to the end of the deck
    {Fold: 1, Wager: 12, Call: 5, Check: 3, BringIn: 1},  # the cap, side pots
    {Fold: 2, Wager: 1, Call: 6, Check: 4, BringIn: 6},
    {Fold: 0, Wager: 0, Call: 1, Check: 1, BringIn: 1},
)


def random_table(rng: random.Random) -> HandConfig:
    """Two to eight seats, cash or tournament, deep and short stacks mixed, now and then an absent player."""
    stakes = rng.choice(STAKES)
    numbers = sorted(rng.sample(range(1, 9), rng.randint(2, 8)))
    stacks = {number: random_stack(rng, stakes) for number in numbers}
    deck, scramble = rng.sample(DECK, 52), rng.sample(DECK, 52)
    is_tournament = rng.random() < 0.4
    absent = [number for number in numbers if rng.random() < 0.15] if rng.random() < 0.25 else []
    return HandConfig(
        rulebook=load(RULEBOOK),
        setting="tournament" if is_tournament else "cash",
        stakes=stakes,
        stacks=stacks,
        dealer=rng.choice(numbers),
        absent=tuple(absent),
        players_left=rng.choice((0, len(numbers))) if is_tournament else 0,
        choices={"low_stakes": True} if rng.random() < 0.2 else {},
        deck=tuple(deck),
        scramble=tuple(scramble),
        commitment=COMMITTED,
        secrets=("5e" * 32, "ec" * 32),
        is_hand_dealt=rng.random() < 0.1,
        holds_out_of_turn=False,
        is_hand_shown=rng.random() < 0.15,
        # By its own chance, so that hands with a drop are the same hands.
        drop=None if is_tournament else random_drop(random.Random(sum(stacks.values()))),
    )


def random_drop(rng: random.Random) -> DropTerms | None:
    """What the house takes: nothing in half of the games, a little in most, everything in some."""
    if rng.random() < 0.5:
        return None
    return DropTerms(
        permille=rng.choice((0, 25, 50, 100, 1000)), caps=rng.choice(((), ((2, 1), (4, 3), (6, 5)), ((2, 50),))),
        unit=rng.choice((1, 1, 5, 25)), rounding=rng.choice(ROUNDINGS), is_free_without_call=rng.random() < 0.8,
        promo=rng.choice((0, 1, 2)), jackpot=rng.choice((0, 1, 100)), promo_from=rng.choice((0, 20, 200)),
    )  # fmt: skip


def random_stack(rng: random.Random, stakes: Stakes) -> int:
    """Chips for a seat: all in for the ante, for the forced bet, short or deep."""
    depth = rng.random()
    big = stakes.big_bet or 2 * stakes.min_bet
    if depth < 0.06:
        return rng.randint(1, stakes.ante + 1)
    if depth < 0.15:
        return stakes.ante + rng.randint(0, stakes.bring_in + 1)
    if depth < 0.45:
        return rng.randint(stakes.ante, 4 * big)
    return rng.randint(10, 40) * big


def options_of(hand: Hand) -> list[Command]:
    """Every legal action of the seat to act; what a person would do where the hand waits for something else."""
    if hand.awaits == "show":
        return [Show(hand.to_act)] if must_table_all(hand) else [Show(hand.to_act), Muck(hand.to_act)]
    if hand.awaits == "deal":
        return [Deal(street=hand.street + 1 if hand.street else 3)]
    option = hand.options(hand.to_act)
    seat = option.seat
    offers = {Fold: option.can_fold, Check: option.can_check, Call: option.call, BringIn: option.bring_in}
    sizes = sorted(set(option.sizes)) if option.verb else []
    return [*(Wager(seat, size) for size in sizes), *(command(seat) for command, is_open in offers.items() if is_open)]


def non_options_of(hand: Hand, rng: random.Random) -> Iterator[Command]:
    """Commands that must be refused: out of turn, not on offer, of a wrong size, from nowhere, at the wrong time."""
    nowhere = next(number for number in range(1, 99) if number not in hand.seats)
    kinds = (Fold, Check, Call, BringIn, Wager, TimeOut)
    for seat in [rng.choice([seat for seat in hand.seats if seat != hand.to_act]), nowhere, 0, -1]:
        yield rng.choice(kinds)(seat)
    yield Leave(nowhere)
    yield Return(nowhere)
    yield Return(rng.choice([seat for seat, player in hand.seats.items() if not player.is_absent] or [nowhere]))
    if not hand.started.is_hand_dealt:
        yield Deal(street=max(3, hand.street))
        yield Deal(street=hand.street + 1)
    option = hand.options(hand.to_act)
    if option is None:
        return
    seat = option.seat
    yield Show(seat)
    yield Muck(seat)
    offers = {Fold: option.can_fold, Check: option.can_check, Call: option.call, BringIn: option.bring_in}
    yield from [command(seat) for command, is_open in offers.items() if not is_open]
    player = hand.seats[seat]
    sizes = {size + step for size in option.sizes for step in (-1, 1)} | {0, -5, player.bet}
    sizes |= {player.bet + player.stack + 1, rng.randint(1, 2_000)}
    for size in sizes.difference(option.sizes):
        yield Wager(seat, size)
    if len(option.sizes) != 1:
        yield Wager(seat)


def play_out(
    hand: Hand,
    rng: random.Random,
    *,
    before: Callable[[Hand], None] = lambda hand: None,
    after: Callable[[Hand, tuple[Fact, ...]], None] = lambda hand, facts: None,
) -> list[Command]:
    """Play ``hand`` to its end and say how. ``before`` looks at the hand at each choice, ``after`` at what came of it.

    The facts that began the hand are not given to ``after``.
    """
    style = rng.choice(STYLES)
    nerves = rng.choice((0.0, 0.0, 0.04))  # how often somebody runs out of time, goes away or comes back
    given: list[Command] = []
    while not hand.is_over:
        assert len(given) < MOST_COMMANDS, "the hand does not end"
        before(hand)
        command = _incident(hand, rng) if rng.random() < nerves else None
        command = command or _choose(options_of(hand), style, rng)
        given.append(command)
        after(hand, hand.play(command))
    return given


def _choose(choices: Sequence[Command], style: Mapping[type[Command], int], rng: random.Random) -> Command:
    weights = [style.get(type(choice), 1) for choice in choices]
    return rng.choices(choices, weights if any(weights) else None)[0]


def _incident(hand: Hand, rng: random.Random) -> Command | None:
    here = [seat for seat, player in hand.seats.items() if player.is_live and not player.is_absent]
    away = [seat for seat, player in hand.seats.items() if player.is_absent]
    what = rng.choice(("late", "leaves", "returns"))
    if what == "late" and hand.awaits == "action":
        return TimeOut(hand.to_act)
    if what == "leaves" and here:
        return Leave(rng.choice(here))
    if what == "returns" and away:
        return Return(rng.choice(away))
    return None
