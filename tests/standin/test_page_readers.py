"""Pages of users who have left the server, which Discord doesn't report to the bot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from bot.chat.page_readers import ASKED_EVERY_MS, MAX_PER_SWEEP
from bot.text.words import words_for
from bot.web.messages import Open
from bot.web.tokens import PageReader
from tests.standin.rest import Fault
from tests.standin.test_activity import activity_of, opening
from tests.standin.test_activity import wired as wired
from tests.standin.things import User
from tests.standin.wired_bot import WiredBot
from tests.web.open_pages import Kept

SWEEP_SECONDS = 31
EVERY_SECONDS = ASKED_EVERY_MS // 1000


async def come(wired: WiredBot, user: User) -> tuple[PageReader, Open]:
    """Let a user in through Discord's Activity."""
    said = opening(wired, user, wired.discord.activities.join(user, wired.channel))
    reader, _ = await activity_of(wired).came(said, address="203.0.113.1")
    return reader, said


@asynccontextmanager
async def page_of(wired: WiredBot, reader: PageReader) -> AsyncIterator[Kept]:
    """Their page."""
    line = Kept(pages=wired.bot.pages)
    async with wired.bot.pages.opened(reader, line, table=0, has="") as line.page:
        yield line


def asked(wired: WiredBot, user: User) -> int:
    """Return the number of requests about a user's membership."""
    return sum(r.method == "GET" and r.path.endswith(f"/members/{user.id}") for r in wired.discord.requests)


@pytest.mark.parametrize(("locale", "code"), [("en-US", "en"), ("ja", "ja")])
async def test_whoever_is_banned_or_removed_loses_their_pages_and_nobody_else_does(
    wired: WiredBot, locale: str, code: str
) -> None:
    alice, bob = wired.discord.user(1, locale=locale), wired.user(2)
    (hers, token), (his, _) = await come(wired, alice), await come(wired, bob)
    async with page_of(wired, hers) as one, page_of(wired, hers) as two, page_of(wired, his) as other:
        await asyncio.sleep(SWEEP_SECONDS)
        assert (asked(wired, alice), asked(wired, bob)) == (1, 1), "once for each, however many pages"
        wired.channel.guild.left.add(alice.id)
        await asyncio.sleep(EVERY_SECONDS + SWEEP_SECONDS)
        for page in (one, two):
            assert page.bye is not None
            assert (page.bye.said, page.bye.again) == (words_for(code)("page.left"), False)
        assert other.bye is None
        assert await wired.bot.links.came(token) is None, "nor does the token open another"
    # A user who is let in again has a new page.
    wired.channel.guild.left.clear()
    again, _ = await come(wired, alice)
    async with page_of(wired, again) as page:
        await asyncio.sleep(SWEEP_SECONDS)
        assert page.bye is None


@pytest.mark.parametrize(
    "fault", [Fault(status=500), Fault(status=403, code=50001), Fault(status=404, code=10004), Fault(error=OSError())]
)
async def test_while_discord_cannot_say_it_the_page_stays(wired: WiredBot, fault: Fault) -> None:
    alice = wired.user(1)
    reader, _ = await come(wired, alice)
    wired.discord.hook = lambda request: fault if "/members/" in request.path else None
    wired.channel.guild.left.add(alice.id)
    async with page_of(wired, reader) as page:
        await asyncio.sleep(3 * SWEEP_SECONDS)
        assert asked(wired, alice)
        assert page.bye is None
        wired.discord.hook = None
        await asyncio.sleep(EVERY_SECONDS + 2 * SWEEP_SECONDS)
        assert page.bye is not None


async def test_many_readers_cost_discord_a_little_at_a_time_and_each_of_them_seldom(wired: WiredBot) -> None:
    users = [wired.user(number) for number in range(MAX_PER_SWEEP + 20)]
    async with AsyncExitStack() as stack:
        for user in users:
            wired.discord.activities.join(user, wired.channel)
            guild, player = wired.key.guild, str(user.id)
            reader = PageReader(guild=guild, player=player, locale="en-US", digest=player.encode())  # type: ignore[arg-type]
            await stack.enter_async_context(page_of(wired, reader))
        while not any(asked(wired, user) for user in users):  # noqa: ASYNC110  (the clock of the bot changes it)
            await asyncio.sleep(1)
        await asyncio.sleep(SWEEP_SECONDS - 5)
        assert sum(asked(wired, user) for user in users) == MAX_PER_SWEEP
        await asyncio.sleep(EVERY_SECONDS - 2 * SWEEP_SECONDS)
        assert {asked(wired, user) for user in users} == {1}
