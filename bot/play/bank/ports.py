"""What the bank needs of a transaction, beside what play needs."""

from __future__ import annotations

from typing import Protocol, cast

from bot.play.bank.model import AuditEntry, Flow, SeasonTerms, Terms
from bot.play.model import GuildId, Player
from bot.play.ports import Tx
from bot.play.session import Session
from bot.play.standings import Season


class Bank(Protocol):
    """A server's terms, what was had under them, and the audit log."""

    def terms(self, guild: GuildId) -> Terms: ...
    def save_terms(self, guild: GuildId, terms: Terms) -> None: ...
    def freeze(self, guild: GuildId, player: Player, reason: str, *, at: int) -> None: ...
    def unfreeze(self, guild: GuildId, player: Player) -> None: ...
    def audit(self, guild: GuildId, entry: AuditEntry, *, cause: str) -> AuditEntry:
        """Write the entry as the next line; returns it with its number."""
        ...

    def audited(self, guild: GuildId, cause: str) -> bool:
        """True where this cause has its line."""
        ...

    def audit_log(self, guild: GuildId, *, player: Player | None, limit: int, skip: int) -> list[AuditEntry]:
        """Lines, newest first; of one player where one is given."""
        ...

    def was_had(self, guild: GuildId, player: Player, *, kind: str, cause: str) -> bool:
        """True where the player was paid for this cause."""
        ...

    def chips_at_tables(self, guild: GuildId, player: Player) -> int:
        """The player's stacks of the server's chips, together."""
        ...

    def hands_for_chips(self, guild: GuildId, player: Player, *, most: int) -> int:
        """How many hands for chips they have played, counted up to ``most``."""
        ...

    def sent_since(self, guild: GuildId, player: Player, at: int) -> int:
        """What they have sent to others since then, fees included."""
        ...

    def flows(self, guild: GuildId, *, since: int, least: int, limit: int) -> list[Flow]:
        """Pairs between whom at least so many chips went one way at tables, the greatest first."""
        ...

    def season_terms(self, guild: GuildId) -> SeasonTerms: ...
    def save_season_terms(self, guild: GuildId, terms: SeasonTerms) -> None: ...
    def running_season(self, guild: GuildId) -> Season | None: ...
    def seasons(self, guild: GuildId, *, limit: int) -> list[Season]:
        """The last ones, the newest first."""
        ...

    def season(self, guild: GuildId, number: int) -> Season | None: ...
    def save_season(self, guild: GuildId, season: Season) -> None: ...
    def season_with_role(self, guild: GuildId, *, before: int) -> Season | None:
        """The last one before this number whose champions were to get a role."""
        ...

    def untold_seasons(self) -> list[tuple[GuildId, int]]:
        """Those that are over, and whose end has still to be told."""
        ...

    def seasons_over(self, now: int) -> list[tuple[GuildId, Season]]:
        """Those that run, and whose time is over."""
        ...

    def wallets(self, guild: GuildId) -> dict[Player, int]:
        """Everybody's chips outside tables."""
        ...

    def issue(self, guild: GuildId, *, mint: str, payee: str, chips: int, kind: str, cause: str, at: int) -> None: ...
    def take_back(
        self, guild: GuildId, *, mint: str, payer: str, chips: int, kind: str, cause: str, at: int
    ) -> None: ...
    def hand_over(
        self, guild: GuildId, *, payer: str, payee: str, chips: int, kind: str, cause: str, at: int
    ) -> None: ...


class BankTx(Tx, Bank, Protocol):
    """A transaction that knows the bank too."""


def tx_of(s: Session) -> BankTx:
    """The transaction of a session: every storage keeps the bank as well."""
    return cast(BankTx, s.tx)
