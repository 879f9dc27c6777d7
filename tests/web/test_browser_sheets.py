"""Sheets over the table close with their subject, and buttons are labelled with their current effect."""

from __future__ import annotations

import pytest

from bot.model.ids import GuildId, TableId, TableKey
from bot.model.tables import TableState
from bot.text.words import words_for
from tests.discord.club import Club
from tests.discord.test_practice import play_to_the_end, practised
from tests.web.browser import DESK, PHONE, Tab, browsing
from tests.web.open_pages import Open
from tests.web.test_browser import tab, three

pytestmark = pytest.mark.browser

WORDS = words_for("en")


async def on_turn(club: Club) -> None:
    """Let the computer think until it's Alice's turn."""
    while not (view := await club.look(1, "alice")).waiting or view.you not in view.waiting:
        await club.pass_time(1)


async def test_the_rules_close_with_their_table(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    await club.open_table("alice", "hanako", game="classic")
    async with tab(opened, club, "alice", DESK) as page:
        await page.at("#tray").wait_for()
        shown = int(await page.at("#tables").input_value())
        await page.at("#settings > button").click()
        await page.at('#menu [data-key="rules"]').click()
        await page.at("#sheet[open] h3").first.wait_for()
        key = TableKey(guild=GuildId(club.guild.id), table=TableId(shown))
        await club.play.close(key, reason="empty")
        other = {1: 2, 2: 1}[shown]
        title = page.at("#title", has_text=WORDS("page.words.table") + f" {other}")
        await title.wait_for()
        await page.at("#sheet").wait_for(state="hidden")


async def test_a_result_closes_with_its_table_and_the_others_is_heard(club: Club, opened: Open) -> None:
    """Both are results of a first hand."""
    tables = [await club.open_table("alice", "bob", "hanako") for _ in range(2)]
    for table in tables:
        await club.play_hand(table)
    async with tab(opened, club, "alice", PHONE) as page:
        await page.at("#ended .all").click()
        await page.at("#sheet[open] #result").wait_for()
        shown = int(await page.at("#tables").input_value())
        (other,) = set(tables) - {shown}
        await page.page.evaluate("() => { document.getElementById('live').textContent = ''; }")
        await club.play.close(TableKey(guild=GuildId(club.guild.id), table=TableId(shown)), reason="empty")
        await page.at("#title", has_text=WORDS("page.words.table") + f" {other}").wait_for()
        await page.at("#sheet").wait_for(state="hidden")
        assert WORDS("result.title", hand=1) in str(await page.at("#live").text_content())


async def test_confirm_says_what_it_does_once_it_is_ones_turn(club: Club, opened: Open) -> None:
    panel = await practised(club, "alice")
    while (view := await club.look(1, "alice")).you in view.waiting:
        # In one of the hands the computer is first.
        await play_to_the_end(club, "alice", panel)
        await club.settle()
        await club.click("alice", panel, WORDS("practice.button.next"))
    async with tab(opened, club, "alice", PHONE) as page:
        for row in "fffmm":
            await page.page.keyboard.press(row)
        ahead = page.at('#bar [data-key="confirm"]:not([disabled])', has_text=WORDS("board.confirm_ahead"))
        await ahead.wait_for()
        await on_turn(club)
        assert (await club.look(1, "alice")).table.state is TableState.PLAYING
        now = page.at('#bar [data-key="confirm"]:not([disabled])').get_by_text(WORDS("button.confirm"), exact=True)
        await now.wait_for()
        await now.click()
        await page.view.wait_for_function("() => document.querySelectorAll('#own .board span.card').length === 5")


@pytest.mark.parametrize("asked", ["5", "{}", "[5, null, {}, []]", "%", '[{"type":"intent","id":7}]'])
async def test_an_address_that_asks_for_nonsense_says_so(club: Club, opened: Open, asked: str) -> None:
    async with browsing() as driver:
        page = Tab(await driver.new_page(viewport=PHONE))
        await page.page.goto(f"{opened.origin}/table#=x~{asked}")
        await page.at("#toast:not([hidden])", has_text=WORDS("page.not_known")).wait_for()
        assert page.complaints == []


async def test_dark_follows_the_system_at_once_and_a_reconnect_moves_nothing(club: Club, opened: Open) -> None:
    name = await three(club, streets=0)
    async with tab(opened, club, name, DESK, color_scheme="light") as page:
        assert await page.at("html.dark").count() == 0
        await page.page.emulate_media(color_scheme="dark")
        await page.at("html.dark").wait_for()
        await page.at("#settings > button").click()
        assert await page.at("#wish-dark").is_checked()
        await page.at("#wish-large").focus()
        opened.pages.close()
        await page.at("#toast", has_text=WORDS("page.words.online")).wait_for()
        assert await page.view.evaluate("() => document.activeElement.id") == "wish-large"
