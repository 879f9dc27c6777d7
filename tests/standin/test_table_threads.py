"""Threads of tables of their own where Discord is slow, answers nothing, or the process ends in the middle."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from bot.text.words import words_for
from tests.standin.rest import Fault, Request
from tests.standin.things import Channel
from tests.standin.wired_bot import WiredBot, make_bot

WORDS = words_for("en")
MOVED = WORDS("lobby.moved", thread="").rstrip(" .").split(":")[0]


async def in_threads(wired: WiredBot) -> None:
    """The server plays in threads."""
    play = wired.bot.services.play
    await play.choose_for_server(wired.key.guild, lambda before: replace(before, threads=True))


def threads(wired: WiredBot) -> list[Channel]:
    return [channel for channel in wired.discord.channels.values() if channel.parent is not None]


async def test_two_posts_in_the_thread_and_an_edit_in_the_channel_are_all_that_moving_costs(wired: WiredBot) -> None:
    await in_threads(wired)
    await wired.open(wired.user(1), wired.user(2))
    (thread,) = threads(wired)
    kinds = [(request.kind, request.path.split("/")[2]) for request in wired.discord.requests]
    assert [kind for kind, channel in kinds if channel == str(thread.id)].count("send") == 2, "the root and the table"
    _, lobby = wired.channel.public()
    assert MOVED in lobby.text


async def test_a_table_whose_thread_is_slow_is_shown_in_the_channel_and_moves_with_its_next_hand(
    wired: WiredBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.chat.table.posts.threads.SLOW_SECONDS", 0.05)
    await in_threads(wired)
    drawn = asyncio.Event()

    def hook(request: Request) -> Fault | None:
        if request.kind == "send" and WORDS("table.hand", hand=1) in request.body:
            drawn.set()
        slow = request.kind == "thread" and request.method == "POST"
        return Fault(delay=0.5) if slow else None

    wired.discord.hook = hook
    await wired.open(wired.user(1), wired.user(2))
    assert drawn.is_set(), "nobody waits for the thread"
    (thread,) = threads(wired)
    table = (await wired.look()).table
    assert (table.channel, table.home) in ((wired.channel.id, None), (thread.id, wired.channel.id))
    await wired.drawn()


async def test_a_thread_whose_making_was_not_answered_is_found_again(wired: WiredBot) -> None:
    await in_threads(wired)
    lost = iter([Fault(error=TimeoutError(), done=True)])
    wired.discord.hook = lambda request: (
        next(lost, None) if request.kind == "thread" and request.method == "POST" else None
    )
    await wired.open(wired.user(1), wired.user(2))
    await wired.bot.services.publisher.sweep()
    await wired.drawn()
    (thread,) = threads(wired)
    assert (await wired.look()).table.channel == thread.id
    assert thread.public()


async def test_a_process_that_ends_after_the_thread_was_made_finds_it_when_it_starts(
    wired: WiredBot, tmp_path: Path
) -> None:
    await in_threads(wired)
    await wired.discord.slash(wired.user(1), wired.channel, "ofc play", game="pineapple").finished()
    await wired.drawn()
    await wired.tap(wired.user(2), wired.table(), "join")
    name = WORDS("table.thread", table=1, game=WORDS("variant.pineapple.name"))
    made = wired.discord._make_thread(wired.channel, {"name": name})  # noqa: SLF001
    await wired.discord.stop()
    wired.bot = await make_bot(wired.discord, tmp_path)
    await wired.discord.start(wired.bot)
    await wired.drawn()
    await wired.tap(wired.user(1), wired.table(), "start")
    await wired.drawn()
    assert threads(wired) == [made]
    assert (await wired.look()).table.channel == made.id


@pytest.mark.parametrize("status", [400, 403, 404])
async def test_where_no_thread_can_be_made_the_table_is_played_in_the_channel(wired: WiredBot, status: int) -> None:
    await in_threads(wired)
    wired.discord.hook = lambda request: (
        Fault(status=status, code=0) if request.kind == "thread" and request.method == "POST" else None
    )
    await wired.open(wired.user(1), wired.user(2))
    assert threads(wired) == []
    assert WORDS("table.hand", hand=1) in wired.table().text
    assert sum(request.kind == "thread" for request in wired.discord.requests) == 1, "it is asked for once"
    await wired.play_hand()
