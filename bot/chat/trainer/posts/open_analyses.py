"""Analyses' private messages, whose page links are renewed once used, while Discord lets the bot edit them.

Only the newest message per player is kept.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import discord

from bot.chat.discord_patches.own_messages import edit_answer
from bot.chat.kit.reply import Reply
from bot.chat.kit.text_only import aloud
from bot.chat.kit.widgets import Interaction, Screen
from bot.chat.table.posts.open_panels import FRESH_MS
from bot.chat.trainer.posts.open_puzzles import MAX_OPEN
from bot.model.choices import MemberSettings
from bot.model.ids import GuildId, Player
from bot.play.bus import Bus
from bot.text.words import Words

log = logging.getLogger(__name__)

Draw: TypeAlias = Callable[[], Screen]
"""Draws a message, with a link that works."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAnalysis:
    """A private message: how it's drawn, for which reader, and the interaction that edits it with its time (ms)."""

    draw: Draw
    interaction: Interaction
    guild: GuildId
    words: Words
    member_settings: MemberSettings
    at: int


class OpenAnalyses:
    """The analyses' private messages of this process."""

    def __init__(self, bus: Bus, *, now_ms: Callable[[], int]) -> None:
        self._now = now_ms
        self._open: OrderedDict[Player, OpenAnalysis] = OrderedDict()
        self._working: set[asyncio.Task[None]] = set()
        bus.link_used.subscribe(self._linked)
        bus.player_deleted.subscribe(self.forget)

    async def show(self, reply: Reply, draw: Draw) -> None:
        """Show a message, and keep it."""
        shown = OpenAnalysis(
            draw=draw,
            interaction=reply.interaction,
            guild=reply.guild,
            words=reply.words,
            member_settings=reply.member_settings,
            at=self._now(),
        )
        if await reply.show(draw()) is None:
            return
        self._open.pop(reply.player, None)
        self._open[reply.player] = shown
        while len(self._open) > MAX_OPEN:
            self._open.popitem(last=False)

    def forget(self, player: Player) -> None:
        """Leave a player's message as it is, because it was pressed or its player was deleted."""
        self._open.pop(player, None)

    def _linked(self, guild: GuildId, player: Player) -> None:
        if (shown := self._open.get(player)) is not None and shown.guild == guild:
            task = asyncio.create_task(self._renew(player, shown))
            self._working.add(task)
            task.add_done_callback(self._working.discard)

    async def _renew(self, player: Player, shown: OpenAnalysis) -> None:
        if self._open.get(player) is not shown:
            return  # pressed meanwhile
        if self._now() - shown.at > FRESH_MS:
            self.forget(player)
            return
        try:
            await edit_answer(shown.interaction, aloud(shown.draw(), shown.words, shown.member_settings))
        except discord.HTTPException as error:
            log.debug("an analysis's message is gone: %s", error)
            if self._open.get(player) is shown:
                self.forget(player)
        except Exception:
            log.exception("the link below an analysis could not be renewed")
