"""Seats in a real browser: terms before chips, the menu during a hand, and what comes after a seat or an event."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from bot.model.clock import Clock, Pace
from bot.model.events import Official
from bot.model.ids import EventKey, GuildId
from bot.play.event.office.registration import PlannedEvent
from bot.play.session.policy import Policy
from bot.play.session.session import Session
from bot.pure.event.structure import PRESETS
from bot.pure.ofc.presets import PINEAPPLE
from bot.text.words import Words, words_for
from tests.backstage import transactions_of
from tests.discord.club import Club
from tests.discord.test_seats import bust
from tests.web.browser import DESK, PHONE, Tab, visited
from tests.web.open_pages import Open

pytestmark = pytest.mark.browser

SMALL = {"width": 320, "height": 568}
LYING = {"width": 667, "height": 375}
WINDOWS = (PHONE, SMALL, LYING, {"width": 844, "height": 390}, DESK)
EN, JA = words_for("en"), words_for("ja")
PEOPLE = pytest.mark.parametrize(("name", "words"), [("bob", EN), ("hanako", JA)])
NARROW = """(selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility())
  .map((one) => [one.dataset.key, one.getBoundingClientRect()])
  .filter(([, box]) => box.height < 44 || box.width < 44).map(([key]) => key)"""
"""The controls that are too small for a thumb."""
SHARES = "navigator.share = async ({ url }) => { window.given = url; }"


@asynccontextmanager
async def page_of(
    opened: Open, club: Club, name: str, size: dict[str, int], *, table: int = 1, script: str = "", **settings: Any
) -> AsyncIterator[Tab]:
    """Open a member's page at a table, and check for errors at the end."""
    async with visited(opened.address(club, name, query=f"?table={table}"), size, script=script, **settings) as shown:
        yield shown


async def seated(club: Club, table: int = 1) -> list[str]:
    """Return the names of the players at a table."""
    return [club.name_of(place.seat.player) for place in (await club.look(table)).places]


async def large_enough(page: Tab, selector: str) -> None:
    """In every window all of it fits, and can be hit with a thumb on a phone."""
    for size in WINDOWS:
        await page.sized(size)
        await page.fits()
        if size["width"] < 700:
            assert await page.view.evaluate(NARROW, selector) == [], size
    await page.sized(PHONE)


@PEOPLE
async def test_a_reader_joins_and_leaves_on_a_phone(club: Club, opened: Open, name: str, words: Words) -> None:
    await club.opens("alice")
    await club.open_table("alice", {"bob": "hanako", "hanako": "bob"}[name])
    async with page_of(opened, club, name, PHONE, has_touch=True) as page:
        await page.at('#bar [data-key="join"]', has_text=words("button.join")).wait_for()
        await page.at("#next button").wait_for()
        await large_enough(page, '#bar [data-key="join"], #next button')
        await page.at('#bar [data-key="join"]').tap()
        await page.at('#sheet[open] [data-key="agree"]').wait_for()
        assert await page.at("#sheet h2").text_content() == words("button.join")
        told = str(await page.at("#sheet .terms").text_content())
        assert words("table.stakes", value="10") in told
        assert words("lobby.buy_in", chips="1,000") in told
        assert await seated(club) == ["alice"], "the first press takes nothing"
        for size in WINDOWS:
            await page.sized(size)
            box = await page.at('[data-key="agree"]').bounding_box()
            assert box["height"] >= 44
            assert box["y"] + box["height"] <= size["height"]
        await page.sized(PHONE)
        await page.at('[data-key="agree"]', has_text=words("terms.join", count=1000, chips="1,000")).tap()
        await page.at('#bar [data-key="leave"]').wait_for()
        await page.at("#sheet").wait_for(state="hidden")
        assert await seated(club) == ["alice", name]
        await large_enough(page, '#bar [data-key="leave"], #bar [data-key="invite"]')
        await page.at('#bar [data-key="leave"]').tap()
        told = words("lobby.left", table=1, count=1000, chips="1,000")
        await page.at("#toast:not([hidden])", has_text=told).wait_for()
        assert await seated(club) == ["alice"]
        # The way back and the other tables are there.
        await page.at('#bar [data-key="join"]').wait_for()
        await page.at("#next button").first.tap()
        await page.at("#tables").wait_for()
        await page.at("#others .seat.turn").first.wait_for()
        assert await page.at("#tables").input_value() == "2"


async def test_a_seat_is_taken_with_keys_alone(club: Club, opened: Open) -> None:
    await club.opens("alice")
    async with page_of(opened, club, "bob", DESK) as page:
        await page.at('#bar [data-key="join"]').wait_for()
        keys = page.page.keyboard
        await page.at('#bar [data-key="join"]').focus()
        await keys.press("Enter")
        await page.at('#sheet[open] [data-key="agree"]').wait_for()
        await keys.press("Escape")
        await page.at("#sheet").wait_for(state="hidden")
        assert await seated(club) == ["alice"]
        await page.at('#bar [data-key="join"]').focus()
        await keys.press("Enter")
        await page.at('#sheet[open] [data-key="agree"]').wait_for()
        await keys.press("Tab")
        assert await page.view.evaluate("() => document.activeElement.dataset.key") == "agree"
        await keys.press("Enter")
        await page.at('#bar [data-key="leave"]').wait_for()
        assert await seated(club) == ["alice", "bob"]


