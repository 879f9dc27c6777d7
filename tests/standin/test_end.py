"""Stopping the bot: it ends within its supervisor's time limit, whatever is in progress."""

import asyncio

from bot.model.ids import Player
from bot.run.app import FINISH_SECONDS
from tests.standin.rest import Fault, Request
from tests.standin.wired_bot import WiredBot


async def test_who_is_told_to_stop_ends_although_discord_answers_nothing(wired: WiredBot) -> None:
    await wired.open(wired.user(0), wired.user(1))
    asked = asyncio.Event()

    def silent(request: Request) -> Fault:
        asked.set()
        return Fault(delay=3600)

    wired.discord.hook = silent
    await wired.bot.services.play.leave(wired.key, Player(str(wired.user(0).id)), cause="test")
    loop = asyncio.get_running_loop()
    await asked.wait()
    begun = loop.time()
    await wired.bot.close()
    assert FINISH_SECONDS <= loop.time() - begun <= 2 * FINISH_SECONDS, "it has waited, and not for long"
    wired.discord.hook = None
