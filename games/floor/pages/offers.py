"""The pages of games on offer and drop schedules: staff see them, managers edit them, the floor opens tables.

A game and a schedule are edited on a page with a preview that follows each change before anything is saved: these two
are Django forms, which save by the same services as the API.
"""

import re
import secrets
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any, ClassVar

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext, gettext_lazy, pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from cardroom.core import access
from cardroom.core.arguments import RowId
from cardroom.core.errors import Refusal
from cardroom.core.models import User
from cardroom.core.web.forms import PagePost, PlainPost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Page, went_to
from cardroom.core.web.parts import WholeNumberField, whole_number_or_none
from games.engine.games import GAMES, MOST_SEATS, STRUCTURES
from games.floor.pages import offer_shapes as shapes
from games.play import opening
from games.rake import drop_schedules
from games.rulebooks import queries as rulebook_queries
from games.tables import offers
from games.tables.models.offers import DropSchedule, Offer, Section
from games.tables.models.tables import Table
from games.tables.queries import offers as offer_queries

_TABLE = re.compile(r"\s*([^\W\d_]+)\s*[:=](.*)")
_PAIR = re.compile(r"\s*([0-9]{1,2})\s*[:=](.*)")
#: A comma between two pairs, and none inside a number.
_NEXT_PAIR = re.compile(r",(?=\s*[0-9]{1,2}\s*[:=])")
#: The choices of the form for `calls_itself`.
_CALLS_ITSELF = {None: "", True: "yes", False: "no"}


class PairsField(forms.CharField):
    """Pairs of players and chips, written "2: 1, 4: 3"."""

    def clean(self, value: Any) -> list[list[int]]:
        text = super().clean(value).strip()
        pairs = []
        for part in _NEXT_PAIR.split(text) if text else []:
            fits = _PAIR.fullmatch(part)
            chips = _chips(fits[2]) if fits else None
            if fits is None or chips is None:
                raise forms.ValidationError(
                    gettext("{strip!r} is not a pair of players and chips: write 2: 1, 4: 3.").format(
                        strip=part.strip()
                    )
                )
            pairs.append([int(fits[1]), chips])
        return pairs

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(f"{players}: {chips}" for players, chips in value) if isinstance(value, list) else value


class PercentField(forms.DecimalField):
    """A share in percent, kept in thousandths: "4.5" is 45."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=0, max_value=100, max_digits=4, decimal_places=1, localize=True, **options)

    def clean(self, value: Any) -> int:
        return int(super().clean(value) * 10)

    def prepare_value(self, value: Any) -> Any:
        return super().prepare_value(Decimal(value) / 10 if isinstance(value, int) else value)


class SecondsField(forms.CharField):
    """Whole numbers, written "30, 15"."""

    def clean(self, value: Any) -> list[int]:
        parts = super().clean(value).replace(",", " ").split()
        if not all(part.isascii() and part.isdigit() and len(part) <= 6 for part in parts):
            raise forms.ValidationError(gettext("Write whole seconds with commas between them: 30, 15."))
        return [int(part) for part in parts]

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, list) else value


class ChargesField(PairsField):
    """The same, or what the table pays together: "table: 24", or its word in the reader's language, "Tisch: 24"."""

    def clean(self, value: Any) -> list[list[int]]:
        together = _TABLE.fullmatch(value or "")
        words = ("table", pgettext("before what a table pays", "table"))
        chips = _chips(together[2]) if together and together[1].casefold() in map(str.casefold, words) else None
        return super().clean(value) if chips is None else drop_schedules.shared_charges(chips)


def _chips(text: str) -> int | None:
    number = whole_number_or_none(text)
    return number if number is not None and number < 10**10 else None


def _whole(label: str | None = None, help_text: str = "", **options: Any) -> WholeNumberField:
    return WholeNumberField(label=label, help_text=help_text, **options)


def _tick_box(label: str, help_text: str = "") -> forms.BooleanField:
    return forms.BooleanField(label=label, help_text=help_text, required=False)


def _one_of(label: str, **options: Any) -> forms.TypedChoiceField:
    """A choice among rows by their ids, or none."""
    return forms.TypedChoiceField(label=label, required=False, coerce=int, empty_value=None, **options)


def _field(name: str, term: offers.Term) -> forms.Field:
    """The form field of a term."""
    options: dict[str, Any] = {
        "label": term.form_label or term.label or None,
        "help_text": term.help_text if not term.form_label else "",
    }
    if name in _CHOSEN:
        kind, more = _CHOSEN[name]
        return kind(**options, **more)
    if type(term.usual) is bool:
        return forms.BooleanField(required=False, **options)
    if type(term.usual) is list:
        return SecondsField(required=False, **options)
    return WholeNumberField(**options) if type(term.usual) is int else forms.CharField(max_length=60, **options)


