"""A puzzle in a real browser: solved by tap, drag and keys, and its solution flipped through."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bot.model.puzzles import PuzzleName
from bot.play.trainer.known_puzzles import known_puzzles
from bot.pure.ofc.presets import PRESETS
from bot.pure.trainer.puzzle import Puzzle
from bot.text.games import full_name
from tests.discord.club import Club
from tests.discord.test_puzzle import current
from tests.web.browser import DESK, PHONE, Tab, visited
from tests.web.open_pages import Open

pytestmark = pytest.mark.browser

SMALL = {"width": 320, "height": 568}
LYING = {"width": 844, "height": 390}
SIZES = (PHONE, SMALL, LYING, DESK)
GHOSTS = "#own .board button.draft"
CONTROLS = "button, summary, input, select, a[href]"
TOO_SMALL = """() => [...document.querySelectorAll("#bar button, #solution button, #sheet button, #sheet label")]
  .filter((one) => one.checkVisibility())
  .filter((one) => one.getBoundingClientRect().height < 43.5 || one.getBoundingClientRect().width < 43.5)
  .map((one) => one.outerHTML.slice(0, 90))"""
NAMELESS = f"""() => [...document.querySelectorAll("{CONTROLS}")]
  .filter((one) => one.checkVisibility() && !(one.ariaLabel || one.innerText || one.labels?.length))
  .map((one) => one.outerHTML.slice(0, 90))"""
SIDEWAYS = """() => [document.scrollingElement, ...document.querySelectorAll("#main, #sheet, #sheet .body")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.id || one.tagName)"""


@asynccontextmanager
async def puzzle_tab(
    opened: Open, club: Club, name: str, size: dict[str, int], **settings: Any
) -> AsyncIterator[tuple[Tab, Puzzle]]:
    """Open a member's puzzle in a browser, and check for errors at the end."""
    async with visited(opened.address(club, name, query="?puzzle"), size, **settings) as shown:
        await shown.at("#own .board").wait_for()
        await shown.at("#own .board .judged").first.wait_for(state="attached")
        yield shown, await given(club, name)


async def given(club: Club, name: str) -> Puzzle:
    """Return the puzzle that a member was given."""
    return known_puzzles()[PuzzleName((await current(club, name)).name)]


async def placed(page: Tab, letters: str) -> None:
    """Place the cards by taps."""
    for place, letter in enumerate(letters):
        if letter == "D":
            continue
        card = page.at(f'#tray [data-card="{place}"]')
        if await card.get_attribute("aria-pressed") != "true":
            await card.click()
        await page.at(f'[data-key="row-{letter}"]').click()
        await page.at(f'[data-row="{letter}"] [data-card="{place}"]').wait_for()


async def ghosts(page: Tab) -> str:
    """Return the placement on the board, by the rows of its cards."""
    found: list[list[str]] = await page.at(GHOSTS).evaluate_all(
        "all => all.map(one => [one.dataset.card, one.closest('[data-row]').dataset.row])"
    )
    return "".join(row for _, row in sorted(found))


async def fitting(page: Tab) -> None:
    """Nothing has to be scrolled sideways, and what's pressed is large enough and has a name."""
    for size in SIZES:
        await page.sized(size)
        assert await page.view.evaluate(SIDEWAYS) == [], size
        assert await page.view.evaluate(TOO_SMALL) == [], size
    assert await page.view.evaluate(NAMELESS) == []
    await page.sized(PHONE)


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_a_puzzle_is_solved_on_a_phone_and_flipped_through(club: Club, opened: Open, name: str) -> None:
    words = club.words(name)
    async with puzzle_tab(opened, club, name, PHONE, has_touch=True) as (page, puzzle):
        assert await page.at("#told .status").first.inner_text() == words("puzzle.ask")
        for size in SIZES:
            await page.sized(size)
            await page.fits()
        await fitting(page)
        # Alice's placement is one of the best, and Hanako's isn't.
        far = max(puzzle.costs, key=lambda letters: (puzzle.costs[letters], letters))
        wrong = puzzle.placements[1].letters if name == "alice" else far
        own = 1 if name == "alice" else len(puzzle.placements)
        await placed(page, wrong)
        await page.confirm()
        await page.at("#solution").wait_for()
        await fitting(page)
        for size in (PHONE, LYING, DESK):
            await page.sized(size)
            await page.fits()
        await page.sized(PHONE)
        assert await page.at("#solution thead th").count() == max(len(puzzle.placements), own + 1)
        assert await ghosts(page) == puzzle.best.replace("D", "")
        opacity = "all => all.map(one => getComputedStyle(one).opacity)"
        assert {*await page.at(GHOSTS).evaluate_all(opacity)} == {"1"}, "the answer is as clear as the board"
        assert words("puzzle.answer.yours").lower() in (await page.at(f'[data-key="flip-{own}"]').inner_text()).lower()
        await page.at(f'[data-key="flip-{own}"]').tap()
        await page.at(f'[data-key="flip-{own}"][aria-pressed="true"]').wait_for()
        assert await ghosts(page) == wrong.replace("D", "")
        assert words("puzzle.page.foul") in str(await page.at("#live").text_content())
        await page.at('[data-key="puzzle_next"]').tap()
        await page.at("#solution").wait_for(state="detached")
        await page.at("#tray [data-card]").first.wait_for()
        assert await page.at(GHOSTS).count() == 0


