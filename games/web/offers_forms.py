"""What managers and the floor fill in: games on offer, drop schedules, tables to be opened."""

import re
from typing import Any

from django import forms

from games.engine.family import GAMES, STRUCTURES
from games.models import DropSchedule, Offer, Section, Table
from games.selectors import rulebooks as books
from games.services import offer_terms, schedules

_TABLE = re.compile(r"\s*table\s*[:=]\s*(\d{1,10})\s*", re.IGNORECASE)
_PAIR = re.compile(r"\s*(\d{1,2})\s*[:=]\s*(\d{1,10})\s*")
#: How the form says whether a list calls by itself.
_SAID = {None: "", True: "yes", False: "no"}
_STRUCTURES = [(name, name.replace("-", " ")) for name in STRUCTURES]


class PairsField(forms.CharField):
    """Pairs of players and chips, written "2: 1, 4: 3"."""

    def clean(self, value: Any) -> list[list[int]]:
        said = super().clean(value).strip()
        pairs = []
        for part in said.split(",") if said else []:
            fits = _PAIR.fullmatch(part)
            if fits is None:
                raise forms.ValidationError(f"{part.strip()!r} is no pair of players and chips: write 2: 1, 4: 3.")
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
        return schedules.shared(int(together[1])) if together else super().clean(value)


class OfferForm(forms.Form):
    """A game on offer; what is wrong with it as a whole is said by `offer_terms`."""

    name = forms.CharField(max_length=60, help_text="As it is called on the board, such as Stud 5/10.")
    game = forms.ChoiceField(choices=[(game.slug, game.title) for game in GAMES.values()])
    structure = forms.ChoiceField(choices=_STRUCTURES, label="Betting")
    rulebook = forms.ChoiceField()
    small_bet = forms.IntegerField(label="Small bet", help_text="Beside fixed limit: the least bet.")
    big_bet = forms.IntegerField(label="Big bet", help_text="Of a spread: its most.")
    ante = forms.IntegerField()
    bring_in = forms.IntegerField(label="Bring-in")
    smallest_chip = forms.IntegerField(
        label="Smallest chip", help_text="Pots are split in it. 0: worked out from stacks and stakes."
    )
    min_buy_in = forms.IntegerField(label="Least buy-in")
    max_buy_in = forms.IntegerField(label="Most buy-in")
    seat_count = forms.IntegerField(label="Seats")
    drop_id = forms.TypedChoiceField(label="Drop", required=False, coerce=int, empty_value=None)
    is_physical = forms.BooleanField(
        label="In the room", required=False, help_text="Seats, stacks and times are kept; no cards are dealt here."
    )
    dealt_by = forms.ChoiceField(choices=Table.DealtBy.choices, label="Dealt by")
    deck = forms.ChoiceField(choices=Table.Deck.choices)
    is_spoken = forms.BooleanField(label="Announcements are spoken", required=False)
    has_spectators = forms.BooleanField(label="Others may look on", required=False)
    act_seconds = forms.IntegerField(label="Seconds to act", help_text="0: no clock, where a person deals.")
    time_bank_seconds = forms.IntegerField(label="Time bank, seconds")
    bank_refill_seconds = forms.IntegerField(label="Back into it with each hand, seconds")
    missed_clocks_allowed = forms.IntegerField(
        label="Clocks missed in a row", help_text="So many, and a player sits out."
    )
    extra_seconds = SecondsField(
        label="Connection lost, extra seconds",
        required=False,
        help_text="For the first, second, ... turn, online, such as 30, 15. Empty: none.",
    )
    extra_cap_seconds = forms.IntegerField(label="Extra seconds in a visit, at most")
    pause_seconds = forms.IntegerField(label="Between two hands, seconds")
    keep_seat_minutes = forms.IntegerField(label="Seat kept, minutes", help_text="Of a player who is away.")
    rathole_minutes = forms.IntegerField(
        label="Back with what one left with, minutes", help_text="0: everybody buys in anew."
    )
    call_minutes = forms.IntegerField(label="Called player has, minutes")
    more_time_minutes = forms.IntegerField(label="More time, minutes")
    hold_minutes = forms.IntegerField(label="Seat held, minutes")
    calls_itself = forms.TypedChoiceField(
        label="The next on the list is called",
        choices=[("", "by itself online only"), ("yes", "by itself"), ("no", "by the floor")],
        required=False,
        coerce=lambda said: said == "yes",
        empty_value=None,
    )
    missed_calls_allowed = forms.IntegerField(
        label="Missed calls allowed", help_text="So often to the bottom of the list; then off it."
    )
    opens_with = forms.IntegerField(
        label="A list of so many opens a table", help_text="In the room it asks the floor for one. 0: it does not."
    )
    comp_per_hour = forms.IntegerField(label="Comp points an hour")
    tables_per_player = forms.IntegerField(label="Tables per player")
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)
    key = forms.CharField(widget=forms.HiddenInput, max_length=40, required=False)

    def __init__(self, *args: Any, offer: Offer | None = None, **options: Any) -> None:
        initial = dict(offer_terms.USUAL)
        if offer is not None:
            initial = {name: getattr(offer, name) for name in offer_terms.USUAL} | {"version": offer.version}
        initial["calls_itself"] = _SAID[initial["calls_itself"]]
        super().__init__(*args, initial=initial | options.pop("initial", {}), **options)
        self.offer = offer
        self.fields["rulebook"].choices = _books(initial["rulebook"])
        self.fields["drop_id"].choices = _drops(offer)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            kept = self.offer is not None and cleaned["drop_id"] == self.offer.drop_id
            terms = self.terms | ({"drop_id": None} if kept else {})
            for name, said in offer_terms.faults(terms).items():
                self.add_error(name, said)
        return cleaned

    @property
    def terms(self) -> dict[str, Any]:
        """What the services are told."""
        return {name: self.cleaned_data[name] for name in offer_terms.USUAL}


