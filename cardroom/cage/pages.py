"""What the cage's pages show: the desk, slips, drawers, the vault, approvals, limits, and a player's own cashier page.

`?q=` searches, `?player=` has somebody before the window, `?slip=` tells of a slip that was just written. Each page of
a form is shown again after a refusal (see `operations.Page`). What they post to: `cage_operations`.
"""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, pgettext, pgettext_lazy

from cardroom.accounts import members
from cardroom.cage import allowances, requests
from cardroom.cage import books as cage_books
from cardroom.cage import documents as cage_documents
from cardroom.cage import drawers as cage_drawers
from cardroom.cage import queries as cage_queries
from cardroom.cage import vault as cage_vault
from cardroom.cage.counting import PIECES
from cardroom.cage.models import CageLimit, CreditLine, Drawer, DrawerCount, DrawerSession, Slip
from cardroom.core import access, approval_details, approvals
from cardroom.core.errors import NotFound, Refusal
from cardroom.core.models import Approval, User
from cardroom.core.sentences import filled
from cardroom.core.web import parts
from cardroom.core.web.operations import Context, Then, file_answer, said, second_asked, went_to
from cardroom.ledger import counts
from cardroom.ledger.models import Account

_SLIPS, _DRAWERS, _APPROVALS = 50, 30, 40

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


# -- where a form goes on to -------------------------------------------------------------------------------------------


def told(request: HttpRequest, made: Any, address: str) -> HttpResponse:
    """To the page at `address`, which tells of the slip or of the approval that it waits for."""
    if isinstance(made, Slip):
        joint = "&" if "?" in address else "?"
        return redirect(f"{address}{joint}slip={made.pk}")
    messages.warning(request, approvals.sent(made))
    return redirect(address)


def slip_told(page: str) -> Then:
    """To `page`, with the slip or the approval."""
    return lambda request, made: told(request, made, reverse(page))


def slip_reversed(request: HttpRequest, made: Any) -> HttpResponse:
    """To the slip that was to be reversed."""
    slip_id = made.reverses_id if isinstance(made, Slip) else made.payload["asked"]["slip"]
    return told(request, made, reverse("cage_slip", args=[slip_id]))


def player_told(request: HttpRequest, made: Any) -> HttpResponse:
    """To the player at the window, with the slip or the approval."""
    done = made if isinstance(made, Slip | Approval) else cage_books.slip(made.slip_id)
    return told(request, done, f"{reverse('cage')}?player={made.player_id}")


def line_set(request: HttpRequest, line: CreditLine) -> HttpResponse:
    words = filled(gettext("{player} now has a credit line of {most:,}."), player=line.player, most=line.most)
    return went_to(request, words, f"{reverse('cage')}?player={line.player_id}")


def limit_set(request: HttpRequest, made: CageLimit | Approval) -> HttpResponse:
    if isinstance(made, Approval):
        return second_asked(request, made, "cage_approvals")
    words = gettext("{acts} by a {role}: saved.").format(
        acts=allowances.VERBS[made.verb], role=access.role_name(made.role)
    )
    return went_to(request, words, "cage_limits")


def counted(row: Any) -> str:
    """What is said of a count that is taken. What one in between is off by is told to nobody who counts."""
    if isinstance(row, DrawerCount) and row.difference:
        return filled(gettext("{counted:,} is recorded as counted, with your reason."), counted=row.counted)
    return filled(gettext("Counted {counted:,}: {words}."), counted=row.counted, words=counts.words(row.difference))


def drawer_opened(request: HttpRequest, made: Any) -> HttpResponse:
    page = "cage_drawers" if isinstance(made, Approval) else "cage"
    return said(lambda made: pgettext("drawer", "{name} is open.").format(name=made.drawer), page)(request, made)


