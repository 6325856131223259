"""What happened must be enterable: every command in every state of a hand, alone and after every other one.

``everything`` lists what can be said at a table, and whether it can have happened by what lies there. What can have
happened is never refused; of the rest the reason that is given must be true. To see one again: ``moments(name)``.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache

import pytest

from games.rulebooks.queries import load
from tests.support.hands import by_hand, passive, shuffled_deck
from tests.support.invariants import Watch
from tests.support.mistakes import BOOKS
from tests.support.parts.stud import Hand, IllegalAction, SeatState, c, mistakes, play, receivers
from tests.support.tiers import many

STARTING = 3
#: How often at each table something goes wrong before everything else is tried.
FIRSTS = many(4, long=80)


@dataclass(frozen=True)
class Said:
    """Something that is entered. ``can_be``: by what lies on the table it can have happened."""

    command: c.Command
    can_be: bool = True


def table(book: str, deck: int, **changes) -> Hand:
    stacks = changes.pop("stacks", {1: 500, 2: 500, 3: 500})
    return by_hand(stacks, rulebook=load(book), deck=shuffled_deck(deck), scramble=shuffled_deck(deck + 1), **changes)


def tables() -> Iterator[tuple[str, Hand]]:
    for deck, book in enumerate(BOOKS):
        yield book, table(book, deck)
        yield f"{book} tournament", table(book, deck, setting="tournament", absent=(deck % 3 + 1,))
        yield f"{book} away", table(book, deck, absent=(deck % 3 + 1,), is_hand_shown=True)
        yield f"{book} short", table(book, deck, stacks={1: 500, 2: 1, 4: 40, 5: 300})
        if book != "poker-tip":  # which starts with three
            yield f"{book} two", table(book, deck, stacks={2: 500, 5: 60})
    for deck, game in enumerate(("mississippi-stud", "razz", "stud-eight")):
        yield game, table("home", deck, game=game, is_hand_shown=True)


TABLES = dict(tables())


def step(hand: Hand) -> None:
    """What correct procedure wants next."""
    if hand.awaits == "deal":
        hand.play(c.Deal(hand.next_street().number))
    else:
        hand.play(c.Show(hand.to_act) if hand.awaits == "show" else passive(hand))


@cache
def moments(name: str) -> tuple[Hand, ...]:
    """The hand at every choice of a course in which nothing goes wrong; nothing is played on them."""
    hand, course = TABLES[name].copy(), []
    while not hand.is_over:
        course.append(hand.copy())
        step(hand)
    return tuple(course)


def everything(hand: Hand) -> Iterator[Said]:
    yield from deals(hand)
    yield from early_deals(hand)
    yield Said(c.NoticeMistake(), is_out_of_order(hand))
    yield Said(c.DeclareFouled())
    for seat, player in hand.seats.items():
        is_owed = hand.owes_bring_in or has_posted_away(hand)
        may_be_low = player.is_live and hand.street == STARTING and hand.phase == "bet" and is_owed
        yield Said(c.NameOpener(seat), may_be_low)
        lies_apart = any(to == seat for to, _, _ in hand.premature) or (
            hand.street == hand.game.hand_size
            and player.is_live
            and any(to == seat and not is_up for to, _, is_up in hand.street_cards)
        )
        yield Said(c.Look(seat), lies_apart)
        yield Said(c.Mix(seat), lies_apart)
        yield Said(c.PickUp(seat), player.is_live and bool(player.upcards))
        yield Said(c.Reorder(seat), player.is_live and len(player.upcards) > 1)
        yield Said(c.Leave(seat), not player.is_absent)
        yield Said(c.Return(seat), player.is_absent)
        yield Said(c.DeclareAllIn(seat), False)
        yield from actions(hand, seat)


def deals(hand: Hand) -> Iterator[Said]:
    """The street to come, right and with everything that can go wrong in it."""
    street = hand.next_street()
    if street is None or hand.awaits != "deal":
        yield Said(c.Deal(hand.street or STARTING), False)
        return
    seats, places = receivers(hand), range(len(street.ups))
    for burns in (None, 0, 1, 2):
        yield Said(c.Deal(street.number, burns=burns))
    plain = [c.Given(seat, place=place) for place in places for seat in seats]
    for at, marked in enumerate(plain):
        if marked.seat not in (seats[0], seats[-1]):
            continue
        marks = [replace(marked, **{mark: True}) for mark in ("is_skipped", "is_exposed", "is_off_table")]
        for wrong in ([marks[0]], [marked, marked], [marks[1]], [marks[2]]):
            for burns in (None, 2):
                yield Said(c.Deal(street.number, (*plain[:at], *wrong, *plain[at + 1 :]), burns=burns))


def early_deals(hand: Hand) -> Iterator[Said]:
    street = hand.next_street()
    is_open = hand.phase == "bet" and street is not None
    live = [player.seat for player in hand.players if player.is_live]
    number = street.number if street is not None else hand.game.hand_size
    for seats in (live[:1], live[-1:], live, [live[0], live[0]]):
        for burns in (None, 0):
            yield Said(c.DealTooSoon(number, tuple(c.Given(seat) for seat in seats), burns), is_open)


def actions(hand: Hand, seat: int) -> Iterator[Said]:
    """In turn and out of it: what the chips on the table allow."""
    player, is_turn = hand.seats[seat], hand.turn is not None and hand.to_act == seat
    can_act = hand.turn is not None and player.is_able and (is_turn or not (player.is_absent or seat in hand.held))
    owes, price = hand.owes_bring_in and seat == hand.named, hand.level - player.bet
    yield Said(c.Fold(seat), can_act and not owes)
    is_free = price <= 0 and not hand.owes_bring_in
    yield Said(c.Check(seat), can_act and is_free and (is_turn or not player.has_acted))
    yield Said(c.Call(seat), can_act and price > 0)
    yield Said(c.BringIn(seat), is_turn and hand.owes_bring_in)
    yield Said(c.TimeOut(seat), is_turn)
    sizes = hand.turn.sizes if hand.turn is not None and is_turn else ()
    yield Said(c.Wager(seat, sizes[-1] if sizes else None), bool(sizes))
    shows = hand.phase == "show" and player.is_live and not player.has_shown
    yield Said(c.Show(seat), shows)
    yield Said(c.Muck(seat), shows and hand.live > 1)


def has_posted_away(hand: Hand) -> bool:
    """Whether a lowcard who is away has posted the forced bet, and nobody has acted in turn."""
    has_posted, turn = False, 0
    for _, fact in mistakes.in_force(hand.facts):
        if isinstance(fact, play.RoundOpened):
            has_posted, turn = False, 0
        elif isinstance(fact, play.ActionOn):
            turn = fact.seat
        elif isinstance(fact, play.BringInPosted):
            has_posted = not turn
        elif isinstance(fact, play.Called | play.Wagered | play.Folded) and fact.seat == turn:
            has_posted = False
    return has_posted


def is_out_of_order(hand: Hand) -> bool:
    """Whether a burn, a number of cards or a name is wrong, counted by hand."""
    facts = [fact for _, fact in mistakes.in_force(hand.facts)]
    burned: Counter[int] = Counter()
    due = {s.number: int(s.is_burned_for and s.number in hand.rules.burns) for s in hand.game.streets}
    for fact in facts:
        if isinstance(fact, play.CardBurned):
            burned[fact.street] += 1
        elif isinstance(fact, mistakes.PrematurelyDealt):
            burned[fact.street] = 0
        elif isinstance(fact, mistakes.CardsPutRight):
            burned.update({street: due[street] - burned[street] for street in fact.streets})
    is_burned_wrong = any(burned[street] != due[street] for street in due if street <= hand.street)
    named = [fact.named for fact in facts if isinstance(fact, play.RoundOpened) and fact.street == STARTING]
    miscounted = [
        player.seat
        for player in hand.players
        if player.is_live
        and not player.is_ruled_live
        and len(player.cards) != min(hand.street + player.has_early_last_card, hand.game.hand_size)
    ]
    return is_burned_wrong or bool(hand.street and miscounted) or (bool(named) and named[0] != named[-1])


#: For every reason: when it is true, by the hand and the player named. Others are none that a dealer could act on.
TRUE_REASONS: dict[str, Callable[[Hand, SeatState], bool]] = {
    "betting-open": lambda hand, _: hand.awaits != "deal",
    "not-premature": lambda hand, _: hand.next_street() is None or hand.phase == "show" or hand.acts == 0,
    "nothing-wrong": lambda hand, _: not is_out_of_order(hand),
    "opener-known": lambda hand, _: hand.phase != "bet" or hand.street > STARTING or hand.acts > 0,
    "dead-hand": lambda hand, player: not player.is_live or not player.upcards,
    "no-last-card": lambda hand, player: (
        hand.street < hand.game.hand_size
        or not player.is_live
        or player.ups[-1:] != [False]
        or player.has_early_last_card
        or player.seat not in [seat for seat, _, _ in hand.street_cards]
    ),
    "no-order": lambda hand, player: not player.is_live or len(player.upcards) < 2,
    "no-declaring": lambda hand, player: not player.may_declare or hand.acts > 0 or bool(hand.held),
    "already-absent": lambda hand, player: player.is_absent,
    "not-absent": lambda hand, player: not player.is_absent,
    "no-action": lambda hand, _: hand.turn is None,
    "not-your-turn": lambda hand, player: hand.to_act != player.seat,
    "forced-bet": lambda hand, player: hand.owes_bring_in,
    "wager-open": lambda hand, player: hand.level > player.bet or hand.owes_bring_in,
    "nothing-to-call": lambda hand, player: hand.level <= player.bet,
    "no-bring-in": lambda hand, player: not hand.owes_bring_in,
    "no-wager": lambda hand, player: hand.to_act != player.seat or not (hand.turn and hand.turn.sizes),
    "which-size": lambda hand, player: hand.to_act != player.seat and len(hand.sizes) > 1,
    "no-showdown": lambda hand, _: hand.phase != "show",
    "nothing-to-show": lambda hand, player: not player.is_live or player.has_shown,
    "last-hand": lambda hand, _: hand.live == 1,
}


def play_if_allowed(hand: Hand, said: Said) -> Hand | None:
    """The hand after it; None when it was refused, for a reason that is true."""
    twin, refusal = hand.copy(), None
    try:
        twin.play(said.command)
    except IllegalAction as error:
        refusal = error
    if refusal is not None:
        told = f"{said.command}: {refusal.code}: {refusal.message}"
        assert not said.can_be, f"it happened and was refused: {told}"
        assert refusal.code in TRUE_REASONS, told
        player = hand.seats.get(getattr(said.command, "seat", 0))
        assert TRUE_REASONS[refusal.code](hand, player), f"refused, but not so: {told}"
        assert twin.facts == hand.facts
        return None
    if isinstance(said.command, c.NoticeMistake):
        assert any(isinstance(fact, play.Ruled) for fact in twin.facts[len(hand.facts) :])
    return twin


def check_goes_on(hand: Hand) -> None:
    """The hand goes on to its end, every card and chip in its place after every fact."""
    hand, steps = hand.copy(), 0
    while not hand.is_over:
        step(hand)
        assert (steps := steps + 1) <= 80
    Watch([1], allows_mistakes=True).saw(hand.facts)


@pytest.mark.parametrize("name", TABLES)
def test_what_happened_can_be_entered_at_every_moment_of_a_hand(name: str) -> None:
    refused = entered = 0
    for hand in moments(name):
        for said in everything(hand):
            after = play_if_allowed(hand, said)
            refused, entered = refused + (after is None), entered + (after is not None)
    assert min(entered, refused) > 100


@pytest.mark.parametrize("name", TABLES)
def test_it_can_be_entered_after_anything_else_that_happened(name: str) -> None:
    """At once, and a step later: the first goes wrong in any moment, the second in whatever that made of the hand."""
    chance = random.Random(name)
    for _ in range(FIRSTS):
        before = chance.choice(moments(name))
        hand = play_if_allowed(before, chance.choice([said for said in everything(before) if said.can_be]))
        assert hand is not None
        for is_later in (False, True):
            if is_later and not hand.is_over:
                step(hand)
            for second in [] if hand.is_over else everything(hand):
                after = play_if_allowed(hand, second)
                if after is not None and chance.random() < 0.1:
                    check_goes_on(after)


def test_the_walk_knows_every_command_a_dealer_has() -> None:
    met = {type(said.command).__name__ for hand in moments("home") for said in everything(hand)}
    assert met == {command.__name__ for command in c.Command.__subclasses__()} - {"Order", "Reverse"}
