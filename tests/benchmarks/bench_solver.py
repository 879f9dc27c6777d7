"""How strong and how fast the computer players are: ``python -m tests.benchmarks.bench_solver``.

``solo``: hands that one player plays alone, beside a random opponent whose visible cards are gone. U is royalties, ten
for each entry into Fantasyland, six less for each foul. ``depth``: positions of self-play, and how much worse the
chosen placement is than the one that a search a hundred times deeper chooses, judged by that search. ``arrange``: CPU
milliseconds of the best board. Duels are ``python -m bot duel``.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, median, quantiles

import numpy as np

from bot.fitted import fitted_arrays
from bot.ofc.cards import Card, full_deck
from bot.ofc.placement import place
from bot.ofc.presets import PINEAPPLE, PRESETS
from bot.ofc.rows import EMPTY, RowCards
from bot.ofc.scoring import Board
from bot.ofc.variants import Variant
from bot.solver.arrange import best_arrangement
from bot.solver.boards import board_of, counts_of
from bot.solver.brain import Brain
from bot.solver.duel import interval
from bot.solver.levels import MASTER
from bot.solver.outcomes import nobody
from bot.solver.search import Effort, Spot, judged
from tests.ofc.games import score_board

ENTRY_POINTS, FOUL_POINTS = 10, 6
DEEPER = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A street of a hand played alone."""

    spot: Spot
    seed: tuple[int, ...]
    letters: str


def solo_brain(variant: Variant) -> Brain:
    """What a master knows who counts ten points for each entry."""
    arrays = fitted_arrays(variant.key)
    assert arrays
    return Brain(variant, arrays, dict.fromkeys(range(13, 18), ENTRY_POINTS))


def hand_alone(brain: Brain, effort: Effort, *seed: int) -> tuple[RowCards, list[Decision], list[float]]:
    """One hand: the board, the decisions, and CPU milliseconds of each."""
    game = brain.variant
    deck = list(full_deck(decks=game.decks, jokers=game.jokers))
    random.Random(":".join(map(str, seed))).shuffle(deck)
    unseen = counts_of(deck)
    rows: RowCards = EMPTY
    decisions, times = [], []
    for street, rule in enumerate(game.streets, 1):
        other, mine, deck = deck[: rule.deal], tuple(deck[rule.deal : 2 * rule.deal]), deck[2 * rule.deal :]
        # The opponent has placed at random: which of the cards are seen does not matter.
        unseen = unseen - counts_of((*other[: rule.lay], *mine))
        spot = Spot(board=board_of(rows), held=mine, street=street, unseen=unseen, rivals=nobody(1))
        began = time.thread_time()
        letters = judged(brain, spot, effort, np.random.default_rng([*seed, street]))[0].letters
        times.append(1000 * (time.thread_time() - began))
        decisions.append(Decision(spot=spot, seed=(*seed, street), letters=letters))
        rows, _ = place(rows, mine, letters)
    return rows, decisions, times


def solo(variant: Variant, hands: int, seed: int) -> None:
    """U and what it is made of."""
    brain = solo_brain(variant)
    worth, royalties, fouls, entries, times = [], 0, 0, 0, []
    for number in range(hands):
        rows, _, spent = hand_alone(brain, MASTER, seed, number)
        score = score_board(variant, Board(rows=rows))
        entered = score.next_fantasyland > 0
        worth.append(score.royalties + ENTRY_POINTS * entered - FOUL_POINTS * score.foul)
        royalties, fouls, entries = royalties + score.royalties, fouls + score.foul, entries + entered
        times.extend(spent)
        if (number + 1) % 100 == 0 or number + 1 == hands:
            count = number + 1
            print(
                f"solo {variant.key} seed {seed}, {count} hands: U {_found(worth)}  royalties {royalties / count:.2f}"
                f"  fouls {fouls / count:.1%}  enters {entries / count:.1%}  {_spent(times)}",
                flush=True,
            )


def depth(variant: Variant, positions: int, seed: int) -> None:
    """What the master gives away against a search a hundred times deeper."""
    brain = solo_brain(variant)
    deep = Effort(rounds=tuple((count, DEEPER * draws) for count, draws in MASTER.rounds))
    lost: list[float] = []
    number = 0
    while len(lost) < positions:
        _, decisions, _ = hand_alone(brain, MASTER, seed, number)
        number += 1
        decision = decisions[number % (len(decisions) - 1)]
        found = judged(brain, decision.spot, deep, np.random.default_rng([seed, number, 0]))
        mine = next(one for one in found if one.letters == decision.letters)
        lost.append(found[0].value - mine.value)
        if len(lost) % 20 == 0 or len(lost) == positions:
            print(
                f"depth {variant.key} seed {seed}, {len(lost)} positions: loses {_found(lost)} points a decision",
                flush=True,
            )


def _found(values: Sequence[float]) -> str:
    found = interval(values)
    return f"{found.mean:.3f} ± {found.off:.3f}"


def arrange(variant: Variant, deals: int, seed: int) -> None:
    """Milliseconds of the best board, by number of cards."""
    rule = variant.fantasyland
    for cards in rule.numbers if rule else (13,):
        chance = random.Random(f"{seed}:{cards}")
        times = []
        for _ in range(deals):
            held = _dealt(variant, cards, chance)
            began = time.thread_time()
            best_arrangement(variant, held)
            times.append(1000 * (time.thread_time() - began))
        print(f"arrange {variant.key} {cards} cards, seed {seed}, {deals} deals: {_spent(times)}", flush=True)


def _dealt(variant: Variant, cards: int, chance: random.Random) -> tuple[Card, ...]:
    deck = list(full_deck(decks=variant.decks, jokers=variant.jokers))
    chance.shuffle(deck)
    return tuple(deck[:cards])


def _spent(times: list[float]) -> str:
    slowest = quantiles(times, n=100)[98] if len(times) > 1 else times[0]
    return f"ms: median {median(times):.1f}, mean {fmean(times):.1f}, 99 % {slowest:.1f}, most {max(times):.1f}"


PARTS: dict[str, Callable[[Variant, int, int], None]] = {"solo": solo, "depth": depth, "arrange": arrange}


def main() -> None:
    """Measure one part, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=PARTS, action="append", help="what to measure (default: everything)")
    parser.add_argument("--game", choices=PRESETS, default=PINEAPPLE.key)
    parser.add_argument("--count", type=int, default=200, help="hands, positions or deals")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for part in args.part or PARTS:
        PARTS[part](PRESETS[args.game], args.count, args.seed)


if __name__ == "__main__":
    main()