async def test_a_puzzle_is_solved_by_keys_alone(club: Club, opened: Open) -> None:
    async with puzzle_tab(opened, club, "alice", DESK) as (page, puzzle):
        keys = page.page.keyboard
        for place, letter in enumerate(puzzle.best):
            if letter == "D":
                continue
            while await page.at(f'#tray [data-card="{place}"]').get_attribute("aria-pressed") != "true":
                await keys.press("ArrowRight")
            await keys.press(letter.lower())
            await page.at(f'[data-row="{letter}"] [data-card="{place}"]').wait_for()
        await page.at('#bar [data-key="confirm"]:not([disabled])').wait_for()
        await keys.press("Enter")
        await page.at("#solution.right").wait_for()
        await page.at('[data-key="flip-0"]').focus()
        await keys.press("ArrowRight")
        await page.at('[data-key="flip-1"][aria-pressed="true"]').wait_for()
        assert await page.at('[data-key="flip-1"]').evaluate("one => one === document.activeElement")
        assert await ghosts(page) == puzzle.placements[1].letters.replace("D", "")
        await keys.press("ArrowLeft")
        await keys.press("ArrowLeft")
        last = len(puzzle.placements) - 1
        await page.at(f'[data-key="flip-{last}"][aria-pressed="true"]').wait_for()
        await page.at('[data-key="puzzle_next"]').focus()
        await keys.press("Enter")
        await page.at("#solution").wait_for(state="detached")


async def test_cards_are_dragged_and_those_of_a_solution_stay(club: Club, opened: Open) -> None:
    async with puzzle_tab(opened, club, "alice", DESK) as (page, puzzle):
        for place, letter in enumerate(puzzle.best):
            if letter != "D":
                await page.drag(place, letter)
        await page.confirm()
        await page.at("#solution").wait_for()
        place = puzzle.best.index(puzzle.best.replace("D", "")[0])
        mouse = page.page.mouse
        await mouse.move(*await page.middle(f'#own [data-card="{place}"]'))
        await mouse.down()
        await mouse.move(*await page.middle("#solution"), steps=4)
        assert await page.at(".ghost").count() == 0
        await mouse.up()
        assert await ghosts(page) == puzzle.best.replace("D", "")


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_puzzles_are_chosen_on_a_sheet(club: Club, opened: Open, name: str) -> None:
    words = club.words(name)
    async with puzzle_tab(opened, club, name, PHONE) as (page, _):
        await page.at('#bar [data-key="puzzle_choose"]').click()
        await page.at("#sheet fieldset").last.wait_for()
        await fitting(page)
        assert await page.at("#sheet h2").inner_text() == words("puzzle.choices.title")
        games = page.at("#sheet fieldset").last
        await games.get_by_label(full_name(PRESETS["classic"], words), exact=True).check()
        await page.page.wait_for_function(
            "() => document.querySelector('#sheet fieldset:last-child input').checked === false"
        )
        await page.at("#sheet .close").click()
        game = full_name(PRESETS["classic"], words)
        await page.page.wait_for_function("game => document.title.includes(game)", arg=game)
        assert (await given(club, name)).variant.key == "classic"
        await page.at('#bar [data-key="puzzle_choose"]').click()
        harder = page.at('#sheet [data-key="other-puzzle_harder"]')
        later = words("puzzle.page.later", button=words("puzzle.button.later"))
        await page.at("#sheet .others", has_text=later).wait_for()
        await harder.click()
        await page.at("#sheet[open]").wait_for(state="detached")
        # The sheet closes as soon as the button is pressed; the other puzzle comes a moment later.
        while (await current(club, name)).of.solver.harder != 1:
            await page.page.wait_for_timeout(20)


async def test_it_can_be_solved_without_motion_and_with_forced_colours(club: Club, opened: Open) -> None:
    async with puzzle_tab(opened, club, "alice", DESK, reduced_motion="reduce", forced_colors="active") as (page, one):
        await placed(page, one.best)
        await page.confirm()
        await page.at("#solution").wait_for()
        colours = "one => getComputedStyle(one).borderTopColor"
        assert await page.at("#solution th.shown").evaluate(colours) != await page.at(
            "#solution thead th:not(.shown)"
        ).first.evaluate(colours)
