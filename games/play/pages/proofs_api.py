"""The proofs of a hand's cards, and cuts of the next deck, for programs."""

from typing import Any

from rest_framework import serializers

from cardroom.core.arguments import RowId
from cardroom.core.web.api.fields import RequestBody, Text
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.resources import Resource, addresses, does, reads
from games.play import cutting, proofs
from games.tables.queries import history as hand_queries

_JSON = "application/json"
_HASH = r"[0-9a-f]{64}"


class ProvenCard(serializers.Serializer[Any]):
    """A card that you were shown."""

    card = serializers.CharField()
    position = serializers.IntegerField(help_text="In the deck as it was dealt, 0 the first card.")
    leaf = serializers.IntegerField(help_text="In the tree: where it lay before players cut.")
    salt = serializers.CharField()
    path = serializers.ListField(child=serializers.CharField(), help_text="The hashes beside it, up to the root.")


class Mixing(serializers.Serializer[Any]):
    """The second shuffle, of a hand whose deck ran short."""

    key = serializers.CharField()
    path = serializers.ListField(child=serializers.CharField())


class Proof(serializers.Serializer[Any]):
    """What `verify_deal.py` checks; it describes the scheme. Of cards that you were not shown it has the position and
    no more."""

    scheme = serializers.CharField()
    title = serializers.CharField()
    hand = serializers.IntegerField()
    seat = serializers.IntegerField(allow_null=True, help_text="The seat you were dealt into.")
    root = serializers.CharField(help_text="The commitment, of the hand's fact shuffle-committed.")
    was_told_before = serializers.BooleanField(help_text="Whether the hand before told it already.")
    cuts = serializers.ListField(help_text="(seat, hash of their words) of those who cut.")
    moves = serializers.ListField(child=serializers.DictField(), help_text="What came off the deck, in order.")
    cards = ProvenCard(many=True)
    mixing = Mixing(allow_null=True)


class CutOrder(RequestBody):
    """Your cut of the next deck."""

    root = serializers.RegexField(f"^{_HASH}$", help_text="`next_root` of the fact shuffle-committed: the deck.")
    words = Text(
        min_length=1, max_length=cutting.LONGEST,
        help_text="Anything that nobody can guess. Only its hash is kept: keep the words, to prove that they counted.",
    )  # fmt: skip


class CutOut(Shape):
    of = cutting.WaitingCut
    field_names = "table seat root cut"
    help_texts = {"cut": "The hash of your words, as the next hand will tell it."}


def proof_of_hand(*, hand_id: RowId, by: Any) -> dict[str, Any]:
    """The proof of the cards that they were shown."""
    return proofs.proof_of(hand_queries.hand_story(hand_id=hand_id, viewer=by))


class ProofOfHand(Resource):
    path, tags = "hands/<id:hand_id>/proof", ("hands",)
    get = reads(
        proof_of_hand,
        name="proof",
        summary="The proof of the cards of a hand",
        description="For the cards that you were shown, of a hand that is over. 404 for one that was dealt without a "
        "commitment. /verify_deal.py is the program that checks it.",
        answers=Proof,
        is_public=True,
        refuses=(409,),
    )


class SealedProof(Resource):
    path, tags, scope, asks_factor = "hands/<id:hand_id>/sealed/proof", ("floor",), "direct", True
    post = does(
        proofs.sealed_file,
        name="sealed_proof",
        summary="The proof of every card that was dealt",
        description="For an auditor with an open view, as sealed cards are; each look is recorded.",
        media={_JSON: ""},
        refuses=(409,),
    )


class CutOfTable(Resource):
    path, tags = "tables/<id:table_id>/cut", ("seats",)
    post = does(
        cutting.cut,
        name="cut",
        summary="Cut the next deck",
        description="The deck is committed to already, and your words turn it: neither the room nor you can choose "
        "what comes of it. Once for each deck, until it is dealt.",
        body=CutOrder,
        answers=CutOut,
        refuses=(409,),
    )


api = addresses([ProofOfHand, SealedProof, CutOfTable])
