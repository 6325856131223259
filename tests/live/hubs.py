"""The other end of a socket at a hub in this process."""

import asyncio
import functools
import json

PATIENCE = 20.0


class End:
    """Takes what is sent, unless it is held at its `gate`."""

    def __init__(self, hub, viewer, of, user=None):
        self.heard, self.gate, self.changed = [], asyncio.Event(), asyncio.Event()
        self.gate.set()
        self.viewer = viewer(user, self.send)
        self.feed = hub.here().join(of, self.viewer)

    async def send(self, message):
        await self.gate.wait()
        self.heard.append(json.loads(message["text"]))
        self.changed.set()

    async def until(self, holds):
        async with asyncio.timeout(PATIENCE):
            while not holds(self):
                self.changed.clear()
                await self.changed.wait()


def in_a_loop(hub, story):
    """Makes a test of a coroutine: it is run on a loop of its own, and leaves no hub behind."""

    async def run_story(**given):
        try:
            async with asyncio.timeout(60):
                await story(**given)
        finally:
            for feed in list(hub.here().feeds.values()):
                for viewer in list(feed.viewers):
                    hub.here().leave(viewer)
            await hub.here().close()

    return functools.wraps(story)(lambda **given: asyncio.run(run_story(**given)))
