"""Fixtures: a world with open pages, a club whose panels are open as well, and a bot with pages inside Discord."""

from collections.abc import AsyncIterator, Sequence
from inspect import iscoroutinefunction
from pathlib import Path

import pytest
from pytest_asyncio import fixture

from bot.web.pages import Pages
from tests.discord.club import Club, complaints, open_club
from tests.discord.test_whole_hands import SCRIPT, SEED, deal_to_alice
from tests.play.world import FixedVault, World
from tests.standin.wired_bot import WiredBot
from tests.web import browser, webkit
from tests.web.framed import framed, wired_bot
from tests.web.open_pages import Open, linked, pages_of, served
from tests.worked_out import work_out_once

ROOM = Path(__file__).parent


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """Let the tests of this room share one loop, and with it the browser that they drive."""
    for item in items:
        if item.path.parent == ROOM and iscoroutinefunction(getattr(item, "function", None)):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.fixture(autouse=True)
def _same_answers_are_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    work_out_once(monkeypatch)


@fixture(autouse=True, scope="session", loop_scope="session")
async def _browsers_end() -> AsyncIterator[None]:
    """Close the browsers, whichever tests have started them."""
    yield
    await browser.SHARED.close()
    await webkit.SHARED.close()


@fixture(loop_scope="session")
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """A world with the same seeds in every run."""
    world = World(tmp_path, fixed=FixedVault([b"k" * 32]))
    await world.open()
    try:
        yield world
        world.check_books()
    finally:
        await world.close()


@pytest.fixture
def pages(world: World) -> Pages:
    """The pages of its tables."""
    return pages_of(world)


@pytest.fixture
def page_url() -> str:
    """Where the bot has its pages: nowhere, unless a file says otherwise."""
    return ""


@fixture(loop_scope="session")
async def club(tmp_path: Path, caplog: pytest.LogCaptureFixture, page_url: str) -> AsyncIterator[Club]:
    """A server with Alice, Bob and Hanako, and the bot in it."""
    async with open_club(tmp_path, page_url=page_url) as opened:
        yield opened
    assert not complaints(caplog.get_records("call"), opened.forgiven)


@fixture(loop_scope="session")
async def earning(tmp_path: Path) -> AsyncIterator[Club]:
    """Yield a club in which Alice has just earned Fantasyland."""
    async with open_club(tmp_path, seeds=[SEED]) as club:
        await deal_to_alice(club)
        await club.play_hand(script=SCRIPT)
        yield club


@fixture(loop_scope="session")
async def lucky(earning: Club) -> Club:
    """Return a club in which Alice is in Fantasyland."""
    await earning.pass_time(13)
    return earning


@fixture(loop_scope="session")
async def door(club: Club) -> AsyncIterator[Open]:
    """The pages at their address, behind a proxy."""
    async with linked(club) as opened:
        yield opened


@fixture(loop_scope="session")
async def opened(club: Club) -> AsyncIterator[Open]:
    """The pages of that bot, in sockets."""
    async with served(club) as opened:
        yield opened


@fixture(loop_scope="session")
async def wired(tmp_path: Path) -> AsyncIterator[WiredBot]:
    """Yield a bot on the stand-in whose pages also open inside Discord."""
    async with wired_bot(tmp_path) as made:
        yield made


@fixture(loop_scope="session")
async def frame(wired: WiredBot) -> AsyncIterator[Open]:
    """Its pages, as Discord's proxy asks for them."""
    async with framed(wired) as opened:
        yield opened
