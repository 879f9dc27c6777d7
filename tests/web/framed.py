"""A bot whose pages open inside Discord, on the stand-in for Discord, and whatever frames them."""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from copy import copy
from pathlib import Path

from aiohttp import ClientSession

from bot.model.activities import ACTIVITY
from bot.web.addresses import SOCKET
from bot.web.limits import networks
from bot.web.personal_links import PersonalLinks
from bot.web.serving import serving
from tests.standin.activities import SECRET
from tests.standin.standin import Standin
from tests.standin.things import BOT_ID, User
from tests.standin.wired_bot import EPOCH_MS, WiredBot, make_bot
from tests.web.open_pages import Json, Open, Sight

URL = "https://cards.example.org"
FRAME = f"https://{BOT_ID}.discordsays.com"
"""The origin of the frame."""


def now_ms() -> int:
    """The clock of Discord and of the bot's machine, which threads may ask."""
    return EPOCH_MS + int(time.monotonic() * 1000)


@asynccontextmanager
async def wired_bot(folder: Path, *, url: str = URL, secret: str = SECRET) -> AsyncIterator[WiredBot]:
    """The bot in one channel."""
    discord = Standin(now_ms=now_ms)
    channel = discord.channel(discord.guild(1), 1)
    await discord.start(bot := await make_bot(discord, folder, now_ms=now_ms, page_url=url, client_secret=secret))
    try:
        yield WiredBot(discord, channel, bot)
    finally:
        await discord.stop()


def another(links: PersonalLinks, *, url: str) -> PersonalLinks:
    """The links of a process that hasn't leased any server: the one at ``url`` has."""

    async def url_of(guild: int) -> str:
        return url

    other = copy(links)
    other._serves, other._url_of = lambda guild: False, url_of  # noqa: SLF001  (as leases tell it)
    return other


@asynccontextmanager
async def framed(wired: WiredBot, links: PersonalLinks | None = None) -> AsyncIterator[Open]:
    """Its pages, as Discord's proxy asks for them."""
    links = links or wired.bot.links
    async with (
        serving(wired.bot.pages, links, host="127.0.0.1", port=0, proxies=networks("127.0.0.0/8")) as port,
        ClientSession() as http,
    ):
        yield Open(wired.bot.pages, http, port, links.url, path=ACTIVITY + SOCKET)


def coming(wired: WiredBot, user: User, instance: str = "") -> dict[str, str]:
    """Return the page's first message when ``user`` opens it in the channel."""
    return {
        "token": f"{wired.channel.guild.id}.{secrets.token_hex(24)}",
        "code": wired.discord.activities.authorize(user),
        "instance": instance or wired.discord.activities.join(user, wired.channel),
    }


def exchanges(wired: WiredBot) -> int:
    """Return the number of codes that were exchanged with Discord."""
    return sum(request.path == "/oauth2/token" for request in wired.discord.requests)


async def on_turn(wired: WiredBot) -> User:
    """Return the user who has to act."""
    waiting = (await wired.look()).waiting
    return next(user for user in map(wired.user, range(4)) if str(user.id) == waiting[0])


async def opened(sight: Sight, **said: str) -> Json:
    """Open a page; returns the first view, or why there is none."""
    await sight.say(type="open", **said)
    return await sight.until(lambda told: told["type"] in ("snapshot", "current", "bye"))
