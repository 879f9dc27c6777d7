"""The page in a real browser apart from playing: watching, streams, reviews, links and turn alerts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from pytest_asyncio import fixture

from bot.model.ids import GuildId, TableId, TableKey
from bot.pure.notation.files import read_history
from bot.text.words import words_for
from tests.discord.club import Club
from tests.web.browser import DESK, PHONE, Tab, browsing
from tests.web.open_pages import Open

pytestmark = pytest.mark.browser


class Tabs:
    """A browser with a page for each of several people."""

    def __init__(self, driver: Any, opened: Open, club: Club) -> None:
        self.driver, self.opened, self.club = driver, opened, club
        self.all: list[Tab] = []

    async def open(self, size: dict[str, int], name: str = "", *, query: str = "", token: str = "", **told: Any) -> Tab:
        """Open a member's page, or the page for another kind of token."""
        told.setdefault("accept_downloads", True)
        context = await self.driver.new_context(viewport=size, **told)
        shown = Tab(await context.new_page())
        self.all.append(shown)
        token = token or self.opened.token(self.club, name)
        await shown.page.goto(f"{self.opened.origin}/table{query}#{token}")
        return shown


@fixture(loop_scope="session")
async def tabs(club: Club, opened: Open) -> AsyncIterator[Tabs]:
    """The browser; in the end no page of it has complained."""
    async with tabs_of(opened, club) as found:
        yield found


@asynccontextmanager
async def tabs_of(opened: Open, club: Club) -> AsyncIterator[Tabs]:
    async with browsing() as driver:
        found = Tabs(driver, opened, club)
        yield found
        assert [tab.complaints for tab in found.all if tab.complaints] == []


async def played(club: Club) -> None:
    """A hand of Alice and Bob that is over."""
    await club.open_table("alice", "bob")
    await club.play_hand()


async def test_a_chosen_card_goes_where_a_placed_one_is_tapped(club: Club, tabs: Tabs) -> None:
    await club.open_table("alice", "bob")
    for _ in range(2):
        await club.play_turn(await club.on_turn())
    name = await club.on_turn()
    page = await tabs.open(PHONE, name, has_touch=True)
    await page.at('[data-card="0"]').tap()
    await page.at('[data-row="M"] .line button').tap()
    await page.at('[data-row="M"] [data-card="0"]').wait_for()
    # There is space next to it, and the selected card goes to the same row.
    await page.at('[data-card="2"]').tap()
    await page.at('[data-row="M"] [data-card="0"]').tap()
    await page.at('[data-row="M"] [data-card="2"]').wait_for()
    assert await page.at('[data-row="M"] [data-card="0"]').count() == 1
    # The street is placed: the one that is left takes its place.
    await page.at('#tray [data-card="1"]').tap()
    await page.at('[data-row="M"] [data-card="0"]').tap()
    await page.at('[data-row="M"] [data-card="1"]').wait_for()
    await page.at('#tray [data-card="0"]').tap()
    # In another row it takes that of the card which was placed last.
    await page.at('[data-row="F"] .line button').tap()
    await page.at('[data-row="F"] [data-card="0"]').wait_for()
    assert await page.at("#tray [data-card]").count() == 1
    await page.confirm()
    await page.at("#tray").wait_for(state="detached")


async def test_a_hand_is_watched_and_its_rules_are_read(club: Club, tabs: Tabs) -> None:
    await club.open_table("alice", "bob")
    words = words_for("ja")
    page = await tabs.open(DESK, "hanako")
    await page.at("#others .seat").first.wait_for()
    assert words("page.words.watching") in await page.at("#told").text_content()
    assert await page.at("#tray").count() == 0
    for _ in range(2):
        await club.play_turn(await club.on_turn())
    await page.view.wait_for_function("() => document.querySelectorAll('#others .card').length === 10")
    for size, wide in ((DESK, 60), (PHONE, 40)):
        await page.sized(size)
        await page.fits()
        assert await page.width("#others .slot") >= wide
    await page.at("#settings > button").click()
    await page.at('#menu [data-key="rules"]').click()
    await page.at("#sheet[open] h3").first.wait_for()
    assert await page.at("#sheet h2").text_content() == words("ways.button.rules")
    await page.page.keyboard.press("Escape")
    await page.at("#sheet").wait_for(state="hidden")
    # A stream has the boards and nothing around them.
    stream = await tabs.open(DESK, "alice", query="?overlay&table=1")
    await stream.at("#told .status").wait_for()
    assert await stream.at("#head").is_hidden()
    assert await stream.at(".card").count() == 0
    for _ in range(4):
        await club.play_turn(await club.on_turn())
    await stream.view.wait_for_function("() => document.querySelectorAll('#others .card').length === 14")
    await page.view.wait_for_function("() => document.querySelectorAll('#others .card').length === 18")
    assert await stream.at("#others .card").count() == 14
    assert await stream.at("#tray, #bar button:visible").count() == 0
    # The boards have the whole width, and the text is below them.
    assert await stream.width("#others .slot") >= 100
    boards, told = [await stream.at(part).bounding_box() for part in ("#others", "#told .status")]
    assert told["y"] >= boards["y"] + boards["height"]


