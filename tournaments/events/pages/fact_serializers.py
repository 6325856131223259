"""Facts of events, and what an order came to, as programs get them."""

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from cardroom.core.sentences import translated
from tournaments.engine import plain
from tournaments.events import journal as event_journal
from tournaments.events.playing import OrderReceipt


@extend_schema_serializer(component_name="EventFact")
class FactOfEvent(serializers.Serializer[Any]):
    """One thing that happened, with the data of its kind."""


class EventFacts(serializers.Serializer[Any]):
    tournament = serializers.IntegerField()
    seq = serializers.IntegerField(help_text="The number of the last one told: pass it as `after` for more.")
    last = serializers.IntegerField(help_text="The number of the last one there is.")
    facts = FactOfEvent(many=True)


class EventReceipt(serializers.Serializer[Any]):
    """What an order came to. A repeat under the same Idempotency-Key is answered alike."""

    tournament = serializers.IntegerField()
    seq = serializers.IntegerField(help_text="The event's last fact after it.")
    facts_from = serializers.IntegerField(help_text="The number of the first of these facts.")
    facts = FactOfEvent(many=True)


def receipt_told(receipt: OrderReceipt) -> dict[str, Any]:
    """In the shape of `EventReceipt`."""
    values, after = {"tournament": receipt.tournament, "seq": receipt.seq}, receipt.facts_from - 1
    facts = event_journal.facts(receipt.tournament, after=after, upto=receipt.seq) if receipt.seq > after else []
    return values | {"facts_from": receipt.facts_from, "facts": facts_told(facts, after)}


def facts_told(facts: Any, after: int) -> list[dict[str, Any]]:
    return [{"seq": seq, "kind": fact.kind, "data": _fact_fields(fact)} for seq, fact in enumerate(facts, after + 1)]


def _fact_fields(fact: Any) -> dict[str, Any]:
    """A fact as it stands in the journal, its label and its reason in the reader's language."""
    values = plain.to_plain(fact)
    return {name: translated(value) if isinstance(value, str) else value for name, value in values.items()}
