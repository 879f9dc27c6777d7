"""While a table changes hands somebody presses there every few hundredths of a second: for how long nobody is served.

Every write of a seat is noted by the database with the process that made it, so that the pause between the last of one
process and the first of the next is seen as it was.
"""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest

from tests.databases import Server, ask, do
from tests.processes.happenings import Happening, each_is_started_anew, one_leaves
from tests.processes.house import House, house
from tests.processes.people import Pulse

WARM_SECONDS = 5.0
_NOTES = """
CREATE SCHEMA watch;
CREATE TABLE watch.written (at DOUBLE PRECISION, who TEXT);
CREATE FUNCTION watch.note() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO watch.written
    VALUES (extract(epoch FROM clock_timestamp()), current_setting('application_name'));
    RETURN NULL;
END $$;
CREATE TRIGGER noted AFTER INSERT OR UPDATE OR DELETE ON seat FOR EACH STATEMENT EXECUTE FUNCTION watch.note()
"""


@pytest.mark.deep
@pytest.mark.parametrize("happens", [one_leaves, each_is_started_anew], ids=lambda happens: happens.__name__)
async def test_every_press_is_answered_while_a_table_changes_hands(
    happens: Happening, server: Server, tmp_path: Path
) -> None:
    async with house(server, tmp_path, shards=6, logins_at_once=2) as played:
        await played.start(3)
        await played.ready()
        do(played.address, _NOTES)
        pulse = await played.open_pulse(0)
        beating = asyncio.create_task(pulse.beat())
        await asyncio.sleep(WARM_SECONDS)
        await happens(played)
        await asyncio.sleep(WARM_SECONDS)
        pulse.over = True
        await beating
        _tell(played, pulse)
        assert all(sent.acknowledged for sent in pulse.sent)
        assert not played.discord.late
        assert not played.discord.limits.refused
        assert played.wrong() == []
        assert _pauses(played), "the table has changed hands"


def _pauses(played: House) -> list[float]:
    """The seconds between the last write of a process and the first of the next."""
    writes = ask(played.address, "SELECT at, who FROM watch.written ORDER BY at")
    return [later - at for (at, who), (later, other) in pairwise(writes) if who != other]


def _tell(played: House, pulse: Pulse) -> None:
    waited = sorted(sent.seconds for sent in pulse.sent if sent.acknowledged)
    answered = sorted(sent.answered_at for sent in pulse.sent if sent.answered_at is not None)
    print(
        f"{len(pulse.sent)} presses: acknowledged after {waited[len(waited) // 2]:.3f} s in the median, "
        f"{waited[-1]:.3f} s at most; between two answers {max(b - a for a, b in pairwise(answered)):.3f} s at most; "
        f"between two processes' writes {[round(pause, 3) for pause in _pauses(played)]} s; "
        f"refused {dict(played.discord.limits.refused)}"
    )
