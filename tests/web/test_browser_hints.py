"""Hints and reviews on the board, rules that are laid out, and phones that lie, in a real browser."""

from __future__ import annotations

import re

import pytest

from bot.text.words import words_for
from tests.discord.club import Club, Screen
from tests.discord.test_hints import on_turn
from tests.web.browser import DESK, PHONE, Tab
from tests.web.open_pages import Open
from tests.web.test_browser import tab
from tests.web.test_browser_sizes import opened_earning  # noqa: F401  (a fixture)

pytestmark = pytest.mark.browser

LYING = {"width": 844, "height": 390}
SIZES = (PHONE, {"width": 320, "height": 568}, LYING, DESK)
LOW = ({"width": 844, "height": 305}, {"width": 667, "height": 375}, {"width": 568, "height": 320})
GHOSTS = "#own .board .slot .hinted"
CARDS = re.compile("[♣♦♥♠]")


async def practising(club: Club, name: str) -> Screen:
    """Return the panel of a member who practises and has to place their first cards."""
    return await on_turn(club, name, await club.slash(name, "ofc practice"))


async def ghosts(page: Tab) -> list[str]:
    """The cards that the hint shows, row by row."""
    found: list[str] = await page.at(GHOSTS).evaluate_all(
        "all => all.map(one => one.closest('[data-row]').dataset.row + one.dataset.rank + one.classList[2])"
    )
    return found


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_a_hint_is_seen_on_the_board_and_placed_by_a_tap(club: Club, opened: Open, name: str) -> None:
    await practising(club, name)
    words = words_for("ja" if name == "hanako" else "en")
    async with tab(opened, club, name, PHONE, has_touch=True) as page:
        await page.at('#bar [data-key="hint"]').tap()
        await page.at("#hint").wait_for()
        assert await page.at("#sheet").is_hidden(), "nothing covers the board"
        for size in SIZES:
            await page.sized(size)
            await page.fits()
            assert await page.at(GHOSTS).count() == 5, size
            assert await page.width("#tray .card") >= 26, size
        await page.sized(PHONE)
        tops = await page.at("#bar button").evaluate_all("all => all.map(one => one.offsetTop)")
        assert len(set(tops)) == 1, "all of the bar stands on one line"
        first = await ghosts(page)
        text = await page.at("#hint").inner_text()
        assert not CARDS.search(text), "cards are drawn, not spelled"
        assert words("page.words.place_these") in text
        await page.at('[data-key="suggested-1"]').tap()
        await page.at('[data-key="suggested-1"][aria-pressed="true"]').wait_for()
        second = await ghosts(page)
        assert len(second) == 5
        assert second != first
        await page.at('[data-key="place-1"]').tap()
        await page.at("#tray [data-card]").first.wait_for(state="detached")
        assert await page.at(GHOSTS).count() == 0
        assert await page.at("#own .board [data-card]").count() == 5
        assert words("page.words.hint_placed") in str(await page.at("#live").text_content())
        await page.confirm()
        await page.at("#hint").wait_for(state="detached")


async def test_a_hint_is_heard_and_placed_by_keys(club: Club, opened: Open) -> None:
    await practising(club, "alice")
    words = words_for("en")
    async with tab(opened, club, "alice", DESK) as page:
        hint = page.at('#bar [data-key="hint"]')
        await hint.focus()
        await page.page.keyboard.press("Enter")
        await page.at("#hint").wait_for()
        heard = str(await page.at("#live").text_content())
        mine = [str(await one.get_attribute("aria-label")) for one in await page.at("#tray [data-card]").all()]
        assert len(mine) == 5
        labels = [
            str(await page.at(f'[data-key="suggested-{number}"]').get_attribute("aria-label")) for number in (0, 1)
        ]
        for number, label in enumerate(labels):
            assert label.startswith(words("page.words.hint_choice", number=number + 1))
            assert all(card in label for card in mine), label
            assert all(part.strip() in heard for part in label.split(". ")), (label, heard)
        assert await hint.get_attribute("aria-expanded") == "true"
        first = await ghosts(page)
        # The focus shows a suggestion, and Enter on its button places it.
        await page.at('[data-key="place-1"]').focus()
        await page.at('[data-key="suggested-1"][aria-pressed="true"]').wait_for()
        assert await ghosts(page) != first
        await page.page.keyboard.press("Enter")
        await page.at("#tray [data-card]").first.wait_for(state="detached")
        assert await page.at(GHOSTS).count() == 0
        assert await page.at('[data-key="place-1"]').evaluate("one => one === document.activeElement")
        # The same button hides the hint.
        await hint.focus()
        await page.page.keyboard.press("Enter")
        await page.at("#hint").wait_for(state="detached")
        assert await hint.get_attribute("aria-expanded") == "false"


async def test_ghosts_are_over_with_the_cards_that_they_are_about(club: Club, opened: Open) -> None:
    panel = await practising(club, "alice")
    async with tab(opened, club, "alice", PHONE) as page:
        await page.at('#bar [data-key="hint"]').click()
        await page.at(GHOSTS).first.wait_for()
        await club.place_in("alice", panel, await club.look(1, "alice"))
        await page.at("#hint").wait_for(state="detached")
        assert await page.at(GHOSTS).count() == 0


async def test_a_retry_begins_without_the_hint_that_there_was_for_its_cards(club: Club, opened: Open) -> None:
    panel = await practising(club, "alice")
    async with tab(opened, club, "alice", DESK) as page:
        await page.at('#bar [data-key="hint"]').click()
        await page.at(GHOSTS).first.wait_for()
        for _ in range(5):
            await on_turn(club, "alice", panel)
            await club.type_turn("alice")
        await page.at('#bar [data-key="retry"]').click()
        await page.at("#tray [data-card]").first.wait_for()
        assert await page.at("#hint").count() == 0
        assert await page.at(GHOSTS).count() == 0


