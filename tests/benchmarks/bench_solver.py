"""How strong and how fast the computer players are: ``python -m tests.benchmarks.bench_solver``.

``solo``: hands that one player plays alone, beside a random opponent whose visible cards are gone. U is royalties, ten
for each entry into Fantasyland, six less for each foul; beside it U without the luck of the deals, which has the same
mean and a far smaller deviation (:mod:`bot.solver.deals`). ``depth``: positions of self-play, and how much worse the
chosen placement is than the one that a far deeper search chooses, judged by that search. ``time``: how
strength grows with the time of a decision. ``duel``: what a master wins from others, in every seat of the smallest
table. ``last``: last streets between three, where the button's is plain scoring. ``rows``: what is won by meeting
opponents row by row from those who know them by steps of strength, heads-up and between three. ``coverage``: how many
losses lie within two stated errors of what they are by other cards, and by a deeper look. ``fantasyland``: what is won
by setting one for rows as well, and CPU milliseconds of both boards. ``setting``: in games set at once, how much more a
level's board wins than one of the level below it with the same cards.

With ``--keep FOLDER`` what each hand came to is written down when it is over, and a run with the same values of its
game and the same effort goes on where the last one ended.
"""

from __future__ import annotations

import argparse
import json
import random
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import fmean, median, quantiles
from typing import Any

import numpy as np

from bot.fitted import FOLDER, fitted_arrays
from bot.ofc.cards import EMPTY, Card, RowCards, full_deck
from bot.ofc.placement import place
from bot.ofc.presets import PINEAPPLE, PRESETS
from bot.ofc.scoring import Board
from bot.ofc.variants import Variant
from bot.ofc.view import HandView
from bot.solver.boards import board_of, counts_of
from bot.solver.brain import Brain, teacher_of
from bot.solver.deals import luck_of_deals, rivals_of
from bot.solver.duel import YARDSTICKS, Chooser, interval, per_hundred, played, rotations, with_fantasyland
from bot.solver.levels import MASTER, Computers, Level
from bot.solver.network import Deals
from bot.solver.outcomes import nobody
from bot.solver.rowtables import Ints
from bot.solver.search import Effort, Spot, judged
from bot.solver.sight import known, together
from tests.benchmarks.coverage import SEATS as COVERED_SEATS
from tests.benchmarks.coverage import covered, reviewed_again
from tests.benchmarks.fantasyland import won_by_rows
from tests.benchmarks.plot import Figure, plotted
from tests.benchmarks.rows import NETWORKS, SEATS, lost, won_from_steps
from tests.benchmarks.setting import gained
from tests.ofc.games import score_board

ENTRY_POINTS, FOUL_POINTS = 10, 6
DEEP = Effort(rounds=(*MASTER.rounds, (3, 9_600), (2, 38_400)))
"""A hundred times as many deals as a master looks at in the second round, and 25 times as many as in the third."""
LUCK_DRAWS = 300
"""Deals from which it is taken what cards are worth on average."""
FIRST_DRAWS = 40
"""The same for the first street, whose cards can be placed in ten times as many ways."""
CENT = 0.005
"""Points that differ less are the same."""
EFFORTS = ((), ((6, 24), (3, 96)), MASTER.rounds[:2], MASTER.rounds)
"""From the networks alone to what a master does; nothing that looks closer has won anything more."""
Row = dict[str, Any]
"""What is kept of a hand, a deck or a position, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What is to be measured: so many hands, positions or deals."""

    variant: Variant
    count: int
    seed: int
    keep: Path | None
    others: Sequence[str] = ()
    """Whom a better level is measured against; empty for all."""
    plot: Path | None = None
    """Where to draw how strength grows with time."""

    def rows(self, name: str, effort: Effort, measured: Callable[[int], Row]) -> Iterator[list[Row]]:
        """All rows so far, ever more; those that an earlier run has kept are not measured again."""
        path = self._path(name, effort)
        kept = [json.loads(line) for line in path.read_text().splitlines()] if path and path.exists() else []
        del kept[self.count :]
        if kept:
            yield kept
        for number in range(len(kept), self.count):
            kept.append(measured(number))
            if path:
                with path.open("a") as file:
                    file.write(json.dumps(kept[-1]) + "\n")
            yield kept

    def _path(self, name: str, effort: Effort) -> Path | None:
        if self.keep is None:
            return None
        self.keep.mkdir(parents=True, exist_ok=True)
        games = {teacher_of(self.variant) or self.variant.key, self.variant.key}
        files = [FOLDER / f"{game}.npz" for game in sorted(games)]
        fitted = b"".join(file.read_bytes() for file in files if file.exists())
        players = zlib.crc32(fitted + repr(effort).encode())
        return self.keep / f"{name}-{self.variant.key}-{self.seed}-{players:08x}.jsonl"

    def due(self, count: int) -> bool:
        """True when what was found by now is to be said: now and then, and at the end."""
        return count % 50 == 0 or count == self.count


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
        unseen = unseen - counts_of(other[: rule.to_place])
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Alone:
    """What a hand played alone came to."""

    worth: float
    luck: float
    royalties: int
    foul: bool
    enters: bool
    milliseconds: list[float]