class ScheduleForm(forms.Form):
    """A drop schedule."""

    name = forms.CharField(max_length=60)
    kind = forms.ChoiceField(choices=DropSchedule.Kind.choices, label="The house takes")
    rake_permille = forms.IntegerField(label="Of a thousand of the pot", help_text="50 is five percent.")
    caps = PairsField(
        label="At most", required=False, help_text="By players dealt in, such as 2: 1, 4: 3; empty: no cap."
    )
    rounding_unit = forms.IntegerField(label="In units of")
    rounding = forms.ChoiceField(choices=DropSchedule.Rounding.choices, label="Rounded")
    is_free_without_call = forms.BooleanField(
        label="None of a hand that ends on third street without a call", required=False
    )
    promo = forms.IntegerField(label="For promotions")
    jackpot = forms.IntegerField(label="For the jackpot")
    promo_from = forms.IntegerField(label="Of pots from")
    jackpot_name = forms.CharField(label="Which jackpot", max_length=60, required=False)
    period_minutes = forms.IntegerField(label="Every, minutes")
    time_charges = ChargesField(
        label="Each player pays",
        required=False,
        help_text="By players at the table, such as 2: 4, 6: 3; or table: 24, which they share.",
    )
    time_promo = forms.IntegerField(label="Of it for promotions")
    courtesy_hands = forms.IntegerField(label="Courtesy hands")
    key = forms.CharField(widget=forms.HiddenInput, max_length=40, required=False)

    RAKE = ("rake_permille", "caps", "rounding_unit", "rounding", "is_free_without_call")
    FUNDS = ("promo", "jackpot", "jackpot_name", "promo_from")
    TIME = ("period_minutes", "time_charges", "time_promo", "courtesy_hands")

    def __init__(self, *args: Any, schedule: DropSchedule | None = None, **options: Any) -> None:
        initial = dict(schedules.USUAL)
        if schedule is not None:
            initial = {name: getattr(schedule, name) for name in schedules.USUAL}
        super().__init__(*args, initial=initial | options.pop("initial", {}), **options)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            for name, said in schedules.faults(self.terms).items():
                self.add_error(name, said)
        return cleaned

    @property
    def terms(self) -> dict[str, Any]:
        """What the services are told."""
        return {name: self.cleaned_data[name] for name in schedules.USUAL}

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
    """A table to be opened for a game on offer."""

    table_id = forms.TypedChoiceField(label="At table", required=False, coerce=int, empty_value=None)
    name = forms.CharField(max_length=60, required=False, help_text="Empty: the next number of the game.")
    section_id = forms.TypedChoiceField(label="Section", required=False, coerce=int, empty_value=None)
    seat_count = forms.IntegerField(label="Seats", min_value=2, max_value=8)
    bots = forms.IntegerField(label="House bots", min_value=0, max_value=7, initial=0)
    must_move_to_id = forms.TypedChoiceField(label="Feeds the main game", required=False, coerce=int, empty_value=None)
    has_spectators = forms.BooleanField(label="Others may look on", required=False)
    is_private = forms.BooleanField(label="Private: by invitation or password", required=False)
    password = forms.CharField(
        max_length=60, required=False, widget=forms.PasswordInput(attrs={"autocomplete": "new-password"})
    )
    key = forms.CharField(widget=forms.HiddenInput, max_length=40, required=False)

    def __init__(self, *args: Any, offer: Offer, **options: Any) -> None:
        initial = {"seat_count": offer.seat_count, "has_spectators": offer.has_spectators}
        super().__init__(*args, initial=initial | options.pop("initial", {}), **options)
        sections = [(section.pk, section.name) for section in Section.objects.all()]
        mains = Table.objects.filter(offer=offer, state=Table.State.OPEN).order_by("name")
        self.fields["section_id"].choices = [("", "none"), *sections]
        self.fields["must_move_to_id"].choices = [("", "none"), *((main.pk, main.name) for main in mains)]
        if offer.is_physical:
            free = Table.objects.filter(state=Table.State.FREE, is_physical=True, event="").order_by("name")
            tables = [(table.pk, table.name) for table in free]
            self.fields["table_id"].choices = [*tables, ("", "another one, called as below" if tables else "a new one")]
            if tables:
                self.initial.setdefault("table_id", tables[0][0])
                self.fields["name"].help_text = "Of another table than these."
            del self.fields["bots"]
        else:
            del self.fields["table_id"]


