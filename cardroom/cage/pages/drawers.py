"""The drawers, one's own first, who was at which, and the report of a session."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, pgettext

from cardroom.cage import books as cage_books
from cardroom.cage import documents as cage_documents
from cardroom.cage import drawers as cage_drawers
from cardroom.cage import queries as cage_queries
from cardroom.cage import serializers as shapes
from cardroom.cage import vault as cage_vault
from cardroom.cage.models import DrawerCount, DrawerSession, Slip
from cardroom.cage.pages.shared import count_message, go_on_to, page_of, pieces
from cardroom.core import access
from cardroom.core.errors import Refusal
from cardroom.core.models import Approval
from cardroom.core.web import parts
from cardroom.core.web.api.fields import WholeNumber
from cardroom.core.web.file_answers import file_answer
from cardroom.core.web.forms import PagePost
from cardroom.core.web.pages import Context, Page, second_asked, went_to
from cardroom.ledger import counts

SHOWN = 30


def drawers(request: HttpRequest) -> Context:
    """The drawers, the reader's own first, with their sessions."""
    rows = cage_queries.sessions(limit=SHOWN + 1, before=parts.query_number(request, "before"), viewer=request.user)
    session = cage_queries.own_session(request.user)
    shown, later = page_of(rows, SHOWN)
    return {
        "pieces": pieces(request),
        "drawers": cage_queries.drawers(request.user),
        "mine": session,
        "standing": counts.open_count(f"drawer:{session.drawer_id}", viewer=request.user) if session else None,
        "sessions": shown,
        "blind": cage_queries.blind_among(request.user, rows),
        "later": later,
        "vault": cage_queries.vault(),
        "sees_vault": cage_queries.sees_vault(request.user),
        "written": cage_books.slip(pk) if (pk := parts.query_number(request, "slip")) else None,
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
    # Later counts belong to the present cashier of the drawer, and counts are blind.
    until = None if cage_queries.sees_money(request.user) else row.closed_at
    return {
        "pieces": pieces(request),
        "is_blind": cage_queries.counts_blind(request.user, row),
        "kept": counts.counts_of(f"drawer:{row.drawer_id}", until=until),
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


DRAWERS = Page(
    "cage/drawers/", "cage_drawers", drawers, cage_documents.SEES_DRAWERS, template="cardroom/cage/drawers.html"
)
SESSION = Page(
    "cage/sessions/<id:session_id>/",
    "cage_session",
    session,
    cage_documents.SEES_DRAWERS,
    template="cardroom/cage/session.html",
)
REPORT = Page("cage/sessions/<id:session_id>/report.<form:form>", "cage_report", report)


class OnDrawers(PagePost):
    """A form of the page of all drawers."""

    page, asks_factor = DRAWERS, True


class MakeDrawerForm(OnDrawers):
    does, path, name = cage_drawers.make_drawer, "cage/drawers/new/", "cage_make_drawer"
    then = gettext_lazy("{} is added.")


class RetireDrawerForm(OnDrawers):
    does, path, name = cage_drawers.retire_drawer, "cage/drawers/<id:drawer_id>/retire/", "cage_retire_drawer"
    then = gettext_lazy("{} is retired.")


class OpenDrawerForm(OnDrawers):
    does, path, name, body = cage_drawers.open_drawer, "cage/drawers/open/", "cage_open", shapes.DrawerOpenOrder

    def done(self, request: HttpRequest, result: DrawerSession | Approval) -> HttpResponse:
        if isinstance(result, Approval):
            return second_asked(request, result, "cage_drawers")
        words = pgettext("drawer", "{name} is open.").format(name=result.drawer)
        return went_to(request, words, "cage")


class JoinDrawerForm(OnDrawers):
    does, path, name = cage_drawers.join, "cage/sessions/<id:session_id>/join/", "cage_join"

    def done(self, request: HttpRequest, result: DrawerSession) -> HttpResponse:
        words = gettext("You work on {drawer} now: your slips name you.").format(drawer=result.drawer)
        return went_to(request, words, "cage_drawers")


class LeaveDrawerForm(OnDrawers):
    does, path, name = cage_drawers.leave, "cage/sessions/<id:session_id>/leave/", "cage_leave"

    def done(self, request: HttpRequest, result: DrawerSession) -> HttpResponse:
        return went_to(request, gettext("You no longer work on {drawer}.").format(drawer=result.drawer), "cage_drawers")


class OfOneSession(OnDrawers):
    """A form for one's own drawer or, with `session_id`, for that of a session, whose page is shown again."""

    def refused(self, request: HttpRequest, refusal: Refusal, **address: Any) -> HttpResponse:
        number = parts.whole_number_or_none(request.POST.get("session_id", ""))
        if number:
            return SESSION.drawn(request, refusal=refusal, typed=request.POST, session_id=number)
        return DRAWERS.drawn(request, refusal=refusal, typed=request.POST)


class MoveCashForm(OfOneSession):
    """Money between the vault and a drawer."""

    def done(self, request: HttpRequest, result: Slip) -> HttpResponse:
        session = cage_queries.own_session(request.user)  # type: ignore[arg-type]
        if session is not None and session.pk == result.session_id:
            return go_on_to(request, result, reverse("cage_drawers"))
        return go_on_to(request, result, reverse("cage_session", args=[result.session_id]))


class FillForm(MoveCashForm):
    does, path, name = cage_vault.fill, "cage/drawers/fill/", "cage_fill"


class TakeForm(MoveCashForm):
    does, path, name = cage_vault.take, "cage/drawers/take/", "cage_take"


class CountDrawerForm(OnDrawers):
    does, path, name, body = cage_drawers.count, "cage/drawers/count/", "cage_count", shapes.DrawerCountOrder

    def done(self, request: HttpRequest, result: DrawerCount) -> HttpResponse:
        return DRAWERS.say(request, count_message, result)


class CloseOrder(shapes.DrawerCloseOrder):
    """The form says by a field whose drawer is closed."""

    session = WholeNumber(required=False, source="session_id", min_value=1)


class CloseDrawerForm(OfOneSession):
    does, path, name, body = cage_drawers.close_drawer, "cage/drawers/close/", "cage_close", CloseOrder

    def done(self, request: HttpRequest, result: DrawerSession) -> HttpResponse:
        if result.state == DrawerSession.State.CLOSING:
            words = gettext("{drawer} differs from the book balance: approval is requested.")
            words = words.format(drawer=result.drawer)
            return went_to(request, words, "cage_session", result.pk, is_warning=True)
        return went_to(request, gettext("{drawer} is closed.").format(drawer=result.drawer), "cage_session", result.pk)


class MoveVaultForm(OnDrawers):
    does, path, name, body = cage_vault.vault, "cage/vault/", "cage_vault", shapes.VaultOrder

    def done(self, request: HttpRequest, result: Slip | Approval) -> HttpResponse:
        return go_on_to(request, result, reverse("cage_drawers"))


PAGES = [DRAWERS, SESSION, REPORT]
FORMS: list[type[PagePost]] = [
    MakeDrawerForm,
    RetireDrawerForm,
    OpenDrawerForm,
    JoinDrawerForm,
    LeaveDrawerForm,
    FillForm,
    TakeForm,
    CountDrawerForm,
    CloseDrawerForm,
    MoveVaultForm,
]
