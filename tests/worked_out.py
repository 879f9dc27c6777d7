"""Expensive results that are the same for each bot of a process, computed once instead of in each test."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import discord
import pytest
from discord.app_commands import commands as app_commands
from discord.utils import resolve_annotation

from bot.chat import application_assets
from bot.chat.application_assets import for_servers_alone, written_out
from bot.chat.art.podium import draw_cover
from bot.chat.event.screens import picture
from bot.play.api import events
from bot.play.event.trials.forecast import forecast, left
from bot.play.queries import reviews
from bot.play.trainer import judging
from bot.pure.solver.luck import account
from bot.pure.solver.review import decision
from bot.pure.trainer.correction import judged

_KNOWN: dict[tuple[int | None, bool], str] = {}
"""The commands' JSON, by server, if any, and by whether users may install them."""
_forecast, _left, _cover = cache(forecast), cache(left), cache(draw_cover)
"""An event's duration from its seed, and the cover of a name and a game."""
_decision, _account, _judged = cache(decision), cache(account), cache(judged)
"""The cost of a placement, the luck of a hand, and the correction of a mistake.

Most tests play the same seeded hands.
"""


_TYPES: dict[tuple[str, int], Any] = {}
"""Types of the commands' options, by module and annotation."""


def _resolved(annotation: Any, globalns: dict[str, Any], *rest: Any) -> Any:
    """Return the type of an option, which discord.py evaluates again for each command of each bot."""
    if not isinstance(annotation, str):
        return resolve_annotation(annotation, globalns, *rest)
    key = annotation, id(globalns)
    if key not in _TYPES:
        _TYPES[key] = resolve_annotation(annotation, globalns, *rest)
    return _TYPES[key]


async def _written_out(tree: Any, guild: discord.abc.Snowflake | None) -> list[dict[str, Any]]:
    """Return the bot's commands as JSON, which is the same for every bot of this process and has ten thousand
    sentences."""
    key = (None if guild is None else guild.id, for_servers_alone(tree.client.application))
    if key not in _KNOWN:
        _KNOWN[key] = json.dumps(await written_out(tree, guild))
    known: list[dict[str, Any]] = json.loads(_KNOWN[key])
    return known


def work_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all bots of this process share what the first of them has worked out."""
    monkeypatch.setattr(application_assets, "written_out", _written_out)
    monkeypatch.setattr(app_commands, "resolve_annotation", _resolved)
    monkeypatch.setattr(events, "forecast", _forecast)
    monkeypatch.setattr(events, "left", _left)
    monkeypatch.setattr(picture, "draw_cover", _cover)
    monkeypatch.setattr(reviews, "decision", _decision)
    monkeypatch.setattr(reviews, "account", _account)
    monkeypatch.setattr(judging, "judged", _judged)
