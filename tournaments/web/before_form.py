"""The form an event is made with: its fields, and the table of levels beside them.

The form is bound from the start, to what an event, a template or a preset says, so that a page which is only looked at
and one that was sent are the same. What was typed stays as it was typed, right or wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils import timezone

from games.selectors import rulebooks as books
from tournaments import words
from tournaments.engine.config import MOST_ENTRANTS, MOST_STUD_SEATS
from tournaments.models import Payment, Season, Series, Tournament
from tournaments.models.terms import Terms
from tournaments.services.play.hall import PAUSE_SECONDS
from tournaments.services.play.rebuys import SECONDS as REBUY_SECONDS
from tournaments.services.prices import PARTS

State = Tournament.State
_MOST = 10**12
MOMENT = "%Y-%m-%dT%H:%M"

RECURS = {0: "Not by the clock", 60: "Every hour", 1440: "Every day", 10080: "Every week", 20160: "Every two weeks"}
DEFAULT_CHIPS = "25, 100, 500, 1000, 5000"


class Numbers(forms.CharField):
    """Whole numbers separated by commas or blanks, as a tuple."""

    def clean(self, value: Any) -> tuple[int, ...]:
        told = super().clean(value).replace(",", " ").split()
        if not all(each.isascii() and each.isdigit() and len(each) <= 12 for each in told):
            raise forms.ValidationError("Whole numbers, separated by commas.")
        return tuple(int(each) for each in told)


def _whole(label: str, *, least: int = 0, most: int = _MOST, help_text: str = "", blank: int = 0) -> forms.IntegerField:
    """A whole number; left empty it is `blank`."""
    field = forms.IntegerField(label=label, min_value=least, max_value=most, required=False, help_text=help_text)
    field.blank = blank  # type: ignore[attr-defined]
    return field


def _tick(label: str, help_text: str = "") -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False, help_text=help_text)


def _choice(label: str, choices: Mapping[Any, str] | Iterable[tuple[Any, str]], help_text: str = "") -> Any:
    options = list(choices.items()) if isinstance(choices, Mapping) else list(choices)
    return forms.ChoiceField(label=label, choices=options, help_text=help_text)


def _moment(label: str, help_text: str = "") -> forms.DateTimeField:
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=MOMENT)
    return forms.DateTimeField(
        label=label, required=False, widget=widget, input_formats=[MOMENT, "%Y-%m-%d %H:%M"], help_text=help_text
    )


class TermsForm(forms.Form):
    """What an event is to be, as a template has it too."""

    name = forms.CharField(label="Name", max_length=80)
    description = forms.CharField(
        label="In plain words", required=False, max_length=10_000, widget=forms.Textarea(attrs={"rows": 3})
    )
    conduct = _choice("Where", Terms.Conduct.choices)
    format = _choice("Format", words.FORMATS)
    seats = _whole("Seats at a table", least=2, most=MOST_STUD_SEATS, blank=8)
    final_seats = _whole("At the final table", least=2, most=MOST_STUD_SEATS, blank=8)
    rulebook = _choice("Rulebook", [])
    min_entrants = _whole("At least", least=2, most=MOST_ENTRANTS, blank=2)
    max_entrants = _whole("At most", most=MOST_ENTRANTS, help_text="Empty: no end. Others wait for a seat.")
    entry_code = forms.CharField(label="Entry code", max_length=40, required=False, help_text="Empty: open to all.")
    bots = _whole("House bots", most=5_000, help_text="They enter when registration opens; online only.")

    starting_stack = _whole("Starting stack", least=1, blank=5000)
    chips = Numbers(label="Chips there are", required=False, help_text="The values, such as 25, 100, 500.")
    players = _whole("Players expected", least=2, most=MOST_ENTRANTS, blank=40)
    hours = forms.DecimalField(label="Hours it should last", min_value=0, max_value=24, decimal_places=2)
    minutes = _whole("Minutes a level", least=1, most=1440, blank=20)
    games = forms.MultipleChoiceField(
        label="Games, in turn by level", choices=list(words.GAMES.items()), widget=forms.CheckboxSelectMultiple
    )

    guarantee = _whole("Guaranteed pool")
    payout = _choice("Prizes", words.PAYOUTS)
    places = _whole("Places paid", most=MOST_ENTRANTS, help_text="Empty: by share of the entries.")
    share_percent = _whole("Share of entries paid, %", least=1, most=100, blank=15)
    percents = Numbers(label="Own percentages", required=False, help_text="First prize first; they sum to 100.")
    amounts = Numbers(label="Own amounts", required=False, help_text="First prize first; they sum to the pool.")
    unit = _whole(
        "Rounded down to",
        least=1,
        blank=1,
        help_text="What is over goes to first. Bounties are split in it.",
    )
    min_cash = _whole("Least prize")
    ticket_value = _whole("A ticket is worth")
    bounty = _choice("Bounty on every head", words.BOUNTIES, "Its amount is the bounty part of the price.")

    late_level = _whole("Entry through level", most=200, help_text="Empty: until the start.")
    late_through_break = _tick("and through the break after it")
    flight_levels = _whole("A flight ends after level", most=200, help_text="Empty: after the last, or when ended.")
    all_flight_stacks = _tick("Who is left in several flights goes on with all their stacks", "Else with the largest.")
    re_entries = _whole("Re-entries a player", most=1000)
    re_entry_stack = _whole("Chips of a re-entry", help_text="Empty: the starting stack.")
    has_rebuy = _tick("Rebuys")
    rebuy_chips = _whole("Chips of a rebuy", help_text="Empty: the starting stack.")
    rebuy_most = _whole("At most so many", most=1000, help_text="Empty: no end.")
    rebuy_until_level = _whole("Through level", least=1, most=200, blank=4)
    rebuy_at_most_stack = _whole("With a stack of at most", help_text="Empty: only without chips.")
    has_add_on = _tick("An add-on")
    add_on_chips = _whole("Chips of the add-on", help_text="Empty: the starting stack.")
    add_on_break = _whole("In break", least=1, most=200, blank=1)

    act_seconds = _whole("Seconds to act", least=1, most=3600, blank=30)
    time_bank_seconds = _whole("Seconds in the bank", most=3600)
    bank_refill_per_level = _whole("Seconds added a level", most=3600)
    extra_seconds = Numbers(
        label="Seconds for who lost touch", required=False, help_text="The first time, the second, and so on."
    )
    extra_cap_seconds = _whole("At most in all", most=36_000)
    pause_seconds = _whole("Seconds between two hands online", most=600, blank=PAUSE_SECONDS)
    rebuy_seconds = _whole(
        "Seconds to decide on a rebuy online", most=600, blank=REBUY_SECONDS, help_text="The table waits so long."
    )
    bots_rebuy = _whole("Rebuys a house bot makes", most=100)
    balance_at = _whole("Tables are balanced at a difference of", least=2, most=8, blank=2)
    halt_short = _whole("A table stops when short by", most=8, help_text="Empty: never.")
    hand_for_hand = _tick("Hand for hand before the money")
    hand_minutes = _whole("Minutes off the clock for each of those hands", most=60)
    auto_start = _tick("The clock runs from the start")
    starts_by_itself = _tick("It starts by itself at its time", "Online it always does.")
    seats_late_by_hand = _tick("The floor seats late players by hand")
    starts_when_full = _tick("It starts when it is full", "A sit-and-go: give the most entrants.")
    when_short = _choice("If too few have come by the start", Terms.WhenShort.choices)

    recurs_minutes = _choice("Again", [])
    recurs_times = _whole("How many more times", most=100_000)
    recurs_when_full = _tick("A new one opens when this one is full")

    def __init__(self, data: Mapping[str, Any], kept: Mapping[str, Any]) -> None:
        """`kept`: what is stored already; it may be chosen again though it is offered no more."""
        super().__init__(data)
        self.fields["rulebook"].choices = _with(books.choices(), str(kept.get("rulebook", "")))
        own = str(kept.get("recurs_minutes", ""))
        known = [(str(minutes), title) for minutes, title in RECURS.items()]
        self.fields["recurs_minutes"].choices = _with(known, own, f"Every {own} minutes")
        for what in Payment.What.values:
            for part in PARTS:
                self.fields[f"{what}_{part}"] = _whole(f"{Payment.What(what).label}: {part}", most=10**9)

    def clean(self) -> dict[str, Any]:
        """Numbers that were left empty are what an empty field means."""
        said: dict[str, Any] = super().clean() or {}
        for name, field in self.fields.items():
            if isinstance(field, forms.IntegerField) and name in said and said[name] is None:
                said[name] = getattr(field, "blank", 0)
        is_again = said.get("recurs_when_full") or int(said.get("recurs_minutes") or 0)
        if is_again and not said.get("recurs_times") and "recurs_times" not in self.errors:
            self.add_error("recurs_times", "Say how many more there are to be.")
        return said

    def price_rows(self) -> list[tuple[str, str, list[forms.BoundField]]]:
        """The price table: what for, its name, and a field for each part."""
        return [(w.value, str(w.label), [self[f"{w.value}_{part}"] for part in PARTS]) for w in Payment.What]


class EventForm(TermsForm):
    """An event: its terms, when it is, and what it belongs to."""

    starts_at = _moment("It starts", "Empty: when the director says so, or when it is full.")
    registration_opens_at = _moment("Registration opens", "Empty: when the director says so.")
    series_id = _choice("Series", [])
    season_id = _choice("Counts for", [])
    parent_id = _choice("A flight to", [], "Its final, where those who are left go on.")
    flight = forms.CharField(label="Which flight", max_length=10, required=False, help_text='Such as "1A".')
    satellite_to_id = _choice("A satellite to", [], "The event that its tickets are for.")

    def __init__(self, data: Mapping[str, Any], kept: Mapping[str, Any]) -> None:
        super().__init__(data, kept)
        live = Tournament.objects.exclude(state__in=[State.FINISHED, State.CANCELLED]).order_by("-pk")
        events = [(str(pk), name) for pk, name in live.values_list("pk", "name")[:200]]
        series = Series.objects.filter(is_archived=False).order_by("name").values_list("pk", "name")
        seasons = Season.objects.filter(closed_at=None).select_related("league").order_by("league__name", "-starts_on")
        self._may_be_empty("series_id", kept, [(str(pk), name) for pk, name in series])
        self._may_be_empty("season_id", kept, [(str(each.pk), f"{each.league.name}: {each.name}") for each in seasons])
        self._may_be_empty("parent_id", kept, events)
        self._may_be_empty("satellite_to_id", kept, events)
        zone = timezone.get_current_timezone_name()
        for name in ("starts_at", "registration_opens_at"):
            self.fields[name].label = f"{self.fields[name].label} ({zone})"

    def _may_be_empty(self, name: str, kept: Mapping[str, Any], choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        field.required = False
        field.choices = [("", "None"), *_with(choices, str(kept.get(name, "")), "As it is")]  # type: ignore[attr-defined]


def _with(choices: list[tuple[str, str]], chosen: str, title: str = "") -> list[tuple[str, str]]:
    """The choices, and what is chosen already where it is none of them any more."""
    is_known = not chosen or any(value == chosen for value, _ in choices)
    return choices if is_known else [*choices, (chosen, title or chosen)]
