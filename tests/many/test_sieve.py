"""The sieve: a press has one clock, from when it was heard; and nobody is left without a word. On a virtual clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.live.client import Client
from bot.many.sieve import DOUBT_SECONDS, HEIR_UNSURE_SECONDS, UNSURE_SECONDS, Json, Sieve
from bot.model.ids import GuildId, Shard
from bot.ui.promises import ANSWER_WITHIN_SECONDS, HEARD_AT, UNSURE, Promise
from tests.simulation.loop import SimulatedLoop

ANSWERABLE_SECONDS = 3.0


class Discord:
    """What the sieve stands between: discord.py, which notes when it was told of which press."""

    def __init__(self) -> None:
        self.told: list[tuple[float, Json]] = []
        self._connection = SimpleNamespace(parsers={"INTERACTION_CREATE": self._tell})

    def _tell(self, press: Json) -> None:
        self.told.append((asyncio.get_running_loop().time(), press))

    def hear(self, number: int) -> None:
        """Discord sends a press."""
        self._connection.parsers["INTERACTION_CREATE"]({"id": str(number), "guild_id": "0", "data": {}})

    def shard_of(self, guild: GuildId) -> Shard:
        """All servers are on one."""
        return Shard(number=0, count=1)


def sieve(discord: Discord, *, in_doubt: bool) -> Sieve:
    return Sieve(cast(Client, discord), in_doubt=lambda: in_doubt)


def on_a_virtual_clock(play: Callable[[], Coroutine[Any, Any, None]]) -> None:
    loop = SimulatedLoop(100.0)
    try:
        loop.run_until_complete(play())
    finally:
        loop.close()


def test_the_second_of_doubt_and_the_promise_are_counted_together() -> None:
    async def play() -> None:
        discord, loop, promised = Discord(), asyncio.get_running_loop(), list[float]()
        sieve(discord, in_doubt=True)

        async def promise() -> None:
            promised.append(loop.time())

        discord.hear(1)
        await asyncio.sleep(DOUBT_SECONDS)
        ((told_at, press),) = discord.told
        waited = told_at - press["data"][HEARD_AT]
        assert waited == pytest.approx(DOUBT_SECONDS)
        await Promise(promise, age_seconds=0, waited_seconds=waited).begin()
        await asyncio.sleep(ANSWERABLE_SECONDS)
        assert promised == [pytest.approx(100.0 + ANSWER_WITHIN_SECONDS)]

    on_a_virtual_clock(play)


@pytest.mark.parametrize("in_doubt", [True, False])
def test_who_lets_go_says_so_before_it_is_too_late_and_answers_no_more(in_doubt: bool) -> None:
    async def play() -> None:
        discord = Discord()
        made = sieve(discord, in_doubt=in_doubt)
        discord.hear(1)
        await asyncio.sleep(DOUBT_SECONDS)
        assert made.let_go(0) == 1
        discord.hear(2)
        await asyncio.sleep(ANSWERABLE_SECONDS)
        assert [press["id"] for _, press in discord.told] == ["1", "2"]
        at, press = discord.told[-1]
        assert press["data"][UNSURE]
        assert at - press["data"][HEARD_AT] == pytest.approx(UNSURE_SECONDS)
        made.answer(0, after=1)
        assert len(discord.told) == 2

    on_a_virtual_clock(play)


@pytest.mark.parametrize("in_doubt", [True, False])
def test_an_heir_speaks_only_where_nobody_can_tell_whose_the_shard_is(in_doubt: bool) -> None:
    async def play() -> None:
        discord = Discord()
        sieve(discord, in_doubt=in_doubt).keep(0)
        discord.hear(1)
        await asyncio.sleep(ANSWERABLE_SECONDS)
        assert [at - 100.0 for at, _ in discord.told] == [pytest.approx(HEIR_UNSURE_SECONDS)] * in_doubt

    on_a_virtual_clock(play)


def test_an_heir_that_is_given_the_shard_answers_what_the_owner_before_has_not() -> None:
    async def play() -> None:
        discord = Discord()
        made = sieve(discord, in_doubt=False)
        made.keep(0)
        for number in (1, 2, 3):
            discord.hear(number)
        made.answer(0, after=2)
        await asyncio.sleep(ANSWERABLE_SECONDS)
        assert [press["id"] for _, press in discord.told] == ["3"]
        assert UNSURE not in discord.told[0][1]["data"]

    on_a_virtual_clock(play)
