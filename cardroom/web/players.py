"""Players at the desk: found, taken in, checked in, banned, noted. And a player's own: their card, and the limits they
set for themselves."""

from collections.abc import Callable
from functools import partial
from secrets import token_urlsafe
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from cardroom.models import Ban, LimitChange, PlayerCard, PlayerNote, StaffAction, User, Where
from cardroom.services import access, accounts, cards, limits, notes, room_time, selectors, standing, visits, walk_ins
from cardroom.services.errors import CardroomError, NotFound
from cardroom.services.prints.files import PDF, File
from cardroom.services.sessions import open_now
from cardroom.web import operations as of
from cardroom.web.api import player_serializers as shapes
from cardroom.web.operations import Form, Operation, Page, Read, said, say_refusal

STAFF = cards.STAFF
MOST = 200
#: Where one goes on with somebody who was taken in there.
THEN = {"cage": "cage", "window": "cage_window"}

Refusal = CardroomError | None


# -- pages -------------------------------------------------------------------------------------------------------------


def listing(request: HttpRequest, *, refusal: Refusal = None, typed: Any = None) -> HttpResponse:
    """`?q=` a name, a number, a phone, or a scanned card, which opens its owner's page; without it who is here. `?new=`
    opens the form for somebody new, for one of the pages `THEN`."""
    asked = " ".join(request.GET.get("q", "").replace("\0", "").split())[:80]
    found: list[User] = []
    words = ""
    try:
        found = cards.find(asked)
    except CardroomError as error:
        words = error.message
    is_fragment = bool(request.htmx) and not request.htmx.history_restore_request
    if len(found) == 1 and cards.BARCODE.fullmatch(asked) and not is_fragment:
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
    return render(request, "cardroom/players/_found.html" if is_fragment else "cardroom/players/list.html", context)


def player(request: HttpRequest, *, player_id: int, refusal: Refusal = None, typed: Any = None) -> HttpResponse:
    """One player, as staff sees them."""
    say_refusal(request, refusal)
    who, now = accounts.one(player_id), timezone.now()
    member = cards.member_of(who)
    context = {
        "who": who,
        "member": member,
        "cards": list(member.cards.all()[:10]) if member else [],
        "bans": list(Ban.objects.filter(player=who).select_related("by", "lifted_by")[:20]),
        "in_force": list(standing.in_force(who, now=now)),
        "visits": visits.with_minutes(who, now=now, limit=10),
        "present": visits.present(who),
        "notes": notes.about(who),
        "flags": PlayerNote.Flag.choices,
        "places": Where.choices,
        "limits": [limit for limit in limits.all_of(who, now=now) if limit.amount is not None],
        "balance": selectors.wallet_balance(who),
        "statement": selectors.statement(who, limit=8),
        "acts": StaffAction.objects.filter(player=who).select_related("by").order_by("-pk")[:12],
        "roles": sorted(access.roles_of(who)),
        "is_manager": access.has_role(request.user, "manager"),
        "typed": typed or {},
        "key": f"{now.timestamp():.6f}",
        "now": now,
    }
    return render(request, "cardroom/players/player.html", context)


def card(request: HttpRequest, *, player_id: int) -> HttpResponse:
    """The card as a PDF, to be printed."""
    from cardroom.services.prints import member_cards

    document = member_cards.card(player=accounts.one(player_id), by=request.user)
    return of.file_answer(File(f"card-{player_id}.pdf", PDF, document))


def my_card(request: HttpRequest, *, refusal: Refusal = None, typed: Any = None) -> HttpResponse:
    """The player's number and card, their visits, and where they are logged in."""
    say_refusal(request, refusal)
    now, member = timezone.now(), cards.member_of(request.user)
    context = {
        "member": member,
        "card": member.cards.first() if member else None,
        "visits": visits.with_minutes(request.user, now=now, limit=15),
        "sessions": open_now(now=now, user=request.user)[:20],
    }
    return render(request, "cardroom/players/my_card.html", context)


def my_limits(request: HttpRequest, *, refusal: Refusal = None, typed: Any = None) -> HttpResponse:
    """What the player allows themselves."""
    say_refusal(request, refusal)
    now = timezone.now()
    context = {
        "limits": limits.all_of(request.user, now=now),
        "ranges": limits.RANGES,
        "exclusions": shapes.EXCLUSIONS.items(),
        "places": Where.choices,
        "bans": list(standing.in_force(request.user, now=now)),
        "key": f"{now.timestamp():.6f}",
    }
    return render(request, "cardroom/players/my_limits.html", context)


