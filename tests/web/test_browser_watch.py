"""An audience in a real browser: several tables at once, viewers, pages for streams, sounds, and the installed app."""

from __future__ import annotations

import asyncio
import io
import json
from typing import Any

import pytest
from PIL import Image

from bot.model.ids import GuildId
from bot.web.messages import Bye
from tests.discord.club import Club
from tests.web.browser import DESK, PHONE, Tab
from tests.web.open_pages import Open
from tests.web.test_browser_views import Tabs, tabs

__all__ = ["tabs"]
pytestmark = pytest.mark.browser

SCREEN = {"width": 1920, "height": 1080}
UPRIGHT = {"width": 1080, "height": 1920}
SIZES = (
    *(PHONE, {"width": 320, "height": 568}, {"width": 844, "height": 390}, {"width": 667, "height": 375}),
    *({"width": 900, "height": 700}, DESK, SCREEN),
)
SIDEWAYS = """() => ["html", "#stage", "#main", "#event"].filter((one) => {
  const { scrollWidth, clientWidth } = document.querySelector(one);
  return scrollWidth > clientWidth + 1;
})"""
PRESSABLE = """() => [...document.querySelectorAll("button, a, select, input, textarea, summary")]
  .filter((one) => one.checkVisibility()).map((one) => one.outerHTML)"""
QUIET = """
  window.made = 0;
  window.tones = 0;
  const Plain = window.AudioContext;
  window.AudioContext = class extends Plain {
    constructor() { super(); window.made += 1; }
    createOscillator() { window.tones += 1; return super.createOscillator(); }
  };
  // A question of the test counts as a touch. Here only touches do.
  let touched = false;
  for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, () => { touched = true; }, true);
  Object.defineProperty(navigator, "userActivation", { value: { get isActive() { return touched; } } });
"""
WISHED = "localStorage.setItem('chaipo-table', JSON.stringify({ sound: true }));"


async def three_tables(club: Club) -> None:
    """Three tables, two of two and one of three, of which two have begun to place."""
    for name in ("carol", "dave", "erin", "frank", "gus"):
        club.newcomer(name)
    await club.open_table("alice", "bob")
    await club.open_table("carol", "dave", "erin")
    await club.open_table("frank", "gus")
    for table in (1, 1, 2):
        await club.type_turn(await club.on_turn(table), table)


@pytest.mark.parametrize("name", ["kim", "hanako"])
async def test_one_press_makes_another_table_the_large_one(club: Club, tabs: Tabs, name: str) -> None:
    await three_tables(club)
    if name == "kim":
        club.newcomer(name)
    words = club.words(name)
    page = await tabs.open(PHONE, name, query="?table=1")
    await page.at('#bar [data-key="all"]', has_text=words("page.words.all_tables")).click()
    await page.at("#event .small").nth(1).wait_for()
    assert await page.at("#event .small").count() == 2
    assert await page.at("#event h2").text_content() == words("page.words.other_tables")
    # A card that somebody places at another table comes by itself.
    await page.at('#event .small:has([data-key="table-2"]) .card').nth(4).wait_for()
    await club.type_turn(await club.on_turn(2), 2)
    await page.at('#event .small:has([data-key="table-2"]) .card').nth(9).wait_for()
    for size in SIZES:
        await page.sized(size)
        assert await page.view.evaluate(SIDEWAYS) == [], size
        box = await page.at('[data-key="table-2"]').bounding_box()
        assert min(box["width"], box["height"]) >= 44, size
        assert await page.width("#others .card") > await page.width("#event .card"), size
    # With the keyboard, and wherever a small table is pressed.
    await page.at('[data-key="table-2"]').press("Enter")
    await page.at('[data-key="table-1"]').wait_for()
    assert await page.at("#others .seat").count() == 3
    assert await page.at('[data-key="table-2"]').count() == 0
    await page.page.mouse.click(*await page.middle('#event .small:has([data-key="table-3"]) .seats'))
    await page.at('[data-key="table-2"]').wait_for()
    assert await page.at("#others .seat").count() == 2
    await page.at('#bar [data-key="all"]', has_text=words("page.words.one_table")).click()
    await page.at("#event").wait_for(state="hidden")


