"""The page inside Discord, in a real browser: framed by a client that speaks Discord's protocol, under its policy."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Final

import pytest
from pytest_asyncio import fixture

from bot.text.words import words_for
from tests.standin.things import BOT_ID, User
from tests.standin.wired_bot import WiredBot
from tests.web.browser import DESK, HANGS_SECONDS, browsing
from tests.web.discord_host import SANDBOX, DiscordHost, Looking, discord_around
from tests.web.framed import URL, exchanges, on_turn
from tests.web.open_pages import Open
from tests.web.webkit import webkit

pytestmark = pytest.mark.browser

EN = words_for("en")
COUNTED = "(selector, count) => document.querySelectorAll(selector).length === count"
SEEN = "(selector) => Boolean(document.querySelector(selector)?.checkVisibility())"
TOLD = "(text) => document.querySelector('#toast')?.textContent.includes(text)"
TAP = "(selector) => { document.querySelector(selector).click(); return true; }"
KEY = "(key) => { document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })); return true; }"
HEARD = "(cmd) => heard.filter((one) => one.cmd === cmd)"
CONFIRM = "#bar button.main:not([disabled])"


class ChromiumTab:
    """A Chromium tab with the interface of other browsers' tabs."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self._view = page
        self.complaints: list[str] = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda told: self.complaints.append(told.text) if told.type == "error" else None)

    async def go(self, url: str) -> None:
        """Open an address."""
        await self.page.goto(url)

    async def run(self, script: str, *args: object) -> Any:
        """Return the result of a function in the page."""
        return await self._view.evaluate(f"(args) => ({script})(...args)", list(args))

    async def until(self, script: str, *args: object) -> Any:
        """Return the function's first truthy result."""
        async with asyncio.timeout(HANGS_SECONDS):
            while not (found := await self.run(script, *args)):  # noqa: ASYNC110  (another program changes it)
                await asyncio.sleep(0.02)
        return found

    @asynccontextmanager
    async def inside(self, selector: str) -> AsyncIterator[None]:
        """Run the block's commands in a frame."""
        frame = await (await self.page.wait_for_selector(selector)).content_frame()
        await frame.wait_for_load_state()
        self._view = frame
        try:
            yield
        finally:
            self._view = self.page


@asynccontextmanager
async def chromium() -> AsyncIterator[ChromiumTab]:
    """A browser that has nothing to complain of at the end but a strange script, which a test has tried."""
    async with browsing() as driver:
        tab = ChromiumTab(await driver.new_page(viewport=DESK))
        yield tab
        assert [told for told in tab.complaints if not told.startswith("Executing inline script violates")] == []


Engine = Callable[[], AbstractAsyncContextManager[Looking]]
ENGINES: Final[dict[str, Engine]] = {"chromium": chromium, "webkit": webkit}
"""Browsers by their names: whatever is driven as :class:`Looking` says runs all of this."""


@fixture(params=ENGINES, loop_scope="session")
async def tab(request: pytest.FixtureRequest) -> AsyncIterator[Looking]:
    async with ENGINES[request.param]() as opened:
        yield opened


@fixture(loop_scope="session")
async def host(wired: WiredBot, frame: Open) -> AsyncIterator[DiscordHost]:
    async with discord_around(wired, frame) as opened:
        yield opened


async def placed(wired: WiredBot, user: User) -> int:
    """Return the number of cards that a user has placed."""
    hand = (await wired.look(user)).hand
    assert hand is not None
    assert hand.mine is not None
    return sum(map(len, hand.mine.rows))


