"""Random hands at tables where a person deals: mistakes, what players do with their cards and out of turn, and the
floor's orders. The same hands for the same seed.

``random_table`` sets one up under any of the five books, ``play_out`` plays it to its end. Whatever cannot be done at a
moment is tried all the same, and must be refused without a trace.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from games.engine.cards import JOKER
from games.engine.rules.card_counts import wrong_by_now
from games.engine.rules.put_right import cards_to_light
from games.engine.rules.short_deck import is_common_card_due
from games.engine.rules.stub import held_back
from games.engine.stakes import HandConfig, Stakes
from games.rulebooks.queries import load
from tests.support.parts.stud import DECK, Fact, Hand, IllegalAction, c, lacks_only_last, may_declare, receivers
from tests.support.playout import COMMITTED, MOST_COMMANDS, STAKES, STYLES, options_of, random_stack

BOOKS = ("roberts-v4", "roberts-later", "gardens", "poker-tip", "home")
GAMES = (*["seven-card-stud"] * 5, "razz", "stud-eight", "mississippi-stud")
#: What the home game can be played for besides fixed limit.
FREE = {
    "spread-limit": Stakes(ante=1, bring_in=1, min_bet=2, max_bet=10),
    "pot-limit": Stakes(ante=5, bring_in=5, min_bet=10),
    "no-limit": Stakes(ante=5, bring_in=10, min_bet=20),
}
#: Where the cards come from: the system's deck, a physical one whose cards are typed, or any cards not named yet.
DECKS = ("system", "typed", "open")


@dataclass(frozen=True, slots=True)
class Table:
    """A hand to be played; ``how_often``: the share of moments at which something goes wrong."""

    config: HandConfig
    deck: str
    how_often: float


def random_table(rng: random.Random) -> Table:
    """Any book, setting, game and structure that go together; stacks of all depths."""
    slug = rng.choice(BOOKS)
    book = load(slug)
    is_home = slug == "home"
    structure = rng.choice(tuple(FREE)) if is_home and rng.random() < 0.4 else "fixed-limit"
    stakes = FREE[structure] if structure != "fixed-limit" else rng.choice(STAKES)
    if is_home and rng.random() < 0.25:
        stakes = replace(stakes, bring_in=0)
    is_tournament = rng.random() < 0.4
    least, most = book.value("players", "cash")["least"], book.value("players", "cash")["most"]
    numbers = sorted(rng.sample(range(1, most + 1), rng.randint(least, most)))
    deck = rng.choice(DECKS)
    shuffled = tuple(rng.sample(DECK, 52))
    config = HandConfig(
        rulebook=book, setting="tournament" if is_tournament else "cash", game=rng.choice(GAMES), structure=structure,
        stakes=stakes, stacks={number: random_stack(rng, stakes) for number in numbers}, dealer=rng.choice(numbers),
        absent=tuple(number for number in numbers if rng.random() < 0.15) if rng.random() < 0.2 else (),
        players_left=rng.choice((0, len(numbers))) if is_tournament else 0, choices=_house_choices(rng),
        warned=tuple(number for number in numbers if rng.random() < 0.2),
        deck={"system": shuffled, "typed": None, "open": shuffled[:51]}[deck],
        scramble=tuple(rng.sample(DECK, 52)) if deck == "system" else None, is_hand_dealt=True,
        commitment=COMMITTED if deck == "system" else None,
        secrets=("5e" * 32, "ec" * 32) if deck == "system" else ("", ""),
        holds_out_of_turn=rng.random() < 0.9, is_hand_shown=rng.random() < 0.3,
    )  # fmt: skip
    return Table(config, deck, rng.choice((0.0, 0.05, 0.2, 0.5)))


def _house_choices(rng: random.Random) -> dict[str, object]:
    choices: dict[str, object] = {}
    if rng.random() < 0.1:
        choices["low_stakes"] = True
    if rng.random() < 0.1:
        choices["both_downcards_exposed"] = "misdeal"
    if rng.random() < 0.4:
        choices["exposed_downcard"] = "third-card-down"
    return choices


def _first_unnamed_card(table: Table) -> str:
    """The card that an open deck does not hold: the dealer names it as the first of the hand."""
    return next(card for card in DECK if card not in (table.config.deck or ()))


def _spare(hand: Hand, table: Table, rng: random.Random, count: int) -> list[str | None]:
    """Cards for a dealer to name; none off the system's deck."""
    if table.deck == "typed":
        spare = [card for card in DECK if card not in hand.cards_out()]
        back = [card for card in (*hand.set_aside, *(card for _, card, _ in hand.premature)) if card in DECK]
        cards = [*rng.sample(spare, len(spare)), *rng.sample(back, len(back))][:count]
        return [*cards, *[None] * (count - len(cards))]
    return [None] * count


