"""What managers and the floor fill in: games on offer, drop schedules, tables to be opened."""

import re
from typing import Any, ClassVar

from django import forms

from games.engine.family import GAMES, STRUCTURES
from games.rake import drops
from games.rulebooks import queries as rulebook_queries
from games.tables import offers
from games.tables.models.offers import DropSchedule, Offer, Section
from games.tables.models.tables import Table

_TABLE = re.compile(r"\s*table\s*[:=]\s*(\d{1,10})\s*", re.IGNORECASE)
_PAIR = re.compile(r"\s*(\d{1,2})\s*[:=]\s*(\d{1,10})\s*")
#: How the form says whether a list calls by itself.
_SAID = {None: "", True: "yes", False: "no"}


class PairsField(forms.CharField):
    """Pairs of players and chips, written "2: 1, 4: 3"."""

    def clean(self, value: Any) -> list[list[int]]:
        said = super().clean(value).strip()
        pairs = []
        for part in said.split(",") if said else []:
            fits = _PAIR.fullmatch(part)
            if fits is None:
                raise forms.ValidationError(f"{part.strip()!r} is not a pair of players and chips: write 2: 1, 4: 3.")
            pairs.append([int(fits[1]), int(fits[2])])
        return pairs

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(f"{players}: {chips}" for players, chips in value) if isinstance(value, list) else value


class SecondsField(forms.CharField):
    """Whole numbers, written "30, 15"."""

    def clean(self, value: Any) -> list[int]:
        parts = super().clean(value).replace(",", " ").split()
        if not all(part.isascii() and part.isdigit() and len(part) <= 6 for part in parts):
            raise forms.ValidationError("Write whole seconds with commas between them: 30, 15.")
        return [int(part) for part in parts]

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, list) else value


class ChargesField(PairsField):
    """The same, or what the table pays together: "table: 24"."""

    def clean(self, value: Any) -> list[list[int]]:
        together = _TABLE.fullmatch(value or "")
        return drops.shared(int(together[1])) if together else super().clean(value)


def _whole(label: str | None = None, said: str = "", **options: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, help_text=said, **options)


def _ticked(label: str, said: str = "") -> forms.BooleanField:
    return forms.BooleanField(label=label, help_text=said, required=False)


def _one_of(label: str, **options: Any) -> forms.TypedChoiceField:
    """One of what has a number, or none."""
    return forms.TypedChoiceField(label=label, required=False, coerce=int, empty_value=None, **options)


def _field(name: str, term: offers.Term) -> forms.Field:
    """A term of a game as the form asks for it."""
    said: dict[str, Any] = {"label": term.label or None, "help_text": term.said}
    if name in _CHOSEN:
        kind, more = _CHOSEN[name]
        return kind(**said, **more)
    if type(term.usual) is bool:
        return forms.BooleanField(required=False, **said)
    if type(term.usual) is list:
        return SecondsField(required=False, **said)
    return forms.IntegerField(**said) if type(term.usual) is int else forms.CharField(max_length=60, **said)


#: Terms that are one of several, or that are written in a way of their own; which books and drop schedules there are is
#: known when the form is drawn.
_CHOSEN: dict[str, tuple[type[forms.Field], dict[str, Any]]] = {
    "game": (forms.ChoiceField, {"choices": [(game.slug, game.title) for game in GAMES.values()]}),
    "structure": (forms.ChoiceField, {"choices": [(name, name.replace("-", " ")) for name in STRUCTURES]}),
    "rulebook": (forms.ChoiceField, {}),
    "drop_id": (forms.TypedChoiceField, {"required": False, "coerce": int, "empty_value": None}),
    "dealt_by": (forms.ChoiceField, {"choices": Table.DealtBy.choices}),
    "deck": (forms.ChoiceField, {"choices": Table.Deck.choices}),
    "calls_itself": (forms.TypedChoiceField, {
        "choices": [("", "automatic online only"), ("yes", "automatic"), ("no", "by the floor")],
        "required": False, "coerce": lambda said: said == "yes", "empty_value": None,
    }),
    "kind": (forms.ChoiceField, {"choices": DropSchedule.Kind.choices}),
    "caps": (PairsField, {"required": False}),
    "rounding": (forms.ChoiceField, {"choices": DropSchedule.Rounding.choices}),
    "jackpot_name": (forms.CharField, {"required": False, "max_length": 60}),
    "time_charges": (ChargesField, {"required": False}),
}  # fmt: skip


