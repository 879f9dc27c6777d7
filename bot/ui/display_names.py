"""What people are called in a server, as their own presses have told it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from bot.model.ids import GuildId, is_computer, is_gone
from bot.text.names import computer_name, gone_name
from bot.text.words import Words, escape_name

MOST_KNOWN = 20_000
"""Names that are remembered; those not seen for longest are forgotten."""


@dataclass(frozen=True, slots=True)
class _Name:
    plain: str
    bold: str
    """As a message has it. It is written far more often than it changes."""
    username: str


class DisplayNames:
    """Names by server and player. They are in memory only: until somebody has pressed something, a mention stands in.

    Each interaction brings the name of whoever made it. Discord is asked for those that a picture needs, once each.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[GuildId, str], _Name] = OrderedDict()
        self._mentioned: frozenset[str] = frozenset()
        self._sought: set[tuple[GuildId, str]] = set()

    def calling(self, players: Collection[str]) -> DisplayNames:
        """The same names for a message that calls these players: it mentions them, for a name notifies nobody."""
        names = DisplayNames()
        names._known, names._mentioned = self._known, frozenset(players)
        return names

    def saw(self, guild: GuildId, player: str, name: str, *, username: str = "") -> None:
        """Remember what somebody is called there; the user name is for where that cannot be drawn."""
        known = self._known.get((guild, player))
        if known is None or (known.plain, known.username) != (name, username):
            self._known[guild, player] = _Name(name, _bold(name), username)
        self._known.move_to_end((guild, player))
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)

    def to_ask(self, guild: GuildId, players: Iterable[str]) -> list[str]:
        """The people among these whose names are to be asked for: they are not known, and nothing was answered yet."""
        unknown = [one for one in players if one.isdigit() and (guild, one) not in self._known]
        return [one for one in unknown if (guild, one) not in self._sought]

    def asked(self, guild: GuildId, player: str) -> None:
        """Discord has answered, and knows nobody there by this id: it is not asked again."""
        if len(self._sought) > MOST_KNOWN:
            self._sought.clear()
        self._sought.add((guild, player))

    def forget(self, player: str | None = None) -> None:
        """Remember somebody's name nowhere any more, or nobody's."""
        if player is None:
            self._known.clear()
            self._sought.clear()
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

    def username(self, guild: GuildId, player: str) -> str:
        """The user name, which is made of plain letters; empty for somebody who is not known."""
        known = self._known.get((guild, player))
        return "" if known is None else known.username

    def of(self, guild: GuildId, player: str, words: Words) -> str:
        """The name in bold, or a mention, which names the person and is never sent as a ping."""
        known = None if player in self._mentioned else self._known.get((guild, player))
        if known is not None and known.plain:
            return known.bold
        name = "" if player in self._mentioned else self.plain(guild, player, words)
        return _bold(name) if name else f"<@{player}>"

    def list(self, guild: GuildId, players: Sequence[str], words: Words) -> str:
        """``A, B and C``."""
        return words.list([self.of(guild, player, words) for player in players])


def _bold(name: str) -> str:
    return f"**{escape_name(name)}**"
