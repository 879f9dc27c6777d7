"""The way to Discord's HTTP API: straight, or through a proxy that keeps Discord's limits for all processes of a bot.

Such as nirn-proxy, which is asked what Discord would be asked, by the same paths. Answers to interactions go there too:
they carry no token of the bot's, and so do not wait for its budget. The gateway is Discord's own in either case.
"""

from __future__ import annotations

from discord.http import INTERNAL_API_VERSION, Route

PROXY_IS_WELL = "/nirn/healthz"
"""What nirn-proxy itself answers with 200."""


def go_through(proxy: str) -> None:
    """Ask this address, such as ``http://10.0.0.7:8080``, from now on whatever Discord is to be asked."""
    Route.BASE = f"{proxy}/api/v{INTERNAL_API_VERSION}"
