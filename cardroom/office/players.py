"""Players at the desk: found, taken in, checked in, banned, noted."""

from functools import partial
from secrets import token_urlsafe
from typing import Annotated, Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from cardroom.accounts import bans as player_bans
from cardroom.accounts import members, notes, people, pictures, printed_cards, visits
from cardroom.accounts.models import Ban, PlayerCard, PlayerNote, Visit, Where
from cardroom.core import access, room_time
from cardroom.core.arguments import Limits
from cardroom.core.documents import PDF, File
from cardroom.core.errors import Invalid, Refusal
from cardroom.core.models import StaffAction, User
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.file_answers import file_answer
from cardroom.core.web.forms import PagePost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Context, Page, say_refusal
from cardroom.core.web.resources import Resource, addresses, does, reads
from cardroom.ledger import limits
from cardroom.office.acts import AuditRow

STAFF = members.STAFF
MOST = 200
#: The pages that go on with a player who was taken in.
THEN = {"cage": "cage", "window": "cage_window"}
#: How long a ban lasts, as the form offers it: days, for good, or until a time.
BANS = {
    "1": gettext_lazy("a day"),
    "7": gettext_lazy("a week"),
    "30": gettext_lazy("a month"),
    "182": gettext_lazy("six months"),
    "365": gettext_lazy("a year"),
    "permanent": gettext_lazy("permanently"),
    "until": gettext_lazy("until a time"),
}


class MemberCard(Shape):
    of = PlayerCard
    field_names = "id barcode issued_at ended_at ended_as"
    help_texts = {"ended_as": "lost, replaced or returned; empty while it is valid."}


class PlayerMatch(serializers.Serializer[Any]):
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
    field_names = "id kind where reason since until by lifted_at lifted_why"
    help_texts = {"until": "null: permanent."}
    kind = serializers.ChoiceField(Ban.Kind.choices, help_text="By the house, or a self-exclusion.")
    where = serializers.ChoiceField(Where.choices)
    by = serializers.CharField(source="by.username", default=None, allow_null=True)


class NoteLine(Shape):
    of = PlayerNote
    field_names = "id text flag by=by.username at"
    help_texts = {"flag": "watch, dispute, host, care, or empty."}


class VisitLine(Shape):
    of = Visit
    field_names = "id player=player_id name=player.username where way came_at went_at"
    help_texts = {"went_at": "null: the player is here."}
    where = serializers.ChoiceField(Where.choices)
    way = serializers.ChoiceField(Visit.Entrance.choices)


class Player(PlayerMatch):
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
            "notes": NoteLine(notes.about(user), many=True).data,
            "visits": VisitLine(visits.visits_of(user, limit=10), many=True).data,
            "wallet": people.wallet_balance(user),
        }
        return {**PlayerMatch(user).data, **more}


def listing(request: HttpRequest, *, refusal: Refusal | None = None, typed: Any = None) -> HttpResponse:
    """`?q=` a name, a number, a phone, or a scanned card, which opens its owner's page; without it the players who are
    here. `?new=` opens the form for somebody new, for one of the pages `THEN`."""
    words = " ".join(request.GET.get("q", "").replace("\0", "").split())[:80]
    players: list[User] = []
    refusal_words = ""
    try:
        players = members.find(words)
    except Refusal as error:
        refusal_words = error.message
    is_fragment = bool(request.htmx) and not request.htmx.history_restore_request
    if len(players) == 1 and members.BARCODE.fullmatch(words) and not is_fragment:
        return redirect("player", players[0].pk)
    say_refusal(request, refusal)
    new, then = request.GET.get("new"), (typed or {}).get("then", "") or request.GET.get("then", "")
    context = {
        "asked": words,
        "found": players,
        "refusal": refusal_words,
        "here": visits.here_now()[:MOST],
        "is_new": new is not None or typed is not None,
        "typed": typed or {"name": new or ""},
        "then": then if then in THEN else "",
        "key": token_urlsafe(12),
    }
    return render(request, "cardroom/office/_found.html" if is_fragment else "cardroom/office/list.html", context)


def player(request: HttpRequest, *, player_id: int) -> Context:
    """One player, as staff sees them."""
    who, now = access.get_user(player_id), timezone.now()
    member = members.member_of(who)
    return {
        "who": who,
        "member": member,
        "cards": list(member.cards.all()[:10]) if member else [],
        "bans": list(Ban.objects.filter(player=who).select_related("by", "lifted_by")[:20]),
        "in_force": list(player_bans.in_force(who, now=now)),
        "visits": visits.with_minutes(who, now=now, limit=10),
        "present": visits.present(who),
        "notes": notes.about(who),
        "flags": PlayerNote.Flag.choices,
        "places": Where.choices,
        "lengths": BANS.items() if access.has_role(request.user, "manager") else list(BANS.items())[:1],
        "limits": [limit for limit in limits.all_of(who, now=now) if limit.amount is not None],
        "balance": people.wallet_balance(who),
        "statement": people.statement(who, limit=8),
        "acts": [
            AuditRow(act) for act in StaffAction.objects.filter(player=who).select_related("by").order_by("-pk")[:12]
        ],
        "roles": sorted(access.roles_of(who)),
        "is_manager": access.has_role(request.user, "manager"),
        "sees_to_it": access.has_role(request.user, *pictures.STAFF),
        "now": now,
    }


