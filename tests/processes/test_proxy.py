"""With a proxy's address set, all that a process asks of Discord goes there, and it is the proxy that counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
from aiohttp import web

from tests.standin.bot_process import BotProcess
from tests.standin.rest import kind_of
from tests.standin.service import API, Service


class Proxy:
    """A reverse proxy as nirn-proxy is one: whatever is asked of it is asked of Discord."""

    def __init__(self, discord: str, session: aiohttp.ClientSession) -> None:
        self._discord, self._session = discord, session
        self.url = ""
        self.counts: Counter[str] = Counter()
        """Number of requests by kind."""
        self.without_token: set[str] = set()
        """The kinds of those without the bot's token, which nirn-proxy does not count."""

    async def pass_on(self, asked: web.Request) -> web.Response:
        """Ask Discord the same."""
        kind = kind_of(asked.method, asked.path.removeprefix(API))
        self.counts[kind] += 1
        if "Authorization" not in asked.headers:
            self.without_token.add(kind)
        headers = {name: value for name, value in asked.headers.items() if name != "Host"}
        async with self._session.request(
            asked.method, self._discord + asked.path_qs, data=await asked.read(), headers=headers
        ) as answer:
            kept = {name: value for name, value in answer.headers.items() if name != "Content-Length"}
            return web.Response(status=answer.status, body=await answer.read(), headers=kept)


@asynccontextmanager
async def proxying(discord: str) -> AsyncIterator[Proxy]:
    """A proxy before a Discord."""
    async with aiohttp.ClientSession() as session:
        proxy = Proxy(discord, session)
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", proxy.pass_on)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        proxy.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        try:
            yield proxy
        finally:
            await runner.cleanup()


async def test_every_request_goes_to_the_proxy_and_answers_go_without_the_token(tmp_path: Path) -> None:
    async with Service(shards=1).serving() as discord, proxying(discord.url) as proxy:
        settings = {
            "CHAIPO_DATABASE": str(tmp_path / "chaipo.db"),
            "CHAIPO_KEY_FILE": str(tmp_path / "chaipo.key"),
            "CHAIPO_WORKERS": "0",
            "CHAIPO_DISCORD_PROXY": proxy.url,
        }
        channel = discord.channel(discord.guild_on(0), 1)
        bot = BotProcess(discord.url, settings, log=tmp_path / "bot.log")
        try:
            await discord.until(lambda: discord.held == {0} and discord.commands)
            sent = await discord.slash(discord.user(1), channel, "ofc play", game="pineapple").finished()
            assert sent.answer is not None, bot.said
            await discord.until(lambda: any("Table 1 " in message.text for message in channel.public()[1:]))
        finally:
            bot.end()
        await discord.until(lambda: proxy.counts == discord.counts)
    assert {"gateway", "send", "callback"} <= set(proxy.counts)
    assert proxy.without_token == {"callback"}
