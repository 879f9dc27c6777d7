"""Counting how Discord's HTTP API answers, also what discord.py repeats by itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import aiohttp

from bot.ops.metrics import Metrics

SWITCHED = 101
"""The gateway's connection begins as a request too."""


async def counted(metrics: Metrics, send: Callable[[], Awaitable[aiohttp.ClientResponse]]) -> aiohttp.ClientResponse:
    """Send a request, and count how it was answered."""
    try:
        response = await send()
    except BaseException:
        metrics.unanswered()
        raise
    if response.status != SWITCHED:
        metrics.responded(response.status, response.headers.get("X-RateLimit-Scope"))
    return response
