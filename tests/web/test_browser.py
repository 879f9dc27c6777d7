"""The page in a real browser: dragged, tapped and played by keys, on a phone and on a desk, in both languages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

from bot.run.playground.page import ChannelPage
from bot.text.languages import ENGLISH
from bot.text.words import words_for
from tests.discord.club import Club, fantasyland_letters, plain_letters
from tests.web.browser import DESK, PHONE, Tab, browsing, visited
from tests.web.open_pages import Open, served

pytestmark = pytest.mark.browser

WORDS = words_for("en")
SET = WORDS("panel.set_already").removeprefix("✅ ")


@asynccontextmanager
async def tab(opened: Open, club: Club, name: str, size: dict[str, int], **settings: Any) -> AsyncIterator[Tab]:
    """Open a member's page in a browser, and check for errors at the end."""
    async with visited(opened.address(club, name), size, **settings) as shown:
        await shown.at("#own .board").wait_for()
        yield shown


async def three(club: Club, streets: int = 1) -> str:
    """Three people who have played so many streets; returns whose turn it is."""
    await club.open_table("alice", "bob", "hanako")
    for _ in range(3 * streets):
        await club.play_turn(await club.on_turn())
    return await club.on_turn()


async def placed(club: Club, name: str) -> int:
    """Return the number of cards that a member has placed."""
    hand = (await club.look(1, name)).hand
    assert hand is not None
    assert hand.mine is not None
    return sum(map(len, hand.mine.rows))


async def test_a_street_takes_three_gestures_on_a_phone(club: Club, opened: Open) -> None:
    name = await three(club)
    async with tab(opened, club, name, PHONE, has_touch=True) as page:
        await page.fits()
        cut = "one => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight"
        assert not await page.at("#title").evaluate(cut)
        assert await page.width("#own .slot") >= 56
        assert await page.width("#others .slot") >= 24
        await page.drag(0, "F")
        await page.drag(1, "M")
        await page.confirm()
        await page.at("#tray").wait_for(state="detached")
        assert await placed(club, name) == 7
        await page.fits()


async def test_three_opponents_on_a_phone_leave_ones_own_cards_large(club: Club, opened: Open) -> None:
    club.newcomer("carol")
    await club.open_table("alice", "bob", "hanako", "carol", game="classic")
    async with tab(opened, club, "alice", PHONE) as page:
        await page.fits()
        assert await page.at("#others .seat").count() == 3
        assert await page.width("#own .slot") >= 64


async def test_on_a_desk_everybody_is_large(club: Club, opened: Open) -> None:
    name = await three(club)
    async with tab(opened, club, name, DESK) as page:
        await page.fits()
        assert await page.width("#own .slot") >= 75
        assert await page.width("#others .slot") >= 45


async def test_a_card_and_then_a_row_are_tapped(club: Club, opened: Open) -> None:
    name = await three(club)
    async with tab(opened, club, name, PHONE, has_touch=True) as page:
        await page.at('[data-card="2"]').tap()
        assert await page.at('[data-card="2"]').get_attribute("aria-pressed") == "true"
        await page.at('[data-row="M"]').tap(position={"x": 20, "y": 40})
        await page.at('[data-row="M"] [data-card="2"]').wait_for()
        # The next card is selected automatically, and tapping a placed card takes it back.
        await page.at('[data-row="F"]').tap(position={"x": 20, "y": 40})
        await page.at('[data-row="F"] [data-card]').wait_for()
        await page.at('[data-row="M"] [data-card="2"]').tap()
        await page.at('#tray [data-card="2"]').wait_for()
        await page.at('[data-row="B"] .line button').wait_for()
        await page.at('[data-row="M"] .line button').tap()
        await page.confirm()
        await page.at("#tray").wait_for(state="detached")
        assert await placed(club, name) == 7


