"""Pages with the proof that the cards of a hand are those of the deck committed to, and the program that checks it."""

from pathlib import Path
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext

from cardroom.core.documents import File
from cardroom.core.web.file_answers import file_answer
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Context, Page
from games.play import proofs, verify_deal
from games.tables.queries import history as hand_queries
from games.tables.queries.history import HandStory


def check_page(request: HttpRequest, hand_id: int) -> HttpResponse | Context:
    """The commitment of the room before the hand, the cards that the viewer saw, and whether they agree."""
    hand = hand_queries.hand_story(hand_id=hand_id, viewer=request.user)
    if not hand.is_over:
        return redirect("table", hand.table.pk)
    if not proofs.is_committed(hand):
        return {"hand": hand}
    proof = proofs.proof_of(hand)
    return {"hand": hand, "proof": proof, "result": verify_deal.check(proof), "rows": _rows(hand, proof)}


def _rows(hand: HandStory, proof: dict[str, Any]) -> list[dict[str, Any]]:
    """The proven cards in the order of the deck, each with the player who got it."""
    seats: dict[str, int] = {}
    for move in proof["moves"]:
        seats |= {card: seat for seat, _, card, _ in move.get("cards", ()) if card}
    names = {seat: sitter.name for seat, sitter in hand.sitters.items()}
    rows = []
    for proven in proof["cards"]:
        seat = seats.get(proven["card"], 0)
        rows.append(
            {
                **proven,
                "mark": f"[{proven['card']}]",
                "seat": seat,
                "name": names.get(seat, gettext("Common card")),
                "is_yours": bool(seat) and seat == hand.viewer_seat,
            }
        )
    return rows


def proof_file(request: HttpRequest, hand_id: int) -> HttpResponse:
    """The proof as a file, to be checked at home."""
    return file_answer(proofs.file_of(hand_queries.hand_story(hand_id=hand_id, viewer=request.user)))


def verifier(request: HttpRequest) -> HttpResponse:
    """The program that checks proofs, the same that the room itself uses."""
    return file_answer(File("verify_deal.py", "text/x-python", Path(verify_deal.__file__).read_bytes()))


CHECK = Page("hands/<int:hand_id>/deal/", "deal_check", check_page, is_public=True, template="games/play/deal.html")
PAGES = [
    CHECK,
    Page("hands/<int:hand_id>/deal/proof.json", "deal_proof", proof_file, is_public=True),
    Page("verify_deal.py", "verify_deal", verifier, is_public=True),
]

urlpatterns = page_urls(PAGES)
