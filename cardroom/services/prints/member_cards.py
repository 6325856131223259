"""A member's card: name, number, and the barcode that the desk and the kiosk scan."""

from reportlab.graphics.barcode import code128

from cardroom.models import User
from cardroom.services import access, cards
from cardroom.services.errors import NotFound
from cardroom.services.prints.paper import Paper, mm

__all__ = ["card"]

SIZE = (85.6 * mm, 54 * mm)  # as bank cards are


def card(*, player: User, by: User) -> bytes:
    """The good card of a member as a PDF. For the desk.

    Refuses: `Forbidden`, `NotFound` (no member, or their card is lost).
    """
    access.require_role(by, *cards.STAFF)
    member = cards.member_of(player)
    good = member.cards.filter(ended_at=None).first() if member else None
    if member is None or good is None:
        raise NotFound("The player has no card that is good: give them one first.", "no-card")
    paper = Paper(f"Card {member.number}", SIZE, margin=5 * mm)
    paper.line("Cardroom", paper.margin, 9 * mm, size=9, grey=True)
    paper.line(member.name, paper.margin, 17 * mm, size=14, bold=True)
    paper.line(player.username, paper.margin, 22.5 * mm, size=9)
    paper.line(member.number, paper.width - paper.margin, 22.5 * mm, size=11, bold=True, align="right", width=30 * mm)
    paper.bars(code128.Code128(good.barcode, barHeight=16 * mm, barWidth=0.33 * mm, quiet=False), 27 * mm)
    paper.line(good.barcode, paper.width / 2, 48 * mm, size=8, align="centre")
    return paper.done()