@pytest.mark.parametrize("sandbox", [SANDBOX, f"{SANDBOX} allow-same-origin"], ids=["no origin", "an origin"])
async def test_a_street_is_played_in_the_frame(wired: WiredBot, host: DiscordHost, tab: Looking, sandbox: str) -> None:
    await wired.open(wired.user(1), wired.user(2))
    first = await on_turn(wired)
    await tab.go(host.address(first, sandbox=sandbox))
    async with tab.inside("iframe"):
        await tab.until(COUNTED, "#tray .card", 5)
        assert await tab.run("() => { try { return !localStorage; } catch { return true; } }") is (sandbox == SANDBOX)
        # A script that neither Discord nor the bot has put there does not run.
        strange = "const one = document.createElement('script'); one.textContent = 'window.strange = 1';"
        assert await tab.run(f"() => {{ {strange} document.body.append(one); return window.strange === undefined; }}")
        for key in "fmmbb":
            await tab.run(KEY, key)
        await tab.until(SEEN, CONFIRM)
        await tab.run(TAP, CONFIRM)
        await tab.until(COUNTED, "#tray", 0)
    assert await placed(wired, first) == 5
    # Discord was asked for no more than who it is: no key of that person's ever comes to the page.
    (wanted,) = await tab.run(HEARD, "AUTHORIZE")
    assert wanted["args"] == {
        "client_id": str(BOT_ID),
        "response_type": "code",
        "state": "",
        "prompt": "none",
        "scope": ["identify"],
    }
    assert await tab.run("() => heard.map((one) => one.cmd ?? one.op)") == [0, "SUBSCRIBE", "AUTHORIZE"]
    assert await tab.run("() => [...new Set(heard.map((one) => one.origin))]") == [
        "null" if sandbox == SANDBOX else f"http://127.0.0.1:{host.port}"
    ]
    # The other one moves in the channel, and the page shows it.
    await wired.place_cards(await on_turn(wired))
    async with tab.inside("iframe"):
        await tab.until(COUNTED, "#others .card", 5)


async def test_it_opens_at_the_table_whose_button_was_pressed(wired: WiredBot, host: DiscordHost, tab: Looking) -> None:
    await wired.open(wired.user(1), wired.user(2))
    await wired.discord.slash(wired.user(1), wired.channel, "ofc practice").finished()
    hand = (await wired.discord.slash(wired.user(1), wired.channel, "hand", table=1).finished()).answer
    assert hand is not None
    for table in (1, 2):
        custom_id = re.sub(r"launch:\d+", f"launch:{table}", "c1:launch:1:0:0:::")
        await wired.discord.press(wired.user(1), hand, custom_id).finished()
        await tab.go(host.address(wired.user(1)))
        async with tab.inside("iframe"):
            await tab.until("(table) => document.querySelector('#tables')?.value === table", str(table))


async def test_a_picture_in_the_picture_shows_the_boards_alone(
    wired: WiredBot, host: DiscordHost, tab: Looking
) -> None:
    await wired.open(wired.user(1), wired.user(2), wired.user(3))
    for _ in range(3):
        await wired.place_cards(await on_turn(wired))
    await tab.go(host.address(wired.user(1)))
    async with tab.inside("iframe"):
        await tab.until(SEEN, "#own .board")
        assert await tab.run(SEEN, "#head")
    for mode, width, height in ((1, 320, 180), (2, 400, 225), (1, 284, 160)):
        resized = "(mode, width, height) => { layout(mode); resize(width, height); return true; }"
        await tab.run(resized, mode, width, height)
        async with tab.inside("iframe"):
            await tab.until("(width) => innerWidth === width && document.documentElement.matches('.tiny')", width)
            outside = await tab.run(
                """() => [...document.querySelectorAll('#main *')].filter((one) => one.checkVisibility())
                  .map((one) => [one.className || one.id || one.tagName, one.getBoundingClientRect()])
                  .filter(([, { left, top, right, bottom }]) =>
                    left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1)
                  .map(([what]) => String(what))"""
            )
            assert outside == []
            shown = "() => ['#bar', '#head', '#tray', '#told .status'].filter((one) => (" + SEEN + ")(one))"
            assert await tab.run(shown) == ["#told .status"]
            cards = "() => [...document.querySelectorAll('#main .card')].filter((one) => one.checkVisibility()).length"
            assert await tab.run(cards) == 15
            slot = await tab.run("() => document.querySelector('#own .slot').getBoundingClientRect().width")
            assert float(str(slot)) >= 11
    await tab.run("() => { layout(0); resize(390, 760); return true; }")
    async with tab.inside("iframe"):
        await tab.until("() => !document.documentElement.classList.contains('tiny')")
        assert await tab.run(SEEN, "#bar")


