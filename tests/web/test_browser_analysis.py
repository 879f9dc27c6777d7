"""A position is assembled in a real browser, by taps and by keys, and its best placements are flipped through."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import quote_plus

import pytest

from bot.pure.ofc.cards import cards_text
from bot.pure.ofc.presets import JOKER_PINEAPPLE, PINEAPPLE
from bot.pure.trainer.position import parse_position
from bot.text.games import full_name
from tests.discord.club import Club
from tests.discord.test_analyse import LATE, SECOND
from tests.web.browser import DESK, PHONE, Tab, visited
from tests.web.open_pages import Open

pytestmark = pytest.mark.browser

SMALL = {"width": 320, "height": 568}
LYING = {"width": 844, "height": 390}
SIZES = (PHONE, SMALL, LYING, DESK)
READY = '#sheet [data-key="analyse"]:not([disabled])'
OUTSIDE = """() => [...document.querySelectorAll("#sheet, #sheet .body, .below, .below *, .boards > *")]
  .filter((one) => one.checkVisibility() && !one.closest("svg"))
  .filter((one) => { const box = one.getBoundingClientRect(); return box.left < -1 || box.right > innerWidth + 1 ||
    (one.closest(".below") && (box.top < -1 || box.bottom > innerHeight + 1)); })
  .map((one) => one.outerHTML.slice(0, 90))"""
"""What's beyond the screen. The boards scroll, and the deck, the answer and the buttons are always in sight."""
TOO_SMALL = """() => [...document.querySelectorAll("#sheet :is(button, select, input)")]
  .filter((one) => one.checkVisibility())
  .filter((one) => { const box = one.getBoundingClientRect(); return box.height < 23.5 || box.width < 23.5; })
  .map((one) => one.outerHTML.slice(0, 90))"""
NAMELESS = """() => [...document.querySelectorAll("#sheet :is(button, select, input)")]
  .filter((one) => !(one.ariaLabel || one.innerText || one.labels?.length)).map((one) => one.outerHTML.slice(0, 90))"""


@asynccontextmanager
async def sheet(
    opened: Open, club: Club, name: str, size: dict[str, int], given: str = "", *, more: str = "", **settings: Any
) -> AsyncIterator[Tab]:
    """Open a member's sheet, and check for errors at the end."""
    query = f"?analysis={quote_plus(given)}{more}"
    async with visited(opened.address(club, name, query=query), size, **settings) as shown:
        await shown.at("#sheet :is(.lacks:not(:empty), .compared)").first.wait_for()
        yield shown


async def pick(page: Tab, cards: str) -> None:
    for at in range(0, len(cards), 2):
        await page.at(f'[data-key="deck-{cards[at : at + 2]}"]').click()


async def assembled(page: Tab, pile: str, cards: str) -> None:
    """Put cards into a pile."""
    await page.at(f'[data-key="into-{pile}"]').click()
    await pick(page, cards)


async def fitting(page: Tab) -> None:
    for size in SIZES:
        await page.sized(size)
        assert await page.view.evaluate(OUTSIDE) == [], size
        assert await page.view.evaluate(TOO_SMALL) == [], size
    assert await page.view.evaluate(NAMELESS) == []
    await page.sized(PHONE)