async def test_other_tables_come_back_after_a_lost_connection(club: Club, tabs: Tabs) -> None:
    await three_tables(club)
    page = await tabs.open(DESK, "hanako", query="?table=1&all")
    await page.at('#event .small:has([data-key="table-2"]) .card').nth(4).wait_for()
    (open_one,) = club.bot.pages.all
    open_one.line.close(Bye(said="", again=True))
    await page.at("#toast", has_text=club.words("hanako")("page.words.online")).wait_for()
    await club.type_turn(await club.on_turn(2), 2)
    await page.at('#event .small:has([data-key="table-2"]) .card').nth(9).wait_for()


async def test_players_and_watchers_see_how_many_watch(club: Club, tabs: Tabs) -> None:
    await club.open_table("alice", "bob")
    for name in ("carol", "dave"):
        club.newcomer(name)
    player = await tabs.open(PHONE, "alice")
    watchers = [await tabs.open(PHONE, name) for name in ("carol", "dave", "hanako")]
    for page in (player, *watchers):
        await page.at("#told .status").wait_for()
    club.bot.pages.viewers.update()
    for page, name in ((player, "alice"), (watchers[0], "carol"), (watchers[2], "hanako")):
        told = club.words(name)("page.words.viewers", number=3)
        await page.at("#viewers", has_text=told).wait_for()
        await page.sized({"width": 320, "height": 568})
        assert await page.view.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    for page in watchers[1:]:
        await page.page.close()
    while len(club.bot.pages.all) > 2:
        await player.view.evaluate("() => new Promise((done) => setTimeout(done))")
    club.bot.pages.viewers.update()
    await player.at("#viewers", has_text=club.words("alice")("page.words.viewers", number=1)).wait_for()
    await watchers[0].at("#viewers").wait_for(state="detached")


# streams


async def later(club: Club, tabs: Tabs, *, query: str = "", seats: int = 2, size: dict[str, int] = SCREEN) -> Tab:
    """The page for a stream, with cards on it."""
    people = ("alice", "bob", "carol", "dave")[:seats]
    for name in people[2:]:
        club.newcomer(name)
    await club.open_table(*people)
    page = await tabs.open(size, "hanako", query=f"?overlay&table=1{query}")
    await page.at("#told .status").wait_for()
    for _ in range(2 * seats):
        await club.type_turn(await club.on_turn())
    await page.at("#others .card").nth(5 * seats - 1).wait_for()
    return page


@pytest.mark.parametrize("size", [SCREEN, UPRIGHT], ids=["screen", "upright"])
@pytest.mark.parametrize("seats", [2, 3])
async def test_a_stream_fills_its_picture_and_nothing_on_it_can_be_pressed(
    club: Club, tabs: Tabs, seats: int, size: dict[str, int]
) -> None:
    page = await later(club, tabs, seats=seats, size=size)
    assert await page.view.evaluate(PRESSABLE) == []
    await page.fits()
    boxes = [await page.at("#others .seat").nth(number).bounding_box() for number in range(seats)]
    left, top = (min(box[side] for box in boxes) for side in ("x", "y"))
    across = max(box["x"] + box["width"] for box in boxes) - left
    down = max(box["y"] + box["height"] for box in boxes) - top
    assert across > 0.9 * size["width"] or down > 0.8 * size["height"]
    assert await page.width("#others .card") >= 70
    letters = "(one) => parseFloat(getComputedStyle(one).fontSize)"
    assert await page.at("#others .name").first.evaluate(letters) >= 20
    taken = await page.page.screenshot(omit_background=True)
    see_through = Image.open(io.BytesIO(taken)).convert("RGBA").getchannel("A")
    for corner in ((0, 0, 4, 4), (size["width"] - 4, size["height"] - 4, size["width"], size["height"])):
        assert see_through.crop(corner).getextrema() == (0, 0)


