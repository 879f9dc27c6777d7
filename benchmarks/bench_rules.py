"""Compare the speed of the rules with other evaluators. This isn't part of the tests.

    python -m pip install --editable ".[dev,bench]"
    python -m pytest benchmarks/bench_rules.py --benchmark-timer=time.thread_time --benchmark-columns=min,median

Every round processes a fixed list of hands on one core. Times are the thread's CPU time. The final table has the rates
of the best rounds, and their ratio to the first in the group. On a busy machine, the ratios within a run mean more than
the rates. Each library's cards are created before the clock starts.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import treys
from phevaluator import evaluate_cards

from benchmarks.conftest import RATES, Rates
from bot.pure.ofc.cards import NAMES, Card, full_deck
from bot.pure.ofc.placement import preview
from bot.pure.ofc.presets import CLASSIC, DOUBLE_CLASSIC, JOKER_PINEAPPLE, THIRTEEN, TWO_SEVEN_PINEAPPLE
from bot.pure.ofc.ranks import five_card_strength, three_card_strength
from bot.pure.ofc.scoring import Board, score_hand
from bot.pure.ofc.settlement import Stakes, settle
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.wild import _with_jokers
from tests.pure.ofc.games import any_board, score_board

with warnings.catch_warnings():
    # eval7 uses deprecated names of pyparsing.
    warnings.simplefilter("ignore")
    import eval7

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 15
HANDS = 20_000
"""Five-card hands per round."""
TABLES = 2_000
"""Hands with several players per round."""


@pytest.fixture
def rates(request: pytest.FixtureRequest) -> Rates:
    """Return the store for the rates of all benchmarks."""
    return request.config.stash.setdefault(RATES, {})


@pytest.fixture
def measure(benchmark: Any, rates: Rates) -> Callable[..., None]:
    """Return ``measure(group, name, call, items)``, which times ``call`` for each item."""

    def run(
        group: str,
        name: str,
        call: Callable[[Any], object],
        items: Sequence[Any],
        before: Callable[[], None] | None = None,
    ) -> None:
        def work() -> None:
            for item in items:
                call(item)

        benchmark.group = group
        benchmark.pedantic(work, setup=before, rounds=ROUNDS, iterations=1, warmup_rounds=0 if before else 1)
        rates.setdefault(group, {})[name] = len(items) / benchmark.stats["min"]

    return run


def deal(size: int) -> list[list[int]]:
    """Return random hands as card numbers, identical for every library."""
    chance = random.Random(20_260_729)
    return [chance.sample(range(52), size) for _ in range(HANDS)]


def with_phevaluator(cards: list[int]) -> object:
    """Evaluate card numbers, phevaluator's fastest input. It numbers cards as the rules do."""
    return evaluate_cards(*cards)


TREYS = treys.Evaluator()


def with_treys(cards: list[int]) -> object:
    return TREYS.evaluate(cards, [])


MAKERS: dict[str, tuple[Callable[[Any], object], Callable[[str], object]]] = {
    "bot.pure.ofc": (five_card_strength, NAMES.index),
    "eval7": (eval7.evaluate, eval7.Card),
    "phevaluator": (with_phevaluator, NAMES.index),
    "treys": (with_treys, treys.Card.new),
}


@pytest.mark.parametrize("library", MAKERS)
def test_five_cards(measure: Callable[..., None], library: str) -> None:
    """Evaluate five-card hands, one call each."""
    call, card = MAKERS[library]
    made = {number: card(NAMES[number]) for number in range(52)}
    measure("five cards, one call", library, call, [[made[number] for number in hand] for hand in deal(5)])


@pytest.mark.parametrize("library", ["bot.pure.ofc", "eval7"])
def test_three_cards(measure: Callable[..., None], library: str) -> None:
    """Evaluate fronts, one call each. The other two libraries don't support three-card hands."""
    call, card = (three_card_strength, MAKERS["bot.pure.ofc"][1]) if library == "bot.pure.ofc" else MAKERS[library]
    made = {number: card(NAMES[number]) for number in range(52)}
    measure("three cards, one call", library, call, [[made[number] for number in hand] for hand in deal(3)])


def tables(variant: Variant, *, players: int, legal: bool, fantasyland: bool = False) -> list[list[Board]]:
    """Return hands of random cards. ``legal`` arranges every board without a foul if that's easy."""
    chance = random.Random(variant.key)
    jokers = full_deck(jokers=variant.jokers)[52:]
    found: list[list[Board]] = []
    while len(found) < TABLES:
        cards = chance.sample(full_deck(decks=variant.decks, jokers=variant.jokers), 13 * players)
        if all(joker in cards for joker in jokers):
            hands = [cards[start : start + 13] for start in range(0, len(cards), 13)]
            found.append([_board(variant, hand, chance, legal=legal, fantasyland=fantasyland) for hand in hands])
    return found