def _taken_in(request: HttpRequest, made: User) -> HttpResponse:
    messages.success(request, f"{made} is taken in: member {made.member.number}.")
    if page := THEN.get(request.POST.get("then", "")):
        return redirect(f"{reverse(page)}?player={made.pk}")
    return redirect("player", made.pk)


def _banned(ban: Ban) -> str:
    until = f"until {room_time.said(ban.until)}" if ban.until else "for good"
    return f"{ban.player} is banned {ban.get_where_display()} {until}. A hand they are in is played to its end."


def _limit_set(change: LimitChange) -> str:
    if change.counts_from <= timezone.now():
        return "It counts from now on."
    return f"It counts from {room_time.said(change.counts_from)}; until then you can take it back."


PLAYERS = Page("players/", "players", listing, STAFF)
PLAYER = Page("players/<id:player_id>/", "player", player, STAFF)
CARD = Page("players/<id:player_id>/card.pdf", "player_card", card, STAFF)
MY_CARD = Page("me/card/", "my_card", my_card)
MY_LIMITS = Page("me/limits/", "my_limits", my_limits)


# -- verbs -------------------------------------------------------------------------------------------------------------


def _of(service: Callable[..., Any]) -> Callable[..., Any]:
    """The service, for the player whose number stands in the address."""
    return lambda player_id, **asked: service(player=accounts.one(player_id), **asked)


def _scan_in(*, by: User, barcode: str) -> Any:
    return visits.check_in_by_barcode(barcode=barcode)


def _my_card(by: User) -> PlayerCard:
    member = cards.member_of(by)
    found = member.cards.first() if member else None
    if found is None:
        raise NotFound("You have no card: the desk gives you one.", "no-card")
    return found


def _bans(by: User, player_id: int) -> Any:
    return Ban.objects.filter(player=accounts.one(player_id)).select_related("by")[:MOST]