async def test_a_small_frame_is_drawn_small_whatever_discord_says_of_it(
    wired: WiredBot, host: DiscordHost, tab: Looking
) -> None:
    await wired.open(wired.user(1), wired.user(2))
    await tab.go(host.address(wired.user(1), size=(300, 170)))
    async with tab.inside("iframe"):
        await tab.until(SEEN, "#own .board")
        assert not await tab.run(SEEN, "#head")


async def test_what_covers_the_edges_of_a_phone_covers_nothing_of_the_page(
    wired: WiredBot, host: DiscordHost, tab: Looking
) -> None:
    """Discord's variables may not be there, be there and empty, or tell how much is covered."""
    await wired.open(wired.user(1), wired.user(2))
    await tab.go(host.address(wired.user(1)))
    put = """(told) => {
      if (told !== null) document.documentElement.style.setProperty('--discord-safe-area-inset-top', told);
      const toast = document.querySelector('#toast');
      toast.hidden = false;
      return [getComputedStyle(document.body).paddingTop, toast.getBoundingClientRect().top];
    }"""
    async with tab.inside("iframe"):
        await tab.until(SEEN, "#own .board")
        for told, expected in ((None, ["0px", 48]), (" ", ["0px", 48]), ("47px", ["47px", 95])):
            assert await tab.run(put, told) == expected


async def test_whoever_gives_no_leave_is_told_in_their_language_and_may_try_again(
    wired: WiredBot, host: DiscordHost, tab: Looking
) -> None:
    await wired.open(wired.user(1), wired.user(2))
    await tab.go(host.address(wired.user(1), refuses=True))
    async with tab.inside("iframe"):
        await tab.until(TOLD, EN("page.not_vouched"))
    await tab.run("() => { refuses = false; return true; }")
    async with tab.inside("iframe"):
        await tab.run(KEY, "x")
        await tab.until(SEEN, "#own .board")
    assert len(await tab.run(HEARD, "AUTHORIZE")) == 2


async def test_a_lost_connection_comes_back_without_another_question(
    wired: WiredBot, host: DiscordHost, frame: Open, tab: Looking
) -> None:
    await wired.open(wired.user(1), wired.user(2))
    await tab.go(host.address(wired.user(1)))
    async with tab.inside("iframe"):
        await tab.until(SEEN, "#own .board")
        frame.pages.close()
        await tab.until(TOLD, EN("page.words.online"))
    assert len(await tab.run(HEARD, "AUTHORIZE")) == 1
    assert exchanges(wired) == 1


async def test_what_leads_out_of_the_frame_is_opened_by_discord_at_the_bots_own_address(
    wired: WiredBot, host: DiscordHost, tab: Looking
) -> None:
    await wired.open(wired.user(1), wired.user(2))
    await tab.go(host.address(wired.user(1)))
    async with tab.inside("iframe"):
        await tab.until(SEEN, "#own .board")
        await tab.run(TAP, "#settings > button")
        await tab.run(TAP, '[data-key="stream"]')
        await tab.until(SEEN, '[data-key="open-stream"]')
        await tab.run(TAP, '[data-key="open-stream"]')
    (asked,) = await tab.until(f"() => {{ const all = ({HEARD})('OPEN_EXTERNAL_LINK'); return all.length && all; }}")
    assert str(asked["args"]["url"]).startswith(f"{URL}/table?overlay&table=1#stream.{wired.channel.guild.id}.")


async def test_a_page_that_nobody_frames_says_where_it_belongs(
    wired: WiredBot, host: DiscordHost, tab: Looking
) -> None:
    await tab.go(f"http://127.0.0.1:{host.port}/")
    await tab.until(TOLD, EN("page.not_vouched"))
