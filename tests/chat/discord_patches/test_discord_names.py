"""Undocumented names of discord.py that ``bot/chat/discord_patches`` needs: the place to start with a new release.

Each name has its own test, so that a release without it shows which of our files has to change, and why.
"""
# ruff: noqa: SLF001

from __future__ import annotations

import ast
import inspect
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
from discord import app_commands, gateway, http, utils
from discord.ext import tasks
from discord.webhook import async_

from bot.chat.discord_patches.errors import _LOGGERS

ROOT = Path(__file__).parents[3]
LIBRARY = ROOT / "bot" / "chat" / "discord_patches"
PLAYGROUND = ROOT / "bot" / "run" / "playground"
"""The playground's names are SimCord's, whose exact release is pinned."""
PYTHONS = {"_replace", "_asdict", "_exit"}
"""Those of named tuples and of ``os``."""
INSIDE = {"discord.http", "discord.webhook.async_", "discord.gateway", "discord.state"}
"""Modules of discord.py that its documentation does not name."""
READ_ELSEWHERE = {"Route"}
"""Names that don't depend on how requests are sent."""


def _client() -> discord.AutoShardedClient:
    return discord.AutoShardedClient(intents=discord.Intents.none(), shard_count=1)


def _has(owner: Callable[[], object], name: str) -> Callable[[], bool]:
    return lambda: hasattr(owner(), name)


def _sets(kind: type, name: str) -> Callable[[], bool]:
    """Whether an instance is given this name when it is made, or has it as a slot."""
    return lambda: f"self.{name}" in inspect.getsource(kind)