async def lacks(page: Tab, said: str) -> None:
    await page.page.wait_for_function("said => document.querySelector('#sheet .lacks').innerText === said", arg=said)


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_a_position_is_assembled_by_taps_and_its_placements_flipped_through(
    club: Club, opened: Open, name: str
) -> None:
    words, position = club.words(name), parse_position(LATE, PINEAPPLE)
    async with sheet(opened, club, name, PHONE, has_touch=True) as page:
        await lacks(page, words("analysis.page.more", count=5))
        await fitting(page)
        for board, rows in ((0, position.rows), (1, position.opponents[0].rows)):
            if board:
                await page.at('[data-key="add"]').click()
            for pile, cards in zip("FMB", rows, strict=True):
                await assembled(page, f"{board}-{pile}", cards_text(cards))
        await lacks(page, words("analysis.page.more", count=3))
        await assembled(page, "0-held", "3d4d5s")
        await page.at(READY).wait_for()
        before = await page.middle('[data-key="deck-As"]')
        # A card that was picked by mistake comes back with a second tap, and another one takes its place.
        await page.at('[data-key="deck-5s"]').tap()
        await lacks(page, words("analysis.page.more", count=1))
        assert "5♠" in await page.at("#sheet .goes").inner_text()
        heard = words("analysis.page.more", count=1).rstrip(".。")
        await page.page.wait_for_function(
            "heard => document.querySelector('#live').textContent.endsWith(heard)", arg=heard
        )
        assert await page.middle('[data-key="deck-As"]') == before, "the deck keeps its place"
        await page.at('[data-key="deck-Ts"]').tap()
        await lacks(page, words("analysis.page.ready"))
        assert await page.at("#position").input_value() == LATE
        await fitting(page)
        await page.at(READY).tap()
        await page.at("#sheet .compared").wait_for()
        await page.at('#sheet [data-key="flip-0"][aria-pressed="true"]').wait_for()
        await fitting(page)
        await page.at('#sheet [data-key="flip-0"]').tap()
        await page.at('#sheet [data-key="flip-0"][aria-pressed="true"]').wait_for()
        placed = page.at("#sheet .placed")
        assert await placed.count() == 2
        before = await placed.evaluate_all("all => all.map((one) => one.closest('.pile').dataset.pile + one.ariaLabel)")
        await page.at('#sheet [data-key="flip-1"]').tap()
        await page.at('#sheet [data-key="flip-1"][aria-pressed="true"]').wait_for()
        after = await placed.evaluate_all("all => all.map((one) => one.closest('.pile').dataset.pile + one.ariaLabel)")
        assert before != after
        assert words("puzzle.page.foul") in str(await page.at("#live").text_content())
        # Below the answer, the position can only be looked at.
        for still in ('[data-pile="0-F"] .card', '[data-pile="0-held"]', '[data-pile="1-B"] .card'):
            await page.at(f"#sheet {still}").first.tap()
        assert await page.at("#sheet .pile button, #sheet .assembled button, #sheet .add").count() == 0
        assert await page.at("#sheet select:enabled").count() == 0
        assert await placed.count() == 2
        await page.at('#sheet [data-key="deeper"]').tap()
        await page.at('#sheet [data-key="deeper"]').wait_for(state="detached")
        assert words("analysis.page.deeper") in await page.at("#sheet .below").inner_text()
        await page.at('#sheet [data-key="change"]').tap()
        await page.at('[data-key="deck-As"]').wait_for()
        assert await page.at("#position").input_value() == LATE


async def test_a_position_is_assembled_by_keys_alone(club: Club, opened: Open) -> None:
    async with sheet(opened, club, "alice", DESK) as page:
        keys = page.page.keyboard
        await page.at('[data-key="into-0-held"]').focus()
        await page.at('[data-key="deck-As"]').focus()
        await keys.press("Enter")
        for step in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft"):
            await keys.press(step)
            await keys.press("Enter")
        await page.at(READY).wait_for()
        assert await page.at("#position").input_value() == "// +AsKsQsQhKh"
        assert await page.at('.deck52 [tabindex="0"]').count() == 1
        assert await page.at('[data-key="deck-Kh"]').evaluate("one => one === document.activeElement")
        heard = str(await page.at('[data-key="deck-Kh"]').get_attribute("aria-label"))
        assert club.words("alice")("analysis.page.label.held") in heard
        await page.at('[data-key="at-0-held-0"]').focus()
        await keys.press("Enter")
        await page.page.wait_for_function("() => document.querySelector('#position').value === '// +KsQsQhKh'")


