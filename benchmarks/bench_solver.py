"""Measure the strength and speed of the computer players: ``python -m benchmarks.bench_solver``.

U is defined in :mod:`benchmarks.alone`, and the luck of the deal in :mod:`bot.pure.solver.review`. Luck is subtracted,
because that keeps the mean and makes the deviation far smaller. ``--keep FOLDER`` saves the result of each hand, and a
run with the same fitted values and effort resumes where the last one ended.
"""

from __future__ import annotations

import argparse
import json
import textwrap
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import fmean, median, quantiles
from typing import Any

import numpy as np

from benchmarks.alone import Alone, alone, hand_alone, solo_evaluator
from benchmarks.coverage import SEATS as COVERED_SEATS
from benchmarks.coverage import covered, lost_by, reviewed_again
from benchmarks.duels import MANY, SOME, duelled
from benchmarks.fantasyland import beside, decided_by_worth, won_by_rows, won_by_sample, worth_by
from benchmarks.plot import Figure, plotted
from benchmarks.rows import NETWORKS, SEATS, SHUFFLES, lost, won_from_steps
from benchmarks.setting import gained
from bot.base.command_help import HelpFormatter, examples
from bot.base.solver_data import FOLDER, load_arrays
from bot.pure.ofc.presets import PINEAPPLE, PRESETS
from bot.pure.ofc.variants import Variant
from bot.pure.solver.duel import YARDSTICKS, Chooser, interval, per_hundred
from bot.pure.solver.evaluator import Evaluator, base_game
from bot.pure.solver.levels import CASUAL_LEANS, CLUB_LEANS, MASTER, Computers, Level
from bot.pure.solver.search import Effort, judged

DEEP = Effort(rounds=(*MASTER.rounds, (3, 9_600), (2, 38_400)))
"""Searches two placements with over fifty thousand deals. A master searches three with 1,536."""
ORDER = ((Level.MASTER, Level.CLUB), (Level.CLUB, Level.CASUAL))
"""Each level with the one below it."""
WORTH_DEALS, SAMPLE_DEALS = 2_000, 400
"""Number of Fantasylands set to estimate the value of entering, and to measure the winnings of a sample of boards."""
CENT = 0.005
"""Points below which a difference counts as zero."""
EFFORTS = ((), ((6, 24), (3, 96)), MASTER.rounds[:2], MASTER.rounds)
"""Efforts, from just the networks up to a master's. Larger efforts haven't gained anything."""
Row = dict[str, Any]
"""The saved values of a hand, deck or position, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Options of a measurement of ``count`` hands, positions or deals."""

    variant: Variant
    count: int
    seed: int
    keep: Path | None
    others: Sequence[str] = ()
    """Opponents of the better level; empty for all."""
    plot: Path | None = None
    """Output file for the plot of strength over time."""

    def rows(self, name: str, effort: Effort, measured: Callable[[int], Row]) -> Iterator[list[Row]]:
        """Yield the growing list of rows. Rows saved by an earlier run aren't measured again."""
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
        games = {base_game(self.variant) or self.variant.key, self.variant.key}
        files = [FOLDER / f"{game}.npz" for game in sorted(games)]
        fitted = b"".join(file.read_bytes() for file in files if file.exists())
        players = zlib.crc32(fitted + repr(effort).encode())
        return self.keep / f"{name}-{self.variant.key}-{self.seed}-{players:08x}.jsonl"

    def due(self, count: int) -> bool:
        """True if the results so far should be printed, which is every 50 rows and at the end."""
        return count % 50 == 0 or count == self.count


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
    """Yield the solo hands so far."""
    evaluator = solo_evaluator(run.variant)
    for rows in run.rows("solo", effort, lambda number: asdict(alone(evaluator, effort, run.seed, number))):
        if run.due(len(rows)):
            yield [Alone(**row) for row in rows]


def solo(run: Run) -> None:
    """U and its parts in solo hands."""
    for hands in _alone(run, MASTER):
        print(f"solo {run.variant.key} seed {run.seed}, {_line(hands)}", flush=True)


def growth(run: Run) -> None:
    """Strength by time per decision, on the same hands, with increasing effort."""
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


def duels(run: Run) -> None:
    """A master against others, with every deck played in all seats: winnings with and without the luck of the deal."""
    computers = Computers(load_arrays)
    levels = {level.value: partial(computers.choose, level=level) for level in Level}
    others: dict[str, Chooser] = {**levels, **YARDSTICKS}
    for name in run.others or (*(worse.value for _, worse in ORDER), *YARDSTICKS):
        _duel(run, computers, (Level.MASTER.value, levels[Level.MASTER.value]), (name, others[name]), MANY)


def order(run: Run) -> None:
    """Winnings of each level against the one below it."""
    if run.variant.at_once:
        settings(run)
        return
    computers = Computers(load_arrays, evaluators=1)
    for better, worse in ORDER:
        if worse.value in (run.others or (worse.value,)):
            pair = [(level.value, partial(computers.choose, level=level)) for level in (better, worse)]
            _duel(run, computers, pair[0], pair[1], SOME)


