"""Jackpots: what everybody may know, and what staff asks for and decides; programs decide at `approvals`. See
`cardroom.core.web.operations`.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from cardroom.cage.serializers import DecisionOrder
from cardroom.core import access, approvals
from cardroom.core.errors import NotFound, Refusal
from cardroom.core.models import Approval, User
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Chips, Flag, Order, Text, WholeNumber
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.operations import Form, Operation, Page, Read
from cardroom.core.web.parts import part_of
from games.engine.games import MOST_SEATS, SEAT_NUMBERS
from games.rake import jackpots
from games.rake import queries as rake_queries
from games.rake.models.drops import Jackpot, JackpotHit, JackpotShare
from games.tables.models.tables import Table

_HITS = 30


class Share(Shape):
    of = JackpotShare
    shows = "player=player.username seat part chips"
    says = {"part": "loser, winner or table."}


class Hit(Shape):
    """A jackpot that was hit. Nothing is paid before a second person has approved it."""

    of = JackpotHit
    shows = (
        "id jackpot=jackpot_id table=table_id hand=hand_id losing=losing_words winning=winning_words amount state"
        " approval=approval_id at shares"
    )
    says = {"hand": "null at a table in the room.", "state": "waiting, paid or refused."}
    shares = Share(many=True)


class JackpotOut(Shape):
    """A jackpot, and what a hit now would pay."""

    of = rake_queries.JackpotRow
    shows = (
        "id=jackpot.pk name=jackpot.name state=jackpot.state chips claimed backup=in_backup"
        " least_hand=jackpot.least_hand least_hand_words=least least_downcards=jackpot.least_downcards"
        " least_players=jackpot.least_players seed=jackpot.seed backup_percent=jackpot.backup_percent"
        " loser_percent=jackpot.loser_percent winner_percent=jackpot.winner_percent table_percent"
        " loser_bonus=jackpot.loser_bonus winner_bonus=jackpot.winner_bonus table_bonus=jackpot.table_bonus"
        " growth=jackpot.growth growth_minutes=jackpot.growth_minutes"
    )
    says = {
        "chips": "The chips a hit pays now.",
        "claimed": "Claimed by hits under review.",
        "backup": "The chips it starts again with.",
    }


class Asked(Shape):
    """What a second person has to decide: see `approvals`."""

    of = Approval
    shows = "id words=said verdict"
    says = {"verdict": "Empty while it waits."}


class ChangeOrder(Order):
    """What is to become of a jackpot; what is left out stays as it is, and for a new one has the usual value."""

    name = Text(required=False, max_length=60)
    least_hand = Text(required=False, max_length=10, help_text="Five cards, as in JsJhJdJc2s.")
    least_downcards = WholeNumber(required=False, min_value=jackpots.WHOLE["least_downcards"][0], max_value=3)
    least_players = WholeNumber(required=False, min_value=jackpots.WHOLE["least_players"][0], max_value=MOST_SEATS)
    seed = Chips(required=False, min_value=0)
    backup_percent = WholeNumber(required=False, min_value=0, max_value=100)
    loser_percent = WholeNumber(required=False, min_value=0, max_value=100)
    winner_percent = WholeNumber(required=False, min_value=0, max_value=100)
    loser_bonus = Chips(required=False, min_value=0)
    winner_bonus = Chips(required=False, min_value=0)
    table_bonus = Chips(required=False, min_value=0)
    growth = Chips(required=False, min_value=0)
    growth_minutes = WholeNumber(required=False, min_value=0, max_value=jackpots.WHOLE["growth_minutes"][1])
    add = Chips(required=False, min_value=0, default=0, help_text="Chips that the house adds.")
    is_closed = Flag(required=False, default=False)
    reason = Text(max_length=300)


class HitOrder(Order):
    """A hit at a table in the room, as the floor saw it."""

    table = WholeNumber(source="table_id", min_value=1)
    loser = WholeNumber(min_value=1, max_value=MOST_SEATS, help_text="The seat of the losing hand.")
    winner = WholeNumber(min_value=1, max_value=MOST_SEATS)
    losing = Text(max_length=14, help_text="Its cards, five to seven.")
    winning = Text(max_length=14)
    players = serializers.ListField(
        child=WholeNumber(min_value=1, max_value=MOST_SEATS), required=False, default=list, max_length=MOST_SEATS,
        help_text="Seats dealt in; none: everybody seated.",
    )  # fmt: skip

    @classmethod
    def typed(cls, form: Mapping[str, str]) -> dict[str, Any]:
        """Cards may be typed apart, as people write them."""
        apart = form.copy()  # type: ignore[attr-defined]
        for name in ("losing", "winning"):
            apart[name] = "".join(form.get(name, "").split())
        return super().typed(apart)


def jackpots_page(request: HttpRequest, *, refusal: Refusal | None = None, typed: Any = None) -> HttpResponse:
    """Jackpots, what hits them, who hit them; for staff also what waits and the forms."""
    if refusal is not None:
        messages.error(request, refusal.message)
    roles = access.roles_of(request.user)
    hits = rake_queries.hits()[:_HITS]
    context: dict[str, Any] = {
        "jackpots": rake_queries.rows(with_closed=bool(roles & {"manager", "auditor"})),
        "hits": hits,
        "waiting": [hit for hit in hits if hit.state == JackpotHit.State.WAITING],
        "is_manager": "manager" in roles,
        "is_floor": bool(roles & set(jackpots.JACKPOT_ROLES)),
        "sees_waiting": bool(roles & {"floor", "manager", "auditor"}),
    }
    if context["sees_waiting"]:
        hittable = dict(Jackpot.objects.filter(state__in=jackpots.PAYS).values_list("pk", "name"))
        tables = Table.objects.filter(
            is_physical=True, event="", state=Table.State.OPEN, drop__jackpot_name__in=hittable.values()
        )
        context |= {
            "hittable": hittable,
            "changes": Approval.objects.filter(what=jackpots.CHANGE, verdict="")
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


def _ask(
    *, by: User, key: str, reason: str, add: int, is_closed: bool, jackpot_id: int | None = None, **settings: Any
) -> Approval:
    """A jackpot as it is to become; none named: a new one. What is left out stays as it is."""
    asked: dict[str, Any] = {"reason": reason, "add": add, "is_closed": is_closed, "by": by, "key": key}
    return jackpots.ask(jackpot_id=jackpot_id, settings=settings, **asked)


def _one(by: Any, jackpot_id: int) -> rake_queries.JackpotRow:
    row = next((row for row in rake_queries.rows(with_closed=True) if row.jackpot.pk == jackpot_id), None)
    if row is None:
        raise NotFound("no-such-jackpot", "There is no such jackpot.")
    return row


def _hits(by: Any, jackpot_id: int, before: int | None, limit: int) -> list[JackpotHit]:
    if not Jackpot.objects.filter(pk=jackpot_id).exists():
        raise NotFound("no-such-jackpot", "There is no such jackpot.")
    rows = rake_queries.hits(jackpot_id=jackpot_id)
    return list((rows.filter(pk__lt=before) if before is not None else rows)[:limit])


JACKPOTS = Page("jackpots/", "jackpots", jackpots_page, is_public=True)
FRAGMENT = Page("jackpots/fragment/", "jackpots_fragment", fragment, is_public=True)

_read = partial(Read, tag="jackpots", is_public=True)
_on_jackpots = partial(Operation, tag="jackpots", keyed=True, status=202, refuses=(409, 422))
_change = partial(_on_jackpots, scope="manage", roles=jackpots.ROLES, does=_ask, order=ChangeOrder, out=Asked)

DECLARED = [
    _read(
        name="jackpots", summary="Jackpots", address="jackpots", out=JackpotOut, many=True,
        finds=lambda by: rake_queries.rows(),
    ),
    _change(
        name="ask_for_jackpot", summary="Request a new jackpot", address="jackpots",
        description="It is live, with its seed, after approval.",
    ),
    _read(
        name="jackpot", summary="A jackpot", address="jackpots/<id:jackpot_id>", out=JackpotOut, finds=_one,
    ),
    _change(
        name="ask_to_change_jackpot", summary="Request a change of a jackpot", address="jackpots/<id:jackpot_id>",
        description="New terms, chips added by the house, or its end; it takes effect after approval.",
        form=Form("jackpots/change/", "jackpot_change", JACKPOTS,
                  of.said(gettext_lazy("Request sent: it takes effect after approval."), "jackpots"),
                  hidden={"jackpot_id": ""}),
    ),
    _read(
        name="jackpot_hits", summary="Hits of a jackpot", address="jackpots/<id:jackpot_id>/hits", out=Hit,
        paged=True, finds=_hits,
    ),
    _on_jackpots(
        name="report_jackpot_hit", summary="Report a hit at a table in the room", scope="direct", out=Hit,
        description="Hits at tables dealt by the system are found automatically.", roles=jackpots.JACKPOT_ROLES,
        address="jackpots/<id:jackpot_id>/hits", does=jackpots.propose, order=HitOrder,
        form=Form("jackpots/hit/", "jackpot_hit", JACKPOTS,
                  of.said(gettext_lazy("Hit recorded: it is paid after approval."), "jackpots"),
                  hidden={"jackpot_id": gettext_lazy("Choose a jackpot.")}),
    ),
]  # fmt: skip

#: What programs decide at `approvals` is decided on this page as well.
DECIDE = Operation(
    name="decide", summary="Approve or refuse", tag="approvals", roles=jackpots.ROLES,
    address="approvals/<id:approval_id>/decision", does=approvals.decide, order=DecisionOrder, asks_factor=True,
    form=Form("jackpots/decide/", "jackpot_decide", JACKPOTS,
              of.said(lambda row: gettext("{words}: {verdict}.").format(
                  words=row.said, verdict=row.get_verdict_display()), "jackpots"),
              hidden={"approval_id": gettext_lazy("Choose one.")}),
)  # fmt: skip

api = of.resources(DECLARED)
urlpatterns = of.pages([JACKPOTS, FRAGMENT], [*DECLARED, DECIDE])
