"""The wishes of players, kept beside the database: every press is answered as its reader wishes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from bot.model.choices import Wishes
from bot.model.ids import GuildId, Player
from bot.play.doors.transactions import Transactions
from bot.play.session.session import Session

MOST_KNOWN = 20_000
"""Players whose wishes are remembered; those not seen for longest are looked up again."""


class KnownWishes:
    """The wishes of players, which are changed here and nowhere else."""

    def __init__(self, transactions: Transactions) -> None:
        self._read, self._write = transactions.read, transactions.write
        self._known: OrderedDict[tuple[GuildId, Player], Wishes] = OrderedDict()

    async def of(self, guild: GuildId, player: Player) -> Wishes:
        """The wishes of a player in a server."""
        who = (guild, player)
        if who not in self._known:
            found = await self._read(lambda s: s.tx.wishes(guild, player))
            # A change that was made meanwhile is newer than what was read.
            self._known.setdefault(who, found)
        self._known.move_to_end(who)
        wishes = self._known[who]
        while len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)
        return wishes

    def forget(self, player: Player | None = None) -> None:
        """Look up again what a player has chosen, because it was deleted; or what all have."""
        if player is None:
            self._known.clear()
        for who in [who for who in self._known if who[1] == player]:
            del self._known[who]

    async def change(self, guild: GuildId, player: Player, change: Callable[[Wishes], Wishes]) -> Wishes:
        """Change it, from the player's next turn on; returns all of it."""

        def wished(s: Session) -> Wishes:
            wishes = change(s.tx.wishes(guild, player))
            s.tx.save_wishes(guild, player, wishes)
            return wishes

        self._known[guild, player] = wishes = await self._write(wished)
        return wishes
