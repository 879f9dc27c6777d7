"""How the page uses a large screen and a phone that lies: an arc of opponents, the hand's streets, large cards."""

from __future__ import annotations

import pytest

from bot.text.words import words_for
from tests.discord.club import Club
from tests.in_turn import in_turn
from tests.web.browser import DESK, Tab, browsing
from tests.web.open_pages import Open, served
from tests.web.test_browser import tab

pytestmark = pytest.mark.browser

FULL_HD = {"width": 1920, "height": 1080}
SMALLEST = {"width": 1100, "height": 620}
"""The smallest screen with an arc."""
LYING = ({"width": 844, "height": 390}, {"width": 667, "height": 375})
PLAYERS = ("alice", "hanako", "bob", "carol", "dave", "erin", "frank", "grace")

ARC = """() => {
  const box = (one) => one.getBoundingClientRect();
  const seats = [...document.querySelectorAll("#others .seat")].map(box);
  const board = box(document.querySelector("#own .board"));
  return {
    tops: seats.map(({ top }) => Math.round(top)),
    lowest: Math.max(...seats.map(({ bottom }) => bottom)), board: board.top,
    apart: seats.slice(1).every(({ left }, at) => left > seats[at].right),
  };
}"""
SMALL_TARGETS = """all => all.filter((one) => one.checkVisibility()).map((one) => [one, one.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 43.5 || height < 43.5).map(([one]) => one.outerHTML.slice(0, 80))"""
ROWS = """() => [...document.querySelectorAll("#own .row, #others .seat .row")]
  .map((row) => [...row.querySelectorAll(".card:not(.draft)")].map((card) => card.getAttribute("aria-label")))"""
UNNAMED = """() => [...document.querySelectorAll("#history button, #history [role]")]
  .filter((one) => !(one.getAttribute("aria-label") || one.textContent.trim()) ).map((one) => one.outerHTML)"""


def language_of(name: str) -> str:
    """Return the language in which a member reads."""
    return "ja" if name == "hanako" else "en"


async def table_of(club: Club, count: int) -> None:
    """Open a table for so many players, and play its first street."""
    for name in PLAYERS[3:count]:
        club.newcomer(name)
    game = "pineapple" if count < 4 else "classic" if count == 4 else "double_classic"
    await club.open_table(*PLAYERS[:count], game=game)
    for _ in range(count):
        await club.play_turn(await club.on_turn())


