"""Whom a table's message calls when it is posted."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import discord

from bot.play.model import Player, is_gone


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """Those whom a table's message calls when it is posted, because an edit calls nobody."""

    people: Collection[Player] = ()
    role: int | None = None

    @property
    def mentions(self) -> discord.AllowedMentions:
        """As Discord is told."""
        users = [discord.Object(int(player)) for player in self.people if not is_gone(player)]
        roles = [] if self.role is None else [discord.Object(self.role)]
        return discord.AllowedMentions(everyone=False, roles=roles, users=users)
