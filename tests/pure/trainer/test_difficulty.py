"""Difficulty: equals solve half, and solvers of known skill are put in order."""

from __future__ import annotations

import random
from statistics import correlation

import pytest

from bot.pure.rating.model import Rating
from bot.pure.trainer.difficulty import SCALE, attempted, chance, estimated

SOLVERS, PUZZLES, TRIES = 30, 300, 60


def test_equals_solve_half_whatever_is_known_about_them() -> None:
    for mean in (-2.0, 0.0, 1.5):
        for deviation in (0.1, 1.5):
            assert chance(Rating(mean=mean, deviation=deviation), Rating(mean=mean)) == 0.5


def test_the_better_solver_and_the_easier_puzzle_have_the_better_chance() -> None:
    sure = [Rating(mean=mean, deviation=0.1) for mean in (-1, 0, 1)]
    chances = [[chance(solver, puzzle) for puzzle in sure] for solver in sure]
    assert all(row == sorted(row, reverse=True) for row in chances)
    assert all(list(column) == sorted(column) for column in zip(*chances, strict=True))
    assert chance(Rating(mean=1, deviation=1.5), sure[1]) < chances[2][1]


@pytest.mark.parametrize("solved", [True, False])
def test_an_attempt_moves_both_apart_and_makes_them_surer(*, solved: bool) -> None:
    solver, puzzle = Rating(mean=0.3), Rating(mean=-0.2, deviation=0.8)
    after, rated = attempted(solver, puzzle, solved=solved)
    assert (after.mean > solver.mean) == solved
    assert (rated.mean < puzzle.mean) == solved
    assert after.deviation < solver.deviation
    assert rated.deviation < puzzle.deviation
    # The one who's less known moves further.
    assert abs(after.mean - solver.mean) > abs(rated.mean - puzzle.mean)


def test_a_surprise_moves_more_than_what_was_expected() -> None:
    strong, easy = Rating(mean=2, deviation=0.5), Rating(mean=-2, deviation=0.5)
    expected, surprise = (attempted(strong, easy, solved=solved)[0].mean - 2 for solved in (True, False))
    assert 0 <= expected < 0.05
    assert surprise < -0.2


def test_even_the_most_improbable_attempt_has_a_number() -> None:
    after, rated = attempted(Rating(mean=-50, deviation=0.1), Rating(mean=50, deviation=0.1), solved=True)
    assert -50 < after.mean < 0
    assert 0 < rated.mean < 50


def test_solvers_of_known_skill_are_put_in_order_after_sixty_puzzles() -> None:
    for seed in range(3):
        skills, ratings = _solved(random.Random(seed))
        assert _spearman(skills, [rating.mean for rating in ratings]) >= 0.9
        within = [abs(rating.mean - skill) <= rating.off for skill, rating in zip(skills, ratings, strict=True)]
        assert sum(within) >= 0.8 * SOLVERS


def _solved(chance: random.Random) -> tuple[list[float], list[Rating]]:
    """Let solvers of known skill try puzzles near their rating, and return their skills and ratings."""
    skills = [chance.gauss(0, 1.5) for _ in range(SOLVERS)]
    puzzles = [Rating(mean=chance.gauss(0, 1.1), deviation=0.6) for _ in range(PUZZLES)]
    truth = [chance.gauss(puzzle.mean, puzzle.deviation) for puzzle in puzzles]
    ratings = [Rating() for _ in skills]
    left = [set(range(PUZZLES)) for _ in skills]
    for _ in range(TRIES):
        for number, skill in enumerate(skills):
            offered = chance.sample(sorted(left[number]), 10)
            puzzle = min(offered, key=lambda one: abs(puzzles[one].mean - ratings[number].mean))
            left[number].remove(puzzle)
            solved = chance.gauss(skill - truth[puzzle], SCALE) > 0
            ratings[number], puzzles[puzzle] = attempted(ratings[number], puzzles[puzzle], solved=solved)
    return skills, ratings


def _spearman(one: list[float], other: list[float]) -> float:
    return correlation(_ranks(one), _ranks(other))


def _ranks(values: list[float]) -> list[float]:
    return [float(sorted(values).index(value)) for value in values]


def test_computer_players_of_known_skill_say_how_hard_a_puzzle_is() -> None:
    weak, strong = Rating(mean=-1, deviation=0), Rating(mean=0.5, deviation=0)
    hard, middling, easy = (
        estimated([(weak, first)] * 12 + [(strong, second)] * 6, Rating(deviation=1.0))
        for first, second in ((False, False), (False, True), (True, True))
    )
    assert hard.mean > 0.5 > middling.mean > -1 > easy.mean
    assert hard.deviation < 1
