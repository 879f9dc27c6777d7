"""Every step that is declared of tables, events and entrants is one that happens; any other would be refused."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from itertools import product

import pytest

from bot.model.events import ENTRANT_MOVES, PHASE_MOVES, EntrantState, Phase
from bot.model.moves import ForbiddenMoveError, check_move
from bot.model.tables import TABLE_MOVES, TableState
from bot.play.event.organisers import changing, organiser
from tests.diagrams import PAGE, drawn_into
from tests.play.event.evening import Evening
from tests.play.event.event_world import HOUR, A, B, C, D, Scene, structure
from tests.play.event.storage import InMemory
from tests.play.test_lost_keys import lose_the_key
from tests.play.world import ANN, BOB, World
from tests.states import MACHINES, Move

SEEDS = (5, 13, 15, 40)
"""Evenings that are short and between them bring the most."""


def test_the_diagrams_are_those_of_the_code() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == drawn_into(page), "run make diagrams"


# Only SQLite lets a connection see each step that it writes.
@pytest.mark.of_sqlite
async def test_every_declared_step_happens(real_world: World) -> None:
    seen: dict[str, set[Move]] = {machine.table: set() for machine in MACHINES}
    for source in (
        *map(evening, SEEDS),
        too_few_check_in(),
        too_few_register(),
        called_off(),
        entrants_come_and_go(),
        another_evening(),
        await tables_open_and_close(real_world),
    ):
        for table, steps in source.items():
            seen[table] |= steps
    assert seen == {machine.table: machine.declared for machine in MACHINES}


def evening(seed: int) -> dict[str, set[Move]]:
    """A whole event, from its seed."""
    played = Evening(seed, kills=0)
    played.run()
    return played.seen_states


def called_off() -> dict[str, set[Move]]:
    """An organiser calls an event off during play."""
    scene = Scene()
    scene.begin(structure(), A, B, C)
    scene.organise(organiser.cancel, why="no power")
    return scene.seen_states


def too_few_check_in() -> dict[str, set[Move]]:
    """Enough players register but none checks in, so the event is cancelled at its start."""
    scene = Scene()
    scene.announce(structure(check_in_minutes=15))
    scene.register(A, B, C)
    scene.wait(90 * 60_000)
    assert (scene.event.phase, scene.event.reason) == (Phase.CANCELLED, "too_few")
    assert (Phase.CHECK_IN.value, Phase.CANCELLED.value) in scene.seen_states["event"]
    return scene.seen_states


def too_few_register() -> dict[str, set[Move]]:
    """One has registered for an event without check-in: it is called off at its start."""
    scene = Scene()
    scene.announce(structure(check_in_minutes=0))
    scene.register(A)
    scene.wait(90 * 60_000)
    assert (scene.event.phase, scene.event.reason) == (Phase.CANCELLED, "too_few")
    assert (Phase.REGISTERING.value, Phase.CANCELLED.value) in scene.seen_states["event"]
    return scene.seen_states


def entrants_come_and_go() -> dict[str, set[Move]]:
    """Players withdraw and return, check in and withdraw, bust and re-enter."""
    scene = Scene()
    scene.announce(structure(check_in_minutes=15, late_levels=3, reentries=1, table_seats=4))
    scene.register(A, B, C, D)
    scene.withdraw(D)
    scene.register(D)
    scene.wait(46 * 60_000)
    scene.check_in(A, B, C, D)
    scene.withdraw(C)
    scene.start()
    scene.go_on()
    one, other, *_ = next(iter(scene.tables().values()))
    scene.knock_out(one, other)
    scene.register(other)
    return scene.seen_states


def another_evening() -> dict[str, set[Move]]:
    """Check-in is open, and the event is put off until the next day."""
    scene = Scene()
    scene.announce(structure(check_in_minutes=15))
    scene.register(A, B)
    scene.wait(46 * 60_000)
    scene.check_in(A)
    assert scene.event.starts_at is not None
    scene.organise(changing.postpone, until=scene.event.starts_at + 24 * HOUR)
    assert (Phase.CHECK_IN.value, Phase.REGISTERING.value) in scene.seen_states["event"]
    return scene.seen_states


async def tables_open_and_close(world: World) -> dict[str, set[Move]]:
    """A lobby is cancelled; a game loses its second player and waits for another; a table is void before its deal."""
    await world.play.cancel(await world.table(ANN, BOB), ANN, cause=world.cause())
    key = await world.started(ANN, BOB)
    await world.play_hand(key)
    await world.leave(key, BOB)
    await world.next_hand(key)
    assert (await world.play.look(key)).table.state is TableState.LOBBY
    seen = world.seen_states
    unkeyed = await world.table(ANN, BOB)
    await lose_the_key(world)
    await world.start(unkeyed)
    return {table: steps | world.seen_states[table] for table, steps in seen.items()}


@pytest.mark.of_sqlite
def test_another_step_is_refused() -> None:
    scene = Scene()
    scene.announce(structure())
    assert isinstance(scene.storage, InMemory)
    with pytest.raises(sqlite3.OperationalError):
        scene.storage.connection.execute("UPDATE event SET phase = ?", (Phase.ENDED.value,))


def test_a_table_goes_no_forbidden_way() -> None:
    scene = running()
    table = scene.spot(1).table
    assert table.state is TableState.PLAYING
    with pytest.raises(ForbiddenMoveError, match="TableState cannot change from playing to closed"):
        scene.write(lambda s: s.save(replace(table, state=TableState.CLOSED)))
    assert scene.spot(1).table == table


def test_an_event_goes_no_forbidden_way() -> None:
    field = running().field()
    with pytest.raises(ForbiddenMoveError, match="Phase cannot change from running to check_in"):
        field.save(replace(field.event, phase=Phase.CHECK_IN))


def test_an_entrant_goes_no_forbidden_way() -> None:
    field = running().field()
    with pytest.raises(ForbiddenMoveError, match="EntrantState cannot change from playing to withdrawn"):
        field.save_entrant(replace(field.entrants[A], state=EntrantState.WITHDRAWN))


@pytest.mark.parametrize("moves", [TABLE_MOVES, PHASE_MOVES, ENTRANT_MOVES], ids=["table", "event", "entrant"])
def test_what_is_declared_is_allowed_and_nothing_else(moves: Mapping[Enum, frozenset[Enum]]) -> None:
    for before, after in product(moves, repeat=2):
        if after is before or after in moves[before]:
            check_move(moves, before, after)
        else:
            with pytest.raises(ForbiddenMoveError, match=f"from {before.value} to {after.value}"):
                check_move(moves, before, after)


def running() -> Scene:
    """An event with a hand in play."""
    scene = Scene()
    scene.begin(structure(), A, B, C)
    return scene
