"""A house of several processes: PostgreSQL, Discord and the bots, and everything that can happen to them."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qs, urlsplit

from bot.store.upkeep import inspect
from tests.databases import Server, ask
from tests.processes.people import (
    CROWD,
    GUESTS,
    THINK_SECONDS,
    WORDS,
    Crowd,
    Gamblers,
    Placed,
    Probe,
    Pulse,
    newest,
    results,
)
from tests.processes.standby import Standby
from tests.standin.bot_process import BotProcess
from tests.standin.sent import Sent
from tests.standin.service import Service
from tests.standin.standin import custom_ids
from tests.standin.things import Channel, Guild, Message, User

OWNERLESS_SECONDS = 20.0
"""No table is without an owner for longer."""
FROZEN_SECONDS = 10.0
"""Nor where a process is frozen: one that was killed amid as much is replaced as soon."""

DELETED = WORDS("privacy.deleted")
DELETES = WORDS("privacy.button.ask")

HELD = "SELECT COUNT(s.shard_id) FROM process p LEFT JOIN shard_lease s USING (process_id) GROUP BY p.process_id"

COUNTS = "SELECT shard_count FROM process UNION SELECT shard_count FROM outage"

SEATED = "SELECT 1 FROM seat WHERE guild_id = ? AND player = ?"

PLACED = (
    "SELECT guild_id, table_id, hand_no, actor, payload FROM table_log WHERE kind = 'cards_laid' AND actor IS NOT NULL"
)


class Wire:
    """The network between one process and the database; ``dead`` swallows what is sent."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket
        self._open = asyncio.Event()
        self._open.set()
        self._server: asyncio.Server | None = None
        self.port = 0

    async def start(self) -> None:
        """Lie between."""
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    def cut(self) -> None:
        """Let nothing through, and say nothing of it."""
        self._open.clear()

    def mend(self) -> None:
        """Let through what waits, and everything."""
        self._open.set()

    def stop(self) -> None:
        """Stop accepting connections."""
        assert self._server is not None
        self._server.close()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._open.wait()
        try:
            far_reader, far_writer = await asyncio.open_unix_connection(str(self._socket))
        except OSError:
            writer.close()
            return
        await asyncio.gather(self._pass(reader, far_writer), self._pass(far_reader, writer), return_exceptions=True)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                await self._open.wait()
                writer.write(data)
                await writer.drain()
        finally:
            writer.close()


def _wire_to(address: str) -> Wire:
    (folder,) = parse_qs(urlsplit(address).query)["host"]
    return Wire(Path(folder) / ".s.PGSQL.5432")


