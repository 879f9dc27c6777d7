"""Puzzles: one at a time, rated once, forgotten by no one but their solver, and secret until they're answered."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields, replace
from itertools import product
from pathlib import Path

import pytest

from bot.base.installation import HOME
from bot.model.clock import DAY
from bot.model.ids import Player
from bot.model.puzzles import HARDEST, PuzzleName, Solver
from bot.model.reasons import TrainerReason
from bot.model.refusals import Stale
from bot.play.trainer import training
from bot.play.trainer.known_puzzles import games_with_puzzles, known_puzzles, puzzle_name, withdrawn_puzzles
from bot.play.trainer.views import AnswerView, NoPuzzleView, PuzzleView
from bot.pure.ofc.placement import check_placement
from bot.pure.ofc.presets import PINEAPPLE
from bot.pure.ofc.refusals import Refused
from bot.pure.trainer.puzzle import Puzzle
from bot.pure.trainer.themes import Theme
from tests.play.test_restore import findings
from tests.play.trainer.conftest import forget_files
from tests.play.world import ANN, BOB, CLEO, World


def puzzle_of(name: PuzzleName) -> Puzzle:
    return known_puzzles()[name]


def right(name: PuzzleName) -> str:
    return puzzle_of(name).best


def wrong(name: PuzzleName) -> str:
    """Return a placement that misses the puzzle, the cheapest of those that aren't shown among the best."""
    puzzle = puzzle_of(name)
    return min((letters for letters, cost in puzzle.costs.items() if cost), key=lambda one: (puzzle.costs[one], one))


async def given(world: World, player: Player = ANN) -> PuzzleView:
    view = await world.trainer.give(player)
    assert isinstance(view, PuzzleView)
    return view


async def solver_of(world: World, player: Player = ANN) -> Solver:
    return await world.sessions.read(lambda s: s.tx.puzzles.solver(player))


async def answered(world: World, player: Player = ANN, *, solves: bool) -> AnswerView:
    """Answer the puzzle that a player was given."""
    name = (await given(world, player)).name
    letters = right(name) if solves else wrong(name)
    return await world.trainer.answer(player, name, letters, cause=world.cause())


async def of_theme(world: World, theme: Theme, player: Player = ANN) -> None:
    await world.trainer.choose(player, lambda solver: replace(solver, theme=theme))


# giving


async def test_a_puzzle_stays_until_it_is_answered_also_over_a_restart(world: World) -> None:
    first = await given(world)
    await world.restart(after_ms=3 * DAY)
    assert await given(world) == first
    await answered(world, solves=True)
    assert (await given(world)).name != first.name


async def test_the_same_answers_lead_to_the_same_puzzles(tmp_path: Path) -> None:
    walks = []
    for run in range(2):
        world, names = World(tmp_path / str(run)), list[PuzzleName]()
        world.folder.mkdir()
        await world.open()
        for solves in (True, False, True):
            names.append((await given(world)).name)
            await answered(world, solves=solves)
        await world.close()
        walks.append(names)
    assert walks[0] == walks[1]
    assert len(set(walks[0])) == 3


