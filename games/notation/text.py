"""A hand as plain text, like the hand histories of other rooms, which players and their programs know.

It is made from facts that are redacted for its reader: a hidden card of the reader's own is written as "??", hidden
cards of others are left out.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from games.engine.facts import base, mistakes, play
from games.engine.games import GAMES
from games.engine.hand import Hand
from games.engine.seat import SeatState
from games.notation.events import EventDetails, roman

_TITLES = {
    "seven-card-stud": "7 Card Stud", "stud-eight": "7 Card Stud Hi/Lo", "razz": "Razz",
    "mississippi-stud": "Mississippi Stud",
}  # fmt: skip
_LIMITS = {"fixed-limit": "Limit", "spread-limit": "Spread Limit", "pot-limit": "Pot Limit", "no-limit": "No Limit"}
_STREETS = {3: "3rd STREET", 4: "4th STREET", 5: "5th STREET", 6: "6th STREET", 7: "RIVER"}


def hand_as_text(
    facts: Sequence[base.Fact],
    names: Mapping[int, str],
    *,
    number: int,
    table: str,
    at: datetime,
    seats: int,
    event: EventDetails | None = None,
) -> str:
    """The hand as text. `number`: of the hand in the whole room; `names`: by seat; `at`: when it began; `seats`: of the
    table; `event`: the one that it was played in.

    Raises `ValueError` for facts of no hand.
    """
    kept_facts = [fact for _, fact in mistakes.in_force(facts)]
    if not kept_facts or not isinstance(kept_facts[0], play.HandStarted):
        raise ValueError("a hand begins with its hand-started fact")
    start = kept_facts[0]
    bets = (start.small_bet, start.big_bet) if start.small_bet else (start.min_bet, start.max_bet)
    stakes = "/".join(map(str, filter(None, bets)))
    game = f"{_TITLES.get(start.game, GAMES[start.game].title)} {_LIMITS[start.structure]}"
    what = f"{game} ({stakes})"
    if event is not None:
        level = f"Level {roman(event.level)} " if event.level else ""
        what = f"Tournament #{event.number}, {event.buy_in} {game} - {level}({stakes})"
        table = f"{event.number} {event.table}"
    lines = [
        f"Cardroom Hand #{number}: {what} - {at:%Y/%m/%d %H:%M:%S} {at.tzname() or ''}".rstrip(),
        f"Table '{table}' {seats}-max",
        *(f"Seat {seat}: {names[seat]} ({chips} in chips)" for seat, chips in start.stacks),
    ]
    hand = Hand()
    for fact in kept_facts:
        lines += _lines_of(hand, fact, names)
        hand.apply(fact)
    return "\n".join([*lines, *_summary(hand, kept_facts, names)]) + "\n"


def _lines_of(hand: Hand, fact: base.Fact, names: Mapping[int, str]) -> Iterable[str]:
    """The lines of one fact, `hand` being as it was before it."""
    who = names[fact.seat] if isinstance(getattr(fact, "seat", None), int) and fact.seat in names else ""  # type: ignore[attr-defined]
    match fact:
        case play.AntesPosted():
            return [f"{names[seat]}: posts the ante {chips}" for seat, chips in fact.antes if chips]
        case play.CardsDealt():
            return [f"*** {_STREETS[fact.street]} ***", *_dealt(hand, fact, names)]
        case play.CommonCardDealt():
            return [f"*** {_STREETS[fact.street]} *** {_cards([fact.card])}"]
        case play.BringInPosted():
            return [f"{who}: brings in for {fact.amount}{_all_in(hand, fact.seat, fact.amount)}"]
        case play.Checked():
            return [f"{who}: checks"]
        case play.Folded():
            return [f"{who}: folds"]
        case play.HandKilled():
            return [f"{who}: hand is dead"]
        case play.Called():
            return [f"{who}: calls {fact.amount}{_all_in(hand, fact.seat, fact.amount)}"]
        case play.Wagered():
            by = fact.to - hand.level
            verb = f"raises {by} to {fact.to}" if hand.level else f"bets {fact.to}"
            return [f"{who}: {verb}{_all_in(hand, fact.seat, fact.amount)}"]
        case play.BetReturned():
            return [f"Uncalled bet ({fact.amount}) returned to {who}"]
        case play.ShowdownOpened():
            return ["*** SHOW DOWN ***"]
        case play.HandShown():
            return [f"{who}: shows {_cards(fact.cards)} ({fact.made.replace('low:', 'LO:')})"]
        case play.HandMucked():
            return [f"{who}: mucks hand"]
        case play.PotAwarded():
            pot = f"side pot-{fact.pot}" if fact.pot else "pot"
            return [f"{who} collected {fact.amount} from {pot}"]
        case mistakes.HandVoided():
            return ["Hand cancelled: every chip goes back"]
    return []


def _dealt(hand: Hand, fact: play.CardsDealt, names: Mapping[int, str]) -> Iterable[str]:
    """A line for each seat: in brackets the cards that it had, in a second pair those that it gets; only visible
    cards."""
    gets: dict[int, list[str | None]] = {}
    for seat, card, _ in fact.cards:
        gets.setdefault(seat, []).append(card)
    for seat, cards in gets.items():
        had = [card for card in hand.seats[seat].cards if card]
        new = [card for card in cards if card]
        if new and hand.seats[seat].is_live:
            yield f"Dealt to {names[seat]} {' '.join(_cards(part) for part in (had, new) if part)}"


def _all_in(hand: Hand, seat: int, chips: int) -> str:
    return " and is all-in" if hand.seats[seat].stack == chips else ""


def _cards(cards: Iterable[str | None]) -> str:
    return f"[{' '.join(card or '??' for card in cards)}]"


def _summary(hand: Hand, facts: Sequence[base.Fact], names: Mapping[int, str]) -> Iterable[str]:
    is_void = isinstance(facts[-1], mistakes.HandVoided)
    pot = 0 if is_void else sum(seat.total for seat in hand.seats.values())
    shown = {fact.seat: fact.made for fact in facts if isinstance(fact, play.HandShown)}
    mucked = {fact.seat for fact in facts if isinstance(fact, play.HandMucked)}
    yield "*** SUMMARY ***"
    yield f"Total pot {pot} | Rake {hand.drop.total if hand.drop else 0}"
    if hand.common:
        yield f"Board {_cards(hand.common)}"
    for number, seat in sorted(hand.seats.items()):
        fate = "has every chip back" if is_void else _fate(seat, shown.get(number), number in mucked)
        yield f"Seat {number}: {names[number]} {fate}"


def _fate(seat: SeatState, words: str | None, has_mucked: bool) -> str:
    if words is not None:
        how = f"won ({seat.won})" if seat.won else "lost"
        return f"showed {_cards(seat.cards)} and {how} with {words}"
    if seat.won:
        return f"collected ({seat.won})"
    return "mucked" if has_mucked else "folded"