def filled_or_taken(request: HttpRequest, made: Slip) -> HttpResponse:
    """To one's own drawer, or to the session that was filled."""
    mine = cage_queries.own_session(request.user)
    if mine is not None and mine.pk == made.session_id:
        return told(request, made, reverse("cage_drawers"))
    return told(request, made, reverse("cage_session", args=[made.session_id]))


def drawer_joined(request: HttpRequest, row: DrawerSession) -> HttpResponse:
    words = gettext("You work on {drawer} now: your slips name you.").format(drawer=row.drawer)
    return went_to(request, words, "cage_drawers")


def drawer_left(request: HttpRequest, row: DrawerSession) -> HttpResponse:
    return went_to(request, gettext("You no longer work on {drawer}.").format(drawer=row.drawer), "cage_drawers")


def drawer_closed(request: HttpRequest, row: DrawerSession) -> HttpResponse:
    if row.state == DrawerSession.State.CLOSING:
        words = gettext("{drawer} differs from the book balance: approval is requested.").format(drawer=row.drawer)
        return went_to(request, words, "cage_session", row.pk, is_warning=True)
    return went_to(request, gettext("{drawer} is closed.").format(drawer=row.drawer), "cage_session", row.pk)


# -- the counter -------------------------------------------------------------------------------------------------------


def at_the_counter(request: HttpRequest) -> tuple[User | None, Context]:
    """Who stands there, and what the pages of the counter say of that player and of the search."""
    asked = request.GET.get("q", "").strip()[:60]
    picked = parts.asked(request, "player") or parts.whole_or_none(request.POST.get("player", ""))
    found: list[User] = []
    refused: Context = {}
    if asked:
        try:
            found = members.find(asked)
        except Refusal as error:
            refused = {"refusal": error}
    player = player_of(picked) if picked else None
    return player, refused | {
        "asked": asked,
        "found": found,
        "person": cage_queries.of_player(player, now=timezone.now()) if player else None,
        "written": Slip.objects.filter(pk=parts.asked(request, "slip") or 0).first(),
        "session": cage_queries.own_session(request.user),
    }


def is_only_one(request: HttpRequest, found: list[User]) -> bool:
    """Whether the one who was found is gone to at once."""
    return len(found) == 1 and not request.headers.get("HX-Request")


def player_of(pk: int) -> User:
    """A person who may stand at the window."""
    found = User.objects.filter(pk=pk, is_bot=False).first()
    if found is None:
        raise NotFound("no-such-player", "There is no such player.")
    return found


def desk(request: HttpRequest) -> HttpResponse | Context:
    """A player is found, served by one form, and their slips lie beside it."""
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
    """A player's own: what they have and owe, what they ask the cage for, their slips."""
    return {
        "me": cage_queries.of_player(request.user, now=timezone.now()),
        "requests": cage_queries.requests_of(request.user),
        "slips": cage_queries.slips(player=request.user.pk, limit=30),
    }


# -- slips -------------------------------------------------------------------------------------------------------------


def slips(request: HttpRequest) -> HttpResponse | Context:
    """Slips, newest first: `?player=`, `?session=`, `?kind=`, `?before=`; `?form=csv` saves them."""
    wanted = {name: parts.asked(request, name) for name in ("player", "session")}
    kind = request.GET.get("kind", "")
    kind = kind if kind in Slip.Kind.values else ""
    if request.GET.get("form") == "csv":
        return file_answer(cage_documents.slips_csv(by=request.user, kind=kind, **wanted))
    before = parts.asked(request, "before")
    rows, later = _page_of(cage_queries.slips(limit=_SLIPS + 1, before=before, kind=kind, **wanted), _SLIPS)
    query = request.GET.copy()
    query.pop("before", None)
    player = player_of(wanted["player"]) if wanted["player"] else None
    shown = {"slips": rows, "later": later, "kind": kind, "kinds": Slip.Kind.choices, "query": query.urlencode()}
    return wanted | {"player": player} | shown


