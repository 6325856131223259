"""The API of hands: what programs read of them, and how they act in one."""

from typing import Annotated, Any

from cardroom.core.arguments import Chips, Limits, RowId
from cardroom.core.models import User
from cardroom.core.web import heavy
from cardroom.core.web.resources import Resource, addresses, does, reads
from games.play import hands, odds, own_hands
from games.play.pages import hand_shapes as shapes
from games.play.pages.hands import links
from games.tables.queries import history, shared
from games.tables.queries import tables as table_queries
from games.tables.queries.history import HandRow

MOST_SEQ = 2**31 - 1

Action = Annotated[str, Limits(choices=hands.ACTIONS)]
Amount = Annotated[
    Chips | None,
    Limits(
        allow_null=True,
        help_text="For a wager your total for the street; needed only where more than one size is open.",
    ),
]
SeenSeq = Annotated[
    int,
    Limits(min_value=0, max_value=MOST_SEQ, help_text="The last fact you had seen; 409 when the hand has moved on."),
]
After = Annotated[int, Limits(default=0, max_value=MOST_SEQ, help_text="The number of the last fact you have.")]


def hands_of_table(*, table_id: RowId, before: int | None, limit: int, by: Any) -> list[HandRow]:
    """The hands of a table that are over, newest first."""
    table_queries.check_may_watch(table_queries.table(table_id), by)
    return history.hands_at(table_id=table_id, viewer=by, before=before, limit=limit)


def read_hand(*, hand_id: RowId, by: Any) -> dict[str, Any]:
    """A hand up to now."""
    return shapes.view_of(history.hand_story(hand_id=hand_id, viewer=by))


def facts_of_hand(*, hand_id: RowId, after: After = 0, by: Any) -> dict[str, Any]:
    """The facts of a hand after this one."""
    return shapes.facts_data(hand_id, history.facts_for(hand_id=hand_id, viewer=by, after=after), after)


def odds_of_hand(*, hand_id: RowId, by: Any) -> list[odds.StreetEquity]:
    """The odds of each street of a hand."""
    return heavy.work(odds.by_street, history.hand_story(hand_id=hand_id, viewer=by))


def links_of_hand(*, hand_id: RowId, by: Any) -> dict[str, str]:
    """The addresses that share a hand."""
    return links(history.hand_story(hand_id=hand_id, viewer=by))


def read_shared_hand(*, word: str, by: Any) -> dict[str, Any]:
    """A hand that somebody shared."""
    return shapes.view_of(shared.shared_hand(word))


def odds_of_shared_hand(*, word: str, by: Any) -> list[odds.StreetEquity]:
    """The odds of each street of a hand that somebody shared."""
    return heavy.work(odds.by_street, shared.shared_hand(word))


def act(
    *,
    hand_id: RowId,
    action: Action,
    amount: Amount = None,
    expected_seq: SeenSeq,
    command_id: shapes.CommandId = "",
    by: User,
    key: str = "",
) -> shapes.HandReceipt:
    """Act in one's turn."""
    name = shapes.sent_command_id(command_id, key)
    receipt = hands.act(
        hand_id=hand_id, player=by, action=action, amount=amount, expected_seq=expected_seq, command_id=name
    )
    return shapes.HandReceipt(hand_id, receipt)


class OfHands(Resource):
    tags = ("hands",)


class HandsOfTable(OfHands):
    path = "tables/<id:table_id>/hands"
    get = reads(
        hands_of_table,
        name="hands",
        summary="The hands of a table",
        description="Those that are over, newest first.",
        answers=shapes.HandSummary,
        number=lambda row: row.number,
        is_public=True,
    )


class OneHand(OfHands):
    path = "hands/<id:hand_id>"
    get = reads(
        read_hand,
        name="hand",
        summary="A hand",
        description="As far as it got, and its result when it is over.",
        answers=shapes.HandView,
        is_public=True,
    )


class FactsOfHand(OfHands):
    path = "hands/<id:hand_id>/facts"
    get = reads(
        facts_of_hand,
        name="facts",
        summary="The facts of a hand",
        description="What happened, fact by fact; what you may not see of one is null in it.",
        answers=shapes.FACTS,
        is_public=True,
    )


class OddsOfHand(OfHands):
    path = "hands/<id:hand_id>/odds"
    get = reads(
        odds_of_hand,
        name="odds",
        summary="The odds of a hand",
        answers=shapes.StreetOdds,
        many=True,
        refuses=(409,),
        is_public=True,
    )


class LinksOfHand(OfHands):
    path = "hands/<id:hand_id>/links"
    get = reads(
        links_of_hand,
        name="hand_links",
        summary="Links that share a hand",
        answers=shapes.Links,
        refuses=(409,),
        is_public=True,
    )


class SharedHand(OfHands):
    path = "shared-hands/<str:word>"
    get = reads(read_shared_hand, name="shared_hand", summary="A shared hand", answers=shapes.HandView, is_public=True)


class OddsOfSharedHand(OfHands):
    path = "shared-hands/<str:word>/odds"
    get = reads(
        odds_of_shared_hand,
        name="shared_hand_odds",
        summary="The odds of a shared hand",
        answers=shapes.StreetOdds,
        many=True,
        is_public=True,
    )


class ActInHand(OfHands):
    path = "hands/<id:hand_id>/act"
    post = does(
        act,
        name="act",
        summary="Act on your turn",
        description="The `choices` of a hand's `turn` are what is legal. A command repeated under its name is safe.",
        answers=shapes.RECEIPT,
        shown=shapes.receipt_told,
        refuses=(409, 422),
    )


class MarkOfHand(Resource):
    path, tags = "me/hands/<id:hand_id>/mark", ("me",)
    patch = does(
        own_hands.mark,
        name="mark_hand",
        summary="Tag a hand, or note something about it",
        answers=shapes.Mark,
        refuses=(409,),
    )


api = addresses(
    [HandsOfTable, OneHand, FactsOfHand, OddsOfHand, LinksOfHand, SharedHand, OddsOfSharedHand, ActInHand, MarkOfHand]
)
