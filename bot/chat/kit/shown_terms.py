"""Terms that somebody was shown in answer to a typed act: typed again under the same terms, it's done."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from bot.chat.kit.reply import Reply

MOST_SHOWN = 1_000
"""Terms that are remembered until their act is typed again."""


@dataclass(slots=True)
class ShownTerms:
    """The terms that each person was last shown of each thing. A restart forgets them, so they're shown once more."""

    _shown: dict[Hashable, str] = field(default_factory=dict)

    def remember(self, reply: Reply, about: Hashable, terms: str) -> None:
        """Remember that these terms are shown to the reader."""
        who = (reply.guild, reply.player, about)
        self._shown.pop(who, None)
        self._shown[who] = terms
        while len(self._shown) > MOST_SHOWN:
            del self._shown[next(iter(self._shown))]

    def take(self, reply: Reply, about: Hashable) -> str:
        """Forget and return the terms that the reader was shown; empty if none."""
        return self._shown.pop((reply.guild, reply.player, about), "")