async def test_one_opponents_name_and_royalty_are_read_whole(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    async with tab(opened, club, "alice", PHONE) as page:
        await club.play_hand()
        await page.at("#result").wait_for()
        cut = """() => [...document.querySelectorAll('.seat b, .seat .note, .seat .made')]
          .filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.textContent)"""
        for size in (PHONE, DESK):
            await page.sized(size)
            assert await page.view.evaluate(cut) == []
            assert await page.width(".seat") >= 200


async def test_ones_own_name_is_read_whole_with_nothing_beside_it(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    async with tab(opened, club, "alice", DESK) as page:
        alone = "one => { one.parentElement.replaceChildren(one); return [one.scrollWidth, one.clientWidth]; }"
        wanted, shown = await page.at("#own > .name b").evaluate(alone)
        assert 0 < wanted <= shown + 1, "as before an event's first hand"


async def test_what_is_told_in_passing_covers_no_card_of_ones_own(club: Club, opened: Open) -> None:
    name = await three(club, streets=0)
    async with tab(opened, club, name, PHONE) as page:
        for card in range(3):
            await page.page.keyboard.press("f")
            await page.at(f'[data-row="F"] [data-card="{card}"]').wait_for()
        await page.page.keyboard.press("f")
        await page.at("#toast:not([hidden])").wait_for()
        toast = await page.at("#toast").bounding_box()
        board = await page.at("#own .board").bounding_box()
        assert toast
        assert board
        assert toast["y"] + toast["height"] <= board["y"]


async def test_the_settings_close_as_menus_do(club: Club, opened: Open) -> None:
    name = await three(club)
    async with tab(opened, club, name, PHONE) as page:
        for by_key in (False, True):
            await page.at("#settings > button").click()
            await page.at("#menu").wait_for()
            if by_key:
                await page.page.keyboard.press("Escape")
            else:
                await page.at("#title").click()
            await page.at("#menu").wait_for(state="hidden")


async def test_keys_alone_play_a_street(club: Club, opened: Open) -> None:
    name = await three(club)
    async with tab(opened, club, name, DESK) as page:
        keys = page.page.keyboard
        await keys.press("f")
        await page.at('[data-row="F"] [data-card="0"]').wait_for()
        await keys.press("u")
        await page.at('#tray [data-card="0"]').wait_for()
        await keys.press("ArrowRight")
        await page.at('[data-card="1"].chosen').wait_for()
        await keys.press("m")
        await page.at('[data-row="M"] [data-card="1"]').wait_for()
        await keys.press("F")
        await page.at("#bar button.main:not([disabled])").wait_for()
        await keys.press("Enter")
        await page.at("#tray").wait_for(state="detached")
        assert await placed(club, name) == 7


async def test_a_whole_hand_is_played_and_looked_back_at_by_keys_alone(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    async with tab(opened, club, "alice", DESK) as page:
        keys, streets = page.page.keyboard, 0
        while (view := await club.look(1, "alice")).waiting:
            name = await club.on_turn()
            if name != "alice":
                await club.play_turn(name)
                continue
            assert view.hand is not None
            assert view.hand.mine is not None
            held = sum(card is not None for card in view.hand.mine.held)
            await page.view.wait_for_function("n => document.querySelectorAll('#tray .card').length === n", arg=held)
            for place, letter in enumerate(plain_letters(view)):
                if letter == "D":
                    continue
                # The arrows go round the cards that are left.
                while not await page.at(f'#tray [data-card="{place}"].chosen').count():
                    await keys.press("ArrowRight")
                await keys.press(letter.lower())
                await page.at(f'.board [data-row="{letter}"] [data-card="{place}"]').wait_for()
            await page.at("#bar button.main:not([disabled])").wait_for()
            await keys.press("Enter")
            streets += 1
            lie = "n => document.querySelectorAll('#own .board span.card').length === n"
            await page.view.wait_for_function(lie, arg=3 + 2 * streets)
        assert streets == 5
        await page.at("#result").wait_for()
        await focused(page, '[data-key="past"]')
        await keys.press("Enter")
        await page.at("#scrubber").wait_for()
        await keys.press("ArrowRight")
        assert await page.at("#sheet .step").text_content() == WORDS("replay.street", hand=1, street=2, count=5)
        await keys.press("Escape")
        await page.at("#sheet").wait_for(state="hidden")
        assert await page.view.evaluate("() => document.activeElement.dataset.key") == "past"


async def focused(page: Tab, selector: str) -> None:
    """Go there with the tabulator."""
    for _ in range(20):
        if await page.view.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        await page.page.keyboard.press("Tab")
    raise AssertionError(selector)


async def test_every_card_row_and_button_has_a_name_and_news_are_said_once(club: Club, opened: Open) -> None:
    name = await three(club)
    words = words_for("en" if name != "hanako" else "ja")
    async with tab(opened, club, name, DESK) as page:
        unnamed = await page.view.evaluate(
            """() => [...document.querySelectorAll('.card, .row[role], button, select, summary, [role=timer]')]
              .filter(one => !one.closest('[hidden]') && !(one.getAttribute('aria-label') || one.textContent.trim()))
              .map(one => one.outerHTML)"""
        )
        assert unnamed == []
        assert await page.at(".card").count() > 15
        assert await page.at("[aria-live]").count() == 1
        assert await page.at("[aria-live]").get_attribute("aria-live") == "polite"
        card = await page.at('[data-card="0"]').get_attribute("aria-label")
        await page.page.keyboard.press("b" if await page.at('[data-row="B"].open').count() else "m")
        said = await page.at("#live").text_content()
        row = "back" if await page.at('[data-row="B"] [data-card="0"]').count() else "middle"
        assert said == words("page.words.placed", card=card, row=await page_row(page, row))


async def page_row(page: Tab, row: str) -> str:
    """Return the page's name for a row."""
    text = await page.at(f'[data-row="{row[0].upper()}"] .line button').text_content()
    return str(text).rsplit(" ", 1)[0]


@pytest.mark.parametrize(("name", "code"), [("alice", "en"), ("hanako", "ja")])
async def test_it_speaks_its_readers_language(club: Club, opened: Open, name: str, code: str) -> None:
    words = words_for(code)
    await three(club)
    async with tab(opened, club, name, DESK) as page:
        assert await page.view.evaluate("() => document.documentElement.lang") == code
        assert words("button.undo") in await page.at("#bar").text_content()
        assert await page.at('[data-row="F"] .line button').text_content() == words(
            "button.row", row=words("row.front").capitalize(), filled=0, size=3
        )
        for size in (DESK, PHONE):
            await page.sized(size)
            await page.fits()
        await page.at("#settings > button").click()
        await page.at("#menu").wait_for()
        assert words("page.words.keys") in await page.at("#menu").text_content()
        await page.at("#wish-colours").uncheck()
        colours = "() => ['.card.c', '.card.s'].map(one => getComputedStyle(document.querySelector(one)).color)"
        clubs, spades = await page.view.evaluate(colours)
        assert clubs == spades
        await page.at("#wish-dark").check()
        assert "dark" in await page.view.evaluate("() => document.documentElement.className")


async def whole(page: Tab) -> None:
    """Check that everything is on the screen and that instructions aren't cut off, on a phone and on a desktop."""
    for size in (PHONE, DESK):
        await page.sized(size)
        await page.fits()
        cut = "all => all.some(one => one.scrollWidth > one.clientWidth + 1)"
        assert not await page.at("#own > .name .note").evaluate_all(cut)


async def test_a_fantasyland_of_fourteen_takes_thirteen_drags_and_one_press(lucky: Club) -> None:
    async with served(lucky) as opened, tab(opened, lucky, "alice", DESK) as page:
        assert await page.at("#tray [data-card]").count() == 14
        assert await page.at("#own > .name .note").count() == 1
        await whole(page)
        letters = fantasyland_letters(await lucky.look(1, "alice"))
        gestures = 0
        for place, letter in enumerate(letters):
            if letter != "D":
                await page.drag(place, letter)
                gestures += 1
        assert gestures == 13
        await whole(page)
        await page.confirm()
        await page.at("#told", has_text=SET).wait_for()
        hand = (await lucky.look(1, "alice")).hand
        assert hand is not None
        assert hand.mine is not None
        assert hand.mine.placed


async def test_rows_are_tapped_for_a_fantasyland_and_it_is_arranged(lucky: Club) -> None:
    async with served(lucky) as opened, tab(opened, lucky, "alice", PHONE, has_touch=True) as page:
        for row in "FFFMMMMMBBBBB":
            left = await page.at("#tray [data-card]").count()
            await page.at(f'[data-row="{row}"] .line button').tap()
            await page.view.wait_for_function(
                "left => document.querySelectorAll('#tray [data-card]').length < left", arg=left
            )
        assert await page.at("#tray [data-card]").count() == 1
        await page.at('[data-key="clear"]').tap()
        assert await page.at("#tray [data-card]").count() == 14
        await page.at('[data-key="arrange"]').tap()
        await page.view.wait_for_function("() => document.querySelectorAll('#tray [data-card]').length === 1")
        arranged = page.at("#toast:not([hidden])", has_text=WORDS("page.arranged").replace("**", ""))
        await arranged.wait_for()
        await page.confirm()
        assert await arranged.count() == 0, "what was told is over with the next act"
        await page.at("#told", has_text=SET).wait_for()
        await page.at("#bar button.main:disabled").wait_for()


async def test_a_fantasyland_is_set_by_keys_alone(lucky: Club) -> None:
    async with served(lucky) as opened, tab(opened, lucky, "alice", PHONE) as page:
        keys = page.page.keyboard
        letters = fantasyland_letters(await lucky.look(1, "alice"))
        assert len(letters) == 14
        # The sort button alternates between suit and rank. The last placed card is taken back.
        for _ in range(2):
            await keys.press("s")
        await keys.press("f")
        await page.counts("#tray [data-card]", 13)
        await keys.press("u")
        await page.counts("#tray [data-card]", 14)
        presses = 0
        while await page.at("#tray [data-card]").count() > 1:
            chosen = int(str(await page.at("#tray .chosen").get_attribute("data-card")))
            letter = letters[chosen]
            await keys.press("ArrowRight" if letter == "D" else letter.lower())
            presses += 1
        assert presses <= 14
        await page.fits()
        await page.at("#bar button.main:not([disabled])").wait_for()
        await keys.press("Enter")
        await page.at("#told", has_text=SET).wait_for()
        seen = await lucky.look(1, "alice")
        assert seen.hand is not None
        assert seen.hand.mine is not None
        assert sum(map(len, seen.hand.mine.rows)) == 13
        # Until the others have placed their last card it may be changed, by keys too.
        await keys.press("a")
        await page.view.wait_for_function("() => document.querySelectorAll('#tray [data-card]').length === 1")


async def test_a_finished_hand_fits_with_its_result(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob", "hanako")
    async with tab(opened, club, "alice", PHONE) as page:
        await club.play_hand()
        await page.at("#result .duel").wait_for()
        assert await page.at("#result .duel tbody tr").count() == 3
        cut = "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.textContent)"
        for size, own, others in ((PHONE, 26, 24), (DESK, 70, 44)):
            await page.sized(size)
            await page.fits()
            assert await page.width("#own .card") >= own
            assert await page.width("#others .card") >= others
            assert await page.at("#own .line .made").evaluate_all(cut) == []


async def test_the_page_comes_back_by_itself(club: Club, opened: Open) -> None:
    name = await three(club)
    async with tab(opened, club, name, PHONE) as page:
        await page.page.keyboard.press("f")
        opened.pages.close()
        await club.play_turn(name)
        await page.at("#tray").wait_for(state="detached")
        assert await placed(club, name) == 7


async def test_in_the_playground_it_has_the_eyes_of_the_channel(club: Club) -> None:
    await club.open_table("alice", "bob")
    faces: dict[str, bytes] = {}
    async with (
        browsing() as driver,
        AsyncExitStack() as stack,
    ):
        shown = ChannelPage(club.world, port=0, faces=faces, language=ENGLISH, wall_ms=club.world.now_ms)
        await stack.enter_async_context(shown)
        club.forbid()
        # The page keeps only the latest requests; the club, which lasts one evening, looks at all of them.
        club.backend.http_requests = list(club.backend.http_requests)
        page = await driver.new_page(viewport={"width": 1500, "height": 900})
        await page.goto(shown.address)
        table = page.frame_locator("#table-frame")
        await table.locator("#own .board").wait_for()
        hands = {}
        for name in ("alice", "bob"):
            await page.select_option("#viewer-picker", value=str(club.members[name].id))
            await table.locator("#own .name b", has_text=name.capitalize()).wait_for()
            cards = table.locator("#tray [data-card]")
            hands[name] = {await cards.nth(place).get_attribute("aria-label") for place in range(5)}
        assert hands["alice"].isdisjoint(hands["bob"])
        on_turn = await club.on_turn()
        await page.select_option("#viewer-picker", value=str(club.members[on_turn].id))
        await table.locator("#own .name b", has_text=on_turn.capitalize()).wait_for()
        for _ in range(5):
            await table.locator('[data-row="B"] .line button').click()
        await table.locator("#bar button.main:not([disabled])").click()
        await table.locator("#tray").wait_for(state="detached")
        assert await placed(club, on_turn) == 5
        # The channel next to the page shows the move.
        made = await table.locator('[data-row="B"] .made').text_content()
        await page.locator("#channel-timeline", has_text=str(made)).wait_for()
        await page.click("#table-toggle")
        await page.locator("#table-frame").wait_for(state="hidden")
