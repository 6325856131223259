"""Rulebooks laid out for their pages: points in groups, each with its value in words, one book or several abreast; and
a house rulebook being written, with what was ticked and typed, what it makes of the base book, what is wrong.

The page to write on is one form. A point `key` is asked by fields called `key`, or `key.part` where its value has
parts; for tournaments with `tournament:` before it; `text:key` is the house's own sentence.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext_lazy

from cardroom.core import sentences
from games.engine.rulebook import Point, Rulebook
from games.rulebooks import frozen, house, plain, queries
from games.rulebooks.house.choices import RuleChoice, RulePart, RuleQuestion, questions
from games.rulebooks.house.faults import RuleFault

_GROUPS = (
    (
        gettext_lazy("The deal and who acts"),
        "players ante streets burns forced_bet later_opener opener_may_complete bring_in_is_open deck_exhaustion"
        " last_stub_card",
    ),
    (
        gettext_lazy("Betting"),
        "limits wager_size completion raise_cap open_pair_fourth short_bring_in short_all_in ante_all_in_lowcard"
        " beaten_call_stands fold_keeps_receiving picked_up_upcards acting_in_turn time_out table_stakes",
    ),
    (gettext_lazy("Absent players and announcements"), "absent_player announcements"),
    (gettext_lazy("Pots and showdown"), "side_pots uncalled_bet showdown_order all_in_showdown odd_chip"),
    (
        gettext_lazy("Mistakes and what the floor may order"),
        "exposed_downcard both_downcards_exposed dead_hand_lowcard wrong_lowcard card_off_table burn_error"
        " premature_deal all_in_final_faceup final_card_faceup wrong_card_count upcard_order"
        " misdeal fouled_deck void_hand penalty",
    ),
)
_REST = gettext_lazy("Further points")


@dataclass(frozen=True)
class RulebookRow:
    """One point. `tournament` is "" where a tournament plays the same; `citation` names book and rule; `played` says
    what is played where `text` is the house's own: a sentence in English, else the value in words. `was`: the point as
    the base book of a house book has it, where the house changed it."""

    key: str
    name: str
    value: str
    tournament: str
    text: str
    citation: str
    is_silent: bool = False
    played: str = ""
    was: "RulebookRow | None" = None


@dataclass(frozen=True)
class RulebookSection:
    title: str
    rows: list[RulebookRow]


@dataclass(frozen=True)
class Abreast:
    """One point in several books, in their order. `is_same`: they all play it alike."""

    key: str
    name: str
    cells: list[tuple[Rulebook, RulebookRow]]
    is_same: bool


@dataclass(frozen=True)
class AbreastSection:
    title: str
    points: list[Abreast]


def grouped(keys: Collection[str]) -> list[tuple[str, list[str]]]:
    """The points in groups; one that no group names comes last rather than not at all."""
    groups = [(title, [key for key in names.split() if key in keys]) for title, names in _GROUPS]
    named = {key for _, group in groups for key in group}
    groups.append((_REST, [key for key in keys if key not in named]))
    return [(title, group) for title, group in groups if group]


def sections(book: Rulebook, was: Mapping[str, Mapping[str, Any]] | None = None) -> list[RulebookSection]:
    """Every point of the book. `was`: the changed points of a house book as its base has them."""
    before = was or {}
    return [
        RulebookSection(title, [_changed(row(book, key), before.get(key)) for key in keys])
        for title, keys in grouped(book.points)
    ]


def abreast(books: list[Rulebook], *, only_different: bool = False) -> list[AbreastSection]:
    """Every point in every book, or those on which the books do not play the same."""
    groups = []
    for title, keys in grouped(books[0].points):
        points = [_abreast(books, key) for key in keys]
        if points := [point for point in points if not (only_different and point.is_same)]:
            groups.append(AbreastSection(title, points))
    return groups


def row(book: Rulebook, key: str) -> RulebookRow:
    """One point of a book."""
    point = book.points[key]
    return RulebookRow(
        key=key,
        name=str(questions()[key].name),
        value=in_words(key, point.value),
        tournament="" if point.tournament is None else in_words(key, point.tournament),
        text=point.text,
        citation=book.citation(key),
        is_silent=point.is_silent,
        played=point.played if sentences.is_english() else point.played and queries.played(point),
    )


def point_row(point: Point) -> RulebookRow:
    """A point by itself, without its book."""
    return row(Rulebook("", "", "", {point.key: point}), point.key)


def in_words(key: str, value: Any) -> str:
    """A point's value as people read it."""
    return questions()[key].told(value)


def _changed(now: RulebookRow, was: Mapping[str, Any] | None) -> RulebookRow:
    if was is None:
        return now
    value, other = frozen(was["value"]), frozen(was["tournament"])  # as it is kept, it has lists
    tournament = "" if other is None else in_words(now.key, other)
    before = RulebookRow(now.key, now.name, in_words(now.key, value), tournament, was["text"], was["citation"])
    return replace(now, was=before)


def _abreast(books: list[Rulebook], key: str) -> Abreast:
    played = [(book.points[key].value, book.points[key].tournament) for book in books]
    cells = [(book, row(book, key)) for book in books]
    return Abreast(key, str(questions()[key].name), cells, is_same=all(values == played[0] for values in played))


# -- a house rulebook being written ------------------------------------------------------------------------------------

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
    """One question of a point, for one setting. `value`: what stands in a number's box, be it a number or not."""

    name: str
    label: str
    part: RulePart
    options: list[PointOption]
    value: str
    is_changed: bool


@dataclass(frozen=True)
class PointForm:
    """A point on the page. `base`: as the base book has it; `house`: as the house would, where it changes it."""

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
        value = _filled(wanted.get("value"), plain(point.value))
        follows = value if point.tournament is None else plain(point.tournament)
        in_tournament = _filled(wanted.get("tournament"), follows)
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
    """What the form says of every point it asks about. What is no value is handed on as it came, to be refused."""
    wanted: WantedPoints = {}
    for key, question in questions().items():
        answers = {
            "value": _read(post, key, question),
            "tournament": _read(post, _TOURNAMENT + key, question) if question.has_tournament else None,
            "text": post.get(_TEXT + key, ""),
        }
        if kept := {name: value for name, value in answers.items() if value not in (None, "")}:
            wanted[key] = kept
    return wanted


def _read(post: QueryDict, name: str, question: RuleQuestion) -> Any:
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


def _filled(wanted: Any, base: Any) -> Any:
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