def card(request: HttpRequest, *, player_id: int) -> HttpResponse:
    """The card as a PDF, to be printed."""
    player = access.get_user(player_id)
    return file_answer(File(f"card-{player_id}.pdf", PDF, partial(printed_cards.card, player=player, by=request.user)))


PLAYERS = Page("players/", "players", listing, STAFF)
PLAYER = Page(
    "players/<id:player_id>/", "player", player, STAFF, template="cardroom/office/player.html", says_refusals=True
)
CARD = Page("players/<id:player_id>/card.pdf", "player_card", card, STAFF)


class TakeInForm(PagePost):
    page, does = PLAYERS, visits.register_guest

    def done(self, request: HttpRequest, result: User) -> HttpResponse:
        words = gettext("{made} is added and checked in: member {number}.")
        messages.success(request, words.format(made=result, number=result.member.number))
        if page := THEN.get(request.POST.get("then", "")):
            return redirect(f"{reverse(page)}?player={result.pk}")
        return redirect("player", result.pk)


class OnPlayer(PagePost):
    """A form of one player's page."""

    page, path, name = PLAYER, "players/<id:player_id>/do/", "player_do"


class RegisterForm(OnPlayer):
    does, button, then = members.register, "register", gettext_lazy("Member {0.member.number}.")


class IssueForm(OnPlayer):
    does, button = members.issue, "issue"
    then = gettext_lazy("A new card is issued. The previous card is no longer valid.")


class MarkCardLostForm(OnPlayer):
    does, button, then = members.report_lost, "lost", gettext_lazy("The card is reported lost.")


class CheckInForm(OnPlayer):
    does, button, then = visits.check_in, "check-in", gettext_lazy("{0.player} is checked in.")


class CheckOutForm(OnPlayer):
    does, button, then = visits.check_out, "check-out", gettext_lazy("{0.player} is checked out.")


class BanForm(OnPlayer):
    does, button = player_bans.ban, "ban"

    def typed(self, form: QueryDict) -> QueryDict:
        """The form has a length without a default, and a box to confirm it."""
        length, until = form.get("length", ""), form.get("until", "")
        if length not in BANS or "sure" not in form or (length == "until") != bool(until):
            raise Invalid("not-sure", "Choose how long the ban lasts, and confirm it.")
        form["days"] = length if length.isdigit() else ""
        return form

    def done(self, request: HttpRequest, result: Ban) -> HttpResponse:
        return PLAYER.say(request, _ban_message, result)


class LiftForm(OnPlayer):
    does, button, then = player_bans.lift, "lift", gettext_lazy("The ban is lifted.")


class WriteNoteForm(OnPlayer):
    does, button, then = notes.write, "note", gettext_lazy("Note added.")


class RemoveNoteForm(OnPlayer):
    does, button, then = notes.remove, "put-away", gettext_lazy("The note is archived.")


def _ban_message(ban: Ban) -> str:
    until = gettext("permanently")
    if ban.until:
        until = gettext("until {time}").format(time=room_time.format_moment(ban.until))
    return gettext("{player} is banned {where} {until}. A hand in progress is played to its end.").format(
        player=ban.player, where=ban.get_where_display(), until=until
    )


def matching(
    *,
    q: Annotated[str, Limits(max_length=80, help_text="Name, number, phone, e-mail, or the barcode of a card.")],
    by: User,
) -> list[User]:
    """The players these words may mean."""
    return members.find(q)


def one_player(*, player: User, by: User) -> User:
    """A player by their number."""
    return player


def here(*, by: User) -> QuerySet[Visit]:
    """The players in the room."""
    return visits.here_now()[: 10 * MOST]


def bans_of(*, player: User, by: User) -> QuerySet[Ban]:
    """The bans of a player, those in force and those that are over, the newest first."""
    return Ban.objects.filter(player=player).select_related("by")[:MOST]


def notes_about(*, player: User, by: User) -> list[PlayerNote]:
    """The newest first."""
    return notes.about(player)


def scan_in(*, barcode: Annotated[str, Limits(min_length=13, max_length=13)], by: User) -> Visit:
    """Check in at a kiosk, by a valid card. Refuses as `members.by_barcode` and `visits.check_in`."""
    return visits.check_in(player=members.by_barcode(barcode), way=Visit.Entrance.KIOSK, by=None)


