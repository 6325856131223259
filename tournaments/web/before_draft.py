"""An event being made on a page: what was typed, what it makes, how it will go, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from cardroom.services.errors import CardroomError
from tournaments import structures
from tournaments.engine import payouts, wizard
from tournaments.engine.config import EventConfig
from tournaments.engine.errors import IllegalAction
from tournaments.models import Template, Tournament
from tournaments.services import prices, terms
from tournaments.web import before_levels
from tournaments.web.before_form import EventForm, TermsForm
from tournaments.web.before_terms import data_of, fields_of

_ENTRIES_SHOWN = (1, 2, 4)


class Draft:
    """`faults`: what is wrong with the whole, for people; what is wrong with a field stands at the field, and at a
    level in its row. `fields`: what services take, where everything can be read."""

    def __init__(self, before: Tournament | Template, data: Mapping[str, Any] | None = None) -> None:
        kept = data_of(before)
        self.before = before
        self.data = dict(kept if data is None else data)
        self.form: TermsForm = (TermsForm if isinstance(before, Template) else EventForm)(self.data, kept)
        self.levels = before_levels.read(self.data)
        self.config: EventConfig | None = None
        self.fields: dict[str, Any] = {}
        self.faults: list[str] = []
        self.form.is_valid()
        self._read()

    @property
    def is_right(self) -> bool:
        return self.config is not None

    def _read(self) -> None:
        wrong = [str(self.form.fields[name].label) for name in self.form.errors if name in self.form.fields]
        if wrong:
            self.faults.append(f"Look again at: {', '.join(wrong)}.")
        self.faults += self.levels.faults
        if self.faults:
            return
        said = self.form.cleaned_data
        self.fields = fields_of(said, self.levels.structure(said["chips"]), before=self.before)
        try:
            checked = terms.checked({name: value for name, value in self.fields.items() if name in terms.FIELDS})
            self.config = terms.read_config(checked["config"])
            payouts.check(self.config.payout)
        except (CardroomError, IllegalAction) as error:
            self.config = None
            self.faults.append(error.message)

    # -- how it will go ----------------------------------------------------------------------------------------------

    @property
    def hours(self) -> list[wizard.Preview]:
        """Level, players left and average stack by the hour."""
        if self.config is None:
            return []
        return list(wizard.preview(self.config.structure, self._players, self.config.starting_stack))

    @property
    def lasts(self) -> int:
        """Minutes until it is likely to be over."""
        if self.config is None:
            return 0
        return wizard.lasts(self.config.structure, self._players, self.config.starting_stack)

    @property
    def prizes(self) -> list[dict[str, Any]]:
        """The payouts for as many entries as are expected, for twice and for four times as many where they may be."""
        if self.config is None:
            return []
        pool = prices.read(self.fields["price"])["entry"].pool
        found = []
        most = 0 if self.config.re_entries else self.config.max_entrants
        for entries in [self._players * times for times in _ENTRIES_SHOWN]:
            if found and most and entries > most:
                break
            try:
                told = payouts.work_out(entries * pool, entries, self.config.payout)
            except IllegalAction as error:
                found.append({"entries": entries, "notes": (error.message,)})
                continue
            paid_in = entries * pool
            found.append({"entries": entries, "pool": paid_in + told.overlay, "overlay": told.overlay, "told": told})
        return found

    @property
    def _players(self) -> int:
        return int(self.form.cleaned_data["players"])


def suggested(data: Mapping[str, Any], before: Tournament | Template) -> tuple[dict[str, Any], str]:
    """The fields with levels made for the players, hours and chips they name; and why not, where they cannot be."""
    form = TermsForm(data, data_of(before))
    form.is_valid()
    asked = ("players", "starting_stack", "hours", "chips", "minutes", "games")
    wrong = [str(form.fields[name].label) for name in asked if name in form.errors]
    if wrong:
        return dict(data), f"Look again at: {', '.join(wrong)}."
    said = form.cleaned_data
    try:
        made = wizard.suggest(
            said["players"],
            said["starting_stack"],
            Fraction(said["hours"]),
            said["chips"],
            said["minutes"],
            tuple(said["games"]),
        )
    except IllegalAction as error:
        return dict(data), error.message
    return _with_levels(data, before_levels.told(made.levels)), ""


def preset(data: Mapping[str, Any], slug: str) -> tuple[dict[str, Any], str]:
    """The fields with the levels, chips and stack of a structure that is ready for use."""
    if slug not in structures.slugs():
        return dict(data), "There is no such structure."
    made = structures.load(slug)
    changed = _with_levels(data, before_levels.told(made.structure.levels))
    chips = ", ".join(str(chip) for chip in made.structure.chip_set)
    return changed | {"starting_stack": str(made.stack), "chips": chips}, ""


def _with_levels(data: Mapping[str, Any], levels: dict[str, str]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if not name.startswith("level-")} | levels
