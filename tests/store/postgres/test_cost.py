"""The cost of a press on PostgreSQL: the round trips of its transaction."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bot.store.postgres.driver import PostgresSql
from tests.crash.script import SameVault, take
from tests.databases import DATABASES, POSTGRES
from tests.play.world import START, World

CONFIRM = 8
"""The step of the script in which a player confirms a street and the next turn begins."""
MAX_STATEMENTS, MAX_WAITS = 16, 7
"""They were 17 and 11 while each thing was asked for when it was needed."""


async def test_a_confirm_waits_for_few_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    DATABASES.kind = POSTGRES
    world = World(tmp_path, fixed=SameVault([b"k" * 32]), now=START)
    await world.open()
    for number in range(CONFIRM):
        await take(world, number)
    asked: Counter[str] = Counter()
    for name in ("one", "all", "ahead", "run", "many"):
        monkeypatch.setattr(PostgresSql, name, _counting(asked, name))
    await take(world, CONFIRM)
    assert asked["one"] + asked["all"] > 2
    assert asked["run"] + asked["many"] > 2
    assert sum(asked.values()) <= MAX_STATEMENTS
    assert asked["one"] + asked["all"] <= MAX_WAITS
    await world.close()


def _counting(asked: Counter[str], name: str) -> Any:
    original = getattr(PostgresSql, name)

    def counting(sql: PostgresSql, /, *args: Any, **values: Any) -> Any:
        asked[name] += 1
        return original(sql, *args, **values)

    return counting
