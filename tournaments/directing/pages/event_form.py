"""The form an event is made with: its fields, beside the table of levels.

The form is bound from the start, to what an event, a template or a preset says, so that a page which is only looked at
and one that was sent are the same. What was typed stays as it was typed, right or wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy

from cardroom.core import room_time
from cardroom.core.web.parts import DecimalsField, WholeNumberField
from games.rulebooks import queries as rulebook_queries
from tournaments.directing.pages import levels
from tournaments.engine.config import MOST_ENTRANTS, MOST_STUD_SEATS
from tournaments.events import queries as event_words
from tournaments.events import terms
from tournaments.events.hall import PAUSE_SECONDS
from tournaments.events.models import EventTerms, Payment, Season, Series, Tournament
from tournaments.events.terms import PARTS
from tournaments.registration.automatic_rebuys import SECONDS as REBUY_SECONDS

State = Tournament.State
_MOST = 10**12
MOMENT = "%Y-%m-%dT%H:%M"
#: The parts of a price, after what it is the price of.
_PART_NAMES = {
    "pool": gettext_lazy("prize pool"),
    "fee": gettext_lazy("house fee"),
    "bounty": gettext_lazy("bounty"),
    "staff": gettext_lazy("staff fee"),
}
RECURS = {
    0: gettext_lazy("No"),
    60: gettext_lazy("Every hour"),
    1440: gettext_lazy("Every day"),
    10080: gettext_lazy("Every week"),
    20160: gettext_lazy("Every two weeks"),
}


class NumbersField(forms.CharField):
    """Whole numbers separated by commas or blanks, as a tuple."""

    def clean(self, value: Any) -> tuple[int, ...]:
        cleaned = levels.whole_numbers(super().clean(value))
        if cleaned is None:
            raise forms.ValidationError(gettext("Whole numbers, separated by commas."))
        return tuple(cleaned)


def _whole(label: str, *, least: int = 0, most: int = _MOST, help_text: str = "", blank: int = 0) -> WholeNumberField:
    """A whole number; left empty it is `blank`."""
    field = WholeNumberField(label=label, min_value=least, max_value=most, required=False, help_text=help_text)
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


class EventTermsForm(forms.Form):
    """What an event is to be, as a template has it too."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=terms.LONGEST["name"])
    description = forms.CharField(
        label=gettext_lazy("Description"),
        required=False,
        max_length=terms.LONGEST["description"],
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    conduct = _choice(gettext_lazy("Where"), EventTerms.Conduct.choices)
    format = _choice(gettext_lazy("Format"), event_words.FORMATS)
    seats = _whole(gettext_lazy("Seats per table"), least=2, most=MOST_STUD_SEATS, blank=MOST_STUD_SEATS)
    final_seats = _whole(gettext_lazy("Final table seats"), least=2, most=MOST_STUD_SEATS, blank=MOST_STUD_SEATS)
    rulebook = _choice(gettext_lazy("Rulebook"), [])
    min_entrants = _whole(gettext_lazy("Minimum entries"), least=2, most=MOST_ENTRANTS, blank=2)
    max_entrants = _whole(
        gettext_lazy("Maximum entries"),
        most=MOST_ENTRANTS,
        help_text=gettext_lazy("Empty: no limit. Later entries are alternates."),
    )
    entry_code = forms.CharField(
        label=gettext_lazy("Entry code"),
        max_length=terms.LONGEST["entry_code"],
        required=False,
        help_text=gettext_lazy("Empty: open to all."),
    )
    bots = _whole(
        gettext_lazy("House bots"),
        most=terms.MOST["bots"],
        help_text=gettext_lazy("They enter when registration opens; online only."),
    )

    starting_stack = _whole(gettext_lazy("Starting stack"), least=1, blank=5000)
    chips = NumbersField(
        label=gettext_lazy("Chip set"), required=False, help_text=gettext_lazy("The values, such as 25, 100, 500.")
    )
    players = _whole(gettext_lazy("Players expected"), least=2, most=MOST_ENTRANTS, blank=40)
    hours = DecimalsField(label=gettext_lazy("Planned hours"), min_value=0, max_value=24, decimal_places=2)
    minutes = _whole(gettext_lazy("Minutes per level"), least=1, most=1440, blank=20)
    games = forms.MultipleChoiceField(
        label=gettext_lazy("Games, one level each in turn"),
        choices=list(event_words.GAMES.items()),
        widget=forms.CheckboxSelectMultiple,
    )

    guarantee = _whole(gettext_lazy("Guaranteed pool"))
    payout = _choice(gettext_lazy("Prizes"), event_words.PAYOUTS)
    places = _whole(
        gettext_lazy("Places paid"), most=MOST_ENTRANTS, help_text=gettext_lazy("Empty: by share of the entries.")
    )
    share_percent = _whole(gettext_lazy("Share of entries paid, %"), least=1, most=100, blank=15)
    percents = NumbersField(
        label=gettext_lazy("Own percentages"),
        required=False,
        help_text=gettext_lazy("First prize first; they sum to 100."),
    )
    amounts = NumbersField(
        label=gettext_lazy("Own amounts"),
        required=False,
        help_text=gettext_lazy("First prize first; they sum to the pool."),
    )
    unit = _whole(
        gettext_lazy("Round prizes down to"),
        least=1,
        blank=1,
        help_text=gettext_lazy("The remainder goes to first place. Bounties are split in this unit."),
    )
    min_cash = _whole(gettext_lazy("Minimum prize"))
    ticket_value = _whole(gettext_lazy("Ticket value"))
    bounty = _choice(
        gettext_lazy("Bounty per player"),
        event_words.BOUNTIES,
        gettext_lazy("Its amount is the bounty part of the price."),
    )

    late_level = _whole(
        gettext_lazy("Registration through level"), most=200, help_text=gettext_lazy("Empty: until the start.")
    )
    late_through_break = _tick(gettext_lazy("and through the break after it"))
    flight_levels = _whole(
        gettext_lazy("Flight ends after level"),
        most=200,
        help_text=gettext_lazy("Empty: after the last, or when ended."),
    )
    all_flight_stacks = _tick(
        gettext_lazy("Players with several flight stacks continue with all of them"),
        gettext_lazy("Otherwise with the largest."),
    )
    re_entries = _whole(gettext_lazy("Re-entries per player"), most=1000)
    re_entry_stack = _whole(gettext_lazy("Re-entry chips"), help_text=gettext_lazy("Empty: the starting stack."))
    has_rebuy = _tick(gettext_lazy("Rebuys"))
    rebuy_chips = _whole(gettext_lazy("Rebuy chips"), help_text=gettext_lazy("Empty: the starting stack."))
    rebuy_most = _whole(gettext_lazy("Maximum rebuys"), most=1000, help_text=gettext_lazy("Empty: no limit."))
    rebuy_until_level = _whole(
        gettext_lazy("Rebuys through level"), most=200, help_text=gettext_lazy("Empty: until the first break.")
    )
    rebuy_at_most_stack = _whole(
        gettext_lazy("Maximum stack to rebuy"), help_text=gettext_lazy("Empty: only when out of chips.")
    )
    has_add_on = _tick(gettext_lazy("Add-on"))
    add_on_chips = _whole(gettext_lazy("Add-on chips"), help_text=gettext_lazy("Empty: the starting stack."))
    add_on_break = _whole(gettext_lazy("Add-on in break"), least=1, most=200, blank=1)

    act_seconds = _whole(gettext_lazy("Seconds to act"), least=1, most=3600, blank=30)
    time_bank_seconds = _whole(gettext_lazy("Time bank, seconds"), most=3600)
    bank_refill_per_level = _whole(gettext_lazy("Time bank seconds added per level"), most=3600)
    extra_seconds = NumbersField(
        label=gettext_lazy("Extra seconds after a lost connection"),
        required=False,
        help_text=gettext_lazy("The first time, the second, and so on."),
    )
    extra_cap_seconds = _whole(gettext_lazy("Maximum extra seconds"), most=36_000)
    pause_seconds = _whole(gettext_lazy("Seconds between hands online"), most=600, blank=PAUSE_SECONDS)
    rebuy_seconds = _whole(
        gettext_lazy("Seconds to decide on a rebuy online"),
        most=600,
        blank=REBUY_SECONDS,
        help_text=gettext_lazy("The table waits so long."),
    )
    bots_rebuy = _whole(gettext_lazy("Rebuys per house bot"), most=100)
    balance_at = _whole(gettext_lazy("Balance tables at a difference of"), least=2, most=MOST_STUD_SEATS, blank=2)
    halt_short = _whole(
        gettext_lazy("Halt a table short by"), most=MOST_STUD_SEATS, help_text=gettext_lazy("Empty: never.")
    )
    hand_for_hand = _tick(gettext_lazy("Hand-for-hand before the money"))
    hand_minutes = _whole(gettext_lazy("Minutes deducted per hand-for-hand hand"), most=60)
    auto_start = _tick(gettext_lazy("Clock starts with the tournament"))
    starts_by_itself = _tick(gettext_lazy("Start automatically"), gettext_lazy("Always on for online tournaments."))
    seats_late_by_hand = _tick(gettext_lazy("Floor seats late entries"))
    starts_when_full = _tick(
        gettext_lazy("Start when full"), gettext_lazy("For a sit-and-go: set the maximum entries.")
    )
    when_short = _choice(gettext_lazy("If too few entries"), EventTerms.WhenShort.choices)

    recurs_minutes = _choice(gettext_lazy("Repeats"), [])
    recurs_times = _whole(gettext_lazy("Repeats to come"), most=terms.MOST["recurs_times"])
    recurs_when_full = _tick(gettext_lazy("Open a new one when this one is full"))

    def __init__(self, data: Mapping[str, Any], kept: Mapping[str, Any]) -> None:
        """`kept`: what is stored already; it may be chosen again though it is offered no more."""
        super().__init__(data)
        self.fields["rulebook"].choices = _with_chosen(rulebook_queries.choices(), str(kept.get("rulebook", "")))
        own = str(kept.get("recurs_minutes", ""))
        known = [(str(minutes), title) for minutes, title in RECURS.items()]
        self.fields["recurs_minutes"].choices = _with_chosen(known, own, gettext("Every {own} minutes").format(own=own))
        for what in Payment.Kind.values:
            for part in PARTS:
                label = capfirst(
                    _PART_NAMES[part] if what == "entry" else f"{Payment.Kind(what).label}: {_PART_NAMES[part]}"
                )
                self.fields[f"{what}_{part}"] = _whole(label, most=10**9)

    def clean(self) -> dict[str, Any]:
        """A number that was left empty gets the value that its empty field stands for (`blank`). What is chosen from a
        list (`_CHOSEN`) becomes a number, None where nothing was chosen."""
        values: dict[str, Any] = super().clean() or {}
        for name, field in self.fields.items():
            if isinstance(field, WholeNumberField) and name in values and values[name] is None:
                values[name] = getattr(field, "blank", 0)
        values |= {name: int(values[name]) if values[name] else None for name in _CHOSEN if name in values}
        recurs = values.get("recurs_when_full") or values.get("recurs_minutes")
        if recurs and not values.get("recurs_times") and "recurs_times" not in self.errors:
            self.add_error("recurs_times", gettext("Enter how many more tournaments to create."))
        return values

    def price_rows(self) -> list[tuple[str, str, list[forms.BoundField]]]:
        """The price table: what for, its name, and a field for each part."""
        return [(w.value, str(w.label), [self[f"{w.value}_{part}"] for part in PARTS]) for w in Payment.Kind]


class EventForm(EventTermsForm):
    """An event: its terms, when it is, and what it belongs to."""

    starts_at = _moment(gettext_lazy("Start"), gettext_lazy("Empty: on the director's order, or when it is full."))
    registration_opens_at = _moment(gettext_lazy("Registration opens"), gettext_lazy("Empty: on the director's order."))
    series_id = _choice(gettext_lazy("Series"), [])
    season_id = _choice(gettext_lazy("League season"), [])
    parent_id = _choice(gettext_lazy("Feeds final"), [], gettext_lazy("The final in which its players continue."))
    flight = forms.CharField(
        label=gettext_lazy("Flight"), max_length=10, required=False, help_text=gettext_lazy('Such as "1A".')
    )
    satellite_to_id = _choice(
        gettext_lazy("Satellite to"), [], gettext_lazy("The tournament that its tickets are for.")
    )

    def __init__(self, data: Mapping[str, Any], kept: Mapping[str, Any]) -> None:
        super().__init__(data, kept)
        live = Tournament.objects.exclude(state__in=[State.FINISHED, State.CANCELLED]).order_by("-pk")
        events = [(str(pk), name) for pk, name in live.values_list("pk", "name")[:200]]
        series = Series.objects.filter(is_archived=False).order_by("name").values_list("pk", "name")
        seasons = Season.objects.filter(closed_at=None).select_related("league").order_by("league__name", "-starts_on")
        self._may_be_empty("series_id", kept, [(str(pk), name) for pk, name in series])
        self._may_be_empty(
            "season_id", kept, [(str(season.pk), f"{season.league.name}: {season.name}") for season in seasons]
        )
        self._may_be_empty("parent_id", kept, events)
        self._may_be_empty("satellite_to_id", kept, events)
        zone = room_time.readers_zone()
        for name in ("starts_at", "registration_opens_at"):
            self.fields[name].label = f"{self.fields[name].label} ({zone})"

    def _may_be_empty(self, name: str, kept: Mapping[str, Any], choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        field.required = False
        field.choices = [("", gettext("None")), *_with_chosen(choices, str(kept.get(name, "")), gettext("As it is"))]  # type: ignore[attr-defined]


#: The parts of the form that are folded, in their order: title, and their fields, in one or several groups.
FOLDED = {
    "about": (gettext_lazy(
"Seats and rules"), ["description seats final_seats rulebook"]),
    "when": (
        gettext_lazy(
"Registration, start and repetition"),
        ["registration_opens_at starts_by_itself starts_when_full when_short",
         "recurs_minutes recurs_times recurs_when_full"],
    ),
    "price": (gettext_lazy(
"Other prices and bounty"), ["bounty"]),
    "prizes": (
        gettext_lazy(
"Prizes"),
        ["payout guarantee places share_percent unit min_cash percents amounts ticket_value"],
    ),
    "entry": (
        gettext_lazy(
"Entries, rebuys and add-ons"),
        ["min_entrants max_entrants late_level late_through_break re_entries re_entry_stack entry_code bots",
         "has_rebuy rebuy_chips rebuy_most rebuy_until_level rebuy_at_most_stack rebuy_seconds bots_rebuy",
         "has_add_on add_on_chips add_on_break"],
    ),
    "play": (
        gettext_lazy(
"Play and clocks"),
        ["auto_start hand_for_hand seats_late_by_hand hand_minutes balance_at halt_short act_seconds time_bank_seconds"
         " pause_seconds bank_refill_per_level extra_seconds extra_cap_seconds flight_levels all_flight_stacks"],
    ),
    "belongs": (gettext_lazy(
"Part of a series, league or satellite"), ["series_id season_id parent_id flight satellite_to_id"]),
}  # fmt: skip
_IN_A_SUMMARY = 5


@dataclass(frozen=True)
class FoldedPart:
    """A folded part of the form: unfolded where something in it is wrong. `summary`: what is set in it."""

    slug: str
    title: str
    groups: list[list[forms.BoundField]]
    others: list[forms.BoundField]

    @property
    def is_wrong(self) -> bool:
        return any(field.errors for field in self._fields)

    @property
    def summary(self) -> str:
        settings = list(filter(None, map(_summary_of, self._fields)))
        more = (
            " · " + gettext("{n} more").format(n=len(settings) - _IN_A_SUMMARY) if len(settings) > _IN_A_SUMMARY else ""
        )
        return " · ".join(settings[:_IN_A_SUMMARY]) + more if settings else gettext("nothing set")

    @property
    def _fields(self) -> list[forms.BoundField]:
        return [*chain.from_iterable(self.groups), *self.others]


def parts_of(form: EventTermsForm) -> list[FoldedPart]:
    """The folded parts of this form, without those that it has no field of."""
    folded_parts = []
    for slug, (title, groups) in FOLDED.items():
        fields = [[form[name] for name in names.split() if name in form.fields] for names in groups]
        others = [field for _, _, row in form.price_rows()[1:] for field in row] if slug == "price" else []
        if any(fields):
            folded_parts.append(FoldedPart(slug, title, fields, others))
    return folded_parts


def _summary_of(field: forms.BoundField) -> str:
    """A field in a summary: what was chosen or typed; "" where that is nothing."""
    value = field.value()
    if value in (None, "", 0, "0", False, "False", "false"):
        return ""
    if isinstance(field.field, forms.BooleanField):
        return str(field.label)
    choices = {str(key): str(words) for key, words in getattr(field.field, "choices", [])}
    shown = choices.get(str(value), str(value))
    return f"{field.label}: {shown if len(shown) <= 40 else shown[:39] + '…'}"


def _with_chosen(choices: list[tuple[str, str]], chosen: str, title: str = "") -> list[tuple[str, str]]:
    """The choices, and what is chosen already where it is none of them any more."""
    is_known = not chosen or any(value == chosen for value, _ in choices)
    return choices if is_known else [*choices, (chosen, title or chosen)]


#: Chosen from a list, by a number.
_CHOSEN = ("recurs_minutes", "series_id", "season_id", "parent_id", "satellite_to_id")