class House:
    """Processes on one database, with users in one server per shard, and their actions."""

    def __init__(self, discord: Service, server: Server, folder: Path, *, standby: Standby | None = None) -> None:
        self.discord = discord
        self.server = server
        self.standby = standby
        self.failed_over = False
        """True once the standby has taken the server's place."""
        self.name = server.take()
        self.crowd = Crowd(discord)
        self.channels: list[Channel] = [discord.channel(discord.guild_on(shard), 1) for shard in range(discord.shards)]
        self.probes: list[Probe] = []
        self.living: list[BotProcess] = []
        self.wires: dict[BotProcess, list[Wire]] = {}
        self._folder = folder
        self._started = 0
        self._people = 0
        self._playing: list[asyncio.Task[None]] = []

    @property
    def address(self) -> str:
        """The database, for who looks at it."""
        return self._addresses[-1 if self.failed_over else 0]

    @property
    def _addresses(self) -> list[str]:
        return [server.address(self.name) for server in (self.server, self.standby) if server is not None]

    async def start(
        self, count: int = 1, *, pages: Sequence[int] = (), more: Mapping[str, str] = MappingProxyType({})
    ) -> list[BotProcess]:
        """Start processes with separate connections to the database's servers and Discord; ``pages`` are their ports.

        ``more`` is added to their environment.
        """
        made = []
        for number in range(count):
            self._started += 1
            wires = [_wire_to(address) for address in self._addresses]
            for wire in wires:
                await wire.start()
            hosts = ",".join(f"127.0.0.1:{wire.port}" for wire in wires)
            settings = {
                "CHAIPO_DATABASE": f"postgresql://postgres@{hosts}/{self.name}?target_session_attrs=read-write",
                "CHAIPO_SHARDS": str(self.discord.shards),
                "CHAIPO_KEY_FILE": str(self._folder / "chaipo.key"),
                "CHAIPO_WORKERS": "0",
                "CHAIPO_NEXT_HAND_SECONDS": "1",
                **more,
            }
            if pages:
                settings |= {
                    "CHAIPO_WEB_PORT": str(pages[number]),
                    "CHAIPO_WEB_URL": f"http://127.0.0.1:{pages[number]}",
                }
            made.append(
                BotProcess(
                    self.discord.url,
                    settings,
                    log=self._folder / f"bot-{self._started}.log",
                    token=f"token-{self._started}",
                )
            )
            self.wires[made[-1]] = wires
        self.living += made
        return made

    async def ready(self) -> None:
        """Wait until all shards are served, and shared as they should be."""
        await self.discord.until(lambda: self.discord.commands and self.discord.held == set(range(self.discord.shards)))
        await self.discord.until(self.fairly_shared)

    async def reshard(self, shards: int) -> None:
        """Start the same number of processes with another number of shards, after all have stopped."""
        self.discord.shards = shards
        await self.start(len(self.living))
        await self.ready()

    def is_empty(self) -> bool:
        """True while no process runs."""
        return all(bot.ended is not None for bot in self.living)

    def fairly_shared(self) -> bool:
        """True when each living process has its share."""
        counts = [count for (count,) in ask(self.address, HELD)]
        running = [bot for bot in self.living if bot.ended is None]
        return len(counts) == len(running) and sum(counts) == self.discord.shards and max(counts) - min(counts) <= 1

    def owners(self, shard: int) -> list[BotProcess]:
        """Return the processes connected with a shard, the oldest connection first."""
        tokens = [login.token for login in self.discord.sessions.values() if login.connected and login.shard == shard]
        return [bot for token in tokens for bot in self.living if bot.token == token]

    # people

    def people(self, count: int) -> list[User]:
        """Return new users."""
        self._people += count
        return [self.discord.user(number) for number in range(self._people - count + 1, self._people + 1)]

    async def open_tables(self) -> None:
        """On each shard a table where two play, and one that people join and leave."""
        for channel in self.channels:
            host, guest = self.people(2)
            await self._open(channel, host)
            message, join = await self.offer(channel.guild, "join")
            await self._surely(guest, message, join)
            message, start = await self.offer(channel.guild, "start")
            await self._surely(host, message, start)
            self._begin(Gamblers(self.crowd, channel.guild, [host, guest]))
            join = await self.open_lobby(channel)
            self.probes.append(Probe(self.crowd, channel, join, self.people(GUESTS)))
        self._playing += [asyncio.create_task(probe.ask()) for probe in self.probes]

    async def open_slow_tables(self) -> None:
        """On each shard a table by correspondence where two play."""
        for channel in self.channels:
            host, guest = self.people(2)
            await self._open(channel, host, clock="1d")
            for user, verb in ((guest, "join"), (host, "start")):
                message, custom_id = await self.offer(channel.guild, verb)
                await self._surely(user, message, custom_id)

    async def open_pulse(self, shard: int) -> Pulse:
        """On a shard one table that people join and leave as fast as they can."""
        channel = self.channels[shard]
        return Pulse(self.discord, channel, await self.open_lobby(channel), self.people(CROWD))

    async def open_lobby(self, channel: Channel) -> str:
        """A table that waits for people; returns the custom id that joins it."""
        (waiting,) = self.people(1)
        # A table that plays offers a free seat as well.
        before = {message.id for message in channel.public()}

        def joins() -> list[str]:
            return [
                custom_id
                for message in channel.public()
                if message.id not in before
                for custom_id in custom_ids(message, "join")
            ]

        await self._open(channel, waiting)
        await self.discord.until(joins)
        (join,) = joins()
        return join

    async def open_event(self, shard: int) -> None:
        """A sit and go of three people."""
        channel = self.discord.channel(self.discord.guild_on(shard, 1), 1)
        boss = User(self.people(1)[0].id, manager=True)
        page = await self.crowd.judge(self.discord.slash(boss, channel, "event", do="create"))
        assert page is not None
        assert page.answer is not None
        (publish,) = custom_ids(page.answer, "ev_form_publish")
        assert await self.crowd.press(boss, page.answer, publish)
        entrants = self.people(3)
        for user in entrants:
            message, register = await self.offer(channel.guild, "ev_register")
            await self._surely(user, message, register)
        self._begin(Gamblers(self.crowd, channel.guild, entrants))

    def _begin(self, gamblers: Gamblers) -> None:
        self._playing.append(asyncio.create_task(gamblers.play()))

    async def visits(self, somebody: User, probe: Probe) -> None:
        """Let a user join a lobby as soon as a seat is free, and leave it, so that the server has an account for them.

        They press at human speed, because faster presses are refused.
        """
        server = probe.channel.guild.id
        while server not in self.servers_that_know(somebody):
            await probe.press(somebody, "join")
            await asyncio.sleep(THINK_SECONDS)
        while self._is_seated(somebody, server):
            await probe.press(somebody, "leave")
            await asyncio.sleep(THINK_SECONDS)

    async def asks_to_be_deleted(self, somebody: User, shard: int) -> Callable[[], Coroutine[Any, Any, Sent | None]]:
        """Open the deletion question for a user in this shard's server; returns the press that confirms it."""
        asked = None
        while asked is None:
            asked = await self.crowd.judge(
                self.discord.slash(somebody, self.channels[shard], "ofc settings", topic=DELETES)
            )
        assert asked.answer is not None
        panel, (delete,) = asked.answer, custom_ids(asked.answer, "own_delete")
        return partial(self.crowd.press, somebody, panel, delete)

    async def is_deleted(self, somebody: User, pressed: Sent) -> None:
        """Wait until the user is told that they are deleted. No server has an account for them then.

        A pressed panel stays unchanged while the answer is deferred.
        """
        panel = pressed.answer
        assert panel is not None
        await self.discord.until(lambda: DELETED in panel.text or pressed.followups)
        assert not pressed.followups, [message.text for message in pressed.followups]
        assert self.servers_that_know(somebody) == []

    def servers_that_know(self, somebody: User) -> list[int]:
        """Return the servers with an account for a user."""
        found = ask(self.address, "SELECT DISTINCT guild_id FROM account WHERE owner = ?", (str(somebody.id),))
        return [guild for (guild,) in found]

    def _is_seated(self, somebody: User, server: int) -> bool:
        return bool(ask(self.address, SEATED, (server, str(somebody.id))))

    async def _open(self, channel: Channel, host: User, **options: str) -> None:
        # On a machine that is busy an answer may come too late; once more, and it is another table.
        sent = None
        while sent is None:
            asked = self.discord.slash(host, channel, "ofc play", game="pineapple", **options)
            sent = await self.crowd.judge(asked)

    async def _surely(self, user: User, message: Message, custom_id: str) -> None:
        """Press until there is an answer in time. A repeated press is told that it's done."""
        while await self.crowd.press(user, message, custom_id) is None:
            continue

    async def offer(self, guild: Guild, verb: str) -> tuple[Message, str]:
        """The newest message that offers something, once there is one."""
        await self.discord.until(lambda: next(newest(guild, verb), None))
        return next(newest(guild, verb))

    def longest(self) -> list[float]:
        """Return the longest outage (s) of each shard since the last call."""
        found = [round(probe.longest, 1) for probe in self.probes]
        for probe in self.probes:
            probe.afresh()
        return found

    async def end(self) -> None:
        """Stop all users' presses."""
        self.crowd.over = True
        await asyncio.gather(*self._playing)

    def close(self) -> None:
        """Kill what runs."""
        for bot in self.living:
            bot.end()
        for wire in itertools.chain(*self.wires.values()):
            wire.stop()

    # invariants afterwards

    def counts(self) -> set[int]:
        """Return the numbers of shards in the database's heartbeats: a single one if all processes agree."""
        return {count for (count,) in ask(self.address, COUNTS)}

    def lost(self) -> list[Placed]:
        """Return confirmed streets that aren't in the log exactly once."""
        found: Counter[Placed] = Counter()
        for guild, table, hand, actor, payload in ask(self.address, PLACED):
            found[
                Placed(guild=guild, table=table, hand=hand, street=json.loads(payload)["street"], user=int(actor))
            ] += 1
        return [placed for placed in set(self.crowd.placed) if found[placed] != 1]

    def doubled(self) -> list[str]:
        """Return results that appear twice in a channel."""
        guilds = self.discord.guilds.values()
        return [title for guild in guilds for title, times in results(guild).items() if times > 1]

    def wrong(self) -> list[str]:
        """Return errors in the database, such as created or lost chips."""
        return [str(finding) for finding in inspect(self.address, secrets=None).report.findings]


@asynccontextmanager
async def house(
    server: Server, folder: Path, *, shards: int, logins_at_once: int = 1, standby: Standby | None = None
) -> AsyncIterator[House]:
    """A house without processes; afterwards nothing of it runs."""
    async with Service(shards=shards, logins_at_once=logins_at_once).serving() as discord:
        made = House(discord, server, folder, standby=standby)
        try:
            yield made
        finally:
            made.close()