async def test_the_heading_of_the_better_placement_is_never_cut(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob", "hanako")
    await club.play_hand()
    async with tab(opened, club, "alice", DESK) as page:
        await page.at('#bar [data-key="review"]').click()
        await page.at("#sheet .better").wait_for()
        heading, scrubber = page.at("#sheet .better .name b"), page.at("#scrubber")
        seen = 0
        for step in range(int(await scrubber.get_attribute("max")) + 1):
            await scrubber.fill(str(step))
            for size in (*SIZES, {"width": 820, "height": 1180}) if await heading.count() else ():
                await page.sized(size)
                assert await heading.evaluate("one => one.scrollWidth - one.clientWidth") <= 0, (step, size)
                seen += 1
        assert seen


async def test_a_review_shows_the_better_placement_and_places_it(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    await club.play_hand()
    words = words_for("en")
    async with tab(opened, club, "alice", PHONE, has_touch=True) as page:
        await page.at('#bar [data-key="review"]').tap()
        await page.at("#sheet .better").wait_for()
        better = page.at("#sheet .better")
        assert await better.get_attribute("aria-label") == words("page.words.master_board")
        for size in SIZES:
            await page.sized(size)
            assert await page.at("#sheet").evaluate("one => one.scrollWidth - one.clientWidth") <= 0, size
            assert await page.width("#sheet .better .slot, #sheet .better .card") >= 25, size
        await page.sized(PHONE)
        wanted = sorted(await better.locator(".row .card.latest").evaluate_all("all => all.map(one => one.ariaLabel)"))
        assert len(wanted) == 5
        await page.at("#sheet .better .place").tap()
        await page.at("#own .board [data-card]").first.wait_for()
        placed = await page.at("#own .board [data-card]").evaluate_all("all => all.map(one => one.ariaLabel)")
        assert sorted(placed) == wanted
        await page.confirm()
        await page.view.wait_for_function("() => document.querySelectorAll('#tray [data-card]').length === 3")


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_rules_are_laid_out_with_headings_lists_tables_and_cards(club: Club, opened: Open, name: str) -> None:
    await club.open_table("alice", "hanako")
    async with tab(opened, club, name, DESK) as page:
        await page.at("#settings > button").click()
        await page.at('#menu [data-key="rules"]').click()
        await page.at("#sheet[open] .chapter").first.wait_for()
        for part, least in (("h3", 5), ("h4", 4), ("ul > li", 15), ("table", 4), (".card", 60), ("b", 5)):
            assert await page.at(f"#sheet .chapter {part}").count() >= least, part
        text = await page.at("#sheet .body").inner_text()
        assert not re.search(r"(?m)^(- |#+ )|\*\*|\|", text)
        assert not CARDS.search(text)
        assert all(
            await page.at("#sheet .chapter .card").evaluate_all("all => all.map(one => one.ariaLabel.length > 2)")
        )
        for size in SIZES:
            await page.sized(size)
            assert await page.at("#sheet").evaluate("one => one.scrollWidth - one.clientWidth") <= 0, size
        # A way to each chapter.
        await page.at("#sheet .ways button").last.click()
        assert await page.at("#sheet h3").last.evaluate("one => one === document.activeElement")


@pytest.mark.parametrize("players", [2, 3])
async def test_a_phone_that_lies_gives_ones_own_cards_its_space(club: Club, opened: Open, players: int) -> None:
    await club.open_table(*("alice", "bob", "hanako")[:players])
    for _ in range(players):
        await club.play_turn(await club.on_turn())
    async with tab(opened, club, await club.on_turn(), LYING) as page:
        for size in (LYING, *LOW):
            await page.sized(size)
            await page.fits()
            assert await page.width("#own .board .slot, #own .board .card") >= 32, size
            assert await page.width("#tray .card") >= 32, size


@pytest.mark.parametrize("wide", [False, True])
async def test_a_fantasyland_on_a_phone_that_lies_has_cards_that_can_be_tapped(
    opened_earning: Open,  # noqa: F811
    lucky: Club,
    wide: bool,
) -> None:
    async with tab(opened_earning, lucky, "alice", LYING) as page:
        assert await page.at("#tray [data-card]").count() == 14
        if wide:
            await page.in_wide_letters()
        for size, least in ((LYING, 40), (LOW[0], 34), (LOW[1], 34), (LOW[2], 24)):
            await page.sized(size)
            await page.fits()
            assert await page.width("#tray .card") >= least, size
            assert await page.width("#own .board .slot") >= least, size


async def test_the_cards_of_a_fantasyland_stand_in_even_lines_and_confirm_stays(
    opened_earning: Open,  # noqa: F811
    lucky: Club,
) -> None:
    async with tab(opened_earning, lucky, "alice", PHONE) as page:
        for size in (PHONE, {"width": 614, "height": 900}, DESK):
            await page.sized(size)
            tops = await page.at("#tray [data-card]:not(.chosen)").evaluate_all(
                "all => all.map(one => Math.round(one.offsetTop))"
            )
            assert sorted(tops.count(top) for top in set(tops)) == [6, 7], size
        await page.sized({"width": 614, "height": 900})
        before = await page.at('#bar [data-key="confirm"]').bounding_box()
        for row in "bbbbbmmmmmfff":
            await page.page.keyboard.press(row)
        await page.at('#bar [data-key="confirm"]:not([disabled])').wait_for()
        after = await page.at('#bar [data-key="confirm"]').bounding_box()
        assert (after["x"], after["width"]) == (before["x"], before["width"])
        assert abs(after["y"] + after["height"] - before["y"] - before["height"]) <= 1
