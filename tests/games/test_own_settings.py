"""What is done at a table for a player by itself, as they chose it: dealt in, chips added, a beaten hand shown."""

import pytest

from tests.support.evening import Evening
from tests.support.models import Ban, Notice, Seat, SeatMove
from tests.support.parts.cardroom import limits, look
from tests.support.parts.games import history_queries, table_journal
from tests.support.worlds import world


@world
def evening() -> Evening:
    evening = Evening()
    evening.ann, evening.bob = evening.sit("ann", 1), evening.sit("bob", 2)
    return evening


def lose_a_hand(evening: Evening, **wishes: str) -> int:
    """Ann folds the next hand, with these wishes; the chips that were added for her when it was over."""
    look.change_look(wishes=wishes, by=evening.ann)
    before = evening.stack(evening.ann)
    evening.deal()
    while evening.table.hand_id:
        may_fold = evening.to_act == evening.ann and evening.turn.can_fold
        evening.act("fold") if may_fold else evening.check_or_call()
    added = sum(topped(evening))
    assert evening.stack(evening.ann) < before + added
    return added


def topped(evening: Evening) -> list[int]:
    kind = SeatMove.Kind.TOPPED_UP
    return list(SeatMove.objects.filter(player=evening.ann, kind=kind).values_list("amount", flat=True))


def test_chips_are_added_after_a_hand_to_what_a_player_wants_to_have(evening, audited):
    wallet = evening.wallet(evening.ann)
    assert lose_a_hand(evening) == 0
    added = lose_a_hand(evening, refill="20", refill_when="less")
    assert (evening.stack(evening.ann), evening.wallet(evening.ann)) == (600, wallet - added)
    assert lose_a_hand(evening, refill="40", refill_when="half") > added, "below half of 1,200 it is filled up"
    assert evening.stack(evening.ann) == 1200
    assert len(topped(evening)) == 2
    lose_a_hand(evening, refill="40", refill_when="half")
    assert len(topped(evening)) == 2, "more than half is left"
    lose_a_hand(evening, refill="most", refill_when="less")
    assert evening.stack(evening.ann) == 1500


def short(chips: int) -> Evening:
    """Ann has two big bets before her, and `chips` beside them; bob has many."""
    evening = Evening(min_buy_in=60)
    evening.ann = evening.sit(evening.player("ann", chips + 60), 1, buy_in=60)
    evening.sit("bob", 2, buy_in=1500)
    return evening


def go_broke(evening: Evening) -> None:
    """Ann calls whatever bob bets, until a hand is over with nothing left to her."""
    for _ in range(20):
        evening.deal()
        while evening.table.hand_id:
            sizes = evening.turn.sizes if evening.to_act != evening.ann else ()
            evening.act("raise", sizes[0]) if sizes else evening.check_or_call()
        if evening.table.last_hand.stacks["1"] == 0:
            return
    raise AssertionError("ann never lost it all")


@pytest.mark.parametrize(
    ("why", "gets"),
    [
        ("they chose so", 600), ("nothing was chosen", 0), ("their own limit", 0), ("the wallet", 0),
        ("a ban online a moment ago", 0), ("a ban from the room", 600),
    ],
)  # fmt: skip
def test_an_automatic_refill_obeys_limits_bans_and_the_wallet(why, gets, audited):
    evening = short(40 if why == "the wallet" else 10_000)
    if why != "nothing was chosen":
        look.change_look(wishes={"refill": "20", "refill_when": "gone"}, by=evening.ann)
    if why == "their own limit":
        limits.request_limit(by=evening.ann, kind="loss-day", amount=600, now=evening.now)
    if "ban" in why:
        where, now = "online" if "online" in why else "room", evening.now
        Ban.objects.create(player=evening.ann, kind="house", where=where, reason="late", since=now, made_at=now)
    go_broke(evening)
    state = Seat.State.PLAYING if gets else Seat.State.SITTING_OUT
    assert (sum(topped(evening)), evening.stack(evening.ann), evening.seat(1).state) == (gets, gets, state)
    assert Notice.objects.filter(player=evening.ann, kind="own-limit").count() == (why == "their own limit")


def test_who_sits_down_is_dealt_in_or_waits_until_they_say_so():
    evening = Evening()
    ann, bob, cid = (evening.player(name) for name in ("ann", "bob", "cid"))
    look.change_look(wishes={"sit": "wait"}, by=ann)
    ann.refresh_from_db()
    for player in (ann, bob, cid):
        evening.sit(player)
    assert set(evening.deal().engine.seats) == {2, 3}
    assert (evening.seat(1).state, evening.stack(ann)) == (Seat.State.SITTING_OUT, 500)


def test_a_beaten_hand_is_shown_where_its_player_chose_so(evening):
    for player in (evening.ann, evening.bob):
        look.change_look(wishes={"muck": "show"}, by=player)
    hand = evening.deal().table.hand_id
    for viewer, told in ((evening.ann, (1,)), (evening.bob, (2,)), (None, ())):
        assert history_queries.facts_for(hand_id=hand, viewer=viewer)[0][1].shows_beaten == told
    evening.play_out()
    kinds = [fact.kind for fact in table_journal.facts(hand)]
    assert (kinds.count("hand-shown"), kinds.count("hand-mucked")) == (2, 0)
