"""The club's page on the wire: one message whatever is lost, edited however old it is."""

from __future__ import annotations

import asyncio
from itertools import chain, repeat
from pathlib import Path

import pytest

from bot.chat.clockwork import SWEEP_EVERY
from bot.chat.club.posts.club_pages import EVERY_MS
from bot.chat.discord_patches.governor import _importance
from bot.chat.discord_patches.limits import Importance
from bot.chat.kit.redraw_queue import RETRY_SECONDS
from bot.model.ids import GuildId
from bot.model.standings import ClubPage
from tests.standin.rest import Fault, Request
from tests.standin.things import Message
from tests.standin.wired_bot import WiredBot, make_bot

HOUR = 3600
TEN_MINUTES = EVERY_MS / 1000


async def set_up(wired: WiredBot) -> None:
    """The page in the channel, chosen as a manager's press does."""
    page = ClubPage(channel=wired.channel.id, in_words=True)
    await wired.bot.services.bank.change_club_page(GuildId(wired.channel.guild.id), lambda _: page)
    wired.bot.services.club_pages.changed(GuildId(wired.channel.guild.id))
    await wired.bot.services.club_pages.done()


def pages(wired: WiredBot) -> list[Message]:
    return [message for message in wired.channel.public() if ":ranks:" in message.payload()]


async def kept(wired: WiredBot) -> ClubPage:
    page = await wired.bot.services.bank.club_page(GuildId(wired.channel.guild.id))
    assert page is not None
    return page


@pytest.mark.parametrize("arrived", [True, False])
async def test_a_page_whose_posting_was_lost_stands_once(wired: WiredBot, *, arrived: bool) -> None:
    lost = iter([Fault(error=TimeoutError(), done=arrived)])
    wired.discord.hook = lambda request: next(lost, None) if request.kind == "send" else None
    await set_up(wired)
    assert (len(pages(wired)), (await kept(wired)).message) == (int(arrived), None)
    await asyncio.sleep(SWEEP_EVERY + RETRY_SECONDS + 2)
    await wired.bot.services.club_pages.done()
    (page,) = pages(wired)
    assert (await kept(wired)).message == page.id


async def test_a_page_is_edited_for_days_and_only_when_something_has_changed(wired: WiredBot) -> None:
    await set_up(wired)
    (page,) = pages(wired)
    wired.discord.requests.clear()
    await asyncio.sleep(3 * HOUR)
    assert not list(wired.discord.requests)
    await wired.open(wired.user(1), wired.user(2))
    await wired.play_hand()
    await asyncio.sleep(TEN_MINUTES + SWEEP_EVERY + 2)
    await wired.bot.services.club_pages.done()
    (now,) = pages(wired)
    assert now.id == page.id
    assert now.edits == 1
    assert "seats taken" in now.text


@pytest.mark.parametrize("noted", [False, True], ids=["the first", "one in place of another"])
async def test_a_page_that_a_killed_process_has_posted_and_not_noted_is_found_long_after(
    wired: WiredBot, tmp_path: Path, *, noted: bool
) -> None:
    if noted:
        await set_up(wired)
        (page,) = pages(wired)
        del wired.channel.messages[page.id]
        await wired.open(wired.user(1), wired.user(2))
        await asyncio.sleep(TEN_MINUTES)
    # Discord has it, the bot never hears of that, and is gone before it can ask again.
    lost = chain([Fault(error=TimeoutError(), done=True)], repeat(Fault(error=TimeoutError())))
    wired.discord.hook = lambda request: next(lost) if ":ranks:" in request.body and request.kind == "send" else None
    if noted:
        await asyncio.sleep(SWEEP_EVERY + 2)
        await wired.bot.services.club_pages.done()
    else:
        await set_up(wired)
    (posted,) = pages(wired)
    assert (await kept(wired)).message != posted.id
    await wired.discord.stop()
    wired.discord.hook = None
    await asyncio.sleep(HOUR)
    wired.bot = await make_bot(wired.discord, tmp_path)
    await wired.discord.start(wired.bot)
    await asyncio.sleep(TEN_MINUTES + SWEEP_EVERY + 2)
    await wired.bot.services.club_pages.done()
    assert [one.id for one in pages(wired)] == [posted.id]
    assert (await kept(wired)).message == posted.id


async def test_nothing_that_the_bot_asks_matters_less(wired: WiredBot) -> None:
    seen: list[tuple[str, Importance]] = []

    def hook(request: Request) -> None:
        if ":ranks:" in request.body:
            seen.append((request.kind, _importance.get()))

    wired.discord.hook = hook
    await set_up(wired)
    await wired.open(wired.user(1), wired.user(2))
    await asyncio.sleep(TEN_MINUTES + SWEEP_EVERY + 2)
    await wired.bot.services.club_pages.done()
    assert seen == [("send", Importance.CLEANUP), ("edit", Importance.CLEANUP)]
