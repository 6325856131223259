"""Players at the desk: found, taken in, checked in, banned, noted. And a player's own: their card, and the limits they
set for themselves.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial
from secrets import token_urlsafe
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from cardroom.accounts import bans as player_bans
from cardroom.accounts import members, pictures, visits
from cardroom.accounts import people as account_queries
from cardroom.accounts.models import Ban, PlayerCard, PlayerNote, Visit, Where
from cardroom.accounts.sessions import open_now
from cardroom.core import access, room_time
from cardroom.core.documents import PDF, File
from cardroom.core.errors import Invalid, NotFound, Refusal
from cardroom.core.models import StaffAction, User
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Order, Query, Reason, Text, WholeNumber
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.operations import Context, Form, Operation, Page, Read, say_refusal
from cardroom.ledger import limits
from cardroom.ledger.models import LimitChange
from cardroom.office.acts import Line

STAFF = members.STAFF
MOST = 200
#: Where one goes on with somebody who was taken in there.
THEN = {"cage": "cage", "window": "cage_window"}
#: For how many days somebody may shut themselves out, as the form offers it; "": for good.
EXCLUSIONS = {
    "1": gettext_lazy("a day"),
    "7": gettext_lazy("a week"),
    "30": gettext_lazy("a month"),
    "182": gettext_lazy("six months"),
    "365": gettext_lazy("a year"),
    "1826": gettext_lazy("five years"),
    "": gettext_lazy("permanently"),
}
#: How long a ban lasts, as the form offers it: days, for good, or until a time.
BANS = {
    **{days: said for days, said in EXCLUSIONS.items() if days and int(days) < 400},
    "permanent": gettext_lazy("permanently"),
    "until": gettext_lazy("until a time"),
}


# -- shapes ------------------------------------------------------------------------------------------------------------


class MemberCard(Shape):
    of = PlayerCard
    shows = "id barcode issued_at ended_at ended_as"
    says = {"ended_as": "lost, replaced or returned; empty while it is valid."}


class PlayerLine(serializers.Serializer[Any]):
    """A player as the desk finds them."""

    id = serializers.IntegerField()
    name = serializers.CharField(source="username", help_text="The screen name.")
    full_name = serializers.SerializerMethodField()
    number = serializers.CharField(source="member.number", default=None, allow_null=True, help_text="As a member.")
    phone = serializers.SerializerMethodField(help_text="Digits; empty for anybody who is not a member.")
    is_open = serializers.BooleanField(source="is_active", help_text="False: the account is closed.")

    def get_full_name(self, user: User) -> str:
        member = getattr(user, "member", None)
        return member.name if member else user.get_full_name()

    def get_phone(self, user: User) -> str:
        member = getattr(user, "member", None)
        return member.phone if member else ""


class BanLine(Shape):
    of = Ban
    shows = "id kind where reason since until by lifted_at lifted_why"
    says = {"until": "null: permanent."}
    kind = serializers.ChoiceField(Ban.Kind.choices, help_text="By the house, or a self-exclusion.")
    where = serializers.ChoiceField(Where.choices)
    by = serializers.CharField(source="by.username", default=None, allow_null=True)


class NoteLine(Shape):
    of = PlayerNote
    shows = "id text flag by=by.username at"
    says = {"flag": "watch, dispute, host, care, or empty."}


class VisitLine(Shape):
    of = Visit
    shows = "id player=player_id name=player.username where way came_at went_at"
    says = {"went_at": "null: the player is here."}
    where = serializers.ChoiceField(Where.choices)
    way = serializers.ChoiceField(Visit.Way.choices)


class Wish(Shape):
    """A limit that was asked for."""

    of = LimitChange
    shows = "id kind amount counts_from cancelled_at"
    kind = serializers.ChoiceField(LimitChange.Kind.choices)


class LimitLine(serializers.Serializer[Any]):
    """How you stand with one kind of limit."""

    kind = serializers.ChoiceField(LimitChange.Kind.choices)
    label = serializers.CharField()
    amount = serializers.IntegerField(allow_null=True, help_text="Chips or minutes; null: no limit.")
    used = serializers.IntegerField(allow_null=True)
    left = serializers.IntegerField(allow_null=True)
    coming = serializers.SerializerMethodField(help_text="A change that is not in force yet.")

    def get_coming(self, limit: limits.Limit) -> dict[str, Any] | None:
        return Wish(limit.coming).data if limit.coming else None


class Player(PlayerLine):
    """One player, with all that the desk knows of them."""

    cards = MemberCard(many=True)
    bans = BanLine(many=True, help_text="Those in force now.")
    notes = NoteLine(many=True)
    visits = VisitLine(many=True, help_text="The last ten.")
    wallet = serializers.IntegerField(help_text="Chips.")

    def to_representation(self, user: User) -> dict[str, Any]:
        member = members.member_of(user)
        more = {
            "cards": MemberCard(member.cards.all()[:20] if member else [], many=True).data,
            "bans": BanLine(player_bans.in_force(user, now=timezone.now()).select_related("by"), many=True).data,
            "notes": NoteLine(members.about(user), many=True).data,
            "visits": VisitLine(visits.of(user, limit=10), many=True).data,
            "wallet": account_queries.wallet_balance(user),
        }
        return {**PlayerLine(user).data, **more}


class PlayerQuery(Query):
    q = serializers.CharField(max_length=80, help_text="Name, number, phone, e-mail, or the barcode of a card.")


class MemberOrder(Order):
    name = Text(min_length=2, max_length=60, help_text="As on their ID.")
    phone = Text(required=False, allow_blank=True, max_length=30)
    born_on = serializers.DateField(required=False, allow_null=True)


class CardOrder(Order):
    was = serializers.ChoiceField(
        PlayerCard.Ended.choices, default=PlayerCard.Ended.REPLACED, help_text="The reason for the new card."
    )


class ScanOrder(Order):
    barcode = Text(min_length=13, max_length=13)


class LiftOrder(Order):
    reason = Reason()


class BanOrder(Order):
    reason = Reason()
    where = serializers.ChoiceField(Where.choices, default=Where.BOTH)
    until = serializers.DateTimeField(required=False, allow_null=True, help_text="null: permanent.")
    days = WholeNumber(
        required=False, allow_null=True, min_value=1, max_value=player_bans.LONGEST_BAN.days,
        help_text="How many days it lasts, instead of `until`.",
    )  # fmt: skip

    @classmethod
    def typed(cls, form: Mapping[str, str]) -> dict[str, Any]:
        """The form asks for its length, which has no default, and whether they are sure."""
        length, until = form.get("length", ""), form.get("until", "")
        if length not in dict(BANS) or "sure" not in form or (length == "until") != bool(until):
            raise Invalid("not-sure", "Choose how long the ban lasts, and confirm it.")
        said = {name: form[name] for name in ("reason", "where") if name in form}
        return super().typed(said | ({"until": until} if until else {"days": length if length.isdigit() else ""}))


class ExclusionOrder(Order):
    where = serializers.ChoiceField(Where.choices, default=Where.BOTH)
    until = serializers.DateTimeField(allow_null=True, help_text="At least a day from now; null: permanent.")

    @classmethod
    def typed(cls, form: Mapping[str, str]) -> dict[str, Any]:
        """The form says for how many days; its box, that it cannot be taken back, has to be ticked."""
        days = form.get("days", "no")
        if days not in EXCLUSIONS or "sure" not in form:
            raise Invalid("not-sure", "Choose a duration, and confirm that this cannot be undone.")
        until = (timezone.now() + timedelta(days=int(days))).isoformat() if days else ""
        return super().typed({"where": form.get("where", ""), "until": until})


class NoteOrder(Order):
    text = Text(min_length=2, max_length=1000)
    flag = serializers.ChoiceField(
        [flag for flag in PlayerNote.Flag.choices if flag[0]], required=False, allow_blank=True
    )


class WishOrder(Order):
    kind = serializers.ChoiceField(LimitChange.Kind.choices)
    amount = WholeNumber(allow_null=True, min_value=1, max_value=10**12, help_text="Chips or minutes; null: no limit.")


# -- pages -------------------------------------------------------------------------------------------------------------


def listing(request: HttpRequest, *, refusal: Refusal | None = None, typed: Any = None) -> HttpResponse:
    """`?q=` a name, a number, a phone, or a scanned card, which opens its owner's page; without it who is here. `?new=`
    opens the form for somebody new, for one of the pages `THEN`."""
    asked = " ".join(request.GET.get("q", "").replace("\0", "").split())[:80]
    found: list[User] = []
    words = ""
    try:
        found = members.find(asked)
    except Refusal as error:
        words = error.message
    is_fragment = bool(request.htmx) and not request.htmx.history_restore_request
    if len(found) == 1 and members.BARCODE.fullmatch(asked) and not is_fragment:
        return redirect("player", found[0].pk)
    say_refusal(request, refusal)
    new, then = request.GET.get("new"), (typed or {}).get("then", "") or request.GET.get("then", "")
    context = {
        "asked": asked,
        "found": found,
        "refusal": words,
        "here": visits.here_now()[:MOST],
        "is_new": new is not None or typed is not None,
        "typed": typed or {"name": new or ""},
        "then": then if then in THEN else "",
        "key": token_urlsafe(12),
    }
    return render(request, "cardroom/office/_found.html" if is_fragment else "cardroom/office/list.html", context)


def player(request: HttpRequest, *, player_id: int) -> Context:
    """One player, as staff sees them."""
    who, now = access.one(player_id), timezone.now()
    member = members.member_of(who)
    return {
        "who": who,
        "member": member,
        "cards": list(member.cards.all()[:10]) if member else [],
        "bans": list(Ban.objects.filter(player=who).select_related("by", "lifted_by")[:20]),
        "in_force": list(player_bans.in_force(who, now=now)),
        "visits": visits.with_minutes(who, now=now, limit=10),
        "present": visits.present(who),
        "notes": members.about(who),
        "flags": PlayerNote.Flag.choices,
        "places": Where.choices,
        "lengths": BANS.items() if access.has_role(request.user, "manager") else list(BANS.items())[:1],
        "limits": [limit for limit in limits.all_of(who, now=now) if limit.amount is not None],
        "balance": account_queries.wallet_balance(who),
        "statement": account_queries.statement(who, limit=8),
        "acts": [Line(act) for act in StaffAction.objects.filter(player=who).select_related("by").order_by("-pk")[:12]],
        "roles": sorted(access.roles_of(who)),
        "is_manager": access.has_role(request.user, "manager"),
        "sees_to_it": access.has_role(request.user, *pictures.STAFF),
        "now": now,
    }


def card(request: HttpRequest, *, player_id: int) -> HttpResponse:
    """The card as a PDF, to be printed."""
    player = access.one(player_id)
    return of.file_answer(File(f"card-{player_id}.pdf", PDF, partial(members.card, player=player, by=request.user)))


def my_card(request: HttpRequest) -> Context:
    """The player's number and card, their visits, and where they are logged in."""
    now, member = timezone.now(), members.member_of(request.user)
    return {
        "member": member,
        "card": member.cards.first() if member else None,
        "visits": visits.with_minutes(request.user, now=now, limit=15),
        "sessions": open_now(now=now, user=request.user)[:20],
    }