async def test_the_first_puzzles_are_near_the_solver_and_easier_or_harder_ones_follow_their_wish(world: World) -> None:
    async def difficulty(harder: int) -> float:
        view = await world.trainer.aim(ANN, harder=harder, instead_of=(await given(world)).name)
        assert isinstance(view, PuzzleView)
        return view.difficulty.mean

    means = sorted(puzzle.difficulty.mean for puzzle in known_puzzles().values() if puzzle.variant == PINEAPPLE)
    nearest = sorted(abs(mean) for mean in means)[training.NEAREST]
    assert abs((await given(world)).difficulty.mean) <= nearest
    easy, hard = await difficulty(-HARDEST), await difficulty(HARDEST)
    assert easy < means[len(means) // 4]
    assert hard > means[3 * len(means) // 4]
    assert (await solver_of(world)).harder == HARDEST
    with suppress(Refused):
        assert await difficulty(99) > hard
    assert (await solver_of(world)).harder == HARDEST


@pytest.mark.parametrize(("step", "reason"), [(1, TrainerReason.NONE_HARDER), (-1, TrainerReason.NONE_EASIER)])
async def test_a_harder_or_easier_puzzle_is_so_until_none_is_left(
    world: World, step: int, reason: TrainerReason
) -> None:
    game = games_with_puzzles()[-1]
    await world.trainer.choose(ANN, lambda solver: replace(solver, games=(game,)))
    view, steps = await given(world), 0

    async def further() -> PuzzleView:
        harder = (await solver_of(world)).harder + step
        found = await world.trainer.aim(ANN, harder=harder, instead_of=view.name)
        assert isinstance(found, PuzzleView)
        return found

    left = {puzzle.difficulty.mean for puzzle in known_puzzles().values() if puzzle.variant.key == game}
    while any(step * (mean - view.difficulty.mean) > 0 for mean in left):
        found = await further()
        assert step * (found.difficulty.mean - view.difficulty.mean) > 0
        view, steps = found, steps + 1
    assert steps
    with pytest.raises(Refused) as refused:
        await further()
    assert refused.value.reason is reason
    assert (await given(world)).name == view.name, "a refusal changes nothing"


async def test_after_an_answer_a_harder_puzzle_is_harder_than_the_answered_one(world: World) -> None:
    missed = await answered(world, solves=False)
    found = await world.trainer.aim(ANN, harder=1, instead_of=missed.name)
    assert isinstance(found, PuzzleView)
    assert found.difficulty.mean > puzzle_of(missed.name).difficulty.mean


async def test_a_newcomers_first_puzzles_are_of_the_best_known_game(world: World) -> None:
    games = [(await answered(world, solves=number % 2 == 0)).variant for number in range(training.FIRST + 20)]
    assert set(games[: training.FIRST]) == {PINEAPPLE}
    assert len(set(games)) > 1
    game = games_with_puzzles()[-1]
    await world.trainer.choose(BOB, lambda solver: replace(solver, games=(game,)))
    view = await world.trainer.give(BOB)
    assert isinstance(view, PuzzleView)
    assert view.variant.key == game, "what they choose comes first"


async def test_harder_pressed_twice_is_one_step(world: World) -> None:
    name = (await given(world)).name
    first = await world.trainer.aim(ANN, harder=1, instead_of=name)
    assert isinstance(first, PuzzleView)
    assert first.name != name
    assert first.instead_of == puzzle_of(name).difficulty
    assert await world.trainer.aim(ANN, harder=1, instead_of=name) == replace(first, instead_of=None)


async def test_only_the_chosen_theme_and_games_are_given(world: World) -> None:
    for theme in {puzzle.theme for puzzle in known_puzzles().values()}:
        await of_theme(world, theme)
        assert puzzle_of((await given(world)).name).theme is theme
    game = games_with_puzzles()[-1]
    view = await world.trainer.choose(ANN, lambda solver: replace(solver, theme=None, games=(game,)))
    assert view.count == view.unmet == sum(puzzle.variant.key == game for puzzle in known_puzzles().values())
    assert (await given(world)).variant.key == game


async def test_when_all_are_answered_the_solver_learns_when_one_comes_back(world: World) -> None:
    theme = min(Theme, key=lambda one: sum(puzzle.theme is one for puzzle in known_puzzles().values()) or 999)
    await of_theme(world, theme)
    count = sum(puzzle.theme is theme for puzzle in known_puzzles().values())
    for number in range(count):
        await answered(world, solves=number > 0)
    view = await world.trainer.give(ANN)
    assert isinstance(view, NoPuzzleView)
    assert view.due_at == world.now + DAY
    assert isinstance(await world.trainer.aim(ANN, harder=1, instead_of=PuzzleName("")), NoPuzzleView)
    world.now += DAY
    assert (await given(world)).before is not None


# answering


@pytest.mark.parametrize("solves", [True, False])
async def test_an_answer_moves_the_solver_and_the_puzzle_in_opposite_directions(world: World, solves: bool) -> None:
    view = await given(world)
    answer = await answered(world, solves=solves)
    assert answer.attempt.solved is solves
    assert (answer.attempt.cost == 0) is solves
    sign = 1 if solves else -1
    assert sign * answer.attempt.moved > 0
    assert sign * (answer.difficulty.mean - view.difficulty.mean) < 0
    assert answer.of.solver.rating.mean == answer.attempt.moved
    assert answer.placements[0].letters == right(view.name)
    assert (answer.chosen == 0) is solves


async def test_the_cost_is_that_of_the_placement(world: World) -> None:
    name = (await given(world)).name
    letters = max(puzzle_of(name).costs, key=lambda one: (puzzle_of(name).costs[one], one))
    answer = await world.trainer.answer(ANN, name, letters, cause=world.cause())
    assert answer.attempt.cost == round(100 * puzzle_of(name).costs[letters])
    assert answer.chosen is None
    assert answer.shares == {letters: 1}


async def test_a_press_that_arrives_twice_counts_once(world: World) -> None:
    name, cause = (await given(world)).name, world.cause()
    answer = await world.trainer.answer(ANN, name, wrong(name), cause=cause)
    for again, letters in ((cause, wrong(name)), (world.cause(), right(name))):
        with pytest.raises(Stale):
            await world.trainer.answer(ANN, name, letters, cause=again)
    assert await world.trainer.look(ANN, name) == answer
    assert answer.people == 1


@pytest.mark.parametrize("letters", ["", "F", "DDD", "FFFF", "XMD", "F.D", "FMB"])
async def test_what_is_no_placement_is_refused_and_changes_nothing(world: World, letters: str) -> None:
    view = await given(world)
    assert letters not in puzzle_of(view.name).costs
    with pytest.raises(Refused):
        await world.trainer.answer(ANN, view.name, letters, cause=world.cause())
    assert await given(world) == view
    assert (await solver_of(world)).rating.hands == 0


async def test_what_others_chose_is_known_after_the_answer_as_numbers_only(world: World) -> None:
    name = (await given(world)).name
    for player, letters in ((BOB, right(name)), (CLEO, wrong(name))):
        await world.trainer.answer(player, name, letters, cause=world.cause())
    answer = await world.trainer.answer(ANN, name, right(name), cause=world.cause())
    assert answer.people == 3
    assert answer.shares == {right(name): 2, wrong(name): 1}
    assert BOB not in str(answer)
    assert CLEO not in str(answer)


async def test_a_view_before_the_answer_holds_no_part_of_the_solution(world: World) -> None:
    view = await given(world)
    known = {"name", "variant", "position", "difficulty", "before", "of", "instead_of"}
    assert {field.name for field in fields(view)} == known
    assert right(view.name) not in str(view).replace(str(view.variant), "")


# coming back


async def test_a_missed_puzzle_comes_back_says_when_it_was_missed_and_counts_no_second_time(world: World) -> None:
    missed = await answered(world, solves=False)
    assert missed.due_at == world.now + DAY
    assert (await given(world)).name != missed.name
    world.now += DAY
    await world.trainer.aim(ANN, harder=0, instead_of=(await given(world)).name)
    again = await given(world)
    assert again.name == missed.name
    assert again.before == missed.attempt
    solved = await answered(world, solves=True)
    assert not solved.attempt.rated
    assert solved.attempt.moved == 0
    assert solved.of.solver.rating == missed.of.solver.rating
    assert solved.people == 1
    assert solved.due_at is not None
    assert solved.due_at - world.now > DAY


async def test_a_solved_puzzle_does_not_come_back(world: World) -> None:
    solved = await answered(world, solves=True)
    assert solved.due_at is None
    assert solved.name not in {(await given(world)).name}


async def test_a_puzzle_put_off_comes_back_tomorrow_and_another_is_given(world: World) -> None:
    first = await given(world)
    other = await world.trainer.put_aside(ANN, first.name)
    assert isinstance(other, PuzzleView)
    assert other.name != first.name
    assert await world.trainer.put_aside(ANN, first.name) == other, "pressed twice"
    world.now += DAY
    assert (await answered(world, solves=True)).name == other.name
    back = await given(world)
    assert (back.name, back.before) == (first.name, None)
    assert (await answered(world, solves=True)).attempt.rated, "it's their first attempt"


async def test_a_solved_puzzle_can_be_put_off_too(world: World) -> None:
    solved = await answered(world, solves=True)
    await world.trainer.put_aside(ANN, solved.name)
    world.now += DAY
    await answered(world, solves=True)
    assert (await given(world)).name == solved.name


# withdrawing


async def test_a_withdrawn_puzzle_is_forgiven_and_given_no_more(world: World) -> None:
    name = (await given(world)).name
    missed = await answered(world, solves=False)
    bob = await world.trainer.answer(BOB, name, right(name), cause=world.cause())
    await world.trainer.put_aside(CLEO, name)
    await world.sessions.write(lambda s: training.withdraw(s, name))
    await world.sessions.write(lambda s: training.withdraw(s, name))
    assert missed.attempt.moved < 0
    assert (await solver_of(world)).rating.mean == 0
    assert (await solver_of(world, BOB)).rating == bob.of.solver.rating, "what was right stays right"
    (attempt,) = await world.sessions.read(lambda s: s.tx.puzzles.attempts(ANN, name))
    assert attempt == replace(missed.attempt, forgiven=True)
    for player in (ANN, CLEO):
        assert await world.sessions.read(lambda s, player=player: s.tx.puzzles.repetitions(player)) == []  # type: ignore[misc]
    for act in (
        world.trainer.look(ANN, name),
        world.trainer.put_aside(ANN, name),
        world.trainer.answer(CLEO, name, right(name), cause=world.cause()),
    ):
        with pytest.raises(Refused) as refused:
            await act
        assert refused.value.reason is TrainerReason.PUZZLE_WITHDRAWN
    with pytest.raises(Refused) as refused:
        await world.trainer.look(ANN, PuzzleName("0123456789ab"))
    assert refused.value.reason is TrainerReason.NO_PUZZLE


async def test_a_release_withdraws_a_puzzle_in_its_file(world: World, renewed_files: Path) -> None:
    missed = await answered(world, solves=False)
    file = renewed_files / f"{missed.variant.key}.jsonl"
    lines = file.read_text("utf-8").splitlines()
    position = f'"position":"{missed.position}"'
    lines = [line[:-1] + ',"withdrawn":true}' if position in line else line for line in lines]
    file.write_text("\n".join(lines), "utf-8")
    forget_files()
    await world.restart()
    assert (await given(world)).name != missed.name
    assert (await solver_of(world)).rating.mean == 0
    with pytest.raises(Refused):
        await world.trainer.look(ANN, missed.name)


async def test_a_puzzle_withdrawn_while_it_is_shown_is_replaced(world: World) -> None:
    await answered(world, BOB, solves=False)
    name = (await given(world)).name
    await world.trainer.answer(CLEO, name, right(name), cause=world.cause())
    await world.sessions.write(lambda s: training.withdraw(s, name))
    assert (await given(world)).name != name


# the whole


@pytest.mark.parametrize("seed", range(3))
async def test_whatever_solvers_do_the_books_are_in_order(world: World, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(25):
        player = chance.choice([ANN, BOB, CLEO])
        view = await world.trainer.give(player)
        assert isinstance(view, PuzzleView)
        match chance.choice(["right", "wrong", "later", "aim", "day", "withdraw", "delete"]):
            case "right" | "wrong" as how:
                await answered(world, player, solves=how == "right")
            case "later":
                await world.trainer.put_aside(player, view.name)
            case "aim":
                with suppress(Refused):
                    await world.trainer.aim(player, harder=chance.randint(-5, 5), instead_of=view.name)
            case "day":
                world.now += chance.randint(1, 9) * DAY
            case "withdraw":
                await world.sessions.write(lambda s, name=view.name: training.withdraw(s, name))  # type: ignore[misc]
            case "delete" if chance.random() < 0.3:
                await world.privacy.delete(player)
    await world.settle()
    assert findings(world) == []


async def test_everything_is_exported_and_deleted(world: World) -> None:
    missed = await answered(world, solves=False)
    first = await given(world)
    await world.trainer.choose(ANN, lambda solver: replace(solver, games=(first.variant.key,)))
    told = (await world.privacy.kept_about(ANN)).everywhere
    (solver,), (attempt,), (repetition,) = (
        told[kind] for kind in ("puzzle_solver", "puzzle_attempts", "puzzles_to_repeat")
    )
    assert (solver["shown"], solver["tries"], solver["games"]) == (first.name, 1, f'["{first.variant.key}"]')
    assert (attempt["letters"], attempt["puzzle"]) == (missed.attempt.letters, missed.name)
    assert (repetition["puzzle"], repetition["due_at"]) == (missed.name, missed.due_at)
    await world.privacy.delete(ANN)
    told = (await world.privacy.kept_about(ANN)).everywhere
    assert not any(told.get(kind) for kind in ("puzzle_solver", "puzzle_attempts", "puzzles_to_repeat"))
    assert await solver_of(world) == Solver()
    counted = await world.sessions.read(lambda s: s.tx.puzzles.choices(missed.name))
    assert counted == {missed.attempt.letters: 1}, "only a number is left"


def test_names_are_digests_that_later_releases_find_again() -> None:
    for name, puzzle in known_puzzles().items():
        assert name == puzzle_name(puzzle.variant.key, str(puzzle.position))
    assert len({name[:12] for name in known_puzzles()}) == len(known_puzzles())


async def test_an_answer_that_is_bound_to_foul_is_called_so(world: World) -> None:
    def fouling(puzzle: Puzzle) -> Iterator[str]:
        position = puzzle.position
        to_place = puzzle.variant.streets[position.street(puzzle.variant) - 1].to_place
        for letters in map("".join, product("FMBD", repeat=len(position.held))):
            with suppress(Refused):
                check_placement(position.rows, position.held, letters, to_place=to_place)
                if training.bound_to_foul(puzzle, letters):
                    yield letters

    name, letters = next(
        (name, letters)
        for name, puzzle in known_puzzles().items()
        if len(puzzle.position.held) == 3
        for letters in fouling(puzzle)
    )
    view = await world.trainer.answer(ANN, name, letters, cause="fouls")
    assert view.fouls
    assert not view.attempt.solved
    assert view.attempt.cost == max(round(100 * cost) for cost in puzzle_of(name).costs.values())
    assert not (await answered(world, BOB, solves=True)).fouls


def test_every_placement_of_every_puzzle_has_a_cost() -> None:
    for puzzle in known_puzzles().values():
        assert puzzle.costs[puzzle.best] == 0
        assert min(cost for letters, cost in puzzle.costs.items() if letters != puzzle.best) > 0
        shown = {placement.letters for placement in puzzle.placements}
        assert shown <= puzzle.costs.keys()


def test_the_document_says_how_many_puzzles_a_deeper_search_has_overturned() -> None:
    told = f"**{len(withdrawn_puzzles())} of {len(known_puzzles())}** puzzles"
    assert told in (HOME / "docs/solver.md").read_text(encoding="utf-8")