#: Terms with choices, or written in a way of their own. The rulebooks and drop schedules to choose from are set when a
#: form is made.
_CHOSEN: dict[str, tuple[type[forms.Field], dict[str, Any]]] = {
    "game": (forms.ChoiceField, {"choices": [(slug, offer_queries.GAME_NAMES[slug]) for slug in GAMES]}),
    "structure": (forms.ChoiceField, {"choices": [(slug, offer_queries.STRUCTURE_NAMES[slug]) for slug in STRUCTURES]}),
    "rulebook": (forms.ChoiceField, {}),
    "drop_id": (forms.TypedChoiceField, {"required": False, "coerce": int, "empty_value": None}),
    "dealt_by": (forms.ChoiceField, {"choices": Table.DealtBy.choices}),
    "deck": (forms.ChoiceField, {"choices": Table.Deck.choices}),
    "calls_itself": (forms.TypedChoiceField, {
        "choices": [("", gettext_lazy("automatic online only")), ("yes", gettext_lazy("automatic")),
                    ("no", gettext_lazy("by the floor"))],
        "required": False, "coerce": lambda choice: choice == "yes", "empty_value": None,
    }),
    "kind": (forms.ChoiceField, {"choices": DropSchedule.Kind.choices}),
    "rake_permille": (PercentField, {}),
    "caps": (PairsField, {"required": False}),
    "rounding": (forms.ChoiceField, {"choices": DropSchedule.Rounding.choices}),
    "jackpot_name": (forms.CharField, {"required": False, "max_length": 60}),
    "time_charges": (ChargesField, {"required": False}),
}  # fmt: skip


class EditTermsForm(forms.Form):
    """The terms of a new game or drop schedule, or of an existing one (`row`). Its module of services (`of`) checks
    them as a whole."""

    of: ClassVar[Any]
    key = forms.CharField(widget=forms.HiddenInput, max_length=40, required=False)

    def __init__(self, *args: Any, row: Any = None, **options: Any) -> None:
        usual = self.of.USUAL if row is None else {name: getattr(row, name) for name in self.of.TERMS}
        super().__init__(*args, initial=usual | options.pop("initial", {}), **options)
        self.fields |= {name: _field(name, term) for name, term in self.of.TERMS.items()}
        self.row = row

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            for name, message in self.of.faults(self.checked_terms()).items():
                self.add_error(name, message)
        return cleaned

    @property
    def terms(self) -> dict[str, Any]:
        """The arguments of the services."""
        return {name: self.cleaned_data[name] for name in self.of.TERMS}

    def checked_terms(self) -> dict[str, Any]:
        """The terms to check: without a value that may stay although it could not be chosen any more."""
        return self.terms


class EditOfferForm(EditTermsForm):
    """A game on offer."""

    of = offers
    version = WholeNumberField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, row: Offer | None = None, initial: dict[str, Any], **options: Any) -> None:
        initial |= {} if row is None else {"version": row.version}
        super().__init__(*args, row=row, initial=initial, **options)
        self.initial["calls_itself"] = _CALLS_ITSELF[self.initial["calls_itself"]]
        self.fields["rulebook"].choices = _books(self.initial["rulebook"])
        self.fields["drop_id"].choices = _drops(row)

    def checked_terms(self) -> dict[str, Any]:
        is_kept = self.row is not None and self.terms["drop_id"] == self.row.drop_id
        return self.terms | ({"drop_id": None} if is_kept else {})


class EditScheduleForm(EditTermsForm):
    """A drop schedule."""

    of = drop_schedules
    RAKE = ("rake_permille", "caps", "rounding_unit", "rounding", "is_free_without_call")
    FUNDS = ("promo", "jackpot", "jackpot_name", "promo_from")
    TIME = ("period_minutes", "time_charges", "time_promo", "courtesy_hands")

    @property
    def rake_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.RAKE]

    @property
    def fund_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.FUNDS]

    @property
    def time_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.TIME]


