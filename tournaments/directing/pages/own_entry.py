"""The forms by which players enter an event, unregister, re-enter and buy chips: on the flyer or at their table."""

import json
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext

from cardroom.core.errors import Refusal
from cardroom.core.sentences import filled
from cardroom.core.web.api.fields import NoBody
from cardroom.core.web.forms import PagePost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Page, went_to
from tournaments.directing.pages.entries import add_on, ask_for_rebuys, enter, re_enter, rebuy, unregister
from tournaments.events.models import Payment, TournamentEntry
from tournaments.events.pages import serializers as shapes
from tournaments.registration.pages.views import EVENT, event_of, flyer_page

State = TournamentEntry.State


def _flyer(request: HttpRequest, *, tournament_id: int, refusal: Refusal, typed: Any) -> HttpResponse:
    """A refusal is said in the box itself, with what was typed still there; asked from the table, it is said there."""
    row = event_of(request, tournament_id)
    if request.htmx:
        raise refusal
    return flyer_page(request, row, refusal=refusal, typed=typed.get("entry_code", ""))


FLYER = Page(EVENT, "tournament", _flyer, is_public=True)


class OwnForm(PagePost):
    """A form of a player's own, which asks for no second factor: nobody enters or pays by it as the desk would."""

    page = FLYER

    def typed(self, form: QueryDict) -> QueryDict:
        """The typed values for the user's own entry, whatever else is sent."""
        form.pop("entrant", None)
        return form

    def words(self, result: Any) -> str:
        """What the player is told."""
        raise NotImplementedError

    def done(self, request: HttpRequest, result: Any) -> HttpResponse:
        words = self.words(result)
        if request.htmx:
            return HttpResponse(status=204, headers={"HX-Trigger": json.dumps({"toast": {"message": words}})})
        return went_to(request, words, "tournament", request.resolver_match.kwargs["tournament_id"])


class OwnEnterForm(OwnForm):
    path, name, does = f"{EVENT}register/", "tournament_register", enter
    body = shapes.OwnEnterOrder

    def arguments(self, form: QueryDict, address: dict[str, Any]) -> dict[str, Any]:
        return super().arguments(form, address) | {"how": ""}

    def words(self, result: TournamentEntry) -> str:
        if result.state == State.ALTERNATE:
            waits = gettext("The tournament is full: you wait for a seat, with entry {number}.")
            return waits.format(number=result.number)
        return gettext("You are in, with entry {number}. Good luck.").format(number=result.number)


class OwnUnregisterForm(OwnForm):
    path, name, does = f"{EVENT}unregister/", "tournament_unregister", unregister

    def words(self, result: TournamentEntry) -> str:
        return gettext("You are unregistered and your payment is refunded.")


class OwnReEnterForm(OwnForm):
    path, name, does = f"{EVENT}re-enter/", "tournament_re_enter", re_enter
    body = shapes.OwnReEnterOrder

    def words(self, result: TournamentEntry) -> str:
        return gettext("You are in again, with entry {number}.").format(number=result.number)


class OwnRebuyForm(OwnForm):
    path, name, does, body = f"{EVENT}rebuy/", "tournament_rebuy", rebuy, NoBody

    def words(self, result: Payment) -> str:
        return filled(gettext("{chips:,} chips bought for {total:,}."), chips=result.chips, total=result.total)


class OwnAddOnForm(OwnForm):
    path, name, does, body = f"{EVENT}add-on/", "tournament_add_on", add_on, NoBody

    def words(self, result: Payment) -> str:
        return filled(gettext("{chips:,} chips are added, for {total:,}."), chips=result.chips, total=result.total)


class OwnAutomaticForm(OwnForm):
    path, name, does = f"{EVENT}automatic-rebuy/", "tournament_automatic_rebuy", ask_for_rebuys

    def words(self, result: dict[str, bool]) -> str:
        if result["on"]:
            return gettext("Automatic rebuy is on: when you lose your last chips, a rebuy is bought from your wallet.")
        return gettext("Automatic rebuy is off.")


urlpatterns = page_urls(
    [], forms=[OwnEnterForm, OwnUnregisterForm, OwnReEnterForm, OwnRebuyForm, OwnAddOnForm, OwnAutomaticForm]
)
