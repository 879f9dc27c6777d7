"""Invariants after a crash: nothing acknowledged is lost, and the game continues to the same end."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bot.model.hands import HandState
from bot.model.refusals import Stale
from bot.model.tables import TableState
from bot.play.queries.views import SeatStack
from tests.crash.script import KEY, STEPS, bot, cause_of, take
from tests.databases import Dump
from tests.play.world import ANN, BOB, CLEO, World


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """A game as it ends when nothing disturbs it."""

    stored: tuple[Dump, ...]
    """Stored data after each step."""
    seen: list[object]
    """The players' views at the end."""


def stored(world: World) -> Dump:
    """Return the stored data, without deadlines that outages move and without the encrypted form of seeds."""
    dump = world.dump(clocks=False, but=("sealed_seed",))
    dump["timer"] = [row[:3] for row in dump["timer"]]
    return dump


async def seen(world: World) -> list[object]:
    """Return the views of all players, without clocks and fingerprints."""
    views = [await world.play.look(KEY, player) for player in (ANN, BOB, CLEO, None)]
    return [(view.hand, *map(_timeless, view.places), view.table.state, view.table.hand_no) for view in views]


def _timeless(place: SeatStack) -> SeatStack:
    return replace(place, seat=replace(place.seat, deadline=None, remind_at=None))


async def undisturbed(folder: Path) -> End:
    """Play the game from its beginning to its end."""
    world = bot(folder, first=0)
    await world.open()
    after, ahead = [], set[str]()
    for number in range(len(STEPS)):
        await take(world, number)
        after.append(stored(world))
        ahead |= {row[0] for row in world.ask("SELECT ahead FROM seat WHERE ahead IS NOT NULL")}
    assert len(ahead) == 1, "a street was confirmed before its turn"
    assert world.ask("SELECT COUNT(*) FROM table_log WHERE cause = ? AND kind = 'cards_laid'", *ahead) == [(1,)]
    states = [(await world.record(KEY, hand_no)).state for hand_no in (1, 2, 3)]
    assert states == [HandState.SETTLED, HandState.SETTLED, HandState.PLAYING]
    assert world.ask("SELECT COUNT(*) FROM table_log WHERE kind = 'fantasyland_set'") == [(1,)]
    assert world.ask("SELECT COUNT(*) FROM table_log WHERE payload LIKE '%clock%'") == [(1,)]
    assert len(world.ask("SELECT 1 FROM transfer WHERE kind = 'hand'")) == 2
    end = End(stored=tuple(after), seen=await seen(world))
    await world.close()
    return end


async def start_again(folder: Path, *, acknowledged: Sequence[int]) -> World:
    """Start the bot after a crash. Everything acknowledged must be there, and at most one press more."""
    world = bot(folder, first=len(acknowledged))
    await world.open()
    kept = _causes(world) | {row[0] for row in world.ask("SELECT ahead FROM seat WHERE ahead IS NOT NULL")}
    pressed = [number for number in acknowledged if STEPS[number].act is not None]
    assert kept >= {cause_of(number) for number in pressed}
    assert len(kept) <= len(pressed) + 1
    assert world.ask("PRAGMA integrity_check") == [("ok",)]
    world.check_books()
    return world


async def take_again(world: World, number: int) -> None:
    """Repeat the press that was in flight. It takes effect now unless it did before the crash."""
    done = cause_of(number) in _causes(world)
    try:
        await take(world, number)
    except Stale:
        assert done
    else:
        assert not done or STEPS[number].act is None
    world.check_books()


def _causes(world: World) -> set[str]:
    return {row[0] for row in world.ask("SELECT cause FROM table_log WHERE cause IS NOT NULL")}


async def go_on(world: World, *, first: int, end: End) -> None:
    """The game goes on from a step to its end, which is that of the game that was not disturbed."""
    for number in range(first, len(STEPS)):
        await take_again(world, number)
    assert (await world.play.look(KEY)).table.state is TableState.PLAYING
    assert stored(world) == end.stored[-1]
    assert await seen(world) == end.seen
    # The last commit's notifications reach the loop a moment later.
    await asyncio.sleep(0)
    await world.close()