class NewTableForm(forms.Form):
    """The fields of a table to be opened for a game on offer; `OpenTableForm` opens it."""

    table = _one_of(gettext_lazy("At table"))
    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=60, required=False,
        help_text=gettext_lazy("Empty: the next number of the game."),
    )  # fmt: skip
    section = _one_of(gettext_lazy("Section"))
    seat_count = _whole(gettext_lazy("Seats"), min_value=2, max_value=MOST_SEATS)
    bots = _whole(gettext_lazy("House bots"), min_value=0, max_value=MOST_SEATS - 1, initial=0)
    must_move_to = _one_of(gettext_lazy("Must-move to"))
    has_spectators = _tick_box(gettext_lazy("Allow spectators"))
    is_private = _tick_box(gettext_lazy("Private: by invitation or password"))
    password = forms.CharField(
        label=gettext_lazy("Password"), max_length=60, required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )  # fmt: skip
    key = forms.CharField(widget=forms.HiddenInput, max_length=40, required=False)

    def __init__(self, *args: Any, offer: Offer, **options: Any) -> None:
        initial = {"seat_count": offer.seat_count, "has_spectators": offer.has_spectators}
        super().__init__(*args, initial=initial | options.pop("initial", {}), **options)
        sections = [(section.pk, section.name) for section in Section.objects.all()]
        mains = Table.objects.filter(offer=offer, state=Table.State.OPEN).order_by("name")
        self.fields["section"].choices = [("", gettext("none")), *sections]
        self.fields["must_move_to"].choices = [("", gettext("none")), *((main.pk, main.name) for main in mains)]
        if offer.is_physical:
            free = Table.objects.filter(state=Table.State.FREE, is_physical=True, event="").order_by("name")
            tables = [(table.pk, table.name) for table in free]
            self.fields["table"].choices = [
                *tables,
                ("", gettext("new table, named below") if tables else gettext("new table")),
            ]
            if tables:
                self.initial.setdefault("table", tables[0][0])
                self.fields["name"].help_text = gettext("Only for a new table.")
            del self.fields["bots"]
        else:
            del self.fields["table"]


class TablePasswordForm(forms.Form):
    password = forms.CharField(
        label=gettext_lazy("Password"), max_length=60, widget=forms.PasswordInput(attrs={"autocomplete": "off"})
    )


def _books(chosen: str) -> list[tuple[str, str]]:
    books = rulebook_queries.choices()
    return books if chosen in dict(books) else [(chosen, chosen), *books]


def _drops(offer: Offer | None) -> list[tuple[Any, str]]:
    rows = list(DropSchedule.objects.filter(retired_at=None).order_by("name"))
    if offer is not None and offer.drop is not None and offer.drop not in rows:
        rows.append(offer.drop)
    return [("", gettext("nothing")), *((row.pk, row.name) for row in rows)]


SEES = ("floor", "manager", "auditor")


