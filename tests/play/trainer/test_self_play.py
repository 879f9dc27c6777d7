"""Puzzles from hands between computer players: only while a solver has few left, and never more than are needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typing_extensions import override

from bot.base.solver_data import load_arrays
from bot.model.clock import DAY
from bot.model.errors import ComputationFailedError
from bot.model.ids import GuildId, Player
from bot.model.limits import FEW_PUZZLES, KEPT_FOR_HANDS
from bot.model.puzzles import PuzzleName
from bot.play.session.workers import MAX_COMPUTATION_SECONDS, Job, Priority, T
from bot.play.trainer import finding, found_puzzles, judging, shortage, training
from bot.play.trainer.finding import HANDS, OF_ALL, Finding
from bot.play.trainer.judging import LOOK_AGAIN_MS
from bot.play.trainer.known_puzzles import games_with_puzzles, known_puzzles
from bot.play.trainer.views import PuzzleView
from bot.pure.ofc.presets import PINEAPPLE, PRESETS
from bot.pure.ofc.view import HandView
from bot.pure.solver.levels import Computers
from bot.pure.trainer.anonymous import anonymous
from bot.pure.trainer.puzzle import ERRORS, GAP, Puzzle
from bot.pure.trainer.self_play import REDEALS, SEATS, STAGES, sampled_views, seeded_views
from bot.pure.trainer.themes import Theme
from bot.pure.trainer.verification import keeps_best, part, parts_of
from bot.workers.worker_pool import WorkerPool
from tests.crash.script import SameVault
from tests.play.test_restore import findings
from tests.play.trainer.short import GAME, becomes_short, named
from tests.play.trainer.test_hand_puzzles import candidates, closed, found, played
from tests.play.world import ANN, BOB, CLEO, DAN, FixedVault, World
from tests.quickly_found import quickly_found, quickly_played
from tests.quickly_judged import quickly_judged


class CountedPool(WorkerPool):
    """Workers that count their jobs, and can fail."""

    def __init__(self) -> None:
        super().__init__()
        self.jobs: list[tuple[GuildId, Priority]] = []
        self.fails = False

    @override
    async def think(
        self,
        job: Job[T],
        *,
        guild: GuildId,
        quickly: Job[T] | None = None,
        urgency: Priority = Priority.TABLE,
        seconds: float = MAX_COMPUTATION_SECONDS,
        game: str = "",
    ) -> T:
        self.jobs.append((guild, urgency))
        if self.fails:
            raise ComputationFailedError
        return await super().think(job, guild=guild, urgency=urgency, seconds=seconds)


def _everywhere(_: GuildId) -> bool:
    return True


def finding_with(world: World, pool: CountedPool, serves: Callable[[GuildId], bool] = _everywhere) -> Finding:
    """Return what finds puzzles, ready for hands between computer players."""
    one = Finding(world.sessions, pool, serves=serves)
    one.look_again()
    return one


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "judged", quickly_judged)
    monkeypatch.setattr(finding, "seeded_views", quickly_played)
    monkeypatch.setattr(Finding, "search", quickly_found)


async def made(world: World) -> dict[PuzzleName, Puzzle]:
    """Wait until nothing is left to do, as after a while without presses; returns all puzzles found so far."""
    world.now += LOOK_AGAIN_MS
    await world.mistakes.done()
    return await found(world)


async def left(world: World, player: Player = CLEO) -> int:
    """Return how many puzzles a player hasn't met."""
    return (await world.trainer.choices(player)).unmet


# who has few left


async def test_nothing_is_computed_while_everyone_has_enough(world: World, quick: None) -> None:
    pool = CountedPool()
    await becomes_short(world, left=FEW_PUZZLES)
    assert not await finding_with(world, pool).step()
    assert (pool.jobs, await made(world)) == ([], {})


async def test_a_solver_with_few_left_gets_as_many_as_are_enough(world: World, quick: None) -> None:
    await becomes_short(world, left=FEW_PUZZLES - 3)
    puzzles = await made(world)
    assert {puzzle.game for puzzle in puzzles.values()} == {GAME}
    assert (len(puzzles), await left(world)) == (3, FEW_PUZZLES)
    assert all(puzzle.position == anonymous(puzzle.position) for puzzle in puzzles.values())
    assert await made(world) == puzzles
    for name in named(GAME)[-FEW_PUZZLES + 3 :]:
        await world.trainer.answer(CLEO, name, known_puzzles()[name].best, cause=world.cause())
    given = await world.trainer.give(CLEO)
    assert isinstance(given, PuzzleView)
    assert given.name in puzzles
    assert findings(world) == []


