"""The buttons of the director's console and of the tablets at the tables.

Those of the console post to one address, those of a tablet to that of its table; `verb` says which. With htmx the
answer is the parts of the page as they are then, else the way back to where it was asked: the console, or a panel
opened as a page of its own. A refusal changes nothing, and is shown where the button is.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, gettext_noop, ngettext

from cardroom.core import access
from cardroom.core.arguments import RowId
from cardroom.core.errors import Invalid, NotFound, Refusal
from cardroom.core.models import User
from cardroom.core.sentences import filled, translated
from cardroom.core.web.api import bodies
from cardroom.core.web.forms import PagePost
from cardroom.core.web.pages import Page, went_to
from tournaments.directing import (
    arrivals,
    chip_races,
    closing,
    confirming,
    event_clock,
    hands,
    penalties,
    seats,
    undoing,
)
from tournaments.directing.pages import order_serializers as orders
from tournaments.directing.pages import tablet
from tournaments.directing.pages.console import console, console_page, done, parts_page, words_of
from tournaments.directing.pages.desk import bought
from tournaments.directing.pages.entries import add_on, re_enter, rebuy
from tournaments.directing.pages.panels import address_of, panel_of_form, panel_page
from tournaments.engine.chip_race import Race
from tournaments.engine.plain import listed
from tournaments.events import staff
from tournaments.events.arguments import ExpectedSeq
from tournaments.events.models import Payment, Tournament, TournamentEntry
from tournaments.prizes import payouts
from tournaments.prizes.models import Payout
from tournaments.registration.pages.views import EVENT, event_for, event_of

CONSOLE = Page(f"{EVENT}run/", "tournament_run", console, staff.DIRECTORS)
TABLETS = Page(
    f"{EVENT}tables/", "tournament_tablets", tablet.tablets, staff.TABLES, template="tournaments/directing/tablets.html"
)
TABLET = Page(f"{EVENT}tables/<id:table>/", "tournament_tablet", tablet.page, staff.TABLES)
RACE = Page(f"{EVENT}run/tables/<id:table>/race/", "tournament_run_race", tablet.race, staff.TABLES)
#: What a form names, with what is said where it does not.
ENTRANT = {"entrant": gettext_lazy("Choose an entry.")}
TABLE = {"table": gettext_lazy("Choose a table.")}
_NUMBER = re.compile(r"[1-9][0-9]{0,18}")


class OrderForm(PagePost):
    """A button by which an order is given. `named`: what the form names by a number, beside its fields."""

    key_name, button_fields = "command_id", ("verb",)
    named: ClassVar[Mapping[str, Any]] = {}
    viewer: Any

    def words(self, row: Tournament, result: Any) -> str:
        """The words for the result: the labels of its facts."""
        return words_of(row, result)

    def post(self, request: HttpRequest, **address: Any) -> HttpResponse:
        self.viewer = request.user
        return super().post(request, **address)

    def arguments(self, form: QueryDict, address: dict[str, Any]) -> dict[str, Any]:
        service, numbers = type(self).does, self._numbers(form)
        path = self.path + "".join(f"<id:{name}>" for name in self.named)
        body = self.body or bodies.body_of(service, type(self).__name__, path=path)
        typed = body.typed(self.typed(form.copy())) if body is not None else {}
        return typed | bodies.arguments_of(service, address) | numbers

    def _numbers(self, form: QueryDict) -> dict[str, int]:
        numbers = {}
        for name, words in self.named.items():
            text = form.get(name, "").strip()
            if not _NUMBER.fullmatch(text):
                raise Invalid("bad-number" if text else "bad-form", words or gettext_noop("Choose one."))
            numbers[name] = int(text)
        return numbers


class ConsoleForm(OrderForm):
    """A button of the console, or of one of its panels."""

    page, path, name = CONSOLE, f"{EVENT}run/do/", "tournament_run_do"

    def done(self, request: HttpRequest, result: Any) -> HttpResponse:
        row = event_of(request, request.resolver_match.kwargs["tournament_id"])
        words = self.words(row, result)
        if not request.htmx:
            messages.success(request, words)
            panel = panel_of_form(row, request.POST)
            return redirect(address_of(row, *panel) if panel else reverse("tournament_run", args=[row.pk]))
        answer = parts_page(request, row)
        answer["HX-Trigger"] = done(words)
        return answer

    def refused(self, request: HttpRequest, refusal: Refusal, **address: Any) -> HttpResponse:
        if request.htmx:
            raise refusal
        row = event_of(request, address["tournament_id"])
        panel = panel_of_form(row, request.POST)
        if panel:
            return panel_page(request, row, *panel, refusal=refusal)
        return console_page(request, row, refusal=refusal)


class TabletForm(OrderForm):
    """A button of the tablet of a table. What it reports is of that table, whatever happened at others meanwhile, so
    it sends no `expected_seq`, except to undo an order."""

    page, path, name = TABLET, f"{EVENT}tables/<id:table>/do/", "tournament_tablet_do"

    def arguments(self, form: QueryDict, address: dict[str, Any]) -> dict[str, Any]:
        tablet.check_in_room(event_for(self.viewer, address["tournament_id"]))
        seen = {} if "expected_seq" in self.named else {"expected_seq": None}
        return super().arguments(form, address) | seen

    def done(self, request: HttpRequest, result: Any) -> HttpResponse:
        address = request.resolver_match.kwargs
        words = self.words(event_of(request, address["tournament_id"]), result)
        if not request.htmx:
            return went_to(request, words, "tournament_tablet", *address.values())
        answer = tablet.page(request, **address, confirmation=words)
        answer["HX-Trigger"] = done(words)
        return answer


class PauseButton(ConsoleForm):
    does, button = event_clock.pause, "pause"


class ResumeButton(ConsoleForm):
    does, button = event_clock.resume, "resume"


class EntryOpenButton(ConsoleForm):
    does, button = event_clock.keep_entry_open, "entry"


class DrawSeatsButton(ConsoleForm):
    does, button = seats.draw_seats, "draw-seats"


class BalanceButton(ConsoleForm):
    does, button = seats.balance, "balance"


class FinalTableButton(ConsoleForm):
    does, button = seats.draw_final_table, "final-table"


class DrawRoundButton(ConsoleForm):
    does, button = seats.draw_round, "draw-round"


class OpenTableButton(ConsoleForm):
    does, button = seats.open_table, "open-table"


class BreakTableButton(ConsoleForm):
    does, button, named = seats.break_table, "break-table", TABLE


class CloseTableButton(ConsoleForm):
    does, button, named = seats.close_table, "close-table", TABLE


class MoveButton(ConsoleForm):
    does, button = seats.move, "move"


class SwapButton(ConsoleForm):
    does, button, body = seats.swap, "swap", orders.SwapOrder


class SeatButton(ConsoleForm):
    does, button, named = seats.seat, "seat", ENTRANT


class ReserveButton(ConsoleForm):
    does, button, named = seats.reserve_seat, "reserve", ENTRANT


class ConfirmButton(ConsoleForm):
    does, button = confirming.confirm, "confirm"


class DismissButton(ConsoleForm):
    does, button = confirming.dismiss, "dismiss"


class AutoArrangeButton(ConsoleForm):
    does, button = confirming.auto_arrange, "auto-arrange"


class BustButton(ConsoleForm):
    does, button, body = hands.bust, "bust", orders.BustOrder


class HandDoneButton(ConsoleForm):
    does, button, named, body = hands.hand_done, "hand-done", TABLE, orders.HandDoneOrder


class HandForHandButton(ConsoleForm):
    does, button = hands.hand_for_hand, "hand-for-hand"


class CountButton(ConsoleForm):
    does, button = hands.count, "count"


class CorrectChipsButton(ConsoleForm):
    does, button = hands.correct_chips, "correct-chips"


class CountsButton(ConsoleForm):
    does, button, named, body = hands.count_table, "counts", TABLE, orders.CountTableOrder


class ArrivedButton(ConsoleForm):
    does, button, named = arrivals.arrived, "arrived", ENTRANT

    def words(self, row: Tournament, result: Any) -> str:
        return gettext("{name} is seated.").format(name=result.name)


class ClockOnButton(ConsoleForm):
    does, button, named = penalties.clock_on, "clock-on", ENTRANT


class ClockOffButton(ConsoleForm):
    does, button, named = penalties.clock_off, "clock-off", ENTRANT


class PenaliseButton(ConsoleForm):
    does, button = penalties.penalise, "penalise"


class DisqualifyButton(ConsoleForm):
    does, button = penalties.disqualify, "disqualify"


class ReviveButton(ConsoleForm):
    does, button, named = hands.revive, "revive", ENTRANT


class UndoButton(ConsoleForm):
    does, button = undoing.undo, "undo"


class RedoButton(ConsoleForm):
    does, button = undoing.redo, "redo"


class FinishButton(ConsoleForm):
    does, button = closing.finish, "finish"


class CloseFlightButton(ConsoleForm):
    does, button = closing.close_flight, "close-flight"


class ReEnterButton(ConsoleForm):
    does, button, named, key_name = re_enter, "re-enter", ENTRANT, "key"

    def words(self, row: Tournament, result: TournamentEntry) -> str:
        words = gettext("{name} is in again, with entry {number}.")
        if result.table:
            words = gettext("{name} is in again at table {table}, seat {seat}, with entry {number}.")
        return words.format(name=result.name, table=result.table, seat=result.seat, number=result.number)


class RebuyButton(ConsoleForm):
    does, button, named, key_name = rebuy, "rebuy", ENTRANT, "key"

    def words(self, row: Tournament, result: Payment) -> str:
        return bought(result)


class AddOnButton(ConsoleForm):
    does, button, named, key_name = add_on, "add-on", ENTRANT, "key"

    def words(self, row: Tournament, result: Payment) -> str:
        return bought(result)


class LockPayoutsButton(ConsoleForm):
    does, button = payouts.lock, "lock"


class PayButton(ConsoleForm):
    does, button = payouts.pay, "pay"

    def words(self, row: Tournament, result: list[Payout]) -> str:
        due = [payout for payout in result if payout.state == payout.State.DUE]
        if due:
            return ngettext(
                "Paid; {n} prize is still due in cash at the desk.",
                "Paid; {n} prizes are still due in cash at the desk.",
                len(due),
            ).format(n=len(due))
        total, number = sum(payout.amount for payout in result), len(result)
        words = ngettext("Paid: {total:,} in {n} prize.", "Paid: {total:,} in {n} prizes.", number)
        return filled(words, total=total, n=number)


class PayOneButton(ConsoleForm):
    does, button, named = payouts.pay_one, "pay-one", ENTRANT

    def words(self, row: Tournament, result: list[Payout]) -> str:
        words = gettext("{name} is paid {amount:,}")
        return translated(listed(filled(words, name=payout.entry.name, amount=payout.amount) for payout in result))


class BustAtTable(TabletForm):
    does, button, body = hands.bust, "bust", orders.BustOrder


class HandDoneAtTable(TabletForm):
    does, button, body = hands.hand_done, "hand-done", orders.HandDoneOrder


class CountsAtTable(TabletForm):
    does, button, body = hands.count_table, "counts", orders.CountTableOrder


class AllHereAtTable(TabletForm):
    does, button = arrivals.all_here, "all-here"

    def words(self, row: Tournament, result: Any) -> str:
        return _all_here(result)


class ArrivedAtTable(TabletForm):
    does, button, named = arrivals.arrived, "arrived", ENTRANT

    def words(self, row: Tournament, result: Any) -> str:
        return gettext("{name} is seated.").format(name=result.name)


class ClockOnAtTable(TabletForm):
    does, button, named = penalties.clock_on, "clock-on", ENTRANT


class ClockOffAtTable(TabletForm):
    does, button, named = penalties.clock_off, "clock-off", ENTRANT


class UndoAtTable(TabletForm):
    does, button, named = undoing.undo, "undo", {"expected_seq": "Send the `seq` of the event as you saw it."}


def _all_here(entries: list[TournamentEntry]) -> str:
    if not entries:
        return gettext("This table has no players.")
    return gettext("Everybody at table {table} is seated.").format(table=entries[0].table)


def race_or_try(
    *,
    tournament_id: RowId,
    table: int,
    leaving: int,
    stacks: Mapping[int, int],
    cards: Sequence[str] | None = None,
    next_denomination: int = 0,
    is_trial: bool = False,
    expected_seq: ExpectedSeq = None,
    key: str,
    by: User,
) -> Race:
    """The chip race of a table; of a trial the result alone."""
    arguments = {"table": table, "leaving": leaving, "stacks": stacks, "cards": cards}
    arguments |= {"next_denomination": next_denomination, "by": by}
    if not is_trial:
        return chip_races.race.once(key, tournament_id=tournament_id, expected_seq=expected_seq, **arguments)
    row = event_for(by, tournament_id)
    if not row.seq:
        raise NotFound("no-such-table", "There are no tables yet.")
    return chip_races.try_race(tournament=row, now=timezone.now(), **arguments)


class ChipRaceForm(PagePost):
    """The chip race of a table. A trial is shown; after the race itself the form goes back to where the table is looked
    at."""

    page, path, name, key_name = RACE, RACE.address, RACE.name, "command_id"
    does, body = race_or_try, orders.TypedRaceOrder

    def typed(self, form: QueryDict) -> QueryDict:
        what = form.get("do", "")
        if what not in ("race", "try", ""):
            raise NotFound("no-such-verb", "There is no such action here.")
        if what != "race":
            form["is_trial"] = "yes"
        return form

    def done(self, request: HttpRequest, result: Race) -> HttpResponse:
        address = request.resolver_match.kwargs
        if request.POST.get("do") != "race":
            return tablet.race(request, **address, raced=result, typed=request.POST)
        words = filled(
            gettext("Table {table}: the chips of {leaving:,} are gone. {why}"),
            table=address["table"],
            leaving=result.leaving,
            why=translated(result.why),
        )
        if access.has_role(request.user, *staff.DIRECTORS):
            return went_to(request, words, "tournament_run", address["tournament_id"])
        return went_to(request, words, "tournament_tablet", *address.values())


PAGES = [TABLETS, TABLET, RACE, CONSOLE]
POSTS = [
    PauseButton,
    ResumeButton,
    EntryOpenButton,
    DrawSeatsButton,
    BalanceButton,
    FinalTableButton,
    DrawRoundButton,
    OpenTableButton,
    BreakTableButton,
    CloseTableButton,
    MoveButton,
    SwapButton,
    SeatButton,
    ReserveButton,
    ConfirmButton,
    DismissButton,
    AutoArrangeButton,
    BustButton,
    HandDoneButton,
    HandForHandButton,
    CountButton,
    CorrectChipsButton,
    CountsButton,
    ArrivedButton,
    ClockOnButton,
    ClockOffButton,
    PenaliseButton,
    DisqualifyButton,
    ReviveButton,
    UndoButton,
    RedoButton,
    FinishButton,
    CloseFlightButton,
    ReEnterButton,
    RebuyButton,
    AddOnButton,
    LockPayoutsButton,
    PayButton,
    PayOneButton,
    BustAtTable,
    HandDoneAtTable,
    CountsAtTable,
    AllHereAtTable,
    ArrivedAtTable,
    ClockOnAtTable,
    ClockOffAtTable,
    UndoAtTable,
    ChipRaceForm,
]
