"""A street whose cards went to the wrong places, and each card put where it belongs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.engine.cards import is_known
from games.engine.errors import Said, counted
from games.engine.facts import base, mistakes, play
from games.engine.games import Street
from games.engine.in_play import HandInPlay
from games.engine.rules.card_counts import wrong_by_now
from games.engine.rules.exposed_cards import turned_up_too
from games.engine.rules.stub import burns_due, dealable, top_cards

#: What has no seat was burned.
BURNED = 0


def rounds(hand: HandInPlay) -> list[tuple[Street, ...]]:
    """The streets dealt so far; those without a round of betting between them are together."""
    together: list[tuple[Street, ...]] = []
    for street in hand.game.streets:
        if street.number > hand.street:
            break
        if together and not together[-1][-1].has_betting:
            together[-1] = (*together[-1], street)
        else:
            together.append((street,))
    return together


def wrong_burns(hand: HandInPlay) -> tuple[Street, ...]:
    """The newest streets dealt together for which too many or too few cards were burned; none if there are none. Where
    the deck ran short other burns than usual are right."""
    irregular: set[int] = set()
    is_short = False
    for _, fact in mistakes.in_force(hand.facts):
        if isinstance(fact, play.Ruled):
            is_short = is_short or fact.key == "deck_exhaustion"
        elif isinstance(fact, play.CardsDealt | play.CommonCardDealt | play.NoCardLeft):
            goes_round = isinstance(fact, play.CardsDealt) and len(fact.cards) > 0
            if is_short or not goes_round:
                irregular.add(fact.street)
    for streets in reversed(rounds(hand)):
        for street in streets:
            burned = hand.burn_counts.get(street.number, 0)
            if burned != burns_due(hand, street) and street.number not in irregular:
                return streets
    return ()


@dataclass(frozen=True, slots=True)
class StreetMistakes:
    """What is wrong with the cards of the street in play and can still be corrected. ``miscounted``: seats that were
    passed over or got too many; ``kept``: seats whose last card has been seen and stays; ``row``: all that left the
    stub for the street, in order."""

    streets: tuple[Street, ...]
    is_burned_wrong: bool
    miscounted: tuple[int, ...]
    kept: tuple[int, ...]
    row: tuple[base.DealtCard, ...]

    @property
    def moving(self) -> list[base.DealtCard]:
        """What has not been seen yet, burns among it."""
        return [dealt for dealt in self.row if dealt[0] not in self.kept]


def street_mistakes(hand: HandInPlay) -> StreetMistakes | None:
    """What can be corrected on the street in play; None when nothing is wrong with it, or it is too late: somebody has
    acted, the cards were mixed again, or everybody has seen the last card."""
    has_acted = hand.acts > 0 or bool(hand.held) or any(player.has_declared for player in hand.players)
    is_too_late = has_acted or hand.phase == "show" or hand.has_remixed or hand.street in hand.common_streets
    streets = rounds(hand)[-1] if hand.is_past_first_street else ()
    if is_too_late or not streets:
        return None
    row = tuple(_off_the_stub(hand, streets))
    cards_by_seat = Counter(seat for seat, _, _ in row)
    cards_per_seat = sum(len(street.ups) for street in streets)
    keeping = _seats_keeping_cards(hand, streets[-1], cards_by_seat)
    wrong = wrong_by_now(hand)
    stays = {*keeping, *_kept_early(hand, streets[-1])}
    miscounted = [
        seat for seat, count in wrong.items() if cards_by_seat[seat] - cards_per_seat == count and seat not in stays
    ]
    is_burned_wrong = wrong_burns(hand) == streets and any(seat not in (*keeping, BURNED) for seat in cards_by_seat)
    if not is_burned_wrong and not miscounted:
        return None
    return StreetMistakes(streets, is_burned_wrong, tuple(miscounted), keeping, row)


def _seats_keeping_cards(hand: HandInPlay, street: Street, cards_by_seat: Counter[int]) -> tuple[int, ...]:
    """The seats that have seen their last downcard, in the order of the deal."""
    if not street.has_last_downcard:
        return ()
    kept_when = hand.point("burn_error")["kept_when"]
    return tuple([p.seat for p in hand.players if cards_by_seat[p.seat] and p.last_card_seen in kept_when])


def _kept_early(hand: HandInPlay, street: Street) -> list[int]:
    """The seats to which no card of ``street`` is due: it came too soon, and they kept it."""
    return [player.seat for player in hand.players if street.is_last and player.has_early_last_card]


def _off_the_stub(hand: HandInPlay, streets: Sequence[Street]) -> Iterator[base.DealtCard]:
    """Burns and cards of ``streets`` in the order in which they left the stub, as they were corrected since."""
    numbers = [street.number for street in streets]
    row: list[base.DealtCard] = []
    dealing = 0
    for _, fact in mistakes.in_force(hand.facts):
        if isinstance(fact, play.CardBurned) and fact.street in numbers:
            row.append((BURNED, fact.card, False))
        elif isinstance(fact, mistakes.PrematurelyDealt) and fact.street in numbers:
            row.clear()  # that burn belongs to the cards that are out
        elif isinstance(fact, play.CardsDealt):
            dealing = fact.street
            if dealing in numbers:
                row += fact.cards
        elif isinstance(fact, mistakes.CardsPutRight) and dealing in numbers:
            moved = [seat for seat, _ in fact.given_up()]
            kept = [dealt for dealt in row if dealt[0] != BURNED and dealt[0] not in moved]
            row = [*[(BURNED, card, False) for card in fact.burned], *kept, *fact.cards]
    yield from row


@dataclass(frozen=True, slots=True)
class _MovedCards:
    """The cards of the row in their right places: the burns, the seats that get cards, the cards and whether each is
    face up, the cards that go back on the stub, and how many came off it."""

    burns: list[str | None]
    to: list[int]
    dealt: list[tuple[str | None, bool]]
    returned: list[str | None]
    taken: int


def _move_cards(hand: HandInPlay, street_faults: StreetMistakes) -> _MovedCards | None:
    """Every card where it belongs; kept ones step out of the row. None when the stub lacks the cards for it."""
    is_down = not street_faults.streets[-1].ups[-1]
    due = sum(burns_due(hand, street) for street in street_faults.streets)
    to = _receivers(hand, street_faults)
    row = [(card, (is_up if seat != BURNED else not is_down)) for seat, card, is_up in street_faults.moving]
    taken = max(0, due + len(to) - len(row))
    if taken > dealable(hand):
        return None
    row += [(card, not is_down) for card in top_cards(hand, taken)]
    burns, dealt, rest = row[:due], row[due : due + len(to)], row[due + len(to) :]
    return _MovedCards([card for card, _ in burns], to, dealt, [card for card, _ in rest], taken)


def cards_to_light(hand: HandInPlay) -> int:
    """How many cards come into play that nobody has named yet when the street is corrected."""
    street_faults = street_mistakes(hand)
    moved = _move_cards(hand, street_faults) if street_faults is not None else None
    return sum(not is_known(card) for card, _ in moved.dealt) if moved is not None else 0


def corrected_street(
    hand: HandInPlay, street_faults: StreetMistakes, named: Sequence[str]
) -> mistakes.CardsPutRight | None:
    """The street as it should be; None when the stub lacks the cards for it. ``named``: those of a physical deck that
    come to light.

    A last card that came face up stays so wherever it goes."""
    moved = _move_cards(hand, street_faults)
    if moved is None:
        return None
    faces = _with_named(hand, [card for card, _ in moved.dealt], named)
    cards = [(seat, card, is_up) for seat, card, (_, is_up) in zip(moved.to, faces, moved.dealt, strict=True)]
    if not street_faults.streets[-1].ups[-1]:
        turned = turned_up_too(hand, [(seat, is_up) for seat, _, is_up in cards])
        cards = [(seat, card, is_up or seat in turned) for seat, card, is_up in cards]
    gave_up = Counter(seat for seat, _, _ in street_faults.moving if seat != BURNED)
    return mistakes.CardsPutRight(
        tuple(moved.burns),
        tuple(cards),
        # Cards of a physical deck that go back are unknown again until the dealer names them.
        tuple([card if hand.deck is not None else None for card in reversed(moved.returned)]),
        moved.taken,
        tuple(gave_up.items()),
        tuple([street.number for street in street_faults.streets]),
    )


def _receivers(hand: HandInPlay, street_faults: StreetMistakes) -> list[int]:
    """The seats that get the cards of the row, one round after the other. A seat whose number of cards is right for
    another reason gets as many as it had got."""
    cards_per_seat = sum(len(street.ups) for street in street_faults.streets)
    share = Counter(seat for seat, _, _ in street_faults.moving if seat != BURNED)
    share.update({seat: cards_per_seat - share[seat] for seat in street_faults.miscounted})
    return [seat for place in range(max(share.values(), default=0)) for seat in hand.order if share[seat] > place]


def _with_named(hand: HandInPlay, row: list[str | None], named: Sequence[str]) -> list[str | None]:
    """``row`` with faces for those of its cards that nobody had seen."""
    unseen = [place for place, card in enumerate(row) if not is_known(card)]
    if len(named) > len(unseen):
        raise hand.refusal("nothing-to-name", nothing_to_name(len(unseen)), "burn_error")
    if hand.deck is None and len(named) < len(unseen):
        message = counted(
            len(unseen),
            "A card that nobody has named comes into play now: say which.",
            "{n} cards that nobody has named come into play now: say which.",
        )
        raise hand.refusal("name-the-card", message, "burn_error")
    hand.check_new_cards(named)
    faces = dict(zip(unseen, named, strict=False))
    return [faces.get(place, card) for place, card in enumerate(row)]


def nothing_to_name(count: int = 0) -> Said:
    """The refusal where the dealer names more cards than become known."""
    if not count:
        return Said("No card comes to light: name none.")
    return Said("Only {count} cards come to light: name no more.", count=count)
