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
    "0006_rulings.postgres.sql": "fecfdd94a9a49fe7c957934a2c3d266ba9c581cebb74ebb10be1cfa75c836c01",
    "0006_rulings.sql": "916e518609feb48709dcacc88c9b646e8b4de780fddac491f90d8b425d1ca0cd",
    "0007_table_numbers.sql": "e19ab532369d79b0b6bb67aa78ef0881214a20f96400edcff4ee776407ea62b3",
    "0008_event_clubs.sql": "259ebd6a03df5b5425a47a9363f58bd2d540db82c0c6de9f9466b91c0ff73682",
    "0009_before_start.sql": "dabfe42c0b34d2943edaedcfb8f32bad6450534d39d448b98cf0ba6ae69933e6",
}
"""SHA-256 of each file, also of what PostgreSQL runs instead. Add a line when one is merged; never edit one."""


def test_merged_migrations_keep_their_bytes() -> None:
    files = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in MIGRATIONS.glob("*.sql")}
    assert {name: files.get(name) for name in FROZEN} == FROZEN
