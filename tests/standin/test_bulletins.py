"""The morning post on the wire: one message whatever is lost, asked for last of all, and none where nothing is due."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.chat.clockwork import SWEEP_EVERY
from bot.chat.discord_patches.governor import _importance
from bot.chat.discord_patches.limits import Importance
from bot.chat.kit.redraw_queue import RETRY_SECONDS
from bot.model.bulletins import Bulletin, BulletinKind
from bot.model.clock import DAY, HOUR
from bot.model.hands import Result
from bot.model.ids import GuildId, Player
from bot.play.session.session import Session
from tests.backstage import transactions_of
from tests.standin.rest import Fault, Request
from tests.standin.things import Message
from tests.standin.wired_bot import WiredBot


async def until_its_hour(wired: WiredBot) -> None:
    """Play on two days, and schedule the morning post for the hour that begins in a minute."""
    now, guild = wired.discord.now_ms(), GuildId(wired.channel.guild.id)
    begins = now - now % HOUR + HOUR
    results = [Result(player=Player(str(wired.user(1).id)), points=0, chips=0, fantasyland=0, foul=False, ranked=False)]
    await wired.open(wired.user(1), wired.user(2))

    def add(s: Session, results: Sequence[Result] = results) -> None:
        for number, at in enumerate((begins - DAY - HOUR, begins - HOUR)):
            s.tx.results.add(wired.key, 1000 + number, results, at=at)

    await transactions_of(wired.bot.services.play).write(add)

    def chosen(before: Bulletin) -> Bulletin:
        hour = datetime.fromtimestamp(begins / 1000, UTC).hour
        return replace(before, channel=wired.channel.id, hour=hour, zone="UTC")

    await wired.bot.services.bulletins.change(guild, BulletinKind.MORNING, chosen)
    await asyncio.sleep((begins - wired.discord.now_ms()) / 1000 - 1)
    assert mornings(wired) == []


async def pass_sweeps(wired: WiredBot) -> None:
    await asyncio.sleep(SWEEP_EVERY + RETRY_SECONDS + 2)
    await wired.bot.services.bulletin_posts.done()


def mornings(wired: WiredBot) -> list[Message]:
    return [message for message in wired.channel.public() if ":daily:" in message.payload()]


def is_post(request: Request) -> bool:
    return request.kind == "send" and ":daily:" in request.body


@pytest.mark.parametrize("arrived", [True, False])
async def test_a_post_whose_answer_was_lost_stands_once(wired: WiredBot, *, arrived: bool) -> None:
    await until_its_hour(wired)
    lost = iter([Fault(error=TimeoutError(), done=arrived)])
    wired.discord.hook = lambda request: next(lost, None) if is_post(request) else None
    for _ in range(4):
        await pass_sweeps(wired)
    assert next(lost, None) is None
    (post,) = mornings(wired)
    assert "2 days" in post.text
    asked = len(wired.discord.requests)
    for _ in range(4):
        await pass_sweeps(wired)
    assert mornings(wired) == [post]
    assert not [request for request in [*wired.discord.requests][asked:] if is_post(request)]


@pytest.mark.parametrize("arrived", [True, False])
async def test_a_puzzle_of_the_day_is_asked_once_and_adds_no_request(wired: WiredBot, *, arrived: bool) -> None:
    await until_its_hour(wired)
    guild, bulletins = GuildId(wired.channel.guild.id), wired.bot.services.bulletins
    await bulletins.change(guild, BulletinKind.MORNING, lambda before: replace(before, puzzle=True))
    lost = iter([Fault(error=TimeoutError(), done=arrived)])
    sent: list[Request] = []

    def hook(request: Request) -> Fault | None:
        if not is_post(request):
            return None
        sent.append(request)
        return next(lost, None)

    wired.discord.hook = hook
    asked = len(wired.discord.requests)
    for _ in range(4):
        await pass_sweeps(wired)
    (post,) = mornings(wired)
    assert post.payload().count(":pz_day:1.") == 1
    assert [request for request in [*wired.discord.requests][asked:] if request.kind == "send"] == sent
    assert all('"parse":[]' in request.body.replace(" ", "") for request in sent), "it pings no one"
    today = await wired.bot.services.trainer.day_today(guild)
    assert today is not None
    assert today.number == 1


async def test_nothing_that_the_bot_asks_matters_less(wired: WiredBot) -> None:
    await until_its_hour(wired)
    seen: list[Importance] = []

    def hook(request: Request) -> None:
        if is_post(request):
            seen.append(_importance.get())

    wired.discord.hook = hook
    for _ in range(2):
        await pass_sweeps(wired)
    assert seen == [Importance.CLEANUP]
    assert max(Importance, key=lambda one: one.value) is Importance.CLEANUP