def page(request: HttpRequest) -> HttpResponse:
    """The games in their order, with their tables and lists."""
    rows = offer_queries.offers()
    context = {
        "rows": [row for row in rows if row.offer.is_listed],
        "withdrawn": [row for row in rows if not row.offer.is_listed],
        "free": [table for table in offer_queries.room_tables() if table.phase == "free"],
        **may(request),
    }
    return render(request, "games/floor/offers/page.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, offer_id: int | None = None) -> HttpResponse:
    """Add a game on offer, or edit one."""
    access.require_role(request.user, offers.ROLE)
    offer = None if offer_id is None else offer_queries.offer(offer_id)
    form = EditOfferForm(request.POST if request.method == "POST" else None, row=offer, initial=_new_key())

    def save(*, key: str, by: User, **terms: Any) -> Offer:
        if offer is None:
            return offers.create.once(key, by=by, **terms)
        return offers.edit.once(key, offer_id=offer.pk, version=form.cleaned_data["version"], by=by, **terms)

    tables = [] if offer is None else offer_queries.room_tables(offer_id=offer.pk)
    context = {"offer": offer, "tables": tables}
    return _edit_page(request, form, save, _offer_preview, "games/floor/offers/edit.html", "offers", context)


def _edit_page(
    request: HttpRequest, form: EditTermsForm, save: Callable[..., Offer | DropSchedule], preview: Callable[..., Any],
    template: str, page: str, context: dict[str, Any],
) -> HttpResponse:  # fmt: skip
    """The form with a preview, where the terms are valid. With `do=save` they are saved, and the user goes on to
    `page`; without, nothing is saved."""
    status = 200
    if form.is_bound and request.POST.get("do") == "save":
        status = 400
        if form.is_valid():
            try:
                row = save(by=request.user, key=form.cleaned_data["key"], **form.terms)
            except Refusal as refusal:
                status = refusal.status
                for name, messages in (refusal.values.get("errors") or {None: [refusal.message]}).items():
                    form.add_error(name, messages)
            else:
                return went_to(request, gettext("{name} is saved.").format(name=row.name), page)
    terms = form.initial if not form.is_bound else form.terms if form.is_valid() else None
    return render(
        request, template, {"form": form, "preview": preview(terms) if terms else None, **context}, status=status
    )


def open_page(request: HttpRequest, offer_id: int, refusal: Refusal | None = None, typed: Any = None) -> HttpResponse:
    """The page to open a table for a game."""
    offer = offer_queries.offer(offer_id)
    form = NewTableForm(typed, offer=offer, initial=_new_key())
    if refusal is not None and not form.errors:
        form.add_error(None, refusal.message)
    return render(request, "games/floor/offers/open.html", {"form": form, "offer": offer})


def schedule_list(request: HttpRequest) -> HttpResponse:
    """The drop schedules, with the games that use them."""
    rows = offer_queries.schedules()
    context = {
        "rows": [row for row in rows if row.retired_at is None],
        "retired": [row for row in rows if row.retired_at is not None],
        **may(request),
    }
    return render(request, "games/floor/offers/schedules.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def schedule_edit(request: HttpRequest, schedule_id: int | None = None) -> HttpResponse:
    """Add a schedule, or replace one."""
    access.require_role(request.user, drop_schedules.ROLE)
    schedule = None if schedule_id is None else offer_queries.schedule(schedule_id)
    form = EditScheduleForm(request.POST if request.method == "POST" else None, row=schedule, initial=_new_key())
    save = partial(drop_schedules.save, replaces=schedule_id)
    context = {"schedule": schedule, "players": drop_schedules.PLAYERS}
    return _edit_page(
        request, form, save, drop_schedules.preview, "games/floor/offers/schedule.html", "drop_schedules", context
    )


def _offer_preview(terms: dict[str, Any]) -> dict[str, Any]:
    """The game as players will see it."""
    drop = None if terms["drop_id"] is None else offer_queries.schedule(terms["drop_id"])
    fields = None if drop is None else {name: getattr(drop, name) for name in drop_schedules.USUAL}
    deep = terms["max_buy_in"] // max(1, terms["big_bet"])
    return {"terms": terms, "drop": drop, "taken": drop_schedules.preview(fields) if fields else None, "deep": deep}


def may(request: HttpRequest) -> dict[str, bool]:
    """What this user may do on the page."""
    roles = access.roles_of(request.user)
    return {"may_manage": "manager" in roles, "may_open": not roles.isdisjoint(opening.ROLES)}


def _new_key() -> dict[str, str]:
    return {"key": secrets.token_urlsafe(9)}


def move_offer(*, offer_id: RowId, is_up: bool, by: User) -> list[Offer]:
    """Move a game on offer one place up or down."""
    listed = [row.offer.pk for row in offer_queries.offers(is_listed=True)]
    return offers.reorder(offer_ids=shift_order(listed, offer_queries.offer(offer_id).pk, up=is_up), by=by)


def shift_order(ids: list[int], chosen: int, *, up: bool) -> list[int]:
    """These ids with the chosen one moved one place up or down."""
    if chosen in ids:
        at = ids.index(chosen)
        ids.insert(max(0, at - 1) if up else at + 1, ids.pop(at))
    return ids


OFFERS = Page("floor/offers/", "offers", page, SEES)
OPEN = Page("floor/offers/<int:offer_id>/open/", "offer_open", open_page, opening.ROLES)
SCHEDULES = Page("floor/schedules/", "drop_schedules", schedule_list, SEES)


class OnOffer(PlainPost):
    """A form of one game, after which all are shown."""

    page, path, name = OFFERS, "floor/offers/<int:offer_id>/<slug:verb>/", "offer_change"


class WithdrawOfferForm(OnOffer):
    does, button, then = offers.withdraw, "withdraw", gettext_lazy("{} is withdrawn. Its open tables continue.")


class RelistOfferForm(OnOffer):
    does, button, then = offers.relist, "relist", gettext_lazy("{} is on offer.")


class MoveOfferForm(OnOffer):
    does = move_offer

    def typed(self, form: QueryDict) -> QueryDict:
        """The button is the direction."""
        form["is_up"] = "yes" if self.button == "up" else "no"
        return form

    def done(self, request: HttpRequest, result: list[Offer]) -> HttpResponse:
        return redirect("offers")


class MoveOfferUpForm(MoveOfferForm):
    button = "up"


class MoveOfferDownForm(MoveOfferForm):
    button = "down"


class OpenTableForm(PagePost):
    page, does, body = OPEN, opening.open_for, shapes.OpenTableOrder

    def done(self, request: HttpRequest, result: Table) -> HttpResponse:
        words = gettext("{name} is open.").format(name=result.name)
        return went_to(request, words, f"/floor/?table={result.pk}")


class RetireScheduleForm(PlainPost):
    page, does, path, name = (
        SCHEDULES,
        drop_schedules.retire,
        "floor/schedules/<int:schedule_id>/retire/",
        "drop_schedule_retire",
    )
    then = gettext_lazy("{} is retired.")


urlpatterns = [
    path("floor/offers/new/", edit, name="offer_new"),
    path("floor/offers/<int:offer_id>/", edit, name="offer"),
    path("floor/schedules/new/", schedule_edit, name="drop_schedule_new"),
    path("floor/schedules/<int:schedule_id>/", schedule_edit, name="drop_schedule"),
    *page_urls(
        [OFFERS, OPEN, SCHEDULES],
        forms=[
            WithdrawOfferForm,
            RelistOfferForm,
            MoveOfferUpForm,
            MoveOfferDownForm,
            OpenTableForm,
            RetireScheduleForm,
        ],
    ),
]
