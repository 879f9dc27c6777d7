"""Who was deleted, in SQL: for a while a server knows them by a keyed hash, and by nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from bot.model.ids import GuildId
from bot.model.privacy import Remembered
from bot.store.columns import Columns, flag, plain
from bot.store.queries import Queries

REMEMBERED = Columns(
    Remembered,
    "remembered",
    [plain("until"), flag("frozen"), *(plain(name) for name in ("sent", "sent_at", "refill_at", "bonus_at"))],
    key=("guild_id", "person"),
    beside=("guild_id", "person"),
)
_OF_PERSON = "guild_id = :guild_id AND person = :person"


class RememberedQueries(Queries):
    """The queries of deleted people that a server remembers."""

    def remembered(self, guild: GuildId, people: Sequence[bytes]) -> Remembered | None:
        """The row kept about somebody who was deleted, by the first of these hashes that has one."""
        for person in people:
            row = self._sql.one(
                f"SELECT {REMEMBERED.names} FROM remembered WHERE {_OF_PERSON}", guild_id=guild, person=person
            )
            if row is not None:
                return REMEMBERED.read(row)
        return None

    def remember(self, guild: GuildId, people: Sequence[bytes], kept: Remembered) -> None:
        """Keep this by the first of the hashes, and nothing by the others."""
        for person in people[1:]:
            self._sql.run(f"DELETE FROM remembered WHERE {_OF_PERSON}", guild_id=guild, person=person)
        self._save(REMEMBERED, kept, guild_id=guild, person=people[0])

    def remembering(self) -> list[GuildId]:
        """The servers that remember somebody who was deleted."""
        rows = self._sql.all("SELECT DISTINCT guild_id FROM remembered ORDER BY guild_id")
        return [GuildId(row["guild_id"]) for row in rows]

    def long_remembered(self, now: int) -> bool:
        """True where somebody is remembered longer than they should be."""
        return self._sql.one("SELECT 1 AS one FROM remembered WHERE until <= :now LIMIT 1", now=now) is not None

    def forget_long_remembered(self, now: int) -> None:
        """Forget them."""
        self._sql.run("DELETE FROM remembered WHERE until <= :now", now=now)