_ACCOUNTS = {
    "wallet": gettext_lazy("Chip balance of {owner}"),
    "stack": gettext_lazy("Stack of {owner}, {label}"),
    "house": gettext_lazy("House: {label}"),
    "pool": gettext_lazy("Pool: {label}"),
    "drawer": gettext_lazy("Drawer {label}"),
    "debt": gettext_lazy("Credit of {owner}"),
}
#: Accounts of the house as a cashier calls them, by label and unit.
_OF_THE_HOUSE = {
    (cage_books.STREET, cage_books.MONEY): gettext_lazy("Cash from players"),
    (cage_books.VAULT, cage_books.MONEY): gettext_lazy("Vault"),
    (cage_books.BANK, cage_books.MONEY): gettext_lazy("Bank"),
    (cage_books.OVER_SHORT, cage_books.MONEY): gettext_lazy("Over and short"),
    (cage_books.CHIPS, "cash"): gettext_lazy("Chips of the house"),
    (cage_books.CREDIT, "cash"): gettext_lazy("Chips on credit"),
    (cage_books.PROMOTIONS, "cash"): gettext_lazy("Promotions"),
    (cage_books.COMPS, cage_books.COMP): gettext_lazy("Comp points of the house"),
}
_UNITS = {
    "cash": pgettext_lazy("unit", "chips"),
    cage_books.MONEY: pgettext_lazy("unit", "money"),
    cage_books.COMP: pgettext_lazy("unit", "comp"),
}


def account_name(account: Account) -> str:
    """What an account of the ledger is called in the reader's language: "Chip balance of ann"."""
    label = account.label
    if account.kind == Account.Kind.DRAWER:
        label = (
            Drawer.objects.filter(pk=label.partition(":")[2] or None).values_list("name", flat=True).first() or label
        )
    if account.kind == Account.Kind.WALLET and account.unit == cage_books.COMP:
        return gettext("Comp points of {owner}").format(owner=account.owner)
    known = _OF_THE_HOUSE.get((label, account.unit)) if account.kind == Account.Kind.HOUSE else None
    return str(known or _ACCOUNTS[account.kind]).format(owner=account.owner, label=label)


def slip(request: HttpRequest, *, slip_id: int) -> Context:
    """One slip, with its entries and prints for who is of the cage."""
    row = cage_books.slip(slip_id)
    is_staff = access.has_role(request.user, *cage_documents.SEES)
    cage_queries.check_may_see(row, request.user, is_staff=is_staff)
    entries = row.transfer.entries.select_related("account__owner").order_by("pk") if is_staff else []
    return {
        "slip": row,
        "prints": row.prints.select_related("by").order_by("number") if is_staff else [],
        "entries": [
            (account_name(each.account), _UNITS.get(each.account.unit, each.account.unit), each.amount)
            for each in entries
        ],
        "may_reverse": access.has_role(request.user, *cage_books.STAFF)
        and row.kind not in (Slip.Kind.REVERSAL, Slip.Kind.OVER_SHORT, *cage_books.EVENT_KINDS)
        and not hasattr(row, "reversed_by"),
        "is_staff": is_staff,
    }


# -- drawers and the vault ---------------------------------------------------------------------------------------------


def drawers(request: HttpRequest) -> Context:
    """The drawers, one's own first, and who was at which."""
    rows = cage_queries.sessions(limit=_DRAWERS + 1, before=parts.asked(request, "before"), viewer=request.user)
    mine = cage_queries.own_session(request.user)
    shown, later = _page_of(rows, _DRAWERS)
    return {
        "pieces": _pieces(request),
        "drawers": cage_queries.drawers(request.user),
        "mine": mine,
        "standing": counts.open_count(f"drawer:{mine.drawer_id}", viewer=request.user) if mine else None,
        "sessions": shown,
        "blind": cage_queries.blind_among(request.user, rows),
        "later": later,
        "vault": cage_queries.vault(),
        "sees_vault": cage_queries.sees_vault(request.user),
        "written": cage_books.slip(pk) if (pk := parts.asked(request, "slip")) else None,
        "is_cashier": access.has_role(request.user, *cage_books.STAFF),
        "is_of_desk": access.has_role(request.user, *cage_books.EVENT_DESK),
        "sees_cage": cage_queries.sees_cage(request.user),
        "is_manager": access.has_role(request.user, "manager"),
    }


