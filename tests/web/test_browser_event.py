"""An event's table on a spectator's page, whose boards are complete in any window."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from bot.model.clock import Clock, Pace
from bot.model.events import Official
from bot.model.ids import GuildId, TableKey
from bot.play.event.office.registration import PlannedEvent
from bot.play.session.policy import Policy
from bot.pure.event.structure import PRESETS
from bot.pure.ofc.presets import PRESETS as GAMES
from bot.text.words import words_for
from tests.discord.club import Club
from tests.web.browser import DESK, PHONE, Tab, browsing
from tests.web.open_pages import Open

pytestmark = pytest.mark.browser

BESIDE_CHAT = {"width": 770, "height": 800}
WINDOWS = (
    *(PHONE, {"width": 320, "height": 568}, {"width": 568, "height": 320}, {"width": 667, "height": 375}),
    *({"width": 600, "height": 900}, {"width": 700, "height": 500}, {"width": 770, "height": 420}),
    *({"width": 760, "height": 1000}, {"width": 844, "height": 390}, {"width": 900, "height": 700}),
    *(BESIDE_CHAT, {"width": 1024, "height": 768}, {"width": 1100, "height": 500}, DESK),
)
"""Phones and windows next to the chat, in all shapes."""

TROUBLE = """() => {
  const main = document.getElementById("main");
  const room = main.getBoundingClientRect();
  const inside = (one, place) => one.left >= place.left - 1 && one.right <= place.right + 1
    && one.top >= place.top - 1 && one.bottom <= place.bottom + 1;
  const trouble = [];
  if (main.scrollWidth > main.clientWidth + 1 || main.scrollHeight > main.clientHeight + 1) trouble.push("scrolls");
  const seats = [...main.querySelectorAll(".seat")];
  for (const [number, seat] of seats.entries()) {
    const place = seat.getBoundingClientRect();
    if (!inside(place, room)) trouble.push(`seat ${number} outside`);
    for (const one of seat.querySelectorAll(".card, .slot")) {
      if (one.checkVisibility() && !inside(one.getBoundingClientRect(), place)) trouble.push(`card outside ${number}`);
    }
    for (const other of seats.slice(number + 1)) {
      const beside = other.getBoundingClientRect();
      const apart = beside.left >= place.right || beside.right <= place.left || beside.top >= place.bottom;
      if (!apart && beside.bottom > place.top) trouble.push(`seat ${number} under another`);
    }
  }
  const event = document.getElementById("event");
  if (event.scrollWidth > event.clientWidth + 1) trouble.push("event scrolls sideways");
  return trouble;
}"""
"""Lists parts of the watched table that are cut off or overlap."""


async def begin(club: Club, game: str, seats: int) -> TableKey:
    """An event of two tables, with the first hands dealt; returns the first table."""
    events = club.bot.services.events
    people = ("alice", "bob", *("carolina the second of her name", "dave", "erin", "frank", "gus", "hugo"))[: 2 * seats]
    for name in people[2:]:
        club.newcomer(name)
    structure = replace(PRESETS["chaipo"], table_seats=seats, most=2 * seats, least=2, threads=False)
    plan = PlannedEvent(
        guild=GuildId(club.guild.id),
        channel=club.channel.id,
        organiser=club.player("alice"),
        language="en",
        name="Friday",
        variant=GAMES[game],
        structure=replace(structure, check_in_minutes=0),
        clock=Clock(pace=Pace.PER_TURN, seconds=60),
        starts_at=club.world.now_ms() + 3_600_000,
    )
    event = await events.create(plan, cause="created")
    for name in people:
        await events.register(event.key, club.player(name), cause=f"registers {name}")
    await events.start(event.key, Official(player=club.player("alice")), cause="starts")
    await club.bot.services.event_publisher.drawn()
    await club.pass_time(Policy().seating_ms / 1000 + 1)
    first, _ = (await events.look(event.key)).tables
    assert (await club.play.look(first.table.key)).hand is not None
    return first.table.key


@asynccontextmanager
async def watching(club: Club, opened: Open, name: str, table: TableKey) -> AsyncIterator[Tab]:
    """Open a spectator's page of an event's table."""
    async with browsing() as driver:
        page = Tab(await driver.new_page(viewport=BESIDE_CHAT))
        await page.page.goto(f"{opened.origin}/table?table={table.table}#{opened.token(club, name)}")
        await page.at("#others .seat").first.wait_for()
        await page.at("#event .small").wait_for()
        yield page
        assert page.complaints == []


async def seen_whole(page: Tab, *, seats: int, least: int) -> None:
    """All boards are whole in every window, and their cards are so wide at least."""
    assert await page.at("#others .seat").count() == seats
    for size in WINDOWS:
        await page.sized(size)
        assert await page.view.evaluate(TROUBLE) == [], size
        narrow = min(size["width"], size["height"]) < 400
        assert await page.width("#others .slot, #others .card") >= (15 if narrow else least), size


@pytest.mark.parametrize(
    ("game", "seats", "name", "letters"),
    [
        ("pineapple", 2, "grace", "usual"),
        ("two_seven", 3, "hanako", "wide"),
        ("progressive", 3, "grace", "usual"),
        ("turbo", 4, "hanako", "usual"),
        ("chinese", 4, "grace", "wide"),
    ],
)
async def test_a_table_of_an_event_is_watched_in_any_window(
    club: Club, opened: Open, game: str, seats: int, name: str, letters: str
) -> None:
    club.newcomer("grace")
    key = await begin(club, game, seats)
    async with watching(club, opened, name, key) as page:
        words = words_for("ja" if name == "hanako" else "en")
        assert words("page.words.watching") in await page.at("#told").text_content()
        if letters == "wide":
            await page.in_wide_letters()
        await seen_whole(page, seats=seats, least=28)
        await club.play_hand(key.table)
        await page.at("#result").wait_for()
        await seen_whole(page, seats=seats, least=18)


async def test_what_a_low_window_has_no_room_for_is_scrolled_to(club: Club, opened: Open) -> None:
    """The event begins below the boards, and its heading peeks out."""
    club.newcomer("grace")
    key = await begin(club, "pineapple", 3)
    async with watching(club, opened, "grace", key) as page:
        for size in ({"width": 568, "height": 320}, {"width": 770, "height": 420}, {"width": 844, "height": 390}):
            await page.sized(size)
            heading = await page.at("#event h2").bounding_box()
            assert heading["y"] + heading["height"] <= size["height"], size
            board = page.at("#event .small .seat").last
            await board.scroll_into_view_if_needed()
            box = await board.bounding_box()
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= size["height"] + 1, size
            await page.at("#event h2").scroll_into_view_if_needed()
            await page.view.evaluate("() => document.getElementById('stage').scrollTo(0, 0)")