def _duel(run: Run, computers: Computers, first: tuple[str, Chooser], other: tuple[str, Chooser], draws: int) -> None:
    evaluator = computers.evaluator(run.variant)
    assert evaluator
    erring = zlib.crc32(repr((CASUAL_LEANS, CLUB_LEANS)).encode())
    name = f"duel-{first[0]}-{other[0]}-{erring:08x}-{draws}"
    for rows in run.rows(name, MASTER, partial(duelled, evaluator, first[1], other[1], draws, run.variant, run.seed)):
        if run.due(len(rows)):
            won, quiet = (per_hundred([row[key] for row in rows]) for key in ("won", "quiet"))
            plain = per_hundred([row["points"] for row in rows])
            print(
                f"duel {run.variant.key} seed {run.seed}, {first[0]} against {other[0]}, {len(rows)} decks, each in "
                f"every seat: points per 100 hands {plain}, with Fantasyland {won}, and without luck {quiet}",
                flush=True,
            )


def settings(run: Run) -> None:
    """Gain of a better level's board over a worse level's, in games where the whole board is set."""
    computers = Computers(load_arrays)
    for better, worse in ORDER:
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
    """Losses of the button on the last street of a three-handed game, where all cards are known."""
    for rows in run.rows("last", NETWORKS, partial(lost, run.variant, run.seed)):
        if run.due(len(rows)):
            told = []
            for name in rows[0]:
                lost_by = [row[name] for row in rows]
                told.append(f"by {name} {sum(lost_by):.2f} points in {sum(one > CENT for one in lost_by)} decisions")
            print(f"last {run.variant.key} seed {run.seed}, {len(rows)} decisions, lost {', '.join(told)}", flush=True)


def against_steps(run: Run) -> None:
    """Gain from comparing with opponents row by row instead of by steps, with every deck played in all seats."""
    for seats in SEATS:
        for rows in run.rows(
            f"rows-{seats}-{SHUFFLES}", NETWORKS, partial(won_from_steps, run.variant, seats, run.seed)
        ):
            if run.due(len(rows)):
                plain, won = (per_hundred([row[key] for row in rows]) for key in ("points", "won"))
                print(
                    f"rows {run.variant.key} seed {run.seed}, {seats} players, {len(rows)} decks, each in every seat: "
                    f"points per 100 hands {plain}, with Fantasyland {won}; other points with "
                    f"{fmean(any(row['won']) for row in rows):.1%} of decks",
                    flush=True,
                )


def coverage(run: Run) -> None:
    """Share of losses that are within two stated errors of a second review with other cards, and of a deeper search."""
    everything: list[Row] = []
    for seats in COVERED_SEATS:
        for street in range(len(run.variant.streets), 0, -1):
            measured = partial(reviewed_again, run.variant, seats, street, run.seed)
            *_, rows = run.rows(f"coverage-{seats}-{street}", MASTER, measured)
            everything += rows
            said = f"{seats} players, street {street}, {covered(rows)}"
            print(f"coverage {run.variant.key} seed {run.seed}, {said}", flush=True)
    print(f"coverage {run.variant.key} seed {run.seed}, all: {covered(everything)}", flush=True)


def loss(run: Run) -> None:
    """Loss of a master per decision, by street, solo and at a table."""
    for seats in COVERED_SEATS:
        for street in range(1, len(run.variant.streets) + 1):
            measured = partial(lost_by, run.variant, seats, street, run.seed)
            *_, rows = run.rows(f"loss-{seats}-{street}", MASTER, measured)
            lost = [row["lost"] for row in rows]
            print(
                f"loss {run.variant.key} seed {run.seed}, {seats} players, street {street}, {len(rows)} decisions: "
                f"{_found(lost)} points, other points in {fmean(abs(one) > CENT for one in lost):.1%}",
                flush=True,
            )


def fantasyland(run: Run) -> None:
    """Gain per opponent if Fantasyland is also set for row points, by the number of cards."""
    rule = run.variant.fantasyland
    for cards in rule.numbers if rule else ():
        for rows in run.rows(f"fantasyland-{cards}", MASTER, partial(won_by_rows, run.variant, cards, run.seed)):
            if run.due(len(rows)):
                plain, both = (_spent([1000 * row[key] for row in rows]) for key in ("plain", "rows"))
                stays, plain_stays = (interval([row[key] for row in rows]) for key in ("stays", "plain_stays"))
                print(
                    f"fantasyland {run.variant.key} {cards} cards, seed {run.seed}, {len(rows)} deals: "
                    f"{_found([row['gain'] for row in rows])} points a hand, "
                    f"other boards in {fmean(row['other'] for row in rows):.1%}, stays in {stays} %, paid most in "
                    f"{plain_stays} %; paid most {plain}, for rows {both}",
                    flush=True,
                )


