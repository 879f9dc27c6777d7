"""Fit values from the last street backwards: ``python -m study.values GAME``.

For each street, boards from play are played out several times by the networks of later streets, with cards dealt from
the unseen ones. The last street is computed exactly if possible. The network is fitted to the mean. The next round's
hands are played by this round's networks. Some players overvalue Fantasyland and some cards are placed at random, so
that the networks also learn boards that good players wouldn't make yet.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.base.command_help import HelpFormatter, examples
from bot.pure.ofc.presets import PRESETS
from bot.pure.solver.boards import Boards, children, mixed
from bot.pure.solver.lookahead import LastStreet, ahead, drawn, likely_ways, without
from bot.pure.solver.network import Deals, Features, Network, Weights, weights_from
from bot.pure.solver.outcomes import ENTERS, PARTS, ROW_POINTS, ROYALTIES, OpponentBoards, nobody
from bot.pure.solver.row_tables import Floats, kinds
from study.files import weighted_mean
from study.fit import Examples, fitted
from study.games import Nets, Seat, Table, mean, merged

OWN = 32
"""Boards played out per rival."""
LIKELY = 2
"""Placements per deal that are evaluated exactly, if possible."""
LAST_DEALS = 8
"""Deals of the last street per played-out board."""
_TOGETHER = 4000
"""Boards played out per batch."""


def say(text: str) -> None:
    """Print a line with the time."""
    print(time.strftime("%H:%M:%S"), text, flush=True)


def objective(worth: Sequence[float]) -> Floats:
    """Return the weights of an outcome's columns. ``worth`` has one value per way to enter, or one for all."""
    weights = np.zeros(PARTS, np.float32)
    weights[ROYALTIES] = weights[ROW_POINTS] = 1
    weights[ENTERS:] = worth
    return weights


