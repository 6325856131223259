"""Tables, games and events that a player marked with a star: they come first in the lobby."""

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from cardroom.core.models import User
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.forms import PlainPost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Page
from cardroom.core.web.resources import Resource, addresses, does, reads
from games.tables import favourites
from games.tables.models.offers import Favourite


class FavouriteOut(Shape):
    """What you marked with a star."""

    of = Favourite
    field_names = "kind number"


def page(request: HttpRequest) -> HttpResponse:
    """The lobby, with favourites only."""
    return redirect(f"{reverse('lobby')}?starred=1")


PAGE = Page("me/favourites/", "favourites", page)


class MarkFavouriteForm(PlainPost):
    page, does = PAGE, favourites.mark

    def done(self, request: HttpRequest, result: Favourite) -> HttpResponse:
        if not request.htmx:
            return redirect("lobby")
        name = request.POST.get("name", "")[:120]
        star = {"kind": result.kind, "number": result.number, "name": name, "is_marked": result.pk is not None}
        return render(request, "games/floor/_star.html", star)


def own_favourites(*, by: User) -> QuerySet[Favourite]:
    """The user's favourites."""
    return Favourite.objects.filter(player=by).order_by("kind", "number")


class Favourites(Resource):
    path, tags = "me/favourites", ("me",)
    get = reads(own_favourites, name="favourites", summary="Your favourites", answers=FavouriteOut, many=True)
    put = does(
        favourites.mark,
        name="mark_favourite",
        summary="Mark a table, a game or an event with a star",
        description="They come first in the lobby; a quick seat prefers them.",
        answers=FavouriteOut,
        refuses=(404, 409),
    )


api = addresses([Favourites])
urlpatterns = page_urls([PAGE], forms=[MarkFavouriteForm])
