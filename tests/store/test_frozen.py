"""Migrations that are on main: hosts have databases that these bytes made, so they never change."""

import hashlib

from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.migrate import numbered

FROZEN = {
    "0001_schema.sql": "99e3a86e4d61ab7bb78ffdb8dccfcfbb08207a561673398787a99efba5ca725c",
    "0002_first_upgrade.sql": "d7f3dde6d53b121563279754c8fab07e3b27347f8b9700e33c5ba32d275c0eef",
}
"""SHA-256 of each migration's file. Add a line when one is merged; never edit one."""


def test_merged_migrations_keep_their_bytes() -> None:
    files = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in numbered(MIGRATIONS)}
    assert {name: files.get(name) for name in FROZEN} == FROZEN
