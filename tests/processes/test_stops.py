"""The database is stopped and restarted repeatedly while users press. Their answers must match the data on disk.

Each user joins a lobby and leaves it once. The database records these changes and their times, next to the log of
hands. This way, answers that nothing has changed can be checked.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from bot.text.words import words_for
from tests.databases import Server, ask, do
from tests.processes.house import House, house
from tests.processes.people import Placed
from tests.standin.sent import Sent
from tests.standin.standin import custom_ids
from tests.standin.things import Channel, User

STOPS, PRESSES = 10, 2_000
AWAY_SECONDS, WARM_SECONDS = 3.0, 6.0
LOBBIES = 2
"""In the server of each shard."""
NOTHING_CHANGED = words_for("en")("gate.storage_trouble")
_NOTES = """
CREATE SCHEMA watch;
CREATE TABLE watch.seen (at DOUBLE PRECISION, player TEXT, came BOOLEAN);
CREATE FUNCTION watch.note() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO watch.seen VALUES (
        extract(epoch FROM clock_timestamp()), COALESCE(NEW.player, OLD.player), TG_OP = 'INSERT');
    RETURN NULL;
END $$;
CREATE TRIGGER seen AFTER INSERT OR DELETE ON seat FOR EACH ROW EXECUTE FUNCTION watch.note()
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pressed:
    """A press and when it was made, in seconds since 1970."""

    at: float
    sent: Sent
    user: User
    verb: str

    @property
    def told_that_nothing_changed(self) -> bool:
        """True where its answer says so."""
        texts = [message.text for message in (self.sent.answer, *self.sent.followups) if message is not None]
        return any(NOTHING_CHANGED in text for text in texts)


class Visitors:
    """People who come to one lobby and go again, one after the other."""

    def __init__(self, played: House, channel: Channel, join: str) -> None:
        """``join`` is the custom id that joins it."""
        self.pressed: list[Pressed] = []
        self.over = False
        self._played = played
        self._channel = channel
        self._join = join

    async def visit(self) -> None:
        """Come and go until it is over."""
        while not self.over:
            (user,) = self._played.people(1)
            await self._press(user, "join")
            await self._press(user, "leave")
            while not self.over and self.pressed[-1].told_that_nothing_changed:
                await asyncio.sleep(1)
                await self._press(user, "leave")

    async def _press(self, user: User, verb: str) -> None:
        message = next(m for m in reversed(self._channel.public()) if self._table in "".join(custom_ids(m)))
        at = time.time()
        sent = self._played.discord.press(user, message, self._join.replace(":join:", f":{verb}:"))
        self.pressed.append(Pressed(at=at, sent=sent, user=user, verb=verb))
        await self._played.crowd.judge(sent)

    @property
    def _table(self) -> str:
        return f":{self._join.split(':')[2].partition('~')[0]}"


def false_words(pressed: Sequence[Pressed], seen: Sequence[tuple[float, str, bool]]) -> Iterator[Pressed]:
    """Yield presses that changed something although their answer denied it.

    ``seen`` has times, users and directions. Each change belongs to the newest press before it.
    """
    for at, player, came in seen:
        verb = "join" if came else "leave"
        made = [one for one in pressed if one.at <= at and str(one.user.id) == player and one.verb == verb]
        if made and made[-1].told_that_nothing_changed:
            yield made[-1]


@pytest.mark.deep
async def test_nobody_is_told_that_nothing_changed_who_changed_something_while_the_database_stops_ten_times(
    server: Server, tmp_path: Path
) -> None:
    async with house(server, tmp_path, shards=6, logins_at_once=2) as played:
        await played.start(3)
        await played.ready()
        await played.open_tables()
        await asyncio.to_thread(do, played.address, _NOTES)
        visitors = [
            Visitors(played, channel, await played.open_lobby(channel))
            for channel in played.channels
            for _ in range(LOBBIES)
        ]
        visiting = asyncio.gather(*(each.visit() for each in visitors))
        for stop in range(STOPS):
            await played.discord.until(partial(_have_pressed, visitors, PRESSES * stop // STOPS))
            await asyncio.to_thread(server.kill, signal.SIGINT if stop % 2 else signal.SIGQUIT)
            await asyncio.sleep(AWAY_SECONDS)
            await asyncio.to_thread(server.start)
            await asyncio.sleep(WARM_SECONDS)
        await played.discord.until(partial(_have_pressed, visitors, PRESSES))
        for each in visitors:
            each.over = True
        await visiting
        await played.end()
        pressed = [one for each in visitors for one in each.pressed]
        seen = ask(played.address, "SELECT at, player, came FROM watch.seen ORDER BY at")
        await asyncio.to_thread(do, played.address, "DROP SCHEMA watch CASCADE")
        refused = [one for one in pressed if one.told_that_nothing_changed]
        print(
            f"{len(pressed)} presses beside {len(played.crowd.placed)} placements, {len(seen)} changes; "
            f"{len(refused)} and {len(played.crowd.undone)} were told that nothing has changed; {_outcomes(played)}"
        )
        assert len(pressed) >= PRESSES
        assert seen
        assert refused, "the database was away"
        assert list(false_words(pressed, seen)) == []
        assert _placed_all_the_same(played) == []
        assert played.lost() == []
        assert played.wrong() == []
        assert not played.crowd.outcomes["unanswered"], _outcomes(played)


def _have_pressed(visitors: Sequence[Visitors], count: int) -> bool:
    return sum(len(each.pressed) for each in visitors) >= count


def _outcomes(played: House) -> Counter[str]:
    return played.crowd.outcomes


def _placed_all_the_same(played: House) -> list[Placed]:
    """Return streets placed by a press whose answer was that nothing has changed."""
    causes = {str(cause) for (cause,) in ask(played.address, "SELECT cause FROM table_log WHERE cause IS NOT NULL")}
    return [placed for press, placed in played.crowd.undone.items() if str(press) in causes]
