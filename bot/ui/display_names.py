"""What people are called in a server, as their own presses have told it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from bot.play.model import GuildId, is_computer, is_gone
from bot.text.names import computer_name, gone_name
from bot.text.words import Words, escape_name

MOST_KNOWN = 20_000
"""Names that are remembered; those not seen for longest are forgotten."""


@dataclass(frozen=True, slots=True)
class _Name:
    plain: str
    bold: str
    """As a message has it. It is written far more often than it changes."""


class DisplayNames:
    """Names by server and player. They are in memory only: until somebody has pressed something, a mention stands in.

    Nothing is asked of Discord for them: each interaction brings the name of whoever made it.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[GuildId, str], _Name] = OrderedDict()

    def saw(self, guild: GuildId, player: str, name: str) -> None:
        """Remember what somebody is called there."""
        known = self._known.get((guild, player))
        if known is None or known.plain != name:
            self._known[guild, player] = _Name(name, _bold(name))
        self._known.move_to_end((guild, player))
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)

    def forget(self, player: str | None = None) -> None:
        """Remember somebody's name nowhere any more, or nobody's."""
        if player is None:
            self._known.clear()
        for who in [who for who in self._known if who[1] == player]:
            del self._known[who]

    def plain(self, guild: GuildId, player: str, words: Words) -> str:
        """The name as it is drawn or read out; empty for somebody who is not known."""
        if is_computer(player):
            return computer_name(player, words)
        if is_gone(player):
            return gone_name(player, words)
        known = self._known.get((guild, player))
        return "" if known is None else known.plain

    def of(self, guild: GuildId, player: str, words: Words) -> str:
        """The name in bold, or a mention, which names the person and is never sent as a ping."""
        known = self._known.get((guild, player))
        if known is not None and known.plain:
            return known.bold
        name = self.plain(guild, player, words)
        return _bold(name) if name else f"<@{player}>"

    def list(self, guild: GuildId, players: Sequence[str], words: Words) -> str:
        """``A, B and C``."""
        return words.list([self.of(guild, player, words) for player in players])


def _bold(name: str) -> str:
    return f"**{escape_name(name)}**"
