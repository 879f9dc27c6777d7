"""The audience of a public post, which decides what the post may show."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from bot.model.ids import GuildId, Player, is_computer, is_pseudonym
from bot.play.session.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Audience:
    """All readers of a post."""

    channels: Collection[int]
    """Channels that all readers can see, with threads counted as their parent channel."""
    unnamed: Collection[Player]
    """Players that posts don't name: those with a hidden profile, and members who have left the server."""

    def sees(self, channel: int | None) -> bool:
        """True if all readers can see the channel."""
        return channel in self.channels

    def may_name(self, *players: Player) -> bool:
        """True if a post may name all these players."""
        return not any(player in self.unnamed or is_pseudonym(player) or is_computer(player) for player in players)


def audience_of(s: Session, guild: GuildId, channels: Collection[int]) -> Audience:
    """Return the audience of a post in a server, whose readers can all see ``channels``."""
    return Audience(
        channels=frozenset(channels), unnamed=s.tx.choices.hidden_players(guild) | s.tx.members.departed(guild)
    )
