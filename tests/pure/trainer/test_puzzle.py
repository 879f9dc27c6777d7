"""Puzzles: one clear answer, a reason, a difficulty, and the same line of JSON whenever they're looked for."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bot.base.puzzle_files import puzzle_lines
from bot.base.solver_data import load_arrays
from bot.pure.ofc.presets import CLASSIC, PINEAPPLE, PRESETS
from bot.pure.ofc.view import unseen
from bot.pure.solver.comparison import ExpectedResults
from bot.pure.solver.levels import Computers
from bot.pure.trainer.position import parse_position, position_in, view_of
from bot.pure.trainer.puzzle import ERRORS, GAP, SHOWN, Puzzle, puzzle_at, same_board
from bot.pure.trainer.records import parse_puzzle, puzzle_line
from bot.pure.trainer.self_play import redealt, sampled_view
from bot.pure.trainer.themes import Theme, theme_of

COMPUTERS = Computers(load_arrays)
SHIPPED = [(game, line) for game in PRESETS for line in puzzle_lines(game)]
PER_GAME = 25


def parsed(line: str) -> Puzzle:
    return parse_puzzle(line, PRESETS.__getitem__)


def test_five_hundred_puzzles_of_eight_games_are_shipped_and_none_twice() -> None:
    assert len(SHIPPED) == 500
    puzzles = [parsed(line) for _, line in SHIPPED]
    counts = {game: sum(puzzle.variant.key == game for puzzle in puzzles) for game in {game for game, _ in SHIPPED}}
    assert len(counts) == 8
    assert min(counts.values()) >= PER_GAME
    assert len({(puzzle.variant.key, str(puzzle.position)) for puzzle in puzzles}) == 500
    assert {puzzle.theme for puzzle in puzzles} == set(Theme)
    assert {puzzle.position.street(puzzle.variant) for puzzle in puzzles} >= {1, 2, 3, 4, 5}


@pytest.mark.parametrize("game", sorted({game for game, _ in SHIPPED}))
def test_a_shipped_puzzle_has_one_clear_answer_and_all_that_its_answer_shows(game: str) -> None:
    puzzles = [parsed(line) for line in puzzle_lines(game)]
    assert len(puzzles) >= PER_GAME
    for puzzle in puzzles:
        assert puzzle.gap >= GAP
        assert puzzle.gap >= ERRORS * puzzle.error - 0.02, "both are rounded"
        assert 2 <= len(puzzle.placements) <= SHOWN
        assert puzzle.costs[puzzle.best] == 0
        others = {letters: cost for letters, cost in puzzle.costs.items() if letters != puzzle.best}
        assert min(others.values()) >= GAP
        assert not any(same_board(puzzle.position, puzzle.best, letters) for letters in others)
        values = [placement.value for placement in puzzle.placements]
        assert values == sorted(values, reverse=True)
        assert all(len(letters) == len(puzzle.position.held) for letters in puzzle.costs)
        assert parsed(puzzle_line(puzzle)) == puzzle


def test_the_cards_of_a_shipped_puzzle_are_dealt_once() -> None:
    for game, line in SHIPPED:
        view = view_of(parsed(line).position, PRESETS[game])
        assert unseen(view), game  # raises ValueError if a card is there too often


@pytest.mark.parametrize(("street", "seed"), [(1, 6), (5, 9)])
def test_the_same_hand_makes_the_same_puzzle(street: int, seed: int) -> None:
    first, again = (_looked_for(street, seed=seed) for _ in range(2))
    assert first == again
    assert any(line is not None for line in first)


def _looked_for(street: int, *, seed: int) -> list[str | None]:
    chance = np.random.default_rng([seed, street])
    view = sampled_view(COMPUTERS, PINEAPPLE, chance, seats=2, street=street)
    views = [view] if street == 1 else [redealt(view, chance) for _ in range(40)]
    found = [puzzle_at(COMPUTERS, one) for one in views]
    return [None if puzzle is None else puzzle_line(puzzle) for puzzle in found]


def test_another_deal_uses_only_cards_that_its_player_has_not_seen() -> None:
    chance = np.random.default_rng(5)
    view = sampled_view(COMPUTERS, PINEAPPLE, chance, seats=3, street=5)
    before = position_in(view)
    dealt = {position_in(redealt(view, chance)).held for _ in range(30)}
    assert len(dealt) > 25
    hidden = {*unseen(view), *before.held}
    assert all(set(held) <= hidden and len(held) == len(before.held) for held in dealt)


def test_a_board_set_at_once_and_a_game_without_values_make_no_puzzle() -> None:
    fantasyland = view_of(parse_position("@14 +KcKhKsQdJd9h9s8d2s3c4c5c8cTd vs //", PINEAPPLE), PINEAPPLE)
    assert puzzle_at(COMPUTERS, fantasyland) is None


POSITION = parse_position("Kd/7c7d/AsKs +QhQs2c vs Ah/9c9d/JsTs", PINEAPPLE)
EVEN = ExpectedResults(foul=0.3, fantasyland=0.2, royalties=3.0)


@pytest.mark.parametrize(
    ("best", "right", "second", "worse", "alone", "theme"),
    [
        ("DBM", EVEN, "MBD", EVEN, "MBD", Theme.LIVE_OUTS),
        ("DBM", EVEN, "MBD", ExpectedResults(foul=0.3, fantasyland=0.1, royalties=3.0), "DBM", Theme.FANTASYLAND),
        ("DBM", EVEN, "MBD", ExpectedResults(foul=0.4, fantasyland=0.2, royalties=3.0), "DBM", Theme.FOUL_RISK),
        ("FFD", EVEN, "MBD", EVEN, "FFD", Theme.FRONT_PAIR),
        ("DBM", EVEN, "MBD", EVEN, "DBM", Theme.DISCARD),
        ("DBM", EVEN, "DFM", EVEN, "DBM", Theme.DRAW),
    ],
)
def test_the_theme_is_what_tells_the_best_from_the_next_one(
    best: str, right: ExpectedResults, second: str, worse: ExpectedResults, alone: str, theme: Theme
) -> None:
    assert theme_of(POSITION, PINEAPPLE, (best, right), (second, worse), alone=alone) is theme


def test_the_theme_of_the_last_street_is_the_last_card() -> None:
    position = parse_position("Kd2c/7c7d8h8s2d/AsKsQsJs3s +9h", CLASSIC)
    assert position.street(CLASSIC) == len(CLASSIC.streets)
    assert theme_of(position, CLASSIC, ("F", EVEN), ("F", EVEN), alone="M") is Theme.LAST_CARD


def test_what_is_no_puzzle_is_refused() -> None:
    line = json.loads(puzzle_lines("pineapple")[0])
    for key in ("game", "position", "placements", "theme", "difficulty"):
        broken = {name: value for name, value in line.items() if name != key}
        with pytest.raises(ValueError, match="is no puzzle"):
            parsed(json.dumps(broken))
    with pytest.raises(ValueError, match="is not a valid Theme"):
        parsed(json.dumps({**line, "theme": "luck"}))