def my_limits(request: HttpRequest) -> Context:
    """What the player allows themselves."""
    now = timezone.now()
    return {
        "limits": limits.all_of(request.user, now=now),
        "ranges": limits.RANGES,
        "exclusions": EXCLUSIONS.items(),
        "places": Where.choices,
        "bans": list(player_bans.in_force(request.user, now=now)),
    }


def _taken_in(request: HttpRequest, made: User) -> HttpResponse:
    messages.success(
        request,
        gettext("{made} is added and checked in: member {number}.").format(made=made, number=made.member.number),
    )
    if page := THEN.get(request.POST.get("then", "")):
        return redirect(f"{reverse(page)}?player={made.pk}")
    return redirect("player", made.pk)


def _banned(ban: Ban) -> str:
    until = gettext("until {time}").format(time=room_time.said(ban.until)) if ban.until else gettext("permanently")
    return gettext("{player} is banned {where} {until}. A hand in progress is played to its end.").format(
        player=ban.player, where=ban.get_where_display(), until=until
    )


def _limit_set(change: LimitChange) -> str:
    if change.counts_from <= timezone.now():
        return gettext("It is in force now.")
    return gettext("It is in force from {time}; until then you can cancel the change.").format(
        time=room_time.said(change.counts_from)
    )


_page = partial(Page, says_refusals=True)
PLAYERS = Page("players/", "players", listing, STAFF)
PLAYER = _page("players/<id:player_id>/", "player", player, STAFF, template="cardroom/office/player.html")
CARD = Page("players/<id:player_id>/card.pdf", "player_card", card, STAFF)
MY_CARD = _page("me/card/", "my_card", my_card, template="cardroom/office/my_card.html")
MY_LIMITS = _page("me/limits/", "my_limits", my_limits, template="cardroom/office/my_limits.html")
_on_player = partial(Form, "players/<id:player_id>/do/", "player_do", PLAYER)
_on_my_card = partial(Form, MY_CARD.address, MY_CARD.name, MY_CARD)
_on_my_limits = partial(Form, MY_LIMITS.address, MY_LIMITS.name, MY_LIMITS)


