"""The API of games on offer, and of the tables that are opened for them."""

from typing import Annotated, Any

from cardroom.core.arguments import Limits, RowId
from cardroom.core.models import User
from cardroom.core.web.resources import Resource, addresses, does, reads
from games.floor.pages import offer_shapes as shapes
from games.floor.pages.offers import SEES
from games.floor.pages.private_tables import room_table
from games.play import opening
from games.tables import offers
from games.tables.models.offers import Offer
from games.tables.models.tables import Table
from games.tables.queries import offers as queries

IsListed = Annotated[bool | None, Limits(help_text="Only those on offer, or only withdrawn ones.")]


def games_on_offer(*, is_listed: IsListed = None, is_physical: bool | None = None, by: Any) -> list[Offer]:
    """The games on offer and those that are withdrawn, in their order."""
    rows = queries.offers(is_listed=is_listed)
    return [row.offer for row in rows if is_physical in (None, row.offer.is_physical)]


def one_game(*, offer_id: RowId, by: Any) -> Offer:
    """A game on offer."""
    return queries.offer(offer_id)


def tables_of(*, offer_id: RowId, by: User) -> list[Table]:
    """The open tables of a game."""
    return queries.room_tables(offer_id=queries.offer(offer_id).pk)


class OfOffers(Resource):
    tags, scope = ("offers",), "manage"


class Offers(OfOffers):
    path = "offers"
    get = reads(
        games_on_offer, name="offers", summary="The games on offer", answers=shapes.OfferView, many=True, is_public=True
    )
    post = does(
        offers.create,
        name="create_offer",
        summary="Add a game",
        description="For managers.",
        body=shapes.OfferOrder,
        answers=shapes.OfferView,
        status=201,
        refuses=(404, 409),
    )


class OrderOfOffers(OfOffers):
    path = "offers/order"
    put = does(
        offers.reorder,
        name="order_offers",
        summary="Order the games on offer",
        description="For managers.",
        answers=shapes.OfferView,
        many=True,
    )


class OneOffer(OfOffers):
    path = "offers/<id:offer_id>"
    get = reads(one_game, name="offer", summary="A game on offer", answers=shapes.OfferView, is_public=True)
    patch = does(
        offers.edit,
        name="edit_offer",
        summary="Change a game on offer",
        description="For managers. Open tables keep their settings until they take the new ones up.",
        body=shapes.OfferEdit,
        answers=shapes.OfferView,
        refuses=(409, 422),
    )


class WithdrawOffer(OfOffers):
    path = "offers/<id:offer_id>/withdraw"
    post = does(
        offers.withdraw,
        name="withdraw_offer",
        summary="Withdraw a game; its open tables continue",
        description="For managers.",
        answers=shapes.OfferView,
        refuses=(409, 422),
    )


class RelistOffer(OfOffers):
    path = "offers/<id:offer_id>/relist"
    post = does(
        offers.relist,
        name="relist_offer",
        summary="Offer a withdrawn game again",
        description="For managers.",
        answers=shapes.OfferView,
        refuses=(409, 422),
    )


class TablesOfOffer(Resource):
    path, tags, scope = "offers/<id:offer_id>/tables", ("table life",), "direct"
    get = reads(
        tables_of,
        name="offer_tables",
        summary="The open tables of a game",
        description="For the staff.",
        answers=shapes.RoomTable,
        many=True,
        roles=(*SEES, "dealer", "cashier"),
    )
    post = does(
        opening.open_for,
        name="open_for",
        summary="Open a table for a game",
        description="For the floor and managers.",
        body=shapes.OpenTableOrder,
        answers=shapes.RoomTable,
        status=201,
        shown=room_table,
        roles=opening.ROLES,
        refuses=(409, 422),
    )


api = addresses([Offers, OrderOfOffers, OneOffer, WithdrawOffer, RelistOffer, TablesOfOffer])
