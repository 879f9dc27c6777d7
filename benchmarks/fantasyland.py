"""Compare Fantasyland boards that are also set for row points with those that pay the most royalties.

Both are compared with boards that the networks make from the remaining cards, other than those used for choosing.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from typing_extensions import override

from benchmarks.coverage import computers_of, view_of
from benchmarks.rows import evaluator_of_game
from bot.base.solver_data import load_arrays
from bot.pure.ofc.cards import EMPTY, Card, full_deck
from bot.pure.ofc.placement import place
from bot.pure.ofc.variants import Variant
from bot.pure.solver.arrange import best_arrangement
from bot.pure.solver.boards import counts_of, mixed, single_board
from bot.pure.solver.evaluator import Evaluator, arranged, base_game, fantasyland_worth
from bot.pure.solver.fantasyland import set_board, stays_by_row
from bot.pure.solver.field import KnownOpponent
from bot.pure.solver.outcomes import FinalBoards, board_codes
from bot.pure.solver.row_tables import Floats, Ints
from study.boards import beside_fantasyland, codes, shuffled

MET = 64
"""Number of boards played from the remaining cards."""


def won_by_rows(variant: Variant, cards: int, seed: int, number: int) -> dict[str, float]:
    """Return the gain per opponent if a deal is also set for row points, and the time (ms) for each board."""
    evaluator = evaluator_of_game(variant)
    deck = list(full_deck(decks=variant.decks, jokers=variant.jokers))
    random.Random(f"fantasyland:{seed}:{cards}:{number}").shuffle(deck)
    held = tuple(deck[:cards])
    usual = evaluator.opponent_boards(0)
    assert usual
    began = time.thread_time()
    plain = best_arrangement(variant, held)
    between = time.thread_time()
    rows = set_board(evaluator.scorer, held, (usual,), staying=evaluator.staying(cards))
    ended = time.thread_time()
    gain = _gained(evaluator, held, rows, plain, _met(evaluator, held, number)) if plain != rows else 0.0
    plain_stays, stays = (100.0 * _stays(evaluator, _finals(evaluator, held, letters)) for letters in (plain, rows))
    return {
        "gain": gain,
        "other": float(plain != rows),
        "plain": between - began,
        "rows": ended - between,
        "plain_stays": plain_stays,
        "stays": stays,
    }


def _met(evaluator: Evaluator, held: tuple[Card, ...], number: int) -> KnownOpponent:
    """Return boards that the networks make from the remaining cards."""
    game = evaluator.variant
    unseen = counts_of(full_deck(decks=game.decks, jokers=game.jokers)) - counts_of(held)
    empty = single_board(EMPTY)
    some = np.zeros(MET, dtype=np.intp)
    boards = evaluator.played_out(empty.at(some), unseen[None][some], np.random.default_rng([number, MET]), after=0)
    return KnownOpponent(evaluator.scorer, evaluator.scorer.finals(board_codes(boards)))


def _gained(evaluator: Evaluator, held: tuple[Card, ...], letters: str, other: str, met: KnownOpponent) -> float:
    """Return the gain of one board over another with the same cards."""
    own, its = (_worth(evaluator, held, one, met) for one in (letters, other))
    return float((own - its).mean())


def _worth(evaluator: Evaluator, held: tuple[Card, ...], letters: str, met: KnownOpponent) -> Floats:
    finals = _finals(evaluator, held, letters)
    stay = _stays(evaluator, finals) * evaluator.staying(len(held))
    found: Floats = met.each(finals)[0] + finals.royalties[0] * finals.legal[0] + stay
    return found


def _finals(evaluator: Evaluator, held: tuple[Card, ...], letters: str) -> FinalBoards:
    rows, _ = place(EMPTY, held, letters)
    return evaluator.scorer.finals(board_codes(mixed([single_board(rows)])))


def _stays(evaluator: Evaluator, finals: FinalBoards) -> bool:
    """True if the board keeps its player in Fantasyland."""
    keeps = zip(stays_by_row(evaluator.scorer), finals.places, strict=True)
    return bool(finals.legal[0]) and any(bool(keep[place][0]) for keep, place in keeps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Solved:
    """The value of entering, and the probability of staying (0 to 1), by the number of cards."""

    worth: Mapping[int, float]
    stays: Mapping[int, float]

    @override
    def __str__(self) -> str:
        return ", ".join(f"{n} cards {worth:.2f} and stays in {self.stays[n]:.1%}" for n, worth in self.worth.items())


def worth_by(variant: Variant, deals: int) -> dict[str, Solved]:
    """Return the value of entering Fantasyland, by the way in which boards are set."""
    evaluator = evaluator_of_game(variant)
    met = evaluator.opponent_boards(0)
    assert met
    assert variant.fantasyland
    ways: dict[str, Callable[[Sequence[Card]], str]] = {
        "what they are paid": lambda held: best_arrangement(variant, held),
        "rows": lambda held: set_board(evaluator.scorer, held, (met,), staying=evaluator.staying(len(held))),
    }
    ordinary = np.asarray(_fitted(variant)["usual_parts"], np.float32)
    found = {}
    for name, way in ways.items():
        known = {cards: arranged(variant, cards, deals=deals, way=way) for cards in variant.fantasyland.numbers}
        worth = fantasyland_worth(variant, known, evaluator.usual, ordinary)
        found[name] = Solved(worth=worth, stays={cards: boards.stays for cards, boards in known.items()})
    return found


def decided_by_worth(variant: Variant, worth: Mapping[int, float], seed: int, number: int) -> dict[str, float]:
    """Return the effect of another value of entering on a master's decision.

    The decision comes before the exact streets. If the choices differ, the loss of the usual choice is included.
    """
    street = 1 + number % (len(variant.streets) - 2)
    view = view_of(variant, 2, street, random.Random(f"worth:{seed}:{number}"), number)
    usual = computers_of(variant).evaluate(view)
    other = computers_of(variant).evaluate(view, entering=worth)
    values = {one.letters: one.value for one in other}
    return {
        "street": street,
        "other": float(usual[0].letters != other[0].letters),
        "lost": other[0].value - values[usual[0].letters],
    }


def beside(variant: Variant, seed: int, number: int) -> dict[str, list[int]]:
    """Return a board that a master plays against a Fantasyland, as row codes."""
    board = beside_fantasyland(computers_of(variant), variant, shuffled(variant, f"beside:{seed}:{number}"))
    return {"codes": codes([board])[0].tolist()}


def won_by_sample(variant: Variant, boards: Ints, seed: int, deals: int) -> list[float]:
    """Return the gain of a Fantasyland set against masters' boards over one set against as many stored boards.

    ``boards`` are masters' boards as row codes. Every second one is used for judging.
    """
    evaluator = evaluator_of_game(variant)
    chosen, judging = (_known(evaluator, boards[one::2]) for one in (0, 1))
    kept = _known(evaluator, _fitted(variant)["boards_0"][: len(boards) : 2])
    assert variant.fantasyland
    cards = variant.fantasyland.numbers[0]
    found = []
    for number in range(deals):
        held = shuffled(variant, f"sample:{seed}:{number}")[:cards]
        by_masters, usual = (
            set_board(evaluator.scorer, held, (met,), staying=evaluator.staying(cards)) for met in (chosen, kept)
        )
        found.append(_gained(evaluator, held, by_masters, usual, judging) if by_masters != usual else 0.0)
    return found


def _known(evaluator: Evaluator, boards: Ints) -> KnownOpponent:
    front, middle, back = boards.T.astype(np.int32)
    return KnownOpponent(evaluator.scorer, evaluator.scorer.finals((front, middle, back)))


def _fitted(variant: Variant) -> Mapping[str, Any]:
    found = load_arrays(base_game(variant) or "")
    assert found
    return found
