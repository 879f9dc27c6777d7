import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from errno import EADDRINUSE

import pytest
from aiohttp import ClientSession

from bot.run.playground import PlaygroundError, PlaygroundMissingError, serve
from tests.run.playground.small_bot import SmallBot


class Session:
    """A served playground: its announcement, and the way to stop it."""

    def __init__(self) -> None:
        self.stop = asyncio.Event()
        self.address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.bots: list[SmallBot] = []
        self.task = asyncio.create_task(self.serve(0))

    async def serve(self, port: int) -> None:
        await serve(self.build, port=port, faces={}, announce=self.address.set_result, stop=self.stop)

    async def build(self, now_ms: Callable[[], int]) -> SmallBot:
        self.bots.append(SmallBot(now_ms, {}))
        return self.bots[-1]


async def capability(http: ClientSession, address: str) -> str:
    async with http.get(f"{address}door.js") as response:
        return (await response.text()).split('"#')[1].split('"')[0]


async def test_it_is_served_until_it_is_told_to_stop() -> None:
    session = Session()
    address = await session.address
    async with ClientSession() as http, http.get(address) as response:
        assert response.status == 200
    session.stop.set()
    await session.task
    assert session.bots[0].is_closed()
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_it_ends_when_somebody_at_the_page_ends_it() -> None:
    session = Session()
    address = await session.address
    async with ClientSession() as http:
        headers = {"X-Simcord-Capability": await capability(http, address)}
        async with http.post(f"{address}api/pages", json={}, headers=headers) as response:
            page = await response.json()
        headers["X-Simcord-Context"] = page["context"]["id"]
        close = {
            "protocol_version": 3,
            "sequence": 1,
            "request_id": "close",
            "generation": page["context"]["generation"],
            "bot_generation": page["botGeneration"],
            "kind": "close",
        }
        async with http.post(f"{address}api/action", json=close, headers=headers) as response:
            assert (await response.json())["settlement"] == "settled"
    await session.task
    assert session.bots[0].is_closed()


async def test_the_clock_goes_on_while_nobody_presses() -> None:
    session = Session()
    await session.address
    session.bots[0].ticked.clear()
    await session.bots[0].ticked.wait()
    session.stop.set()
    await session.task


async def test_it_can_be_cancelled() -> None:
    session = Session()
    await session.address
    session.task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await session.task
    assert session.bots[0].is_closed()


async def test_a_port_in_use_is_named_before_the_bot_is_built() -> None:
    session = Session()
    await session.address
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PlaygroundError) as refused:
            await session.serve(port)
    assert str(refused.value) == (
        f"The playground cannot use port {port} ({os.strerror(EADDRINUSE)}). "
        "Free it, or choose another one with CHAIPO_PORT."
    )
    assert len(session.bots) == 1
    session.stop.set()
    await session.task


async def test_a_port_that_is_taken_while_the_bot_is_built_is_named_too() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    taken: list[socket.socket] = []

    def build(now_ms: Callable[[], int]) -> SmallBot:
        taken.append(socket.create_server(("127.0.0.1", port)))
        return SmallBot(now_ms, {})

    with pytest.raises(PlaygroundError, match=f"port {port} .*CHAIPO_PORT"):
        await serve(build, port=port, faces={}, announce=print, stop=asyncio.Event())
    taken[0].close()


async def test_without_simcord_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = ("bot.run.playground.page", "bot.run.playground.simulated_server")
    for name in [name for name in sys.modules if name in ours or name.startswith("simcord")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "simcord", None)
    with pytest.raises(PlaygroundMissingError, match=r"simcord.*requirements-playground\.txt.*DISCORD_TOKEN"):
        await serve(lambda now_ms: SmallBot(now_ms, {}), port=0, faces={}, announce=print, stop=asyncio.Event())


def test_the_room_can_be_imported_without_simcord() -> None:
    program = "import sys; sys.modules['simcord'] = None; import bot.run.playground"
    subprocess.run([sys.executable, "-c", program], check=True)