def _board(variant: Variant, cards: list[Card], chance: random.Random, *, legal: bool, fantasyland: bool) -> Board:
    for _ in range(20):
        placed = any_board(variant, cards, chance).rows
        if not legal or not score_board(variant, Board(rows=placed)).foul:
            break
    numbers = variant.fantasyland.numbers if variant.fantasyland and fantasyland else (0,)
    return Board(rows=placed, fantasyland=chance.choice(numbers))


SCORED: dict[str, tuple[Variant, dict[str, Any]]] = {
    "classic": (CLASSIC, {"players": 4, "legal": True}),
    "classic, all in Fantasyland": (CLASSIC, {"players": 4, "legal": True, "fantasyland": True}),
    "classic, fouls among them": (CLASSIC, {"players": 4, "legal": False}),
    "two decks": (DOUBLE_CLASSIC, {"players": 4, "legal": True}),
    "13 cards (row values)": (THIRTEEN, {"players": 4, "legal": True}),
    "2-7 (three players)": (TWO_SEVEN_PINEAPPLE, {"players": 3, "legal": False}),
    "two jokers (three players)": (JOKER_PINEAPPLE, {"players": 3, "legal": True}),
    "two jokers (four players)": (JOKER_PINEAPPLE, {"players": 4, "legal": True}),
}


@pytest.mark.parametrize("game", SCORED)
def test_score_hand(measure: Callable[..., None], game: str) -> None:
    """Score whole hands from their cards: ranks, fouls, royalties, Fantasyland and all pairs."""
    variant, cards = SCORED[game]
    measure("score_hand, whole hands", game, lambda boards: score_hand(variant, boards), tables(variant, **cards))


def test_score_hand_cold(measure: Callable[..., None]) -> None:
    """Score hands with two jokers each and an empty cache."""
    hands = tables(JOKER_PINEAPPLE, players=4, legal=True)
    name = "two jokers, nothing cached"
    score = lambda boards: score_hand(JOKER_PINEAPPLE, boards)  # noqa: E731 - one line beside its use
    measure("score_hand, whole hands", name, score, hands, _with_jokers.cache_clear)


def test_ranks_alone_with_eval7(measure: Callable[..., None]) -> None:
    """Only rank the same four boards, with eval7, to find the upper limit of a speed-up."""
    made = [eval7.Card(name) for name in NAMES[:52]]
    hands = [
        [[made[card] for card in row] for board in boards for row in board.rows]
        for boards in tables(CLASSIC, players=4, legal=True)
    ]
    measure(
        "score_hand, whole hands", "classic, ranked by eval7 only", lambda rows: list(map(eval7.evaluate, rows)), hands
    )


def test_preview(measure: Callable[..., None]) -> None:
    """Preview an unfinished board, as happens after every press."""
    boards = [board.rows for boards in tables(CLASSIC, players=4, legal=False)[:500] for board in boards]
    unfinished = [(front[:1], middle[:3], back) for front, middle, back in boards]
    measure("preview", "classic", lambda rows: preview(CLASSIC, rows, fantasyland=0), unfinished)


def test_settle(measure: Callable[..., None]) -> None:
    """Settle the chips of scored hands, with limits."""
    scores = [score_hand(CLASSIC, boards) for boards in tables(CLASSIC, players=4, legal=True)]
    stakes = Stakes(point_value=10)
    measure("settle", "four players", lambda s: settle(s, stacks=(200, 500, 90, 0), button=1, stakes=stakes), scores)


IMPORT = "from bot.pure.ofc import hand, house_rules, notation, proof, settlement, view"


def outside(program: str, *, bytecode: Path) -> float:
    """Return the number printed by ``program`` in a fresh interpreter, with compiled modules in ``bytecode``."""
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(bytecode)}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, cwd=ROOT, env=env, text=True
    )
    return float(done.stdout)


def test_import(rates: Rates, tmp_path: Path) -> None:
    """Measure CPU time and memory of importing all the rules, including their tables."""
    timed = f"import time; t = time.thread_time(); {IMPORT}; print((time.thread_time() - t) * 1000)"
    traced = f"import tracemalloc; tracemalloc.start(); {IMPORT}; print(tracemalloc.get_traced_memory()[0] / 1e6)"
    first, *later = (outside(timed, bytecode=tmp_path) for _ in range(8))
    rates["import of bot.pure.ofc, ms of CPU"] = {"compiled before": min(later), "compiled now": first}
    rates["import of bot.pure.ofc, MB"] = {"tables and all": outside(traced, bytecode=tmp_path)}