def alone(brain: Brain, effort: Effort, *seed: int) -> Alone:
    """One hand, measured."""
    rows, decisions = hand_alone(brain, effort, *seed)
    score = score_board(brain.variant, Board(rows=rows))
    entered = score.next_fantasyland > 0
    return Alone(
        worth=score.royalties + ENTRY_POINTS * entered - FOUL_POINTS * score.foul,
        luck=sum(decision.luck for decision in decisions),
        royalties=score.royalties,
        foul=score.foul,
        enters=entered,
        milliseconds=[round(decision.milliseconds, 2) for decision in decisions],
    )


def _line(hands: Sequence[Alone]) -> str:
    count = len(hands)
    times = [hand.milliseconds for hand in hands]
    streets = ", ".join(f"{median(street):.0f}" for street in zip(*times, strict=True))
    return (
        f"{count} hands: U {_found([hand.worth for hand in hands])}"
        f", without luck {_found([hand.worth - hand.luck for hand in hands])}"
        f"  royalties {fmean(hand.royalties for hand in hands):.2f}"
        f"  fouls {fmean(hand.foul for hand in hands):.1%}  enters {fmean(hand.enters for hand in hands):.1%}"
        f"  {_spent([spent for hand in times for spent in hand])}; median by street {streets}"
    )


def _alone(run: Run, effort: Effort) -> Iterator[list[Alone]]:
    """The hands played alone so far."""
    brain = solo_brain(run.variant)
    for rows in run.rows("solo", effort, lambda number: asdict(alone(brain, effort, run.seed, number))):
        if run.due(len(rows)):
            yield [Alone(**row) for row in rows]


def solo(run: Run) -> None:
    """U and what it is made of."""
    for hands in _alone(run, MASTER):
        print(f"solo {run.variant.key} seed {run.seed}, {_line(hands)}", flush=True)


def growth(run: Run) -> None:
    """How strength grows with the time of a decision: the same hands, ever more closely looked at."""
    figures: list[Figure] = []
    before: list[float] = []
    for rounds in EFFORTS:
        *_, hands = _alone(run, Effort(rounds=rounds))
        quiet = [hand.worth - hand.luck for hand in hands]
        more = _found([mine - its for mine, its in zip(quiet, before, strict=True)]) if before else "none before"
        print(f"time {run.variant.key} seed {run.seed}, rounds {rounds}, {_line(hands)}; more: {more}", flush=True)
        found, spent = interval(quiet), fmean(spent for hand in hands for spent in hand.milliseconds)
        figures.append(Figure(at=spent, value=found.mean, off=found.off))
        before = quiet
    if run.plot:
        title = f"U without luck, {run.count} hands of {run.variant.key} alone"
        plotted(figures, title=title, below="mean milliseconds of a decision").save(run.plot)


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
    """How much luckier the first of the players was than the others, in points of all pairs together."""
    game = brain.variant
    left = counts_of(full_deck(decks=game.decks, jokers=game.jokers))
    chance = np.random.default_rng([*seed, LUCK_DRAWS])
    found = 0.0
    for street, cards in enumerate(zip(*(player.streets for player in players), strict=True), 1):
        boards = [board_of(rows) for rows, _ in cards]
        for number, (_, held) in enumerate(cards):
            # Only what lies between the first and the others counts.
            others = boards[:1] if number else boards[1:]
            rivals = together([rivals_of(brain, other, left[None], chance, after=street - 1) for other in others])
            draws = LUCK_DRAWS if street > 1 else FIRST_DRAWS
            deals, its_cards = Deals(left[None], rivals), np.array([held], dtype=np.int32)
            luck = luck_of_deals(brain, boards[number], deals, its_cards, street=street, draws=draws, chance=chance)
            found += float(luck[0]) * (-1 if number else len(others))
            left = left - counts_of(held)
    return found


