"""Jackpots: their page for everybody, and the requests and decisions of staff. The API decides at `approvals`."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy

from cardroom.core import access, approvals
from cardroom.core.errors import Invalid, Refusal
from cardroom.core.models import Approval
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.forms import PagePost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Page, went_to
from cardroom.core.web.parts import part_of, whole_number_or_none
from cardroom.core.web.resources import Resource, addresses, does, reads
from games.engine.games import SEAT_NUMBERS
from games.rake import jackpot_growth, jackpot_hits, jackpots
from games.rake import queries as rake_queries
from games.rake.models.drops import Jackpot, JackpotHit, JackpotShare
from games.tables.models.tables import Table

_HITS = 30


class Share(Shape):
    of = JackpotShare
    field_names = "player=player.username seat part chips"
    help_texts = {"part": "loser, winner or table."}


class Hit(Shape):
    """A jackpot that was hit. Nothing is paid before a second person has approved it."""

    of = JackpotHit
    field_names = (
        "id jackpot=jackpot_id table=table_id hand=hand_id losing=losing_words winning=winning_words amount state"
        " approval=approval_id at shares"
    )
    help_texts = {"hand": "null at a table in the room.", "state": "waiting, paid or refused."}
    shares = Share(many=True)


class JackpotSummary(Shape):
    """A jackpot, and what a hit now would pay."""

    of = rake_queries.JackpotRow
    field_names = (
        "id=jackpot.pk name=jackpot.name state=jackpot.state chips claimed backup=in_backup"
        " least_hand=jackpot.least_hand least_hand_words=least least_downcards=jackpot.least_downcards"
        " least_players=jackpot.least_players seed=jackpot.seed backup_percent=jackpot.backup_percent"
        " loser_percent=jackpot.loser_percent winner_percent=jackpot.winner_percent table_percent"
        " loser_bonus=jackpot.loser_bonus winner_bonus=jackpot.winner_bonus table_bonus=jackpot.table_bonus"
        " growth=jackpot.growth growth_minutes=jackpot.growth_minutes"
    )
    help_texts = {
        "chips": "The chips a hit pays now.",
        "claimed": "Claimed by hits under review.",
        "backup": "The chips it starts again with.",
    }


class JackpotRequest(Shape):
    """A request that a second person has to decide: see `approvals`."""

    of = Approval
    field_names = "id words=said verdict"
    help_texts = {"verdict": "Empty while it waits."}


def jackpots_page(request: HttpRequest, *, refusal: Refusal | None = None, typed: Any = None) -> HttpResponse:
    """Jackpots, the hands that hit them and the latest hits; for staff also open requests and the forms."""
    if refusal is not None:
        messages.error(request, refusal.message)
    roles = access.roles_of(request.user)
    newest = rake_queries.hits()[:_HITS]
    context: dict[str, Any] = {
        "jackpots": rake_queries.rows(with_closed=bool(roles & {"manager", "auditor"})),
        "hits": newest,
        "waiting": [hit for hit in newest if hit.state == JackpotHit.State.WAITING],
        "is_manager": "manager" in roles,
        "is_floor": bool(roles & set(jackpot_hits.JACKPOT_ROLES)),
        "sees_waiting": bool(roles & {"floor", "manager", "auditor"}),
    }
    if context["sees_waiting"]:
        hittable = dict(Jackpot.objects.filter(state__in=jackpot_hits.PAYS).values_list("pk", "name"))
        tables = Table.objects.filter(
            is_physical=True, event="", state=Table.State.OPEN, drop__jackpot_name__in=hittable.values()
        )
        context |= {
            "hittable": hittable,
            "changes": Approval.objects.filter(what=jackpot_growth.CHANGE, verdict="")
            .select_related("asked_by")
            .order_by("pk"),
            "tables": tables.order_by("name")[:200],
            "seats": SEAT_NUMBERS,
            "least_hands": rake_queries.least_hands(),
            "whole": [
                (name, title, _USUAL[name], (typed or {}).get(name, "")) for name, title in jackpots.TITLES.items()
            ],
            "typed_seats": [number for number in SEAT_NUMBERS if typed and str(number) in typed.getlist("players")],
            "key": uuid4().hex,
            "typed": typed or {},
        }
    return render(request, "games/rake/jackpots.html", context)


_WHOLE = tuple(jackpots.WHOLE)
_USUAL = {name: Jackpot._meta.get_field(name).get_default() for name in _WHOLE}


@part_of("lobby")
def fragment(request: HttpRequest) -> HttpResponse:
    """The jackpots as the lobby shows them."""
    return render(request, "games/rake/_lobby.html", {"jackpots": rake_queries.rows()})


def rows(*, by: Any) -> list[rake_queries.JackpotRow]:
    """The jackpots, and what a hit now would pay."""
    return rake_queries.rows()


def one_row(*, jackpot_id: int, by: Any) -> rake_queries.JackpotRow:
    """A jackpot, which may be closed."""
    row = next((row for row in rake_queries.rows(with_closed=True) if row.jackpot.pk == jackpot_id), None)
    if row is None:
        raise Jackpot.not_found()
    return row


def hits(*, jackpot_id: int, before: int | None, limit: int, by: Any) -> list[JackpotHit]:
    """The hits of a jackpot, the newest first."""
    if not Jackpot.objects.filter(pk=jackpot_id).exists():
        raise Jackpot.not_found()
    rows = rake_queries.hits(jackpot_id=jackpot_id)
    return list((rows.filter(pk__lt=before) if before is not None else rows)[:limit])


JACKPOTS = Page("jackpots/", "jackpots", jackpots_page, is_public=True)
FRAGMENT = Page("jackpots/fragment/", "jackpots_fragment", fragment, is_public=True)


class ChangeJackpotForm(PagePost):
    page, does, path, name = JACKPOTS, jackpots.ask, "jackpots/change/", "jackpot_change"
    then = gettext_lazy("Request sent: it takes effect after approval.")

    def of_request(self, request: HttpRequest) -> Mapping[str, Any]:
        """The chosen jackpot; None: a new one."""
        typed = request.POST.get("jackpot_id", "").strip()
        number = whole_number_or_none(typed)
        if typed and (number is None or number < 1):
            raise Invalid("bad-number", "Choose one.")
        return {"jackpot_id": number}


class ReportHitForm(PagePost):
    page, does, path, name = JACKPOTS, jackpot_hits.propose, "jackpots/hit/", "jackpot_hit"
    then = gettext_lazy("Hit recorded: it is paid after approval.")

    def typed(self, form: QueryDict) -> QueryDict:
        """Cards may be typed with spaces between them."""
        if not form.get("jackpot_id", "").strip():
            raise Invalid("bad-form", "Choose a jackpot.")
        for field in ("losing", "winning"):
            form[field] = "".join(form.get(field, "").split())
        return form


class DecideJackpotForm(PagePost):
    """The decision of an approval, which the API takes at `approvals`."""

    page, does, path, name, asks_factor = JACKPOTS, approvals.decide, "jackpots/decide/", "jackpot_decide", True
    roles = jackpots.ROLES

    def typed(self, form: QueryDict) -> QueryDict:
        if not form.get("approval_id", "").strip():
            raise Invalid("bad-form", "Choose one.")
        return form

    def done(self, request: HttpRequest, result: Approval) -> HttpResponse:
        pattern = gettext("{words}: {verdict}.")
        words = pattern.format(words=result.said, verdict=result.get_verdict_display())
        return went_to(request, words, "jackpots")


class OfJackpots(Resource):
    tags = ("jackpots",)


class Jackpots(OfJackpots):
    path, scope = "jackpots", "manage"
    get = reads(rows, name="jackpots", summary="Jackpots", answers=JackpotSummary, many=True, is_public=True)
    post = does(
        jackpots.ask,
        name="ask_for_jackpot",
        summary="Request a new jackpot",
        description="It is live, with its seed, after approval.",
        answers=JackpotRequest,
        status=202,
        refuses=(409, 422),
    )


class OneJackpot(OfJackpots):
    path, scope = "jackpots/<id:jackpot_id>", "manage"
    get = reads(one_row, name="jackpot", summary="A jackpot", answers=JackpotSummary, is_public=True)
    post = does(
        jackpots.ask,
        name="ask_to_change_jackpot",
        summary="Request a change of a jackpot",
        description="New terms, chips added by the house, or its end; it takes effect after approval.",
        answers=JackpotRequest,
        status=202,
        refuses=(409, 422),
    )


class JackpotHits(OfJackpots):
    path, scope = "jackpots/<id:jackpot_id>/hits", "direct"
    get = reads(hits, name="jackpot_hits", summary="Hits of a jackpot", answers=Hit, is_public=True)
    post = does(
        jackpot_hits.propose,
        name="report_jackpot_hit",
        summary="Report a hit at a table in the room",
        description="Hits at tables dealt by the system are found automatically.",
        answers=Hit,
        status=202,
        refuses=(409, 422),
    )


api = addresses([Jackpots, OneJackpot, JackpotHits])
urlpatterns = page_urls([JACKPOTS, FRAGMENT], forms=[ChangeJackpotForm, ReportHitForm, DecideJackpotForm])
