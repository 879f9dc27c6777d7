"""Migrations that are on main: hosts have databases that these bytes made, so they never change."""

import hashlib

from bot.store.sqlite.database import MIGRATIONS

FROZEN = {
    "0001_schema.sql": "99e3a86e4d61ab7bb78ffdb8dccfcfbb08207a561673398787a99efba5ca725c",
    "0002_first_upgrade.sql": "d7f3dde6d53b121563279754c8fab07e3b27347f8b9700e33c5ba32d275c0eef",
    "0003_event_names.postgres.sql": "6be071ed8f64fe3771dce6803d62a3179dd46fa74ec5b9729f922b5e226a0e84",
    "0003_event_names.sql": "4b9e2392a3d614315bb5fbf1f232d1a0af83be4962b72c6983a8c4a97598d25c",
    "0004_newcomers.sql": "0fe32467ff68a1282808e7a821962f60eaad55f19266bfd288f638ac36bd6cd6",
    "0005_waiting_list.sql": "809a174767973ddcd251c1ef2d1b2369c10ac56fd72c5d3bc27f7587ddc22c84",
    "0006_lasting_events.postgres.sql": "45dff37b2c1f89c434041ff7f5d663f63c7c4b806a893ef577f57729c6bd3309",
    "0006_lasting_events.sql": "3dc2e1cc6ad6ebbf48f24b1090c75427ce4e81beb3a8ef27389bd1780cb1d525",
    "0007_event_pages.sql": "b6f8609f1cc91422ef1f20bd55bd12571d039ced607c1c12d5f777d85b4ce4cb",
    "0008_rated_hands.sql": "4199f8ec9182f786623be094456fb996b99c48ea55aa3abc1aa9924c9513d470",
    "0009_puzzles.sql": "00b25f97ded97f163d3f314c78ae028fea4dff3b1a4a7f9721a1168d1355e7f8",
}
"""SHA-256 of each file, also of what PostgreSQL runs instead. Add a line when one is merged; never edit one."""


def test_merged_migrations_keep_their_bytes() -> None:
    files = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in MIGRATIONS.glob("*.sql")}
    assert {name: files.get(name) for name in FROZEN} == FROZEN
