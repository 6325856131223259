"""Mistakes of the dealer that somebody points out, corrected while that is possible, and entries taken back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.engine import commands as c
from games.engine.cards import DECK, JOKER, is_known
from games.engine.errors import Said, counted
from games.engine.facts import base, mistakes, play
from games.engine.facts.play import opening_of
from games.engine.games import Street
from games.engine.in_play import HandInPlay
from games.engine.rules.betting import acts_after_forced_bet, acts_in_round, refresh_turn, settle_turn
from games.engine.rules.dealing import (
    after_deal,
    burns_due,
    dealable,
    is_killed_absent,
    open_betting,
    rule_on_last_cards,
    top_cards,
    turned_up_too,
)
from games.engine.rules.showdown import next_to_show
from games.engine.seat import SeatState

# -- how many cards a hand should hold -------------------------------------------------------------------------------


def due_by_now(hand: HandInPlay, player: SeatState) -> int:
    """How many cards of its own a hand of ``player`` should hold on the street in play."""
    later = [street for street in hand.game.streets if street.number > hand.street]
    if player.has_early_last_card:
        later = later[:-1]
    return hand.cards_due(player) - sum(len(street.ups) for street in later)


def wrong_by_now(hand: HandInPlay) -> dict[int, int]:
    """Cards too many, or below 0 too few, of every live hand that does not hold the right number."""
    if not hand.street:
        return {}
    live = [player for player in hand.players if player.is_live and not player.is_ruled_live]
    wrong = {player.seat: len(player.cards) - due_by_now(hand, player) for player in live}
    return {seat: count for seat, count in wrong.items() if count}


def is_too_late_for_misdeal(hand: HandInPlay) -> bool:
    """Whether third street is over, or as many have acted after the forced bet as the rulebook lets pass."""
    is_third_over = hand.is_past_first_street or (hand.is_on_first_street and hand.phase == "deal" and hand.acts > 0)
    acted = {seat for seat, _ in acts_after_forced_bet(hand)}
    return is_third_over or len(acted) >= hand.point("misdeal")["too_late_after"]


# -- a street's cards, each where it belongs -------------------------------------------------------------------------

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
    got = Counter(seat for seat, _, _ in row)
    each = sum(len(street.ups) for street in streets)
    kept = _kept(hand, streets[-1], got)
    wrong = wrong_by_now(hand)
    stays = {*kept, *_kept_early(hand, streets[-1])}
    miscounted = [seat for seat, count in wrong.items() if got[seat] - each == count and seat not in stays]
    is_burned_wrong = wrong_burns(hand) == streets and any(seat not in (*kept, BURNED) for seat in got)
    if not is_burned_wrong and not miscounted:
        return None
    return StreetMistakes(streets, is_burned_wrong, tuple(miscounted), kept, row)


def _kept(hand: HandInPlay, street: Street, got: Counter[int]) -> tuple[int, ...]:
    """The seats that have seen their last downcard, in the order of the deal."""
    if not street.has_last_downcard:
        return ()
    kept_when = hand.point("burn_error")["kept_when"]
    return tuple([p.seat for p in hand.players if got[p.seat] and p.last_card_seen in kept_when])


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
class _Moved:
    """The row moved up: the burns, to whom the cards go, the cards with how each lies, what goes back on the stub, how
    many came off it."""

    burns: list[str | None]
    to: list[int]
    dealt: list[tuple[str | None, bool]]
    returned: list[str | None]
    taken: int


def _moved(hand: HandInPlay, found: StreetMistakes) -> _Moved | None:
    """Every card where it belongs; kept ones step out of the row. None when the stub lacks the cards for it."""
    is_down = not found.streets[-1].ups[-1]
    due = sum(burns_due(hand, street) for street in found.streets)
    to = _receivers(hand, found)
    row = [(card, (is_up if seat != BURNED else not is_down)) for seat, card, is_up in found.moving]
    taken = max(0, due + len(to) - len(row))
    if taken > dealable(hand):
        return None
    row += [(card, not is_down) for card in top_cards(hand, taken)]
    burns, dealt, rest = row[:due], row[due : due + len(to)], row[due + len(to) :]
    return _Moved([card for card, _ in burns], to, dealt, [card for card, _ in rest], taken)


def cards_to_light(hand: HandInPlay) -> int:
    """How many cards that nobody has named come into play when the street is corrected."""
    found = street_mistakes(hand)
    moved = _moved(hand, found) if found is not None else None
    return sum(not is_known(card) for card, _ in moved.dealt) if moved is not None else 0


def corrected_street(hand: HandInPlay, found: StreetMistakes, named: Sequence[str]) -> mistakes.CardsPutRight | None:
    """The street as it should be; None when the stub lacks the cards for it. ``named``: those of a physical deck that
    come to light.

    A last card that came face up stays so wherever it goes."""
    moved = _moved(hand, found)
    if moved is None:
        return None
    faces = _with_named(hand, [card for card, _ in moved.dealt], named)
    cards = [(seat, card, is_up) for seat, card, (_, is_up) in zip(moved.to, faces, moved.dealt, strict=True)]
    if not found.streets[-1].ups[-1]:
        turned = turned_up_too(hand, [(seat, is_up) for seat, _, is_up in cards])
        cards = [(seat, card, is_up or seat in turned) for seat, card, is_up in cards]
    gave_up = Counter(seat for seat, _, _ in found.moving if seat != BURNED)
    return mistakes.CardsPutRight(
        tuple(moved.burns),
        tuple(cards),
        # What goes back of a physical deck has no face again, until whoever deals it names it.
        tuple([card if hand.deck is not None else None for card in reversed(moved.returned)]),
        moved.taken,
        tuple(gave_up.items()),
        tuple([street.number for street in found.streets]),
    )


def _receivers(hand: HandInPlay, found: StreetMistakes) -> list[int]:
    """To whom the row goes, one round after the other. A seat whose number is right for another reason gets as many
    cards as it had got."""
    each = sum(len(street.ups) for street in found.streets)
    share = Counter(seat for seat, _, _ in found.moving if seat != BURNED)
    share.update({seat: each - share[seat] for seat in found.miscounted})
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
    """What whoever named more cards than come to light is told."""
    if not count:
        return Said("No card comes to light: name none.")
    return Said("Only {count} cards come to light: name no more.", count=count)


# -- what somebody points out ----------------------------------------------------------------------------------------


def notice(hand: HandInPlay, command: c.Notice) -> bool:
    """Find what is wrong on the table and rule on it: first what can still be corrected, then what ends a hand, then
    whatever has to stand."""
    if not hand.started.is_hand_dealt:
        raise hand.refusal("automatic-dealer", "The automatic dealer makes no mistakes.")
    wrong = wrong_by_now(hand)
    found, low = street_mistakes(hand), lowcard_mistake(hand)
    if found is not None:
        put = corrected_street(hand, found, command.cards)
        if put is not None:
            return _rule_on_street(hand, found, put)
    if command.cards:
        raise hand.refusal("nothing-to-name", nothing_to_name(), "burn_error")
    is_last = hand.is_on_last_street
    too_many = [seat for seat, count in wrong.items() if count > 0 and is_last]
    if wrong and hand.is_on_first_street and not is_too_late_for_misdeal(hand):
        hand.rule("wrong_card_count", "misdeal", tuple(wrong))
        hand.void("misdeal")
    elif low is not None and low.can_be_corrected and not low.has_next_acted:
        return correct_lowcard(hand, low)
    elif too_many:
        return kill_for_count(hand, too_many)
    else:
        _rule_on_what_stands(hand, low, wrong)
    return False


def _rule_on_street(hand: HandInPlay, found: StreetMistakes, put: mistakes.CardsPutRight) -> bool:
    """The rulings for cards that go where they belong, then the cards, then the betting from its beginning."""
    if found.is_burned_wrong:
        if found.kept:
            hand.rule("burn_error", "kept", found.kept)
        hand.rule("burn_error", "corrected", tuple(dict.fromkeys(seat for seat, _, _ in put.cards)))
    if found.miscounted:
        hand.rule("wrong_card_count", "corrected", found.miscounted)
    hand.emit(put)
    exposed = [seat for seat, _, is_up in put.cards if is_up]
    last = found.streets[-1]
    if last.has_last_downcard and exposed:
        rule_on_last_cards(hand, exposed)
    return after_deal(hand)


def _rule_on_what_stands(hand: HandInPlay, low: LowcardMistake | None, wrong: Mapping[int, int]) -> None:
    """Every mistake for which it is too late: cards stay, wagers stand, the number of cards counts at the showdown."""
    burned = wrong_burns(hand)
    if not burned and low is None and not wrong:
        raise hand.refusal("nothing-wrong", "Nothing on the table is out of order.", "burn_error")
    if burned:
        is_now = burned[-1].number == hand.street
        seats = dict.fromkeys(seat for seat, _, _ in hand.street_cards) if is_now else ()
        hand.rule("burn_error", "kept", tuple(seats))
    if low is not None:
        hand.rule("wrong_lowcard", "stands", (low.named, low.true.seat))
    if wrong:
        hand.rule("wrong_card_count", "stands", tuple(wrong))


def kill_for_count(hand: HandInPlay, seats: Sequence[int]) -> bool:
    """Hands with too many cards are dead as soon as somebody points it out. Where every live one has, nobody can win
    and every chip goes back."""
    if len(seats) == hand.live:
        hand.rule("void_hand", "void", tuple(seats))
        hand.void("void")
        return False
    to_act = hand.to_act
    for seat in seats:
        hand.rule("wrong_card_count", "dead", (seat,))
        hand.emit(play.HandKilled(seat))
    if hand.phase == "show":
        next_to_show(hand)
        return False
    return settle_turn(hand, to_act) if hand.phase == "bet" and to_act in seats else refresh_turn(hand)


# -- a fouled deck ---------------------------------------------------------------------------------------------------


def declare_fouled(hand: HandInPlay, command: c.DeclareFouled) -> None:
    """A card is there twice, or one that belongs in no deck: the hand is void however far it has come."""
    if not hand.started.is_hand_dealt:
        raise hand.refusal("automatic-dealer", "The automatic dealer has every card once.", "fouled_deck")
    if command.card not in ("", JOKER, *DECK):
        raise hand.refusal("no-such-card", "{card!r} is not a card.", card=command.card)
    hand.emit(mistakes.DeckFouled(command.card))
    hand.rule("fouled_deck", "void", ())
    hand.void("fouled-deck")


# -- the lowcard -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LowcardMistake:
    """The seat that was named low, the one that is, and whether that can still be corrected: on third street, unless
    the true one has folded. ``has_next_acted``: somebody behind the wager has acted in turn. Who acts out of turn is
    not the next player."""

    named: int
    true: SeatState
    can_be_corrected: bool
    has_next_acted: bool


def lowcard_mistake(hand: HandInPlay) -> LowcardMistake | None:
    """Who was named low wrongly on third street; None when nobody was, or cards are unknown. The true one is the seat
    that the cards named first, be it away or dead."""
    if not hand.started.bring_in:
        return None
    named: list[int] = []
    folded: set[int] = set()
    for _, fact in mistakes.in_force(hand.facts):
        if isinstance(fact, play.Folded):
            folded.add(fact.seat)
        elif isinstance(fact, play.RoundOpened):
            if not hand.game.by_number[fact.street].is_first:
                break
            named.append(fact.named)
    if not named or named[0] == named[-1]:
        return None
    if not all(is_known(player.upcards[0]) for player in hand.players if player.upcards):
        return None
    is_open = hand.is_on_first_street and hand.phase == "bet"
    has_next_acted = any(was_in_turn for _, was_in_turn in acts_after_forced_bet(hand))
    return LowcardMistake(named[-1], hand.seats[named[0]], is_open and named[0] not in folded, has_next_acted)


def name_opener(hand: HandInPlay, command: c.NameOpener) -> bool:
    """The dealer names the lowcard, rightly or wrongly; or the opener that unknown upcards hide."""
    player = hand.check_seat(command.seat)
    if not hand.started.is_hand_dealt:
        raise hand.refusal("automatic-dealer", "This table names the opener by itself.")
    is_lowcard = hand.is_on_first_street and hand.phase == "bet" and (hand.owes_bring_in or _has_posted_unasked(hand))
    if hand.awaits != "opener" and not is_lowcard:
        message = Said("The cards show who opens. What another seat does first is entered as its action out of turn.")
        raise hand.refusal("opener-known", message, "later_opener")
    if not player.is_live and not (is_lowcard and is_killed_absent(hand, player)):
        raise hand.refusal(
            "dead-hand", "Seat {seat} is out of the hand and cannot open.", "later_opener", seat=command.seat
        )
    if not is_lowcard:
        return open_betting(hand, player)
    starts_for_dead = not hand.seats[hand.named].is_live and player.seat == hand.opener
    if player.seat != hand.named and not starts_for_dead:
        return _begin_anew(hand, player)
    return False


def _has_posted_unasked(hand: HandInPlay) -> bool:
    """Whether nobody has acted in turn on third street, and a lowcard who is away has posted the forced bet."""
    acts = acts_in_round(hand)
    return any(isinstance(act, play.BringInPosted) for act, _, _ in acts) and not any(in_turn for _, _, in_turn in acts)


def correct_lowcard(hand: HandInPlay, mistake: LowcardMistake) -> bool:
    """Every third-street wager goes back, not the antes, and the true lowcard must bet. What was done out of turn no
    longer binds."""
    hand.rule("wrong_lowcard", "corrected", (mistake.named, mistake.true.seat))
    return _begin_anew(hand, mistake.true)


def _begin_anew(hand: HandInPlay, opener: SeatState) -> bool:
    """Third street from its first wager, which ``opener`` owes."""
    for seat in sorted(hand.held):
        hand.emit(mistakes.ActionReleased(seat))
    for player in hand.players:
        if player.bet:
            hand.emit(play.BetReturned(player.seat, player.bet))
    return open_betting(hand, opener)


# -- entries taken back ----------------------------------------------------------------------------------------------

#: Cards came out, moved or were seen.
CARDS_MOVED = frozenset(
    {
        *("cards-dealt", "card-burned", "common-card-dealt", "stub-remixed", "prematurely-dealt"),
        *("premature-card-kept", "cards-eliminated", "cards-put-right", "hand-tabled", "hand-shown"),
    }
)
_ACTED = frozenset({"bring-in-posted", "checked", "called", "wagered", "folded", "timed-out"})


def reverse(hand: HandInPlay, command: c.Reverse) -> None:
    """Go back to fact ``upto``, unless a card stands in the way: what players have seen cannot be unseen."""
    if not hand.started.is_hand_dealt:
        raise hand.refusal("automatic-dealer", "At this table nothing is entered by a dealer.")
    opening = opening_of(hand.facts)
    if not opening <= command.upto or not any(seq > command.upto for seq, _ in mistakes.in_force(hand.facts)):
        raise hand.refusal("nothing-to-undo", "There is no entry to undo.")
    if _is_behind_a_card(hand, hand.facts[command.upto :]):
        raise hand.refusal("too-late-to-undo", "A card has come out since: that entry stands.")
    hand.emit(mistakes.EntryReversed(command.upto, command.reason))


def _is_behind_a_card(hand: HandInPlay, undone: Sequence[base.Fact]) -> bool:
    """Cards off the system's deck are out for good. Of a physical deck the entry that names them can be mended, and
    nothing before it."""
    has_acted = False
    for fact in undone:
        if fact.kind in CARDS_MOVED and (has_acted or hand.deck is not None):
            return True
        has_acted = has_acted or fact.kind in _ACTED
    return False
