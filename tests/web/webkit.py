"""WebKit for the tests: WebKitGTK's own browser, driven as WebDriver says; its script engine is that of Safari.

On Debian ``apt install webkit2gtk-driver xvfb`` brings both programs. Where one of them is missing a test is skipped,
and says which.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from contextvars import Context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from aiohttp import ClientConnectionError, ClientSession, ClientTimeout

from tests.web.browser import HANGS_SECONDS

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key of an element in what WebDriver says."""
KEYS = {"Enter": "\ue007", "ArrowRight": "\ue014", "Escape": "\ue00c", "End": "\ue010", "Tab": "\ue004"}
NEEDED = "tests in WebKit need {}: on Debian, apt install webkit2gtk-driver xvfb brings it"


def _program(name: str) -> str:
    found = None if os.environ.get("BROWSERS") == "none" else shutil.which(name)
    if found is None:
        pytest.skip(NEEDED.format(name))
    return found


@contextmanager
def _screen() -> Iterator[str]:
    """Start an X server without a screen."""
    program, folder = _program("Xvfb"), Path("/tmp/.X11-unix")
    for number in range(100, 1000):
        if (folder / f"X{number}").exists() or Path(f"/tmp/.X{number}-lock").exists():
            continue
        shown = [program, f":{number}", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"]
        with subprocess.Popen(shown, stderr=subprocess.DEVNULL) as server:
            try:
                until = time.monotonic() + HANGS_SECONDS
                while server.poll() is None and not (folder / f"X{number}").exists() and time.monotonic() < until:
                    with suppress(subprocess.TimeoutExpired):
                        server.wait(0.05)
                if server.poll() is None and (folder / f"X{number}").exists():
                    yield f":{number}"
                    return
            finally:
                server.terminate()
    pytest.skip("tests in WebKit need a display that Xvfb can have")


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class WebKitTab:
    """The one tab of the browser, as WebDriver knows it."""

    def __init__(self, http: ClientSession, address: str) -> None:
        self._http = http
        self._address = address

    async def command(self, way: str, path: str, **body: Any) -> Any:
        """Return WebDriver's answer; raises AssertionError if it refuses."""
        told = None if way == "GET" else body
        async with self._http.request(way, f"{self._address}{path}", json=told) as answer:
            value = (await answer.json(content_type=None))["value"]
        assert not (isinstance(value, dict) and "error" in value), value
        return value

    async def go(self, url: str) -> None:
        """Open an address."""
        await self.command("POST", "/url", url=url)

    async def size(self, width: int, height: int) -> None:
        """Make what a page is drawn in about so large."""
        await self.command("POST", "/window/rect", width=width, height=height)

    async def run(self, script: str, *args: Any) -> Any:
        """Return the result of a function in the page."""
        return await self.command("POST", "/execute/sync", script=f"return ({script})(...arguments)", args=args)

    async def until(self, script: str, *args: Any) -> Any:
        """Return the function's first truthy result."""
        async with asyncio.timeout(HANGS_SECONDS):
            while not (found := await self.run(script, *args)):  # noqa: ASYNC110  (another program changes it)
                await asyncio.sleep(0.02)
        return found

    async def there(self, selector: str) -> None:
        """Wait until something is to be seen."""
        await self.until("selector => document.querySelector(selector)?.checkVisibility()", selector)

    async def gone(self, selector: str) -> None:
        """Wait until nothing of it is there."""
        await self.until("selector => !document.querySelector(selector)", selector)

    async def _element(self, selector: str) -> str:
        await self.there(selector)
        found = await self.command("POST", "/element", using="css selector", value=selector)
        return str(found[ELEMENT])

    async def click(self, selector: str) -> None:
        """Press it in its middle."""
        await self.command("POST", f"/element/{await self._element(selector)}/click")

    async def write(self, selector: str, text: str) -> None:
        """Put a text into a field, as pasted."""
        put = """(selector, text) => {
          const field = document.querySelector(selector);
          field.value = text;
          return field.dispatchEvent(new Event('input', { bubbles: true }));
        }"""
        await self.run(put, selector, text)

    async def keys(self, *keys: str) -> None:
        """Press keys, one after the other."""
        typed = [KEYS.get(key, key) for key in keys]
        actions = [{"type": kind, "value": key} for key in typed for kind in ("keyDown", "keyUp")]
        await self.command("POST", "/actions", actions=[{"type": "key", "id": "keys", "actions": actions}])

    async def drag(self, selector: str, to: str) -> None:
        """Drag something with the mouse."""
        lifted, aim = {ELEMENT: await self._element(selector)}, {ELEMENT: await self._element(to)}
        move = {"type": "pointerMove", "x": 0, "y": 0, "duration": 60}
        actions = [
            {**move, "origin": lifted},
            {"type": "pointerDown", "button": 0},
            {**move, "x": 12, "origin": lifted},
            {**move, "origin": aim},
            {"type": "pointerUp", "button": 0},
        ]
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}
        await self.command("POST", "/actions", actions=[mouse])

    @asynccontextmanager
    async def inside(self, selector: str) -> AsyncIterator[None]:
        """Run the block's commands in a frame."""
        await self.command("POST", "/frame", id={ELEMENT: await self._element(selector)})
        yield
        await self.command("POST", "/frame", id=None)


