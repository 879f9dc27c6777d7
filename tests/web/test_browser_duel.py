"""The end of a hand on the page: told row by row, kept, folded and opened again, with motion that nobody waits for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from pytest_asyncio import fixture

from bot.text.words import words_for
from tests.discord.club import Club, open_club
from tests.discord.test_family import deal_known, on_the_clock, seed_for
from tests.discord.test_whole_hands import SCRIPT, SEED, deal_to_alice
from tests.web.browser import DESK, PHONE, Tab
from tests.web.open_pages import Open, served
from tests.web.test_browser import tab, three
from tests.web.webkit import webkit

pytestmark = pytest.mark.browser

WORDS = words_for("en")
SLOWLY = """() => {
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    return animate.call(this, frames, { ...timing, duration: 1e9 });
  };
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("*, *::after { animation-play-state: paused !important; }");
  document.adoptedStyleSheets = [sheet];
}"""
"""From now on all motion takes days, and the sequence stands still."""
MOVES = """() => document.getAnimations().flatMap((one) =>
  one.effect.getKeyframes().flatMap((frame) => Object.keys(frame)))"""
"""Names of all properties that are animated, among those of keyframes."""
OF_KEYFRAMES = {"offset", "computedOffset", "easing", "composite"}
DELAYS = """() => Object.fromEntries(document.getAnimations().filter((one) => one.animationName === "light")
  .map((one) => [[...one.effect.target.parentElement.children].filter((row) => row.matches(".row"))
  .indexOf(one.effect.target), one.effect.getTiming().delay]))"""
"""When each row lights up."""
MARKS = "all => all.map((row) => [...row.querySelectorAll('.mark')].map((mark) => mark.textContent))"


@fixture(loop_scope="session")
async def lucky_hand(tmp_path: Path) -> AsyncIterator[tuple[Club, Open]]:
    """Alice scoops Bob with aces on the front, once :func:`scooped` plays the hand."""
    async with open_club(tmp_path, seeds=[SEED]) as club, served(club) as opened:
        await deal_to_alice(club)
        yield club, opened


async def scooped(club: Club, page: Tab) -> None:
    """Play that hand, with a page that has all its parts."""
    await page.page.wait_for_function(
        "() => performance.getEntriesByType('resource').some(({ name }) => /over-/.test(name))"
    )
    await club.play_hand(script=SCRIPT)
    await page.at("#result .told").wait_for()


TURNED = """all => all.map((one) => {
  for (const animation of one.getAnimations()) animation.finish();
  return getComputedStyle(one).opacity;
})"""
"""How much of the backs of moving cards can be seen once they have turned."""


async def test_rows_light_up_one_after_the_other_and_the_total_counts_up(lucky_hand: tuple[Club, Open]) -> None:
    club, opened = lucky_hand
    async with tab(opened, club, "alice", PHONE) as page:
        await page.view.evaluate(SLOWLY)
        await scooped(club, page)
        assert await page.at("#stage.telling").count() == 1
        delays = await page.view.evaluate(DELAYS)
        assert delays["0"] < delays["1"] < delays["2"]
        assert set(await page.view.evaluate(MOVES)) - OF_KEYFRAMES <= {"transform", "opacity"}
        assert await page.at("#own .row").evaluate_all(MARKS) == [["+9", "+1"], ["+1"], ["+1"]]
        assert await page.at("#others .row").evaluate_all(MARKS) == [["−1"], ["−1"], ["−1"]]
        counted = await page.at("#own .count > *").evaluate_all("all => all.map((one) => one.textContent)")
        assert counted == ["0", "+10", "+11", "+12", "+15 (+150)"]
        assert await page.at("#own > .name .mark").all_text_contents() == ["scoop +3"]
        assert await page.at("#moment").inner_text() == "Alice\nFantasyland next hand, 14 cards"
        assert await page.at("#result .told li").all_text_contents() == [
            "Bob pays Alice 150 chips",
            "Alice: Fantasyland next hand, 14 cards",
        ]
        # It's told once to who hears it, and each row says what it's worth.
        heard = str(await page.at("#live").text_content())
        assert heard.count("+15") == 1
        assert heard.count("Fantasyland") == 1
        front = str(await page.at('#own [data-row="F"] .line button').get_attribute("aria-label"))
        assert front.endswith("pair of aces. +1. royalty +9")


async def test_with_less_motion_all_of_it_is_there_at_once(lucky_hand: tuple[Club, Open]) -> None:
    club, opened = lucky_hand
    async with tab(opened, club, "alice", PHONE, reduced_motion="reduce") as page:
        await scooped(club, page)
        assert await page.view.evaluate("() => document.getAnimations().length") == 0
        assert await page.at("#motion > *").count() == 0
        assert await page.at("#own .gained > span").last.inner_text() == "+15 (+150)"
        assert await page.at("#moment p").evaluate("one => getComputedStyle(one).opacity") == "0"


async def test_a_press_never_waits_for_what_moves(club: Club, opened: Open) -> None:
    name = await three(club)
    before = next(one for one in ("alice", "bob", "hanako") if one != name)
    async with tab(opened, club, before, PHONE) as page:
        await page.page.wait_for_function(
            "() => performance.getEntriesByType('resource').some(({ name }) => /over-/.test(name))"
        )
        await page.view.evaluate(SLOWLY)
        while await club.on_turn() != before:
            await club.play_turn(await club.on_turn())
        await page.at("#tray .card").first.wait_for()
        await page.at("#motion > .card").first.wait_for()
        # A card that has turned stays turned, although others are still on their way.
        assert set(await page.at("#motion .back").evaluate_all(TURNED)) == {"0"}
        # The cards are in flight for days. They can be pressed where they will lie, and the press ends their flight.
        await page.at('[data-card="0"]').click(position={"x": 5, "y": 5})
        assert await page.at("#motion > *").count() == 0
        assert await page.at('[data-card="0"]').get_attribute("aria-pressed") == "true"
        assert await page.at('[data-card="0"]').evaluate("one => getComputedStyle(one).opacity") == "1"
        await page.page.keyboard.press("m")
        await page.at('[data-row="M"] [data-card="0"]').wait_for()


async def test_buttons_work_at_once_while_the_end_of_a_hand_is_told(lucky_hand: tuple[Club, Open]) -> None:
    club, opened = lucky_hand
    async with tab(opened, club, "alice", PHONE) as page:
        await page.view.evaluate(SLOWLY)
        await scooped(club, page)
        await page.at("#motion > .chip").first.wait_for(state="attached")
        assert await page.at("#moment").is_visible()
        await page.at('#bar [data-key="wait"]').click()
        assert await page.at('#bar [data-key="wait"]').get_attribute("aria-pressed") == "true"
        assert await page.at("#motion > *").count() == 0
        await page.at('#bar [data-key="past"]').click()
        await page.at("#scrubber").wait_for()


async def next_hand(club: Club) -> None:
    """The next hand is dealt."""
    await club.pass_time(15)


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
async def test_whoever_waits_goes_on_once_they_like_by_keys_alone(
    lucky_hand: tuple[Club, Open], size: dict[str, int]
) -> None:
    club, opened = lucky_hand
    async with tab(opened, club, "alice", size) as page:
        await scooped(club, page)
        keys = page.page.keyboard
        await page.at('#bar [data-key="wait"]').focus()
        await keys.press("Enter")
        assert WORDS("page.words.waits") in str(await page.at("#live").text_content())
        await next_hand(club)
        await page.at("#bar .main", has_text=WORDS("page.words.go_on")).wait_for()
        await page.fits()
        assert await page.at("#own .row").evaluate_all(MARKS) == [["+9", "+1"], ["+1"], ["+1"]]
        assert await page.at("#tray").count() == 0
        # No key moves a card that isn't seen.
        await page.at("#own .board").focus()
        await keys.press("f")
        await keys.press("Enter")
        await page.at('#bar [data-key="goOn"]').focus()
        await keys.press("Enter")
        await page.at("#tray .card").first.wait_for()
        assert await page.at("#tray .card").count() == 14
        # A line above the hand leads back, and forth again.
        assert await page.at("#last").inner_text() == "Hand 1: +15"
        await page.at("#last").focus()
        await keys.press("Enter")
        await page.at("#result").wait_for()
        assert await page.at("#stage.telling").count() == 0
        for _ in range(30):
            if await page.at('#bar [data-key="goOn"]').evaluate("one => one === document.activeElement"):
                break
            await keys.press("Tab")
        await keys.press("Enter")
        await page.at("#tray .card").first.wait_for()
        await page.fits()


async def test_without_a_wait_the_next_hand_takes_the_place_of_the_result(lucky_hand: tuple[Club, Open]) -> None:
    club, opened = lucky_hand
    async with tab(opened, club, "bob", PHONE) as page:
        await scooped(club, page)
        await next_hand(club)
        await page.at("#last", has_text="Hand 1: −15").wait_for()
        await page.at("#result").wait_for(state="detached")


async def test_two_fouls_are_seen_to_break_even(club: Club, opened: Open) -> None:
    club.seeds.append(seed_for(lambda seed: all(board.foul for board in on_the_clock(club, seed).boards)))
    await deal_known(club, ("alice", "bob"))
    while (await club.look()).waiting:
        await club.type_turn(await club.on_turn())
    async with tab(opened, club, "alice", PHONE) as page:
        told = page.at("#result .told li")
        await told.first.wait_for()
        assert await told.all_text_contents() == [WORDS("page.words.even_because", why=WORDS("result.both_fouled"))]


async def test_each_of_three_reads_their_duels(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob", "hanako")
    await club.play_hand()
    result = await club.play.result(club.key(), 1)
    for name, words in (("alice", WORDS), ("hanako", words_for("ja"))):
        async with tab(opened, club, name, DESK) as page:
            rows = page.at("#result .duel tbody tr")
            await rows.first.wait_for()
            assert await rows.count() == 3
            own = next(line for line in result.results if line.player == club.player(name))
            points = await page.at("#result .duel tr:not(.far) .points").all_text_contents()
            assert len(points) == 2
            assert sum(int(text.replace("−", "-").replace("±", "")) for text in points) == own.points
            assert (
                await page.at("#own .gained").first.inner_text()
                == f"{words.signed(own.points)} ({words.signed(own.chips)})"
            )
            assert not await page.at("#result .totals, #result .pairs").count(), "it's told once"


async def test_webkit_tells_the_end_of_a_hand_too(lucky_hand: tuple[Club, Open]) -> None:
    club, opened = lucky_hand
    async with webkit() as found:
        await found.size(PHONE["width"], PHONE["height"])
        await found.go(f"{opened.origin}/table#{opened.token(club, 'alice')}")
        await found.there("#tray .card")
        await found.until("() => performance.getEntriesByType('resource').some(({ name }) => /over-/.test(name))")
        await found.run(f"() => {{ ({SLOWLY})(); return true; }}")
        await club.play_hand(script=SCRIPT)
        await found.there("#result .told")
        marks: Any = await found.run("() => [...document.querySelectorAll('#own .mark')].map((one) => one.textContent)")
        assert marks == ["scoop +3", "+9", "+1", "+1", "+1"]
        moved = set(await found.run(MOVES)) - OF_KEYFRAMES
        assert moved <= {"transform", "opacity"}
        await found.click('#bar [data-key="wait"]')
        await next_hand(club)
        await found.there('#bar [data-key="goOn"]')
        await found.click('#bar [data-key="goOn"]')
        await found.there("#tray .card")
        await found.there("#last")
