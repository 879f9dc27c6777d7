"""Check stated errors by estimating losses again, with other cards and with a deeper search.

Each loss belongs to a placement that a casual player might choose. It's estimated by a review, by a second review with
other deals and opponents' boards, and by an independent search. The search looks one street further ahead. Half of its
cards are used to choose, and the other half to judge. On the last two streets, it uses eight times as many opponents'
boards.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import hypot, sqrt
from statistics import fmean, median

from benchmarks.rows import by_network, evaluator_of_game
from bot.base.solver_data import load_arrays
from bot.pure.ofc.cards import Card, full_deck
from bot.pure.ofc.hand import Hand, PlaceCards, decide, evolve, start
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView, view_for
from bot.pure.solver.comparison import compare, error_by_sets
from bot.pure.solver.evaluator import Evaluator
from bot.pure.solver.levels import MASTER, Computers
from bot.pure.solver.search import Effort, judged
from bot.pure.solver.visible_cards import build_spot, reviewed_spot, seeded_generator
from bot.pure.trainer.deeper import MANY_BOARDS, deeper_values

AGAIN, DEEPER = 101, 102
"""Salts that draw other cards."""
DEALS = 2400
SEATS = (1, 2, 3)
"""Solo, heads-up and three-handed."""
MIN_ERROR, EQUAL = 0.1, 1e-3
FURTHER = Effort(rounds=(*MASTER.rounds, (2, 9_600)))
"""Gives two promising placements seven times as many deals as a master's whole search."""
QUICK = Effort(rounds=((6, 24), (3, 96)))
"""The effort for a review's own choice, which isn't measured here."""


@dataclass(frozen=True, slots=True)
class Loss:
    """Points lost to all opponents together, with the standard error."""

    points: float
    error: float

    def near(self, other: Loss) -> bool:
        """True if the losses differ by at most two stated errors.

        The tolerance is at least a tenth of a point.
        """
        stated = 2 * hypot(self.error, other.error)
        return abs(self.points - other.points) <= (max(stated, MIN_ERROR) if stated else EQUAL)


def reviewed_again(variant: Variant, seats: int, street: int, seed: int, number: int) -> dict[str, float]:
    """Return one loss by all three estimates."""
    evaluator = evaluator_of_game(variant)
    view = view_of(variant, seats, street, random.Random(f"coverage:{seed}:{seats}:{street}:{number}"), number)
    best = computers_of(variant).evaluate(view, QUICK)
    placed = best[1 + number % 3].letters if len(best) > 3 else best[-1].letters
    pair = placed, best[0].letters
    told, again = (_review(evaluator, view, pair, salt) for salt in (15, AGAIN))
    deep = _deeper(evaluator, view, pair)
    others = max(1, seats - 1)
    return {
        "loss": told.points * others,
        "error": told.error * others,
        "again": again.points * others,
        "again_error": again.error * others,
        "deep": deep.points * others,
        "deep_error": deep.error * others,
        "covered_again": float(told.near(again)),
        "covered": float(told.near(deep)),
    }


def covered(rows: Sequence[Mapping[str, float]]) -> str:
    """Return a summary of how many losses are within their stated errors."""
    loss, error = (median(row[key] for row in rows) for key in ("loss", "error"))
    told = []
    for name, within, other in (("again", "covered_again", "again"), ("deeper", "covered", "deep")):
        apart = rms([row["loss"] - row[other] for row in rows])
        stated = rms([hypot(row["error"], row[f"{other}_error"]) for row in rows])
        inside = sum(row[within] for row in rows)
        told.append(
            f"{name} {inside:.0f} ({inside / len(rows):.1%}) within two errors, {apart:.2f} apart (rms) where "
            f"{stated:.2f} is stated"
        )
    return f"{len(rows)} losses, median {loss:.2f} with error {error:.2f}: {', '.join(told)}"


def lost_by(variant: Variant, seats: int, street: int, seed: int, number: int) -> dict[str, float]:
    """Return a master's loss in one decision against a deeper search with other cards.

    A third set of cards judges it.
    """
    evaluator = evaluator_of_game(variant)
    view = view_of(variant, seats, street, random.Random(f"loss:{seed}:{seats}:{street}:{number}"), number)
    letters = computers_of(variant).evaluate(view)[0].letters
    spot = build_spot(view, evaluator, DEEPER, boards=MANY_BOARDS)
    found = judged(evaluator, spot, FURTHER, seeded_generator(view, DEEPER))
    return {"lost": _review(evaluator, view, (letters, found[0].letters), AGAIN).points * max(1, seats - 1)}


def rms(values: Sequence[float]) -> float:
    """Return the root mean square."""
    return sqrt(fmean(value**2 for value in values))


_known: dict[str, Computers] = {}


def computers_of(variant: Variant) -> Computers:
    return _known.setdefault(variant.key, Computers(load_arrays))


def view_of(variant: Variant, seats: int, street: int, chance: random.Random, number: int) -> HandView:
    """Return a seat's view on a street of a hand played by the networks. The seats take turns."""
    deck: list[Card] = list(full_deck(decks=variant.decks, jokers=variant.jokers))
    chance.shuffle(deck)
    names = [str(seat) for seat in range(seats)]
    hand = Hand(variant=variant, deck=tuple(deck))
    opening = start(variant, hand.deck, players=names, fantasyland=[0] * seats, button=seats - 1)
    hand = reduce(evolve, opening, hand)
    while True:
        seat = hand.waiting[0]
        view = view_for(hand, names[seat])
        if hand.street == street and seat == number % seats:
            return view
        hand = reduce(evolve, decide(hand, PlaceCards(seat=seat, rows=by_network(view))), hand)


def _review(evaluator: Evaluator, view: HandView, pair: tuple[str, str], salt: int) -> Loss:
    """Return the loss as stated by a review."""
    spot = reviewed_spot(view, evaluator, salt)
    found = compare(evaluator, spot, *pair, chance=seeded_generator(view, salt), deals=DEALS)
    return Loss(found.loss, found.error)


def _deeper(evaluator: Evaluator, view: HandView, pair: tuple[str, str]) -> Loss:
    each, sets = deeper_values(evaluator, view, pair, salt=DEEPER)
    return Loss(float((each[1] - each[0]).mean()), error_by_sets(each[1] - each[0], sets))
