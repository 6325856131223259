"""Feeds: one for each table, and one for the whole floor, with everybody who watches it through this process.

A pass reads the position of the table and the facts that its viewers do not have yet, once for all of them, has them
redacted and encoded once for each kind of viewer (a seat of that hand, the rail), and sends them: to the players first,
to the spectators in slices. The floor's feed does the same for all tables; a viewer who lost the role is dismissed by
the next pass.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone, translation

from cardroom.core.errors import Forbidden, NotFound, Unavailable
from cardroom.realtime import hubs, layer
from cardroom.realtime import messages as realtime_messages
from cardroom.realtime.frames import frame_of
from cardroom.realtime.layer import Subscription
from cardroom.realtime.messages import Mark
from cardroom.realtime.sockets import FORBIDDEN, LATER, NOWHERE
from games.floor import queries as floor_queries
from games.floor.rulings import ROLE
from games.live import messages as live_messages
from games.live.messages import group_of
from games.live.telling import NOTHING, Chapter, Pass, View, kind_of
from games.tables import journal, locking
from games.tables.journal import NewFacts, Roll
from games.tables.locking import Position
from games.tables.queries import tables as table_queries


class TableViewer(hubs.Viewer):
    """One viewer of a table, and what they know of it; ``table``: the table itself as they last got it."""

    def __init__(self, user: Any, send: Any) -> None:
        super().__init__(user, send)
        self.known, self.table = NOTHING, b""

    @property
    def seq(self) -> int:  # type: ignore[override]
        return self.known.seq

    def ask(self, hand: int | None, after: int) -> None:
        """The viewer asks for the facts after number ``after`` of ``hand``; None: for everything."""
        self.known = self.known.ask(hand, after)

    def go_back(self, mark: Mark) -> None:
        self.known, self.table = self.known.go_back(mark), b""


#: The rail is told in slices of so many sockets; between two of them the loop does what else there is to do, and news
#: for players goes first.
SLICE = 50
#: Where news come quickly, one message has what happened within so many seconds for each spectator of the table here,
#: and no more than within `MOST_RAIL_SECONDS`: so the spectators of a table take about a tenth of a core at most.
RAIL_SECONDS_EACH, MOST_RAIL_SECONDS = 0.0001, 1.0
#: By so much a timer of the loop may ring too early.
TIMER_SECONDS = 0.001


async def give_way() -> None:
    """Let the loop do all else that there is to do."""
    await asyncio.sleep(0)


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
        realtime_messages.encode_part(lasting),
        realtime_messages.encode_part(view),
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
        lines[kind] = lines_of_kind = []
        for seq, fact in enumerate(facts, new_facts.after + 1):
            line = encoded.get(id(fact))
            if line is None:
                line = encoded[id(fact)] = live_messages.fact_line(seq, fact)
            lines_of_kind.append(line)
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
        self._loop = asyncio.get_running_loop()
        self._seated: set[TableViewer] = set()
        #: Viewers who have just come, or ask.
        self._urgent: set[TableViewer] = set()
        #: The spectators who are still to be told in this round, and when the next one may begin.
        self._round: dict[TableViewer, None] = {}
        self._round_at = 0.0
        self._alarm: asyncio.TimerHandle | None = None
        #: What a pass read that some spectators have not been told yet.
        self._views: Mapping[int | None, View] = {}

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

    def join(self, viewer: TableViewer) -> None:
        self._urgent.add(viewer)
        super().join(viewer)

    def close(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        super().close()

    def heartbeat(self, position: Position) -> None:
        """Compare with the database: wake up if it is ahead, or if the last pass failed."""
        has_failed = self._reads_asked > self._reads_done and not self._woken.is_set()
        if has_failed or self.position is None or self.position.version < position.version:
            self.nudge(is_from_here=False, is_table_due=True)

    def ask(self, viewer: TableViewer, *, hand: int | None, after: int) -> None:
        viewer.ask(hand, after)
        self._urgent.add(viewer)
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
        self._seated &= self.viewers
        players = [viewer for viewer in self._seated if not viewer.outbox.is_behind]
        is_whole = self._begin_round()
        rail = [viewer for viewer in self._round if not viewer.outbox.is_behind]
        try:
            chapters = await self._read_hands(position, [*players, *rail])
        except Unavailable as error:
            # Such as a hand that is sealed under a key which the room does not have: they may come again.
            for viewer in list(self.viewers):
                viewer.dismiss(error, LATER)
            self.failed()
            return
        now = timezone.now()
        if (
            views > self._views_done
            or self._is_due(position)
            or any(viewer.known.is_new for viewer in [*players, *rail])
            or self._hides(position)
        ):
            self._views = await layer.run(read_views, self.of, [viewer.user for viewer in self.viewers])
            players += [viewer for viewer in self.viewers - self._seated if self._sits_down(viewer)]
        this_pass = Pass(position, now, clock_of(position, now), chapters, self._views)
        for viewer in players:
            self._tell(viewer, this_pass)
        self.position, self._reads_done, self._views_done = position, reads, views
        if not await self._tell_rail(rail, this_pass):
            return
        if is_whole:
            self._views = {}
        elif len(self.viewers) > len(self._seated):
            self._begin_later()

    def _sits_down(self, viewer: TableViewer) -> bool:
        """Whether a spectator has become a player, and is told so at once."""
        view = self._views.get(viewer.user_id)
        return view is not None and view.seat is not None and not viewer.outbox.is_behind

    def _begin_round(self) -> bool:
        """Begin a round of all spectators, if it is time for one: whether it is. A round goes on from one pass to the
        next; a viewer who has just come, or asks, need not wait for the next one."""
        now = self._loop.time()
        is_whole = not self._round and now >= self._round_at - TIMER_SECONDS
        if is_whole:
            self._round = dict.fromkeys(self.viewers - self._seated)
            self._round_at = now + min(len(self._round) * RAIL_SECONDS_EACH, MOST_RAIL_SECONDS)
        else:
            self._round = {viewer: None for viewer in [*self._round, *self._urgent] if viewer in self.viewers}
        self._urgent.clear()
        return is_whole

    def _begin_later(self) -> None:
        """Have another pass begin the next round."""
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = self._loop.call_at(self._round_at, self.wake)

    async def _tell_rail(self, rail: list[TableViewer], this_pass: Pass) -> bool:
        """Tell spectators in slices; False where it was broken off, as there may be news for players again."""
        for begin in range(0, len(rail), SLICE):
            await give_way()
            if begin and self._woken.is_set():
                return False
            for viewer in rail[begin : begin + SLICE]:
                self._tell(viewer, this_pass)
                self._round.pop(viewer, None)
        self._round.clear()
        return True

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
        for known in {id(viewer.known): viewer.known for viewer in viewers}.values():
            for hand, after in known.owed(position):
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
        kinds = {kind_of(user, roll) for user in {viewer.user_id for viewer in viewers}}
        upto = position.seq if hand == position.hand else None
        new_facts = journal.kept_new_facts(hand, after=after, upto=upto, viewers=kinds)
        if new_facts is None:
            new_facts = await layer.run(journal.new_facts, hand, after=after, upto=upto, viewers=kinds)
        return Chapter(roll, new_facts, lines_of(new_facts))

    def _tell(self, viewer: TableViewer, this_pass: Pass) -> None:
        if viewer not in self.viewers:
            return
        telling = this_pass.telling(viewer.user_id, viewer.known, viewer.table)
        viewer.known = telling.after
        if telling.new_table is not None:
            viewer.table = telling.new_table
        if telling.after.seat != telling.known.seat:
            (self._seated.discard if telling.after.seat is None else self._seated.add)(viewer)
        for text, mark, frame in telling.messages:
            viewer.outbox.put(text, mark, frame)
        if telling.is_early:
            self._urgent.add(viewer)
            self.wake()


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
        view, holders = await layer.run(_read_floor, users)
        self.listen({group_of(table["id"]) for table in view["tables"]})
        text = live_messages.floor(**view)
        frame = frame_of(text)
        for viewer in list(self.viewers):
            if viewer.user_id not in holders and viewer.user_id in users:
                with translation.override(viewer.language):
                    refusal = Forbidden("role-required", "This is for the floor.")
                viewer.dismiss(refusal, FORBIDDEN)
            elif viewer.last_text != text and not viewer.outbox.is_behind and viewer.user_id in holders:
                viewer.last_text = text
                viewer.tell(text, frame)


def _read_floor(users: set[int]) -> tuple[dict[str, Any], set[int]]:
    return floor_queries.floor_view(), floor_queries.holders_of(ROLE, users)
