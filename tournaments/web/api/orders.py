"""A director's verb as a resource: POST, and what followed from it is the answer.

The service is asked as it stands: numbers in the address and fields of the body are its arguments by name, and the
Idempotency-Key is the name of the order.
"""

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.fields import Order
from cardroom.web.api.schema import refusals
from tournaments import journal
from tournaments.engine.facts import to_json
from tournaments.journal import Receipt
from tournaments.web.api import order_serializers as orders
from tournaments.web.api import serializers as shapes

DIRECTORS = "For directors."
TABLES = "For directors, and for the floor and the dealers at the tables."

Tags = tuple[str, ...]
#: What the service answered and the event's id -> the body of the answer.
Telling = Callable[[Any, int], Any]


def receipt_told(receipt: Receipt, tournament_id: int) -> dict[str, Any]:
    """In the shape of `serializers.EventReceipt`."""
    after = receipt.facts_from - 1
    facts = journal.facts(tournament_id, after=after, upto=receipt.seq) if receipt.seq > after else []
    return {
        "tournament": tournament_id,
        "seq": receipt.seq,
        "facts_from": receipt.facts_from,
        "facts": facts_told(facts, after),
    }


def facts_told(facts: Any, after: int) -> list[dict[str, Any]]:
    return [{"seq": seq, "kind": fact.kind, "data": to_json(fact)} for seq, fact in enumerate(facts, after + 1)]


def order(
    name: str,
    service: Callable[..., Any],
    summary: str,
    shape: type[Order] = orders.Directed,
    *,
    who: str = DIRECTORS,
    tells: Any = shapes.EventReceipt,
    telling: Telling = receipt_told,
    **given: Any,
) -> type[APIView]:
    """The view of one verb. `given`: arguments of the service that this resource stands for; `tells` and `telling`: the
    answer's shape, and how it is made of what the service returned."""

    @extend_schema(
        operation_id=f"event_{name.replace('-', '_')}",
        summary=summary,
        description=who,
        request=shape,
        parameters=[keys.PARAMETER],
        responses={200: tells} | refusals(409, 422),
    )
    def post(self: APIView, request: Request, tournament_id: int, **numbers: int) -> Response:
        said = shape.read(request)
        done = service(
            tournament_id=tournament_id,
            by=asker(request),
            command_id=keys.key_of(request),
            **numbers,
            **said,
            **given,
        )
        return Response(telling(done, tournament_id))

    return view_of(name, summary, post)


def view_of(
    name: str,
    summary: str,
    post: Any,
    *,
    scope: str | tuple[str, ...] = "direct",
    tags: tuple[str, ...] = ("directors",),
) -> Any:
    title = "".join(word.capitalize() for word in name.split("-"))
    return type(f"{title}View", (APIView,), {"__doc__": f"{summary}.", "tags": tags, "scope": scope, "post": post})