def _marks(rng: random.Random, how_often: float) -> tuple[bool, bool]:
    """(face up, off the table)."""
    if rng.random() >= how_often * 0.4:
        return False, False
    return (True, False) if rng.random() < 0.7 else (rng.random() < 0.3, True)


def street_dealt(hand: Hand, table: Table, rng: random.Random) -> c.Deal:
    """The street that is due, with whatever goes wrong in it."""
    street = hand.next_street()
    assert street is not None
    wrong = table.how_often
    burns = rng.choice((0, 2)) if rng.random() < wrong * 0.5 else None
    seats = receivers(hand)
    if table.deck == "typed":
        left = len(hand.stub) + len(hand.burns) + len(hand.set_aside) + len(hand.premature)
        if is_common_card_due(hand, len(seats) * len(street.ups)):
            is_there_one = left > held_back(hand)
            return c.Deal(street.number, common=str(_spare(hand, table, rng, 1)[0]) if is_there_one else None)
    elif rng.random() >= wrong and (hand.street or table.deck == "system"):
        return c.Deal(street.number, burns=burns)
    given: list[c.Given] = []
    for seat in seats:
        for place in range(len(street.ups)):
            given += _card_for(seat, place, rng, wrong)
    cards = iter(_spare(hand, table, rng, len(given)))
    if table.deck == "open" and not hand.street:
        first = next(at for at, item in enumerate(given) if not item.is_skipped)
        cards = iter([*[None] * first, _first_unnamed_card(table), *[None] * len(given)])
    return c.Deal(street.number, tuple(replace(item, card=next(cards)) for item in given), burns=burns)


def _card_for(seat: int, place: int, rng: random.Random, wrong: float) -> Iterator[c.Given]:
    """One card; now and then none, or two."""
    slip = rng.random()
    if slip < wrong * 0.03:
        yield c.Given(seat, is_skipped=True, place=place)
        return
    for _ in range(2 if slip < wrong * 0.05 else 1):
        is_exposed, is_off_table = _marks(rng, wrong)
        yield c.Given(seat, None, is_exposed, is_off_table, place=place)


def _too_soon(hand: Hand, table: Table, rng: random.Random) -> c.Command:
    street = hand.next_street()
    seats = receivers(hand)
    if street is None or not seats:
        return c.DealTooSoon(7, (c.Given(1),))
    first = seats[: rng.randint(1, len(seats))]
    cards = _spare(hand, table, rng, len(first))
    given = [c.Given(seat, card, *_marks(rng, 0.3)) for seat, card in zip(first, cards, strict=True)]
    return c.DealTooSoon(street.number, tuple(given))


