"""A house rulebook that a manager writes: what was ticked and typed, what it makes of the base book, what is wrong.

The page to write on is one form. A point `key` is asked by fields called `key`, or `key.part` where its value has
parts; for tournaments with `tournament:` before it; `text:key` is the house's own sentence.
"""

from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict

from games.engine.rulebook import Rulebook
from games.rulebooks import house, plain
from games.rulebooks.house.choices import RuleChoice, RulePart, RuleQuestion, questions
from games.rulebooks.house.faults import RuleFault
from games.training.pages.rulebook_layout import RulebookRow, grouped, row, sections

WantedPoints = dict[str, dict[str, Any]]
_TOURNAMENT, _TEXT = "tournament:", "text:"


@dataclass(frozen=True)
class PointOption:
    code: str
    name: str
    is_on: bool
    is_base: bool


@dataclass(frozen=True)
class PointField:
    """One question of a point, for one setting. `value`: the text in the box of a number, valid or not."""

    name: str
    label: str
    part: RulePart
    options: list[PointOption]
    value: str
    is_changed: bool


@dataclass(frozen=True)
class PointForm:
    """A point on the page. `base`: as the base book has it; `house`: as the house would have it, where that differs."""

    key: str
    question: RuleQuestion
    base: RulebookRow
    house: RulebookRow | None
    cash: list[PointField]
    tournament: list[PointField]
    text: str
    reasons: list[str]


@dataclass
class RulebookDraft:
    """A house rulebook as far as its form is filled in.

    `wanted`: by point, as `games.rulebooks.house.derived` takes it. `reasons`: faults that concern no point.
    """

    base: Rulebook
    title: str
    wanted: WantedPoints = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.faults = house.faults_of(self.base, self.wanted)
        self.book = None
        self.changes: dict[str, dict[str, Any]] = {}
        if not self.faults:
            self.book = house.derived(self.base, self.wanted, slug="house:draft", version="", title=self.title)
            self.changes = house.changes_of(self.base, self.wanted)

    @property
    def notes(self) -> list[RuleFault]:
        return house.notes_of(self.book, self.changes) if self.book else []

    @property
    def changed(self) -> list[RulebookRow]:
        """The changed points with both texts, in the order of the book."""
        if self.book is None:
            return []
        was = house.was_of(self.base, self.changes)
        return [row for section in sections(self.book, was) for row in section.rows if row.was]

    @property
    def sections(self) -> list[tuple[str, list[PointForm]]]:
        return [
            (title, [self._point_form(questions()[key]) for key in keys]) for title, keys in grouped(self.base.points)
        ]

    def _point_form(self, question: RuleQuestion) -> PointForm:
        key, wanted = question.key, self.wanted.get(question.key, {})
        point = self.base.points[key]
        value = _over_base(wanted.get("value"), plain(point.value))
        follows = value if point.tournament is None else plain(point.tournament)
        in_tournament = _over_base(wanted.get("tournament"), follows)
        base_tournament = plain(point.value if point.tournament is None else point.tournament)
        return PointForm(
            key=key,
            question=question,
            base=row(self.base, key),
            house=row(self.book, key) if self.book and key in self.changes else None,
            cash=[_field(key, part, value, plain(point.value)) for part in question.parts],
            tournament=[
                _field(_TOURNAMENT + key, part, in_tournament, base_tournament)
                for part in question.parts
                if question.has_tournament
            ],
            text=str(wanted.get("text") or ""),
            reasons=[fault.reason for fault in self.faults if key in fault.points],
        )


def wanted_in_form(post: QueryDict) -> WantedPoints:
    """The changes that the form asks for, by point. A text that is no value is kept as it came, and refused later."""
    wanted: WantedPoints = {}
    for key, question in questions().items():
        answers = {
            "value": _read_answer(post, key, question),
            "tournament": _read_answer(post, _TOURNAMENT + key, question) if question.has_tournament else None,
            "text": post.get(_TEXT + key, ""),
        }
        if filled_answers := {name: value for name, value in answers.items() if value not in (None, "")}:
            wanted[key] = filled_answers
    return wanted


def _read_answer(post: QueryDict, name: str, question: RuleQuestion) -> Any:
    """The answer to a point in one setting, None where the form does not ask for it."""
    answers = {part.key: _answer(post, _name(name, part), part) for part in question.parts}
    if "" in answers:
        return answers[""]
    return {part: answer for part, answer in answers.items() if answer is not None} or None


def _answer(post: QueryDict, name: str, part: RulePart) -> Any:
    if part.kind == "set":
        # The box that is always sent tells no tick at all from a form that does not ask.
        codes = post.getlist(name)
        return [plain(c.value) for c in part.choices if c.code in codes] if codes else None
    typed = post.get(name)
    if typed is None:
        return None
    if part.kind == "number":
        return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 10 else typed or " "
    return next((plain(choice.value) for choice in part.choices if choice.code == typed), typed)


def _name(name: str, part: RulePart) -> str:
    return f"{name}.{part.key}" if part.key else name


def _over_base(wanted: Any, base: Any) -> Any:
    if wanted is None:
        return base
    return {**base, **wanted} if isinstance(base, dict) and isinstance(wanted, dict) else wanted


def _field(name: str, part: RulePart, value: Any, base: Any) -> PointField:
    now, before = _value_of_part(value, part), _value_of_part(base, part)
    return PointField(
        name=_name(name, part),
        label=part.name,
        part=part,
        options=[PointOption(c.code, c.name, _is_on(c, now, part), _is_on(c, before, part)) for c in part.choices],
        value=str(now).strip(),
        is_changed=now != before,
    )


def _value_of_part(value: Any, part: RulePart) -> Any:
    return value.get(part.key) if part.key and isinstance(value, dict) else value


def _is_on(choice: RuleChoice, value: Any, part: RulePart) -> bool:
    chosen = plain(choice.value)
    if part.kind == "set":
        return isinstance(value, list) and chosen in value
    return type(value) is type(chosen) and value == chosen