FOR_DESK = "For the floor, cashiers and managers."


class OfDesk(Resource):
    """Requests of the desk about players."""

    tags, scope = ("players",), "cage"


class ManagersPlayerResource(Resource):
    """Requests that need a token of a manager."""

    tags, scope = ("players",), "manage"


class FindPlayersResource(OfDesk):
    path = "players"
    get = reads(
        matching,
        name="find_players",
        summary="Find players",
        description=FOR_DESK,
        answers=PlayerMatch,
        many=True,
        roles=STAFF,
        refuses=(400, 404, 422),
    )
    post = does(
        visits.register_guest,
        name="take_in",
        summary="Add a new player",
        description="A member without a password, with a card, checked in.",
        answers=Player,
        status=201,
        refuses=(409, 422),
    )


class PlayerFileResource(OfDesk):
    path = "players/<id:player_id>"
    get = reads(one_player, name="player", summary="One player", description=FOR_DESK, answers=Player, roles=STAFF)


class MemberResource(OfDesk):
    path = "players/<id:player_id>/member"
    put = does(
        members.register,
        name="register_member",
        summary="Make a player a member",
        description="Issues their first card. A repeat changes their details.",
        answers=Player,
        shown=lambda card, by: card.member.player,
        refuses=(422,),
    )


class CardsResource(OfDesk):
    path = "players/<id:player_id>/cards"
    post = does(
        members.issue,
        name="issue_card",
        summary="Issue a new card",
        description=FOR_DESK,
        answers=MemberCard,
        status=201,
        refuses=(409,),
    )


class LostResource(OfDesk):
    path = "players/<id:player_id>/cards/lost"
    post = does(
        members.report_lost,
        name="card_lost",
        summary="Report a card as lost",
        description=FOR_DESK,
        answers=MemberCard,
        roles=STAFF,
    )


class VisitsResource(OfDesk):
    path = "visits"
    get = reads(
        here,
        name="visits",
        summary="List players in the room",
        description=FOR_DESK,
        answers=VisitLine,
        many=True,
        roles=STAFF,
    )
    post = does(
        scan_in,
        name="scan_in",
        summary="Check in by a card",
        description="For kiosks, with a token of the floor.",
        answers=VisitLine,
        roles=STAFF,
        refuses=(404, 422),
    )


class VisitResource(OfDesk):
    path = "players/<id:player_id>/visit"
    post = does(visits.check_in, name="check_in", summary="Check a player in", description=FOR_DESK, answers=VisitLine)
    delete = does(
        visits.check_out,
        name="check_out",
        summary="Check a player out",
        description=FOR_DESK,
        answers=VisitLine,
        roles=STAFF,
        refuses=(409,),
    )


class BansResource(ManagersPlayerResource):
    path = "players/<id:player_id>/bans"
    get = reads(
        bans_of, name="bans", summary="Bans of a player", description=FOR_DESK, answers=BanLine, many=True, roles=STAFF
    )
    post = does(
        player_bans.ban,
        name="ban",
        summary="Ban a player",
        description="By a manager; by the floor for at most one day. A hand in progress is played to its end.",
        answers=BanLine,
        status=201,
        roles=STAFF,
        refuses=(409,),
    )


class LiftResource(ManagersPlayerResource):
    path = "bans/<id:ban_id>/lift"
    post = does(
        player_bans.lift,
        name="lift_ban",
        summary="Lift a ban",
        description="Not possible for a self-exclusion.",
        answers=BanLine,
        refuses=(409, 422),
    )


class NotesResource(OfDesk):
    path = "players/<id:player_id>/notes"
    get = reads(
        notes_about,
        name="player_notes",
        summary="Notes about a player",
        description=FOR_DESK,
        answers=NoteLine,
        many=True,
        roles=STAFF,
    )
    post = does(
        notes.write,
        name="write_note",
        summary="Add a note",
        description=FOR_DESK,
        answers=NoteLine,
        status=201,
        refuses=(409,),
    )


class NoteResource(OfDesk):
    path = "notes/<id:note_id>"
    delete = does(notes.remove, name="remove_note", summary="Archive a note", description=FOR_DESK, status=204)


api = addresses(
    [
        FindPlayersResource,
        PlayerFileResource,
        MemberResource,
        CardsResource,
        LostResource,
        VisitsResource,
        VisitResource,
        BansResource,
        LiftResource,
        NotesResource,
        NoteResource,
    ]
)
urlpatterns = page_urls(
    [PLAYERS, PLAYER, CARD],
    forms=[
        TakeInForm,
        RegisterForm,
        IssueForm,
        MarkCardLostForm,
        CheckInForm,
        CheckOutForm,
        BanForm,
        LiftForm,
        WriteNoteForm,
        RemoveNoteForm,
    ],
)
