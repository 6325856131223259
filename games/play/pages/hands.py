"""The pages of hands: those of a table, one that is over, and one that somebody shared."""

from contextlib import suppress

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from cardroom.core.errors import Invalid
from cardroom.core.web.forms import PagePost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Context, Page
from games.play import own_hands
from games.play.models import HandMark
from games.play.pages import own_hands as own_pages
from games.play.pages import sealed, story
from games.tables.queries import history as hand_queries
from games.tables.queries import shared as shared_hands
from games.tables.queries import tables as table_queries
from games.tables.queries.history import HandStory

HANDS_A_PAGE = 40


@require_safe
def hands_page(request: HttpRequest, table_id: int) -> HttpResponse:
    """The hands of a table that are over, newest first; `?before=` goes back."""
    before = request.GET.get("before", "")
    older_than = int(before) if before.isascii() and before.isdigit() and len(before) < 10 else None
    table = table_queries.table(table_id)
    table_queries.check_may_watch(table, request.user)
    rows = hand_queries.hands_at(table_id=table_id, viewer=request.user, limit=HANDS_A_PAGE, before=older_than)
    return render(
        request, "games/play/hands.html", {"table": table, "hands": rows, "is_full": len(rows) == HANDS_A_PAGE}
    )


def hand_page(request: HttpRequest, hand_id: int) -> HttpResponse | Context:
    """A finished hand as the viewer may see it; one that is being played is at its table."""
    hand = hand_queries.hand_story(hand_id=hand_id, viewer=request.user)
    if not hand.is_over:
        return redirect("table", hand.table.pk)
    context = story.page_context(hand) | {"sealed": sealed.sealed_context(request.user), "links": links(hand)}
    if hand.viewer_seat:
        context |= {"mark": own_hands.mark_of(request.user, hand_id), "longest_note": own_hands.LONGEST_NOTE}
    return context | _in_list(request, hand)


def _in_list(request: HttpRequest, hand: HandStory) -> Context:
    """The place of the viewer's hand in the list that the address describes."""
    if not (hand.viewer_seat and request.GET.keys() & own_pages.HandSearchForm.base_fields.keys()):
        return {}
    form = own_pages.HandSearchForm(request.GET, offered=own_hands.choices(request.user))
    if not (looked_for := own_pages.address_of(form)):
        return {}
    search = own_pages.search_of(form)
    with suppress(Invalid):  # where there is no such list, the hand is shown all the same
        return {"place": own_hands.place_of(request.user, hand.id, search), "looked_for": looked_for}
    return {}


def shared_page(request: HttpRequest, word: str) -> HttpResponse:
    """A shared hand, as the player who shared it sees it."""
    hand = shared_hands.shared_hand(word)
    picture = request.build_absolute_uri(reverse("shared_hand_picture", args=[word]))
    answer = render(request, "games/play/hand.html", story.page_context(hand) | {"shared": word, "picture": picture})
    answer["X-Robots-Tag"] = "noindex"
    return answer


def links(hand: HandStory) -> dict[str, str]:
    """The addresses by which anybody sees this hand as its viewer does, with the names of the players and without."""
    return {
        name: reverse("shared_hand", args=[shared_hands.link_of(hand, has_names=has_names)])
        for name, has_names in (("with_names", True), ("without_names", False))
    }


HAND = Page(
    "hands/<int:hand_id>/", "hand", hand_page, is_public=True, template="games/play/hand.html", says_refusals=True
)
SHARED = Page("hands/shared/<str:word>/", "shared_hand", shared_page, is_public=True)


class MarkHandForm(PagePost):
    page, does, path, name = HAND, own_hands.mark, "hands/<int:hand_id>/mark/", "mark_hand"

    def done(self, request: HttpRequest, result: HandMark) -> HttpResponse:
        """Back to the hand, in the list in which it was looked at."""
        answer = HAND.say(request, gettext("Your note is kept."), result)
        if request.GET and "Location" in answer:
            answer["Location"] += f"?{request.GET.urlencode()}"
        return answer


urlpatterns = [
    path("tables/<int:table_id>/hands/", hands_page, name="hands"),
    *page_urls([HAND, SHARED], forms=[MarkHandForm]),
    *sealed.urlpatterns,
]
