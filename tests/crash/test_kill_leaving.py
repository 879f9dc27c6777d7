"""A player's deletion is killed at every statement. All readers see all of the player or nothing, and hands stay."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from bot.model.ids import TableId, TableKey
from bot.run.cli.sealed import opened_by
from bot.store.sqlite.check import check
from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.files import reading
from tests.crash.fork_server import NEVER, fork_server
from tests.crash.leaving import HANDS, LEAVER, house
from tests.play.world import BOB, GUILD

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the process kills itself by a signal")

TABLE = TableKey(guild=GUILD, table=TableId(1))


async def after_a_kill(folder: Path, *, acknowledged: bool) -> list[object]:
    """Check the database after a kill, and complete the deletion; returns the hands' state."""
    world = house(folder)
    await world.open()
    with reading(world.path) as connection:
        report = check(connection, MIGRATIONS, secrets=opened_by(world.vault))
        assert [finding.line for finding in report.findings] == []
    standing = {name for name, rows in world.dump().items() if any(LEAVER in str(cell) for row in rows for cell in row)}
    if standing >= {"result", "standing", "table_log", "account", "game_table"}:
        assert not acknowledged
        await world.privacy.delete(LEAVER)
    else:
        assert standing <= {"leaving", "table_log", "hand"}
        assert not (acknowledged and standing)
        kept = (await world.privacy.kept_about(LEAVER)).servers
        assert {kind for rows in kept.values() for kind in rows} == {"remembered"}
        told = [await world.play.result(TABLE, hand, BOB) for hand in range(1, HANDS + 1)]
        assert all(one.hand is not None and LEAVER not in str(one) for one in told)
        await world.privacy.go_on()
    assert LEAVER not in str(world.dump())
    scores = [(await world.play.result(TABLE, hand, BOB)).hand for hand in range(1, HANDS + 1)]
    await world.close()
    return [hand.score for hand in scores if hand]


@pytest.mark.parametrize("step", [19, pytest.param(6, marks=pytest.mark.deep), pytest.param(1, marks=pytest.mark.deep)])
async def test_who_was_being_deleted_when_the_bot_was_killed_is_there_whole_or_gone_whole(
    tmp_path: Path, step: int
) -> None:
    with fork_server() as ready:
        whole = ready.leaving(tmp_path / "whole", kill_at=NEVER)
        assert whole.acknowledged == [1]
        end = await after_a_kill(tmp_path / "whole", acknowledged=True)
        assert len(end) == HANDS
        for kill_at in range(1, len(whole.points) + 1, step):
            folder = tmp_path / str(kill_at)
            child = ready.leaving(folder, kill_at=kill_at)
            assert (child.signal, len(child.points)) == (signal.SIGKILL, kill_at)
            assert await after_a_kill(folder, acknowledged=bool(child.acknowledged)) == end
