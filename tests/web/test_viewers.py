"""The number of people who watch a table: people, not pages, without names, and updated seldom."""

from __future__ import annotations

from contextlib import AsyncExitStack

from bot.model.ids import Player, TableKey
from bot.web.pages import Pages
from tests.play.world import ANN, BOB, CLEO, DAN, EVE, World
from tests.web.open_pages import Kept, kept
from tests.web.test_streams import hand_link
from tests.web.test_watching import all_see, told

CROWD = [Player(str(number)) for number in range(9_000, 9_012)]


async def watched(world: World, pages: Pages) -> TableKey:
    """A table that everyone may watch."""
    all_see(pages)
    return await world.started(ANN, BOB)


async def counted(pages: Pages) -> None:
    """Let the interval pass."""
    await told(pages)
    pages.viewers.update()
    await told(pages)


async def test_people_are_counted_however_many_pages_they_have(world: World, pages: Pages) -> None:
    key = await watched(world, pages)
    async with kept(pages, ANN) as own, kept(pages, EVE) as one, kept(pages, EVE), kept(pages, CLEO) as two:
        await counted(pages)
        assert [page.view["viewers"] for page in (own, one, two)] == [2, 2, 2]
        # Whoever sits there doesn't watch, even if they look at the table twice.
        async with kept(pages, BOB, table=key.table) as other:
            await counted(pages)
            assert other.view["viewers"] == own.view["viewers"] == 2
    async with kept(pages, ANN) as own:
        await counted(pages)
        assert own.view["viewers"] == 0


async def test_streams_are_not_counted_and_show_no_number(world: World, pages: Pages) -> None:
    key = await watched(world, pages)
    reader = await pages.stream(await hand_link(pages, DAN))
    assert reader is not None
    line = Kept(pages=pages)
    async with (
        kept(pages, ANN) as own,
        kept(pages, EVE),
        pages.opened(reader, line, table=key.table, has="") as line.page,
    ):
        await line.look()
        await counted(pages)
        assert own.view["viewers"] == 1
        for _ in range(6):
            await world.place_cards(key, await world.turn(key))
            await line.look()
        assert line.view["seats"], "the stream shows the table"
        assert line.view["viewers"] == 0


async def test_whoever_comes_and_goes_is_told_together(world: World, pages: Pages) -> None:
    key = await watched(world, pages)
    async with AsyncExitStack() as stack:
        own = await stack.enter_async_context(kept(pages, ANN))
        crowd = [await stack.enter_async_context(kept(pages, player)) for player in CROWD]
        await told(pages)
        before = len(own.came)
        async with kept(pages, EVE):
            await told(pages)
        assert own.came[before:] == [], "nobody is told before the interval has passed"
        await counted(pages)
        (news,) = own.came[before:]
        assert news["parts"] == {"viewers": len(CROWD)}
        assert not any(player in str(message) for message in own.came for player in CROWD), "no one is named"
        pages.viewers.update()
        await told(pages)
        assert len(own.came) == before + 1, "a number that stays isn't sent again"
        # A move brings no message more than it would without watchers.
        await world.place_cards(key, await world.turn(key))
        await told(pages)
        assert [message["type"] for message in own.came[before + 1 :]] == ["change"]
        assert {page.view["viewers"] for page in crowd} == {len(CROWD)}


async def test_the_number_is_of_the_table_that_is_shown(world: World, pages: Pages) -> None:
    key = await watched(world, pages)
    other = await world.started(CLEO, DAN)
    async with kept(pages, ANN) as own, kept(pages, CLEO) as elsewhere, kept(pages, EVE, table=key.table) as page:
        await counted(pages)
        assert (own.view["viewers"], elsewhere.view["viewers"]) == (1, 0)
        await page.say(type="look", table=other.table)
        await counted(pages)
        assert (own.view["viewers"], elsewhere.view["viewers"]) == (0, 1)
