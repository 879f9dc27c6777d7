"""Audience of a public post: the one place that decides what everyone in front of it may see."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from bot.model.ids import GuildId, Player, is_computer, is_gone
from bot.play.session.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Audience:
    """Everyone who reads a post."""

    channels: Collection[int]
    """The channels that all of them may see, threads by the channel above them."""
    unnamed: Collection[Player]
    """Players whom no post names: those with a private profile, and members who have left the server."""

    def sees(self, channel: int | None) -> bool:
        """Return True for what stands in a channel that all of them may see."""
        return channel in self.channels

    def may_name(self, *players: Player) -> bool:
        """Return True for people whom a post may name."""
        return not any(player in self.unnamed or is_gone(player) or is_computer(player) for player in players)


def audience_of(s: Session, guild: GuildId, channels: Collection[int]) -> Audience:
    """Return the audience of a post in a server whose readers may all see these ``channels``."""
    return Audience(
        channels=frozenset(channels), unnamed=s.tx.choices.hidden_players(guild) | s.tx.members.departed(guild)
    )