def _takes(function: Callable[[], Callable[..., object]], *parameters: str) -> Callable[[], bool]:
    return lambda: set(parameters) <= inspect.signature(function()).parameters.keys()


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A name, how it is looked for, and which of our files has which need of it."""

    there: Callable[[], bool]
    file: str
    need: str


NAMES: Mapping[str, Name] = {
    "HTTPClient._HTTPClient__session": Name(
        there=_has(lambda: _client().http, "_HTTPClient__session"),
        file="wire.py",
        need="leads every request of the client through the governor and the metrics",
    ),
    "aiohttp.ClientSession._request": Name(
        there=_has(lambda: aiohttp.ClientSession, "_request"),
        file="wire.py",
        need="stands in for it, so that repeated requests pass us too",
    ),
    "Route.BASE": Name(
        there=_has(lambda: http.Route, "BASE"),
        file="wire.py",
        need="sends requests to a proxy by it",
    ),
    "http.INTERNAL_API_VERSION": Name(
        there=_has(lambda: http, "INTERNAL_API_VERSION"),
        file="wire.py",
        need="asks a proxy for the version of the API that discord.py speaks",
    ),
    "utils._from_json": Name(
        there=_has(lambda: utils, "_from_json"),
        file="wire.py",
        need="reads texts that orjson refuses by standing in for it",
    ),
    "utils._to_json": Name(
        there=_has(lambda: utils, "_to_json"),
        file="wire.py",
        need="writes texts that orjson refuses by standing in for it",
    ),
    "HTTPClient._buckets": Name(
        there=_has(lambda: _client().http, "_buckets"),
        file="governor.py",
        need="keeps its own books of buckets there",
    ),
    "HTTPClient._bucket_hashes": Name(
        there=_has(lambda: _client().http, "_bucket_hashes"),
        file="governor.py",
        need="finds by it which routes Discord limits together",
    ),
    "HTTPClient._try_clear_expired_ratelimits": Name(
        there=_has(lambda: http.HTTPClient, "_try_clear_expired_ratelimits"),
        file="governor.py",
        need="forgets old buckets by it",
    ),
    "HTTPClient.get_ratelimit": Name(
        there=_takes(lambda: http.HTTPClient.get_ratelimit, "key"),
        file="governor.py",
        need="gives discord.py its own books in place of it",
    ),
    "HTTPClient.request": Name(
        there=_takes(lambda: http.HTTPClient.request, "route"),
        file="governor.py",
        need="lets requests wait for their turn in place of it",
    ),
    "HTTPClient.max_ratelimit_timeout": Name(
        there=_has(lambda: _client().http, "max_ratelimit_timeout"),
        file="governor.py",
        need="makes a bucket with it",
    ),
    **{
        f"Ratelimit.{name}": Name(
            there=_has(lambda: http.Ratelimit, name),
            file="limits.py",
            need="keeps the book of a bucket by it",
        )
        for name in ("limit", "remaining", "outgoing", "expires", "reset", "__aexit__")
    },
    "Client._connection": Name(
        there=_has(_client, "_connection"),
        file="own_messages.py and connections.py",
        need="reach by it what discord.py does with what Discord sends",
    ),
    'ConnectionState.parsers["INTERACTION_CREATE"]': Name(
        there=lambda: callable(_client()._connection.parsers["INTERACTION_CREATE"]),
        file="own_messages.py and connections.py",
        need="stand in for it to hear of presses",
    ),
    "ConnectionState.dispatch": Name(
        there=_has(lambda: _client()._connection, "dispatch"),
        file="own_messages.py",
        need="hands interactions on by it",
    ),
    "Interaction(data=, state=)": Name(
        there=_takes(lambda: discord.Interaction, "data", "state"),
        file="own_messages.py",
        need="makes interactions that take no message apart",
    ),
    "Interaction._session": Name(
        there=_sets(discord.Interaction, "_session"),
        file="own_messages.py",
        need="edits the answer to a press by it",
    ),
    "PartialMessage._state": Name(
        there=_sets(discord.PartialMessage, "_state"),
        file="own_messages.py",
        need="edits messages by it without an object of what comes back",
    ),
    "MessageFlags._from_value": Name(
        there=_has(lambda: discord.MessageFlags, "_from_value"),
        file="own_messages.py",
        need="knows by it whether a pressed message is private",
    ),
    "HTTPClient.send_message": Name(
        there=_takes(lambda: http.HTTPClient.send_message, "channel_id", "params"),
        file="own_messages.py",
        need="shortens what comes back of it",
    ),
    "HTTPClient.edit_message": Name(
        there=_takes(lambda: http.HTTPClient.edit_message, "channel_id", "message_id", "params"),
        file="own_messages.py",
        need="edits by it",
    ),
    "http.handle_message_parameters": Name(
        there=_takes(lambda: http.handle_message_parameters, "view", "allowed_mentions"),
        file="own_messages.py",
        need="makes of a screen what is sent",
    ),
    "webhook.async_.async_context": Name(
        there=lambda: isinstance(async_.async_context.get(), async_.AsyncWebhookAdapter),
        file="own_messages.py",
        need="finds in it who answers interactions",
    ),
    **{
        f"AsyncWebhookAdapter.{name}": Name(
            there=_has(lambda: async_.AsyncWebhookAdapter, name),
            file="own_messages.py",
            need="shortens what comes back of answers",
        )
        for name in (
            "create_interaction_response",
            "edit_original_interaction_response",
            "execute_webhook",
            "edit_webhook_message",
            "request",
        )
    },
    "AutoShardedClient._AutoShardedClient__shards": Name(
        there=_has(_client, "_AutoShardedClient__shards"),
        file="connections.py",
        need="takes a connection away that another process has now",
    ),
    "AutoShardedClient.launch_shard": Name(
        there=_takes(lambda: discord.AutoShardedClient.launch_shard, "gateway", "shard_id"),
        file="connections.py",
        need="connects one shard by it",
    ),
    "AutoShardedClient.launch_shards": Name(
        there=_has(lambda: discord.AutoShardedClient, "launch_shards"),
        file="connections.py, by bot/run/app.py,",
        need="connects the shards that are leased in place of it",
    ),
    "DiscordWebSocket.DEFAULT_GATEWAY": Name(
        there=_has(lambda: gateway.DiscordWebSocket, "DEFAULT_GATEWAY"),
        file="connections.py",
        need="connects with it",
    ),
    "ConnectionState._remove_guild": Name(
        there=_has(lambda: _client()._connection, "_remove_guild"),
        file="connections.py",
        need="forgets the servers of a shard that is gone",
    ),
    "ConnectionState.call_handlers": Name(
        there=_has(lambda: _client()._connection, "call_handlers"),
        file="connections.py",
        need="says that the bot is ready",
    ),
    **{
        f"ConnectionState.{name}": Name(
            there=_has(lambda: _client()._connection, name),
            file="connections.py",
            need="has discord.py count no shards that come and go",
        )
        for name in ("shard_count", "shard_ids")
    },
    **{
        f"the logger {module.__name__}": Name(
            there=lambda module=module: (
                isinstance(module._log, logging.Logger)  # type: ignore[misc]
                and module._log.name in _LOGGERS
            ),
            file="passing_trouble.py",
            need="shortens what discord.py logs there of trouble that passes",
        )
        for module in (discord.client, app_commands.tree, tasks)
    },
}


@pytest.mark.parametrize("name", NAMES)
async def test_discord_py_has_the_name(name: str) -> None:
    expected = NAMES[name]
    try:
        there = expected.there()
    except (AttributeError, KeyError, LookupError):
        there = False
    assert there, (
        f"discord.py {discord.__version__} has no {name}: bot/chat/discord_patches/{expected.file} {expected.need}"
    )


def test_the_loggers_are_all_that_discord_py_tells_of_our_failures_by() -> None:
    assert {f"the logger {speaker}" for speaker in _LOGGERS} <= NAMES.keys()


def _private_names(tree: ast.AST) -> set[str]:
    """The private names that objects are asked for."""
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.endswith("__")
    }


def _own_names(tree: ast.AST) -> set[str]:
    """The private names that a file itself gives to its objects, or reads of Python's own."""
    given = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    }
    fields = {
        node.target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    methods = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    return given | fields | methods | PYTHONS


def _imports(tree: ast.AST) -> Mapping[str, set[str]]:
    """Return the imported names by module."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.setdefault(node.module, set()).update(alias.name for alias in node.names)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                found.setdefault(alias.name, set())
    return found


@cache
def _elsewhere() -> Mapping[str, tuple[str, ast.AST]]:
    """The text and the tree of each file outside the library that speaks of discord.py."""
    files = [file for room in ("bot", "cogs") for file in sorted((ROOT / room).rglob("*.py"))]
    outside = [file for file in files if LIBRARY not in file.parents and PLAYGROUND not in file.parents]
    texts = {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8") for file in outside}
    return {name: (text, ast.parse(text)) for name, text in texts.items() if "discord" in text}


def test_each_private_name_that_the_library_uses_is_asked_for() -> None:
    used: set[str] = set()
    for file in LIBRARY.glob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        used |= _private_names(tree) - _own_names(tree)
    asked = " ".join(NAMES)
    assert not {name for name in used if name not in asked}


def test_nobody_else_uses_a_private_name_of_discord_py() -> None:
    looked, found = 0, {}
    for name, (_, tree) in _elsewhere().items():
        if any(module.partition(".")[0] == "discord" for module in _imports(tree)):
            looked += 1
            if names := _private_names(tree) - _own_names(tree):
                found[name] = names
    assert looked > 100
    assert not found, "put into bot/chat/discord_patches what discord.py has no door for"


def test_nobody_else_reaches_into_discord_py_or_stands_in_for_its_methods() -> None:
    found: dict[str, Any] = {}
    for file, (text, tree) in _elsewhere().items():
        imports: Mapping[str, set[str]] = _imports(tree)
        inside = {name for module in INSIDE & imports.keys() for name in imports[module] - READ_ELSEWHERE}
        if inside or "ignore[method-assign]" in text:
            found[file] = inside
    assert not found, "put into bot/chat/discord_patches what discord.py has no door for"
