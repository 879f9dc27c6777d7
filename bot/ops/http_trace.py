"""Listening to Discord's HTTP API: how each request was answered, also those that discord.py repeats by itself."""

from __future__ import annotations

from types import SimpleNamespace

import aiohttp

from bot.ops.metrics import Metrics

SWITCHED = 101
"""The gateway's connection begins as a request too."""


def rest_trace(metrics: Metrics) -> aiohttp.TraceConfig:
    """What a client's ``http_trace`` must be."""
    trace = aiohttp.TraceConfig()

    async def ended(_: aiohttp.ClientSession, __: SimpleNamespace, end: aiohttp.TraceRequestEndParams) -> None:
        if end.response.status != SWITCHED:
            metrics.responded(end.response.status, end.response.headers.get("X-RateLimit-Scope"))

    async def failed(_: aiohttp.ClientSession, __: SimpleNamespace, end: aiohttp.TraceRequestExceptionParams) -> None:
        metrics.unanswered()

    trace.on_request_end.append(ended)
    trace.on_request_exception.append(failed)
    return trace
