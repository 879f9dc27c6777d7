"""Startup of the playground: checks its requirements, opens it, keeps its clock in step and closes it."""

import asyncio
import logging
import os
import socket
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from bot.base.installation import HOME, PLAYGROUND_NEEDS
from bot.text.languages import ENGLISH, Language

if TYPE_CHECKING:
    from bot.run.playground.page import ChannelPage
    from bot.run.playground.simulated_server import BuildBot

HOST: Final = "127.0.0.1"
STEP_SECONDS: Final = 1.0
"""Interval for advancing the simulated clock while no one presses anything."""
TIDY_SECONDS: Final = 60.0
GUESTS_SECONDS: Final = 0.2
"""Interval of the guests' actions."""

_log = logging.getLogger(__name__)


class PlaygroundError(Exception):
    """The playground can't be opened. The text is one sentence for the operator."""


class PlaygroundMissingError(PlaygroundError):
    """The playground's dependencies aren't installed. They are optional for bots with a token."""


def require_playground() -> None:
    """Raise `PlaygroundMissingError` if the playground's dependencies aren't installed."""
    try:
        with _hushed("discord.state"):  # discord.py warns that SimCord's client has no intents
            from bot.run.playground.page import require_page

        require_page()
    except ImportError as error:
        raise PlaygroundMissingError(
            f"The playground cannot start ({error}): install {PLAYGROUND_NEEDS}, or write DISCORD_TOKEN into "
            f"{HOME / '.env'} to run on Discord"
        ) from error


async def serve(
    build_bot: "BuildBot",
    *,
    port: int,
    faces: Mapping[str, bytes],
    language: Language = ENGLISH,
    announce: Callable[[str], None],
    stop: asyncio.Event,
) -> None:
    """Run the bot on a simulated Discord until `stop` is set or the page's session ends.

    `faces` are the PNGs of the bot's application emojis, by name. Port 0 chooses a free port. `language` is that of the
    server and its owner. `announce` is called with the page's address once it's open. Raises `PlaygroundError`.
    """
    require_playground()
    from bot.run.playground.page import SetupError, open_page

    _require_free(port)
    try:
        async with open_page(build_bot, port=port, faces=faces, language=language) as page:
            announce(page.address)
            await _keep_open(page, stop)
    except SetupError as error:
        if isinstance(error.__cause__, OSError):  # the port was taken after the check
            raise _not_free(port, error.__cause__) from error
        raise


@contextmanager
def _hushed(name: str) -> Iterator[None]:
    logger = logging.getLogger(name)
    logger.disabled, before = True, logger.disabled
    try:
        yield
    finally:
        logger.disabled = before


def _require_free(port: int) -> None:
    """Check the port before the bot is built, because another process on it may also have the bot's database open."""
    try:
        socket.create_server((HOST, port)).close()
    except OSError as error:
        raise _not_free(port, error) from error


def _not_free(port: int, error: OSError) -> PlaygroundError:
    reason = os.strerror(error.errno or 0)
    return PlaygroundError(
        f"The playground cannot use port {port} ({reason}). Free it, or choose another one with CHAIPO_PORT."
    )


async def _keep_open(page: "ChannelPage", stop: asyncio.Event) -> None:
    """Return when the operator or a user of the page stops the playground."""
    ends = [asyncio.create_task(stop.wait()), asyncio.create_task(page.wait_closed())]
    chores = [
        asyncio.create_task(_every(STEP_SECONDS, page.catch_up)),
        asyncio.create_task(_every(TIDY_SECONDS, page.tidy)),
        asyncio.create_task(_every(GUESTS_SECONDS, page.entertain)),
    ]
    try:
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (*ends, *chores):
            task.cancel()
        await asyncio.gather(*ends, *chores, return_exceptions=True)


async def _every(seconds: float, work: Callable[[], Awaitable[None]]) -> None:
    while True:
        await asyncio.sleep(seconds)
        try:
            await work()
        except Exception:  # one failed round must not stop the clock for all users
            _log.exception("The playground continued after this")
