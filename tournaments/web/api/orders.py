"""What came of an order to an event, as it is told to programs."""

from typing import Any

from tournaments import journal
from tournaments.engine.facts import to_json
from tournaments.journal import Receipt

DIRECTORS = "For directors."
TABLES = "For directors, and for the floor and the dealers at the tables."


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
