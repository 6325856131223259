"""Feeds: one for each table, and one for the whole floor, with everybody who watches it through this process.

A pass reads the position of the table and the facts that its viewers do not have yet, once for all of them, has them
redacted and encoded once for each kind of viewer (a seat of that hand, the rail), and queues them. The floor's feed
does the same for all tables; a viewer who lost the role is dismissed by the next pass.
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


class TableViewer(hubs.Viewer):
    """One viewer of a table, who has got all facts up to ``seq`` of ``hand``; ``is_hand_over``: that was its last
    one."""

    def __init__(self, user: Any, send: Any) -> None:
        super().__init__(user, send)
        #: Whether they need a snapshot: new facts cannot follow what they have.
        self.is_new = True
        #: They asked, so they get an answer even without news.
        self.is_asking = False
        self.hand = 0
        self.is_hand_over = False
        #: From here on: as they last got it.
        self.seat: int | None = None
        #: Whether they see the hands: not on the rail of a table without spectators.
        self.is_shown = True
        self.clock: Clock | None = None
        self.table = b""

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

    def ask(self, hand: int | None, after: int) -> None:
        """The viewer asks for the facts after number ``after`` of ``hand``; None: for everything."""
        self.is_asking = True
        if hand != self.hand or after > self.seq:
            self.is_new = True
        else:
            self.seq = after
            self.is_hand_over = False

    def tell_up_to(self, hand: int, seq: int, text: str, *, is_hand_over: bool) -> None:
        """Send the message that brings them to fact ``seq`` of ``hand``."""
        self.hand, self.seq, self.is_hand_over = hand, seq, is_hand_over
        self.is_new = self.is_asking = False
        self.outbox.put(text, (hand, seq))

    def go_back(self, mark: Mark) -> None:
        self.table, self.is_hand_over = b"", False
        if mark is None:
            self.is_new = True
        else:
            self.hand, self.seq = mark


#: A viewer who comes later than this after the end of a hand sees an empty table and not the old showdown.
AFTERGLOW = timedelta(seconds=15)


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

    def lines_for(self, viewer: TableViewer) -> list[bytes]:
        return self.lines[kind_of(viewer, self.roll)]


def kind_of(viewer: TableViewer, roll: Roll) -> int:
    """The kind of viewer: the seat they were dealt into in that hand, wherever they sit now, or the rail."""
    return RAIL if viewer.user_id is None else roll.seats.get(viewer.user_id, RAIL)


@dataclass(slots=True)
class Pass:
    """The data that one pass over the viewers has read. ``texts``: messages that it has encoded already."""

    position: Position
    at: datetime
    clock: dict[str, int] | None
    chapters: dict[int, Chapter]
    views: Mapping[int | None, View]
    texts: dict[tuple[int, int, int], str]

    @property
    def hand_on_table(self) -> int:
        """The hand that a viewer who comes now should see; 0: none."""
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
    views = table_queries.table_views(table_id=table, viewers=list(by_id.values()))
    return {user_id: _view(view) for user_id, view in zip(by_id, views, strict=True)}


def _view(view: dict[str, Any]) -> View:
    # What changes with every fact is sent with the facts.
    lasting = {name: part for name, part in view.items() if name not in {"version", "clock", "hand"}}
    lasting["hand"] = view["hand"]["id"] if view["hand"] else None
    return View(
        view["you"]["seat"],
        view["is_shown"],
        view["you"],
        realtime_messages.encoded(lasting),
        realtime_messages.encoded(view),
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


class TableFeed(hubs.Feed[TableViewer]):
    """The viewers of one table in this process. ``minds_presence``: its players get extra time when they lose the
    connection, so the table has to know who is here."""

    kind = "table"

    def __init__(
        self, of: int, subscription: Subscription, *, is_of_event: bool = False, minds_presence: bool = False
    ) -> None:
        super().__init__(of, subscription)
        self.listen({group_of(of)})
        self.is_of_event = is_of_event
        self._minds_presence = minds_presence
        self.position: Position | None = None
        # Counted, so that a request in the middle of a pass does not count as answered by it.
        self._reads_asked, self._reads_done = 1, 0
        self._views_asked, self._views_done = 0, 0
        self._heard = (0, 0)
        self._rolls: dict[int, Roll] = {}

    @property
    def minds_presence(self) -> bool:
        """Whether the table has to know who is here, as it was last read: a cash table may take new terms up."""
        return self._minds_presence if self.position is None else self.position.minds_presence

    def nudge(self, *, upto: tuple[int, int] = (0, 0), is_from_here: bool, is_table_due: bool = False) -> None:
        """Something happened at this table. ``upto``: the hand and seq it led to; ``is_from_here``: this process
        committed it, so the position need not be read; ``is_table_due``: the table itself has changed."""
        self._heard = max(self._heard, upto)
        self._reads_asked += not is_from_here
        self._views_asked += is_table_due
        self.wake()

    def heartbeat(self, position: Position) -> None:
        """Compare with the database: wake up if it is ahead, or if the last pass failed."""
        has_failed = self._reads_asked > self._reads_done and not self._woken.is_set()
        if has_failed or self.position is None or self.position.version < position.version:
            self.nudge(is_from_here=False, is_table_due=True)

    def ask(self, viewer: TableViewer, *, hand: int | None, after: int) -> None:
        viewer.ask(hand, after)
        self.wake()

    def has_room(self) -> None:
        self.nudge(is_from_here=True, is_table_due=True)

    def knows(self, hand: int) -> bool:
        """Whether this hand is known to have been played here lately; False does not mean that it was not."""
        return hand in self._rolls

    def failed(self) -> None:
        self._reads_asked += 1

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
            # Such as a hand that is sealed under a key which the room does not have: they may come again.
            for viewer in viewers:
                viewer.dismiss(error, LATER)
            self.failed()
            return
        now = timezone.now()
        this_pass = Pass(position, now, clock_of(position, now), chapters, {}, {})
        if (
            views > self._views_done
            or self._is_due(position)
            or any(v.is_new for v in viewers)
            or self._hides(position)
        ):
            this_pass.views = await layer.run(read_views, self.of, [viewer.user for viewer in viewers])
        for viewer in viewers:
            if viewer in self.viewers:
                self._tell(viewer, this_pass)
        self.position, self._reads_done, self._views_done = position, reads, views

    async def _read_position(self) -> Position | None:
        noted = locking.noted(self.of)
        if noted is not None and self._reads_asked == self._reads_done and self._is_newer(noted):
            return noted
        read = await layer.run(locking.position, self.of)
        # A commit of this process during the read is newer than the row that was read.
        noted = locking.noted(self.of)
        return noted if read and noted and noted.version > read.version else read

    def _is_newer(self, noted: Position) -> bool:
        """Whether the noted position is as new as every nudge so far: a note and its nudge come by two ways."""
        is_older = self.position is not None and noted.version < self.position.version
        return (noted.hand, noted.seq) >= self._heard and not is_older

    def _is_due(self, position: Position) -> bool:
        """Whether the table has to be sent anew although nobody said that it changed: a hand is over, and its chips are
        in the stacks. A hand that begins after one whose end was sent changes nothing beyond its facts."""
        known = self.position
        if known is None:
            return True
        if position.ended_at is not None:
            return known.ended_at != position.ended_at
        return known.ended_at is None and known.hand != position.hand

    def _hides(self, position: Position) -> bool:
        """Whether a new hand has begun at a table without spectators: which viewers may see it is read anew."""
        is_another = self.position is None or self.position.hand != position.hand
        return is_another and position.has_no_rail

    async def _read_hands(self, position: Position, viewers: Iterable[TableViewer]) -> dict[int, Chapter]:
        """The facts that these viewers do not have yet, by hand, oldest first."""
        first_by_hand: dict[int, int] = {}
        for viewer in viewers:
            for hand, after in viewer.owed(position):
                first_by_hand[hand] = min(after, first_by_hand.get(hand, after))
        return {
            hand: await self._read_hand(hand, first_by_hand[hand], position, viewers) for hand in sorted(first_by_hand)
        }

    async def _read_hand(self, hand: int, after: int, position: Position, viewers: Iterable[TableViewer]) -> Chapter:
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

    def _tell(self, viewer: TableViewer, this_pass: Pass) -> None:
        view = this_pass.views.get(viewer.user_id)
        if viewer.is_new or (view is not None and (view.seat, view.is_shown) != (viewer.seat, viewer.is_shown)):
            self._tell_all(viewer, this_pass, view)
            return
        if not viewer.is_shown:
            self._tell_table(viewer, view)
            self._answer(viewer, None)
            return
        owed = viewer.owed(this_pass.position)
        if any(
            hand not in this_pass.chapters or this_pass.chapters[hand].new_facts.after > after for hand, after in owed
        ):
            return  # they asked for more while this pass was reading, which has woken the next one
        for hand, after in owed:
            if hand != viewer.hand:
                self._tell_table(viewer, view)
            self._tell_facts(viewer, hand, after, this_pass)
        self._tell_table(viewer, view)
        if not owed and viewer.is_asking:
            self._answer(viewer, this_pass.clock)
        elif not owed and viewer.clock != this_pass.position.clock:
            viewer.tell(live_messages.clock(seq=viewer.seq, clock=this_pass.clock))
        viewer.clock = this_pass.position.clock

    def _answer(self, viewer: TableViewer, clock: dict[str, int] | None) -> None:
        """Answer a viewer who asked, even with nothing new."""
        if viewer.is_asking:
            viewer.is_asking = False
            viewer.tell(live_messages.facts(hand=viewer.hand, number=None, seq=viewer.seq, lines=[], clock=clock))

    def _tell_all(self, viewer: TableViewer, this_pass: Pass, view: View | None) -> None:
        """The snapshot: everything they may see of the table as it is."""
        is_shown = view is not None and view.is_shown
        hand = this_pass.hand_on_table if is_shown else 0
        chapter = this_pass.chapters.get(hand)
        if view is None or (hand and (chapter is None or chapter.new_facts.after)):
            viewer.is_new = True  # the next pass reads it from the beginning
            self.wake()
            return
        viewer.seat, viewer.table, viewer.clock = view.seat, view.lasting, this_pass.position.clock
        viewer.is_shown = is_shown
        text = live_messages.snapshot(
            seq=chapter.new_facts.upto if chapter else 0,
            you=view.you,
            table=view.table,
            hand=hand if chapter else None,
            number=chapter.roll.number if chapter else None,
            lines=chapter.lines_for(viewer) if chapter else [],
            clock=this_pass.clock if is_shown else None,
        )
        position = this_pass.position
        viewer.tell_up_to(position.hand, position.seq, text, is_hand_over=position.ended_at is not None)

    def _tell_facts(self, viewer: TableViewer, hand: int, after: int, this_pass: Pass) -> None:
        chapter = this_pass.chapters[hand]
        lines, new_facts = chapter.lines_for(viewer), chapter.new_facts
        key = (hand, after, id(lines))
        text = this_pass.texts.get(key)
        if text is None:
            missing = lines[after - new_facts.after :]
            number = chapter.roll.number
            text = live_messages.facts(
                hand=hand, number=number, seq=new_facts.upto, lines=missing, clock=this_pass.clock
            )
            this_pass.texts[key] = text
        is_hand_over = hand != this_pass.position.hand or this_pass.position.ended_at is not None
        viewer.tell_up_to(hand, new_facts.upto, text, is_hand_over=is_hand_over)

    def _tell_table(self, viewer: TableViewer, view: View | None) -> None:
        if view is not None and view.lasting != viewer.table:
            viewer.table = view.lasting
            viewer.tell(live_messages.table(seq=viewer.seq, you=view.you, table=view.table))


#: The floor is read at most this often; changes meanwhile are sent with the next pass.
PAUSE_SECONDS = 0.2


class FloorViewer(hubs.Viewer):
    """One socket of a member of the floor staff. ``last_text``: the last message they got."""

    last_text = ""

    def go_back(self, mark: Mark) -> None:
        self.last_text = ""


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
            elif viewer.last_text != text and not viewer.outbox.is_behind and viewer.user_id in holders:
                viewer.last_text = text
                viewer.tell(text)


def _read(users: set[int]) -> tuple[dict[str, Any], set[int]]:
    return floor_queries.floor_view(), floor_queries.holders_of(ROLE, users)