async def test_terms_that_change_while_they_are_read_are_shown_and_asked_again(club: Club, opened: Open) -> None:
    await club.opens("alice")
    async with page_of(opened, club, "hanako", PHONE) as page:
        await page.at('#bar [data-key="join"]').click()
        await page.at('#sheet[open] [data-key="agree"]').wait_for()

        def raise_stakes(s: Session) -> None:
            table = s.table(club.key())
            s.save(replace(table, terms=replace(table.terms, point_value=20)))

        await transactions_of(club.play).write(raise_stakes)
        await page.at("#title", has_text=JA("table.stakes", value="20")).wait_for(state="attached")
        assert JA("table.stakes", value="10") in str(await page.at("#sheet .terms").text_content())
        await page.at('[data-key="agree"]').click()
        await page.at("#sheet #toast:not([hidden])", has_text=JA("terms.changed")).wait_for()
        await page.at("#sheet .terms", has_text=JA("table.stakes", value="20")).wait_for()
        assert await seated(club) == ["alice"]
        await page.at('[data-key="agree"]').click()
        await page.at('#bar [data-key="leave"]').wait_for()
        assert await seated(club) == ["alice", "hanako"]


async def test_a_table_that_fills_up_while_its_terms_are_read_says_so(club: Club, opened: Open) -> None:
    await club.opens("alice", seats=2)
    async with page_of(opened, club, "bob", PHONE) as page:
        await page.at('#bar [data-key="join"]').click()
        await page.at('#sheet[open] [data-key="agree"]').wait_for()
        await club.press("hanako", club.table_screen(), club.table_screen().find("join"))
        await page.at("#others .seat").nth(1).wait_for(state="attached")
        await page.at('[data-key="agree"]').click()
        await page.at("#sheet #toast:not([hidden])", has_text=EN("refused.table_full", seats=2)[:22]).wait_for()
        await page.page.keyboard.press("Escape")
        await page.at("#sheet").wait_for(state="hidden")
        assert await page.at('#bar [data-key="join"]').count() == 0
        assert await seated(club) == ["alice", "hanako"]


@PEOPLE
async def test_the_way_out_of_a_hand_is_in_the_menu_and_can_be_taken_back(
    club: Club, opened: Open, name: str, words: Words
) -> None:
    await club.open_table("alice", name)
    async with page_of(opened, club, name, PHONE) as page:
        await page.at("#own .board").wait_for()
        for size in (SMALL, LYING, PHONE):
            await page.sized(size)
            await page.at("#settings > button").click()
            for verb in ("leave", "sit_out"):
                button = page.at(f'#menu [data-key="{verb}"]')
                await button.scroll_into_view_if_needed()
                box = await button.bounding_box()
                assert box["x"] >= 0
                assert box["x"] + box["width"] <= size["width"]
            await page.page.keyboard.press("Escape")
        assert await page.at('#bar [data-key="leave"]').count() == 0, "not beside Confirm"
        await page.at("#settings > button").click()
        await page.at('#menu [data-key="leave"]').click()
        stay = page.at('#bar [data-key="back"]', has_text=words("button.do_not_leave"))
        await stay.wait_for()
        mine = (await club.look(1, name)).mine
        assert mine is not None
        assert mine.seat.leaving
        await large_enough(page, '#bar [data-key="back"]')
        await stay.click()
        await page.at("#toast:not([hidden])", has_text=words("lobby.stays", table=1)).wait_for()
        await stay.wait_for(state="detached")


@PEOPLE
async def test_whoever_is_out_of_chips_rebuys_with_one_press(club: Club, opened: Open, name: str, words: Words) -> None:
    await club.open_table("alice", name)
    await club.play_hand()
    await bust(club, name)
    async with page_of(opened, club, name, PHONE) as page:
        rebuy = page.at('#bar [data-key="rebuy"]', has_text=words("seats.button.rebuy_of", chips="1,000"))
        await rebuy.wait_for()
        await page.at("#result").wait_for()
        await large_enough(page, '#bar [data-key="rebuy"]')
        await rebuy.click()
        await page.at("#toast:not([hidden])", has_text=words("seats.said.rebought")).wait_for()
        await rebuy.wait_for(state="detached")
    mine = (await club.look(1, name)).mine
    assert mine is not None
    assert mine.stack == 1000


