"""The door to finding others: every use case as one awaitable call."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bot.play import company
from bot.play.choices import Template
from bot.play.lobby import Offer
from bot.play.model import GuildId, Player, Table, TableKey
from bot.play.together import finding, news, templates
from bot.play.transactions import Transactions


class Together:
    """Use cases of players who look for others, over the same transactions as those of tables."""

    def __init__(self, transactions: Transactions) -> None:
        self._read, self._write = transactions.read, transactions.write

    async def quick(self, like: Offer, *, seen: Collection[int], any_game: bool, cause: str) -> Table:
        """Take the next free seat that suits, or open a table; raises Refused or Stale."""
        return await self._write(lambda s: finding.quick(s, like, seen=seen, any_game=any_game, cause=cause))

    async def queue(self, like: Offer, *, players: int | None, cause: str) -> Table:
        """Wait in the channel's queue, or begin one; raises Refused or Stale."""
        offer = finding.queued(like, players=players)
        return await self._write(lambda s: finding.queue(s, offer, cause=cause))

    # templates of a server

    async def templates(self, guild: GuildId) -> list[tuple[Template, Table]]:
        """A server's templates by name, each with its table."""
        return await self._read(lambda s: templates.known(s, guild))

    async def save_template(self, key: TableKey, name: str, *, by: Player, replacing: bool) -> Template:
        """Name a cash table as a template; raises Refused."""
        return await self._write(lambda s: templates.save(s, key, name, by=by, replacing=replacing))

    async def remove_template(self, guild: GuildId, name: str) -> Template:
        """Forget a template; raises Refused."""
        return await self._write(lambda s: templates.remove(s, guild, name))

    async def template(self, guild: GuildId, name: str) -> Table:
        """The table that a template names; raises Refused."""
        return await self._read(lambda s: templates.table_named(s, guild, name))

    # whom a player is not seated with

    async def refuse(self, guild: GuildId, player: Player, other: Player) -> list[Player]:
        """Never seat these two together; returns all whom the player refuses. Raises Refused."""
        return await self._write(lambda s: company.refuse(s, guild, player, other))

    async def allow(self, guild: GuildId, player: Player, others: Sequence[Player]) -> list[Player]:
        """Take it back; returns all whom the player still refuses."""
        return await self._write(lambda s: company.allow(s, guild, player, others))

    async def refused_by(self, guild: GuildId, player: Player) -> list[Player]:
        """All whom a player refuses."""
        return await self._read(lambda s: s.tx.refused_by(guild, player))

    async def demand_guest(self, guild: GuildId, host: Player, guest: Player) -> None:
        """Raise Refused for a guest whom the host cannot mean."""
        await self._read(lambda s: company.demand_guest(s, guild, host, guest))

    async def callable_guests(self, table: Table, guests: Sequence[Player]) -> frozenset[Player]:
        """The guests whom an invitation to a table calls."""
        return await self._read(lambda s: company.callable_guests(s, table, guests))

    # news

    async def told_role(self, key: TableKey) -> int | None:
        """The role that the message of a new table calls; None for none."""
        if await self._read(lambda s: s.tx.server(key.guild).told_role) is None:
            return None
        return await self._write(lambda s: news.told_role(s, key))
