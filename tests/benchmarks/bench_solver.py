"""How strong and how fast the computer players are: ``python -m tests.benchmarks.bench_solver``.

``solo``: hands that one player plays alone, beside a random opponent whose visible cards are gone. U is royalties, ten
for each entry into Fantasyland, six less for each foul; beside it U without the luck of the deals, which has the same
mean and a far smaller deviation (:mod:`bot.solver.luck`). ``depth``: positions of self-play, and how much worse the
chosen placement is than the one that a search a hundred times deeper chooses, judged by that search. ``time``: how
strength grows with the time of a decision. ``duel``: what a master wins from others, heads-up. ``arrange``: CPU
milliseconds of the best board.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import fmean, median, quantiles

import numpy as np

from bot.fitted import fitted_arrays
from bot.ofc.cards import Card, full_deck
from bot.ofc.placement import place
from bot.ofc.presets import PINEAPPLE, PRESETS
from bot.ofc.rows import EMPTY, RowCards
from bot.ofc.scoring import Board
from bot.ofc.variants import Variant
from bot.ofc.view import HandView
from bot.solver.arrange import best_arrangement
from bot.solver.boards import board_of, counts_of
from bot.solver.brain import Brain
from bot.solver.duel import Chooser, interval, per_hundred, played, rotations, with_fantasyland
from bot.solver.features import Deals
from bot.solver.levels import MASTER, Computers, Level
from bot.solver.luck import luck_of_deals, rivals_of
from bot.solver.outcomes import nobody
from bot.solver.rowtables import Ints
from bot.solver.search import Effort, Spot, judged
from bot.solver.sight import known
from bot.solver.yardsticks import YARDSTICKS
from tests.ofc.games import score_board

ENTRY_POINTS, FOUL_POINTS = 10, 6
DEEPER = 100


LUCK_DRAWS = 300
"""Deals from which it is taken what cards are worth on average."""
FIRST_DRAWS = 40
"""The same for the first street, whose cards can be placed in ten times as many ways."""
EFFORTS = (((1, 1),), ((6, 24), (3, 96)), MASTER.rounds, ((12, 300), (5, 1200)))
"""From the networks alone to four times as close as a master looks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A street of a hand played alone."""

    spot: Spot
    seed: tuple[int, ...]
    letters: str
    milliseconds: float
    luck: float
    """How much more than usual the cards of this street were worth."""


def solo_brain(variant: Variant) -> Brain:
    """What a master knows who counts ten points for each entry."""
    arrays = fitted_arrays(variant.key)
    assert arrays
    return Brain(variant, arrays, dict.fromkeys(range(13, 18), ENTRY_POINTS))


def hand_alone(brain: Brain, effort: Effort, *seed: int) -> tuple[RowCards, list[Decision]]:
    """One hand: the board and its decisions."""
    game = brain.variant
    deck = list(full_deck(decks=game.decks, jokers=game.jokers))
    random.Random(":".join(map(str, seed))).shuffle(deck)
    unseen = counts_of(deck)
    rows: RowCards = EMPTY
    decisions = []
    for street, rule in enumerate(game.streets, 1):
        other, mine, deck = deck[: rule.deal], tuple(deck[rule.deal : 2 * rule.deal]), deck[2 * rule.deal :]
        # The opponent has placed at random: which of the cards are seen does not matter.
        unseen = unseen - counts_of(other[: rule.lay])
        luck = luck_alone(brain, rows, unseen, mine, (*seed, street))
        unseen = unseen - counts_of(mine)
        spot = Spot(board=board_of(rows), held=mine, street=street, unseen=unseen, rivals=nobody(1))
        began = time.thread_time()
        letters = judged(brain, spot, effort, np.random.default_rng([*seed, street]))[0].letters
        spent = 1000 * (time.thread_time() - began)
        decisions.append(Decision(spot=spot, seed=(*seed, street), letters=letters, milliseconds=spent, luck=luck))
        rows, _ = place(rows, mine, letters)
    return rows, decisions


def luck_alone(brain: Brain, rows: RowCards, unseen: Ints, held: Sequence[Card], seed: tuple[int, ...]) -> float:
    """How much more than usual cards are worth that are dealt from what is unseen."""
    street = seed[-1]
    deals, cards = Deals(unseen[None], nobody(1)), np.array([held], dtype=np.int32)
    chance = np.random.default_rng([*seed, LUCK_DRAWS])
    draws = LUCK_DRAWS if street > 1 else FIRST_DRAWS
    return float(luck_of_deals(brain, board_of(rows), deals, cards, street=street, draws=draws, chance=chance)[0])


@dataclass(slots=True)
class Tally:
    """What hands played alone came to."""

    worth: list[float] = field(default_factory=list)
    without_luck: list[float] = field(default_factory=list)
    royalties: int = 0
    fouls: int = 0
    entries: int = 0
    times: list[list[float]] = field(default_factory=list)

    def add(self, variant: Variant, rows: RowCards, decisions: Sequence[Decision]) -> None:
        score = score_board(variant, Board(rows=rows))
        entered = score.next_fantasyland > 0
        worth = score.royalties + ENTRY_POINTS * entered - FOUL_POINTS * score.foul
        self.worth.append(worth)
        self.without_luck.append(worth - sum(decision.luck for decision in decisions))
        self.royalties += score.royalties
        self.fouls += score.foul
        self.entries += entered
        self.times.append([decision.milliseconds for decision in decisions])

    def line(self) -> str:
        count = len(self.worth)
        streets = ", ".join(f"{median(street):.0f}" for street in zip(*self.times, strict=True))
        return (
            f"{count} hands: U {_found(self.worth)}, without luck {_found(self.without_luck)}"
            f"  royalties {self.royalties / count:.2f}  fouls {self.fouls / count:.1%}"
            f"  enters {self.entries / count:.1%}  {_spent([spent for hand in self.times for spent in hand])}"
            f"; median by street {streets}"
        )


def solo(variant: Variant, hands: int, seed: int) -> None:
    """U and what it is made of."""
    brain, tally = solo_brain(variant), Tally()
    for number in range(hands):
        tally.add(variant, *hand_alone(brain, MASTER, seed, number))
        if (number + 1) % 100 == 0 or number + 1 == hands:
            print(f"solo {variant.key} seed {seed}, {tally.line()}", flush=True)


def growth(variant: Variant, hands: int, seed: int) -> None:
    """How strength grows with the time of a decision: the same hands, ever more closely looked at."""
    brain = solo_brain(variant)
    for rounds in EFFORTS:
        tally = Tally()
        for number in range(hands):
            tally.add(variant, *hand_alone(brain, Effort(rounds=rounds), seed, number))
        print(f"time {variant.key} seed {seed}, rounds {rounds}, {tally.line()}", flush=True)


class Noted:
    """A player whose boards and cards are kept."""

    def __init__(self, chooser: Chooser) -> None:
        self._chooser = chooser
        self.streets: list[tuple[RowCards, tuple[Card, ...]]] = []

    def __call__(self, view: HandView) -> str:
        assert view.mine
        front, middle, back = map(known, view.mine.rows)
        self.streets.append(((front, middle, back), known(view.mine.held)))
        return self._chooser(view)


def luck_between(brain: Brain, players: Sequence[Noted], seed: tuple[int, ...]) -> float:
    """How much luckier the first of two players was than the second."""
    game = brain.variant
    left = counts_of(full_deck(decks=game.decks, jokers=game.jokers))
    chance = np.random.default_rng([*seed, LUCK_DRAWS])
    found = 0.0
    for street, cards in enumerate(zip(*(player.streets for player in players), strict=True), 1):
        boards = [board_of(rows) for rows, _ in cards]
        for number, (_, held) in enumerate(cards):
            rivals = rivals_of(brain, boards[1 - number], left[None], chance, after=street - 1)
            draws = LUCK_DRAWS if street > 1 else FIRST_DRAWS
            deals, its_cards = Deals(left[None], rivals), np.array([held], dtype=np.int32)
            luck = luck_of_deals(brain, boards[number], deals, its_cards, street=street, draws=draws, chance=chance)
            found += float(luck[0]) * (1 - 2 * number)
            left = left - counts_of(held)
    return found


def duels(variant: Variant, hands: int, seed: int) -> None:
    """A master against others, every deck in both seats: what it wins with and without the luck of the deals."""
    computers = Computers(fitted_arrays)
    brain = computers.brain(variant)
    assert brain
    others: dict[str, Chooser] = {"club": partial(computers.choose, level=Level.CLUB), **YARDSTICKS}
    for name, other in others.items():
        points: list[list[float]] = []
        without: list[list[float]] = []
        for number in range(-(-hands // 2)):
            deck = list(full_deck(decks=variant.decks, jokers=variant.jokers))
            random.Random(f"{seed}:{number}").shuffle(deck)
            won, quiet = [], []
            for order in rotations(2):
                choosers = (Noted(partial(computers.choose, level=Level.MASTER)), Noted(other))
                showings = played(variant, tuple(deck), [(player, choosers[player]) for player in order])
                place_of_master = order.index(0)
                won.append(with_fantasyland(showings, brain.worth)[place_of_master])
                quiet.append(won[-1] - luck_between(brain, choosers, (seed, number, place_of_master)))
            points.append(won)
            without.append(quiet)
            if (number + 1) % 25 == 0 or 2 * number + 2 >= hands:
                print(
                    f"duel {variant.key} seed {seed}, master against {name}, {2 * len(points)} hands: points per 100 "
                    f"with Fantasyland {per_hundred(points)}, without luck {per_hundred(without)}",
                    flush=True,
                )


def depth(variant: Variant, positions: int, seed: int) -> None:
    """What the master gives away against a search a hundred times deeper."""
    brain = solo_brain(variant)
    deep = Effort(rounds=tuple((count, DEEPER * draws) for count, draws in MASTER.rounds))
    lost: list[float] = []
    number = 0
    while len(lost) < positions:
        _, decisions = hand_alone(brain, MASTER, seed, number)
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


PARTS: dict[str, Callable[[Variant, int, int], None]] = {
    "solo": solo,
    "depth": depth,
    "time": growth,
    "duel": duels,
    "arrange": arrange,
}


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
