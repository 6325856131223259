"""A hand prepared for its page from redacted facts: streets, lines, boards and results."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.utils.translation import gettext, gettext_lazy

from games.engine.facts import play
from games.engine.facts.base import Fact, to_json
from games.engine.facts.mistakes import in_force
from games.engine.games import GAMES, describe
from games.engine.hand import Hand as Engine
from games.engine.rulebook import Rulebook
from games.engine.seat import SeatState
from games.rulebooks import words as rulebook_words
from games.tables import words as table_words
from games.tables.queries import history
from games.tables.queries.history import HandStory

#: Kinds of facts without a line: other facts say the same, or nobody may see them.
_WITHOUT_A_LINE = frozenset(
    {*("action-on", "hand-started", "shuffle-committed", "deck-shuffled", "card-burned", "hand-ended"), "seats-skipped"}
)


@dataclass(frozen=True)
class StoryLine:
    """One sentence, with the number of its fact. Of a ruling: `rule`, where the book has it, `key`, its point, and
    `own_language`, the sentence in the reader's language."""

    seq: int
    at: datetime
    kind: str
    text: str
    rule: str = ""
    key: str = ""
    own_language: str = ""


@dataclass(frozen=True)
class SeatBoard:
    """A seat's cards at some moment, in the order they came: (card or None, is it up)."""

    seat: int
    name: str
    cards: list[tuple[str | None, bool]]
    is_live: bool


@dataclass
class StoryPart:
    """A part of a hand: a street, the showdown, or the time before the first card."""

    title: str
    lines: list[StoryLine] = field(default_factory=list)
    boards: list[SeatBoard] = field(default_factory=list)


@dataclass(frozen=True)
class SeatResult:
    """The result of a seat. `five`: the cards that play, high and low, where the hand was shown; `held`: the names of
    that hand; `fate`: how it ended for a seat that showed nothing."""

    seat: int
    name: str
    is_bot: bool
    is_you: bool
    start: int
    end: int
    cards: list[tuple[str | None, bool]]
    five: tuple[str, ...]
    held: str
    fate: str

    @property
    def net(self) -> int:
        return self.end - self.start

    @property
    def ending(self) -> str:
        """The hand it showed or, where it showed none, its fate, in words."""
        return self.held or str(_FATES.get(self.fate, ""))


_FATES = {
    "mucked": gettext_lazy("mucked"),
    "folded": gettext_lazy("folded"),
    "killed": gettext_lazy("killed"),
    "won unopposed": gettext_lazy("won unopposed"),
}


def page_context(story: HandStory) -> dict[str, Any]:
    """The context of the page of a hand."""
    return {"hand": story, "parts": parts_of(story), "results": results_of(story), "replay": replay_of(story)}


def parts_of(story: HandStory) -> list[StoryPart]:
    """The hand part by part, each street with the boards after its deal."""
    engine = Engine()
    parts = [StoryPart(gettext("Before the deal"))]
    for seq, at, fact in story.facts:
        engine.apply(fact)
        title = table_words.heading(fact)
        if title and title != parts[-1].title:
            parts.append(StoryPart(title))
        if isinstance(fact, play.CardsDealt | play.CommonCardDealt):
            parts[-1].boards = _boards(story, engine)
        text = "" if fact.kind in _WITHOUT_A_LINE else table_words.sentence(fact, lambda seat: name_of(story, seat))
        if text:
            line = StoryLine(seq, at, fact.kind, text)
            if isinstance(fact, play.Ruled):
                rule = fact.citation or story.book.citation(fact.key)
                line = replace(line, rule=rule, key=fact.key, own_language=_ruling_text(story.book, fact))
            parts[-1].lines.append(line)
    return [part for part in parts if part.lines or part.boards]


def _ruling_text(book: Rulebook, fact: play.Ruled) -> str:
    point = book.points.get(fact.key)
    return rulebook_words.translated_rule(fact.words, point) if point else rulebook_words.translated(fact.words)


def results_of(story: HandStory) -> list[SeatResult]:
    """The result of each seat, with its cards as far as the viewer may know them."""
    engine = Engine.replay(fact for _, _, fact in story.facts)
    facts = [fact for _, fact in in_force([fact for _, _, fact in story.facts])]
    shown = {fact.seat: fact for fact in facts if isinstance(fact, play.HandShown)}
    return [
        SeatResult(
            seat=number,
            name=name_of(story, number),
            is_bot=story.sitters[number].is_bot,
            is_you=number == story.viewer_seat,
            start=dict(engine.started.stacks)[number],
            end=seat.stack,
            cards=_cards(seat),
            five=_playing(shown[number]) if number in shown else (),
            held=table_words.shown_hand_words(shown[number]) if number in shown else "",
            fate=_fate(seat, facts, number),
        )
        for number, seat in sorted(engine.seats.items())
    ]


def replay_of(story: HandStory) -> dict[str, Any]:
    """The data of the page's replayer: the seats, and the facts as the viewer may see them."""
    faces = history.faces_of(story)
    game = GAMES[story.started.game]
    return {
        "id": story.id,
        # A table of the room may have fewer seats today than it had then.
        "seatCount": max(story.table.seat_count, *story.sitters),
        "you": story.viewer_seat,
        "seats": [
            {"number": number, "name": sitter.name, "isBot": sitter.is_bot, "avatar": faces[number]}
            for number, sitter in sorted(story.sitters.items())
        ],
        "facts": [(seq, fact.kind, to_json(fact)) for seq, _, fact in story.facts],
        "games": {game.slug: describe(game)},
    }


def name_of(story: HandStory, seat: int) -> str:
    sitter = story.sitters.get(seat)
    return sitter.name if sitter else gettext("Seat {seat}").format(seat=seat)


def _boards(story: HandStory, engine: Engine) -> list[SeatBoard]:
    return [
        SeatBoard(number, name_of(story, number), _cards(engine.seats[number]), engine.seats[number].is_live)
        for number in engine.order
        if engine.seats[number].is_live
    ]


def _playing(shown: play.HandShown) -> tuple[str, ...]:
    return tuple(card for card in (*shown.five, *shown.low_five) if card)


def _cards(seat: SeatState) -> list[tuple[str | None, bool]]:
    return list(zip(seat.cards, seat.ups, strict=True))


def _fate(seat: SeatState, facts: Sequence[Fact], number: int) -> str:
    """How it ended for a seat that showed nothing."""
    kinds = {fact.kind for fact in facts if getattr(fact, "seat", None) == number}
    if "hand-mucked" in kinds:
        return "mucked"
    if "folded" in kinds:
        return "folded"
    if "hand-killed" in kinds:
        return "killed"
    return "won unopposed" if seat.won else ""
