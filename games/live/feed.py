"""One table, and everybody who looks at it through this process.

A feed has one way of telling: ``catch_up`` finds out where the table stands, reads what its viewers have not been told,
once for all of them, has it redacted and encoded once for each kind of viewer (a seat of that hand, the rail), and
queues it. Whoever just came, asked, fell behind or was nudged is served by the same pass, one pass at a time; so a
nudge that gets lost costs time and never truth.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable

from django.utils import timezone

from cardroom.live import messages, threads
from cardroom.services.errors import NotFound
from games import watching
from games.live import protocol, reading
from games.live.reading import Chapter, Pass, View
from games.live.viewer import Viewer
from games.watching import Roll, Standing

logger = logging.getLogger(__name__)

#: Close code for a table that does not exist.
NO_TABLE = 4404


class TableFeed:
    """The viewers of one table in this process."""

    def __init__(self, table: int, *, is_of_event: bool = False, minds_presence: bool = False) -> None:
        self.table = table
        self.is_of_event = is_of_event
        self._minds_presence = minds_presence
        self.viewers: set[Viewer] = set()
        self.standing: Standing | None = None
        self._woken = asyncio.Event()
        # Counted, so that what is asked for in the middle of a pass is not taken for answered by it.
        self._reads_asked, self._reads_done = 1, 0
        self._views_asked, self._views_done = 0, 0
        self._heard = (0, 0)
        self._rolls: dict[int, Roll] = {}
        self._task = asyncio.get_running_loop().create_task(self._run())

    @property
    def minds_presence(self) -> bool:
        """Whether the table is told who is out of touch, as it was last read: a cash table may take new terms up."""
        return self._minds_presence if self.standing is None else self.standing.minds_presence

    # -- what wakes it -----------------------------------------------------------------------------------------------

    def nudge(self, *, upto: tuple[int, int] = (0, 0), is_from_here: bool, is_table_due: bool = False) -> None:
        """Something happened here. ``upto``: hand and seq it led to; ``is_from_here``: this process committed it, so
        it need not read where the table stands."""
        self._heard = max(self._heard, upto)
        self._reads_asked += not is_from_here
        self._views_asked += is_table_due
        self._woken.set()

    def heartbeat(self, standing: Standing) -> None:
        """Where the table stands by the database: tell if that is news, or if telling failed the last time."""
        has_failed = self._reads_asked > self._reads_done and not self._woken.is_set()
        if has_failed or self.standing is None or self.standing.version < standing.version:
            self.nudge(is_from_here=False, is_table_due=True)

    def join(self, viewer: Viewer) -> None:
        self.viewers.add(viewer)
        self._woken.set()

    def leave(self, viewer: Viewer) -> None:
        self.viewers.discard(viewer)

    def ask(self, viewer: Viewer, *, hand: int | None, after: int) -> None:
        viewer.ask(hand, after)
        self._woken.set()

    def has_room(self) -> None:
        """A viewer who had fallen behind can be told more."""
        self.nudge(is_from_here=True, is_table_due=True)

    def knows(self, hand: int) -> bool:
        """Whether this hand was lately played here; False does not mean that it was not."""
        return hand in self._rolls

    def close(self) -> None:
        self._task.cancel()

    async def _run(self) -> None:
        while True:
            await self._woken.wait()
            self._woken.clear()
            try:
                await self.catch_up()
            except Exception:
                # The database may be away. The heartbeat comes back to it; the sockets stay open meanwhile.
                self._reads_asked += 1
                logger.exception("table %s: its viewers could not be told", self.table)

    # -- the one pass ------------------------------------------------------------------------------------------------

    async def catch_up(self) -> None:
        """Bring every viewer who can take it to where the table stands."""
        reads, views = self._reads_asked, self._views_asked
        standing = await self._read_standing()
        if standing is None:
            self._dismiss()
            return
        viewers = [viewer for viewer in self.viewers if not viewer.outbox.is_behind]
        chapters = await self._read_hands(standing, viewers)
        now = timezone.now()
        told = Pass(standing, now, reading.clock_of(standing, now), chapters, {}, {})
        if (
            views > self._views_done
            or self._is_due(standing)
            or any(v.is_new for v in viewers)
            or self._hides(standing)
        ):
            told.views = await threads.run(reading.read_views, self.table, [viewer.user for viewer in viewers])
        for viewer in viewers:
            if viewer in self.viewers:
                self._tell(viewer, told)
        self.standing, self._reads_done, self._views_done = standing, reads, views

    async def _read_standing(self) -> Standing | None:
        noted = watching.noted(self.table)
        if noted is not None and self._reads_asked == self._reads_done and self._is_news(noted):
            return noted
        read = await threads.run(watching.standing, self.table)
        # What this process committed while it was reading is newer than what it read.
        noted = watching.noted(self.table)
        return noted if read and noted and noted.version > read.version else read

    def _is_news(self, noted: Standing) -> bool:
        """Whether what was noted holds all that was heard of: a note and its nudge come by two ways."""
        is_older = self.standing is not None and noted.version < self.standing.version
        return (noted.hand, noted.seq) >= self._heard and not is_older

    def _is_due(self, standing: Standing) -> bool:
        """Whether the table is worth telling anew without anybody having said so: a hand is over, and its chips are in
        the stacks. A hand that begins after one whose end was told changes nothing that its facts do not tell."""
        known = self.standing
        if known is None:
            return True
        if standing.ended_at is not None:
            return known.ended_at != standing.ended_at
        return known.ended_at is None and known.hand != standing.hand

    def _hides(self, standing: Standing) -> bool:
        """Whether somebody here may be shown no hands, and another one has begun: who that is, is asked anew."""
        is_another = self.standing is None or self.standing.hand != standing.hand
        return is_another and standing.has_no_rail

    async def _read_hands(self, standing: Standing, viewers: Iterable[Viewer]) -> dict[int, Chapter]:
        """What these viewers have not been told, by hand, oldest first."""
        starts: dict[int, int] = {}
        for viewer in viewers:
            for hand, after in viewer.owed(standing):
                starts[hand] = min(after, starts.get(hand, after))
        return {hand: await self._read_hand(hand, starts[hand], standing, viewers) for hand in sorted(starts)}

    async def _read_hand(self, hand: int, after: int, standing: Standing, viewers: Iterable[Viewer]) -> Chapter:
        roll = self._rolls.get(hand)
        if roll is None:
            roll = await threads.run(watching.roll, hand)
            # This one and the one being played are enough.
            self._rolls = {number: known for number, known in self._rolls.items() if number == standing.hand}
            self._rolls[hand] = roll
        kinds = {reading.kind_of(viewer, roll) for viewer in viewers}
        upto = standing.seq if hand == standing.hand else None
        news = watching.kept_news(hand, after=after, upto=upto, viewers=kinds)
        if news is None:
            news = await threads.run(watching.news, hand, after=after, upto=upto, viewers=kinds)
        return Chapter(roll, news, reading.lines_of(news))

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
        owed = viewer.owed(told.standing)
        if any(hand not in told.chapters or told.chapters[hand].news.after > after for hand, after in owed):
            return  # they asked for more while this pass was reading, which has woken the next one
        for hand, after in owed:
            if hand != viewer.hand:
                self._tell_table(viewer, view)
            self._tell_facts(viewer, hand, after, told)
        self._tell_table(viewer, view)
        if not owed and viewer.is_asking:
            self._answer(viewer, told.clock)
        elif not owed and viewer.clock != told.standing.clock:
            viewer.tell(protocol.clock(seq=viewer.seq, clock=told.clock))
        viewer.clock = told.standing.clock

    def _answer(self, viewer: Viewer, clock: dict[str, int] | None) -> None:
        """Who asks is answered, also where there is nothing to tell them."""
        if viewer.is_asking:
            viewer.is_asking = False
            viewer.tell(protocol.facts(hand=viewer.hand, number=None, seq=viewer.seq, lines=[], clock=clock))

    def _tell_all(self, viewer: Viewer, told: Pass, view: View | None) -> None:
        """The snapshot: everything they may see of the table as it is."""
        is_shown = view is not None and view.is_shown
        hand = told.hand_on_table if is_shown else 0
        chapter = told.chapters.get(hand)
        if view is None or (hand and (chapter is None or chapter.news.after)):
            viewer.is_new = True  # the next pass reads it from the beginning
            self._woken.set()
            return
        viewer.seat, viewer.table, viewer.clock = view.seat, view.lasting, told.standing.clock
        viewer.is_shown = is_shown
        text = protocol.snapshot(
            seq=chapter.news.upto if chapter else 0,
            you=view.you,
            table=view.table,
            hand={"id": hand, "number": chapter.roll.number} if chapter else None,
            lines=chapter.lines_for(viewer) if chapter else [],
            clock=told.clock if is_shown else None,
        )
        standing = told.standing
        viewer.tell_up_to(standing.hand, standing.seq, text, is_hand_over=standing.ended_at is not None)

    def _tell_facts(self, viewer: Viewer, hand: int, after: int, told: Pass) -> None:
        chapter = told.chapters[hand]
        lines, news = chapter.lines_for(viewer), chapter.news
        key = (hand, after, id(lines))
        text = told.texts.get(key)
        if text is None:
            missing = lines[after - news.after :]
            number = chapter.roll.number
            text = protocol.facts(hand=hand, number=number, seq=news.upto, lines=missing, clock=told.clock)
            told.texts[key] = text
        is_hand_over = hand != told.standing.hand or told.standing.ended_at is not None
        viewer.tell_up_to(hand, news.upto, text, is_hand_over=is_hand_over)

    def _tell_table(self, viewer: Viewer, view: View | None) -> None:
        if view is not None and view.lasting != viewer.table:
            viewer.table = view.lasting
            viewer.tell(protocol.table(seq=viewer.seq, you=view.you, table=view.table))

    def _dismiss(self) -> None:
        for viewer in self.viewers:
            viewer.tell(messages.refused(NotFound("There is no such table.", "no-such-table"), seq=viewer.seq))
            viewer.outbox.end(NO_TABLE, "no-such-table")
