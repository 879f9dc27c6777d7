"""Values from the last street backwards: ``python -m study.values GAME``.

For each street, boards that came up in play are looked ahead one street: exactly before the last, else over a few drawn
deals and with the network of the next street. The network is fitted to the mean. A round of this gives players whose
hands the next round starts from.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bot.ofc.presets import PRESETS
from bot.ofc.variants import MiddleRank, Street
from bot.solver.boards import Boards, children
from bot.solver.features import Deals, Features
from bot.solver.lookahead import LastStreet, ahead, best_ways, drawn, without
from bot.solver.network import Network, Weights, weights_from
from bot.solver.outcomes import ENTERS, PARTS, ROW_POINTS, ROYALTIES, Rivals, nobody
from bot.solver.rowtables import Floats, Ints, kinds
from study.exact import FastLast
from study.fit import Examples, fitted
from study.games import Nets, Seat, Table, mean, merged, mixed

OWN = 32
"""Boards played out for one rival."""


def say(text: str) -> None:
    """Print with the time."""
    print(time.strftime("%H:%M:%S"), text, flush=True)


def objective(worth: Sequence[float]) -> Floats:
    """What the columns of an outcome count for; ``worth`` is that of each way to enter, or of all."""
    weights = np.zeros(PARTS, np.float32)
    weights[ROYALTIES] = weights[ROW_POINTS] = 1
    weights[ENTERS:] = worth
    return weights


class Round:
    """One round: hands, rivals, and new networks from the last street to the first."""

    def __init__(
        self, table: Table, features: Features, nets: dict[int, Network], *, size: int, deals: int, rivals: int
    ) -> None:
        self.table = table
        self.features = features
        self.nets = nets
        self.size = size
        self.deals = deals
        self.rivals = rivals
        self.fast = _fast(table)

    def run(self, *, stray: float, passes: int, starts: dict[int, Weights]) -> dict[int, Network]:
        """New networks by street."""
        table = self.table
        count = self.size // 2
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
            examples = self._examples(positions[street], rivals[street], street, fresh)
            say(f"street {street}: {len(examples)} examples, mean {examples.parts.mean(axis=0).round(3)}")
            weights = fitted(
                self.features, examples, table.weights, passes=passes, start=starts.get(street), say=say, seed=street
            )
            fresh[street] = Network(self.features, weights)
        return fresh

    def _rivals(self, seats: list[tuple[Seat, Boards]], street: int) -> Rivals:
        """What opponents' boards of this street become, as this round's players play them out."""
        table = self.table
        found = []
        for seat, rival in seats[:2]:
            some = np.repeat(np.arange(min(self.rivals, len(rival))), OWN)
            after = street if kinds_full(rival) == expected(table, street) else street - 1
            done = table.played_out(rival.at(some), seat.unseen[some], self.nets, after=after)
            found.append(table.scorer.rivals_from(done, OWN))
        return merged(found)

    def _examples(
        self, seats: list[tuple[Seat, Boards]], rivals: Rivals, street: int, nets: dict[int, Network]
    ) -> Examples:
        boards = mixed([seat.boards for seat, _ in seats])
        unseen = np.concatenate([seat.unseen for seat, _ in seats])
        chance = self.table.chance
        everybody = merged([rivals, nobody(1), self.table.usual or nobody(1)])
        count = len(boards)
        which = chance.integers(0, len(rivals.fouls), count)
        kind = chance.random(count)
        which = np.where(kind < 0.25, len(rivals.fouls), np.where(kind < 0.45, len(rivals.fouls) + 1, which))
        deals = Deals(unseen, everybody.at(which))
        return Examples(boards, deals, self._looked_ahead(boards, deals, street, nets))

    def _looked_ahead(self, boards: Boards, deals: Deals, street: int, nets: Nets) -> Floats:
        table = self.table
        rule = table.variant.streets[street]
        final = street + 1 == len(table.variant.streets)
        last = LastStreet(table.scorer, rule, table.weights)
        if final and last.exact:
            return (self.fast or last).outcomes(boards, deals, np.arange(len(boards)))
        count = max(1, min(self.deals, 200000 // 30))
        found = np.empty((len(boards), PARTS), np.float32)
        step = max(1, 4000 // count)
        for low in range(0, len(boards), step):
            some = boards.at(slice(low, low + step))
            beside = Deals(deals.unseen[low : low + step], deals.rivals.at(np.arange(low, low + len(some))))
            cards = drawn(beside.unseen, rule.deal, count, table.chance)
            if self.fast and street + 2 == len(table.variant.streets):
                found[low : low + step] = self._unbiased(self.fast, some, beside, cards, nets[street + 1])
                continue
            if final:
                judge = lambda full, known, deal: table.scorer.outcomes(full, known.rivals, deal)  # noqa: E731
            else:
                judge = nets[street + 1].outcomes
            found[low : low + step] = ahead(some, beside, cards, judge, table.weights, lay=rule.lay).mean(axis=1)
        return found

    def _unbiased(self, fast: FastLast, boards: Boards, deals: Deals, cards: Ints, net: Network) -> Floats:
        """Two streets before the last: the network chooses, and what it has chosen is judged exactly.

        The best of many guesses is a guess too high; so fitted, one street's errors would be the next one's hopes.
        """
        found = children(boards, cards, lay=2)
        count = cards.shape[1]
        number = np.repeat(np.arange(len(boards)), count)
        beside = Deals(without(deals.unseen, cards), deals.rivals.at(number))
        guess = net.outcomes(found.boards, beside, found.parent * count + found.deal)
        best = best_ways(found, guess @ self.table.weights, deals=count).reshape(-1)
        exact = fast.outcomes(found.boards.at(best), beside, np.arange(len(best)))
        mean: Floats = exact.reshape(len(boards), count, PARTS).mean(axis=1)
        return mean


def _fast(table: Table) -> FastLast | None:
    """The compiled last street where the game allows it."""
    game = table.variant
    plain = not game.jokers and game.middle is MiddleRank.HIGH and not game.row_values and not game.strict_rows
    return FastLast(table.scorer, table.weights) if plain and game.streets[-1] == Street(3, 2) else None


def kinds_full(boards: Boards) -> int:
    """How many cards the first board holds."""
    return int(kinds().size[boards.kinds[0]].sum())


def expected(table: Table, street: int) -> int:
    """How many cards a board holds after a street."""
    return sum(rule.lay for rule in table.variant.streets[:street])


def solo(table: Table, nets: Nets, count: int) -> str:
    """Hands of one player alone who trusts the networks: what they come to."""
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
    """Write the networks."""
    arrays: dict[str, Any] = {}
    for street, net in nets.items():
        for place, layer in enumerate((net.weights.first, net.weights.second, net.weights.third)):
            arrays[f"{street}.{place}"] = layer
    assert table.usual
    np.savez(path, usual_fouls=table.usual.fouls, usual_wins=table.usual.wins, **arrays)


def main() -> None:
    """Round after round, each kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=PRESETS)
    parser.add_argument("--out", type=Path, default=Path("/tmp/values"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sizes", default="30000,100000,300000,600000", help="positions of each street, by round")
    parser.add_argument("--start", type=Path, help="go on from these networks")
    parser.add_argument("--first", type=int, default=0, help="the number of the first round")
    parser.add_argument("--deals", type=int, default=8)
    parser.add_argument("--rivals", type=int, default=2000, help="rivals of each street and seat")
    parser.add_argument("--worth", type=float, nargs="+", default=[10.0])
    args = parser.parse_args()
    table = Table(PRESETS[args.game], objective(args.worth), np.random.default_rng(args.seed))
    features = Features(table.scorer)
    nets: dict[int, Network] = {}
    args.out.mkdir(parents=True, exist_ok=True)
    if args.start:
        arrays = dict(np.load(args.start))
        streets = range(1, len(table.variant.streets))
        nets = {street: Network(features, weights_from(arrays, str(street))) for street in streets}
        table.usual = Rivals(arrays["usual_fouls"], arrays["usual_wins"])
    for number, size in enumerate(map(int, args.sizes.split(",")), args.first):
        starts = {street: net.weights for street, net in nets.items()}
        stray = 1.0 if not nets else (0.25, 0.15, 0.12)[min(number - 1, 2)]
        nets = Round(table, features, nets, size=size, deals=args.deals, rivals=args.rivals).run(
            stray=stray, passes=10 if number < 3 else 14, starts=starts
        )
        saved(args.out / f"{args.game}-{number}.npz", nets, table)
        played = {**nets}
        say(f"round {number}: {solo(table, played, 20000)}")


if __name__ == "__main__":
    main()