class Round:
    """A training round. It plays hands, samples rivals, and fits new networks from the last street to the first."""

    def __init__(
        self,
        table: Table,
        features: Features,
        nets: dict[int, Network],
        *,
        size: int,
        deals: int,
        rivals: int,
        hidden: tuple[int, int],
        streets: Collection[int],
    ) -> None:
        self.table = table
        self.features = features
        self.nets = nets
        self.size = size
        self.deals = deals
        self.rivals = rivals
        self.hidden = hidden
        self.streets = streets
        self.last = len(table.variant.streets)
        self.others = table.variant.min_seats - 1
        """Minimum number of opponents."""
        self.end = LastStreet(table.scorer, table.variant.streets[-1], table.weights)

    def run(self, *, stray: float, passes: int, starts: dict[int, Weights]) -> dict[int, Network]:
        """Return the new networks by street."""
        table = self.table
        count = self.size // table.variant.min_seats
        positions: dict[int, list[tuple[Seat, Boards]]] = {}
        for _ in range(0, count, 5000):
            for street, seats in table.hands(min(5000, count), self.nets, stray=stray).items():
                positions.setdefault(street, []).extend(seats)
        say(f"hands {count}")
        last = len(table.variant.streets)
        rivals = {street: self._rivals(positions[street], street) for street in range(1, last)}
        table.usual = mean(rivals[1])
        say(f"rivals, usual one fouls {table.usual.fouls[0]:.3f}")
        fresh: dict[int, Network] = {}
        for street in range(last - 1, 0, -1):
            if street not in self.streets:
                fresh[street] = self.nets[street]
                continue
            examples = self._examples(positions[street], rivals[street], street, fresh)
            say(f"street {street}: {len(examples)} examples, mean {examples.parts.mean(axis=0).round(3)}")
            weights = fitted(
                self.features,
                examples,
                table.weights,
                hidden=self.hidden,
                passes=passes,
                start=starts.get(street),
                say=say,
                seed=street,
            )
            fresh[street] = Network(self.features, weights)
        return fresh

    def _rivals(self, seats: list[tuple[Seat, Boards]], street: int) -> OpponentBoards:
        """Return the outcomes of opponents' boards on this street, played out by this round's players.

        With several opponents, each rival is the mean of that number.
        """
        table = self.table
        found = []
        for seat, rival in seats[:2]:
            some = np.repeat(np.arange(min(self.rivals, len(rival))), OWN)
            after = street if kinds_full(rival) == expected(table, street) else street - 1
            done = table.played_out(rival.at(some), seat.unseen[some], self.nets, after=after)
            found.append(table.scorer.rivals_from(done, OWN))
        each = merged(found)
        if self.others == 1:
            return each
        some = table.chance.integers(0, len(each.fouls), (len(each.fouls), self.others))
        return OpponentBoards(each.fouls[some].mean(axis=1), each.wins[some].mean(axis=1))

    def _examples(
        self, seats: list[tuple[Seat, Boards]], rivals: OpponentBoards, street: int, nets: dict[int, Network]
    ) -> Examples:
        boards = mixed([seat.boards for seat, _ in seats])
        unseen = np.concatenate([seat.unseen for seat, _ in seats])
        chance = self.table.chance
        usual = self.table.usual or nobody(1)
        everybody = merged([rivals, nobody(1) if self.others == 1 else usual, usual])
        count = len(boards)
        which = chance.integers(0, len(rivals.fouls), count)
        kind = chance.random(count)
        which = np.where(kind < 0.25, len(rivals.fouls), np.where(kind < 0.45, len(rivals.fouls) + 1, which))
        deals = Deals(unseen, everybody.at(which))
        return Examples(boards, deals, self._played(boards, deals, street, nets))

    def _played(self, boards: Boards, deals: Deals, street: int, nets: Nets) -> Floats:
        """Return the mean outcomes of boards on a street, played out by the networks of later streets."""
        found = np.empty((len(boards), PARTS), np.float32)
        step = max(1, _TOGETHER // self.deals)
        exact = street + 1 == self.last and self.end.exact
        for low in range(0, len(boards), step):
            some = boards.at(slice(low, low + step))
            own = np.arange(low, low + len(some))
            beside = Deals(deals.unseen[own], deals.rivals.at(own))
            if exact:
                found[own] = self.end.outcomes(some, beside, np.arange(len(some)))
                continue
            often = np.repeat(np.arange(len(some)), self.deals)
            ends = self._to_the_end(some.at(often), Deals(beside.unseen[often], beside.rivals.at(often)), street, nets)
            found[own] = ends.reshape(len(some), self.deals, PARTS).mean(axis=1)
        return found

    def _to_the_end(self, boards: Boards, deals: Deals, street: int, nets: Nets) -> Floats:
        """Return the outcome of each board with cards dealt from its unseen ones.

        Two streets before the last, the network only selects likely placements, which are then evaluated exactly.
        """
        left, rivals, weights = deals.unseen, deals.rivals, self.table.weights
        exactly = street + 2 == self.last and self.end.exact
        for number, rule in enumerate(self.table.variant.streets[street:-1], street + 1):
            cards = drawn(left, rule.deal, 1, self.table.chance)
            left = without(left, cards)
            beside = Deals(left, rivals)
            found = children(boards, cards, to_place=rule.to_place)
            values = nets[number].outcomes(found.boards, beside, found.parent) @ weights
            some = likely_ways(found, values, deals=1, keep=LIKELY if exactly else 1)[:, 0]
            if exactly:
                return self.end.best(found.boards, some, beside, found.parent)
            boards = found.boards.at(some[:, 0])
        rule = self.table.variant.streets[-1]
        cards = drawn(left, rule.deal, LAST_DEALS, self.table.chance)
        mean: Floats = ahead(boards, Deals(left, rivals), cards, self._scored, weights, to_place=rule.to_place).mean(
            axis=1
        )
        return mean

    def _scored(self, boards: Boards, deals: Deals, deal: NDArray[np.intp]) -> Floats:
        """Return the outcomes of full boards."""
        return self.table.scorer.outcomes(boards, deals.rivals, deal)


def kinds_full(boards: Boards) -> int:
    """Return the number of cards on the first board."""
    return int(kinds().size[boards.kinds[0]].sum())


def expected(table: Table, street: int) -> int:
    """Return the number of cards on a board after ``street``."""
    return sum(rule.to_place for rule in table.variant.streets[:street])


def solo(table: Table, nets: Nets, count: int) -> str:
    """Play solo hands with the networks, and return a summary of their outcomes."""
    found = table.hands(count, nets, stray=0)
    seat = found[len(table.variant.streets)]
    boards = mixed([player.boards for player, _ in seat])
    parts = table.scorer.outcomes(boards, nobody(len(boards)), np.arange(len(boards)))
    usual = parts @ table.weights
    return (
        f"U {usual.mean():.3f} +- {usual.std() / np.sqrt(len(usual)):.3f} royalties {parts[:, 1].mean():.2f} "
        f"foul {100 * parts[:, 0].mean():.1f}% enters {100 * parts[:, 3:].sum(axis=1).mean():.1f}%"
    )


def saved(path: Path, nets: Nets, table: Table) -> None:
    """Save the networks to ``path``."""
    arrays: dict[str, Any] = {}
    for street, net in nets.items():
        for place, layer in enumerate((net.weights.first, net.weights.second, net.weights.third)):
            arrays[f"{street}.{place}"] = layer
    assert table.usual
    np.savez(path, usual_fouls=table.usual.fouls, usual_wins=table.usual.wins, **arrays)


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m study.values",
        description=__doc__,
        epilog=examples(
            "pineapple --sizes 120000,250000 --seed 3",
            "pineapple --start values/pineapple-1.npz --first 2 --sizes 600000",
        ),
        formatter_class=HelpFormatter,
    )
    parser.add_argument("game", choices=PRESETS, metavar="GAME", help="the game (`python -m bot games` lists them)")
    parser.add_argument("--out", type=Path, default=Path("values"), help="folder for the networks, a file per round")
    parser.add_argument("--seed", type=int, default=1, help="seed of the decks and random placements")
    parser.add_argument(
        "--sizes", default="30000,100000,300000,600000", help="positions per street in each round, separated by commas"
    )
    parser.add_argument("--start", type=Path, nargs="+", help="files to continue from; several are averaged")
    parser.add_argument("--shares", type=float, nargs="+", default=[1.0], help="weight of each --start file")
    parser.add_argument("--first", type=int, default=0, help="number of the first round")
    parser.add_argument("--deals", type=int, default=8, help="deals to average per position")
    parser.add_argument("--passes", type=int, default=16, help="training passes over a round's positions")
    parser.add_argument("--hidden", type=int, nargs=2, default=(192, 48), help="units in a network's two hidden layers")
    parser.add_argument("--rivals", type=int, default=2000, help="opponents' boards per street and seat")
    parser.add_argument("--streets", type=int, nargs="+", help="streets to fit; others stay unchanged (default: all)")
    parser.add_argument(
        "--worth",
        type=float,
        nargs="+",
        default=[10.0],
        help="points per entry into Fantasyland, or one number per kind of entry",
    )
    return parser