@pytest.mark.parametrize("count", [2, 3, 4, 8])
async def test_on_a_large_screen_others_sit_in_an_arc_above_a_larger_board(
    club: Club, opened: Open, count: int
) -> None:
    await table_of(club, count)
    for name in ("alice", "hanako"):
        async with tab(opened, club, name, DESK) as page:
            await page.at("#history section").first.wait_for()
            for size in (DESK, FULL_HD, SMALLEST):
                await page.sized(size)
                await page.fits()
                own, other = await page.width("#own .card"), await page.width("#others .card")
                assert own > other >= 15, size
                assert own >= {DESK["width"]: 70, FULL_HD["width"]: 110}.get(size["width"], 44), (size, own)
                arc = await page.view.evaluate(ARC)
                tops = arc["tops"]
                assert len(tops) == count - 1
                assert arc["lowest"] <= arc["board"]
                assert arc["apart"]
                if count > 3:
                    assert tops == tops[::-1]
                    assert tops[0] > tops[len(tops) // 2], "the ends are lower"


async def test_fantasyland_and_a_result_fit_beside_the_board(earning: Club) -> None:
    async with served(earning) as opened, tab(opened, earning, "alice", DESK) as page:
        await page.at("#result").wait_for()
        for size in (FULL_HD, DESK):
            await page.sized(size)
            await page.fits()
        cut = await page.at("#result").evaluate("one => one.scrollWidth - one.clientWidth")
        assert cut <= 0
        await earning.pass_time(15)
        await page.at("#tray .card").nth(13).wait_for()
        for size in (FULL_HD, DESK, SMALLEST):
            await page.sized(size)
            await page.fits()
            assert await page.width("#tray .card") >= 44
            lines = await page.at("#tray .card").evaluate_all("all => new Set(all.map(one => one.offsetTop)).size")
            assert lines == 2


@in_turn("name", "alice", "hanako")
async def test_a_street_shows_the_boards_as_they_were(club: Club, opened: Open, name: str) -> None:
    words = words_for(language_of(name))
    await club.open_table("alice", "hanako")
    async with tab(opened, club, name, DESK) as page:
        keys = page.page.keyboard
        await page.at("#history h2", has_text=words("page.words.history")).wait_for()
        for number in (1, 2):
            for _ in range(2):
                await club.play_turn(await club.on_turn())
            label = words("page.words.street", number=number)
            await page.at("#history button", has_text=label).wait_for()
            await page.at(f"#history section:nth-of-type(1) .placed:nth-of-type({2})").wait_for()
            if number == 1:
                first = await page.view.evaluate(ROWS)
        now = await page.view.evaluate(ROWS)
        assert first != now
        assert sum(map(len, first)) == 10
        street = page.at('[data-key="street-1"]')
        back = page.at('[data-key="street-now"]')

        # By keyboard: it's pressed again, or any other key is.
        await street.focus()
        sizes = await page.width("#own .card")
        await keys.press("Enter")
        await page.at('[data-key="street-1"][aria-pressed=true]').wait_for()
        assert await page.view.evaluate(ROWS) == first
        assert await page.width("#own .card") == sizes, "nothing changes its size"
        assert words("page.words.street", number=1) in await page.at("#live").text_content()
        await keys.press("Enter")
        await page.at('[data-key="street-1"][aria-pressed=false]').wait_for()
        assert await page.view.evaluate(ROWS) == now
        await keys.press("Enter")
        await back.wait_for()
        await keys.press("Escape")
        await back.wait_for(state="detached")

        # By mouse: a press anywhere else.
        await street.click()
        await back.wait_for()
        await page.at("#title").click()
        await back.wait_for(state="detached")
        assert await page.view.evaluate(ROWS) == now

        # And what happens at the table.
        await street.click()
        await back.wait_for()
        await club.play_turn(await club.on_turn())
        await back.wait_for(state="detached")
        assert await page.view.evaluate(ROWS) != first

        assert await page.view.evaluate(UNNAMED) == []
        assert await page.at("#history").get_attribute("aria-label") == words("page.words.history")
        assert await page.at("#history button").evaluate_all(SMALL_TARGETS) == []


async def test_a_key_that_returns_to_now_places_nothing(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    name = await club.on_turn()
    async with tab(opened, club, name, DESK) as page:
        await page.at("#history h2").wait_for()
        for _ in range(2):
            await club.play_turn(await club.on_turn())
        await page.at("#tray .card").first.wait_for()
        await page.at('[data-key="street-1"]').click()
        await page.at('[data-key="street-now"]').wait_for()
        assert await page.at("#tray").is_hidden()
        await page.at('[data-key="street-1"]').evaluate("one => one.blur()")
        for key in ("m", "m"):
            await page.page.keyboard.press(key)
        await page.at('[data-row="M"] [data-card]').wait_for()
        assert await page.at("#own [data-row] [data-card]").count() == 1, "the first key only returned"


async def test_streets_stand_at_the_side_in_forced_colours_and_for_who_watches(club: Club, opened: Open) -> None:
    await club.open_table("bob", "hanako")
    async with browsing() as driver:
        context = await driver.new_context(viewport=DESK, forced_colors="active", reduced_motion="reduce")
        page = Tab(await context.new_page())
        await page.page.goto(opened.address(club, "alice", query="?table=1"))
        await page.at("#others .seat").first.wait_for()
        await page.at("#history h2").wait_for()
        for _ in range(4):
            await club.play_turn(await club.on_turn())
        # A later change would return to now.
        await page.at("#others .card").nth(13).wait_for()
        await page.at('[data-key="street-1"]').click()
        await page.at('[data-key="street-now"]').wait_for()
        assert await page.at("#others .card").count() == 10
        await page.fits()
        pressed, other = [
            await page.at(f'[data-key="street-{number}"]').evaluate("one => getComputedStyle(one).borderTopWidth")
            for number in (1, 2)
        ]
        assert pressed != other, "without colours it's the border that says which one is shown"
        assert page.complaints == []


async def test_at_twice_the_size_the_page_is_that_of_a_small_screen(club: Club, opened: Open) -> None:
    """200 % zoom halves the screen in CSS pixels."""
    await table_of(club, 3)
    async with tab(opened, club, await club.on_turn(), DESK) as page:
        for size in ({"width": 640, "height": 400}, {"width": 960, "height": 540}):
            await page.sized(size)
            await page.fits()
            assert await page.at("#history").is_hidden()
            assert await page.width("#own .card") >= 44


@pytest.mark.parametrize("count", [2, 3, 4])
async def test_on_a_phone_that_lies_ones_own_cards_are_large_enough_to_tap(
    club: Club, opened: Open, count: int
) -> None:
    await table_of(club, count)
    name = await club.on_turn()
    async with tab(opened, club, name, LYING[0], has_touch=True) as page:
        for size in LYING:
            await page.sized(size)
            await page.fits()
            assert await page.width("#own .board .card") >= 44, size
            assert await page.at("#tray .card, #bar button").evaluate_all(SMALL_TARGETS) == [], size
            assert await page.at("#bar .main").is_visible()


async def test_a_whole_hand_can_be_tapped_on_a_phone_that_lies(earning: Club) -> None:
    """The narrower phone shows fourteen cards smaller, on three lines, and no card is cut."""
    async with served(earning) as opened, tab(opened, earning, "alice", LYING[0], has_touch=True) as page:
        await earning.pass_time(15)
        await page.at("#tray .card").nth(13).wait_for()
        for size, least in zip(LYING, (43, 36), strict=True):
            await page.sized(size)
            await page.fits()
            assert await page.width("#tray .card") >= least, size
            assert await page.at("#bar .main").is_visible()
