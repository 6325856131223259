"""Feeds: one table, or the whole floor, and everybody who watches it through this process.

A pass finds out where the table stands, reads what its viewers have not been told, once for all of them, has it
redacted and encoded once for each kind of viewer (a seat of that hand, the rail), and queues it. The floor's feed does
the same for all tables; a role that was taken away ends with the next pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone, translation

from cardroom.core.errors import Forbidden, NotFound, Unavailable
from cardroom.realtime import hubs, layer
from cardroom.realtime import messages as realtime_messages
from cardroom.realtime.layer import Subscription
from cardroom.realtime.messages import Mark
from cardroom.realtime.sockets import FORBIDDEN, LATER, NOWHERE
from games.engine.facts.base import RAIL
from games.floor import queries as floor_queries
from games.floor.rulings import ROLE
from games.live import messages as live_messages
from games.live.messages import group_of
from games.tables import journal, locking
from games.tables.journal import NewFacts, Roll
from games.tables.locking import Clock, Position
from games.tables.queries import tables as table_queries

# One viewer: who they are, and how far they have been told


class Viewer(hubs.Viewer):
    """Told up to fact ``seq`` of ``hand``; ``is_hand_over``: that was its last one."""

    def __init__(self, user: Any, send: Any) -> None:
        super().__init__(user, send)
        #: Nothing they have been told can be built on: they get a snapshot.
        self.is_new = True
        #: They asked, so they are answered even where there is nothing to tell.
        self.is_asking = False
        self.hand = 0
        self.is_hand_over = False
        #: The rest as they were last told it.
        self.seat: int | None = None
        #: Whether they are shown the hands: not on the rail of a table without spectators.
        self.is_shown = True
        self.clock: Clock | None = None
        self.table = b""

    def owed(self, position: Position) -> list[tuple[int, int]]:
        """``(hand, after)`` of what they have not been told, oldest first."""
        if self.is_new:
            return [(position.hand, 0)] if position.hand else []
        if not self.is_shown:
            return []
        if self.hand == position.hand:
            return [(self.hand, self.seq)] if self.seq < position.seq else []
        rest = [(self.hand, self.seq)] if self.hand and not self.is_hand_over else []
        return [*rest, (position.hand, 0)]

    def ask(self, hand: int | None, after: int) -> None:
        """They want to be told what came after fact ``after`` of ``hand``; None: everything."""
        self.is_asking = True
        if hand != self.hand or after > self.seq:
            self.is_new = True
        else:
            self.seq = after
            self.is_hand_over = False

    def tell_up_to(self, hand: int, seq: int, text: str, *, is_hand_over: bool) -> None:
        """Say what brings them to fact ``seq`` of ``hand``."""
        self.hand, self.seq, self.is_hand_over = hand, seq, is_hand_over
        self.is_new = self.is_asking = False
        self.outbox.put(text, (hand, seq))

    def go_back(self, mark: Mark) -> None:
        self.table, self.is_hand_over = b"", False
        if mark is None:
            self.is_new = True
        else:
            self.hand, self.seq = mark


# What one pass has read, redacted and encoded once for each kind of viewer


#: Who comes later than this after the end of a hand finds an empty table and not the old showdown.
AFTERGLOW = timedelta(seconds=15)


@dataclass(frozen=True, slots=True)
class View:
    """The table as one user sees it, encoded; ``lasting`` is the part of it that is worth telling anew. ``is_shown``:
    whether they may see its hands."""

    seat: int | None
    is_shown: bool
    you: dict[str, Any]
    lasting: bytes
    table: bytes


@dataclass(frozen=True, slots=True)
class Chapter:
    """What one hand has for the viewers of one pass. ``lines``: by kind of viewer its facts, encoded; kinds that see
    the same share one list."""

    roll: Roll
    new_facts: NewFacts
    lines: dict[int, list[bytes]]

    def lines_for(self, viewer: Viewer) -> list[bytes]:
        return self.lines[kind_of(viewer, self.roll)]


def kind_of(viewer: Viewer, roll: Roll) -> int:
    """The kind of viewer: the seat they were dealt into in that hand, wherever they sit now, or the rail."""
    return RAIL if viewer.user_id is None else roll.seats.get(viewer.user_id, RAIL)


@dataclass(slots=True)
class Pass:
    """What has been read for one pass over the viewers. ``texts``: what has been encoded in it already."""

    position: Position
    at: datetime
    clock: dict[str, int] | None
    chapters: dict[int, Chapter]
    views: Mapping[int | None, View]
    texts: dict[tuple[int, int, int], str]

    @property
    def hand_on_table(self) -> int:
        """The hand somebody who comes now should see; 0: none."""
        ended_at = self.position.ended_at
        return 0 if ended_at is not None and self.at - ended_at > AFTERGLOW else self.position.hand


def clock_of(position: Position, now: datetime) -> dict[str, int] | None:
    clock = position.clock
    if clock is None:
        return None
    return live_messages.clock_of(
        clock.seat, bank_from=clock.bank_from, deadline=clock.deadline, extra_ms=clock.extra_ms, now=now
    )


def read_views(table: int, users: Iterable[Any]) -> dict[int | None, View]:
    """The table for each of these users (None: not logged in), by user id."""
    by_id = {None if user is None else user.pk: user for user in users}
    seen = table_queries.table_views(table_id=table, viewers=list(by_id.values()))
    return {user_id: _view(view) for user_id, view in zip(by_id, seen, strict=True)}


def _view(seen: dict[str, Any]) -> View:
    # What moves with every fact is told with the facts.
    lasting = {name: part for name, part in seen.items() if name not in {"version", "clock", "hand"}}
    lasting["hand"] = seen["hand"]["id"] if seen["hand"] else None
    return View(
        seen["you"]["seat"],
        seen["is_shown"],
        seen["you"],
        realtime_messages.encoded(lasting),
        realtime_messages.encoded(seen),
    )


def lines_of(new_facts: NewFacts) -> dict[int, list[bytes]]:
    """Every fact encoded once, however many kinds of viewers see it alike."""
    encoded: dict[int, bytes] = {}
    lines: dict[int, list[bytes]] = {}
    for kind, facts in new_facts.by_viewer.items():
        twin = next((other for other in lines if new_facts.by_viewer[other] == facts), None)
        if twin is not None:
            lines[kind] = lines[twin]
            continue
        lines[kind] = mine = []
        for seq, fact in enumerate(facts, new_facts.after + 1):
            line = encoded.get(id(fact))
            if line is None:
                line = encoded[id(fact)] = live_messages.fact_line(seq, fact)
            mine.append(line)
    return lines


class TableFeed(hubs.Feed[Viewer]):
    """The viewers of one table in this process. ``minds_presence``: its players have extra time when they lose touch,
    so it is told who is here."""

    kind = "table"

    def __init__(
        self, of: int, subscription: Subscription, *, is_of_event: bool = False, minds_presence: bool = False
    ) -> None:
        super().__init__(of, subscription)
        self.listen({group_of(of)})
        self.is_of_event = is_of_event
        self._minds_presence = minds_presence
        self.position: Position | None = None
        # Counted, so that what is asked for in the middle of a pass is not taken for answered by it.
        self._reads_asked, self._reads_done = 1, 0
        self._views_asked, self._views_done = 0, 0
        self._heard = (0, 0)
        self._rolls: dict[int, Roll] = {}

    @property
    def minds_presence(self) -> bool:
        """Whether the table is told who is out of touch, as it was last read: a cash table may take new terms up."""
        return self._minds_presence if self.position is None else self.position.minds_presence

    # -- what wakes it -----------------------------------------------------------------------------------------------

    def nudge(self, *, upto: tuple[int, int] = (0, 0), is_from_here: bool, is_table_due: bool = False) -> None:
        """Something happened here. ``upto``: hand and seq it led to; ``is_from_here``: this process committed it, so
        it need not read where the table stands."""
        self._heard = max(self._heard, upto)
        self._reads_asked += not is_from_here
        self._views_asked += is_table_due
        self.wake()

    def heartbeat(self, position: Position) -> None:
        """Compare with the database: tell if it is ahead, or if telling failed the last time."""
        has_failed = self._reads_asked > self._reads_done and not self._woken.is_set()
        if has_failed or self.position is None or self.position.version < position.version:
            self.nudge(is_from_here=False, is_table_due=True)

    def ask(self, viewer: Viewer, *, hand: int | None, after: int) -> None:
        viewer.ask(hand, after)
        self.wake()

    def has_room(self) -> None:
        self.nudge(is_from_here=True, is_table_due=True)

    def knows(self, hand: int) -> bool:
        """Whether this hand was lately played here; False does not mean that it was not."""
        return hand in self._rolls

    def failed(self) -> None:
        self._reads_asked += 1

    # -- the one pass ------------------------------------------------------------------------------------------------

    async def catch_up(self) -> None:
        reads, views = self._reads_asked, self._views_asked
        position = await self._read_position()
        if position is None:
            for viewer in self.viewers:
                with translation.override(viewer.language):
                    refusal = NotFound("no-such-table", "There is no such table.")
                viewer.dismiss(refusal, NOWHERE)
            return
        viewers = [viewer for viewer in self.viewers if not viewer.outbox.is_behind]
        try:
            chapters = await self._read_hands(position, viewers)
        except Unavailable as error:
            # Such as a hand that is sealed under a key which the room does not have: they are told, and may come again.
            for viewer in viewers:
                viewer.dismiss(error, LATER)
            self.failed()
            return
        now = timezone.now()
        told = Pass(position, now, clock_of(position, now), chapters, {}, {})
        if (
            views > self._views_done
            or self._is_due(position)
            or any(v.is_new for v in viewers)
            or self._hides(position)
        ):
            told.views = await layer.run(read_views, self.of, [viewer.user for viewer in viewers])
        for viewer in viewers:
            if viewer in self.viewers:
                self._tell(viewer, told)
        self.position, self._reads_done, self._views_done = position, reads, views

    async def _read_position(self) -> Position | None:
        noted = locking.noted(self.of)
        if noted is not None and self._reads_asked == self._reads_done and self._is_newer(noted):
            return noted
        read = await layer.run(locking.position, self.of)
        # What this process committed while it was reading is newer than what it read.
        noted = locking.noted(self.of)
        return noted if read and noted and noted.version > read.version else read

    def _is_newer(self, noted: Position) -> bool:
        """Whether what was noted holds all that was heard of: a note and its nudge come by two ways."""
        is_older = self.position is not None and noted.version < self.position.version
        return (noted.hand, noted.seq) >= self._heard and not is_older

    def _is_due(self, position: Position) -> bool:
        """Whether the table is worth telling anew without anybody having said so: a hand is over, and its chips are in
        the stacks. A hand that begins after one whose end was told changes nothing that its facts do not tell."""
        known = self.position
        if known is None:
            return True
        if position.ended_at is not None:
            return known.ended_at != position.ended_at
        return known.ended_at is None and known.hand != position.hand

    def _hides(self, position: Position) -> bool:
        """Whether somebody here may be shown no hands, and another one has begun: who that is, is asked anew."""
        is_another = self.position is None or self.position.hand != position.hand
        return is_another and position.has_no_rail

    async def _read_hands(self, position: Position, viewers: Iterable[Viewer]) -> dict[int, Chapter]:
        """Facts these viewers have not been told, by hand, oldest first."""
        starts: dict[int, int] = {}
        for viewer in viewers:
            for hand, after in viewer.owed(position):
                starts[hand] = min(after, starts.get(hand, after))
        return {hand: await self._read_hand(hand, starts[hand], position, viewers) for hand in sorted(starts)}

    async def _read_hand(self, hand: int, after: int, position: Position, viewers: Iterable[Viewer]) -> Chapter:
        roll = self._rolls.get(hand)
        if roll is None:
            roll = await layer.run(journal.roll, hand)
            # This one and the one being played are enough.
            self._rolls = {number: known for number, known in self._rolls.items() if number == position.hand}
            self._rolls[hand] = roll
        kinds = {kind_of(viewer, roll) for viewer in viewers}
        upto = position.seq if hand == position.hand else None
        new_facts = journal.kept_new_facts(hand, after=after, upto=upto, viewers=kinds)
        if new_facts is None:
            new_facts = await layer.run(journal.new_facts, hand, after=after, upto=upto, viewers=kinds)
        return Chapter(roll, new_facts, lines_of(new_facts))

    # -- telling one viewer ------------------------------------------------------------------------------------------

    def _tell(self, viewer: Viewer, told: Pass) -> None:
        view = told.views.get(viewer.user_id)
        if viewer.is_new or (view is not None and (view.seat, view.is_shown) != (viewer.seat, viewer.is_shown)):
            self._tell_all(viewer, told, view)
            return
        if not viewer.is_shown:
            self._tell_table(viewer, view)
            self._answer(viewer, None)
            return
        owed = viewer.owed(told.position)
        if any(hand not in told.chapters or told.chapters[hand].new_facts.after > after for hand, after in owed):
            return  # they asked for more while this pass was reading, which has woken the next one
        for hand, after in owed:
            if hand != viewer.hand:
                self._tell_table(viewer, view)
            self._tell_facts(viewer, hand, after, told)
        self._tell_table(viewer, view)
        if not owed and viewer.is_asking:
            self._answer(viewer, told.clock)
        elif not owed and viewer.clock != told.position.clock:
            viewer.tell(live_messages.clock(seq=viewer.seq, clock=told.clock))
        viewer.clock = told.position.clock

    def _answer(self, viewer: Viewer, clock: dict[str, int] | None) -> None:
        """Answer a viewer who asked, even with nothing new."""
        if viewer.is_asking:
            viewer.is_asking = False
            viewer.tell(live_messages.facts(hand=viewer.hand, number=None, seq=viewer.seq, lines=[], clock=clock))

    def _tell_all(self, viewer: Viewer, told: Pass, view: View | None) -> None:
        """The snapshot: everything they may see of the table as it is."""
        is_shown = view is not None and view.is_shown
        hand = told.hand_on_table if is_shown else 0
        chapter = told.chapters.get(hand)
        if view is None or (hand and (chapter is None or chapter.new_facts.after)):
            viewer.is_new = True  # the next pass reads it from the beginning
            self.wake()
            return
        viewer.seat, viewer.table, viewer.clock = view.seat, view.lasting, told.position.clock
        viewer.is_shown = is_shown
        text = live_messages.snapshot(
            seq=chapter.new_facts.upto if chapter else 0,
            you=view.you,
            table=view.table,
            hand=hand if chapter else None,
            number=chapter.roll.number if chapter else None,
            lines=chapter.lines_for(viewer) if chapter else [],
            clock=told.clock if is_shown else None,
        )
        position = told.position
        viewer.tell_up_to(position.hand, position.seq, text, is_hand_over=position.ended_at is not None)

    def _tell_facts(self, viewer: Viewer, hand: int, after: int, told: Pass) -> None:
        chapter = told.chapters[hand]
        lines, new_facts = chapter.lines_for(viewer), chapter.new_facts
        key = (hand, after, id(lines))
        text = told.texts.get(key)
        if text is None:
            missing = lines[after - new_facts.after :]
            number = chapter.roll.number
            text = live_messages.facts(hand=hand, number=number, seq=new_facts.upto, lines=missing, clock=told.clock)
            told.texts[key] = text
        is_hand_over = hand != told.position.hand or told.position.ended_at is not None
        viewer.tell_up_to(hand, new_facts.upto, text, is_hand_over=is_hand_over)

    def _tell_table(self, viewer: Viewer, view: View | None) -> None:
        if view is not None and view.lasting != viewer.table:
            viewer.table = view.lasting
            viewer.tell(live_messages.table(seq=viewer.seq, you=view.you, table=view.table))


# The floor's feed


#: The floor is read at most so often; what happens meanwhile is told with the next pass.
PAUSE_SECONDS = 0.2


class FloorViewer(hubs.Viewer):
    """One socket of somebody of the floor. ``told``: what they were told last."""

    told = ""

    def go_back(self, mark: Mark) -> None:
        self.told = ""


class FloorFeed(hubs.Feed[FloorViewer]):
    """The feed of the whole floor in this process."""

    kind = "floor"
    is_of_event = minds_presence = False

    def heartbeat(self, position: None) -> None:
        self.wake()

    def pause(self) -> float:
        return PAUSE_SECONDS

    async def catch_up(self) -> None:
        users = {viewer.user.pk for viewer in self.viewers}
        view, holders = await layer.run(_read, users)
        self.listen({group_of(table["id"]) for table in view["tables"]})
        text = live_messages.floor(**view)
        for viewer in list(self.viewers):
            if viewer.user_id not in holders and viewer.user_id in users:
                with translation.override(viewer.language):
                    refusal = Forbidden("role-required", "This is for the floor.")
                viewer.dismiss(refusal, FORBIDDEN)
            elif viewer.told != text and not viewer.outbox.is_behind and viewer.user_id in holders:
                viewer.told = text
                viewer.tell(text)


def _read(users: set[int]) -> tuple[dict[str, Any], set[int]]:
    return floor_queries.floor_view(), floor_queries.holders_of(ROLE, users)