async def test_a_position_is_pasted_copied_and_kept(club: Club, opened: Open) -> None:
    words = club.words("alice")
    async with sheet(opened, club, "alice", DESK, permissions=["clipboard-read", "clipboard-write"]) as page:
        await page.at("#position").fill("K♦/7♣7d/AsKs")
        await page.sized(LYING)
        assert await page.at("#position").input_value() == "K♦/7♣7d/AsKs", (
            "a page that is drawn anew keeps what is typed"
        )
        await page.sized(DESK)
        await page.at("#position").press("Enter")
        await lacks(page, words("analysis.page.more", count=3))
        await page.at("#position").fill("Kd/7c")
        await page.at("#position").press("Enter")
        await page.page.wait_for_function(
            "() => /isn't a board/.test(document.querySelector('#sheet .lacks').innerText)"
        )
        assert await page.at("#position").input_value() == "Kd/7c"
        await page.at("#position").fill(SECOND)
        await page.at("#position").press("Enter")
        await page.at(READY).wait_for()
        await page.at('[data-key="copy"]').click()
        await page.at("#toast:not([hidden])").wait_for()
        assert await page.page.evaluate("() => navigator.clipboard.readText()") == SECOND
        await page.at("#sheet .close").click()
        await page.at("#sheet[open]").wait_for(state="detached")
        await page.at("#settings > button").click()
        await page.at('#menu [data-key="analyse"]').click()
        await page.at(READY).wait_for()
        assert await page.at("#position").input_value() == SECOND


async def test_games_fantasyland_and_opponents_are_chosen(club: Club, opened: Open) -> None:
    words = club.words("alice")
    async with sheet(opened, club, "alice", PHONE) as page:
        await page.at('[data-key="game"]').select_option(label=full_name(JOKER_PINEAPPLE, words))
        await page.at('[data-key="deck-X2"]').click()
        await page.at('[data-key="add"]').click()
        await page.at('[data-key="fantasyland-1"]').select_option("14")
        await page.page.wait_for_function("() => document.querySelector('#position').value === '// +X2 vs @14'")
        await fitting(page)
        await page.at('[data-key="remove-1"]').click()
        await page.page.wait_for_function("() => document.querySelector('#position').value === '// +X2'")
        clear = page.at('[data-key="clear"]')
        for text, label in (("// +", "undo"), ("// +X2", "clear"), ("// +", "undo")):
            await clear.click()
            await page.page.wait_for_function("text => document.querySelector('#position').value === text", arg=text)
            assert await clear.inner_text() == words(f"analysis.page.label.{label}")
        assert words("analysis.page.label.cleared") in await page.at("#sheet .goes").inner_text()


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_cards_that_a_choice_drops_are_told_and_one_press_brings_them_back(
    club: Club, opened: Open, name: str
) -> None:
    words, whole = club.words(name), "Kd// +X1Qh -2c vs Ah/9c/Js @14"

    def label(key: str, **named: str) -> str:
        return words(f"analysis.page.label.{key}", **named)

    async with sheet(opened, club, name, PHONE, given=f"joker_pineapple {whole}") as page:

        async def shown(text: str, told: str) -> None:
            await page.page.wait_for_function("text => document.querySelector('#position').value === text", arg=text)
            assert await page.at("#sheet .goes").inner_text() == told
            await fitting(page)
            heard = str(await page.at("#live").text_content())
            assert not set(heard) & set("♠♥♦♣🃏"), heard

        async def undone() -> None:
            await page.at('[data-key="clear"]').click()
            await page.page.wait_for_function("text => document.querySelector('#position').value === text", arg=whole)
            assert await page.at('[data-key="clear"]').inner_text() == label("clear")

        await page.page.wait_for_function("text => document.querySelector('#position').value === text", arg=whole)
        await page.at('[data-key="fantasyland-0"]').select_option("14")
        await shown("@14 +X1Qh vs Ah/9c/Js @14", label("dropped", cards="K♦ 2♣"))
        await undone()
        await page.at('[data-key="remove-1"]').click()
        await shown("Kd// +X1Qh -2c vs @14", label("dropped", cards="A♥ 9♣ J♠"))
        await undone()
        await page.at('[data-key="game"]').select_option(label=full_name(PINEAPPLE, words))
        await shown("Kd// +Qh -2c vs Ah/9c/Js @14", label("unfit", what="🃏"))
        await undone()
        await page.at('[data-key="game"]').select_option("chinese")
        gone = words.language.joint.join(["🃏", "2♣", label("in_fantasyland", count="14")])
        await shown("Kd// +Qh vs Ah/9c/Js //", label("unfit", what=gone))
        await undone()
        await page.at('[data-key="remove-2"]').click()
        assert await page.at('[data-key="clear"]').inner_text() == label("clear"), "no card has gone"


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_a_running_hand_is_refused_and_nothing_is_lost(club: Club, opened: Open, name: str) -> None:
    words = club.words(name)
    await club.open_table(name, "bob")
    view = await club.look(1, name)
    assert view.hand is not None
    assert view.hand.mine is not None
    held = cards_text(card for card in view.hand.mine.held if card is not None)
    async with sheet(opened, club, name, PHONE, given=f"pineapple // +{held}") as page:
        await page.at("#sheet .refused").wait_for()
        await lacks(page, words("refused.in_your_hand"))
        assert await page.at("#position").input_value() == f"// +{held}"
        await fitting(page)


