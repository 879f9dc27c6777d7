"""The club's page on the wire: one message whatever is lost, edited however old it is."""

from __future__ import annotations

import asyncio

import pytest

from bot.live.clockwork import SWEEP_EVERY
from bot.live.club_pages import EVERY_MS
from bot.live.redraw_queue import RETRY_SECONDS
from bot.model.ids import GuildId
from bot.model.standings import ClubPage
from tests.standin.rest import Fault
from tests.standin.things import Message
from tests.standin.wired_bot import WiredBot

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
