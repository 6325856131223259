"""Hands as files and as pictures."""

from functools import partial
from typing import Any

from django.conf import settings
from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone, translation
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from cardroom.core.documents import File
from cardroom.core.errors import Invalid, Verbatim
from cardroom.core.models import User
from cardroom.core.web import drawn, heavy
from cardroom.core.web.file_answers import file_answer
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Page
from cardroom.core.web.resources import Resource, addresses, reads
from games.engine.facts.mistakes import HandVoided
from games.engine.hand import Hand as Engine
from games.play.own_hands import HandSearch, choices
from games.play.pages import own_hands as own_pages
from games.play.pages import story as stories
from games.play.past import files, picture
from games.tables.queries import history, shared
from games.tables.queries.history import HandStory
from games.tables.queries.offers import game_name

_HOW_LONG = 24 * 60 * 60


def hand_file(request: HttpRequest, hand_id: int, form: str) -> HttpResponse:
    """The file of a hand that is over."""
    return file_answer(file_of_hand(hand_id=hand_id, form=form, by=request.user))


def my_hands_file(request: HttpRequest, form: str) -> HttpResponse:
    """The file of the hands that match the search on the page of the user's hands."""
    looked_for = own_pages.HandSearchForm(request.GET, offered=choices(request.user))
    if looked_for.errors:
        name, errors = next(iter(looked_for.errors.items()))
        raise Invalid("bad-query", Verbatim(f"{looked_for.fields[name].label or name}: {errors[0]}"))
    search, before = own_pages.search_of(looked_for), looked_for.cleaned_data.get("before")
    return file_answer(files.of_player(request.user, form, search, before=before))


@require_safe
def shared_picture(request: HttpRequest, word: str) -> HttpResponse:
    """The result of a shared hand as a picture, for previews of its link."""
    # In the room's own language and time zone for every reader: one link has one picture.
    with translation.override(settings.LANGUAGE_CODE), timezone.override(timezone.get_default_timezone()):
        story = shared.shared_hand(word)
        heavy.give_back()
        seen = scene(story)
    content = drawn.once(picture.key_of(seen), partial(picture.draw, seen))
    answer = HttpResponse(content, content_type="image/png", headers={"X-Robots-Tag": "noindex"})
    patch_cache_control(answer, public=True, max_age=_HOW_LONG)
    return answer


def scene(story: HandStory) -> picture.PictureScene:
    """The end of a hand as a scene, made from the facts that its viewer may see."""
    engine = Engine.replay(fact for _, _, fact in story.facts)
    is_void = isinstance(engine.facts[-1], HandVoided)
    pot = 0 if is_void else sum(seat.total for seat in engine.seats.values())
    return picture.PictureScene(
        title=story.title,
        game=f"{story.stakes} {game_name(story.started.game)}",
        pot=gettext("Pot {amount}").format(amount=intcomma(pot)),
        common=tuple(engine.common),
        seats=tuple(
            picture.PictureSeat(
                result.name,
                tuple(result.cards),
                result.five,
                result.net,
                result.ending,
                engine.seats[result.seat].won > 0,
            )
            for result in stories.results_of(story)
        ),
    )


def file_of_hand(*, hand_id: int, form: str, by: Any) -> File:
    """The file of a hand as the user may see it."""
    return files.of_hand(history.hand_story(hand_id=hand_id, viewer=by), form)


def file_of_own_hands(*, form: str, search: HandSearch, by: User) -> File:
    """The file of the user's hands that match the search."""
    return files.of_player(by, form, search)


PAGES = [
    Page("hands/<int:hand_id>/file/<slug:form>/", "hand_file", hand_file, is_public=True),
    Page("me/hands/file/<slug:form>/", "my_hands_file", my_hands_file),
]


class FileOfHand(Resource):
    path, tags = "hands/<id:hand_id>/file/<slug:form>", ("hands",)
    get = reads(
        file_of_hand,
        name="hand_file",
        summary="A hand as a file",
        description="phh, or txt as other rooms write it; cards that you may not see are ???? there.",
        media={"text/plain": ""},
        refuses=(409,),
        is_public=True,
        is_saved=True,
    )


class FileOfOwnHands(Resource):
    path, tags = "me/hands/file/<slug:form>", ("me",)
    get = reads(
        file_of_own_hands,
        name="my_hands_file",
        summary="Your hands as a file",
        description=f"phh, or txt; as you look for them, newest first, at most {files.MOST:,}.",
        query=own_pages.OwnHandsQuery,
        media={"text/plain": ""},
        is_saved=True,
    )


api = addresses([FileOfHand, FileOfOwnHands])
urlpatterns = [path("hands/shared/<str:word>.png", shared_picture, name="shared_hand_picture"), *page_urls(PAGES)]