@pytest.mark.parametrize("deeper", [False, True])
async def test_a_link_leads_to_its_answer_and_closing_to_the_table(club: Club, opened: Open, deeper: bool) -> None:
    words = club.words("alice")
    async with sheet(opened, club, "alice", DESK, f"pineapple {LATE}", more="&deeper" * deeper) as page:
        await page.at("#sheet .compared").wait_for()
        assert await page.at("#position").input_value() == LATE
        assert (words("analysis.page.deeper") in await page.at("#sheet .below").inner_text()) is deeper
        await page.page.keyboard.press("Escape")
        await page.at("#sheet[open]").wait_for(state="detached")
        assert await page.at("#title").inner_text()


async def test_a_link_with_a_position_that_lacks_cards_leads_to_the_deck(club: Club, opened: Open) -> None:
    async with sheet(opened, club, "alice", DESK, given=f"pineapple {LATE}".replace("3d4dTs", "3d4d")) as page:
        await lacks(page, club.words("alice")("analysis.page.more", count=1))
        await page.at('[data-key="deck-Ts"]').click()
        await page.at(READY).wait_for()
        assert await page.at("#sheet .compared").count() == 0, "only a link asks at once"


async def test_the_best_board_of_fantasyland_lies_in_its_rows(club: Club, opened: Open) -> None:
    given = f"{PINEAPPLE.key} @14 +AsAhAd7s7h7d2c9s9cKc3d4c5c6c"
    async with sheet(opened, club, "alice", PHONE, given) as page:
        await page.at("#sheet .compared").wait_for()
        for pile, cards in (("F", 3), ("M", 5), ("B", 5)):
            await page.counts(f'#sheet [data-pile="0-{pile}"] .card.placed', cards)
        await page.counts('#sheet [data-pile="0-held"] .card', 1)
        for size in SIZES:
            await page.sized(size)
            assert await page.view.evaluate(OUTSIDE) == [], size


async def test_a_sheet_shows_that_its_readers_turn_has_come(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    first = await club.on_turn()
    second = "bob" if first == "alice" else "alice"
    async with sheet(opened, club, second, PHONE, PINEAPPLE.key) as page:
        await page.counts("#sheet header b", 0)
        await club.play_turn(first)
        turn = page.at("#sheet header b")
        await turn.wait_for()
        assert await turn.inner_text() == club.words(second)("page.words.turn")
        await fitting(page)
