"""The page in a browser when its network, bot or process goes away. It says so and reconnects automatically."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.text.words import words_for
from tests.discord.club import Club, open_club
from tests.discord.forms import settings_page
from tests.web.browser import DESK, HANGS_SECONDS, PHONE, Tab, browsing
from tests.web.network import Network, network
from tests.web.open_pages import link_in, linked

pytestmark = pytest.mark.browser

WORDS = words_for("en")
MINUTE_MS = 60_000
HIDE = """hidden => {
  Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}"""


@asynccontextmanager
async def by_link(tmp_path: Path) -> AsyncIterator[tuple[Club, Network]]:
    """A club whose pages are reached over a network that can be lost."""
    async with network() as net, open_club(tmp_path, page_url=f"http://127.0.0.1:{net.port}") as club:
        yield club, net


@asynccontextmanager
async def tab(club: Club, name: str, size: dict[str, int], **settings: Any) -> AsyncIterator[Tab]:
    """Open a member's page from the link on their hand, with the test's clock."""
    async with browsing() as driver:
        page = await driver.new_page(viewport=size, **settings)
        await page.clock.install(time=club.world.now_ms() / 1000)
        shown = Tab(page)
        await page.goto(link_in(await club.open_panel(name)))
        await shown.at("#own .board").wait_for()
        yield shown


async def placed(club: Club, name: str) -> int:
    """Return the number of cards that a member has placed."""
    hand = (await club.look(1, name)).hand
    assert hand is not None
    assert hand.mine is not None
    return sum(map(len, hand.mine.rows))


async def until_said(page: Tab, text: str, *, step_ms: int = 500) -> int:
    """Let the page's time pass until it says something in passing; returns how long that took (ms)."""
    for passed in range(0, MINUTE_MS, step_ms):
        if await page.at("#toast:not([hidden])", has_text=text).count():
            return passed
        await page.page.clock.run_for(step_ms)
    raise AssertionError(await page.at("#toast").text_content())


async def test_a_network_that_is_lost_for_a_minute_loses_no_card_that_was_moved(tmp_path: Path) -> None:
    async with by_link(tmp_path) as (club, net):
        await club.open_table("alice", "bob")
        name = await club.on_turn()
        async with linked(club) as door:
            net.to = door.port
            async with tab(club, name, PHONE, has_touch=True) as page:
                await page.page.keyboard.press("f")
                await page.at('.board:not(.pending) [data-row="F"] [data-card]').wait_for()
                net.lost = True
                await until_said(page, WORDS("page.words.offline"))
                for key in "mmbb":
                    await page.page.keyboard.press(key)
                assert await page.at("#tray [data-card]").count() == 0
                assert await page.at("#bar button.main:not([disabled])").count() == 0
                await page.page.clock.run_for(MINUTE_MS)
                net.lost = False
                await until_said(page, WORDS("page.words.online"))
                await page.confirm()
                await page.at("#tray").wait_for(state="detached")
                assert await placed(club, name) == 5
                assert await club.count("cards_laid") == 1


async def test_a_phone_that_wakes_up_shows_how_things_stand_within_a_second_of_its_own(tmp_path: Path) -> None:
    async with by_link(tmp_path) as (club, net):
        await club.open_table("alice", "bob")
        first = await club.on_turn()
        second = "bob" if first == "alice" else "alice"
        async with linked(club) as door:
            net.to = door.port
            async with tab(club, second, PHONE) as page:
                time = page.page.clock
                # Its time is paused, so its network shows to be fast however slow this machine is.
                await time.pause_at(await page.view.evaluate("() => Date.now() / 1000 + 1"))
                heard: list[str] = []
                page.page.on("websocket", lambda one: one.on("framereceived", lambda told: heard.append(str(told))))
                await page.page.reload()
                async with asyncio.timeout(HANGS_SECONDS):
                    while not any('"pong"' in told for told in heard):
                        await club.settle()
                await time.run_for(20)
                await page.at("#own .board").wait_for()
                await page.view.evaluate(HIDE, arg=True)
                net.lost = True
                await time.run_for(10 * MINUTE_MS)
                await time.pause_at(await page.view.evaluate("() => Date.now() / 1000 + 1"))
                await club.play_turn(first)
                came: list[str] = []

                def listen(socket: Any) -> None:
                    socket.on("framereceived", lambda told: came.append(str(told)))

                page.page.on("websocket", listen)
                net.lost = False
                await page.view.evaluate(HIDE, arg=False)
                await time.run_for(860)
                async with asyncio.timeout(HANGS_SECONDS):
                    while not any('"snapshot"' in told for told in came):
                        await club.settle()  # the way there and back is the network's
                for _ in range(7):
                    await time.run_for(20)
                    if await page.at("#bar button.main").count():
                        break
                assert await page.at("#bar button.main").count() == 1
                assert await page.at("#others .card").count() == 5


