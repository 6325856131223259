"""An event, or a template, as it is typed: what is wrong with it, and how it would go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from cardroom.core.errors import Refusal
from cardroom.core.sentences import translated
from tournaments.directing.pages import levels
from tournaments.directing.pages.event_form import EventForm, EventTermsForm
from tournaments.directing.pages.event_form_values import data_of, fields_of
from tournaments.engine import customs, preview
from tournaments.engine.config import EventConfig
from tournaments.engine.errors import IllegalCommand
from tournaments.engine.prizes import payouts
from tournaments.events import terms
from tournaments.events.customs import Warned, warnings
from tournaments.events.models import Template, Tournament

Data = dict[str, Any]
Row = Tournament | Template
_ENTRIES_SHOWN = (1, 2, 4)


class EventDraft:
    """`faults`: what is wrong with the whole, for people; what is wrong with a field stands at the field, and at a
    level in its row. `fields`: what services take, where everything can be read."""

    def __init__(self, before: Row, data: Mapping[str, Any] | None = None) -> None:
        stored = data_of(before)
        self.before = before
        self.data = dict(stored if data is None else data)
        self.form: EventTermsForm = (EventTermsForm if isinstance(before, Template) else EventForm)(self.data, stored)
        self.levels = levels.read_levels(self.data)
        self.config: EventConfig | None = None
        self.fields: Data = {}
        self.faults: list[str] = []
        self.form.is_valid()
        self._read()

    @property
    def is_right(self) -> bool:
        return self.config is not None

    def _read(self) -> None:
        wrong = [str(self.form.fields[name].label) for name in self.form.errors if name in self.form.fields]
        if wrong:
            self.faults.append(gettext("Correct these fields: {fields}.").format(fields=", ".join(wrong)))
        self.faults += self.levels.faults
        if self.faults:
            return
        values = self.form.cleaned_data
        self.fields = fields_of(values, self.levels.structure(values["chips"]), before=self.before)
        try:
            checked = terms.check_terms({name: value for name, value in self.fields.items() if name in terms.FIELDS})
            config = terms.read_config(checked["config"])
            payouts.check(config.payout)
            self.config = config
        except (Refusal, IllegalCommand) as error:
            self.faults.append(translated(error.message))

    @property
    def warnings(self) -> list[Warned]:
        """Where it differs from the customs of structure sheets."""
        return warnings(self._config.structure, customs.breaches_of(self._config))

    @property
    def hours(self) -> list[preview.EventPreview]:
        """Level, players left and average stack by the hour."""
        return list(preview.preview(*self._asked))

    @property
    def lasts(self) -> int:
        """Minutes until it is likely to be over."""
        return preview.lasts(*self._asked)

    @property
    def prizes(self) -> list[Data]:
        """The payouts for as many entries as are expected, for twice and for four times as many where they may be."""
        config = self._config
        pool = terms.read(self.fields["price"])["entry"].pool
        cases: list[Data] = []
        most = 0 if config.re_entries else config.max_entrants
        for entries in [self._players * times for times in _ENTRIES_SHOWN]:
            if cases and most and entries > most:
                break
            paid_in = entries * pool
            try:
                payout_table = payouts.work_out(paid_in, entries, config.payout)
            except IllegalCommand as error:
                cases.append({"entries": entries, "notes": (translated(error.message),)})
                continue
            cases.append(
                {
                    "entries": entries,
                    "pool": paid_in + payout_table.overlay,
                    "overlay": payout_table.overlay,
                    "payout_table": payout_table,
                }
            )
        return cases

    @property
    def _config(self) -> EventConfig:
        assert self.config is not None, "a draft that is wrong does not go at all"
        return self.config

    @property
    def _asked(self) -> tuple[Any, int, int]:
        return self._config.structure, self._players, self._config.starting_stack

    @property
    def _players(self) -> int:
        return int(self.form.cleaned_data["players"])
