"""Pages of time collection: who pays what and when, refused and paid by players, paused and waived by the floor. And of
jackpots: what everybody may know, and what staff asks for and decides; programs decide at `approvals`. See
`cardroom.core.web.operations`.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from cardroom.cage.serializers import DecisionOrder
from cardroom.core import access, approvals
from cardroom.core.errors import NotFound, Refusal
from cardroom.core.models import Approval, User
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Chips, Flag, NothingOrder, Order, Person, Text, WholeNumber
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.operations import Form, Operation, Page, Read, Then, refused
from cardroom.core.web.parts import part_of
from games.engine.games import MOST_SEATS, SEAT_NUMBERS
from games.rake import collection, jackpots
from games.rake import queries as rake_queries
from games.rake.models import times
from games.rake.models.drops import Jackpot, JackpotHit, JackpotShare
from games.tables.models.tables import Table
from games.tables.queries.tables import check_may_see

#: Who reads the time of a table without sitting there.
READERS = ("floor", "manager", "dealer", "cashier", "auditor")


class TimeSitter(Shape):
    of = rake_queries.Sitter
    shows = "player name seat standing why since owed courtesy"
    says = {
        "seat": "0: they would not pay, and have left.",
        "standing": "pause, refusal, or empty: the time runs.",
        "courtesy": "Hands they are dealt though they did not pay.",
    }


class TableTime(Shape):
    """How time charges stand at a table."""

    of = rake_queries.TableTime
    shows = "period_minutes due_at is_paused each sitters"
    says = {"due_at": "The next collection.", "each": "What everybody would pay now."}
    period_minutes = serializers.IntegerField(
        source="schedule.period_minutes", allow_null=True, default=None, help_text="null: no time is collected here."
    )
    sitters = TimeSitter(many=True)


class TimeCharge(Shape):
    """The time charge of one player for a period."""

    of = times.TimeCharge
    shows = "id table=table_id player=player_id period_start state amount paid owed why"
    says = {"state": "due, charged, owed, paused, courtesy, refused or waived."}


class PlayerOrder(Order):
    player = Person(max_value=2**31, help_text="Whose time.")


class PauseOrder(PlayerOrder):
    reason = Text(required=False, min_length=3, max_length=300, help_text="Why; absent with permission if not said.")


class WaiveOrder(Order):
    reason = Text(min_length=3, max_length=300)


class WaiveForm(Order):
    """Who may not waive anything hears that first; the service asks for the reason."""

    reason = Text(default="", max_length=300)


class ForThemForm(Order):
    """Nobody named: one's own time."""

    player = Person(required=False)


def time_page(request: HttpRequest, table_id: int) -> HttpResponse:
    """The time of a table: for those who sit there and for the staff."""
    time = _seen(access.require_login(request.user), table_id)
    is_floor = access.has_role(request.user, *collection.ROLES)
    deals = time.table.is_physical and access.has_role(request.user, "dealer", *collection.ROLES)
    context = {"time": time, "table": time.table, "mine": time.of(request.user.pk), "is_floor": is_floor}
    return render(request, "games/rake/time.html", context | {"deals": deals})


def _seen(by: User, table_id: int) -> rake_queries.TableTime:
    time = rake_queries.time_at(table_id)
    if time.of(by.pk) is None:
        check_may_see(time.table, by)
        access.require_role(by, *READERS)
    return time


def _at(service: Callable[..., Any]) -> Callable[..., Any]:
    """The service; what it answers is whose time it was and at which table."""

    def do(*, table_id: int, by: User, player: User | None = None, **asked: Any) -> tuple[User, int]:
        service(table_id=table_id, by=by, player=player or by, **asked)
        return player or by, table_id

    return do


def _said(words: str) -> Then:
    def then(request: HttpRequest, made: tuple[User, int]) -> HttpResponse:
        player, table_id = made
        messages.success(request, words.format(player))
        # Who has left and paid what they had refused has nothing more to read there.
        reads = (
            access.has_role(request.user, *READERS) or rake_queries.time_at(table_id).of(request.user.pk) is not None
        )
        return redirect("table_time" if reads else "table", table_id)

    return then


def _settled(request: HttpRequest, charge: times.TimeCharge) -> HttpResponse:
    messages.success(
        request,
        gettext("The time of {player} is {state}.").format(player=charge.player, state=charge.get_state_display()),
    )
    return redirect("table_time", charge.table_id)


TIME = Page("tables/<int:table_id>/time/", "table_time", time_page)


def _time_verb(verb: str, name: str, service: Callable[..., Any], summary: str, words: str, **more: Any) -> Operation:
    """One thing to be done with somebody's time at a table; the answer is how time stands there then."""
    address, asks = "tables/<int:table_id>/time/<slug:verb>/", more.pop("form", None)
    return Operation(
        name=name, summary=summary, address=f"tables/<id:table_id>/time/{verb}", tag="time", does=_at(service),
        out=TableTime, shows=lambda made, by: rake_queries.time_at(made[1]), refuses=(409, 422), **more,
        form=Form(address, "table_time_verb", TIME, _said(words), refused, verbs={verb: {}}, order=asks),
    )  # fmt: skip


_charge = partial(Operation, tag="time", scope="direct", keyed=True, out=TimeCharge)
_CHARGE = partial(Form, "time/<int:charge_id>/<slug:verb>/", "time_charge_verb", TIME, _settled, refused)
_FLOOR: dict[str, Any] = {"scope": "direct", "keyed": True}

TIME_DECLARED = [
    Read(
        name="table_time", summary="The time charges of a table", tag="time",
        address="tables/<id:table_id>/time", out=TableTime, finds=_seen, refuses=(403,),
    ),
    _time_verb(
        "pause", "pause_time", collection.pause, "Pause a player's time, absent with permission of the floor",
        gettext_lazy("The time of {} is paused."), order=PauseOrder, **_FLOOR,
    ),
    _time_verb(
        "resume", "resume_time", collection.resume, "Resume a player's time",
        gettext_lazy("The time of {} is resumed."),
        order=PlayerOrder, **_FLOOR,
    ),
    _time_verb(
        "refuse", "refuse_time", collection.refuse, "Refuse the next charge",
        gettext_lazy("{} refuses the next charge."),
        order=NothingOrder, form=ForThemForm,
    ),
    _time_verb(
        "pay", "pay_time", collection.pay, "Pay time again",
        gettext_lazy("{} pays time again."), order=NothingOrder,
        form=ForThemForm,
    ),
    _time_verb(
        "end-courtesy", "end_courtesy", collection.end_courtesy,
        "End a courtesy hand, in the room",
        gettext_lazy("The courtesy hand of {} is over: they sit out until they pay."), order=PlayerOrder,
        scope="direct",
    ),
    _charge(
        name="waive_time", summary="Waive a charge and refund it", does=collection.waive,
        address="time-charges/<id:charge_id>/waive", order=WaiveOrder, refuses=(409,),
        form=_CHARGE(verbs={"waive": {}}, order=WaiveForm),
    ),
    _charge(
        name="collect_time", summary="Collect the debt of a charge", does=collection.collect,
        address="time-charges/<id:charge_id>/collect", order=NothingOrder, refuses=(409, 422),
        form=_CHARGE(verbs={"collect": {}}),
    ),
]  # fmt: skip


# Jackpots


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

JACKPOTS_DECLARED = [
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

DECLARED = [*TIME_DECLARED, *JACKPOTS_DECLARED]

api = of.resources(DECLARED)
urlpatterns = of.pages([TIME, JACKPOTS, FRAGMENT], [*DECLARED, DECIDE])