class NameForm(forms.Form):
    """Something that needs no more than a name."""

    name = forms.CharField(max_length=60)
    key = forms.CharField(max_length=40, required=False)


class ReasonForm(forms.Form):
    """Something that is said with its reason."""

    reason = forms.CharField(max_length=300, required=False)
    key = forms.CharField(max_length=40, required=False)


class TableEditForm(forms.Form):
    """A table as it stands."""

    name = forms.CharField(max_length=60)
    bots = forms.IntegerField(min_value=0, max_value=7, required=False)
    has_spectators = forms.BooleanField(required=False)
    section = forms.IntegerField(min_value=1, required=False)
    must_move_to_id = forms.IntegerField(min_value=1, required=False)
    key = forms.CharField(max_length=40, required=False)


class PrivacyForm(forms.Form):
    is_private = forms.BooleanField(required=False)
    password = forms.CharField(max_length=60, required=False)


class InviteForm(forms.Form):
    player = forms.CharField(max_length=150)


class CountForm(forms.Form):
    counted = forms.IntegerField(min_value=0, max_value=10**12)
    reason = forms.CharField(max_length=300, required=False)
    key = forms.CharField(max_length=40, required=False)


class PasswordForm(forms.Form):
    password = forms.CharField(max_length=60, widget=forms.PasswordInput(attrs={"autocomplete": "off"}))


def _books(chosen: str) -> list[tuple[str, str]]:
    found = books.choices()
    return found if chosen in dict(found) else [(chosen, chosen), *found]


def _drops(offer: Offer | None) -> list[tuple[Any, str]]:
    rows = list(DropSchedule.objects.filter(retired_at=None).order_by("name"))
    if offer is not None and offer.drop is not None and offer.drop not in rows:
        rows.append(offer.drop)
    return [("", "nothing"), *((row.pk, row.name) for row in rows)]
