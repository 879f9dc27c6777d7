"""Presses while a shard moves between processes or has no known owner. Each is answered in time by one process."""

import asyncio
from collections.abc import Sequence

import pytest

from bot.chat.kit.custom_ids import Press
from bot.chat.kit.reply import Reply
from bot.run.cluster.press_filter import PressFilter
from bot.text.words import words_for
from tests.standin.sent import Sent
from tests.standin.wired_bot import WiredBot

UNKNOWN = words_for("en")("gate.storage_doubt")
PROMISED = 5
"""Discord's type of an answer that is only promised."""
HERE = 0
"""The shard of all servers."""


class Desk:
    """A verb that takes its time, and a sieve in front of the bot."""

    def __init__(self, wired: WiredBot) -> None:
        self.done = 0
        self.takes_seconds = 0.0
        self.doubts = self.trouble = False
        self._wired = wired
        self.press_filter = PressFilter(wired.bot, in_doubt=lambda: self.doubts, in_trouble=lambda: self.trouble)
        gate = wired.bot.services.gate
        gate.unsure = self.press_filter.unsure
        gate.route("count", self._count)

    async def _count(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        await asyncio.sleep(self.takes_seconds)
        self.done += 1
        await reply.say("done")

    async def press(self) -> Sent:
        """Press, and wait for as long as Discord does."""
        sent = self.begin()
        await asyncio.sleep(6)
        return sent

    def begin(self) -> Sent:
        """Press."""
        return self._wired.discord.press(self._wired.user(0), self._wired.table(), "c1:count:1:0:0:::")


@pytest.fixture
async def desk(wired: WiredBot) -> Desk:
    await wired.open(wired.user(0), wired.user(1))
    made = Desk(wired)
    # The age of the press is measured against a new one.
    assert (await made.press()).seconds < 0.1
    made.done = 0
    return made


async def test_a_press_has_one_clock_which_begins_when_it_is_heard(desk: Desk) -> None:
    desk.takes_seconds = 3
    young = await desk.press()
    desk.doubts = True
    doubted = await desk.press()
    assert (young.callback, doubted.callback) == (PROMISED, PROMISED)
    assert young.seconds == pytest.approx(doubted.seconds, abs=0.1)
    assert desk.done == 2


async def test_who_lets_go_answers_in_words_while_nobody_has_the_shard(desk: Desk) -> None:
    desk.press_filter.release_shard(HERE)
    sent = await desk.press()
    assert sent.answer is not None
    assert sent.answer.text == UNKNOWN
    assert sent.seconds < 2.5
    desk.press_filter.answer(HERE, after=0)
    await asyncio.sleep(1)
    assert desk.done == 0, "what was called unknown is not done later"


async def test_who_lets_go_says_nothing_once_the_other_has_the_shard(desk: Desk) -> None:
    desk.press_filter.release_shard(HERE)
    sent = desk.begin()
    desk.press_filter.forget(HERE)
    await asyncio.sleep(6)
    assert not sent.acknowledged


@pytest.mark.parametrize("trouble", [True, False])
async def test_an_heir_answers_in_words_only_while_the_database_cannot_say_whose_a_shard_is(
    desk: Desk, *, trouble: bool
) -> None:
    desk.trouble = trouble
    desk.press_filter.keep(HERE)
    sent = await desk.press()
    assert sent.acknowledged == trouble
    assert desk.done == 0


async def test_what_was_kept_is_done_once_by_who_is_given_the_shard(desk: Desk) -> None:
    desk.press_filter.keep(HERE)
    before, sent = desk.begin(), desk.begin()
    await asyncio.sleep(1)
    desk.press_filter.answer(HERE, after=before.id)
    await asyncio.sleep(6)
    assert (before.acknowledged, sent.acknowledged, desk.done) == (False, True, 1)
