"""Proofs of the cards of a hand that is over: for each card that a viewer saw, its position in the deck to which the
room had committed, its salt, and its path to the root. For no other card.

A proof is made from the facts as redacted for its viewer, so that it covers the cards they saw. Of the other cards it
has only the positions in the deck, which reveal nothing of their faces.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from cardroom.core.documents import File
from cardroom.core.errors import Conflict, NotFound
from cardroom.core.models import User
from games.engine.cards import is_known
from games.engine.facts import mistakes, play
from games.engine.facts.base import Cards, DealtCard, Fact
from games.engine.facts.mistakes import in_force
from games.engine.hand import Hand as Engine
from games.play import private
from games.play.shuffling import Opener, committed_in
from games.tables import journal as table_journal
from games.tables.queries import history as hand_queries
from games.tables.queries.history import HandStory


def is_committed(story: HandStory) -> bool:
    """Whether the shuffle of this hand was committed to."""
    return any(isinstance(fact, play.ShuffleCommitted) for _, _, fact in story.facts[:3])


def proof_of(story: HandStory) -> dict[str, Any]:
    """The proof for a viewer who sees the hand as `story` shows it; JSON-safe, as `verify_deal.py` reads it.

    Refuses: `Conflict` (the hand is being played), `NotFound` (it was dealt without a commitment). One query.
    """
    if not story.is_over:
        raise Conflict("hand-in-play", "Its cards can be proven when the hand is over.")
    proven = proof_from(table_journal.facts(story.id), [fact for _, _, fact in story.facts])
    if proven is None:
        raise NotFound("no-commitment", "This hand was dealt without a commitment to its shuffle.")
    return {"title": story.title, "hand": story.id, "seat": story.viewer_seat} | proven


def proof_from(whole: Sequence[Fact], redacted: Sequence[Fact]) -> dict[str, Any] | None:
    """The proof for a viewer who saw these redacted facts; None where the hand was dealt without a commitment."""
    committed, shuffled = committed_in(whole)
    if committed is None or shuffled is None or not shuffled.secret:
        return None
    opener = Opener(committed, shuffled)
    seen = seen_in(redacted)
    moves = list(_moves([fact for _, fact in in_force(whole)], opener.position_of, seen))
    return {
        "scheme": committed.scheme,
        "root": committed.root,
        "was_told_before": committed.was_told_before,
        "cuts": [list(cut) for cut in committed.cuts],
        "moves": moves,
        "cards": [opener.card(card) for card in sorted(seen, key=opener.position_of.__getitem__)],
        "mixing": opener.mixing() if any(move["what"] == "mixed" for move in moves) else None,
    }


def file_of(story: HandStory) -> File:
    """The proof as a file."""
    return File(f"hand-{story.id}-proof.json", "application/json", json.dumps(proof_of(story), indent=1).encode())


def sealed_file(*, hand_id: int, by: User) -> File:
    """The proof of every card that was dealt, for an auditor's open view. The look is recorded first. Refuses as
    `private.look` does."""
    whole = dict(private.look(hand_id=hand_id, by=by))
    story = hand_queries.hand_story(hand_id=hand_id, viewer=by)
    return file_of(replace(story, facts=[(seq, at, whole[seq]) for seq, at, _ in story.facts]))


def seen_in(facts: Iterable[Fact]) -> set[str]:
    """Every card whose face these facts show."""
    engine, seen = Engine(), set[str]()
    for fact in facts:
        engine.apply(fact)
        for cards in (*(player.cards for player in engine.players), engine.common, engine.burns, engine.set_aside):
            seen.update(card for card in cards if card is not None and is_known(card))
        seen.update(card for _, card, _ in engine.premature if card is not None and is_known(card))
    return seen


def _moves(facts: Sequence[Fact], position_of: dict[str, int], seen: set[str]) -> Iterator[dict[str, Any]]:
    """The moves of cards off the deck, in order; a card is named only where it was seen."""
    stub = sorted(position_of.values())
    for fact in facts:
        move = _move(fact, position_of, seen)
        if move is None:
            continue
        out = [position for _, position, _, _ in move.get("cards", ())] + move.get("positions", [])
        if move["what"] == "mixed":
            stub = out
        elif isinstance(fact, mistakes.CardsPutRight):
            move["were"] = sorted({*out, *move["back"]} - set(stub[: fact.taken]))
            stub = move["back"] + stub[fact.taken :]
        else:
            stub = [position for position in stub if position not in out]
        yield move


def _move(fact: Fact, position_of: dict[str, int], seen: set[str]) -> dict[str, Any] | None:
    def dealt(*cards: DealtCard) -> list[list[Any]]:
        return [[seat, position_of[card], card if card in seen else None, is_up] for seat, card, is_up in cards if card]

    def at(cards: Cards) -> list[int]:
        return [position_of[card] for card in cards if card]

    match fact:
        case play.CardsDealt(street, cards):
            return {"what": "dealt", "street": street, "cards": dealt(*cards)}
        case play.CardBurned(card):
            return {"what": "burned", "positions": at((card,))}
        case play.CommonCardDealt(card, street):
            return {"what": "common", "street": street, "cards": dealt((0, card, True))}
        case play.StubRemixed(stub):
            return {"what": "mixed", "positions": at(stub)}
        case mistakes.PrematurelyDealt(street, cards):
            return {"what": "too-soon", "street": street, "cards": dealt(*cards)}
        case mistakes.PrematureCardKept(seat=seat, card=card, is_up=is_up):
            return {"what": "kept", "cards": dealt((seat, card, is_up))}
        case mistakes.CardsEliminated(more):
            return {"what": "aside", "positions": at(more)}
        case mistakes.CardsPutRight(burned=burned, cards=cards, returned=returned, taken=taken):
            back = at(returned[::-1])
            return {
                "what": "put-right", "taken": taken, "back": back, "positions": at(burned), "cards": dealt(*cards)
            }  # fmt: skip
    return None