def worth(run: Run) -> None:
    """Value of entering Fantasyland if boards are also set for row points, and its effect on a master's decisions."""
    by = worth_by(run.variant, WORTH_DEALS)
    told = "; for ".join(f"{name}: {found}" for name, found in by.items())
    print(f"worth {run.variant.key}, {WORTH_DEALS} deals of each number, by boards set for {told}", flush=True)
    for rows in run.rows("worth", MASTER, partial(decided_by_worth, run.variant, by["rows"].worth, run.seed)):
        if run.due(len(rows)):
            print(
                f"worth {run.variant.key} seed {run.seed}, {len(rows)} decisions: otherwise in "
                f"{fmean(row['other'] for row in rows):.1%}, loses {_found([row['lost'] for row in rows])} points",
                flush=True,
            )


def sample(run: Run) -> None:
    """Gain from setting Fantasyland against masters' boards instead of the stored ones."""
    *_, rows = run.rows("sample", MASTER, partial(beside, run.variant, run.seed))
    won = won_by_sample(run.variant, np.array([row["codes"] for row in rows], np.int32), run.seed, SAMPLE_DEALS)
    print(
        f"sample {run.variant.key} seed {run.seed}, {len(rows)} boards of masters, {SAMPLE_DEALS} deals: "
        f"{_found(won)} points a hand, other boards in {fmean(one != 0 for one in won):.1%}",
        flush=True,
    )


def depth(run: Run) -> None:
    """Losses of a solo master, as judged by a far deeper search."""
    evaluator = solo_evaluator(run.variant)
    for rows in run.rows("depth", MASTER, partial(_lost, evaluator, run.seed)):
        if run.due(len(rows)):
            lost = [row["lost"] for row in rows]
            print(
                f"depth {run.variant.key} seed {run.seed}, {len(rows)} positions: loses {_found(lost)} points a "
                f"decision, chooses otherwise in {fmean(one > 0 for one in lost):.1%}",
                flush=True,
            )


def _lost(evaluator: Evaluator, seed: int, number: int) -> Row:
    """Return the loss of one decision of a hand, as judged by the deep search."""
    _, decisions = hand_alone(evaluator, MASTER, seed, number)
    decision = decisions[number % (len(decisions) - 1)]
    found = judged(evaluator, decision.spot, DEEP, np.random.default_rng([seed, number, 0]))
    mine = next(one for one in found if one.letters == decision.letters)
    return {"street": decision.spot.street, "lost": found[0].value - mine.value}


def _found(values: Sequence[float]) -> str:
    found = interval(values)
    return f"{found.mean:.3f} ± {found.off:.3f}"


def _spent(times: list[float]) -> str:
    slowest = quantiles(times, n=100)[98] if len(times) > 1 else times[0]
    return f"ms: median {median(times):.1f}, mean {fmean(times):.1f}, 99 % {slowest:.1f}, most {max(times):.1f}"


PARTS: dict[str, tuple[Callable[[Run], None], int]] = {
    "solo": (solo, 3_000),
    "depth": (depth, 1_000),
    "time": (growth, 100),
    "duel": (duels, 1_000),
    "order": (order, 40),
    "last": (last, 1_000),
    "rows": (against_steps, 2_000),
    "loss": (loss, 40),
    "coverage": (coverage, 34),
    "fantasyland": (fantasyland, 400),
    "worth": (worth, 150),
    "sample": (sample, 256),
    "setting": (settings, 300),
}
"""The parts, each with its default number of hands, decks, positions or deals."""


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    explained = [
        textwrap.fill(f"{name} ({count:,}): {measure.__doc__}", 78, initial_indent="  ", subsequent_indent="      ")
        for name, (measure, count) in PARTS.items()
    ]
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.bench_solver",
        description="\n".join([__doc__ or "", "", "Parts, each with its default count:", "", *explained]),
        epilog=examples("--part solo --count 500", "--part duel --game classic --other club --keep results"),
        formatter_class=HelpFormatter,
    )
    parser.add_argument(
        "--part",
        choices=PARTS,
        action="append",
        metavar="PART",
        help="part to measure, from the list above; repeat the option for more (default: all)",
    )
    parser.add_argument(
        "--game",
        choices=(*PRESETS, "all"),
        default=PINEAPPLE.key,
        metavar="GAME",
        help="the game (`python -m bot games` lists them), or all",
    )
    parser.add_argument(
        "--count", type=int, help="hands, decks, positions or deals to measure (default: see the list above)"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the decks")
    parser.add_argument("--keep", type=Path, help="folder for each hand's result, so that a later run can resume")
    parser.add_argument(
        "--other",
        choices=("club", "casual", *YARDSTICKS),
        action="append",
        help="opponent in duel, order and setting; repeat the option for more (default: all)",
    )
    parser.add_argument("--plot", type=Path, help="time: picture (.png) to draw of the strength by time per decision")
    return parser


def main() -> None:
    """Measure the selected parts, by default all."""
    args = parser().parse_args()
    for part in args.part or PARTS:
        measure, usual = PARTS[part]
        for game in PRESETS if args.game == "all" else (args.game,):
            measure(
                Run(
                    variant=PRESETS[game],
                    count=args.count or usual,
                    seed=args.seed,
                    keep=args.keep,
                    others=args.other or (),
                    plot=args.plot,
                )
            )


if __name__ == "__main__":
    main()
