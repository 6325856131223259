"""The counter: a player is found, served by one form, and what players ask for from their own page.

`?q=` searches, `?player=` has somebody before the window, `?slip=` tells of a slip that was just written.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from cardroom.accounts import members
from cardroom.cage import books as cage_books
from cardroom.cage import counter, requests
from cardroom.cage import queries as cage_queries
from cardroom.cage import slips as cage_slips
from cardroom.cage.models import CashierRequest, CreditLine, Slip
from cardroom.cage.pages.shared import go_on_to
from cardroom.cage.serializers import SlipOrder
from cardroom.core import access, approvals
from cardroom.core.errors import NotFound, Refusal
from cardroom.core.models import Approval, User
from cardroom.core.sentences import filled
from cardroom.core.web import parts
from cardroom.core.web.forms import PagePost
from cardroom.core.web.pages import Context, Page, went_to

#: What the form at the window offers, in its order: verb, words, the key that picks it.
OFFERED = (
    ("deposit", gettext_lazy("Deposit"), "d"),
    ("withdrawal", gettext_lazy("Withdrawal"), "w"),
    ("credit", gettext_lazy("Credit"), "c"),
    ("repayment", gettext_lazy("Repayment"), "r"),
    ("comp", gettext_lazy("Comp"), "o"),
    ("comp-used", gettext_lazy("Redeem comp"), "u"),
    ("transfer", gettext_lazy("Transfer"), "t"),
)


def at_the_counter(request: HttpRequest) -> tuple[User | None, Context]:
    """The player at the counter, with what its pages show of that player and of the search."""
    words = request.GET.get("q", "").strip()[:60]
    picked = parts.query_number(request, "player") or parts.whole_number_or_none(request.POST.get("player", ""))
    people: list[User] = []
    refused: Context = {}
    if words:
        try:
            people = members.find(words)
        except Refusal as error:
            refused = {"refusal": error}
    player = player_of(picked) if picked else None
    return player, refused | {
        "asked": words,
        "found": people,
        "person": cage_queries.of_player(player, now=timezone.now()) if player else None,
        "written": Slip.objects.filter(pk=parts.query_number(request, "slip") or 0).first(),
        "session": cage_queries.own_session(request.user),
    }


def is_only_one(request: HttpRequest, players: list[User]) -> bool:
    """Whether exactly one player was found, whose page then opens at once."""
    return len(players) == 1 and not request.headers.get("HX-Request")


def player_of(pk: int) -> User:
    """A person who may stand at the window."""
    player = User.objects.filter(pk=pk, is_bot=False).first()
    if player is None:
        raise NotFound("no-such-player", "There is no such player.")
    return player


def desk(request: HttpRequest) -> HttpResponse | Context:
    """The counter: finds a player, serves them by one form, and shows their slips."""
    player, head = at_the_counter(request)
    if is_only_one(request, head["found"]):
        return redirect(f"{reverse('cage')}?player={head['found'][0].pk}")
    session = head["session"]
    return head | {
        "their_slips": cage_queries.slips(player=player.pk, limit=8) if player else [],
        "my_slips": cage_queries.slips(session=session.pk, limit=8) if session else [],
        "requests": requests.waiting(),
        "waiting": approvals.waiting(now=timezone.now())[:20],
        "offered": OFFERED,
        "is_manager": access.has_role(request.user, "manager"),
    }


def my_cashier(request: HttpRequest) -> Context:
    """A player's own page at the cage: their chips and debt, their requests, their slips."""
    return {
        "me": cage_queries.of_player(request.user, now=timezone.now()),
        "requests": cage_queries.requests_of(request.user),
        "slips": cage_queries.slips(player=request.user.pk, limit=30),
    }


DESK = Page("cage/", "cage", desk, cage_books.STAFF, template="cardroom/cage/desk.html")
MINE = Page("me/cashier/", "my_cashier", my_cashier, template="cardroom/cage/mine.html")


class ServeForm(PagePost):
    """A form of the counter; afterwards the player is shown with the slip or the approval request."""

    page, asks_factor = DESK, True

    def done(self, request: HttpRequest, result: Slip | CashierRequest | Approval) -> HttpResponse:
        slip = cage_books.slip(result.slip_id) if isinstance(result, CashierRequest) else result
        return go_on_to(request, slip, f"{reverse('cage')}?player={result.player_id}")


class WriteSlipForm(ServeForm):
    does, path, name, body = counter.write_slip, "cage/do/", "cage_do", SlipOrder


class FulfilForm(ServeForm):
    does, path, name = requests.fulfil, "cage/requests/<id:request_id>/", "cage_request"


class RefuseRequestForm(PagePost):
    page, does, asks_factor = DESK, requests.refuse, True
    path, name = "cage/requests/<id:request_id>/refuse/", "cage_refuse_request"
    then = gettext_lazy("Request refused. The player gets the reason.")


class CreditLineForm(PagePost):
    page, does, asks_factor = DESK, cage_slips.set_line, True
    path, name = "cage/players/<id:player_id>/credit-line/", "cage_line"

    def done(self, request: HttpRequest, result: CreditLine) -> HttpResponse:
        words = filled(gettext("{player} now has a credit line of {most:,}."), player=result.player, most=result.most)
        return went_to(request, words, f"{reverse('cage')}?player={result.player_id}")


class AskCashierForm(PagePost):
    page, does, path, name = MINE, requests.make, "me/cashier/ask/", "my_cashier_ask"

    def done(self, request: HttpRequest, result: CashierRequest) -> HttpResponse:
        words = filled(
            gettext("Request sent: {kind} of {amount:,}."), kind=result.get_kind_display(), amount=result.amount
        )
        return went_to(request, words, "my_cashier")


class TakeBackRequestForm(PagePost):
    page, does = MINE, requests.take_back
    path, name = "me/cashier/<id:request_id>/take-back/", "my_cashier_take_back"
    then = gettext_lazy("Request cancelled.")


PAGES = [DESK, MINE]
FORMS: list[type[PagePost]] = [
    WriteSlipForm,
    FulfilForm,
    RefuseRequestForm,
    CreditLineForm,
    AskCashierForm,
    TakeBackRequestForm,
]
