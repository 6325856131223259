"""The forms of a league and a season. People speak of points, the house counts in hundredths of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from tournaments.models import League
from tournaments.web.before_form import Numbers
from tournaments.words import points

_HUNDREDTHS = 100
_MOST = 10**6

FORMULAS = {
    "root": "Points × √(entries ÷ place)",
    "root-over-place": "Points × √entries ÷ place",
    "linear": "Points for every entry at the place or behind it",
    "table": "A table of points by place",
    "prize": "Points for every so much of prize money",
}
#: The same of one league, with its own numbers.
_COUNTING = {
    "root": "{points} × √(entries ÷ place).",
    "root-over-place": "{points} × √entries ÷ place.",
    "linear": "{points} for every entry at the place or behind it.",
    "table": "Points by place: {table}.",
    "prize": "{points} for every {per:,} of prize money.",
}


class LeagueForm(forms.Form):
    name = forms.CharField(label="Name", max_length=80)
    description = forms.CharField(
        label="In plain words", required=False, max_length=10_000, widget=forms.Textarea(attrs={"rows": 3})
    )
    formula = forms.ChoiceField(label="How places count", choices=list(FORMULAS.items()))
    scale = forms.IntegerField(label="Points", min_value=0, max_value=_MOST, required=False, help_text="Empty: 1.")
    table = Numbers(label="Table of points", required=False, help_text="First place first, such as 100, 70, 50.")
    per = forms.IntegerField(
        label="For so much prize money", min_value=1, max_value=_MOST, required=False, help_text="Empty: 100."
    )
    buy_in_of_one = forms.IntegerField(
        label="Buy-in that counts once",
        min_value=0,
        max_value=_MOST,
        required=False,
        help_text="With a root, dearer events count more: four times the buy-in, twice the points. Empty: no matter.",
    )
    places = forms.IntegerField(
        label="Only so many places score", min_value=0, max_value=_MOST, required=False, help_text="Empty: all."
    )
    playing = forms.IntegerField(label="Points for playing", min_value=0, max_value=_MOST, required=False)
    best_of = forms.IntegerField(
        label="Best results that count", min_value=0, max_value=10_000, required=False, help_text="Empty: all."
    )
    min_entrants = forms.IntegerField(
        label="Entries an event needs to count", min_value=0, max_value=10_000, required=False
    )
    first_entry_only = forms.BooleanField(
        label="Re-entries score nothing", required=False, help_text="Otherwise the best of somebody's entries counts."
    )


class SeasonForm(forms.Form):
    name = forms.CharField(label="Name", max_length=80)
    starts_on = forms.DateField(label="From", widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
    ends_on = forms.DateField(
        label="To", required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )


def league_fields(said: Mapping[str, Any]) -> dict[str, Any]:
    """What the form says, as the service takes it."""
    scale = 1 if said["scale"] is None else said["scale"]
    terms = {
        "scale": scale * _HUNDREDTHS,
        "table": [points * _HUNDREDTHS for points in said["table"]],
        "per": said["per"] or 100,
        "buy_in_of_one": said["buy_in_of_one"] or 0,
        "places": said["places"] or 0,
        "playing": (said["playing"] or 0) * _HUNDREDTHS,
    }
    return {
        "name": said["name"],
        "description": said["description"],
        "formula": said["formula"],
        "terms": terms,
        "best_of": said["best_of"] or 0,
        "min_entrants": said["min_entrants"] or 0,
        "first_entry_only": said["first_entry_only"],
    }


def said_of(league: League) -> dict[str, str]:
    """The fields of the form for a league."""
    terms = league.terms
    numbers = {
        "scale": points(terms.get("scale", _HUNDREDTHS)),
        "table": ", ".join(points(each) for each in terms.get("table", [])),
        "per": terms.get("per") or "",
        "buy_in_of_one": terms.get("buy_in_of_one") or "",
        "places": terms.get("places") or "",
        "playing": points(terms["playing"]) if terms.get("playing") else "",
        "best_of": league.best_of or "",
        "min_entrants": league.min_entrants or "",
    }
    texts = {"name": league.name, "description": league.description, "formula": league.formula}
    ticked = {"first_entry_only": "on"} if league.first_entry_only else {}
    return texts | ticked | {name: str(value) for name, value in numbers.items()}


def counting(league: League) -> list[str]:
    """How a league counts, in sentences."""
    terms = league.terms
    told = [
        _COUNTING[league.formula].format(
            points=points(terms.get("scale", _HUNDREDTHS)),
            table=", ".join(points(each) for each in terms.get("table", [])),
            per=terms.get("per", 100),
        )
    ]
    if terms.get("buy_in_of_one"):
        told.append(f"A buy-in of {terms['buy_in_of_one']:,} counts once, four times as much twice.")
    if terms.get("places"):
        told.append(f"Only the first {terms['places']} places score.")
    if terms.get("playing"):
        told.append(f"{points(terms['playing'])} for playing.")
    if league.best_of:
        told.append(f"A player's best {league.best_of} results count.")
    if league.min_entrants:
        told.append(f"Events with fewer than {league.min_entrants} entries do not count.")
    which = "the first" if league.first_entry_only else "the best"
    return [*told, f"Of several entries of a player in one event only {which} counts."]