async def test_a_slow_connection_is_not_taken_for_a_lost_one(tmp_path: Path) -> None:
    async with by_link(tmp_path) as (club, net):
        await club.open_table("alice", "bob")
        async with linked(club) as door, browsing() as driver:
            net.to = door.port
            shown = await driver.new_page(viewport=PHONE)
            time = shown.clock
            await time.install(time=club.world.now_ms() / 1000)
            sockets: list[Any] = []
            pongs: list[str] = []

            def listen(socket: Any) -> None:
                sockets.append(socket)
                socket.on("framereceived", lambda told: pongs.append(told) if '"pong"' in told else None)

            async def heard(count: int) -> None:
                async with asyncio.timeout(HANGS_SECONDS):
                    while len(pongs) < count:
                        await club.settle()

            shown.on("websocket", listen)
            await shown.goto(link_in(await club.open_panel("alice")))
            page = Tab(shown)
            await page.at("#own .board").wait_for()
            await heard(1)
            await time.pause_at(await shown.evaluate("() => Date.now() + 1000"))
            # Back at the tab the network answers more and more slowly.
            for number, ms in enumerate((600, 1000, 2000), start=2):
                net.answers.clear()
                await shown.evaluate(HIDE, arg=False)
                await time.run_for(ms)
                net.answers.set()
                await heard(number)
                assert len(sockets) == 1, ms
            # Yet one that is lost is given up.
            net.lost = True
            await shown.evaluate(HIDE, arg=False)
            await time.run_for(10_000)
            async with asyncio.timeout(HANGS_SECONDS):
                while len(sockets) == 1:
                    await club.settle()


async def test_what_was_to_be_read_is_asked_for_again_once_the_network_is_back(tmp_path: Path) -> None:
    async with by_link(tmp_path) as (club, net):
        await club.open_table("alice", "bob")
        await club.play_hand()
        async with linked(club) as door:
            net.to = door.port
            async with tab(club, "alice", PHONE) as page:
                await page.at("#result").wait_for()
                net.lost = True
                await page.at('[data-key="past"]').click()
                await page.at('[data-key="past"][aria-disabled=true]').wait_for()
                await until_said(page, WORDS("page.words.offline"))
                net.lost = False
                for _ in range(0, MINUTE_MS, 500):
                    if await page.at("#sheet[open] #scrubber").count():
                        break
                    await page.page.clock.run_for(500)
                await page.at("#sheet[open] #scrubber").wait_for()
                await page.page.keyboard.press("Escape")
                # It's answered, and can be read as often as one likes.
                await page.at('[data-key="past"]:not([aria-disabled])').click()
                await page.at("#sheet[open] #scrubber").wait_for()


async def test_a_restart_of_the_bot_is_told_and_the_page_goes_on_with_its_draft(tmp_path: Path) -> None:
    async with by_link(tmp_path) as (club, net):
        await club.open_table("alice", "bob")
        name = await club.on_turn()
        async with browsing() as driver:
            shown = await driver.new_page(viewport=DESK)
            async with linked(club) as door:
                net.to = door.port
                page = Tab(shown)
                await shown.goto(link_in(await club.open_panel(name)))
                await page.at("#own .board").wait_for()
                assert "#" not in shown.url
                await shown.keyboard.press("f")
                await page.at('.board:not(.pending) [data-row="F"] [data-card]').wait_for()
            net.to = 0
            await page.at("#toast:not([hidden])").wait_for()
            assert await page.at("#toast").text_content() in (WORDS("page.stopping"), WORDS("page.words.offline"))
            for key in "mmbb":
                await shown.keyboard.press(key)
            await club.restart(down_seconds=5)
            async with linked(club) as door:
                net.to = door.port
                await page.confirm()
                await page.at("#tray").wait_for(state="detached")
                assert await placed(club, name) == 5
                # A tab that is loaded again knows who it is.
                await shown.reload()
                await page.at("#own .board").wait_for()
                # A link that was used is not good again, as in another browser.
                other = await driver.new_page(viewport=DESK)
                panel = await club.open_panel(name)
                link = link_in(panel)
                await other.goto(link)
                await other.locator("#own .board").wait_for()
                third = await (await driver.new_context()).new_page()
                await third.goto(link)
                await third.locator("#toast", has_text=WORDS("page.link_over")).wait_for()