def _done(what: str, words: str | Callable[[Any], str], **more: Any) -> Form:
    """A form of the page of a player."""
    then = said(words, "player", "player_id")
    return Form("players/<id:player_id>/do/", "player_do", PLAYER, then, verbs={what: {}}, **more)


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
        name="find_players", summary="Find players", address="players", query=shapes.PlayerQuery, many=True,
        out=shapes.PlayerLine, finds=lambda by, q: cards.find(q), refuses=(400, 404, 422),
    ),
    _verb(
        name="take_in", summary="Take in somebody new", address="players", does=walk_ins.take_in, keyed=True,
        description="A guest without a password, written down as a member, with a card, checked in.",
        order=shapes.MemberOrder, status=201, out=shapes.Player, refuses=(409, 422),
        form=Form(PLAYERS.address, PLAYERS.name, PLAYERS, _taken_in),
    ),
    _read(
        name="player", summary="One player", address="players/<id:player_id>", out=shapes.Player,
        finds=lambda by, player_id: accounts.one(player_id),
    ),
    _verb(
        name="register_member", summary="Write a player down as a member", method="PUT", order=shapes.MemberOrder,
        address="players/<id:player_id>/member", does=_of(cards.register), refuses=(422,),
        description="Gives them their first card; again, changes what is written about them.",
        out=shapes.Player, shows=lambda made, by: made.member.player,
        form=_done("register", "Member {0.member.number}."),
    ),
    _verb(
        name="issue_card", summary="Give another card", address="players/<id:player_id>/cards", keyed=True,
        does=_of(cards.issue), order=shapes.CardOrder, status=201, out=shapes.MemberCard, refuses=(409,),
        form=_done("issue", "A new card. The one before is good for nothing any more."),
    ),
    _verb(
        name="card_lost", summary="A card is lost", address="players/<id:player_id>/cards/lost",
        does=_of(cards.report_lost), out=shapes.MemberCard, form=_done("lost", "The card is reported lost."),
    ),
    # Who is here
    _read(
        name="visits", summary="Who is in the room", address="visits", out=shapes.VisitLine, many=True,
        finds=lambda by: visits.here_now()[: 10 * MOST],
    ),
    _verb(
        name="scan_in", summary="Check in by a card", address="visits", does=_scan_in, order=shapes.ScanOrder,
        description="What a kiosk sends, with a key of somebody of the floor.", out=shapes.VisitLine,
        refuses=(404, 422),
    ),
    _verb(
        name="check_in", summary="Check a player in", address="players/<id:player_id>/visit", out=shapes.VisitLine,
        does=_of(visits.check_in), form=_done("check-in", "{0.player} is checked in."),
    ),
    _verb(
        name="check_out", summary="Check a player out", method="DELETE", address="players/<id:player_id>/visit",
        does=_of(visits.check_out), out=shapes.VisitLine, refuses=(409,),
        form=_done("check-out", "{0.player} is checked out."),
    ),
    # Bans and notes
    _read(
        name="bans", summary="Bans of a player", address="players/<id:player_id>/bans", scope="manage",
        out=shapes.BanLine, many=True, finds=_bans,
    ),
    _verb(
        name="ban", summary="Ban a player", address="players/<id:player_id>/bans", scope="manage", keyed=True,
        description="By a manager; by the floor for a day at most. A hand they are in is played to its end.",
        does=_of(standing.ban), order=shapes.BanOrder, status=201, out=shapes.BanLine, refuses=(409,),
        form=_done("ban", _banned),
    ),
    _verb(
        name="lift_ban", summary="Lift a ban", address="bans/<id:ban_id>/lift", scope="manage", roles=("manager",),
        description="Not of somebody who excluded themselves.", does=standing.lift, order=shapes.AccountReason,
        out=shapes.BanLine, refuses=(409, 422),
        form=_done("lift", "The ban is lifted.", hidden={"ban_id": "Say which one."}, shown=("player_id",)),
    ),
    _read(
        name="player_notes", summary="Notes about a player", address="players/<id:player_id>/notes", many=True,
        out=shapes.NoteLine, finds=lambda by, player_id: notes.about(accounts.one(player_id)),
    ),
    _verb(
        name="write_note", summary="Write a note", address="players/<id:player_id>/notes", does=_of(notes.write),
        order=shapes.NoteOrder, keyed=True, status=201, out=shapes.NoteLine, refuses=(409,),
        form=_done("note", "Noted."),
    ),
    _verb(
        name="remove_note", summary="Put a note away", method="DELETE", address="notes/<id:note_id>",
        does=notes.remove, status=204,
        form=_done("put-away", "The note is put away.", hidden={"note_id": "Say which one."}, shown=("player_id",)),
    ),
    # A player's own
    _my_read(
        name="my_card", summary="Your card", address="me/card", out=shapes.MemberCard, finds=_my_card, refuses=(404,),
    ),
    _my_verb(
        name="my_card_lost", summary="Your card is lost", method="DELETE", address="me/card", refuses=(404,),
        does=lambda player: cards.report_lost(player=player, by=player), out=shapes.MemberCard,
        form=Form(MY_CARD.address, MY_CARD.name, MY_CARD, said(
            "Your card is good for nothing any more. The desk gives you another.", "my_card",
        )),
    ),
    _my_read(
        name="my_limits", summary="Your limits", address="me/limits", out=shapes.LimitLine, many=True,
        finds=lambda by: limits.all_of(by, now=timezone.now()),
    ),
    _my_verb(
        name="set_my_limit", summary="Set a limit", address="me/limits", does=limits.wish, order=shapes.WishOrder,
        description="Stricter counts at once, looser after a day.", keyed=True, status=201, out=shapes.Wish,
        refuses=(409,), form=Form(MY_LIMITS.address, MY_LIMITS.name, MY_LIMITS, said(_limit_set, "my_limits")),
    ),
    _my_verb(
        name="cancel_my_limit", summary="Take back a limit that does not count yet", method="DELETE",
        address="me/limits/<id:change_id>", does=limits.cancel, out=shapes.Wish, refuses=(409,),
        form=Form(MY_LIMITS.address, MY_LIMITS.name, MY_LIMITS, said(
            "Taken back: the limit stays as it is.", "my_limits",
        ), verbs={"cancel": {}}, hidden={"change_id": "Say which one."}),
    ),
    _my_read(
        name="my_bans", summary="Your bans", address="me/bans", out=shapes.BanLine, many=True,
        finds=lambda by: standing.in_force(by, now=timezone.now()).select_related("by"),
    ),
    _my_verb(
        name="exclude_me", summary="Shut yourself out", address="me/bans", does=standing.exclude_oneself, keyed=True,
        description="For a day at least. Nobody takes it back.", order=shapes.ExclusionOrder, status=201,
        out=shapes.BanLine, refuses=(409,),
        form=Form("me/limits/exclude/", "exclude_me", MY_LIMITS, lambda request, made: redirect("lobby")),
    ),
]  # fmt: skip

api = of.resources(DECLARED)
urlpatterns = of.pages([PLAYERS, PLAYER, CARD, MY_CARD, MY_LIMITS], DECLARED)
