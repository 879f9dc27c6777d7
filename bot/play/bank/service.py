"""The door to the bank: every use case as one awaitable call."""

from __future__ import annotations

from collections.abc import Callable

from bot.play.bank import champions, claims, managers, seasons
from bot.play.bank.champions import SeasonEnd
from bot.play.bank.model import Action, AuditEntry, Claim, Flow, Offered, SeasonsPage, SeasonTerms, Sent, Terms
from bot.play.bank.ports import tx_of
from bot.play.clock import DAY
from bot.play.model import GuildId, Player
from bot.play.transactions import Transactions

FLOW_DAYS = 30
LEAST_FLOW = 1_000
FLOWS_SHOWN = 10


class Bank:
    """Use cases of a server's bank, over the same transactions as those of tables."""

    def __init__(self, transactions: Transactions) -> None:
        self._read, self._write = transactions.read, transactions.write

    # players

    async def offered(self, guild: GuildId, player: Player) -> list[Offered]:
        """What each claim would bring the player now."""
        return await self._read(lambda s: claims.offered(s, guild, player))

    async def claim(self, guild: GuildId, player: Player, kind: Claim) -> int:
        """Pay a refill or the bonus; returns the chips. Raises Refused."""
        return await self._write(lambda s: claims.claim(s, guild, player, kind))

    async def send(self, guild: GuildId, payer: Player, payee: Player, amount: int, *, cause: str) -> Sent:
        """Send chips to another player; raises Refused."""
        return await self._write(lambda s: claims.send(s, guild, payer, payee, amount, cause=cause))

    # managers

    async def terms(self, guild: GuildId) -> Terms:
        """What the server's bank gives."""
        return await self._read(lambda s: tx_of(s).terms(guild))

    async def change_terms(
        self, guild: GuildId, manager: Player, change: Callable[[Terms], Terms], *, said: str, cause: str
    ) -> Terms:
        """Change it; raises Refused or Stale."""
        return await self._write(lambda s: managers.change_terms(s, guild, manager, change, said=said, cause=cause))

    async def change_chips(
        self, guild: GuildId, manager: Player, player: Player, action: Action, amount: int, reason: str, *, cause: str
    ) -> AuditEntry:
        """Give, take or set chips; raises Refused or Stale."""
        return await self._write(
            lambda s: managers.change_chips(s, guild, manager, player, action, amount, reason, cause=cause)
        )

    async def freeze(self, guild: GuildId, manager: Player, player: Player, reason: str, *, cause: str) -> AuditEntry:
        """Keep a player from moving chips; raises Refused or Stale."""
        return await self._write(lambda s: managers.freeze(s, guild, manager, player, reason, cause=cause))

    async def unfreeze(self, guild: GuildId, manager: Player, player: Player, reason: str, *, cause: str) -> AuditEntry:
        """Let them move chips again; raises Refused or Stale."""
        return await self._write(lambda s: managers.unfreeze(s, guild, manager, player, reason, cause=cause))

    async def seasons(self, guild: GuildId) -> SeasonsPage:
        """Which season runs, and how the next one begins."""
        return await self._read(lambda s: seasons.page(s, guild))

    async def start_season(self, guild: GuildId, manager: Player, name: str, *, cause: str) -> SeasonsPage:
        """Begin a season, and end the one that runs; raises Refused or Stale."""
        return await self._write(lambda s: seasons.start(s, guild, manager, name, cause=cause))

    async def end_season(self, guild: GuildId, manager: Player, *, cause: str) -> SeasonsPage:
        """End the season that runs; raises Refused or Stale."""
        return await self._write(lambda s: seasons.end(s, guild, manager, cause=cause))

    async def change_seasons(
        self, guild: GuildId, manager: Player, change: Callable[[SeasonTerms], SeasonTerms], *, cause: str
    ) -> SeasonsPage:
        """Change how seasons begin, and what their champions get; raises Refused or Stale."""
        return await self._write(lambda s: seasons.change_terms(s, guild, manager, change, cause=cause))

    async def untold_seasons(self) -> list[tuple[GuildId, int]]:
        """The seasons of all servers whose end has still to be told."""
        return await self._read(lambda s: tx_of(s).untold_seasons())

    async def season_end(self, guild: GuildId, number: int) -> SeasonEnd | None:
        """What is to be told of a season that is over; None where that was done."""
        return await self._read(lambda s: champions.end_of(s, guild, number))

    async def season_told(self, guild: GuildId, number: int, *, role_missed: bool, post_missed: bool) -> None:
        """Note that it was told, and what of it could not be done."""
        await self._write(lambda s: champions.told(s, guild, number, role_missed=role_missed, post_missed=post_missed))

    async def audit_log(
        self, guild: GuildId, *, player: Player | None = None, limit: int, skip: int = 0
    ) -> list[AuditEntry]:
        """What managers have done, newest first."""
        return await self._read(lambda s: tx_of(s).audit_log(guild, player=player, limit=limit, skip=skip))

    async def flows(self, guild: GuildId) -> list[Flow]:
        """Who has lost chips to whom at tables in the last days, where it is much and nothing came back."""
        return await self._read(
            lambda s: tx_of(s).flows(guild, since=s.now - FLOW_DAYS * DAY, least=LEAST_FLOW, limit=FLOWS_SHOWN)
        )