@contextmanager
def _driver() -> Iterator[str]:
    """The address of the program that drives the browser."""
    program, port = _program("WebKitWebDriver"), _free_port()
    with _screen() as display, TemporaryDirectory(prefix="webkit-", ignore_cleanup_errors=True) as folder:
        kept = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"), folder)
        settings = {**os.environ, **kept, "DISPLAY": display, "WEBKIT_DISABLE_COMPOSITING_MODE": "1"}
        started = [program, f"--port={port}", "--host=127.0.0.1"]
        with subprocess.Popen(started, env=settings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as driver:
            try:
                yield f"http://127.0.0.1:{port}"
            finally:
                driver.terminate()


@asynccontextmanager
async def _session(http: ClientSession, address: str) -> AsyncIterator[WebKitTab]:
    value: dict[str, Any] = {"message": "it doesn't answer"}
    with suppress(TimeoutError):
        async with asyncio.timeout(HANGS_SECONDS):
            while True:
                with suppress(ClientConnectionError):
                    async with http.get(f"{address}/status"):
                        break
                await asyncio.sleep(0.05)
        async with http.post(f"{address}/session", json={"capabilities": {}}) as answer:
            value = (await answer.json(content_type=None))["value"]
    if "sessionId" not in value:
        pytest.skip(f"WebKit can't be started here: {value.get('message') or value.get('error')}")
    session = f"{address}/session/{value['sessionId']}"
    tab = WebKitTab(http, session)
    try:
        yield tab
    finally:
        async with http.delete(session):
            pass


class WebKit:
    """The one that runs for all tests of this process: to start it takes as long as most of them."""

    def __init__(self) -> None:
        self._opened = AsyncExitStack()
        self._tab: WebKitTab | None = None
        self._room: dict[str, Any] = {}

    async def tab(self) -> WebKitTab:
        """Its tab, with nothing in it; the browser is started first. Skips where there is none."""
        if self._tab is None:
            # The browser outlives the test that needs it first, so it mustn't inherit that test's simulated time.
            self._tab = await asyncio.create_task(self._start(), context=Context())
            self._room = await self._tab.command("GET", "/window/rect")
        await self._tab.command("POST", "/frame", id=None)
        await self._tab.size(self._room["width"], self._room["height"])
        return self._tab

    async def _start(self) -> WebKitTab:
        async with AsyncExitStack() as opened:
            address = opened.enter_context(_driver())
            patience = ClientTimeout(total=HANGS_SECONDS)
            http = await opened.enter_async_context(ClientSession(timeout=patience))
            tab = await opened.enter_async_context(_session(http, address))
            self._opened = opened.pop_all()
        return tab

    async def close(self) -> None:
        """End it."""
        await self._opened.aclose()


SHARED = WebKit()


@asynccontextmanager
async def webkit() -> AsyncIterator[WebKitTab]:
    """The browser, which knows nothing of the test's addresses yet; skips where there is none."""
    tab = await SHARED.tab()
    try:
        yield tab
    finally:
        await tab.go("about:blank")
