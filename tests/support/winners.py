"""Who should have won which pot: worked out from the cards once more, beside what the engine awarded."""

from collections.abc import Sequence

from games.engine.facts.play import DropTaken, HandKilled, HandMucked, PotAwarded, RoundClosed, ShowdownOpened
from tests.support.parts.stud import Hand, HandVoided


def check_winners(hand: Hand) -> None:
    """Each pot went to the best of the live hands that could win it, in shares that differ by the smallest chip at
    most; a pot shared by high and low by half each.

    Says nothing of a hand in which one was thrown away by choice, or killed, when it was shown.
    """
    awarded: dict[tuple[int, str], dict[int, int]] = {}
    pots: Sequence[tuple[int, tuple[int, ...]]] = ()
    is_shown = False
    for fact in hand.facts:
        is_by_choice = not isinstance(fact, HandMucked) or hand.started.is_hand_shown
        if isinstance(fact, RoundClosed):
            pots = fact.pots
        elif isinstance(fact, ShowdownOpened):
            is_shown = True
        elif isinstance(fact, DropTaken):
            pots = [(chips - given, seats) for (chips, seats), given in zip(pots, fact.pots, strict=False)]
        elif isinstance(fact, PotAwarded):
            awarded.setdefault((fact.pot, fact.share), {})[fact.seat] = fact.amount
        elif isinstance(fact, HandKilled | HandVoided | HandMucked) and (is_shown and is_by_choice):
            return
    if not awarded:
        return
    for place, (chips, seats) in enumerate(pots):
        parts = {share: shares for (pot, share), shares in awarded.items() if pot == place}
        assert sum(sum(shares.values()) for shares in parts.values()) == chips
        if len(seats) > 1:
            _check_parts(hand, seats, parts)


def _check_parts(hand: Hand, seats: Sequence[int], parts: dict[str, dict[int, int]]) -> None:
    unit = hand.started.unit
    for way in hand.game.ways:
        values = {seat: way.strength(_all_cards(hand, seat)) for seat in seats}
        strengths = {seat: value for seat, value in values.items() if value is not None}
        if not strengths:
            continue
        share = "whole" if len(parts) == 1 else "low" if way.is_low else "high"
        if share not in parts:  # a half of nothing: the odd chip of the pot was all there was
            continue
        best = [seat for seat, value in strengths.items() if value == max(strengths.values())]
        shares = parts[share]
        assert set(shares) <= set(best)
        assert max(shares.values()) - min(shares.values()) in (0, unit)
        assert len(shares) == min(len(best), sum(shares.values()) // unit)
    if len(parts) > 1:
        high, low = sum(parts["high"].values()), sum(parts["low"].values())
        assert high - low in (0, unit)


def _all_cards(hand: Hand, seat: int) -> list[str]:
    player = hand.seats[seat]
    return [card for card in (*player.cards, *hand.common_for(player)) if card is not None]
