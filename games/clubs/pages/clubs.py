"""The pages of clubs: to found and join them, with their tables, chat and leaderboard."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from cardroom.accounts import chat as house_chat
from cardroom.accounts.models import ChatLine
from cardroom.core.errors import Refusal
from cardroom.core.web.forms import PagePost, PlainPost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Context, Page, went_to
from cardroom.core.web.parts import part_of
from cardroom.office import chat as room_chat
from games.clubs import club_chat, founding, leaderboards, members, queries
from games.clubs.models import Club, ClubMember


def page(request: HttpRequest) -> Context:
    """The user's clubs, those they could join, and a form to found another."""
    words = request.GET.get("words", "")[:60]
    return {
        "mine": queries.clubs_of(request.user),
        "others": queries.joinable_by(request.user, words=words),
        "words": words,
        "ways": Club.Joining.choices,
    }


def one_club(request: HttpRequest, club_id: int) -> HttpResponse | Context:
    """A club: all of it for its members, for others what they need to join."""
    club, membership = queries.visible_club(club_id, request.user)
    is_in = membership is not None and membership.part in ClubMember.IN
    context: Context = {"club": club, "mine": membership, "is_in": is_in}
    if not is_in:
        return context
    period = request.GET.get("period", "")
    period = period if period in leaderboards.PERIODS else "week"
    return context | {
        "people": queries.people_now(club),
        "tables": queries.tables_of(club),
        "periods": leaderboards.PERIODS,
        "period": period,
        "standings": leaderboards.of_club(club, period, now=timezone.now()),
        "least": leaderboards.LEAST_OF_CLUB,
        "hands": queries.hands_of(club, request.user),
        "runs": membership is not None and membership.part in queries.ORGANISE,
        "chat": _chat(request, club_id),
        "asked": queries.others_of(club).filter(part=ClubMember.Kind.ASKED).count(),
    }


def _chat(request: HttpRequest, club_id: int) -> dict[str, Any] | None:
    if not house_chat.is_on():
        return None
    lines, address = queries.lines(club_id=club_id, reader=request.user), reverse("club_chat", args=[club_id])
    return room_chat.part(request, queries.place_of(club_id), lines, gettext("Chat of the club"), address, address)


def manage(request: HttpRequest, club_id: int) -> Context:
    """A club for its owner and organisers: requests, members, words, link, end."""
    club = queries.one(club_id)
    queries.require_part(club, request.user, *queries.ORGANISE)
    others = list(queries.others_of(club))
    return {
        "club": club,
        "link": request.build_absolute_uri(reverse("club_join", args=[club.word])),
        "ways": Club.Joining.choices,
        "owns": ClubMember.objects.get(club=club, player=request.user).part == ClubMember.Kind.OWNER,
        "people": queries.people_of(club),
        "asked": [other for other in others if other.part == ClubMember.Kind.ASKED],
        "removed": [other for other in others if other.part == ClubMember.Kind.REMOVED],
    }


def join(request: HttpRequest, word: str, refusal: Refusal | None = None, typed: Any = None) -> HttpResponse:
    """The page behind the link, for everybody; members go on to the club."""
    club = queries.by_word(word)
    is_known = request.user.is_authenticated and refusal is None
    if is_known and queries.people_of(club).filter(player=request.user).exists():
        return redirect("club", club_id=club.pk)
    return render(request, "games/clubs/join.html", {"club": club, "refusal": refusal})


@part_of("club", "club_id")
def lines(request: HttpRequest, club_id: int) -> HttpResponse:
    """The lines of the club's chat, which its page loads again and again."""
    queries.for_members(club_id, request.user)
    house_chat.check_on()
    return render(request, "cardroom/office/chat/_now.html", {"chat": _chat(request, club_id)})


CLUBS = Page("clubs/", "clubs", page, template="games/clubs/clubs.html", says_refusals=True)
CLUB = Page("clubs/<int:club_id>/", "club", one_club, template="games/clubs/club.html", says_refusals=True)
MANAGE = Page(
    "clubs/<int:club_id>/manage/", "club_manage", manage, template="games/clubs/manage.html", says_refusals=True
)
JOIN = Page("clubs/join/<slug:word>/", "club_join", join, is_public=True)
CHAT = Page("clubs/<int:club_id>/chat/", "club_chat", lines)


class FoundClubForm(PagePost):
    page, does = CLUBS, founding.found

    def done(self, request: HttpRequest, result: Club) -> HttpResponse:
        words = gettext("{made} is founded. Send its link to whom you want in it.").format(made=result.name)
        return went_to(request, words, "club_manage", result.pk)


class EditClubForm(PagePost):
    page, does, button, then = MANAGE, founding.edit, "edit", gettext_lazy("{0.name} is changed.")


class RenewLinkForm(PagePost):
    page, does, button, then = MANAGE, founding.renew_link, "link", gettext_lazy("This is the new link.")


class CloseClubForm(PagePost):
    page, does, button = MANAGE, founding.close, "close"

    def done(self, request: HttpRequest, result: Club) -> HttpResponse:
        return went_to(request, gettext("{made} is closed.").format(made=result.name), "clubs")


class GivePartForm(PagePost):
    page, does, button, then = MANAGE, members.give_part, "part", gettext_lazy("Done: {0}.")


class SilenceMemberForm(PagePost):
    page, does, button, then = MANAGE, members.silence, "silence", gettext_lazy("Done: {0}.")


class JoinClubForm(PagePost):
    page, does, button = CLUB, members.join, "join"

    def done(self, request: HttpRequest, result: ClubMember) -> HttpResponse:
        words = gettext("Welcome to {club}.")
        if result.part == ClubMember.Kind.ASKED:
            words = gettext("You asked to join {club}: an organiser answers.")
        return went_to(request, words.format(club=result.club), "club", result.club_id)


class JoinClubByLinkForm(JoinClubForm):
    page, does, button = JOIN, members.join_by_link, ""


class LeaveClubForm(PagePost):
    page, does, button = CLUB, members.leave, "leave"

    def done(self, request: HttpRequest, result: ClubMember) -> HttpResponse:
        return went_to(request, gettext("You are no longer in {club}.").format(club=result.club), "clubs")


class SayInClubForm(PlainPost):
    page, does = CHAT, club_chat.say

    def done(self, request: HttpRequest, result: ChatLine) -> HttpResponse:
        if request.htmx:
            return room_chat.field_again(request, result.place)
        return redirect("club", club_id=result.place.partition(":")[2])


urlpatterns = page_urls(
    [CLUBS, JOIN, CLUB, MANAGE, CHAT],
    forms=[
        FoundClubForm,
        EditClubForm,
        RenewLinkForm,
        CloseClubForm,
        GivePartForm,
        SilenceMemberForm,
        JoinClubForm,
        JoinClubByLinkForm,
        LeaveClubForm,
        SayInClubForm,
    ],
)
