import asyncio
from typing import Any

import discord
import pytest
from typing_extensions import override

from bot.run.playground.simulated_server import PEOPLE, START_MS, SimulatedServer, simulated
from tests.run.playground.small_bot import TURN_MS, SmallBot

FACES = {"c1_As": b"\x89PNG ace", "c1_Kh": b"\x89PNG king"}


def small(now_ms: Any) -> SmallBot:
    return SmallBot(now_ms, FACES)


def bot_of(world: SimulatedServer) -> SmallBot:
    assert isinstance(world.env.bot, SmallBot)
    return world.env.bot


async def test_the_club_has_the_same_ids_in_every_run() -> None:
    runs = []
    for start_ms in (START_MS, START_MS + 86_400_000):
        async with simulated(small, start_ms=start_ms) as world:
            people = [member.id for member in world.members.values()]
            bot = world.env.bot
            runs.append((world.guild.id, world.channel.id, people, bot.application_id, bot.user and bot.user.id))
    assert runs[0] == runs[1]
    assert runs[0][2] == [person.id for person in PEOPLE]


async def test_the_bot_knows_the_club() -> None:
    async with simulated(small) as world:
        guild = bot_of(world).get_guild(world.guild.id)
        assert guild is not None
        assert (guild.name, guild.preferred_locale) == ("Chaipo Club", discord.Locale.american_english)
        assert [channel.name for channel in guild.text_channels] == ["card-room"]
        assert guild.owner_id == world.members["alice"].id


async def test_everybody_speaks_their_own_language_and_the_server_its_own() -> None:
    async with simulated(small) as world:
        for member in world.members.values():
            await member.slash(world.channel, "table")
        assert bot_of(world).languages == [("en-US", "en-US"), ("en-GB", "en-US"), ("ja", "en-US")]


async def test_somebody_speaks_their_own_language_in_private_too() -> None:
    async with simulated(small) as world:
        await world.members["hanako"].user.slash("table")
        assert bot_of(world).languages == [("ja", "None")]


async def test_somebody_new_may_speak_another_language() -> None:
    async with simulated(small) as world:
        emil = world.member("emil", locale="de")
        await emil.slash(world.channel, "table")
        assert bot_of(world).languages == [("de", "en-US")]
        assert list(world.members) == ["alice", "bob", "hanako", "emil"]


async def test_time_begins_where_it_is_told_and_passes_only_when_told() -> None:
    async with simulated(small, start_ms=START_MS + 5_000) as world:
        await world.members["alice"].slash(world.channel, "table")
        assert world.now_ms() == START_MS + 5_000
        await world.pass_time(2.5)
        assert world.now_ms() == START_MS + 7_500
        assert bot_of(world).now_ms() == world.now_ms()


async def test_the_start_may_take_as_long_as_a_press(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = asyncio.get_running_loop()
    monotonic, stood_still = loop.time, 0.0
    monkeypatch.setattr(loop, "time", lambda: monotonic() + stood_still)

    class Slow(SmallBot):
        @override
        async def setup_hook(self) -> None:
            await super().setup_hook()
            self.starting = asyncio.create_task(asyncio.to_thread(self.stand_still))

        def stand_still(self) -> None:
            nonlocal stood_still
            stood_still = 10.0

    async with simulated(lambda now_ms: Slow(now_ms, FACES), settle_seconds=20.0) as world:
        assert stood_still == 10.0
        await world.members["alice"].slash(world.channel, "table")
        assert len(bot_of(world).done) == 1


async def test_a_deadline_falls_due_at_its_own_instant() -> None:
    async with simulated(small) as world:
        await world.members["alice"].slash(world.channel, "table")
        await world.pass_time(60)
        assert bot_of(world).ended_ms == [START_MS + TURN_MS]
        assert world.channel.last_message is not None
        assert "Time is up" in str([item.to_dict() for item in world.channel.last_message.components])


async def test_ids_are_made_from_the_clock() -> None:
    async with simulated(small) as world:
        await world.members["alice"].slash(world.channel, "table")
        times = [discord.utils.snowflake_time(identity) for identity in bot_of(world).ids]
        assert {round(time.timestamp() * 1000) for time in times} == {START_MS}


async def test_a_worker_that_rests_does_not_keep_anybody_waiting() -> None:
    async with simulated(small) as world:
        await world.members["alice"].slash(world.channel, "table")
        assert len(bot_of(world).done) == 1


async def test_a_worker_with_a_timeout_rests_too_and_wakes_when_its_time_comes() -> None:
    woken: list[int] = []

    class Waking(SmallBot):
        @override
        async def worker(self) -> None:
            while True:
                try:
                    self.done.append(await asyncio.wait_for(self.work.get(), timeout=30))
                except TimeoutError:
                    woken.append(self.now_ms())

    async with simulated(lambda now_ms: Waking(now_ms, FACES)) as world:
        await world.members["alice"].slash(world.channel, "table")
        assert len(bot_of(world).done) == 1
        await world.pass_time(40)
        assert woken == [START_MS + 30_000]


async def test_a_worker_that_sleeps_wakes_when_its_time_comes_however_often_it_does() -> None:
    woken: list[int] = []

    class Sleeping(SmallBot):
        @override
        async def worker(self) -> None:
            for seconds in (10, 0.5, 20):
                await asyncio.sleep(seconds)
                woken.append(self.now_ms())

    async with simulated(lambda now_ms: Sleeping(now_ms, FACES)) as world:
        await world.pass_time(10.25)
        assert woken == [START_MS + 10_000]
        await world.pass_time(30)
        assert woken == [START_MS + 10_000, START_MS + 10_500, START_MS + 30_500]


async def test_what_was_sent_stays_as_it_was_sent() -> None:
    async with simulated(small) as world:
        sent = {"components": [{"type": 17, "components": [{"type": 10, "content": "hello"}]}], "flags": 1 << 15}
        route = discord.http.Route("POST", "/channels/{channel_id}/messages", channel_id=world.channel.id)
        await bot_of(world).http.request(route, json=sent)
        sent["components"][0]["components"][0]["content"] = "another"  # type: ignore[index]
        kept, logged = world.channel.last_message, world.env.backend.http_requests[-1].json
        assert kept is not None
        assert logged == {
            "components": [{"type": 17, "components": [{"type": 10, "content": "hello"}]}],
            "flags": 1 << 15,
        }
        assert "hello" in str([item.to_dict() for item in kept.components])


async def test_what_the_bot_raises_ends_the_test() -> None:
    with pytest.RaisesGroup(discord.app_commands.CommandInvokeError):
        async with simulated(small) as world:
            await world.members["alice"].slash(world.channel, "crash")


async def test_what_the_test_has_looked_at_is_not_raised() -> None:
    async with simulated(small) as world:
        await world.members["alice"].slash(world.channel, "crash")
        assert len(world.env.errors) == 1


async def test_the_bot_is_closed_at_the_end() -> None:
    async with simulated(small) as world:
        bot = bot_of(world)
        assert not bot.is_closed()
    assert bot.is_closed()
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_bot_that_was_built_already_will_do() -> None:
    async with simulated(SmallBot(lambda: 0, FACES)) as world:
        await world.members["alice"].slash(world.channel, "table")
        assert bot_of(world).ids


async def test_a_bot_that_cannot_start_is_closed_all_the_same() -> None:
    class Broken(SmallBot):
        @override
        async def setup_hook(self) -> None:
            self.background = []
            raise RuntimeError("no database")

    bot = Broken(lambda: 0, FACES)
    with pytest.raises(RuntimeError, match="no database"):
        async with simulated(bot):
            pass
    assert bot.is_closed()
