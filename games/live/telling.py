"""What one pass over the viewers of a table tells them. Viewers who know the same, and may see the same, are told the
same: it is worked out, encoded and framed once for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from cardroom.realtime.frames import frame_of
from cardroom.realtime.messages import Mark
from games.engine.facts.base import RAIL
from games.live import messages as live_messages
from games.tables.journal import NewFacts, Roll
from games.tables.locking import Clock, Position

#: A viewer who comes later than this after the end of a hand sees an empty table and not the old showdown.
AFTERGLOW = timedelta(seconds=15)


@dataclass(frozen=True, slots=True)
class ViewerState:
    """What a viewer has got: all facts up to ``seq`` of ``hand``; ``is_hand_over``: that was its last one. Viewers who
    have got the same share one object.

    ``is_new``: they need a snapshot, new facts cannot follow what they have. ``is_asking``: they asked, so they get an
    answer even without news. The rest is as they last got it; ``is_shown``: whether they see the hands, not on the rail
    of a table without spectators.
    """

    hand: int = 0
    seq: int = 0
    is_hand_over: bool = False
    is_new: bool = True
    is_asking: bool = False
    seat: int | None = None
    is_shown: bool = True
    clock: Clock | None = None

    def owed(self, position: Position) -> list[tuple[int, int]]:
        """The facts that they do not have yet, as ``(hand, after)``, oldest first."""
        if self.is_new:
            return [(position.hand, 0)] if position.hand else []
        if not self.is_shown:
            return []
        if self.hand == position.hand:
            return [(self.hand, self.seq)] if self.seq < position.seq else []
        rest = [(self.hand, self.seq)] if self.hand and not self.is_hand_over else []
        return [*rest, (position.hand, 0)]

    def ask(self, hand: int | None, after: int) -> ViewerState:
        """After a question for the facts after number ``after`` of ``hand``; None: for everything."""
        if hand != self.hand or after > self.seq:
            return replace(self, is_asking=True, is_new=True)
        return replace(self, is_asking=True, seq=after, is_hand_over=False)

    def go_back(self, mark: Mark) -> ViewerState:
        """After the loss of all messages behind ``mark``; None: of all."""
        if mark is None:
            return replace(self, is_hand_over=False, is_new=True)
        return replace(self, is_hand_over=False, hand=mark[0], seq=mark[1])


NOTHING = ViewerState()


@dataclass(frozen=True, slots=True)
class View:
    """The table as one user sees it, encoded. ``lasting``: the part of it whose change is worth a message;
    ``is_shown``: whether they may see its hands."""

    seat: int | None
    is_shown: bool
    you: dict[str, Any]
    lasting: bytes
    table: bytes


@dataclass(frozen=True, slots=True)
class Chapter:
    """The new facts of one hand for the viewers of one pass. ``lines``: by kind of viewer the encoded facts; kinds that
    see the same share one list."""

    roll: Roll
    new_facts: NewFacts
    lines: dict[int, list[bytes]]


def kind_of(user: int | None, roll: Roll) -> int:
    """The kind of viewer: the seat they were dealt into in that hand, wherever they sit now, or the rail."""
    return RAIL if user is None else roll.seats.get(user, RAIL)


@dataclass(slots=True)
class Pass:
    """The data that one pass over the viewers has read, ``views`` by user id, and what it has worked out already."""

    position: Position
    at: datetime
    clock: dict[str, int] | None
    chapters: dict[int, Chapter]
    views: Mapping[int | None, View]
    tellings: dict[tuple[object, ...], Telling] = field(default_factory=dict)
    texts: dict[tuple[object, ...], tuple[str, bytes]] = field(default_factory=dict)
    states: dict[ViewerState, ViewerState] = field(default_factory=dict)
    #: The kind of a viewer who is not logged in, in each chapter.
    rail: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.rail = (RAIL,) * len(self.chapters)

    @property
    def hand_on_table(self) -> int:
        """The hand that a viewer who comes now should see; 0: none."""
        ended_at = self.position.ended_at
        return 0 if ended_at is not None and self.at - ended_at > AFTERGLOW else self.position.hand

    def telling(self, user: int | None, known: ViewerState, table: bytes) -> Telling:
        """What this user is told, who knows this already, and got the table itself like this."""
        view = self.views.get(user)
        kinds = self.rail
        if user is not None:
            kinds = tuple([kind_of(user, chapter.roll) for chapter in self.chapters.values()])
        # The pass and its tellings keep these objects, so that an id stays theirs.
        key = (id(known), id(view), id(table) if view is not None else 0, kinds)
        telling = self.tellings.get(key)
        if telling is None:
            telling = self.tellings[key] = Telling(
                self, known, view, table, dict(zip(self.chapters, kinds, strict=True))
            )
        return telling


class Telling:
    """The ``messages`` of a pass, as `Outbox.put` takes them, to viewers who know ``known`` before and ``after`` after
    them. ``new_table``: the table as they got it, where it has changed for them. ``is_early``: the pass has not read
    what they need, the next one does."""

    __slots__ = ("_kinds", "_pass", "_table", "_view", "after", "is_early", "known", "messages", "new_table")

    def __init__(
        self, this_pass: Pass, known: ViewerState, view: View | None, table: bytes, kinds: dict[int, int]
    ) -> None:
        self.known = self.after = known
        self.new_table: bytes | None = None
        self._table = table
        self.messages: list[tuple[str, Mark, bytes]] = []
        self.is_early = False
        self._pass, self._view, self._kinds = this_pass, view, kinds
        if known.is_new or (view is not None and (view.seat, view.is_shown) != (known.seat, known.is_shown)):
            self._tell_all()
        elif not known.is_shown:
            self._tell_table()
            self._answer(None)
        else:
            self._tell_news(known.owed(this_pass.position))
        self.after = this_pass.states.setdefault(self.after, self.after)

    def _tell_news(self, owed: list[tuple[int, int]]) -> None:
        chapters, position = self._pass.chapters, self._pass.position
        if any(hand not in chapters or chapters[hand].new_facts.after > after for hand, after in owed):
            return  # they asked for more while this pass was reading, which has woken the next one
        for hand, after in owed:
            if hand != self.after.hand:
                self._tell_table()
            self._tell_facts(hand, after)
        self._tell_table()
        if not owed and self.after.is_asking:
            self._answer(self._pass.clock)
        elif not owed and self.after.clock != position.clock:
            self._put(live_messages.clock(seq=self.after.seq, clock=self._pass.clock))
        self.after = replace(self.after, clock=position.clock)

    def _answer(self, clock: dict[str, int] | None) -> None:
        """Answer a viewer who asked, even with nothing new."""
        known = self.after
        if known.is_asking:
            self.after = replace(known, is_asking=False)
            self._put(live_messages.facts(hand=known.hand, number=None, seq=known.seq, lines=[], clock=clock))

    def _tell_all(self) -> None:
        """The snapshot: everything they may see of the table as it is."""
        view, position = self._view, self._pass.position
        is_shown = view is not None and view.is_shown
        hand = self._pass.hand_on_table if is_shown else 0
        chapter = self._pass.chapters.get(hand)
        is_read = chapter is not None and not chapter.new_facts.after and self._kinds[hand] in chapter.lines
        if view is None or (hand and not is_read):
            self.after = replace(self.after, is_new=True)  # the next pass reads it from the beginning
            self.is_early = True
            return
        text = live_messages.snapshot(
            seq=chapter.new_facts.upto if chapter else 0,
            you=view.you,
            table=view.table,
            hand=hand if chapter else None,
            number=chapter.roll.number if chapter else None,
            lines=chapter.lines[self._kinds[hand]] if chapter else [],
            clock=self._pass.clock if is_shown else None,
        )
        self._put(text, (position.hand, position.seq))
        self.after = ViewerState(
            hand=position.hand,
            seq=position.seq,
            is_hand_over=position.ended_at is not None,
            is_new=False,
            seat=view.seat,
            is_shown=is_shown,
            clock=position.clock,
        )
        self.new_table = view.lasting

    def _tell_facts(self, hand: int, after: int) -> None:
        chapter, position = self._pass.chapters[hand], self._pass.position
        lines, new_facts = chapter.lines[self._kinds[hand]], chapter.new_facts
        key = (hand, after, id(lines))
        message = self._pass.texts.get(key)
        if message is None:
            missing = lines[after - new_facts.after :]
            number = chapter.roll.number
            text = live_messages.facts(
                hand=hand, number=number, seq=new_facts.upto, lines=missing, clock=self._pass.clock
            )
            message = self._pass.texts[key] = text, frame_of(text)
        text, frame = message
        self.messages.append((text, (hand, new_facts.upto), frame))
        is_hand_over = hand != position.hand or position.ended_at is not None
        self.after = replace(
            self.after, hand=hand, seq=new_facts.upto, is_hand_over=is_hand_over, is_new=False, is_asking=False
        )

    def _tell_table(self) -> None:
        view = self._view
        if view is not None and self.new_table is None and view.lasting != self._table:
            self.new_table = view.lasting
            self._put(live_messages.table(seq=self.after.seq, you=view.you, table=view.table))

    def _put(self, text: str, mark: Mark = None) -> None:
        self.messages.append((text, mark, frame_of(text)))
