"""The real bot on a simulated Discord, driven by presses and commands."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.live import redraw_queue
from tests.discord.club import Club, complaints, open_club


@pytest.fixture(autouse=True)
def _no_drawing_tried_again_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a drawing that failed be tried again once a test lets time pass, and not while it waits for the bot."""
    monkeypatch.setattr(redraw_queue, "RETRY_SECONDS", 30.0)


@pytest.fixture
async def club(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Club]:
    """A server with Alice, Bob and Hanako, and the bot in it."""
    async with open_club(tmp_path) as opened:
        yield opened
    assert not complaints(caplog.get_records("call"), opened.forgiven)


@pytest.fixture
async def japanese_club(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Club]:
    """The same people in a Japanese server."""
    async with open_club(tmp_path, locale="ja") as opened:
        yield opened
    assert not complaints(caplog.get_records("call"), opened.forgiven)