# -- verbs -------------------------------------------------------------------------------------------------------------


def _of(service: Callable[..., Any]) -> Callable[..., Any]:
    """The service, for the player whose number stands in the address."""
    return lambda player_id, **asked: service(player=access.one(player_id), **asked)


def _scan_in(*, by: User, barcode: str) -> Any:
    return visits.check_in_by_barcode(barcode=barcode)


def _my_card(by: User) -> PlayerCard:
    member = members.member_of(by)
    found = member.cards.first() if member else None
    if found is None:
        raise NotFound("no-card", "You have no card: ask the desk for one.")
    return found


def _bans(by: User, player_id: int) -> Any:
    return Ban.objects.filter(player=access.one(player_id)).select_related("by")[:MOST]


_desk: dict[str, Any] = {
    "tag": "players",
    "scope": "cage",
    "roles": STAFF,
    "description": "For the floor, cashiers and managers.",
}
_read, _verb = partial(Read, **_desk), partial(Operation, **_desk)
_my_read, _my_verb = partial(Read, tag="me"), partial(Operation, tag="me", actor="player")

DECLARED = [
    _read(
        name="find_players", summary="Find players", address="players", query=PlayerQuery, many=True,
        out=PlayerLine, finds=lambda by, q: members.find(q), refuses=(400, 404, 422),
    ),
    _verb(
        name="take_in", summary="Add a new player", address="players", does=visits.take_in, keyed=True,
        description="A member without a password, with a card, checked in.",
        order=MemberOrder, status=201, out=Player, refuses=(409, 422),
        form=Form(PLAYERS.address, PLAYERS.name, PLAYERS, _taken_in),
    ),
    _read(
        name="player", summary="One player", address="players/<id:player_id>", out=Player,
        finds=lambda by, player_id: access.one(player_id),
    ),
    _verb(
        name="register_member", summary="Make a player a member", method="PUT", order=MemberOrder,
        address="players/<id:player_id>/member", does=_of(members.register), refuses=(422,),
        description="Issues their first card. A repeat changes their details.",
        out=Player, shows=lambda made, by: made.member.player,
        form=_on_player(gettext_lazy("Member {0.member.number}."), verbs={"register": {}}),
    ),
    _verb(
        name="issue_card", summary="Issue a new card", address="players/<id:player_id>/cards", keyed=True,
        does=_of(members.issue), order=CardOrder, status=201, out=MemberCard, refuses=(409,),
        form=_on_player(gettext_lazy("A new card is issued. The previous card is no longer valid."),
            verbs={"issue": {}}),
    ),
    _verb(
        name="card_lost", summary="Report a card as lost", address="players/<id:player_id>/cards/lost",
        does=_of(members.report_lost), out=MemberCard,
        form=_on_player(gettext_lazy("The card is reported lost."), verbs={"lost": {}}),
    ),
    # Who is here
    _read(
        name="visits", summary="List players in the room", address="visits", out=VisitLine, many=True,
        finds=lambda by: visits.here_now()[: 10 * MOST],
    ),
    _verb(
        name="scan_in", summary="Check in by a card", address="visits", does=_scan_in, order=ScanOrder,
        description="For kiosks, with a token of the floor.", out=VisitLine,
        refuses=(404, 422),
    ),
    _verb(
        name="check_in", summary="Check a player in", address="players/<id:player_id>/visit", out=VisitLine,
        does=_of(visits.check_in), form=_on_player(gettext_lazy("{0.player} is checked in."), verbs={"check-in": {}}),
    ),
    _verb(
        name="check_out", summary="Check a player out", method="DELETE", address="players/<id:player_id>/visit",
        does=_of(visits.check_out), out=VisitLine, refuses=(409,),
        form=_on_player(gettext_lazy("{0.player} is checked out."), verbs={"check-out": {}}),
    ),
    # Bans and notes
    _read(
        name="bans", summary="Bans of a player", address="players/<id:player_id>/bans", scope="manage",
        out=BanLine, many=True, finds=_bans,
    ),
    _verb(
        name="ban", summary="Ban a player", address="players/<id:player_id>/bans", scope="manage", keyed=True,
        description="By a manager; by the floor for at most one day. A hand in progress is played to its end.",
        does=_of(player_bans.ban), order=BanOrder, status=201, out=BanLine, refuses=(409,),
        form=_on_player(PLAYER.said(_banned), verbs={"ban": {}}),
    ),
    _verb(
        name="lift_ban", summary="Lift a ban", address="bans/<id:ban_id>/lift", scope="manage", roles=("manager",),
        description="Not possible for a self-exclusion.", does=player_bans.lift, order=LiftOrder,
        out=BanLine, refuses=(409, 422),
        form=_on_player(gettext_lazy("The ban is lifted."), verbs={"lift": {}},
            hidden={"ban_id": gettext_lazy("Choose one.")},
                        shown=("player_id",)),
    ),
    _read(
        name="player_notes", summary="Notes about a player", address="players/<id:player_id>/notes", many=True,
        out=NoteLine, finds=lambda by, player_id: members.about(access.one(player_id)),
    ),
    _verb(
        name="write_note", summary="Add a note", address="players/<id:player_id>/notes", does=_of(members.write),
        order=NoteOrder, keyed=True, status=201, out=NoteLine, refuses=(409,),
        form=_on_player(gettext_lazy("Note added."), verbs={"note": {}}),
    ),
    _verb(
        name="remove_note", summary="Archive a note", method="DELETE", address="notes/<id:note_id>",
        does=members.remove, status=204,
        form=_on_player(gettext_lazy("The note is archived."), verbs={"put-away": {}},
                        hidden={"note_id": gettext_lazy("Choose one.")}, shown=("player_id",)),
    ),
    # A player's own
    _my_read(
        name="my_card", summary="Your card", address="me/card", out=MemberCard, finds=_my_card, refuses=(404,),
    ),
    _my_verb(
        name="my_card_lost", summary="Report your card as lost", method="DELETE", address="me/card", refuses=(404,),
        does=lambda player: members.report_lost(player=player, by=player), out=MemberCard,
        form=_on_my_card(gettext_lazy("Your card is no longer valid. Ask the desk for a new one.")),
    ),
    _my_read(
        name="my_limits", summary="Your limits", address="me/limits", out=LimitLine, many=True,
        finds=lambda by: limits.all_of(by, now=timezone.now()),
    ),
    _my_verb(
        name="set_my_limit", summary="Set a limit", address="me/limits", does=limits.wish, order=WishOrder,
        description="A stricter limit is in force at once, a looser one after a day.", keyed=True, status=201, out=Wish,
        refuses=(409,), form=_on_my_limits(MY_LIMITS.said(_limit_set)),
    ),
    _my_verb(
        name="cancel_my_limit", summary="Cancel a change of a limit", method="DELETE",
        address="me/limits/<id:change_id>", does=limits.cancel, out=Wish, refuses=(409,),
        form=_on_my_limits(gettext_lazy("Change cancelled: the limit stays as it is."), verbs={"cancel": {}},
                           hidden={"change_id": gettext_lazy("Choose one.")}),
    ),
    _my_read(
        name="my_bans", summary="Your bans", address="me/bans", out=BanLine, many=True,
        finds=lambda by: player_bans.in_force(by, now=timezone.now()).select_related("by"),
    ),
    _my_verb(
        name="exclude_me", summary="Exclude yourself", address="me/bans", does=player_bans.exclude_oneself, keyed=True,
        description="For at least one day. Nobody can undo it.", order=ExclusionOrder, status=201,
        out=BanLine, refuses=(409,),
        form=Form("me/limits/exclude/", "exclude_me", MY_LIMITS, lambda request, made: redirect("lobby")),
    ),
]  # fmt: skip

api = of.resources(DECLARED)
urlpatterns = of.pages([PLAYERS, PLAYER, CARD, MY_CARD, MY_LIMITS], DECLARED)