def _text(path: str) -> str:
    return Path(path).read_text(encoding="utf-8")


async def test_a_hand_is_replayed_reviewed_and_tried_again(club: Club, tabs: Tabs) -> None:
    await played(club)
    words = words_for("en")
    page = await tabs.open(DESK, "alice")
    await page.at('[data-key="past"]').click()
    await page.at("#scrubber").wait_for()
    assert await page.at("#sheet .step").text_content() == words("replay.street", hand=1, street=1, count=5)
    assert await page.at("#sheet .boards .card").count() == 10
    await page.page.keyboard.press("ArrowRight")
    assert await page.at("#sheet .boards .card:not(.pile .card)").count() == 14
    stood = await page.at("#scrubber").bounding_box()
    await page.page.keyboard.press("End")
    await page.at("#sheet #result").wait_for()
    # The button for the next step stays in place.
    assert await page.at("#scrubber").bounding_box() == stood
    for size in (PHONE, DESK):
        await page.sized(size)
        wide = await page.at("#sheet").evaluate("sheet => sheet.scrollWidth - sheet.clientWidth")
        assert wide <= 0
    async with page.page.expect_download() as download:
        await page.at("#sheet button", has_text=words("replay.button_file")).click()
    assert read_history(_text(await (await download.value).path()))
    await page.page.keyboard.press("Escape")
    await page.at('[data-key="review"]').click()
    await page.at("#sheet .below .prose p").first.wait_for()
    assert words("review.placed").strip("*:") in await page.at("#sheet .below").text_content()
    await page.page.keyboard.press("End")
    meanings = page.at("#sheet .meanings")
    assert not await meanings.locator("p").first.is_visible()
    await meanings.locator("summary", has_text=words("review.button.how")).click()
    assert words("review.how") in await meanings.locator("p").first.inner_text()
    await page.at("#scrubber").press("Home")
    await page.at("#sheet .ways button", has_text=words("review.button.retry")).click()
    await page.at("#tray [data-card]").first.wait_for()
    for size in (DESK, PHONE):
        await page.sized(size)
        await page.fits()
    for _ in range(5):
        await page.page.keyboard.press("b")
    await page.confirm()
    await page.view.wait_for_function("() => document.querySelectorAll('#tray [data-card]').length === 3")
    await page.at('[data-key="end_retry"]').click()
    await page.at('[data-key="past"]').wait_for()


async def test_the_deck_of_a_hand_is_checked_by_the_names_of_its_players(club: Club, tabs: Tabs) -> None:
    await played(club)
    words = words_for("en")
    page = await tabs.open(PHONE, "alice")
    record = page.at("#sheet .ways button", has_text=words("page.words.record"))
    await page.at('[data-key="past"]').click()
    await page.at("#scrubber").wait_for()
    assert await record.count() == 0, "at an open table it would only be refused"
    await page.page.keyboard.press("Escape")
    await club.play.close(TableKey(guild=GuildId(club.guild.id), table=TableId(1)), reason="empty")
    await page.at('[data-key="past"]').click()
    await record.click()
    await page.at("#outcome.right").wait_for()
    named = await page.at("#sheet .deal b").all_text_contents()
    seats = [words("page.verify.seat", seat=at, player=name) for at, name in enumerate(("Alice", "Bob"), 1)]
    assert sorted(named) == seats
    # Read again as it was saved, it's still known who is meant.
    await page.at("#check").click()
    await page.at("#outcome.right").wait_for()
    assert sorted(await page.at("#sheet .deal b").all_text_contents()) == seats


async def test_while_a_review_is_worked_out_other_things_are_read(club: Club, tabs: Tabs, opened: Open) -> None:
    await played(club)
    page = await tabs.open(PHONE, "alice")
    doing, done = opened.pages.doing, asyncio.Event()

    @asynccontextmanager
    async def later() -> AsyncIterator[None]:
        opened.pages.doing = doing
        await done.wait()
        async with doing():
            yield

    opened.pages.doing = later
    await page.at('[data-key="review"]').click()
    await page.at("#toast:not(.trouble)", has_text=words_for("en")("page.words.working")).wait_for()
    await page.at('[data-key="past"]').click()
    await page.at("#scrubber").wait_for()
    assert await page.at("#sheet .below .prose p").count() == 0
    done.set()
    await page.at("#sheet .below .prose p").first.wait_for()