class TermsForm(forms.Form):
    """The terms of a game or of a drop schedule, new or of one there is (`row`). What is wrong with them as a whole is
    said by their module of services (`of`)."""

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
            for name, said in self.of.faults(self.kept_terms()).items():
                self.add_error(name, said)
        return cleaned

    @property
    def terms(self) -> dict[str, Any]:
        """What the services are told."""
        return {name: self.cleaned_data[name] for name in self.of.TERMS}

    def kept_terms(self) -> dict[str, Any]:
        """The same, without what may stay though it could not be chosen anew."""
        return self.terms


class OfferForm(TermsForm):
    """A game on offer."""

    of = offers
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, row: Offer | None = None, initial: dict[str, Any], **options: Any) -> None:
        initial |= {} if row is None else {"version": row.version}
        super().__init__(*args, row=row, initial=initial, **options)
        self.initial["calls_itself"] = _SAID[self.initial["calls_itself"]]
        self.fields["rulebook"].choices = _books(self.initial["rulebook"])
        self.fields["drop_id"].choices = _drops(row)

    def kept_terms(self) -> dict[str, Any]:
        is_kept = self.row is not None and self.terms["drop_id"] == self.row.drop_id
        return self.terms | ({"drop_id": None} if is_kept else {})


class ScheduleForm(TermsForm):
    """A drop schedule."""

    of = drops
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


class OpenForm(forms.Form):
    """Draws the fields of a table to be opened for a game on offer."""

    table = _one_of("At table")
    name = forms.CharField(max_length=60, required=False, help_text="Empty: the next number of the game.")
    section = _one_of("Section")
    seat_count = _whole("Seats", min_value=2, max_value=8)
    bots = _whole("House bots", min_value=0, max_value=7, initial=0)
    must_move_to = _one_of("Feeds the main game")
    has_spectators = _ticked("Allow spectators")
    is_private = _ticked("Private: by invitation or password")
    password = forms.CharField(
        max_length=60, required=False, widget=forms.PasswordInput(attrs={"autocomplete": "new-password"})
    )
    key = forms.CharField(widget=forms.HiddenInput, max_length=40, required=False)

    def __init__(self, *args: Any, offer: Offer, **options: Any) -> None:
        initial = {"seat_count": offer.seat_count, "has_spectators": offer.has_spectators}
        super().__init__(*args, initial=initial | options.pop("initial", {}), **options)
        sections = [(section.pk, section.name) for section in Section.objects.all()]
        mains = Table.objects.filter(offer=offer, state=Table.State.OPEN).order_by("name")
        self.fields["section"].choices = [("", "none"), *sections]
        self.fields["must_move_to"].choices = [("", "none"), *((main.pk, main.name) for main in mains)]
        if offer.is_physical:
            free = Table.objects.filter(state=Table.State.FREE, is_physical=True, event="").order_by("name")
            tables = [(table.pk, table.name) for table in free]
            self.fields["table"].choices = [*tables, ("", "another one, called as below" if tables else "a new one")]
            if tables:
                self.initial.setdefault("table", tables[0][0])
                self.fields["name"].help_text = "Of another table than these."
            del self.fields["bots"]
        else:
            del self.fields["table"]


class PasswordForm(forms.Form):
    password = forms.CharField(max_length=60, widget=forms.PasswordInput(attrs={"autocomplete": "off"}))


def _books(chosen: str) -> list[tuple[str, str]]:
    found = rulebook_queries.choices()
    return found if chosen in dict(found) else [(chosen, chosen), *found]


def _drops(offer: Offer | None) -> list[tuple[Any, str]]:
    rows = list(DropSchedule.objects.filter(retired_at=None).order_by("name"))
    if offer is not None and offer.drop is not None and offer.drop not in rows:
        rows.append(offer.drop)
    return [("", "nothing"), *((row.pk, row.name) for row in rows)]