def duels(run: Run) -> None:
    """A master against others, every deck in all seats: what it wins with and without the luck of the deals."""
    computers = Computers(fitted_arrays)
    levels = {level.value: partial(computers.choose, level=level) for level in (Level.CLUB, Level.CASUAL)}
    others: dict[str, Chooser] = {**levels, **YARDSTICKS}
    for name in run.others or others:
        for rows in run.rows(f"duel-{name}", MASTER, partial(duelled, computers, others[name], run.variant, run.seed)):
            if run.due(len(rows)):
                won, quiet = (per_hundred([row[key] for row in rows]) for key in ("won", "quiet"))
                plain = per_hundred([row["points"] for row in rows])
                print(
                    f"duel {run.variant.key} seed {run.seed}, master against {name}, {len(rows)} decks, each in every "
                    f"seat: points per 100 hands {plain}, with Fantasyland {won}, and without luck {quiet}",
                    flush=True,
                )


def duelled(computers: Computers, other: Chooser, variant: Variant, seed: int, number: int) -> Row:
    """What a master wins with one deck, once in each seat; the other seats are all the other's."""
    brain = computers.brain(variant)
    assert brain
    deck = list(full_deck(decks=variant.decks, jokers=variant.jokers))
    random.Random(f"{seed}:{number}").shuffle(deck)
    row: dict[str, list[float]] = {"points": [], "won": [], "quiet": []}
    for order in rotations(variant.min_seats):
        choosers = [Noted(partial(computers.choose, level=Level.MASTER)), *(Noted(other) for _ in order[1:])]
        showings = played(variant, tuple(deck), [(player, choosers[player]) for player in order])
        seat = order.index(0)
        won = with_fantasyland(showings, brain.worth)[seat]
        row["points"].append(showings[seat].points)
        row["won"].append(won)
        row["quiet"].append(won - luck_between(brain, choosers, (seed, number, seat)))
    return row


def settings(run: Run) -> None:
    """What a board set by a better level wins more than that of a worse one, in games set at once."""
    computers = Computers(fitted_arrays)
    for better, worse in ((Level.MASTER, Level.CLUB), (Level.CLUB, Level.CASUAL)):
        name = f"setting-{better.value}-{worse.value}"
        if not run.variant.at_once or worse.value not in (run.others or (worse.value,)):
            continue
        for rows in run.rows(name, MASTER, partial(gained, computers, run.variant, (better, worse), run.seed)):
            if run.due(len(rows)):
                found = {level: interval([100 * row[level] for row in rows]) for level in rows[0]}
                said = ", ".join(f"{gain} from a {level} opponent" for level, gain in found.items())
                print(
                    f"setting {run.variant.key} seed {run.seed}, {better.value} over {worse.value}, {len(rows)} hands, "
                    f"other boards in {fmean(any(row.values()) for row in rows):.1%}: points per 100 hands {said}",
                    flush=True,
                )


def last(run: Run) -> None:
    """What the button loses on the last street between three, where all is open."""
    for rows in run.rows("last", NETWORKS, partial(lost, run.variant, run.seed)):
        if run.due(len(rows)):
            told = []
            for name in rows[0]:
                lost_by = [row[name] for row in rows]
                told.append(f"by {name} {sum(lost_by):.2f} points in {sum(one > CENT for one in lost_by)} decisions")
            print(f"last {run.variant.key} seed {run.seed}, {len(rows)} decisions, lost {', '.join(told)}", flush=True)