async def test_the_link_of_a_hand_opens_it_for_anybody(club: Club, tabs: Tabs, opened: Open) -> None:
    await played(club)
    await club.share_hands("alice", "bob")
    page = await tabs.open(DESK, "alice", permissions=["clipboard-read", "clipboard-write"])
    await page.at('[data-key="past"]').click()
    await page.at("#sheet button", has_text=words_for("en")("page.words.share")).click()
    # The message is in front of the open sheet.
    await page.at("#sheet #toast", has_text=words_for("en")("page.words.shared")).wait_for()
    address = str(await page.view.evaluate("() => navigator.clipboard.readText()"))
    assert address.startswith(f"{opened.origin}/table#hand.")
    guest = await tabs.open(PHONE, token=address.split("#")[1])
    await guest.at("#scrubber").wait_for()
    assert await guest.view.evaluate("() => location.hash") == ""
    assert words_for("en")("replay.street", hand=1, street=1, count=5) == await guest.at("#sheet .step").text_content()
    assert await guest.at("#sheet .ways button").count() == 2
    # Users who closed it can find it again.
    await guest.page.keyboard.press("Escape")
    assert await guest.at("#title").text_content() == words_for("en")("page.shared_hand")
    await guest.at('#bar [data-key="past"]').click()
    await guest.at("#sheet[open] #scrubber").wait_for()


async def test_who_has_neither_won_nor_lost_is_not_told_in_red(club: Club, tabs: Tabs) -> None:
    await club.open_table("alice", "bob")
    # Sixes in front of fours; Bob fouls as the clock would place.
    await club.play_hand(script={"alice": ["FMFFM", "MBD", "MBD", "MBD", "BBD"]})
    page = await tabs.open(DESK, "alice")
    await page.at("#result").wait_for()
    assert await page.at(".gained").all_text_contents() == ["0", "0"]
    assert await page.at(".gained.up, .gained.down").count() == 0


LOUD = """
  window.called = [];
  navigator.vibrate = pattern => window.called.push("vibration");
  const Quiet = window.AudioContext;
  window.AudioContext = class extends Quiet {
    createOscillator() { window.called.push("sound"); return super.createOscillator(); }
  };
  true;
"""


async def test_ones_turn_is_seen_on_the_tab_and_heard_by_who_wants_it(club: Club, tabs: Tabs) -> None:
    await club.open_table("alice", "bob")
    name = await club.on_turn()
    other = "bob" if name == "alice" else "alice"
    page = await tabs.open(PHONE, name)
    await page.at("#tray").wait_for()
    await page.view.evaluate(LOUD)
    assert (await page.page.title()).startswith("●")
    icons = [await page.at("link[rel=icon]").get_attribute("href")]
    await club.play_turn(name)
    await page.view.wait_for_function("() => !document.title.startsWith('●')")
    icons.append(await page.at("link[rel=icon]").get_attribute("href"))
    assert icons[0] != icons[1]
    await club.play_turn(other)
    await page.view.wait_for_function("() => document.title.startsWith('●')")
    assert await page.view.evaluate("() => window.called") == []
    await page.at("#settings > button").click()
    for change_member_settings in ("sound", "vibration"):
        await page.at(f"#wish-{change_member_settings}").check()
    await page.page.keyboard.press("Escape")
    await club.play_turn(name)
    await page.view.wait_for_function("() => !document.title.startsWith('●')")
    await club.play_turn(other)
    # A card that comes sounds too, and one's turn on top of it.
    await page.view.wait_for_function("() => window.called.filter((one) => one === 'sound').length >= 2")
    assert await page.view.evaluate("() => window.called.includes('vibration')")


async def test_keys_move_no_card_while_a_sheet_is_open(club: Club, tabs: Tabs) -> None:
    await club.open_table("alice", "bob")
    page = await tabs.open(DESK, await club.on_turn())
    await page.at("#tray").wait_for()
    await page.at("#settings > button").press("Enter")
    await page.at('#menu [data-key="verify"]').press("Enter")
    await page.at("#record").fill("fmb")
    await page.page.keyboard.press("f")
    assert await page.at("#tray [data-card]").count() == 5
    await page.page.keyboard.press("Escape")
    await page.page.keyboard.press("f")
    await page.at('[data-row="F"] [data-card]').wait_for()