def main() -> None:
    """Run the rounds, and save the networks after each."""
    args = parser().parse_args()
    table = Table(PRESETS[args.game], objective(args.worth), np.random.default_rng(args.seed))
    features = Features(table.scorer)
    nets: dict[int, Network] = {}
    args.out.mkdir(parents=True, exist_ok=True)
    if args.start:
        arrays = weighted_mean(args.start, args.shares)
        streets = range(1, len(table.variant.streets))
        nets = {street: Network(features, weights_from(arrays, str(street))) for street in streets}
        table.usual = OpponentBoards(arrays["usual_fouls"], arrays["usual_wins"])
    for number, size in enumerate(map(int, args.sizes.split(",")), args.first):
        starts = {street: net.weights for street, net in nets.items()}
        stray = 1.0 if not nets else (0.25, 0.15, 0.12)[min(number - 1, 2)]
        first, second = args.hidden
        nets = Round(
            table,
            features,
            nets,
            size=size,
            deals=args.deals,
            rivals=args.rivals,
            hidden=(first, second),
            streets=args.streets or range(1, len(table.variant.streets)),
        ).run(stray=stray, passes=args.passes, starts=starts)
        saved(args.out / f"{args.game}-{number}.npz", nets, table)
        played = {**nets}
        say(f"round {number}: {solo(table, played, 5000)}")


if __name__ == "__main__":
    main()
