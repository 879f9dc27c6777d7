"""Ratings of players of known strength: ``python -m benchmarks.bench_rating``, after ``make bench-rating``.

``pineapple_scores.txt`` has the scores of three casual computers in 5,000 hands of Pineapple, in the order of play, so
that each Fantasyland follows the hand that earned it. From these, servers of forty players are simulated. Three players
sit down together and play twenty consecutive hands from the file. At some of the tables, they're about equally strong.
The difference in strength from each opponent is added to the scores.

Each system sees every hand in order. The output has the rank correlation of its ratings with the strengths. It also has
the information gained about the next hand, as the log-likelihood compared with "all are equal". Scale and deviation are
fitted on half of the servers and tested on the others. For our system, it also shows how often the interval contains
the strength.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import floor, log
from pathlib import Path
from random import Random
from statistics import correlation, fmean, stdev
from typing import Protocol

from benchmarks import glicko
from bot.base.command_help import HelpFormatter, examples
from bot.pure.rating.model import GROUPS, NEWCOMER, Luck, Rating, Score, pairs, taught

SCORES = Path(__file__).parent / "pineapple_scores.txt"
PLAYERS, SEATS, TOGETHER = 40, 3, 20
NEIGHBOURS = 6
"""Number of neighbours in strength on each side from which a table of equals is drawn."""
MARKS = (25, 100, 300, 1000)
"""Hands per player, on average."""
HANDS = MARKS[-1] * PLAYERS // SEATS
"""Hands per server."""


class System(Protocol):
    """A rating system that learns from the points of one hand at a time."""

    def worth(self, player: int) -> float: ...
    def learn(self, seated: Sequence[int], points: Sequence[int]) -> None: ...


class Ours:
    """The model of :mod:`bot.pure.rating`."""

    def __init__(self) -> None:
        self.ratings: dict[str, Rating] = {}
        self.luck = Luck()
        self.together = Counter[tuple[str, str]]()

    def rating(self, player: int) -> Rating:
        """Return the rating of ``player``."""
        return self.ratings.get(str(player), NEWCOMER)

    def worth(self, player: int) -> float:
        return self.rating(player).mean

    def learn(self, seated: Sequence[int], points: Sequence[int]) -> None:
        scores = [Score(player=str(player), points=own) for player, own in zip(seated, points, strict=True)]
        after = taught(GROUPS["pineapple"], [scores], self.ratings, self.luck, self.together, at=0)
        self.together.update(pairs(scores))
        self.ratings.update(after.ratings)
        self.luck = after.luck


class Mean:
    """Points per hand, regardless of the opponents."""

    def __init__(self) -> None:
        self.sums = [[0.0, 0] for _ in range(PLAYERS)]

    def worth(self, player: int) -> float:
        points, hands = self.sums[player]
        return points / hands if hands else 0.0

    def learn(self, seated: Sequence[int], points: Sequence[int]) -> None:
        for player, own in zip(seated, points, strict=True):
            self.sums[player][0] += own / len(points)
            self.sums[player][1] += 1


class OpenSkill:
    """openskill's Plackett-Luce with default settings."""

    def __init__(self) -> None:
        from openskill.models import PlackettLuce

        self.model = PlackettLuce()
        self.ratings = [self.model.rating() for _ in range(PLAYERS)]

    def worth(self, player: int) -> float:
        return float(self.ratings[player].mu)

    def learn(self, seated: Sequence[int], points: Sequence[int]) -> None:
        teams = [[self.ratings[player]] for player in seated]
        for player, [rating] in zip(seated, self.model.rate(teams, scores=[float(own) for own in points]), strict=True):
            self.ratings[player] = rating


class TrueSkill:
    """TrueSkill with default settings."""

    def __init__(self) -> None:
        import trueskill

        self.world = trueskill.TrueSkill()
        self.ratings = [self.world.create_rating() for _ in range(PLAYERS)]

    def worth(self, player: int) -> float:
        return float(self.ratings[player].mu)

    def learn(self, seated: Sequence[int], points: Sequence[int]) -> None:
        ranks = [-own for own in points]
        for player, (rating,) in zip(
            seated, self.world.rate([(self.ratings[player],) for player in seated], ranks=ranks), strict=True
        ):
            self.ratings[player] = rating


