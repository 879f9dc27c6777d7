"""A real browser for the tests: the Chromium of this machine, as ``make pictures`` wants. Without one they skip."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.pictures import BROWSERS

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}


def chromium() -> str:
    """The program; skips where there is none."""
    if os.environ.get("BROWSERS") == "none":
        pytest.skip("browser tests are left out: BROWSERS=none")
    named = os.environ.get("CHROMIUM", "")
    found = next(filter(None, map(shutil.which, (named, *BROWSERS) if named else BROWSERS)), None)
    if found is None:
        pytest.skip("browser tests need Chromium: install it, or say where it is with CHROMIUM=...")
    return found


@asynccontextmanager
async def browsing() -> AsyncIterator[Any]:
    """The browser; skips where it cannot be driven."""
    try:
        from playwright.async_api import async_playwright  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        pytest.skip("browser tests need Playwright: pip install playwright, or name its folder with PYTHONPATH=...")
    program = chromium()
    async with async_playwright() as driving:
        driver = await driving.chromium.launch(executable_path=program, args=["--no-sandbox"])
        try:
            yield driver
        finally:
            await driver.close()


class Tab:
    """A page that is open, and whatever its console complains of."""

    def __init__(self, page: Any, view: Any = None) -> None:
        self.page = page
        self.view = view or page
        """The page, or the frame that shows the table."""
        self.complaints: list[str] = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda told: self.complaints.append(told.text) if told.type == "error" else None)

    def at(self, selector: str, **told: Any) -> Any:
        """What stands there."""
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

    async def confirm(self) -> None:
        """Press Confirm once it can be pressed."""
        await self.at("#bar button.main:not([disabled])").click()

    async def fits(self) -> None:
        """All of it is on the screen at once, and nothing has to be scrolled."""
        size = self.page.viewport_size
        scrolls = await self.view.evaluate(
            "() => [document.scrollingElement, document.getElementById('main')]"
            ".some(one => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)"
        )
        assert not scrolls
        outside = await self.view.evaluate(
            """([width, height]) => [...document.querySelectorAll('.card, .slot, button, .seat, #told > div, #result')]
              .filter(one => one.checkVisibility())
              .map(one => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
              .filter(([, box]) => box.x < -1 || box.y < -1 || box.right > width + 1 || box.bottom > height + 1)
              .map(([what]) => what)""",
            [size["width"], size["height"]],
        )
        assert outside == []

    async def width(self, selector: str) -> float:
        """How wide the first of these is."""
        box = await self.at(selector).first.bounding_box()
        assert box, selector
        return float(box["width"])
