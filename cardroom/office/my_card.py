"""A player's own card, and their visits."""

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy

from cardroom.accounts import members, visits
from cardroom.accounts.models import PlayerCard
from cardroom.accounts.sessions import open_now
from cardroom.core.errors import NotFound
from cardroom.core.models import User
from cardroom.core.web.forms import PagePost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Context, Page
from cardroom.core.web.resources import Resource, addresses, does, reads
from cardroom.office.players import MemberCard


def page(request: HttpRequest) -> Context:
    """The player's number and card, their visits, and where they are logged in."""
    now, member = timezone.now(), members.member_of(request.user)
    return {
        "member": member,
        "card": member.cards.first() if member else None,
        "visits": visits.with_minutes(request.user, now=now, limit=15),
        "sessions": open_now(now=now, user=request.user)[:20],
    }


MY_CARD = Page("me/card/", "my_card", page, template="cardroom/office/my_card.html", says_refusals=True)


def my_card(*, by: User) -> PlayerCard:
    """The last card. Refuses: `NotFound`."""
    member = members.member_of(by)
    card = member.cards.first() if member else None
    if card is None:
        raise NotFound("no-card", "You have no card: ask the desk for one.")
    return card


def report_lost(*, by: User) -> PlayerCard:
    """Refuses as `members.report_lost`."""
    return members.report_lost(player=by, by=by)


class ReportCardLostForm(PagePost):
    page, does = MY_CARD, report_lost
    then = gettext_lazy("Your card is no longer valid. Ask the desk for a new one.")


class MyCardResource(Resource):
    path, tags = "me/card", ("me",)
    get = reads(my_card, name="my_card", summary="Your card", answers=MemberCard, refuses=(404,))
    delete = does(
        report_lost, name="my_card_lost", summary="Report your card as lost", answers=MemberCard, refuses=(404,)
    )


api = addresses([MyCardResource])
urlpatterns = page_urls([MY_CARD], forms=[ReportCardLostForm])
