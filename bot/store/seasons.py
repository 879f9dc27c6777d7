"""Seasons in SQL: when they began and ended, and how the next one begins."""

from __future__ import annotations

from bot.play.bank.model import SeasonTerms
from bot.play.model import GuildId, Player
from bot.play.standings import Season
from bot.store.columns import Columns, flag, plain
from bot.store.queries import Queries

SEASONS = Columns(
    Season,
    "season",
    [plain("number"), plain("name"), plain("began_at"), plain("until"), plain("ended_at")],
    key=("guild_id", "number"),
    beside=("guild_id",),
)
SEASON_TERMS = Columns(
    SeasonTerms, "season_terms", [flag("monthly"), flag("reset_chips")], key=("guild_id",), beside=("guild_id",)
)


class SeasonQueries(Queries):
    """What :class:`bot.play.bank.ports.Bank` promises of seasons."""

    def season_terms(self, guild: GuildId) -> SeasonTerms:
        row = self._sql.one(f"SELECT {SEASON_TERMS.names} FROM season_terms WHERE guild_id = :guild_id", guild_id=guild)
        return SeasonTerms() if row is None else SEASON_TERMS.read(row)

    def save_season_terms(self, guild: GuildId, terms: SeasonTerms) -> None:
        self._save(SEASON_TERMS, terms, guild_id=guild)

    def running_season(self, guild: GuildId) -> Season | None:
        row = self._sql.one(
            f"SELECT {SEASONS.names} FROM season WHERE guild_id = :guild_id AND ended_at IS NULL", guild_id=guild
        )
        return None if row is None else SEASONS.read(row)

    def seasons(self, guild: GuildId, *, limit: int) -> list[Season]:
        rows = self._sql.all(
            f"SELECT {SEASONS.names} FROM season WHERE guild_id = :guild_id ORDER BY number DESC LIMIT :limit",
            guild_id=guild,
            limit=limit,
        )
        return list(map(SEASONS.read, rows))

    def save_season(self, guild: GuildId, season: Season) -> None:
        self._save(SEASONS, season, guild_id=guild)

    def seasons_over(self, now: int) -> list[tuple[GuildId, Season]]:
        rows = self._sql.all(
            f"SELECT {SEASONS.names}, guild_id FROM season "
            "WHERE ended_at IS NULL AND until IS NOT NULL AND until <= :now",
            now=now,
        )
        return sorted(((GuildId(row["guild_id"]), SEASONS.read(row)) for row in rows), key=lambda found: found[0])

    def wallets(self, guild: GuildId) -> dict[Player, int]:
        rows = self._sql.all(
            "SELECT owner, balance FROM account "
            "WHERE guild_id = :guild_id AND kind = 'wallet' AND owner NOT LIKE '%:%'",
            guild_id=guild,
        )
        return {Player(row["owner"]): row["balance"] for row in rows}