class Glicko:
    """Glicko-2 with default settings. Every hand is a rating period with all opponents at the table."""

    def __init__(self) -> None:
        self.players = [glicko.Player() for _ in range(PLAYERS)]

    def worth(self, player: int) -> float:
        return self.players[player].rating

    def learn(self, seated: Sequence[int], points: Sequence[int]) -> None:
        before = [self.players[player] for player in seated]
        for player, own in zip(seated, points, strict=True):
            met = [
                (other, (own > theirs) + (own == theirs) / 2)
                for number, other, theirs in zip(seated, before, points, strict=True)
                if number != player
            ]
            self.players[player] = glicko.after(self.players[player], met)


SYSTEMS: Mapping[str, Callable[[], System]] = {
    "ours": Ours,
    "points per hand": Mean,
    "openskill": OpenSkill,
    "TrueSkill": TrueSkill,
    "Glicko-2": Glicko,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One hand of a server."""

    seated: tuple[int, ...]
    points: tuple[int, ...]


@dataclass(slots=True, kw_only=True)
class Found:
    """Results of a system over all servers."""

    correlations: dict[int, list[float]] = field(default_factory=lambda: {mark: [] for mark in MARKS})
    predictions: dict[int, list[list[tuple[tuple[float, ...], tuple[float, ...]]]]] = field(
        default_factory=lambda: {mark: [] for mark in MARKS[1:]}
    )
    """Pairs of ratings before a hand and its forms, both with mean 0, for each server, keyed by the next mark."""
    held: dict[int, list[bool]] = field(default_factory=lambda: {mark: [] for mark in MARKS})
    offs: dict[int, list[float]] = field(default_factory=lambda: {mark: [] for mark in MARKS})
    seconds: float = 0.0


def read_scores() -> list[tuple[int, ...]]:
    """Return the scores of the computers, one row per hand."""
    return [tuple(map(int, line.split())) for line in SCORES.read_text(encoding="utf-8").splitlines()]


def strengths(chance: Random, spread: float) -> list[float]:
    """Return the strengths of a server's players in ascending order."""
    return sorted(chance.gauss(0, spread) for _ in range(PLAYERS))


def hands(
    chance: Random, strength: Sequence[float], scores: Sequence[Sequence[int]], *, near: float
) -> Iterator[Played]:
    """Yield the hands of a server; ``near`` is the share of tables of equals."""
    left = HANDS
    while left > 0:
        seated = _table(chance, near)
        first, order = chance.randrange(len(scores) - TOGETHER), chance.sample(range(SEATS), SEATS)
        skills = [strength[player] for player in seated]
        for row in scores[first : first + min(TOGETHER, left)]:
            yield Played(seated=seated, points=points_of(chance, row, order, skills))
        left -= TOGETHER


def points_of(chance: Random, row: Sequence[int], order: Sequence[int], skills: Sequence[float]) -> tuple[int, ...]:
    """Return the points of a hand: the computers' scores, seated in the given ``order`` and adjusted for skill."""
    exact = [row[seat] + SEATS * skill - sum(skills) for seat, skill in zip(order, skills, strict=True)]
    points = [floor(own + chance.random()) for own in exact]
    points[chance.randrange(SEATS)] -= sum(points)
    return tuple(points)


def _table(chance: Random, share: float) -> tuple[int, ...]:
    first = chance.randrange(PLAYERS)
    near = range(max(0, first - NEIGHBOURS), min(PLAYERS, first + NEIGHBOURS + 1))
    others = [player for player in (near if chance.random() < share else range(PLAYERS)) if player != first]
    return (first, *chance.sample(others, SEATS - 1))


def follow(system: System, strength: Sequence[float], played: Sequence[Played], found: Found) -> None:
    """Feed a system all hands of a server, and record its ratings and predictions."""
    marks = iter(MARKS)
    mark: int | None = next(marks)
    for number, one in enumerate(played, 1):
        if mark in found.predictions:
            if len(found.predictions[mark]) == len(found.correlations[MARKS[MARKS.index(mark) - 1]]) - 1:
                found.predictions[mark].append([])
            said = _centred([system.worth(player) for player in one.seated])
            forms = tuple(own / SEATS for own in one.points)
            found.predictions[mark][-1].append((said, forms))
        began = time.thread_time()
        system.learn(one.seated, one.points)
        found.seconds += time.thread_time() - began
        if mark is not None and number >= mark * PLAYERS // SEATS:
            _note(system, strength, mark, found)
            mark = next(marks, None)


def _note(system: System, strength: Sequence[float], mark: int, found: Found) -> None:
    said = [system.worth(player) for player in range(PLAYERS)]
    found.correlations[mark].append(correlation(_ranks(said), _ranks(strength)))
    if isinstance(system, Ours):
        middle = fmean(strength)
        for player, true in enumerate(strength):
            rating = system.rating(player)
            found.held[mark].append(abs(rating.mean - (true - middle)) < rating.off)
            found.offs[mark].append(rating.off)


def _centred(values: Sequence[float]) -> tuple[float, ...]:
    middle = fmean(values)
    return tuple(value - middle for value in values)


def _ranks(values: Sequence[float]) -> list[float]:
    """Return the rank of each value. Equal values share the average rank."""
    return [sum((other < one) + (other == one) / 2 for other in values) for one in values]


def gain(servers: Sequence[Sequence[tuple[tuple[float, ...], tuple[float, ...]]]]) -> list[float]:
    """Return the log-likelihood that ratings add, in nats per 1,000 hands, for each server in the second half.

    Scale and deviation are fitted to the first half. The baseline assumes that all players are equal.
    """
    half = len(servers) // 2
    fitted = [pair for server in servers[:half] for pair in server]
    scale = sum(_dot(s, f) for s, f in fitted) / sum(_dot(s, s) for s, _ in fitted)
    freedom = SEATS - 1
    with_ratings = fmean(_rest(s, f, scale) for s, f in fitted) / freedom
    without = fmean(_dot(f, f) for _, f in fitted) / freedom
    return [
        1000
        * fmean(
            (_dot(f, f) / without - _rest(s, f, scale) / with_ratings) / 2 + freedom * log(without / with_ratings) / 2
            for s, f in server
        )
        for server in servers[half:]
    ]


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def _rest(said: Sequence[float], forms: Sequence[float], scale: float) -> float:
    return sum((form - scale * own) ** 2 for own, form in zip(said, forms, strict=True))


def report(found: Mapping[str, Found], servers: int) -> str:
    """Return the tables to print."""
    lines = [
        f"{servers * HANDS:,} hands of {servers} servers",
        "",
        "rank correlation with strength after hands a player",
    ]
    lines.append(f"{'':16}" + "".join(f"{mark:>16,}" for mark in MARKS) + f"{'µs a hand':>12}")
    for name, one in found.items():
        cells = "".join(f"{_with_error(one.correlations[mark], 3):>16}" for mark in MARKS)
        lines.append(f"{name:16}{cells}{1e6 * one.seconds / (servers * HANDS):>12.0f}")
    lines += ["", "nats that ratings add to 1,000 hands held out, up to hands a player"]
    lines.append(f"{'':32}" + "".join(f"{mark:>16,}" for mark in MARKS[1:]))
    for name, one in found.items():
        cells = "".join(f"{_with_error(gain(one.predictions[mark]), 1):>16}" for mark in MARKS[1:])
        lines.append(f"{name:32}{cells}")
    ours = found["ours"]
    lines += ["", "ours: strengths within the interval, and its width to each side"]
    lines += [f"{mark:>6,}: {fmean(ours.held[mark]):.1%}, ± {fmean(ours.offs[mark]):.2f}" for mark in MARKS]
    return "\n".join(lines)


def _with_error(values: Sequence[float], digits: int) -> str:
    error = stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return f"{fmean(values):.{digits}f} ± {error:.{digits}f}"


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.bench_rating",
        description=__doc__,
        epilog=examples("", "--servers 4 --near 0.5 --systems ours"),
        formatter_class=HelpFormatter,
    )
    parser.add_argument("--servers", type=int, default=15, help="servers to simulate, with 13,333 hands each")
    parser.add_argument(
        "--spread", type=float, default=1.5, help="standard deviation of the players' strengths, in points per hand"
    )
    parser.add_argument("--near", type=float, default=0.0, help="share of tables of about equally strong players")
    parser.add_argument("--seed", type=int, default=1, help="seed of the simulation")
    parser.add_argument("--systems", nargs="+", choices=SYSTEMS, default=list(SYSTEMS), help="rating systems")
    return parser


def main() -> None:
    """Simulate, rate, and print the results."""
    options = parser().parse_args()
    scores = read_scores()
    found = {name: Found() for name in options.systems}
    for server in range(options.servers):
        chance = Random(f"{options.seed}:{server}")
        strength = strengths(chance, options.spread)
        played = list(hands(chance, strength, scores, near=options.near))
        for name, one in found.items():
            follow(SYSTEMS[name](), strength, played, one)
    print(report(found, options.servers))


if __name__ == "__main__":
    main()
