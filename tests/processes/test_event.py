"""An event of sixty people is played to its end by three processes, of which one is killed and one is frozen amid it.

Both have the server of the event when it happens to them. ``-s`` shows what it took.
"""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest
from typing_extensions import override

from tests.databases import Server, ask
from tests.processes.happenings import GIVEN_UP, LATE_SECONDS
from tests.processes.house import OWNERLESS_SECONDS, House, house
from tests.processes.people import GUESTS, THINK_SECONDS, Crowd, Gamblers, Probe, newest
from tests.standin.rest import Request
from tests.standin.standin import custom_ids
from tests.standin.things import Channel, Guild, Message, User

ENTRANTS, FEE = 60, 10
LEVELS = ("1000", "50 100 200 400 800 1600 3200 6400", "1", "0")
"""The stack and the chips per point, which double after each hand so that the event ends soon."""
KILLED_AT, FROZEN_AT = 120, 300
"""Numbers of streets placed before the incidents."""
LOOK_SECONDS = 2.0
_LAID = "SELECT COUNT(*) FROM table_log WHERE kind = 'cards_laid'"
_ON_TURN = "SELECT DISTINCT player FROM seat WHERE deadline IS NOT NULL"
_PHASE = "SELECT phase FROM event"
_ENDED = "SELECT place, prize FROM entrant ORDER BY place"


class Entrants(Gamblers):
    """People who play at the tables of one event when their turn has come, in the threads that they were called to."""

    def __init__(self, crowd: Crowd, guild: Guild, users: Sequence[User]) -> None:
        super().__init__(crowd, guild, users)
        self.on_turn: Collection[str] = ()

    @override
    async def _play(self, user: User) -> None:
        while not self.crowd.over:
            if str(user.id) in self.on_turn:
                await self._look(user)
            await asyncio.sleep(THINK_SECONDS)

    async def _look(self, user: User) -> None:
        for message, custom_id in newest(self.guild, "hand"):
            if str(user.id) not in message.channel.members:
                continue
            # A player who was moved has been pinged in more than one thread.
            panel = await self.crowd.press(user, message, custom_id)
            if panel is not None and panel.answer is not None and await self._place(user, panel.answer):
                return


class Night:
    """The event, and its requests to Discord."""

    def __init__(self, played: House) -> None:
        self.channel: Channel = played.channels[0]
        self.asked: Counter[str] = Counter()
        self._played = played
        played.discord.hook = self._count

    def _count(self, request: Request) -> None:
        self.asked[request.kind] += 1

    async def announce(self) -> Sequence[User]:
        """Publish an event that begins when it is full, and fill it; returns who plays."""
        played = self._played
        discord, crowd = played.discord, played.crowd
        boss = User(played.people(1)[0].id, manager=True)
        page = await crowd.judge(discord.slash(boss, self.channel, "event", do="create"))
        assert page is not None
        assert page.answer is not None
        for section, texts in (("people", ("3", str(ENTRANTS))), ("levels", LEVELS), ("prizes", (str(FEE),))):
            await self._write(boss, page.answer, section, texts)
        (publish,) = custom_ids(page.answer, "ev_form_publish")
        assert await crowd.press(boss, page.answer, publish)
        await discord.until(lambda: next(newest(self.channel.guild, "ev_register"), None))
        message, register = next(newest(self.channel.guild, "ev_register"))
        entrants = played.people(ENTRANTS)
        for user in entrants:
            while await crowd.press(user, message, register) is None:
                continue
        return entrants

    async def _write(self, boss: User, page: Message, section: str, texts: Sequence[str]) -> None:
        # If the answer was deferred, a button opens the form again.
        asked = None
        while asked is None or asked.form is None:
            asked = await self._played.discord.press(boss, page, f"c1:ev_form_ask:0:0:0:::{section}").finished()
        assert await self._played.crowd.judge(self._played.discord.submit(asked, *texts))

    def phase(self) -> str:
        """The event's phase."""
        ((phase,),) = ask(self._played.address, _PHASE)
        return str(phase)

    def laid(self) -> int:
        """Return the number of streets in the log."""
        ((count,),) = ask(self._played.address, _LAID)
        return int(count)

    async def watch(self, entrants: Entrants) -> None:
        """Let those press whose turn it is, until the event has ended."""
        while await asyncio.to_thread(self.phase) == "running":
            found = await asyncio.to_thread(ask, self._played.address, _ON_TURN)
            entrants.on_turn = {player for (player,) in found}
            await asyncio.sleep(LOOK_SECONDS)
        assert self.phase() == "ended"


@pytest.mark.deep
async def test_an_event_of_sixty_is_played_to_its_end_though_its_process_is_killed_and_the_next_one_frozen(
    server: Server, tmp_path: Path
) -> None:
    async with house(server, tmp_path, shards=6, logins_at_once=2) as played:
        await played.start(3)
        await played.ready()
        lobby = played.discord.channel(played.channels[0].guild, 2)
        probe = Probe(played.crowd, lobby, await played.open_lobby(lobby), played.people(GUESTS))
        probing = asyncio.create_task(probe.ask())
        night = Night(played)
        entrants = Entrants(played.crowd, night.channel.guild, await night.announce())
        await played.discord.until(lambda: night.phase() == "running")
        night.asked.clear()
        playing = asyncio.create_task(entrants.play())
        watching = asyncio.create_task(night.watch(entrants))
        await _laid(night, KILLED_AT)
        unserved = [await _killed(played, probe)]
        await _laid(night, FROZEN_AT)
        unserved.append(await _frozen(played, probe))
        await watching
        played.crowd.over = True
        await asyncio.gather(playing, probing)
        places = ask(played.address, _ENDED)
        print(
            f"{len(played.crowd.placed)} streets were told to be placed; asked of Discord: {dict(night.asked)}; not "
            f"served for {unserved} s; {dict(played.crowd.outcomes)}; slowest answer {played.crowd.slowest:.2f} s"
        )
        ranks = [place for place, _ in places]
        assert len(ranks) == ENTRANTS
        assert ranks == [1 + ranks.index(place) for place in ranks], "equal players share a place"
        assert sum(prize for _, prize in places) == ENTRANTS * FEE
        assert played.crowd.placed
        assert played.lost() == []
        assert played.doubled() == []
        assert played.wrong() == []
        assert not played.discord.limits.refused
        assert max(unserved) <= OWNERLESS_SECONDS


async def _laid(night: Night, count: int) -> None:
    while await asyncio.to_thread(night.laid) < count:  # noqa: ASYNC110  # What comes are other processes.
        await asyncio.sleep(LOOK_SECONDS)


async def _killed(played: House, probe: Probe) -> float:
    """Kill who has the event's server, and start another; returns for how long (s) it was not served."""
    (victim,) = played.owners(0)
    probe.afresh()
    victim.signal(signal.SIGKILL)
    await played.start()
    await _served_again(played, probe)
    return round(probe.longest, 1)


async def _frozen(played: House, probe: Probe) -> float:
    """Freeze who has the event's server now for longer than it is missed; returns the same."""
    await played.discord.until(played.fairly_shared)
    (victim,) = played.owners(0)
    probe.afresh()
    victim.signal(signal.SIGSTOP)
    await asyncio.sleep(LATE_SECONDS)
    victim.signal(signal.SIGCONT)
    await played.discord.until(lambda: victim.ended is not None)
    assert victim.ended == GIVEN_UP, victim.said
    await _served_again(played, probe)
    return round(probe.longest, 1)


async def _served_again(played: House, probe: Probe) -> None:
    done = probe.done
    await played.discord.until(lambda: probe.done > done + 2)
