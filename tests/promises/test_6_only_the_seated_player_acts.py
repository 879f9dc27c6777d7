"""Promise 6: only the seated player acts and only admins administrate. Nothing in a custom id is trusted."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.kit.custom_ids import BUTTON_TEMPLATE, MODAL_TEMPLATE, SELECT_TEMPLATE, Press, decode
from bot.model.ids import Player, TableId, TableKey
from bot.model.refusals import Stale
from bot.pure.ofc.refusals import Refused
from bot.pure.solver.levels import Level
from tests.discord.club import open_club
from tests.discord.forge import forge
from tests.play.world import ANN, BOB, EVE, GUILD, OTHER_GUILD, FixedVault, World

# contents of custom ids

TEMPLATES = (BUTTON_TEMPLATE, SELECT_TEMPLATE, MODAL_TEMPLATE)
MAX_CUSTOM_ID_LENGTH = 100
"""Characters that Discord lets a custom id have."""

NEARLY = st.from_regex(re.compile(r"[csm]1:[a-z_]{0,20}(:[0-9]{0,12}){3}:([0-9a-z][FMBDX]){0,40}:.{0,2}:.{0,40}"))
HUGE = st.builds(lambda text, times: text * times, st.text(max_size=9), st.integers(0, 5000))
ANYTHING = st.text(max_size=300) | NEARLY | HUGE


@given(text=ANYTHING)
def test_promise_6_a_custom_id_is_refused_or_small(text: str) -> None:
    """Whatever is sent, no number exceeds the database, no draft exceeds a hand, and nothing takes long."""
    for template in TEMPLATES:
        match = template.fullmatch(text)
        if match is None:
            continue
        press = decode(match)
        assert 0 <= press.table < 10**9
        assert 0 <= press.hand < 10**9
        assert 0 <= press.street < 100
        assert len(press.draft) <= 17
        assert all(0 <= place < 36 and letter in "FMBD" for place, letter in press.draft)
        assert len(press.argument) <= 16
        assert len(text) <= MAX_CUSTOM_ID_LENGTH


@given(
    press=st.builds(
        Press,
        verb=st.from_regex(r"[a-z_]{1,16}", fullmatch=True),
        table=st.integers(0, 10**9 - 1).map(TableId),
        hand=st.integers(0, 10**9 - 1),
        street=st.integers(0, 99),
        draft=st.lists(st.tuples(st.integers(0, 35), st.sampled_from("FMBD")), max_size=17).map(tuple),
        chosen=st.none() | st.integers(0, 35),
        argument=st.from_regex(r"[A-Za-z0-9_-]{0,16}", fullmatch=True),
    )
)
def test_promise_6_what_a_button_carries_comes_back_as_it_was(press: Press) -> None:
    match = BUTTON_TEMPLATE.fullmatch(f"c1:{press}")
    assert match is not None
    assert decode(match) == press
    assert len(match[0]) <= MAX_CUSTOM_ID_LENGTH


# permissions


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """A world with the same seeds in every run."""
    world = World(tmp_path, fixed=FixedVault([b"k" * 32]))
    await world.open()
    yield world
    world.check_books()
    await world.close()


async def tries(world: World, key: TableKey, player: Player) -> None:
    """Try every player action at a table. All must be refused and change nothing."""
    play = world.play
    before = world.dump()
    for hand_no in (0, 1, 2, 10**9):
        for street in (0, 1, 2, 99):
            for rows in ("BBBBB", "MMD", "", "B" * 5000, "FFFMMMMMBBBBB", "\ud800", "'; DROP TABLE table_log; --"):
                with pytest.raises((Refused, Stale)):
                    await play.place_cards(key, player, hand_no=hand_no, street=street, rows=rows, cause=world.cause())
        with pytest.raises((Refused, Stale)):
            await play.surrender(key, player, hand_no=hand_no, cause=world.cause())
    for act in (play.leave, play.stay, play.start, play.cancel, partial(play.join_computer, level=Level.CLUB)):
        with pytest.raises(Refused):
            await act(key, player, cause=world.cause())
    with pytest.raises(Refused):
        await play.set_entropy(key, player, "luck", cause=world.cause())
    assert world.dump() == before


async def test_promise_6_a_stranger_has_no_hand_in_a_game(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.table(EVE, guild=OTHER_GUILD)
    await tries(world, key, EVE)
    # Tables of other servers are invisible here, and so are tables that never existed.
    for guild, table in ((OTHER_GUILD, key.table), (GUILD, 2), (GUILD, 10**9 - 1)):
        if (guild, table) != (OTHER_GUILD, 1):
            await tries(world, TableKey(guild=guild, table=TableId(int(table))), ANN)
    await tries(world, TableKey(guild=OTHER_GUILD, table=TableId(1)), ANN)


async def test_promise_6_nobody_plays_for_somebody_else(world: World) -> None:
    """Players act with their own cards only, and a neighbour's cards are neither placed nor seen."""
    key = await world.started(ANN, BOB)
    assert await world.turn(key) == BOB
    before = world.dump()
    with pytest.raises(Refused):
        await world.play.place_cards(key, ANN, hand_no=1, street=1, rows="BBBBB", cause="p")
    assert world.dump() == before
    for player in (ANN, EVE):
        view = await world.play.look(key, player)
        assert view.hand is not None
        theirs = next(seat for seat in view.hand.seats if seat.player == BOB)
        assert not any(theirs.held)


async def test_promise_6_only_the_host_starts_and_cancels(world: World) -> None:
    key = await world.table(ANN, BOB)
    before = world.dump()
    for act in (world.play.start, world.play.cancel, partial(world.play.join_computer, level=Level.CLUB)):
        for player in (BOB, EVE):
            with pytest.raises(Refused):
                await act(key, player, cause=world.cause())
    assert world.dump() == before


async def test_promise_6_only_who_manages_the_server_closes_tables_and_changes_games(tmp_path: Path) -> None:
    async with open_club(tmp_path) as club:
        await club.open_table("alice", "bob")
        rules = await club.slash("alice", "setup", topic="house rules")
        facts = await club.facts()
        for name in ("bob", "hanako"):
            denied = club.words(name)("gate.needs_manage_server")
            assert denied in (await club.closes(name, 1)).text
            # /setup isn't even shown to them; a button of its screen can be forged.
            for control in rules.controls():
                values = ["pineapple"] if control["type"] == 3 else None
                forged = await forge(club, name, rules, control["custom_id"], values=values)
                assert forged.said in (denied, "")
        assert club.world.env.errors == []
        assert await club.facts() == facts
        assert await club.play.games(club.key().guild) == []
