"""A real browser for the tests: the Chromium of this machine, as ``make pictures`` wants. Without one they skip."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import Context
from typing import Any

import pytest

from tests.pictures import BROWSERS

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}
HANGS_SECONDS = 300.0
"""A way out of a hang, however busy the machine is; nothing is measured by it."""
CALM = ["--no-sandbox", "--mute-audio", "--disable-gpu"]
"""Flags in addition to Playwright's: no window, prompts or background requests, and no sleeping tabs."""


def chromium() -> str:
    """The program; skips where there is none."""
    if os.environ.get("BROWSERS") == "none":
        pytest.skip("browser tests are left out: BROWSERS=none")
    named = os.environ.get("CHROMIUM", "")
    found = next(filter(None, map(shutil.which, (named, *BROWSERS) if named else BROWSERS)), None)
    if found is None:
        pytest.skip("browser tests need Chromium: install it, or say where it is with CHROMIUM=...")
    return found


WIDE_LETTERS = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { letter-spacing: .2em }");
  document.adoptedStyleSheets = [sheet];
}"""


class Chromium:
    """The one that runs for all tests of this process, with the program that drives it.

    To start either takes longer than most tests. So the tests of this room share one loop.
    """

    def __init__(self) -> None:
        self._driving: Any = None
        self._running: Any = None
        self.trouble = ""
        """The reason that the browser can't be driven here. It isn't tried again."""

    async def browser(self) -> Any:
        """The browser; it is started first. Skips where there is none."""
        if self._running is None and not self.trouble:
            program = chromium()
            # The browser outlives the test that needs it first, so it mustn't inherit that test's simulated time.
            await asyncio.create_task(self._start(program), context=Context())
        if self.trouble:
            pytest.skip(self.trouble)
        return self._running

    async def _start(self, program: str) -> None:
        try:
            from playwright.async_api import Error, async_playwright  # type: ignore[import-not-found,unused-ignore]
        except ImportError:
            self.trouble = (
                "browser tests need Playwright: pip install playwright, or name its folder with PYTHONPATH=..."
            )
            return
        self._driving = await async_playwright().start()
        launch = self._driving.chromium.launch
        try:
            self._running = await launch(executable_path=program, args=CALM, timeout=HANGS_SECONDS * 1000)
        except Error as error:
            self.trouble = f"Chromium can't be driven here: {error}"

    async def close(self) -> None:
        """End it."""
        if self._running is not None:
            await self._running.close()
        if self._driving is not None:
            await self._driving.stop()


SHARED = Chromium()


@asynccontextmanager
async def browsing() -> AsyncIterator[Driven]:
    """The browser, with nothing that an earlier test has left in it; skips where it cannot be driven."""
    driven = Driven(await SHARED.browser())
    try:
        yield driven
    finally:
        for context in driven.contexts:
            await context.close()


class Driven:
    """A browser as one test has it."""

    def __init__(self, driver: Any) -> None:
        self._driver = driver
        self.contexts: list[Any] = []

    async def new_context(self, **settings: Any) -> Any:
        """Return a new browser context without cookies or storage."""
        context = await self._driver.new_context(**settings)
        context.set_default_timeout(HANGS_SECONDS * 1000)
        self.contexts.append(context)
        return context

    async def new_page(self, **settings: Any) -> Any:
        """Their page."""
        return await (await self.new_context(**settings)).new_page()


OUTSIDE = """() => {
  const scrolls = [document.scrollingElement, document.getElementById("main")]
    .filter((one) => Math.max(one.scrollHeight - one.clientHeight, one.scrollWidth - one.clientWidth) > 1)
    .map((one) => [one.tagName, one.scrollHeight - one.clientHeight, one.scrollWidth - one.clientWidth]);
  const cut = [...document.querySelectorAll(".card, .slot, button, .seat, #told > div, #result")]
    .filter((one) => one.checkVisibility() && !one.closest("#history"))
    .map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
    .filter(([, box]) => box.x < -1 || box.y < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)
    .map(([what]) => what);
  return [...scrolls, ...cut];
}"""
"""What has to be scrolled to, or is outside of the screen."""
FRAMES = 100
"""Frames within which sizes are found after a change."""


class Tab:
    """A page that is open, and whatever its console complains of."""

    def __init__(self, page: Any, view: Any = None) -> None:
        self.page = page
        self.view = view or page
        """The page, or the frame that shows the table."""
        self.complaints: list[str] = []
        page.on("pageerror", lambda error: self.complaints.append(str(error.stack)))
        page.on("console", lambda told: self.complaints.append(told.text) if told.type == "error" else None)

    def at(self, selector: str, **told: Any) -> Any:
        """Return a locator for ``selector``."""
        return self.view.locator(selector, **told)

    async def middle(self, selector: str) -> tuple[float, float]:
        """The middle of something."""
        box = await self.at(selector).first.bounding_box()
        assert box, selector
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    async def drag(self, place: int, row: str) -> None:
        """Drag a card to a row, with the mouse."""
        mouse = self.page.mouse
        await mouse.move(*await self.middle(f'[data-card="{place}"]'))
        await mouse.down()
        x, y = await self.middle(f'[data-row="{row}"]')
        await mouse.move(x, y, steps=4)
        await mouse.up()
        await self.at(f'.board:not(.pending) [data-row="{row}"] [data-card="{place}"]').wait_for()

    async def counts(self, selector: str, count: int) -> None:
        """Wait until so many parts of the page match. The first press may take effect a moment later."""
        await self.page.wait_for_function(
            "([selector, count]) => document.querySelectorAll(selector).length === count", arg=[selector, count]
        )

    async def confirm(self) -> None:
        """Press Confirm once it can be pressed."""
        await self.at("#bar button.main:not([disabled])").click()

    async def sized(self, size: dict[str, int]) -> None:
        """Make its window so large, and wait until the table has its new size."""
        await self.page.set_viewport_size(size)
        # The window has its new size a moment before it says so to the page, in the next frame.
        await self.page.wait_for_function(
            "([width, height]) => innerWidth === width && innerHeight === height", arg=[size["width"], size["height"]]
        )
        await self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

    async def in_wide_letters(self) -> None:
        """Set all text wider, as a font that's missing or large does."""
        await self.view.evaluate(WIDE_LETTERS)

    async def fits(self) -> None:
        """All of it is on the screen at once, and nothing has to be scrolled, as soon as sizes have been found."""
        found = await self.view.evaluate(
            f"""async () => {{
              const outside = {OUTSIDE};
              const frame = () => new Promise(requestAnimationFrame);
              for (let seen = 0; seen < {FRAMES} && outside().length; seen += 1) await frame();
              return outside();
            }}"""
        )
        assert found == [], (self.page.viewport_size, found)

    async def width(self, selector: str) -> float:
        """Return the width of the first match in pixels."""
        box = await self.at(selector).first.bounding_box()
        assert box, selector
        return float(box["width"])


@asynccontextmanager
async def visited(address: str, size: dict[str, int], *, script: str = "", **settings: Any) -> AsyncIterator[Tab]:
    """Open an address in a browser, and check for errors at the end. The page runs ``script`` first."""
    async with browsing() as driver:
        page = await driver.new_page(viewport=size, **settings)
        if script:
            await page.add_init_script(script)
        shown = Tab(page)
        await page.goto(address)
        yield shown
        assert shown.complaints == [], shown.complaints
