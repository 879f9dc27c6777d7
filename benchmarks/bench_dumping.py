"""Ratings gained by chip dumping: ``make bench-dumping``.

Servers of 200 players with uneven activity use the scores of :mod:`benchmarks.bench_rating`. Most have played dozens of
hands, a few have played thousands. The output shows the true strength of the leaders, ranked by the mean and by the
lower bound of the rating. Then accomplices foul every hand against a new player, at 25 points each, and the output
shows the rating and rank that this buys. *Before* is the model without the wider luck for pairs and strangers.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from copy import deepcopy
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from statistics import fmean

from benchmarks.bench_rating import SEATS, TOGETHER, Ours, points_of, read_scores
from bot.base.command_help import HelpFormatter, examples
from bot.model.standings import LeaderboardOrder
from bot.pure.rating import model
from bot.pure.rating.model import GROUPS, SPREAD, Rating, Score, pairs, taught

PEOPLE = 200
MIN_HANDS = LeaderboardOrder.RATING.min_hands
FOUL = 25
"""Points that a fouled hand costs."""
BUYER = "buyer"
Worth = Callable[[Rating], float]
BY: dict[str, Worth] = {"mean": lambda rating: rating.mean, "least": lambda rating: rating.least}


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """A scheme with accomplices: the accounts that foul, in order. Those in ``known`` have played before."""

    name: str
    accounts: Sequence[str]


DEALS = (
    Deal(name="25 by one account", accounts=["new"] * 25),
    Deal(name="100 by one account", accounts=["new"] * 100),
    Deal(name="1,000 by one account", accounts=["new"] * 1000),
    Deal(name="100 by a hundred new accounts", accounts=[f"new {number}" for number in range(100)]),
    Deal(name="100 by five new accounts", accounts=[f"new {number // 20}" for number in range(100)]),
    Deal(name="400 by twenty new accounts", accounts=[f"new {number // 20}" for number in range(400)]),
    Deal(name="25 by one who is known", accounts=["known"] * 25),
    Deal(name="1,000 by one who is known", accounts=["known"] * 1000),
)


@contextmanager
def as_before() -> Iterator[None]:
    """Disable the model's wider luck for pairs and strangers."""
    pair, stranger = model.PAIR, model.STRANGER
    model.PAIR, model.STRANGER = 10**12, 0
    try:
        yield
    finally:
        model.PAIR, model.STRANGER = pair, stranger


def server(
    chance: Random, scores: Sequence[Sequence[int]], *, spread: float = SPREAD, hands: int = 150
) -> tuple[Ours, list[float]]:
    """Return a server after ``hands`` hands per player on average, and its players' true strengths."""
    strength = [chance.gauss(0, spread) for _ in range(PEOPLE)]
    keen = list(accumulate(math.exp(chance.gauss(0, 1)) for _ in strength))
    ours = Ours()
    for _ in range(PEOPLE * hands // SEATS // TOGETHER):
        seated = _seated(chance, keen)
        first, order = chance.randrange(len(scores) - TOGETHER), chance.sample(range(SEATS), SEATS)
        for row in scores[first : first + TOGETHER]:
            ours.learn(seated, points_of(chance, row, order, [strength[who] for who in seated]))
    return ours, strength


def _seated(chance: Random, keen: Sequence[float]) -> tuple[int, ...]:
    """Return a random table. Active players are drawn more often."""
    found: dict[int, None] = {}
    while len(found) < SEATS:
        found[chance.choices(range(PEOPLE), cum_weights=keen)[0]] = None
    return tuple(found)


def dumped(ours: Ours, deal: Deal) -> Rating:
    """Return a new player's rating after the accounts of ``deal`` have fouled against them."""
    known = max((player for player in ours.ratings), key=lambda player: ours.ratings[player].hands, default="known")
    for account in deal.accounts:
        loser = known if account == "known" else account
        hand = [Score(player=BUYER, points=FOUL), Score(player=loser, points=-FOUL)]
        after = taught(GROUPS["pineapple"], [hand], ours.ratings, ours.luck, ours.together, at=0)
        ours.ratings.update(after.ratings)
        ours.luck = after.luck
        ours.together.update(pairs(hand))
    return ours.ratings[BUYER]


def listed(ours: Ours, by: Worth) -> list[str]:
    """Return the players with enough hands, best first."""
    ranked = [player for player, rating in ours.ratings.items() if rating.hands >= MIN_HANDS]
    return sorted(ranked, key=lambda player: -by(ours.ratings[player]))


def _true_ranks(players: Sequence[str], strength: Sequence[float]) -> list[int]:
    return [1 + sum(other > strength[int(player)] for other in strength) for player in players]


def _leaders(servers: Sequence[tuple[Ours, list[float]]]) -> list[str]:
    lines = []
    for name, by in BY.items():
        tops = [_true_ranks(listed(ours, by)[:10], strength) for ours, strength in servers]
        ranks = ", ".join(str(top[0]) for top in tops)
        lines.append(f"  by {name:6} {ranks:40} the first ten: {fmean(fmean(top) for top in tops):.0f} on average")
    return lines


def _places(servers: Sequence[tuple[Ours, list[float]]], deal: Deal) -> str:
    """Return the rating that a deal buys on the servers, and the rank in each order."""
    ratings, places = [], {name: list[int]() for name in BY}
    for ours, _ in servers:
        bribed = deepcopy(ours)
        ratings.append(dumped(bribed, deal))
        for name, by in BY.items():
            places[name].append(1 + listed(bribed, by).index(BUYER))
    mean, off, least = (fmean(getattr(rating, name) for rating in ratings) for name in ("mean", "off", "least"))
    cells = "".join(f"{fmean(found):>12.1f}" for found in places.values())
    return f"{mean:+.1f} ± {off:.1f}, listed at {least:+.1f}{cells}"


def report(scores: Sequence[Sequence[int]], *, count: int, spread: float, hands: int, seed: int) -> str:
    """Return the tables to print."""
    lines = []
    for when, how in (("before", as_before), ("now", nullcontext)):
        with how():
            servers = [
                server(Random(f"{seed}:{number}"), scores, spread=spread, hands=hands) for number in range(count)
            ]
            best = fmean(ours.ratings[listed(ours, BY["least"])[0]].least for ours, _ in servers)
            ranked = fmean(len(listed(ours, BY["least"])) for ours, _ in servers)
            lines += [f"{when}: {count} servers of {PEOPLE}, of whom {ranked:.0f} are listed, the first at {best:+.1f}"]
            lines += [f"true ranks of those who lead, of {PEOPLE}", *_leaders(servers)]
            lines.append(f"{'dumped hands':32}{'rating':34}{'place: mean':>12}{'least':>12}")
            lines += [f"{deal.name:32}{_places(servers, deal)}" for deal in DEALS]
            lines.append("")
    return "\n".join(lines)


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.bench_dumping",
        description=__doc__,
        epilog=examples("", "--servers 20 --hands 400 --seed 2"),
        formatter_class=HelpFormatter,
    )
    parser.add_argument("--servers", type=int, default=8, help="servers to simulate")
    parser.add_argument(
        "--spread", type=float, default=SPREAD, help="standard deviation of the players' strengths, in points per hand"
    )
    parser.add_argument("--hands", type=int, default=150, help="average number of hands per player")
    parser.add_argument("--seed", type=int, default=1, help="seed of the simulation")
    return parser


def main() -> None:
    """Simulate the servers and schemes, and print the results."""
    options = parser().parse_args()
    print(report(read_scores(), count=options.servers, spread=options.spread, hands=options.hands, seed=options.seed))


if __name__ == "__main__":
    main()