async def test_an_invitation_opens_the_phones_own_sheet(club: Club, opened: Open) -> None:
    await club.opens("alice")
    address = f"https://discord.com/channels/{club.guild.id}/{club.channel.id}"
    async with page_of(opened, club, "alice", PHONE, script=SHARES, has_touch=True, is_mobile=True) as page:
        await page.at('#bar [data-key="invite"]').tap()
        await page.view.wait_for_function("() => window.given")
        assert str(await page.view.evaluate("() => window.given")).startswith(address)
        assert await page.at("#sheet").is_hidden()
    refuses = "navigator.share = async () => { throw new DOMException('', 'NotAllowedError'); }"
    may = ["clipboard-read", "clipboard-write"]
    for size, script, more in ((PHONE, refuses, {"has_touch": True, "is_mobile": True}), (DESK, SHARES, {})):
        async with page_of(opened, club, "alice", size, script=script, permissions=may, **more) as page:
            await page.at('#bar [data-key="invite"]').click()
            await page.at("#toast:not([hidden])", has_text=EN("page.words.invited")).wait_for()
            assert str(await page.view.evaluate("() => navigator.clipboard.readText()")).startswith(address)


async def test_a_table_that_closes_while_it_is_shown_leads_elsewhere(club: Club, opened: Open) -> None:
    await club.opens("alice")
    async with page_of(opened, club, "bob", PHONE) as page:
        await page.at('#bar [data-key="join"]').click()
        await page.at('#sheet[open] [data-key="agree"]').wait_for()
        await club.play.close(club.key(), reason="closed_by_admin")
        await page.at("#told .status", has_text=EN("closed.closed_by_admin").replace("*", "")[:12]).wait_for()
        await page.at('[data-key="agree"]').click()
        await page.at("#toast:not([hidden])").wait_for()
        await page.page.keyboard.press("Escape")
        await page.at("#sheet").wait_for(state="hidden")
        assert await page.at('#bar [data-key="join"]').count() == 0
        await club.open_table("alice", "hanako")
        await page.at("#next button, #others .seat.turn").first.wait_for()


async def event_of_six(club: Club) -> EventKey:
    """Begin an event of two tables in which a lost hand knocks players out."""
    events = club.bot.services.events
    people = ("alice", "bob", "hanako", "dave", "erin", "frank")
    for name in people[3:]:
        club.newcomer(name, locale="ja" if name == "frank" else "en-US")
    structure = replace(PRESETS["chaipo"], table_seats=3, most=6, least=2, threads=False, check_in_minutes=0)
    plan = PlannedEvent(
        guild=GuildId(club.guild.id),
        channel=club.channel.id,
        organiser=club.player("alice"),
        language="en",
        name="Friday",
        variant=PINEAPPLE,
        structure=replace(structure, stack=1000, levels=(50, 6400), level_hands=1),
        clock=Clock(pace=Pace.PER_TURN, seconds=60),
        starts_at=club.world.now_ms() + 3_600_000,
    )
    event = await events.create(plan, cause="created")
    for name in people:
        await events.register(event.key, club.player(name), cause=f"registers {name}")
    await events.start(event.key, Official(player=club.player("alice")), cause="starts")
    await club.bot.services.event_publisher.drawn()
    await club.pass_time(Policy().seating_ms / 1000 + 1)
    return event.key


async def play_until_out(club: Club, key: EventKey, names: tuple[str, ...]) -> None:
    """Play at all tables until these players are out."""
    events = club.bot.services.events
    for _ in range(8):
        seen = await events.look(key)
        if not {club.player(name) for name in names} & {player for line in seen.tables for player in line.players}:
            return
        for line in seen.tables:
            if (await club.look(line.table.key.table)).waiting:
                await club.play_hand(line.table.key.table)
        await club.pass_time(23)
    raise AssertionError("they are still in")


@pytest.mark.parametrize(("name", "words"), [("erin", EN), ("frank", JA)])
async def test_whoever_is_out_of_an_event_sees_their_last_board_and_what_comes_next(
    club: Club, opened: Open, name: str, words: Words
) -> None:
    key = await event_of_six(club)
    (own,) = [
        line.table.key.table
        for line in (await club.bot.services.events.look(key)).tables
        if club.player(name) in line.players
    ]
    async with page_of(opened, club, name, PHONE, table=own) as page:
        await page.at("#own .board").wait_for()
        await play_until_out(club, key, (name,))
        await page.at("#event .next p").first.wait_for()
        assert await page.at("#own .board .card").count() == 13, "their last board"
        await page.at("#told .status", has_text="Friday").first.wait_for()
        link = page.at('#event [data-key="event-in-discord"]', has_text=words("page.words.event_in_discord"))
        await link.wait_for()
        assert (await link.bounding_box())["height"] >= 44
        for size in WINDOWS:
            await page.sized(size)
            wide = await page.view.evaluate("() => document.scrollingElement.scrollWidth")
            assert wide <= size["width"], size
            box = await page.at("#event h2").bounding_box()
            assert box["y"] + box["height"] <= size["height"], "it peeks out"
        await page.sized(DESK)
        await page.at("#event .small .way").first.click()
        await page.at("#told .watching").wait_for()
        assert await page.at("#event .next").count() == 0
