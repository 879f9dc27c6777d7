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

import numpy as np

from benchmarks.rows import by_network, evaluator_of_game
from bot.base.solver_data import load_arrays
from bot.pure.ofc.cards import Card, full_deck
from bot.pure.ofc.hand import Hand, PlaceCards, decide, evolve, start
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView, view_for
from bot.pure.solver.boards import Boards, children, patterns
from bot.pure.solver.comparison import compare, error_by_sets, standard_error
from bot.pure.solver.evaluator import Evaluator
from bot.pure.solver.levels import MASTER, Computers
from bot.pure.solver.lookahead import drawn, likely_ways, without
from bot.pure.solver.network import Deals
from bot.pure.solver.row_tables import Floats
from bot.pure.solver.search import Effort, Spot, judged, outcomes_of_each, search_ahead
from bot.pure.solver.visible_cards import OF_EACH_SET, SETS, build_spot, reviewed_spot, seeded_generator

AGAIN, DEEPER = 101, 102
"""Salts that draw other cards."""
DEALS = 2400
DEEP_DEALS, DEEP_MORE, DEEP_WAYS = 64, 12, 3
"""Deals, further deals after each, and placements per deal in the search one street further ahead."""
MANY_BOARDS = 512
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
    if evaluator.compares(view.street):
        spot = build_spot(view, evaluator, DEEPER, boards=MANY_BOARDS)
        each = outcomes_of_each(evaluator, spot, _placed(evaluator, spot, pair)) @ evaluator.weights
        return Loss(float((each[1] - each[0]).mean()), standard_error(each[1] - each[0]))
    spot = build_spot(view, evaluator, DEEPER, boards=SETS * OF_EACH_SET, sets=SETS)
    between = _further(evaluator, spot, _placed(evaluator, spot, pair), seeded_generator(view, DEEPER))
    return Loss(float(between.mean()), error_by_sets(between, len(spot.rivals.fouls)))


def _placed(evaluator: Evaluator, spot: Spot, pair: tuple[str, str]) -> Boards:
    rule = evaluator.variant.streets[spot.street - 1]
    found = children(spot.board, np.array([spot.held], dtype=np.int32), to_place=rule.to_place)
    ways = patterns(rule.deal, rule.to_place)
    letters = [ways.letters(int(pattern)) for pattern in found.pattern]
    return found.boards.at(np.array([letters.index(one) for one in pair], dtype=np.intp))


def _further(evaluator: Evaluator, spot: Spot, boards: Boards, chance: np.random.Generator) -> Floats:
    """Return the difference between two boards in each sampled deal, searched one street further ahead."""
    street = spot.street + 1
    rule = evaluator.variant.streets[street - 1]
    cards = drawn(spot.unseen[None], rule.deal, DEEP_DEALS, chance)
    found = children(boards, cards[0], to_place=rule.to_place)
    after = without(spot.unseen[None], cards)
    rivals = spot.rivals.at(np.arange(DEEP_DEALS) % len(spot.rivals.fouls))
    values = evaluator.expected(found.boards, Deals(after, rivals), found.deal, street=street) @ evaluator.weights
    some = likely_ways(found, values, deals=DEEP_DEALS, keep=DEEP_WAYS)
    between = np.empty(DEEP_DEALS)
    for deal in range(DEEP_DEALS):
        there = Spot(
            board=boards,
            held=(),
            street=street,
            unseen=after[deal],
            rivals=rivals.at(np.array([deal])),
        )
        between[deal] = np.diff(_best_of(evaluator, there, found.boards, some[:, deal], chance))[0]
    return between


def _best_of(
    evaluator: Evaluator, spot: Spot, boards: Boards, some: np.ndarray, chance: np.random.Generator
) -> Floats:
    """Return the value of each line's best placement, chosen with half of the cards and judged with the other half."""
    chosen = boards.at(some.reshape(-1))
    if evaluator.compares(spot.street):
        parts = evaluator.before_last.outcomes(
            chosen, Deals(spot.unseen[None], spot.rivals), np.zeros(len(chosen), np.intp)
        )
        best: Floats = (parts @ evaluator.weights).reshape(some.shape).max(axis=1)
        return best
    each = search_ahead(
        evaluator, spot, chosen, chance, draws=DEEP_MORE * (6 if spot.street == evaluator.last - 2 else 1)
    )
    values = (each @ evaluator.weights).reshape(*some.shape, -1)
    half = values.shape[-1] // 2
    best_ways = values[..., :half].mean(axis=-1).argmax(axis=1)
    judged: Floats = values[np.arange(len(some)), best_ways, half:].mean(axis=-1)
    return judged
