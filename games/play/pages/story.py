"""A hand laid out for its page, out of facts that are redacted already: streets, lines, boards and results."""

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

#: What has no line of its own: it is told by the facts beside it, or is nobody's to see.
_UNTOLD = frozenset(
    {*("action-on", "hand-started", "shuffle-committed", "deck-shuffled", "card-burned", "hand-ended"), "seats-skipped"}
)


@dataclass(frozen=True)
class Line:
    """One sentence, with the number of its fact. Of a ruling: `rule`, where the book has it, `key`, its point, and
    `said`, the sentence in the reader's language."""

    seq: int
    at: datetime
    kind: str
    text: str
    rule: str = ""
    key: str = ""
    said: str = ""


@dataclass(frozen=True)
class Board:
    """A seat's cards at some moment, in the order they came: (card or None, is it up)."""

    seat: int
    name: str
    cards: list[tuple[str | None, bool]]
    is_live: bool


@dataclass
class Part:
    """A street, the showdown, or what came before the first card."""

    title: str
    lines: list[Line] = field(default_factory=list)
    boards: list[Board] = field(default_factory=list)


@dataclass(frozen=True)
class Result:
    """What a seat came to. `five`: the cards that play, high and low, where the hand was shown."""

    seat: int
    name: str
    is_bot: bool
    is_you: bool
    start: int
    end: int
    cards: list[tuple[str | None, bool]]
    five: tuple[str, ...]
    made: str
    fate: str

    @property
    def net(self) -> int:
        return self.end - self.start

    @property
    def ending(self) -> str:
        """What it held or, where it showed nothing, its fate, in words."""
        return self.made or str(_FATES.get(self.fate, ""))


_FATES = {
    "mucked": gettext_lazy("mucked"),
    "folded": gettext_lazy("folded"),
    "killed": gettext_lazy("killed"),
    "won unopposed": gettext_lazy("won unopposed"),
}


def told(story: HandStory) -> dict[str, Any]:
    """All that the page of a hand shows of it."""
    return {"hand": story, "parts": tell(story), "results": results(story), "replay": replay(story)}


def tell(story: HandStory) -> list[Part]:
    """The hand part by part, each street with the boards as they lie once its cards are dealt."""
    engine = Engine()
    parts = [Part(gettext("Before the deal"))]
    for seq, at, fact in story.facts:
        engine.apply(fact)
        title = table_words.heading(fact)
        if title and title != parts[-1].title:
            parts.append(Part(title))
        if isinstance(fact, play.CardsDealt | play.CommonCardDealt):
            parts[-1].boards = _boards(story, engine)
        text = "" if fact.kind in _UNTOLD else table_words.sentence(fact, lambda seat: name_of(story, seat))
        if text:
            line = Line(seq, at, fact.kind, text)
            if isinstance(fact, play.Ruled):
                rule, said = fact.citation or story.book.citation(fact.key), _said(story.book, fact)
                line = replace(line, rule=rule, key=fact.key, said=said)
            parts[-1].lines.append(line)
    return [part for part in parts if part.lines or part.boards]


def _said(book: Rulebook, fact: play.Ruled) -> str:
    point = book.points.get(fact.key)
    return rulebook_words.translated_rule(fact.words, point) if point else rulebook_words.translated(fact.words)


def results(story: HandStory) -> list[Result]:
    """Seat by seat: what each held as far as the viewer may know, and won or lost."""
    engine = Engine.replay(fact for _, _, fact in story.facts)
    facts = [fact for _, fact in in_force([fact for _, _, fact in story.facts])]
    shown = {fact.seat: fact for fact in facts if isinstance(fact, play.HandShown)}
    return [
        Result(
            seat=number,
            name=name_of(story, number),
            is_bot=story.sitters[number].is_bot,
            is_you=number == story.viewer_seat,
            start=dict(engine.started.stacks)[number],
            end=seat.stack,
            cards=_cards(seat),
            five=_playing(shown[number]) if number in shown else (),
            made=table_words.shown_hand_words(shown[number]) if number in shown else "",
            fate=_fate(seat, facts, number),
        )
        for number, seat in sorted(engine.seats.items())
    ]


def replay(story: HandStory) -> dict[str, Any]:
    """What the page plays the hand from: who sat where, and the facts as its viewer may see them."""
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


def _boards(story: HandStory, engine: Engine) -> list[Board]:
    return [
        Board(number, name_of(story, number), _cards(engine.seats[number]), engine.seats[number].is_live)
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
