"""The longest outage when a table moves between processes, measured with a press every few hundredths of a second.

The database records the process of every write to a seat, so that the pause between the last write of one process and
the first of the next is exact.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from tests.databases import Server, ask, do
from tests.processes.happenings import Happening, each_is_started_anew, one_leaves
from tests.processes.house import House, house
from tests.standin.sent import Sent

WARM_SECONDS = 5.0
_NOTES = """
CREATE SCHEMA watch;
CREATE TABLE watch.written (at DOUBLE PRECISION, who TEXT);
CREATE FUNCTION watch.note() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO watch.written
    VALUES (extract(epoch FROM clock_timestamp()), current_setting('application_name'));
    RETURN NULL;
END $$;
CREATE TRIGGER noted AFTER INSERT OR UPDATE OR DELETE ON seat FOR EACH ROW EXECUTE FUNCTION watch.note()
"""


@pytest.mark.deep
@pytest.mark.parametrize("happens", [one_leaves, each_is_started_anew], ids=lambda happens: happens.__name__)
async def test_every_press_is_answered_while_a_table_changes_hands(
    happens: Happening, server: Server, tmp_path: Path
) -> None:
    async with house(server, tmp_path, shards=6, logins_at_once=2) as played:
        await played.start(3)
        await played.ready()
        # On a thread, because the relay between the bots and the database is on this loop, and a lock's owner needs it.
        await asyncio.to_thread(do, played.address, _NOTES)
        # Four tables of one channel are drawn more often than Discord lets it be: its bucket is empty all the time.
        pulses = [await played.open_pulse(0) for _ in range(4)]
        beating = asyncio.gather(*(pulse.beat() for pulse in pulses))
        await asyncio.sleep(WARM_SECONDS)
        await happens(played)
        await asyncio.sleep(WARM_SECONDS)
        for pulse in pulses:
            pulse.over = True
        await beating
        sent, pauses = [press for pulse in pulses for press in pulse.sent], _pauses(played)
        _tell(sent, pauses)
        assert pauses, "the table has changed hands"
        assert all(press.acknowledged for press in sent)
        assert not played.discord.late
        assert not played.discord.limits.refused
        await asyncio.to_thread(do, played.address, "DROP SCHEMA watch CASCADE")
        assert played.wrong() == []


def _pauses(played: House) -> list[float]:
    """The seconds between the last write of a process and the first of the next."""
    writes = ask(played.address, "SELECT at, who FROM watch.written ORDER BY at")
    return [later - at for (at, who), (later, other) in pairwise(writes) if who != other]


def _tell(sent: Sequence[Sent], pauses: Sequence[float]) -> None:
    waited = sorted(press.seconds for press in sent if press.acknowledged)
    answered = sorted(press.answered_at for press in sent if press.answered_at is not None)
    print(
        f"{len(sent)} presses: acknowledged after {waited[len(waited) // 2]:.3f} s in the median, "
        f"{waited[-1]:.3f} s at most; between two answers {max(b - a for a, b in pairwise(answered)):.3f} s at most; "
        f"between the writes of two processes {[round(pause, 3) for pause in pauses]} s"
    )