async def test_a_page_goes_on_at_the_process_that_serves_its_server_now_and_takes_along_what_was_pressed(
    tmp_path: Path,
) -> None:
    async with by_link(tmp_path) as (club, net), network() as other:
        await club.open_table("alice", "bob")
        name = await club.on_turn()
        links, guild = club.bot.links, club.key().guild
        elsewhere = f"http://127.0.0.1:{other.port}"
        async with linked(club) as here, linked(club, url=elsewhere) as there, browsing() as driver:
            # The same bot serves both processes' addresses. They differ only in the server.
            net.to, other.to = here.port, there.port
            shown = await driver.new_page(viewport=DESK)
            page = Tab(shown)
            await shown.goto(link_in(await club.open_panel(name)))
            await page.at("#own .board").wait_for()
            await shown.keyboard.press("f")
            await page.at('.board:not(.pending) [data-row="F"] [data-card]').wait_for()
            for key in "mmbb":
                await shown.keyboard.press(key)

            async def url_of(guild: int) -> str:
                return elsewhere

            links._url_of = url_of  # noqa: SLF001  (as leases tell it)
            await page.at("#bar button.main:not([disabled])").wait_for()
            club.bot.leased = []
            await page.confirm()
            assert await placed(club, name) == 0
            links.handed_over(lambda one: one == guild)
            there_now = "port => location.port === port && !location.hash"
            await shown.wait_for_function(there_now, arg=str(other.port))
            club.bot.leased = None
            await page.at("#own .board").wait_for()
            await page.at("#tray").wait_for(state="detached")
            assert await placed(club, name) == 5
            assert "#" not in shown.url


async def test_a_personal_link_leads_to_streams_and_hands_too_and_each_tab_can_be_loaded_again(tmp_path: Path) -> None:
    async with by_link(tmp_path) as (club, net), linked(club) as door, browsing() as driver:
        net.to = door.port
        await club.open_table("alice", "bob")
        await club.play_hand()
        await club.share_hands("alice", "bob")
        context = await driver.new_context(viewport=DESK, permissions=["clipboard-read", "clipboard-write"])
        page = Tab(await context.new_page())
        await page.page.goto(link_in(await club.open_panel("alice")))
        await page.at("#result").wait_for()
        await page.page.reload()
        await page.at('[data-key="past"]').click()
        await page.at("#sheet .ways button", has_text=WORDS("page.words.share")).click()
        await page.at("#toast", has_text=WORDS("page.words.shared")).wait_for()
        guest = Tab(await (await driver.new_context(viewport=PHONE)).new_page())
        await guest.page.goto(await page.view.evaluate("() => navigator.clipboard.readText()"))
        await page.page.keyboard.press("Escape")
        await page.at("#settings > button").click()
        await page.at('[data-key="stream"]').click()
        await page.at("#stream-address").wait_for()
        address = await page.at("#stream-address").input_value()
        async with context.expect_page() as opened:
            await page.at('[data-key="open-stream"]').click()
        stream = Tab(await opened.value)
        for one, shows in ((guest, "#scrubber"), (stream, "#told .status")):
            await one.at(shows).wait_for()
            assert "#" not in one.page.url
            await one.page.reload()
            await one.at(shows).wait_for()
        assert "overlay" in stream.page.url
        # The address itself opens the page in software that isn't logged in.
        software = Tab(await (await driver.new_context(viewport=DESK)).new_page())
        for _ in range(2):
            await software.page.goto(address)
            await software.at("#told .status").wait_for()
            assert await software.at("#head, #bar").evaluate_all("all => all.every(one => !one.checkVisibility())")
        settings = await settings_page(club, "alice", "pages_close")
        await club.tap("alice", settings, settings.find("pages_close"))
        for one in (page, stream, software):
            await one.at("#toast", has_text=WORDS("page.closed")).wait_for(state="attached")
        await page.page.reload()
        await page.at("#toast", has_text=WORDS("page.link_over")).wait_for()
        assert await guest.at("#scrubber").count() == 1
        assert [one.complaints for one in (page, stream, guest)] == [[], [], []]
