"""Limits per person, channel and server, so that no one can fill a channel, a server or the bot."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.model.clock import Clock, Pace
from bot.model.ids import GuildId, Player
from bot.model.reasons import TableReason
from bot.play.session.policy import Policy
from bot.pure.solver.levels import Level
from tests.play.world import ANN, BOB, CLEO, DAN, FixedVault, World

SMALL = Policy(
    lobbies_per_player=2,
    lobbies_per_channel=3,
    tables_per_channel=4,
    tables_per_server=5,
    computers_per_server=3,
    computers=5,
)
SLOW = Clock(pace=Pace.CORRESPONDENCE, seconds=86_400)
ELSEWHERE = GuildId(77)


@pytest.fixture
async def narrow(tmp_path: Path) -> AsyncIterator[World]:
    """A world with little room."""
    world = World(tmp_path, policy=SMALL, fixed=FixedVault([b"n" * 32]))
    await world.open()
    yield world
    world.check_books()
    await world.close()


async def test_a_person_has_few_tables_that_wait_whatever_their_pace(narrow: World) -> None:
    first = await narrow.table(ANN)
    await narrow.table(ANN, clock=SLOW)
    with narrow.refuses(TableReason.TOO_MANY_LOBBIES, most=2):
        await narrow.table(ANN, clock=SLOW)
    await narrow.table(ANN, guild=ELSEWHERE)
    await narrow.join(first, BOB)
    await narrow.start(first)
    await narrow.table(ANN, clock=SLOW)


async def test_few_tables_wait_in_a_channel(narrow: World) -> None:
    for host in (ANN, BOB, CLEO):
        await narrow.table(host)
    with narrow.refuses(TableReason.CHANNEL_WAITS, most=3):
        await narrow.table(DAN)
    await narrow.table(DAN, channel=999)


async def test_a_channel_and_a_server_have_room_for_so_many_tables(narrow: World) -> None:
    for host in (ANN, BOB, CLEO, DAN):
        await narrow.started(host, Player(f"9{host}"))
    with narrow.refuses(TableReason.CHANNEL_FULL, most=4):
        await narrow.table(ANN)
    last = await narrow.started(ANN, BOB, channel=999)
    with narrow.refuses(TableReason.SERVER_FULL, most=5):
        await narrow.table(CLEO, channel=999)
    await narrow.table(CLEO, guild=ELSEWHERE)
    await narrow.play.close(last, reason="closed_by_admin")
    await narrow.table(CLEO, channel=999)


async def test_a_person_has_few_computers_in_all_servers_together(tmp_path: Path) -> None:
    world = World(tmp_path, policy=Policy(computers_per_host=3), fixed=FixedVault([b"n" * 32]))
    await world.open()
    mine = await world.table(ANN, point_value=0, computers=2)
    with world.refuses(TableReason.OWN_COMPUTERS_BUSY, most=3):
        await world.table(ANN, guild=ELSEWHERE, point_value=0, computers=2)
    await world.table(BOB, guild=ELSEWHERE, point_value=0, computers=2)
    await world.play.cancel(mine, ANN, cause="gone")
    await world.table(ANN, guild=ELSEWHERE, point_value=0, computers=2)
    await world.close()


async def test_computers_are_shared_by_server_and_by_all(narrow: World) -> None:
    mine = await narrow.table(ANN, point_value=0, computers=2)
    with narrow.refuses(TableReason.SERVER_COMPUTERS_BUSY, most=3):
        await narrow.table(BOB, point_value=0, computers=2)
    theirs = await narrow.table(BOB, point_value=0, computers=1)
    with narrow.refuses(TableReason.SERVER_COMPUTERS_BUSY, most=3):
        await narrow.play.join_computer(theirs, BOB, level=Level.CLUB, cause="c")
    await narrow.table(CLEO, guild=ELSEWHERE, point_value=0, computers=2)
    with narrow.refuses(TableReason.COMPUTERS_BUSY, most=5):
        await narrow.table(DAN, guild=GuildId(78), point_value=0, computers=1)
    await narrow.table(DAN, guild=GuildId(78), point_value=0)
    await narrow.play.cancel(mine, ANN, cause="gone")
    await narrow.play.join_computer(theirs, BOB, level=Level.CLUB, cause="c")