def incident(hand: Hand, table: Table, rng: random.Random) -> c.Command:
    """Something out of order; it may be impossible now."""
    seat = rng.choice(list(hand.seats))
    turn = hand.turn
    kinds: list[Callable[[], c.Command]] = [
        lambda: _too_soon(hand, table, rng),
        lambda: _too_soon(hand, table, rng),
        lambda: _notice_mistake(hand, table, rng),
        lambda: _notice_mistake(hand, table, rng),
        lambda: c.NameOpener(seat),
        lambda: c.NameOpener(seat),
        lambda: c.Look(_who_got_a_card(hand, rng)),
        lambda: c.Mix(_who_got_a_card(hand, rng)),
        lambda: c.PickUp(turn.seat if turn is not None and rng.random() < 0.7 else seat),
        lambda: c.Reorder(seat),
        lambda: c.DeclareAllIn(seat),
        lambda: c.DeclareAllIn(next((p.seat for p in hand.players if p.may_declare), seat)),
        lambda: c.Leave(seat),
        lambda: c.Return(next((p.seat for p in hand.players if p.is_absent), seat)),
        lambda: c.TimeOut(turn.seat if turn is not None else seat),
        lambda: _out_of_turn(hand, seat, rng),
        lambda: _out_of_turn(hand, seat, rng),
        lambda: _order(hand, seat, rng),
        lambda: _order(hand, seat, rng),
    ]
    return rng.choice(kinds)()


def _notice_mistake(hand: Hand, table: Table, rng: random.Random) -> c.Command:
    cards = _spare(hand, table, rng, cards_to_light(hand) or 1)
    return c.NoticeMistake(tuple([card for card in cards if card]) if rng.random() < 0.7 else ())


def _who_got_a_card(hand: Hand, rng: random.Random) -> int:
    return rng.choice([dealt[0] for dealt in (*hand.premature, *hand.street_cards)] or list(hand.seats))


def _out_of_turn(hand: Hand, seat: int, rng: random.Random) -> c.Command:
    to = rng.choice((hand.level + rng.choice((hand.sizes or (1,))), hand.level, 7))
    return rng.choice((c.Fold(seat), c.Check(seat), c.Call(seat), c.Call(seat), c.Wager(seat, to), c.Wager(seat)))


def _order(hand: Hand, seat: int, rng: random.Random) -> c.Command:
    what = rng.choice((*["rules-live"] * 3, *["orders-low"] * 3, "misdeal", "kills", "kills", "penalises", "void"))
    if what in ("misdeal", "void") and rng.random() < 0.8:
        what = "penalises"
    if what == "void" and seat % 2:
        return c.DeclareFouled(JOKER)
    short = [p.seat for p in hand.players if len(p.cards) == hand.cards_due(p) - 1]
    return c.Order(what, rng.choice(short) if what == "rules-live" and short else seat, "seen by the floor")


def _due(hand: Hand, table: Table, style: dict[type[c.Command], int], rng: random.Random) -> c.Command:
    """What correct procedure wants next, and now and then a choice that is only there for a moment."""
    if hand.awaits == "deal":
        return street_dealt(hand, table, rng)
    declaring = [p.seat for p in hand.players if may_declare(hand, p)]
    if declaring and rng.random() < 0.3:
        return c.DeclareAllIn(rng.choice(declaring))
    lacking = [p.seat for p in hand.players if p.is_live and lacks_only_last(hand, p) and not p.is_ruled_live]
    if lacking and rng.random() < 0.2:
        return c.Order("rules-live", rng.choice(lacking), "the dealer passed it over")
    if wrong_by_now(hand) and rng.random() < 0.2:
        return _notice_mistake(hand, table, rng)
    choices = options_of(hand)
    weights = [style.get(type(choice), 1) for choice in choices]
    return rng.choices(choices, weights if any(weights) else None)[0]


def play_out(
    hand: Hand,
    table: Table,
    rng: random.Random,
    *,
    after: Callable[[tuple[Fact, ...]], None] = lambda facts: None,
    refused: Callable[[c.Command], None] = lambda command: None,
) -> list[c.Command]:
    """Play ``hand`` to its end and say how. ``after`` sees what came of each command, ``refused`` those that were not
    possible, once they have been tried."""
    style = dict(rng.choice(STYLES))
    given: list[c.Command] = []
    for _ in range(MOST_COMMANDS):
        if hand.is_over:
            return given
        is_wrong = rng.random() < table.how_often
        command = incident(hand, table, rng) if is_wrong else _due(hand, table, style, rng)
        try:
            facts = hand.play(command)
        except IllegalAction:
            refused(command)
            continue
        given.append(command)
        after(facts)
    raise AssertionError("the hand does not end")
