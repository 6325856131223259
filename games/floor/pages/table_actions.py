"""The forms for a whole table: what the floor does with it, and counts of its chips."""

import secrets
from collections.abc import Callable
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy

from cardroom.core import access, approvals
from cardroom.core.arguments import UNCHANGED, Limits, RowId, Unchanged, changed_values
from cardroom.core.models import Approval, User
from cardroom.core.sentences import filled
from cardroom.core.web.forms import PlainPost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import NextPage, Page
from cardroom.ledger import counts
from games.floor import sections
from games.floor.pages.offers import OFFERS
from games.play import opening, settling, tables
from games.play.pages.tables import answer_with_notice
from games.tables.models.offers import ChipCount
from games.tables.models.tables import Table
from games.tables.queries import offers as offer_queries

#: Reasons to tap for pausing, breaking or closing a table; programs may give any other.
REASONS = (
    gettext_lazy("Too few players"), gettext_lazy("Change of dealer"), gettext_lazy("Break for all tables"),
    gettext_lazy("Technical problem"), gettext_lazy("Floor decision"), gettext_lazy("End of the game"),
)  # fmt: skip
SEES = (*opening.ROLES, "dealer", "cashier", "auditor")


def actions(request: HttpRequest, table_id: int) -> HttpResponse:
    """What can be done with this table now: a part of the floor's page, or a page of its own."""
    table = offer_queries.room_table(table_id)
    context = {
        "table": table,
        "may_act": access.has_role(request.user, *opening.ROLES),
        "reasons": [str(words) for words in REASONS],
        "sections": offer_queries.sections(),
        "mains": offer_queries.main_games(table) if table.state == Table.State.OPEN else [],
        "invitations": offer_queries.invitations(table_id) if table.is_private else [],
        "standing": counts.open_count(f"table:{table_id}", viewer=request.user),
        "key": secrets.token_urlsafe(9),
    }
    name = "games/floor/offers/_table_actions.html" if request.htmx else "games/floor/offers/table_actions.html"
    return render(request, name, context)


ACTIONS = Page("floor/tables/<int:table_id>/actions/", "floor_table_actions", actions, SEES)


def _then_actions(words: str | Callable[[Any], str]) -> NextPage:
    """Draw the actions again, with these words about the result."""

    def drawn(request: HttpRequest, result: Any, *, table_id: int, **verb: str) -> HttpResponse:
        return actions(request, table_id)

    return answer_with_notice(words, "floor_table_actions", "table_id", news="room:floor", drawn=drawn)


class OnActions(PlainPost):
    """A form of this page, after which its actions are drawn again, with `words` about the result."""

    page = ACTIONS

    def words(self, result: Any) -> str:
        """What was done."""
        raise NotImplementedError

    def done(self, request: HttpRequest, result: Any) -> HttpResponse:
        return _then_actions(self.words)(request, result)


class AddTableForm(PlainPost):
    page, does, path, name = OFFERS, tables.add, "floor/tables/add/", "table_add"
    then = gettext_lazy("{} is added to the room.")


class OnTable(OnActions):
    """A form of one table; the last part of its address is the button."""

    path, name = "floor/tables/<int:table_id>/actions/<slug:verb>/", "floor_table_act"

    def words(self, result: Any) -> str:
        return str(self.then).format(result)


def edit_in_place(
    *,
    table_id: RowId,
    name: tables.NewName = None,
    has_spectators: bool | None = None,
    bots: tables.Bots = None,
    must_move_to_id: tables.MainGame = UNCHANGED,
    section_id: Annotated[int | Unchanged | None, Limits(allow_null=True, min_value=1)] = UNCHANGED,
    by: User,
    key: str = "",
) -> Table:
    """Change a table, and put it into a section: one form has both."""
    table = tables.edit.once(
        key,
        table_id=table_id,
        name=name,
        has_spectators=has_spectators,
        bots=bots,
        **changed_values(must_move_to_id=must_move_to_id),
        by=by,
    )
    if isinstance(section_id, Unchanged):
        return table
    return sections.place(table_id=table_id, section_id=section_id, by=by)


class EditTableForm(OnTable):
    does, button, then = edit_in_place, "edit", gettext_lazy("{} is changed.")


class PauseTableForm(OnTable):
    does, button, then = tables.pause, "pause", gettext_lazy("{} is paused.")


class ResumeTableForm(OnTable):
    does, button, then = tables.resume, "resume", gettext_lazy("{} is resumed.")


class ApplySettingsForm(OnTable):
    does, button, then = tables.take_up, "take-up", gettext_lazy("{} applies the new settings.")


class BreakUpTableForm(OnTable):
    does, button, then = tables.break_up, "break-up", gettext_lazy("{} is breaking.")


class CloseTableForm(OnTable):
    does, button, then = tables.close, "close", gettext_lazy("{} is closing.")


class ReopenTableForm(OnTable):
    does, button, then = tables.reopen, "reopen", gettext_lazy("{} is open again.")


class MessageTableForm(OnTable):
    does, button = tables.tell, "message"

    def words(self, result: Table) -> str:
        return gettext("Spectators can read the message.") if result.notice else gettext("The message is removed.")


class CountTableForm(OnTable):
    does, button = settling.count, "count"

    def words(self, result: ChipCount | Approval) -> str:
        if isinstance(result, Approval):
            return approvals.request_message(result)
        pattern = gettext("{counted:,} chips counted, as expected.")
        if result.difference:
            pattern = gettext("{counted:,} chips counted, {difference:+,}.")
        return filled(pattern, counted=result.counted, difference=result.difference)


urlpatterns = page_urls(
    [ACTIONS],
    forms=[
        AddTableForm,
        EditTableForm,
        PauseTableForm,
        ResumeTableForm,
        ApplySettingsForm,
        BreakUpTableForm,
        CloseTableForm,
        ReopenTableForm,
        MessageTableForm,
        CountTableForm,
    ],
)