async def test_only_so_many_hands_are_played_in_a_row(world: World, quick: None) -> None:
    for player in (CLEO, DAN):
        await becomes_short(world, player, left=0)
    assert HANDS >= FEW_PUZZLES
    pool = CountedPool()
    one = finding_with(world, pool)
    assert await one.step()
    assert pool.jobs == [(OF_ALL, Priority.IDLE)], "the step gives way after each hand"
    assert len(await found(world)) == 1
    while await one.step():
        pass
    assert (len(pool.jobs), len(await found(world))) == (FEW_PUZZLES, FEW_PUZZLES)


async def test_a_hand_without_a_puzzle_ends_nothing_but_itself(
    world: World, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def barren(finding: Finding, view: HandView, guild: GuildId) -> None:
        return None

    await becomes_short(world, left=0)
    pool = CountedPool()
    one = finding_with(world, pool)
    monkeypatch.setattr(Finding, "search", barren)
    while await one.step():
        pass
    assert len(pool.jobs) == HANDS
    assert not await one.step(), "it waits for the next look"
    one.look_again()
    assert await one.step()


async def test_without_a_choice_of_games_the_rarest_is_made(
    world: World, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = named(PINEAPPLE.key)[0]
    await world.trainer.answer(CLEO, name, known_puzzles()[name].best, cause=world.cause())
    assert await made(world) == {}
    monkeypatch.setattr(shortage, "FEW_PUZZLES", len(known_puzzles()) + 2)
    puzzles = await made(world)
    assert [puzzle.game for puzzle in puzzles.values()] == [GAME] * 3
    monkeypatch.setattr(shortage, "FEW_PUZZLES", len(known_puzzles()))
    await becomes_short(world, DAN, left=0, game="turbo")
    assert {puzzle.game for puzzle in (await made(world)).values()} == {GAME, "turbo"}


async def test_the_latest_solver_comes_first(world: World, quick: None) -> None:
    for player, game in ((CLEO, GAME), (DAN, "turbo"), (BOB, "two_seven")):
        world.now += 1
        await becomes_short(world, player, left=FEW_PUZZLES - 1, game=game)
    one, games = finding_with(world, CountedPool()), []
    while await one.step():
        games += [puzzle.game for puzzle in (await found(world)).values() if puzzle.game not in games]
    assert games == ["two_seven", "turbo", GAME]


async def test_a_theme_makes_no_one_short(world: World, quick: None) -> None:
    await becomes_short(world, left=FEW_PUZZLES)
    await world.trainer.choose(CLEO, lambda solver: replace(solver, theme=Theme.LAST_CARD))
    assert await left(world) < FEW_PUZZLES
    assert await made(world) == {}


async def test_a_puzzle_that_comes_back_tomorrow_is_still_left(world: World, quick: None) -> None:
    await becomes_short(world, left=FEW_PUZZLES)
    await world.trainer.put_aside(CLEO, named(GAME)[-1])
    assert await left(world) == FEW_PUZZLES - 1
    assert await made(world) == {}


async def test_a_withdrawn_puzzle_is_not_left(world: World, quick: None) -> None:
    await becomes_short(world, left=FEW_PUZZLES)
    name = named(GAME)[-1]
    await world.sessions.write(lambda s: training.withdraw(s, name))
    assert len(await made(world)) == 1


async def test_nothing_is_made_for_who_has_left(world: World, quick: None) -> None:
    await becomes_short(world, left=0)
    world.now += 31 * DAY
    assert await made(world) == {}


async def test_nothing_is_made_for_who_was_deleted(world: World, quick: None) -> None:
    await becomes_short(world, left=0)
    await world.privacy.delete(CLEO)
    assert await made(world) == {}


# limits and faults


async def test_the_last_places_are_for_finished_hands(
    world: World, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(found_puzzles, "MAX_FOUND_PUZZLES", KEPT_FOR_HANDS + 2)
    await becomes_short(world, left=0)
    assert len(await made(world)) == 2
    await closed(world, await played(world))
    assert len(await found(world)) == 3
    monkeypatch.setattr(found_puzzles, "MAX_FOUND_PUZZLES", 3)
    assert len(await made(world)) == 3


async def test_room_that_is_gone_by_the_end_of_the_search_stays_gone(
    world: World, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def searched(finding: Finding, view: HandView, guild: GuildId) -> Puzzle:
        monkeypatch.setattr(found_puzzles, "MAX_FOUND_PUZZLES", KEPT_FOR_HANDS)
        return await quickly_found(finding, view, guild)

    monkeypatch.setattr(Finding, "search", searched)
    await becomes_short(world, left=0)
    assert await made(world) == {}


async def test_finished_hands_come_first(world: World, quick: None) -> None:
    key = await played(world)
    await becomes_short(world, left=0)
    await world.play.close(key, reason="by_manager")
    assert candidates(world) == 1
    one = finding_with(world, CountedPool())
    assert await one.step()
    assert (candidates(world), [puzzle.game for puzzle in (await found(world)).values()]) == (0, [PINEAPPLE.key])
    assert await one.step()
    assert {puzzle.game for puzzle in (await found(world)).values()} == {PINEAPPLE.key, GAME}


async def test_only_the_process_that_serves_all_plays(world: World, quick: None) -> None:
    await becomes_short(world, left=0)
    pool = CountedPool()
    assert not await finding_with(world, pool, serves=lambda guild: guild != OF_ALL).step()
    assert (pool.jobs, await found(world)) == ([], {})


async def test_a_hand_that_no_worker_can_play_is_not_tried_again_at_once(world: World, quick: None) -> None:
    await becomes_short(world, left=0)
    pool = CountedPool()
    pool.fails = True
    one = finding_with(world, pool)
    assert not await one.step()
    assert not await one.step()
    assert len(pool.jobs) == 1
    pool.fails = False
    one.look_again()
    assert await one.step()
    assert len(await found(world)) == 1


async def test_it_goes_on_after_a_restart(tmp_path: Path, quick: None) -> None:
    world = World(tmp_path, fixed=FixedVault([b"k" * 32]))
    await world.open()
    await becomes_short(world, left=FEW_PUZZLES - 1)
    first = await made(world)
    await world.restart()
    assert await made(world) == first
    await becomes_short(world, BOB, left=FEW_PUZZLES - 3)
    assert len(await made(world)) == 3
    await world.close()


async def test_a_position_is_stored_once(tmp_path: Path, quick: None) -> None:
    world = World(tmp_path, fixed=SameVault([b"k" * 32]))
    await world.open()
    await becomes_short(world, left=0)
    assert len(await made(world)) == 1
    await world.close()


async def test_each_hand_has_a_new_seed(world: World) -> None:
    await becomes_short(world, left=0)
    hands = [await world.sessions.read(shortage.next_hand) for _ in range(5)]
    assert {hand.variant for hand in hands if hand is not None} == {PRESETS[GAME]}
    assert len({hand.seed for hand in hands if hand is not None}) == 5


# the hands themselves


async def test_a_made_puzzle_passes_the_tests_of_the_others(tmp_path: Path) -> None:
    world = World(tmp_path, fixed=FixedVault([b"k" * 32]))
    await world.open()
    await becomes_short(world, left=FEW_PUZZLES - 1)
    ((name, puzzle),) = (await made(world)).items()
    assert name not in known_puzzles()
    assert puzzle.gap >= max(GAP, ERRORS * puzzle.error)
    computers = Computers(load_arrays)
    assert keeps_best([part(computers, puzzle, number) for number in range(parts_of(puzzle))])
    assert await left(world, ANN) == len(known_puzzles()) + 1
    await world.close()


@pytest.mark.parametrize("game", games_with_puzzles())
def test_a_seed_decides_all_of_a_hand(game: str) -> None:
    computers, variant = Computers(load_arrays), PRESETS[game]
    one, again, other = (seeded_views(computers, variant, bytes([number] * 32)) for number in (1, 1, 2))
    assert one == again
    assert one[0] != other[0]


def test_hands_in_a_row_have_all_stages_and_numbers_of_players() -> None:
    computers, seen = Computers(load_arrays), set()
    for number in range(len(STAGES) * len(SEATS)):
        views = sampled_views(computers, PINEAPPLE, np.random.default_rng([1, number]), number=number)
        assert len(views) == (1 + REDEALS if views[0].street == len(PINEAPPLE.streets) else 1)
        seen.add((views[0].street, len(views[0].seats)))
    assert seen == {(street, seats) for street in range(1, 6) for seats in set(SEATS)}
