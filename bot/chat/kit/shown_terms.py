"""Terms shown to a player who typed an act. If they type it again under the same terms, it's carried out."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from bot.chat.kit.reply import Reply

MAX_REMEMBERED = 1_000
"""Maximum number of remembered terms."""


@dataclass(slots=True)
class ShownTerms:
    """The terms that each player was last shown, by subject. After a restart, they're shown again."""

    _shown: dict[Hashable, str] = field(default_factory=dict)

    def remember(self, reply: Reply, about: Hashable, terms: str) -> None:
        """Remember that the player was shown ``terms``."""
        who = (reply.guild, reply.player, about)
        self._shown.pop(who, None)
        self._shown[who] = terms
        while len(self._shown) > MAX_REMEMBERED:
            del self._shown[next(iter(self._shown))]

    def take(self, reply: Reply, about: Hashable) -> str:
        """Return and remove the terms that the player was shown; empty if there are none."""
        return self._shown.pop((reply.guild, reply.player, about), "")
