"""What is pressed on the page before the part that listens to it has come: it's kept, and done then."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bot.text.words import words_for
from tests.discord.club import Club
from tests.web.browser import DESK, PHONE, Tab, browsing
from tests.web.open_pages import Open
from tests.web.test_browser import three

pytestmark = pytest.mark.browser

WORDS = words_for("en")
PART = "**/soon-*.js"


@asynccontextmanager
async def held_up(
    opened: Open, club: Club, name: str, size: dict[str, int], **settings: Any
) -> AsyncIterator[tuple[Tab, asyncio.Event]]:
    """Open a page, with an event that lets the part come."""
    comes = asyncio.Event()

    async def hold(route: Any) -> None:
        await comes.wait()
        await route.continue_()

    async with browsing() as driver:
        page = await driver.new_page(viewport=size, **settings)
        await page.route(PART, hold)
        shown = Tab(page)
        async with page.expect_request(PART):
            await page.goto(f"{opened.origin}/table#{opened.token(club, name)}")
        await shown.at("#tray .card").first.wait_for()
        yield shown, comes
        assert shown.complaints == []


async def test_an_early_drag_and_an_early_key_place_their_cards(club: Club, opened: Open) -> None:
    name = await three(club)
    async with held_up(opened, club, name, DESK) as (page, comes):
        mouse = page.page.mouse
        await mouse.move(*await page.middle('[data-card="1"]'))
        await mouse.down()
        await mouse.move(*await page.middle('[data-row="M"]'), steps=4)
        await mouse.up()
        await page.page.keyboard.press("f")
        assert await page.at("#own [data-row] [data-card]").count() == 0
        comes.set()
        await page.at('[data-row="M"] [data-card="1"]').wait_for()
        await page.at('[data-row="F"] [data-card]').wait_for()
        # The click with which that drag ended doesn't swallow the next one.
        await page.at('[data-key="undo"]').press("Enter")
        await page.at('[data-row="F"] [data-card]').wait_for(state="detached")


async def test_a_drag_that_began_early_goes_on(club: Club, opened: Open) -> None:
    name = await three(club)
    async with held_up(opened, club, name, DESK) as (page, comes):
        mouse = page.page.mouse
        await mouse.move(*await page.middle('[data-card="2"]'))
        await mouse.down()
        x, y = await page.middle('[data-row="M"]')
        await mouse.move(x, y, steps=2)
        comes.set()
        await page.at(".ghost").wait_for()
        await mouse.up()
        await page.at('[data-row="M"] [data-card="2"]').wait_for()


async def test_cards_are_tapped_before_it_and_the_menu_fills_itself(club: Club, opened: Open) -> None:
    name = await three(club)
    async with held_up(opened, club, name, PHONE, has_touch=True) as (page, comes):
        await page.at(".row.open").last.tap(position={"x": 20, "y": 20})
        await page.at('[data-row="M"] [data-card]').wait_for()
        await page.at("#settings > button").tap()
        comes.set()
        await page.at("#menu", has_text=WORDS("page.words.keys")).wait_for()
        await page.at('#menu [data-key="rules"]').tap()
        await page.at("#sheet[open] h3").first.wait_for()


async def test_a_page_whose_bot_was_replaced_meanwhile_is_loaded_again(club: Club, opened: Open) -> None:
    """Its part is no more. The new page has another."""
    name = await three(club)
    async with browsing() as driver:
        page = await driver.new_page(viewport=DESK)
        refused: list[str] = []

        async def refuse(route: Any) -> None:
            refused.append(route.request.url)
            await (route.fulfill(status=404) if len(refused) == 1 else route.continue_())

        await page.route(PART, refuse)
        # As with a link of one's own, the tab keeps the token.
        key = json.dumps({"token": opened.token(club, name), "ticket": ""})
        await page.add_init_script(f"sessionStorage.setItem('chaipo-key', {json.dumps(key)})")
        await page.goto(f"{opened.origin}/table")
        await page.locator("#menu p", has_text=WORDS("page.words.keys")).wait_for(state="attached")
        assert len(refused) == 2