def against_steps(run: Run) -> None:
    """What meeting opponents row by row wins from those who know them by steps, every deck in all seats."""
    for seats in SEATS:
        for rows in run.rows(f"rows-{seats}", NETWORKS, partial(won_from_steps, run.variant, seats, run.seed)):
            if run.due(len(rows)):
                plain, won = (per_hundred([row[key] for row in rows]) for key in ("points", "won"))
                print(
                    f"rows {run.variant.key} seed {run.seed}, {seats} players, {len(rows)} decks, each in every seat: "
                    f"points per 100 hands {plain}, with Fantasyland {won}; other points with "
                    f"{fmean(abs(sum(row['won'])) > CENT for row in rows):.1%} of decks",
                    flush=True,
                )


def coverage(run: Run) -> None:
    """How many losses lie within two stated errors of what they are by other cards, and by a deeper look."""
    for seats in COVERED_SEATS:
        for street in range(len(run.variant.streets), 0, -1):
            measured = partial(reviewed_again, run.variant, seats, street, run.seed)
            *_, rows = run.rows(f"coverage-{seats}-{street}", MASTER, measured)
            print(f"coverage {run.variant.key} seed {run.seed}, {seats} players, street {street}, {covered(rows)}")


def fantasyland(run: Run) -> None:
    """What a Fantasyland that is set for rows as well wins more from each opponent, by the number of cards."""
    rule = run.variant.fantasyland
    for cards in rule.numbers if rule else ():
        for rows in run.rows(f"fantasyland-{cards}", MASTER, partial(won_by_rows, run.variant, cards, run.seed)):
            if run.due(len(rows)):
                plain, both = (_spent([1000 * row[key] for row in rows]) for key in ("plain", "rows"))
                print(
                    f"fantasyland {run.variant.key} {cards} cards, seed {run.seed}, {len(rows)} deals: "
                    f"{_found([row['gain'] for row in rows])} points a hand, "
                    f"other boards in {fmean(row['other'] for row in rows):.1%}; paid most {plain}, for rows {both}",
                    flush=True,
                )


def depth(run: Run) -> None:
    """What the master gives away against a far deeper search."""
    brain = solo_brain(run.variant)
    for rows in run.rows("depth", MASTER, partial(_lost, brain, run.seed)):
        if run.due(len(rows)):
            lost = [row["lost"] for row in rows]
            print(
                f"depth {run.variant.key} seed {run.seed}, {len(rows)} positions: loses {_found(lost)} points a "
                f"decision, chooses otherwise in {fmean(one > 0 for one in lost):.1%}",
                flush=True,
            )


def _lost(brain: Brain, seed: int, number: int) -> Row:
    """What the deep search says of one decision of one hand."""
    _, decisions = hand_alone(brain, MASTER, seed, number)
    decision = decisions[number % (len(decisions) - 1)]
    found = judged(brain, decision.spot, DEEP, np.random.default_rng([seed, number, 0]))
    mine = next(one for one in found if one.letters == decision.letters)
    return {"street": decision.spot.street, "lost": found[0].value - mine.value}


def _found(values: Sequence[float]) -> str:
    found = interval(values)
    return f"{found.mean:.3f} ± {found.off:.3f}"


def _spent(times: list[float]) -> str:
    slowest = quantiles(times, n=100)[98] if len(times) > 1 else times[0]
    return f"ms: median {median(times):.1f}, mean {fmean(times):.1f}, 99 % {slowest:.1f}, most {max(times):.1f}"


PARTS: dict[str, Callable[[Run], None]] = {
    "solo": solo,
    "depth": depth,
    "time": growth,
    "duel": duels,
    "last": last,
    "rows": against_steps,
    "coverage": coverage,
    "fantasyland": fantasyland,
    "setting": settings,
}


def main() -> None:
    """Measure one part, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=PARTS, action="append", help="what to measure (default: everything)")
    parser.add_argument("--game", choices=PRESETS, default=PINEAPPLE.key)
    parser.add_argument("--count", type=int, default=200, help="hands, positions or deals")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for what each hand came to")
    parser.add_argument("--other", choices=("club", "casual", *YARDSTICKS), action="append", help="against whom")
    parser.add_argument("--plot", type=Path, help="a picture to draw of how strength grows with time")
    args = parser.parse_args()
    run = Run(
        variant=PRESETS[args.game],
        count=args.count,
        seed=args.seed,
        keep=args.keep,
        others=args.other or (),
        plot=args.plot,
    )
    for part in args.part or PARTS:
        PARTS[part](run)


if __name__ == "__main__":
    main()
