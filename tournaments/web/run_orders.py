"""The buttons of the director's console: each an order to the floor, the clock, the payouts or the desk.

One address takes them all; `verb` says which. With htmx the answer is the console's parts as they are then, else the
way back to where it was asked: the console, or a panel opened as a page of its own. A refusal changes nothing, and is
said where the eyes are.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from django import forms as django_forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from cardroom.models import User
from cardroom.services import access
from cardroom.services.errors import CardroomError, NotFound
from tournaments import journal
from tournaments.engine.words import listed
from tournaments.journal import Receipt
from tournaments.models import Payment, Tournament
from tournaments.services import buying, clock, floor, payouts, registration, staff, starting
from tournaments.web import run_forms as forms
from tournaments.web.run import console_page, parts_page
from tournaments.web.run_panels import address_of, asked_from, panel_page
from tournaments.web.views import event_of

Said = dict[str, Any]
_MOST_TOLD = 4


def _add_time(*, seconds: int, **order: Any) -> Receipt:
    return clock.add_time(ms=1000 * seconds, **order)


def _bust(**order: Any) -> Receipt:
    return floor.bust(**order)


def _move(*, seat: int | None, **order: Any) -> Receipt:
    return floor.move(seat=seat or 0, **order)


def _reserve(*, seat: int | None, **order: Any) -> Receipt:
    return floor.reserve_seat(seat=seat or 0, **order)


def _penalise(*, count: int | None, **order: Any) -> Receipt:
    return floor.penalise(count=count or 0, **order)


def _open_table(*, table: int | None, **order: Any) -> Receipt:
    return floor.open_table(table=table or 0, **order)


def _final_table(*, table: int | None, **order: Any) -> Receipt:
    return floor.draw_final_table(table=table or 0, **order)


def _start(**order: Any) -> str:
    return f"Cards in the air: {starting.start(**order).name} has started."


def _arrived(**order: Any) -> str:
    return f"{floor.arrived(**order).name} is in their seat."


def _pay(**order: Any) -> str:
    rows = payouts.pay(**order)
    due = [row for row in rows if row.state == row.State.DUE]
    if due:
        return f"Paid; {len(due)} {'prize is' if len(due) == 1 else 'prizes are'} still due in cash at the desk."
    return f"Paid: {sum(row.amount for row in rows):,} in {len(rows)} {'prize' if len(rows) == 1 else 'prizes'}."


def _pay_one(*, method: str, **order: Any) -> str:
    return listed(f"{row.entry.name} has got {row.amount:,}" for row in payouts.pay_one(method=method, **order))


def _bought(payment: Payment) -> str:
    return f"{payment.entry.name} gets {payment.chips:,} chips for {payment.total:,}."


def _rebuy(*, stack: int | None, **order: Any) -> str:
    return _bought(buying.rebuy(stack=stack, **_of_the_desk(order)))


def _add_on(*, stack: int | None, **order: Any) -> str:
    return _bought(buying.add_on(**_of_the_desk(order)))


def _re_enter(*, stack: int | None, **order: Any) -> str:
    entry = registration.re_enter(**_of_the_desk(order))
    where = f" at table {entry.table}, seat {entry.seat}" if entry.table else ""
    return f"{entry.name} is in again{where}, with entry {entry.number}."


def _of_the_desk(order: Said) -> Said:
    """The desk does not ask on what view: what is paid is counted, and the same key never twice."""
    return {name: value for name, value in order.items() if name not in ("expected_seq", "command_id")} | {
        "key": order["command_id"]
    }


Parse = type[django_forms.Form] | Callable[[QueryDict], Said]
_NOTHING_MORE = forms.OrderForm

#: verb -> how it is sent, and what it does: a receipt whose labels are told, or the words to tell.
VERBS: dict[str, tuple[Parse, Callable[..., Receipt | str]]] = {
    "start": (_NOTHING_MORE, _start),
    "pause": (_NOTHING_MORE, clock.pause),
    "resume": (_NOTHING_MORE, clock.resume),
    "next": (_NOTHING_MORE, clock.next_level),
    "previous": (_NOTHING_MORE, clock.previous_level),
    "add-time": (forms.AddTimeForm, _add_time),
    "set-remaining": (forms.LeftForm, clock.set_remaining),
    "go-to": (forms.LevelForm, clock.go_to),
    "undo": (_NOTHING_MORE, floor.undo),
    "redo": (_NOTHING_MORE, floor.redo),
    "bust": (forms.hand, _bust),
    "hand-done": (forms.hand, floor.hand_done),
    "revive": (forms.ReviveForm, floor.revive),
    "count": (forms.CountForm, floor.count),
    "counts": (forms.counts, floor.count_table),
    "move": (forms.MoveForm, _move),
    "seat": (forms.EntrantForm, floor.seat),
    "reserve": (forms.ReserveForm, _reserve),
    "arrived": (forms.EntrantForm, _arrived),
    "penalise": (forms.PenaltyForm, _penalise),
    "disqualify": (forms.ReasonForm, floor.disqualify),
    "clock-on": (forms.EntrantForm, floor.clock_on),
    "clock-off": (forms.EntrantForm, floor.clock_off),
    "rebuy": (forms.BuyForm, _rebuy),
    "add-on": (forms.BuyForm, _add_on),
    "re-enter": (forms.BuyForm, _re_enter),
    "draw-seats": (_NOTHING_MORE, floor.draw_seats),
    "draw-round": (_NOTHING_MORE, floor.draw_round),
    "balance": (_NOTHING_MORE, floor.balance),
    "break-table": (forms.TableForm, floor.break_table),
    "close-table": (forms.TableForm, floor.close_table),
    "open-table": (forms.TableForm, _open_table),
    "final-table": (forms.TableForm, _final_table),
    "hand-for-hand": (forms.SwitchForm, floor.hand_for_hand),
    "entry": (forms.EntryForm, floor.keep_entry_open),
    "auto-arrange": (forms.SwitchForm, floor.auto_arrange),
    "confirm": (forms.SuggestionForm, floor.confirm),
    "dismiss": (forms.SuggestionForm, floor.dismiss),
    "lock": (_NOTHING_MORE, payouts.lock),
    "pay": (forms.PayForm, _pay),
    "pay-one": (forms.BuyForm, lambda *, stack, **order: _pay_one(**order)),
    "finish": (_NOTHING_MORE, floor.finish),
    "close-flight": (_NOTHING_MORE, floor.close_flight),
}


@login_required
@require_POST
def do(request: HttpRequest, tournament_id: int) -> HttpResponse:
    access.require_role(request.user, *staff.DIRECTORS)
    row = event_of(request, tournament_id)
    try:
        words = ordered(row, request.user, request.POST)
    except CardroomError as refusal:
        if request.htmx:
            raise
        row = event_of(request, tournament_id)
        panel = asked_from(row, request.POST)
        return (
            panel_page(request, row, *panel, refusal=refusal) if panel else console_page(request, row, refusal=refusal)
        )
    row = event_of(request, tournament_id)
    if not request.htmx:
        messages.success(request, words)
        panel = asked_from(row, request.POST)
        return redirect(address_of(row, *panel) if panel else reverse("tournament_run", args=[row.pk]))
    answer = parts_page(request, row)
    answer["HX-Trigger"] = done(words)
    return answer


def ordered(row: Tournament, by: User, data: QueryDict) -> str:
    """Carry out what was sent; what was done, in words."""
    verb = data.get("verb", "")
    if verb not in VERBS:
        raise NotFound("The console has no such button.", "no-such-order")
    parse, carry_out = VERBS[verb]
    said = forms.sent(parse, data) if isinstance(parse, type) else parse(data)
    return words_of(row, carry_out(**order_of(row, by, said)))


def order_of(row: Tournament, by: User, said: Said) -> Said:
    """What was sent, as the services take an order."""
    rest = {name: value for name, value in said.items() if name not in ("expected_seq", "command_id")}
    return {
        **rest,
        "tournament_id": row.pk,
        "by": by,
        "expected_seq": said["expected_seq"],
        "command_id": said["command_id"],
    }


def words_of(row: Tournament, outcome: Receipt | str) -> str:
    if isinstance(outcome, str):
        return outcome
    facts = journal.facts(row.pk, after=outcome.facts_from - 1, upto=outcome.seq)
    labels = [fact.label for fact in facts if fact.label]
    more = f", and {len(labels) - _MOST_TOLD} more" if len(labels) > _MOST_TOLD else ""
    return f"{'; '.join(labels[:_MOST_TOLD])}{more}." if labels else "Noted."


def done(words: str) -> str:
    """The events a page is told of when its order was carried out."""
    return json.dumps({"toast": {"message": words}, "order-done": True})
