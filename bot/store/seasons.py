"""Queries for seasons (their start and end, and the terms of the next one) and for club pages."""

from __future__ import annotations

from bot.model.bank import SeasonTerms
from bot.model.ids import GuildId, Player
from bot.model.standings import ClubPage, LeaderboardOrder, Season
from bot.store.columns import Columns, choice, columns_of, plain
from bot.store.queries import Queries

SEASONS = Columns(
    Season,
    "season",
    columns_of(Season, plain("role_id", "role"), plain("channel_id", "channel")),
    key=("guild_id", "number"),
    beside=("guild_id",),
    words=("name", "title"),
)
SEASON_TERMS = Columns(
    SeasonTerms,
    "season_terms",
    columns_of(SeasonTerms, plain("role_id", "role"), plain("channel_id", "channel")),
    key=("guild_id",),
    beside=("guild_id",),
    words=("title",),
)


CLUB_PAGES = Columns(
    ClubPage,
    "club_page",
    columns_of(
        ClubPage,
        plain("channel_id", "channel"),
        choice("ranked_by", LeaderboardOrder, attribute="order"),
        plain("message_id", "message"),
    ),
    key=("guild_id",),
    beside=("guild_id",),
)


class SeasonQueries(Queries):
    """Queries for seasons and club pages."""

    def club_page(self, guild: GuildId) -> ClubPage | None:
        row = self._sql.one(f"SELECT {CLUB_PAGES.names} FROM club_page WHERE guild_id = :guild_id", guild_id=guild)
        return None if row is None else CLUB_PAGES.read(row)

    def club_pages(self) -> list[tuple[GuildId, ClubPage]]:
        """Return the club pages of all servers."""
        rows = self._sql.all(f"SELECT {CLUB_PAGES.names}, guild_id FROM club_page ORDER BY guild_id")
        return [(GuildId(row["guild_id"]), CLUB_PAGES.read(row)) for row in rows]

    def save_club_page(self, guild: GuildId, page: ClubPage) -> None:
        self._save(CLUB_PAGES, page, guild_id=guild)

    def remove_club_page(self, guild: GuildId) -> None:
        self._sql.run("DELETE FROM club_page WHERE guild_id = :guild_id", guild_id=guild)

    def terms(self, guild: GuildId) -> SeasonTerms:
        row = self._sql.one(f"SELECT {SEASON_TERMS.names} FROM season_terms WHERE guild_id = :guild_id", guild_id=guild)
        return SeasonTerms() if row is None else SEASON_TERMS.read(row)

    def save_terms(self, guild: GuildId, terms: SeasonTerms) -> None:
        self._save(SEASON_TERMS, terms, guild_id=guild)

    def running(self, guild: GuildId) -> Season | None:
        row = self._sql.one(
            f"SELECT {SEASONS.names} FROM season WHERE guild_id = :guild_id AND ended_at IS NULL", guild_id=guild
        )
        return None if row is None else SEASONS.read(row)

    def of(self, guild: GuildId, *, limit: int) -> list[Season]:
        """Return the most recent seasons, newest first."""
        rows = self._sql.all(
            f"SELECT {SEASONS.names} FROM season WHERE guild_id = :guild_id ORDER BY number DESC LIMIT :limit",
            guild_id=guild,
            limit=limit,
        )
        return list(map(SEASONS.read, rows))

    def get(self, guild: GuildId, number: int) -> Season | None:
        row = self._sql.one(
            f"SELECT {SEASONS.names} FROM season WHERE guild_id = :guild_id AND number = :number",
            guild_id=guild,
            number=number,
        )
        return None if row is None else SEASONS.read(row)

    def with_role(self, guild: GuildId, *, before: int) -> Season | None:
        """Return the last ended season before number ``before`` that had a role for its champions."""
        row = self._sql.one(
            f"SELECT {SEASONS.names} FROM season WHERE guild_id = :guild_id AND number < :before "
            "AND ended_at IS NOT NULL AND role_id IS NOT NULL ORDER BY number DESC LIMIT 1",
            guild_id=guild,
            before=before,
        )
        return None if row is None else SEASONS.read(row)

    def untold(self) -> list[tuple[GuildId, int]]:
        """Return the ended seasons whose end hasn't been announced yet."""
        rows = self._sql.all("SELECT guild_id, number FROM season WHERE told = 0 ORDER BY guild_id, number")
        return [(GuildId(row["guild_id"]), row["number"]) for row in rows]

    def save(self, guild: GuildId, season: Season) -> None:
        self._save(SEASONS, season, guild_id=guild)

    def over(self, now: int) -> list[tuple[GuildId, Season]]:
        """Return the running seasons whose time is up."""
        rows = self._sql.all(
            f"SELECT {SEASONS.names}, guild_id FROM season "
            "WHERE ended_at IS NULL AND until IS NOT NULL AND until <= :now",
            now=now,
        )
        return sorted(((GuildId(row["guild_id"]), SEASONS.read(row)) for row in rows), key=lambda found: found[0])

    def wallets(self, guild: GuildId) -> dict[Player, int]:
        """Return all players' chips outside tables."""
        rows = self._sql.all(
            "SELECT owner, balance FROM account "
            "WHERE guild_id = :guild_id AND kind = 'wallet' AND owner NOT LIKE '%:%'",
            guild_id=guild,
        )
        return {Player(row["owner"]): row["balance"] for row in rows}
