"""A member's card as a PDF, to be printed at the desk."""

from django.conf import settings
from django.utils.translation import gettext
from reportlab.graphics.barcode import code128

from cardroom.accounts import members
from cardroom.core import access
from cardroom.core.documents import mm
from cardroom.core.errors import NotFound
from cardroom.core.models import User
from cardroom.core.paper import Paper

SIZE = (85.6 * mm, 54 * mm)  # as bank cards are


def card(*, player: User, by: User) -> bytes:
    """The valid card of a member as a PDF. For the desk.

    Refuses: `Forbidden`, `NotFound` (no member, or their card is lost).
    """
    access.require_role(by, *members.STAFF)
    member = members.member_of(player)
    valid_card = member.cards.filter(ended_at=None).first() if member else None
    if member is None or valid_card is None:
        raise NotFound("no-card", "The player has no valid card: issue one first.")
    paper = Paper(gettext("Card {number}").format(number=member.number), SIZE, margin=5 * mm)
    paper.line(settings.CARDROOM_NAME, paper.margin, 9 * mm, size=9, grey=True)
    paper.line(member.name, paper.margin, 17 * mm, size=14, bold=True)
    paper.line(player.username, paper.margin, 22.5 * mm, size=9)
    paper.line(member.number, paper.width - paper.margin, 22.5 * mm, size=11, bold=True, align="right", width=30 * mm)
    paper.bars(code128.Code128(valid_card.barcode, barHeight=16 * mm, barWidth=0.33 * mm, quiet=False), 27 * mm)
    paper.line(valid_card.barcode, paper.width / 2, 48 * mm, size=8, align="centre")
    return paper.done()
