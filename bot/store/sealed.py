"""The sealed seeds that a database still needs: without their key it cannot go on with what they were sealed for."""

from __future__ import annotations

from collections.abc import Mapping

from bot.store.sql import Sql
from bot.store.vault import SeedVault

NEEDED: Mapping[str, str] = {
    "hands in play": """
SELECT h.sealed_seed FROM game_table t
JOIN hand h ON h.guild_id = t.guild_id AND h.table_id = t.table_id AND h.hand_no = t.hand_no
WHERE t.state <> 'closed' AND h.state = 'playing'
""",
    "next decks": "SELECT sealed_seed FROM game_table WHERE state <> 'closed'",
    # The seed of the draw lies open once it was made; all decks of a duplicate event follow from one seed.
    "seeds of events": """
SELECT sealed_seed FROM tournament WHERE phase IN ('registering', 'check_in')
UNION ALL SELECT board_sealed FROM tournament
    WHERE phase IN ('registering', 'check_in', 'running') AND LENGTH(board_sealed) > 0
""",
    "hands of a day": "SELECT sealed_seed FROM challenge WHERE seed IS NULL AND lost = 0",
}
"""The queries, by what the seeds are for."""


def lacking(sql: Sql, vault: SeedVault) -> dict[str, list[bytes]]:
    """The ids of the keys that the vault lacks, one for each seed, by what the seeds are for."""
    found = {what: vault.lacks(row["sealed_seed"] for row in sql.all(statement)) for what, statement in NEEDED.items()}
    return {what: ids for what, ids in found.items() if ids}


def in_words(lacks: Mapping[str, list[bytes]]) -> str:
    """How many seeds of each kind."""
    return ", ".join(f"{what}: {len(ids):,}" for what, ids in lacks.items())
