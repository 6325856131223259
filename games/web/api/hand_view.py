"""A hand as it stands, for one viewer: worked out from facts that came redacted, so there is nothing here to hide."""

from typing import Any

from games.engine.facts import ActionOn, HandShown, PotAwarded
from games.engine.hand import Hand
from games.selectors import HandStory

_ACTIONS = {"bet": "bet", "complete-to": "complete", "raise-to": "raise"}


def view_of(story: HandStory) -> dict[str, Any]:
    """The hand in the shape of `hand_serializers.HandView`."""
    facts = [fact for _, _, fact in story.facts]
    hand = Hand.replay(facts)
    shown = {fact.seat: fact for fact in facts if isinstance(fact, HandShown)}
    before = dict(hand.started.stacks)
    return {
        "id": story.id,
        "number": story.number,
        "table": {"id": story.table.pk, "name": story.table.name},
        "started_at": story.started_at,
        "ended_at": story.ended_at,
        "is_over": story.is_over,
        "seq": len(facts),
        "street": hand.street,
        "pot": hand.pot,
        "pots": [{"amount": amount, "seats": seats} for amount, seats in hand.pots],
        "common": hand.common,
        "dealer": hand.dealer,
        "your_seat": story.viewer_seat,
        "turn": turn_of(hand.turn) if hand.turn and hand.to_act else None,
        "seats": [
            {
                "number": seat,
                "name": sitter.name,
                "is_bot": sitter.is_bot,
                "stack_before": before[seat],
                "stack": hand.seats[seat].stack,
                "bet": hand.seats[seat].bet,
                "put_in": hand.seats[seat].total,
                "won": hand.seats[seat].won,
                "is_live": hand.seats[seat].is_live,
                "is_all_in": hand.seats[seat].is_all_in,
                "is_absent": hand.seats[seat].is_absent,
                "cards": _cards(hand, seat),
                "shown": {"five": shown[seat].five, "words": shown[seat].words} if seat in shown else None,
            }
            for seat, sitter in sorted(story.sitters.items())
        ],
        "awards": [
            {"pot": fact.pot, "seat": fact.seat, "amount": fact.amount, "share": fact.share, "odd": fact.odd}
            for fact in facts
            if isinstance(fact, PotAwarded)
        ],
        "drop": _drop(hand),
        "previous": story.previous_id,
        "next": story.next_id,
    }


def _drop(hand: Hand) -> dict[str, Any] | None:
    """What the house took; None while nothing was taken, or where it takes nothing."""
    taken = hand.drop
    if taken is None:
        return None
    return {"rake": taken.rake, "promo": taken.promo, "jackpot": taken.jackpot, "pots": taken.pots, "why": taken.why}


def _cards(hand: Hand, seat: int) -> list[dict[str, Any]]:
    player = hand.seats[seat]
    return [{"card": card, "is_up": is_up} for card, is_up in zip(player.cards, player.ups, strict=True)]


def turn_of(turn: ActionOn) -> dict[str, Any]:
    """Whose turn it is, and what `act` takes from that seat."""
    choices = []
    if turn.can_fold:
        choices.append(_choice("fold"))
    if turn.can_check:
        choices.append(_choice("check"))
    if turn.call:
        choices.append(_choice("call", chips=turn.call))
    if turn.bring_in:
        choices.append(_choice("bring-in", chips=turn.bring_in))
    if turn.verb:
        choices.append(_choice(_ACTIONS[turn.verb], amounts=turn.sizes, is_range=turn.is_range))
    if turn.can_declare_all_in:
        choices.append(_choice("declare-all-in"))
    return {"seat": turn.seat, "choices": choices}


def _choice(action: str, *, chips: int = 0, amounts: tuple[int, ...] = (), is_range: bool = False) -> dict[str, Any]:
    return {"action": action, "chips": chips, "amounts": amounts, "is_range": is_range}
