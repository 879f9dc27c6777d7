"""The real bot on a simulated Discord, driven by presses and commands."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.chat import application_assets
from bot.chat.club.posts import welcomes
from bot.chat.event.posts import posted_desks
from bot.chat.kit import redraw_queue
from tests.discord.club import PATIENCE_SECONDS, Club, complaints, open_club
from tests.worked_out import work_out_once


@pytest.fixture(autouse=True)
def _nothing_tried_again_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what failed be tried again once a test lets time pass, and not while it waits for the bot."""
    later = PATIENCE_SECONDS + 60
    monkeypatch.setattr(redraw_queue, "RETRY_SECONDS", later)
    monkeypatch.setattr(welcomes, "RETRY_SECONDS", later)
    monkeypatch.setattr(application_assets, "FIRST_WAIT_SECONDS", later)


@pytest.fixture(autouse=True)
def _desks_need_no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Update a kept desk immediately, because its delay is measured in real time."""
    monkeypatch.setattr(posted_desks, "PAUSE_SECONDS", 0.0)


@pytest.fixture(autouse=True)
def _same_answers_are_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    work_out_once(monkeypatch)


@pytest.fixture
async def club(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Club]:
    """A server with Alice, Bob and Hanako, and the bot in it."""
    async with open_club(tmp_path) as opened:
        yield opened
    assert not complaints(caplog.get_records("call"), opened.forgiven)


@pytest.fixture
async def japanese_club(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Club]:
    """Yield a club in a Japanese server, with the same members."""
    async with open_club(tmp_path, locale="ja") as opened:
        yield opened
    assert not complaints(caplog.get_records("call"), opened.forgiven)
