"""The playground's page in a real browser: its clock, its busy sign and the user whose messages it shows."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.run.playground.page import ChannelPage
from bot.text.languages import ENGLISH, LANGUAGES
from bot.text.words import words_for
from tests.discord.club import Club
from tests.discord.test_event_desk import announced
from tests.run.playground import test_page as small
from tests.run.playground.browser import browsers
from tests.web.browser import DESK, browsing
from tests.web.test_analysis_links import page_link

pytestmark = pytest.mark.browser

WORDS = words_for("en")
PASSES = """name => {
  const now = name === "Date.now" ? Date.now : globalThis[name];
  const [begun, wall] = [now(), performance.now()];
  while (performance.now() - wall < 50);
  return now() - begun;
}"""
"""Minimum progress of a clock within 50 ms."""


@asynccontextmanager
async def playground(club: Club) -> AsyncIterator[ChannelPage]:
    """The page of a club's simulated Discord."""
    shown = ChannelPage(club.world, port=0, faces={}, language=ENGLISH, wall_ms=club.world.now_ms)
    async with shown:
        club.forbid()
        # The page keeps only the latest requests; the club, which lasts one evening, looks at all of them.
        club.backend.http_requests = list(club.backend.http_requests)
        yield shown


async def test_each_tab_and_the_table_beside_it_count_by_the_playgrounds_clock(club: Club) -> None:
    await club.open_table("alice", "bob")
    async with browsing() as driver, playground(club) as shown:
        one, other = await driver.new_page(viewport=DESK), await driver.new_page(viewport=DESK)
        for page in (one, other):
            await page.goto(shown.address)
            await page.frame_locator("#table-frame").locator("#own .board").wait_for()
        await one.locator("#evening summary").click()
        await one.locator("#evening select").last.select_option("10")
        for page in (one, other):
            # The menu shows the choice before the clock has heard of it.
            await page.wait_for_function(f"() => ({PASSES})('playgroundNow') >= 500")
            table = page.frame(url=re.compile("/table"))
            await table.wait_for_function(f"() => ({PASSES})('Date.now') >= 500")


async def test_a_page_opened_from_a_message_outlasts_a_reload(club: Club) -> None:
    async with browsing() as driver, playground(club) as shown:
        screen = await club.slash("alice", "analyse")
        page = await driver.new_page(viewport=DESK)
        await page.goto(page_link(screen))
        await page.locator("#sheet .lacks:not(:empty)").wait_for()
        assert page.url.startswith(shown.address)
        await page.reload()
        await page.locator("#sheet .lacks:not(:empty)").wait_for()


async def test_times_are_in_the_browsers_time_zone_and_as_its_reader_writes_them(club: Club) -> None:
    key = await announced(club, "bob")
    event = (await club.bot.services.events.look(key)).event
    assert event.starts_at is not None
    async with browsing() as driver, playground(club) as shown:
        for zone, locale, date, hour in (
            ("Asia/Kolkata", "en-GB", "%-d %B", "%-H:%M"),  # half an hour off UTC, and the day before the month
            ("America/New_York", "en-US", "%B %-d", "%-I:%M"),
            ("Asia/Kolkata", "ja", "%B %-d", "%-I:%M"),  # the viewer reads English
        ):
            start = datetime.fromtimestamp(event.starts_at / 1000, ZoneInfo(zone))
            now = datetime.fromtimestamp(club.world.now_ms() / 1000, ZoneInfo(zone))
            context = await driver.new_context(viewport=DESK, timezone_id=zone, locale=locale)
            page = await context.new_page()
            await page.goto(shown.address)
            told = await page.locator("#channel-timeline time.discord-timestamp[data-style=F]").first.inner_text()
            assert start.strftime("%A") in told
            assert start.strftime(date) in told
            assert start.strftime(hour) in told
            posted = page.locator("#channel-timeline .message-time").last
            assert now.strftime(hour) in await posted.inner_text()


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_a_busy_bot_is_explained_until_it_answers(language: str) -> None:
    words = words_for(language)
    async with (
        small.opened(small.Wall(), settle_seconds=0.1, language=LANGUAGES[language]) as shown,
        browsers(shown, "alice") as (alice,),
        browsing() as driver,
    ):
        await small.table_for(alice)
        small.bot_of(shown).slow = True
        page = await driver.new_page(viewport=DESK, locale=language)
        await page.goto(shown.address)
        for key in ("late_busy", "late_fast"):
            await page.locator("#channel-timeline button:enabled", has_text="Press").click()
            await page.locator("#action-status", has_text=words("playground.evening.late")).wait_for()
            await page.locator("#thinking", has_text=words(f"playground.evening.{key}")).wait_for()
            small.let_go(shown)
            await page.locator("#action-status", has_text=words("playground.page.done")).wait_for()
            await page.locator("#thinking").wait_for(state="hidden")
            await page.locator("#evening summary").click()
            await page.locator("#evening select").last.select_option("10")
            await page.locator("#evening [role=status]", has_text="10").wait_for()
            await page.keyboard.press("Escape")


async def test_nobody_sees_what_the_one_before_them_saw(club: Club) -> None:
    await club.open_table("alice", "bob")
    async with browsing() as driver, playground(club) as shown:
        page = await driver.new_page(viewport=DESK)
        await page.goto(shown.address)
        messages, table = page.locator("#channel-message-list"), page.frame_locator("#table-frame")
        own = table.locator("#own .name b")
        await own.wait_for()
        held, go_on = asyncio.Event(), asyncio.Event()

        async def hold(route: Any) -> None:
            held.set()
            await go_on.wait()
            await route.continue_()

        await page.route("**/api/action", hold)
        # Bob is chosen while Alice's press is under way.
        await page.locator("#channel-timeline button:enabled", has_text=WORDS("button.my_hand")).last.click()
        await held.wait()
        bob = str(club.members["bob"].id)
        await page.select_option("#viewer-picker", value=bob)
        await page.locator("#thinking", has_text=WORDS("playground.page.switching")).wait_for()
        assert await messages.is_hidden()
        assert await own.count() == 0
        # Ignore drawings until Bob's messages are there.
        await page.evaluate(
            """bob => { window.seen = []; const note = () => {
                if (document.getElementById("channel-message-list").checkVisibility({ visibilityProperty: true })) {
                  seen.push(simcordPreview.viewerId);
                }
                requestAnimationFrame(note);
            }; note(); }""",
            bob,
        )
        go_on.set()
        await own.get_by_text("Bob", exact=True).wait_for()
        await messages.wait_for()
        await page.locator("#thinking").wait_for(state="hidden")
        assert set(await page.evaluate("() => seen")) == {bob}
