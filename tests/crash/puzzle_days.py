"""A server's puzzle of the day: two members answer it on a Sunday, and Monday's morning post reveals it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from bot.chat.club.posts.bulletins import BulletinPosts
from bot.chat.kit.faces import Faces
from bot.chat.kit.scheduled_poster import PosterContext
from bot.chat.trainer.posts.morning import DayPuzzlePart
from bot.model.bulletins import Bulletin, BulletinKind
from bot.model.clock import DAY, HOUR
from bot.model.ids import Player
from bot.play.trainer.known_puzzles import known_puzzles
from bot.store.sqlite.driver import Connect
from tests.crash.bulletin_day import HERE, MONDAY_AT_NINE, THERE
from tests.crash.outliving import Posted, outliving, posts_told, woken
from tests.crash.script import SameVault
from tests.play.world import ANN, BOB, START, World

SUNDAY_AT_NINE = MONDAY_AT_NINE - DAY
PRESSES: Sequence[tuple[Player, bool]] = ((ANN, True), (BOB, False))
"""Who answers, and if rightly."""


def sunday(folder: Path, *, trace: Callable[[str], None] | None = None) -> World:
    """A bot that is started, or started again, on Sunday at ten."""
    return World(folder, fixed=SameVault([b"k" * 32]), now=SUNDAY_AT_NINE + HOUR, trace=trace)


async def asked(folder: Path) -> None:
    """Sunday's post has asked the first puzzle."""
    world = sunday(folder)
    await world.open()
    world.now = SUNDAY_AT_NINE - DAY

    def chosen(before: Bulletin) -> Bulletin:
        return replace(before, channel=THERE, hour=9, zone="UTC", puzzle=True)

    bulletin = await world.bulletins.change(HERE, BulletinKind.MORNING, chosen)
    world.now = SUNDAY_AT_NINE
    await world.trainer.morning(HERE, bulletin, SUNDAY_AT_NINE, open_channels=[THERE])
    await world.bulletins.mark_posted(HERE, BulletinKind.MORNING, SUNDAY_AT_NINE)
    await world.close()


async def press(world: World, number: int) -> None:
    """One answer, as its client sends it again after a crash; raises Stale where it had its effect before."""
    player, right = PRESSES[number]
    day = await world.trainer.day_today(HERE)
    assert day is not None
    placement = known_puzzles()[day.puzzle].placements[0 if right else 1]
    await world.trainer.answer_day(HERE, player, day.number, day.puzzle, placement.letters, cause=f"{player}")


async def answered(folder: Path) -> None:
    """Both have answered the first puzzle."""
    await asked(folder)
    world = sunday(folder)
    await world.open()
    for number in range(len(PRESSES)):
        await press(world, number)
    await world.close()


async def pass_morning(
    folder: Path,
    *,
    at: int,
    before: Sequence[Posted],
    connect: Connect,
    begin: Callable[[], None],
    point: Callable[[str], None],
    tell: Callable[[str], None],
) -> int:
    """Start at a given time and post what is due; returns the number of posts in the channel."""
    now = [START]
    discord, channel = outliving(before, now)
    client, world = await woken(discord, folder, at=at, connect=connect)
    now[0] = at
    discord.hook = partial(posts_told, now=now, point=point, tell=tell)
    context = PosterContext(client=client, use_cases=world.core, faces=Faces(), now_ms=lambda: now[0])
    posts = BulletinPosts(context, DayPuzzlePart(world.trainer))
    begin()
    await posts.sweep()
    await posts.done()
    return len(channel.public())