def session(request: HttpRequest, *, session_id: int) -> Context:
    """One cashier at one drawer, from count to count."""
    row = cage_queries.session(session_id, viewer=request.user)
    is_open = row.state == DrawerSession.State.OPEN
    works_there = cage_queries.own_session(request.user) == row
    is_others = is_open and row.cashier_id != request.user.pk
    # What was counted since is of who has the drawer now, and counts are blind.
    until = None if cage_queries.sees_money(request.user) else row.closed_at
    return {
        "pieces": _pieces(request),
        "is_blind": cage_queries.counts_blind(request.user, row),
        "kept": counts.of(f"drawer:{row.drawer_id}", until=until),
        "may_close": is_others and cage_drawers.may_close(row, request.user),
        "may_fill": is_open
        and row.drawer.is_for_events
        and not works_there
        and access.has_role(request.user, *cage_books.STAFF),
        "sees_cage": cage_queries.sees_cage(request.user),
        "session": row,
        "totals": cage_queries.totals(row),
        "slips": cage_queries.slips(session=row.pk, limit=200),
    }


def report(request: HttpRequest, *, session_id: int, form: str) -> HttpResponse:
    """The report of a drawer, as a file."""
    return file_answer(
        cage_documents.session_report(session_id=session_id, form=form, by=request.user, now=timezone.now())
    )


def vault(request: HttpRequest) -> Context:
    """The vault, and how it was counted."""
    rows = counts.of(cage_vault.SUBJECT, limit=_DRAWERS + 1, before=parts.asked(request, "before"))
    kept, later = _page_of(rows, _DRAWERS)
    return {
        "pieces": _pieces(request),
        "standing": counts.open_count(cage_vault.SUBJECT, viewer=request.user),
        "kept": kept,
        "later": later,
        "vault": cage_queries.vault(),
        "sees_vault": cage_queries.sees_vault(request.user),
        "is_cashier": access.has_role(request.user, *cage_books.STAFF),
    }


# -- second persons ----------------------------------------------------------------------------------------------------


def asked_for(request: HttpRequest) -> Context:
    """What a second person decides, and has decided."""
    now, before = timezone.now(), parts.asked(request, "before")
    past = approvals.past(now=now)
    rows, later = _page_of(list((past.filter(pk__lt=before) if before else past)[: _APPROVALS + 1]), _APPROVALS)
    by, waits = request.user, list(approvals.waiting(now=now))
    decidable = approvals.decidable(by, waits, now=now)
    waiting = [
        {
            "row": row,
            "may_decide": row in decidable,
            "is_mine": row.asked_by_id == by.pk,
            "details": approval_details.read(approvals.details_for(row, by)),
        }
        for row in waits
    ]
    past_rows = [{"row": row, "details": approval_details.read(approvals.details_for(row, by))} for row in rows]
    return {"waiting": waiting, "past": past_rows, "later": later}


def limits(request: HttpRequest) -> Context:
    """What each role may do alone."""
    rows = [
        {"role": role, "verb": verb, "name": allowances.VERBS[verb], "limit": limit}
        for (role, verb), limit in sorted(allowances.table().items())
    ]
    return {"rows": rows, "is_manager": access.has_role(request.user, "manager")}


def _pieces(request: HttpRequest) -> list[tuple[int, str]]:
    return [(worth, request.POST.get(f"pieces-{worth}", "")) for worth in PIECES]


def _page_of(rows: list[Any], most: int) -> tuple[list[Any], int | None]:
    """As many as a page has, and the number of its last row where there are more."""
    return rows[:most], rows[most - 1].pk if len(rows) > most else None
