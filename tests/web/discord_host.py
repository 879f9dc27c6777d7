"""Discord's part around the page: a host page that speaks its protocol, and a proxy with its own policy.

``/host`` frames the page at ``/``. The proxy requests it from the bot below ``/activity``, by its name and with the
browser's origin. Both have the same address, because the SDK accepts Discord's own names and that of its page. The host
page records messages in ``heard``. ``layout(1)`` switches the frame to picture-in-picture, ``refuses = true`` is a user
who denies consent, and ``silent = true`` a client that never answers.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Final, Protocol

from aiohttp import WSMsgType, web

from bot.model.activities import ACTIVITY
from bot.web.addresses import SOCKET
from tests.standin.things import User
from tests.standin.wired_bot import WiredBot
from tests.web.framed import FRAME
from tests.web.open_pages import Open

SANDBOX: Final = "allow-scripts allow-forms allow-popups"
"""The sandbox of some phones, without ``allow-same-origin``, so that the page has no origin and no storage."""
POLICY: Final = (
    "default-src 'self'; script-src 'self' 'unsafe-eval' 'nonce-{nonce}' blob:; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src {origins}; worker-src 'self' blob:; frame-src 'self'"
)
HOST: Final = """<!doctype html>
<title>around</title>
<link rel="icon" href="data:,">
<style>body {{ margin: 0; background: #222; }} iframe {{ border: 0; display: block; }}</style>
<iframe sandbox="{sandbox}" src="{address}" width="{width}" height="{height}"></iframe>
<script>
var heard = [], refuses = {refuses}, silent = {silent};
const frame = document.querySelector("iframe");
const say = (payload) => frame.contentWindow.postMessage([1, {{ evt: null, nonce: null, ...payload }}], "*");
const deny = ({{ cmd, nonce }}, code, message) => say({{ cmd, nonce, evt: "ERROR", data: {{ code, message }} }});
const layout = (mode) => say({{ cmd: "DISPATCH", evt: "ACTIVITY_LAYOUT_MODE_UPDATE", data: {{ layout_mode: mode }} }});
const resize = (width, height) => {{ frame.width = width; frame.height = height; }};
addEventListener("message", async ({{ source, data: [op, told], origin }}) => {{
  if (source !== frame.contentWindow) return;
  heard.push({{ op, origin, ...told }});
  if (silent) return;
  if (op === 0) {{
    const config = {{ cdn_host: "cdn.discordapp.com", api_endpoint: "//discord.com/api", environment: "production" }};
    say({{ cmd: "DISPATCH", evt: "READY", data: {{ v: 1, config }} }});
  }} else if (told.cmd === "AUTHORIZE" && refuses) {{
    deny(told, 5000, "OAuth2 Error: access_denied");
  }} else if (told.cmd === "AUTHORIZE") {{
    const code = await (await fetch("/code?user={user}")).text();
    say({{ cmd: told.cmd, nonce: told.nonce, data: {{ code }} }});
  }} else if (told.cmd === "SUBSCRIBE") {{
    say({{ cmd: told.cmd, nonce: told.nonce, data: {{ evt: told.evt }} }});
  }} else if (told.cmd === "OPEN_EXTERNAL_LINK") {{
    say({{ cmd: told.cmd, nonce: told.nonce, data: {{ opened: true }} }});
  }} else deny(told, 4006, "Not authenticated or invalid scope");
}});
</script>
"""


class Looking(Protocol):
    """A tab of whichever browser. A script is a function, as text; within ``inside`` it runs in the frame."""

    async def go(self, url: str) -> None:
        """Open an address."""
        ...

    async def run(self, script: str, *args: object) -> Any:
        """Return the result of a function in the page."""
        ...

    async def until(self, script: str, *args: object) -> Any:
        """Return the function's first truthy result."""
        ...

    def inside(self, selector: str) -> AbstractAsyncContextManager[None]:
        """Run the block's commands in a frame."""
        ...


class DiscordHost:
    """The client and its proxy, at one address."""

    def __init__(self, wired: WiredBot, door: Open) -> None:
        self._wired = wired
        self._door = door
        self.port = 0
        self.policies: list[str] = []
        """Those of the bot, which the proxy has replaced."""

    def address(
        self, user: User, *, size: tuple[int, int] = (390, 760), sandbox: str = SANDBOX, **behaves: bool
    ) -> str:
        """Return the address of the host page, in which ``user`` views the channel's Activity."""
        instance = self._wired.discord.activities.join(user, self._wired.channel)
        told = {"user": user.id, "instance": instance, "width": size[0], "height": size[1], "sandbox": sandbox}
        asked = "&".join(f"{name}={value}" for name, value in (told | behaves).items())
        return f"http://127.0.0.1:{self.port}/host?{asked}".replace(" ", "+")

    async def host(self, request: web.Request) -> web.Response:
        """The client's window."""
        asked, channel = request.query, self._wired.channel
        address = (
            f"/?instance_id={asked['instance']}&frame_id={secrets.token_hex(8)}&platform=mobile"
            f"&channel_id={channel.id}&guild_id={channel.guild.id}&mobile_app_version=250.0"
        )
        behaves = {name: "true" if asked.get(name) == "True" else "false" for name in ("refuses", "silent")}
        told = {name: asked[name] for name in ("user", "width", "height", "sandbox")}
        text = HOST.format(address=address, **told, **behaves)
        return web.Response(text=text, content_type="text/html", headers={"Referrer-Policy": "no-referrer"})

    async def code(self, request: web.Request) -> web.Response:
        """Return Discord's code for a user who authorises the application."""
        user = next(user for user in map(self._wired.user, range(10)) if str(user.id) == request.query["user"])
        return web.Response(text=self._wired.discord.activities.authorize(user))

    async def page(self, request: web.Request) -> web.Response:
        """Return the page with Discord's policy, whose nonce is on the page's own scripts."""
        async with self._door.http.get(f"{self._door.origin}{ACTIVITY}/", headers=self._asking(request)) as answer:
            text, policy = await answer.text(), answer.headers["Content-Security-Policy"]
        self.policies.append(policy)
        nonce = secrets.token_urlsafe(12)
        text = re.sub(r'(<script[^>]*?nonce=)"[^"]*"', rf'\1"{nonce}"', text)
        origins = f"http://127.0.0.1:{self.port} ws://127.0.0.1:{self.port}"
        headers = {"Content-Security-Policy": POLICY.format(nonce=nonce, origins=origins)}
        return web.Response(text=text, content_type="text/html", headers=headers)

    def _asking(self, request: web.Request) -> dict[str, str]:
        told = {"Host": self._door.headers["Host"], "X-Forwarded-For": "198.51.100.7"}
        told |= {name: request.headers[name] for name in ("Origin", "Accept-Language") if name in request.headers}
        if told.get("Origin") == f"http://127.0.0.1:{self.port}":
            told["Origin"] = FRAME  # the name that this address stands for
        return told

    async def socket(self, request: web.Request) -> web.WebSocketResponse:
        """The page's socket."""
        here = web.WebSocketResponse()
        await here.prepare(request)
        address = f"{self._door.origin}{self._door.path}"
        async with self._door.http.ws_connect(address, headers=self._asking(request)) as there:

            async def carry(one: Any, other: Any) -> None:
                async for message in one:
                    if message.type is not WSMsgType.TEXT:
                        return
                    await other.send_str(message.data)

            ways = [asyncio.create_task(carry(here, there)), asyncio.create_task(carry(there, here))]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
        return here


@asynccontextmanager
async def discord_around(wired: WiredBot, door: Open) -> AsyncIterator[DiscordHost]:
    """Discord's client and proxy, for as long as the block lasts."""
    host = DiscordHost(wired, door)
    app = web.Application()
    app.add_routes(
        [
            web.get("/", host.page),
            web.get("/host", host.host),
            web.get("/code", host.code),
            web.get(SOCKET, host.socket),
        ]
    )
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host.port = runner.addresses[0][1]
    try:
        yield host
    finally:
        await runner.cleanup()
