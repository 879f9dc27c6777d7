"""The real bot on a simulated Discord, driven by clicks and commands."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.discord.club import Club, open_club


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    """A server with Alice, Bob and Hanako, and the bot in it."""
    async with open_club(tmp_path) as opened:
        yield opened