async def test_a_streams_address_says_what_it_looks_like(club: Club, tabs: Tabs) -> None:
    page = await later(club, tabs)
    plain = await page.width("#others .card")
    looks = "() => ['dark', 'two'].filter((name) => document.documentElement.classList.contains(name))"
    assert await page.view.evaluate(looks) == []
    other = await tabs.open(SCREEN, "hanako", query="?overlay&table=1&theme=dark&deck=two&scale=0.6")
    await other.at("#others .card").nth(9).wait_for()
    assert await other.view.evaluate(looks) == ["dark", "two"]
    assert await other.width("#others .card") == pytest.approx(0.6 * plain, abs=2)
    # What a browser has kept for its player is none of the stream's business.
    assert await other.view.evaluate("() => localStorage.length") == 0


async def test_a_stream_opens_again_by_itself(club: Club, tabs: Tabs) -> None:
    page = await later(club, tabs)
    (open_one,) = club.bot.pages.all
    open_one.line.close(Bye(said="", again=True))
    while open_one in club.bot.pages.all:  # noqa: ASYNC110  (its connection ends it)
        await asyncio.sleep(0.01)
    for _ in range(2):
        await club.type_turn(await club.on_turn())
    await page.at("#others .card").nth(13).wait_for()


async def test_a_stream_that_moves_to_another_process_stays_a_stream(club: Club, opened: Open, tabs: Tabs) -> None:
    page = await later(club, tabs, query="&theme=dark")
    club.bot.pages.send_on(GuildId(club.guild.id), f"http://localhost:{opened.port}/table")
    await page.page.wait_for_url("http://localhost:*/table?overlay&table=1&theme=dark")
    await page.at("#told .status").wait_for()
    assert await page.view.evaluate(PRESSABLE) == []
    assert await page.view.evaluate("() => document.documentElement.classList.contains('dark')")


# sounds


def asked_for(page: Any) -> list[str]:
    """The files that a page asks for from now on."""
    names: list[str] = []
    page.on("request", lambda request: names.append(request.url.rpartition("/")[2]))
    return names


@pytest.mark.parametrize("wished", [False, True])
async def test_nothing_sounds_before_somebody_has_touched_the_page(club: Club, tabs: Tabs, wished: bool) -> None:
    await club.open_table("alice", "bob")
    context = await tabs.driver.new_context(viewport=PHONE)
    await context.add_init_script(QUIET + (WISHED if wished else ""))
    page = Tab(await context.new_page())
    tabs.all.append(page)
    names = asked_for(page.page)
    await page.page.goto(f"{tabs.opened.origin}/table#{tabs.opened.token(club, 'alice')}")
    await page.at("#own .board").wait_for()
    waits = "() => document.querySelectorAll('#others .card').length >= %d"
    while await club.on_turn() != "bob":
        await club.type_turn("alice")
    await club.type_turn("bob")
    await page.view.wait_for_function(waits % 5)
    await page.at("#tray [data-card]").first.wait_for()
    assert await page.view.evaluate("() => [window.made, window.tones]") == [0, 0]
    if wished:
        await page.view.wait_for_function(
            "() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/sounds-'))"
        )
    await page.at("#tray [data-card]").first.click()
    await page.at('[data-row="B"]').click()
    await page.at('[data-row="B"] [data-card]').wait_for()
    if wished:
        await page.view.wait_for_function("() => window.tones > 0")
        assert await page.view.evaluate("() => window.made") == 1
    else:
        assert await page.view.evaluate("() => [window.made, window.tones]") == [0, 0]
    assert any(name.startswith("sounds-") for name in names) is wished


# the installed app


@pytest.mark.parametrize("locale", ["en-US", "ja-JP"])
async def test_browsers_find_nothing_that_keeps_the_page_from_being_installed(
    club: Club, tabs: Tabs, locale: str
) -> None:
    await club.open_table("alice", "bob")
    page = await tabs.open(PHONE, "alice", locale=locale)
    await page.at("#own .board").wait_for()
    session = await page.page.context.new_cdp_session(page.page)
    found = await session.send("Page.getAppManifest")
    assert found["errors"] == []
    told = json.loads(found["data"])
    assert told["lang"] == locale.partition("-")[0]
    errors = (await session.send("Page.getInstallabilityErrors"))["installabilityErrors"]
    # A context without storage is incognito, where nothing can be installed.
    assert [error["errorId"] for error in errors] == ["in-incognito"]
