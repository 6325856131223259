"""Frames that are written without the server's `send`, by a real server to real clients."""

import asyncio
import functools
from contextlib import asynccontextmanager

import pytest
import uvicorn
import uvloop
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from cardroom.management.commands.serve import configuration
from cardroom.realtime import frames
from cardroom.realtime import messages as realtime_messages
from cardroom.realtime.frames import frame_of, line_to
from cardroom.realtime.messages import Outbox
from tests.support.services import free_port

#: Around each size at which the head of a frame changes.
TEXTS = ["", "é" * 62, "x" * 125, "x" * 126, "ü" * 32_767, "x" * 65_535, "x" * 65_536]
PATIENCE = 20.0


class ServerEnds:
    """The server's end of sockets: `send` of each, in the order in which they came, once it is accepted."""

    def __init__(self):
        self.sends = asyncio.Queue()
        self.are_over = asyncio.Event()

    async def __call__(self, scope, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        await self.sends.put(send)
        while (await receive())["type"] != "websocket.disconnect":
            pass
        self.are_over.set()


@asynccontextmanager
async def a_server(**options):
    """Our server, as it is configured, with an application that does nothing by itself."""
    room = configuration()
    config = uvicorn.Config(
        served := ServerEnds(),
        port=free_port(),
        ws=room.ws,
        ws_per_message_deflate=room.ws_per_message_deflate,
        lifespan="off",
        log_config=None,
    )
    for name, value in options.items():
        setattr(config, name, value)
    server = uvicorn.Server(config)
    task = asyncio.create_task(server._serve())
    while not server.started:
        await asyncio.sleep(0)
    try:
        yield served, f"ws://127.0.0.1:{config.port}/"
    finally:
        server.should_exit = True
        await task


def on_a_loop(story):
    async def run():
        async with asyncio.timeout(PATIENCE):
            await story()

    @functools.wraps(story)
    def on_both():
        """On the loop that uvicorn brings, and on Python's own."""
        uvloop.run(run())
        asyncio.run(run())

    return on_both


def test_the_installed_server_is_the_one_whose_send_was_compared():
    assert frames.versions() == frames.TESTED, (
        "Sockets are written to by the server's own send until somebody has read its `send` again, and `send_text` of "
        "websockets: does it do more than write the frame? Then put the new versions into `frames.TESTED`."
    )


@on_a_loop
async def test_a_frame_written_to_the_line_is_the_one_that_send_writes():
    async with a_server() as (served, address), connect(address, max_size=None) as client:
        send = await served.sends.get()
        line, written = line_to(send), []
        protocol = send.__self__
        protocol.transport = Copying(protocol.transport, written)
        for text in TEXTS:
            await send({"type": "websocket.send", "text": text})
            assert line.write(frame_of(text))
            assert [await client.recv(), await client.recv()] == [text, text]
        assert written == [frame_of(text) for text in TEXTS]


class Copying:
    """A transport that keeps a copy of what is written to it."""

    def __init__(self, transport, written):
        self._transport, self._written = transport, written

    def __getattr__(self, name):
        return getattr(self._transport, name)

    def write(self, data):
        self._written.append(data)
        self._transport.write(data)


@pytest.mark.parametrize("versions", [("0.55.0", "17.4"), ("0.54.0", "18.0")])
def test_another_version_of_the_server_is_left_to_its_own_send(monkeypatch, versions):
    @on_a_loop
    async def story():
        async with a_server() as (served, address), connect(address):
            send = await served.sends.get()
            assert line_to(send) is not None
            with monkeypatch.context() as patch:
                patch.setattr(frames, "versions", lambda: versions)
                assert line_to(send) is None

    story()


@on_a_loop
async def test_a_socket_with_compression_or_of_another_server_has_no_line():
    async with a_server(ws_per_message_deflate=True) as (served, address):
        async with connect(address):
            assert line_to(await served.sends.get()) is None
        async with connect(address, compression=None):
            assert line_to(await served.sends.get()) is not None
            assert line_to(lambda message: None) is None


@on_a_loop
async def test_nothing_is_written_to_a_line_whose_socket_is_being_closed():
    async with a_server() as (served, address):
        async with connect(address) as client:
            send = await served.sends.get()
            line = line_to(send)
            await send({"type": "websocket.close", "code": 4403})
            assert not line.write(frame_of("late"))
            with pytest.raises(ConnectionClosed):
                await client.recv()
        await served.are_over.wait()
        served.are_over.clear()
        async with connect(address):
            line = line_to(await served.sends.get())
        await served.are_over.wait()
        assert not line.write(frame_of("late"))


@on_a_loop
async def test_a_socket_that_reads_slowly_gets_all_in_order_or_is_told_to_go_back():
    """What it takes is written at once, the next 64 messages wait, and one more than these drops them all."""
    async with a_server() as (served, address), connect(address, max_queue=1, max_size=None) as client:
        back = asyncio.get_running_loop().create_future()
        outbox = Outbox(await served.sends.get(), on_room=back.set_result)
        number = 0
        while outbox._task is None:
            outbox.put(text_of(number), (1, number))
            number += 1
        last_written = number - 1
        while not outbox.is_behind:
            outbox.put(text_of(number), (1, number))
            number += 1
        assert number == last_written + realtime_messages.MOST_QUEUED + 1
        got = [int((await client.recv())[:8]) for _ in range(last_written)]
        assert got == list(range(last_written))
        assert await back == (1, last_written - 1)
        outbox.put(text_of(7), (1, 7))
        outbox.end(4403, "enough")
        assert int((await client.recv())[:8]) == 7
        with pytest.raises(ConnectionClosed) as closed:
            await client.recv()
        assert closed.value.rcvd.code == 4403


def text_of(number):
    """So long that few of them fill what the machine keeps for a socket that does not read."""
    return f"{number:08}" + "x" * 100_000
