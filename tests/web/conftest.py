"""A club whose table is open as a page."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.discord.club import Club, complaints, open_club
from tests.web.open_pages import Open, served


@pytest.fixture
async def club(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Club]:
    """A server with Alice, Bob and Hanako, and the bot in it."""
    async with open_club(tmp_path) as opened:
        yield opened
    assert not complaints(caplog.get_records("call"), opened.forgiven)


@pytest.fixture
async def pages(club: Club) -> AsyncIterator[Open]:
    """The pages of that bot."""
    async with served(club) as opened:
        yield opened
