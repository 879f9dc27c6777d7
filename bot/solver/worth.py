"""What it is worth to be in Fantasyland, in points against each opponent.

Somebody in Fantasyland wins what the arranged board is paid and what its rows win, and loses what an ordinary board is
paid. They stay with some chance; meanwhile the others may enter themselves. What entering with so many cards is worth
follows from all these together: one equation for each number of cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from bot.ofc.cards import Card, full_deck
from bot.ofc.fantasyland import stays
from bot.ofc.placement import place
from bot.ofc.rows import EMPTY, ROWS
from bot.ofc.scoring import in_order, resolve
from bot.ofc.variants import Variant
from bot.solver.arrange import best_arrangement
from bot.solver.boards import board_of, counts_of, mixed
from bot.solver.lookahead import drawn
from bot.solver.outcomes import ENTERS, ENTRIES, ROYALTIES, Rivals, Scorer
from bot.solver.rowtables import Floats

SAMPLE = 120
"""How many deals are arranged for a house's own Fantasyland."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arranged:
    """What boards arranged from some number of cards come to."""

    royalties: float
    stays: float
    """How often they stay, 0-1."""
    wins: Floats
    """How often a row of each step of strength beats theirs: (3, steps)."""


def arranged(variant: Variant, cards: int, *, deals: int = SAMPLE) -> Arranged:
    """What boards of this game come to, from a fixed sample of deals."""
    deck = counts_of(full_deck(decks=variant.decks, jokers=variant.jokers))
    sample = drawn(deck[None], cards, deals, np.random.default_rng(cards))[0]
    scorer = Scorer(variant)
    boards, paid, kept = [], 0, 0
    for held in sample:
        cards_held = tuple(map(Card, held.tolist()))
        rows, _ = place(EMPTY, cards_held, best_arrangement(variant, cards_held))
        strengths = resolve(variant, rows)
        legal = in_order(variant, strengths)
        boards.append(board_of(rows))
        paid += legal * sum(variant.royalties.of(row, made) for row, made in zip(ROWS, strengths, strict=True))
        kept += legal and variant.fantasyland is not None and stays(variant.fantasyland, strengths)
    rivals = scorer.rivals_from(mixed(boards), deals)
    return Arranged(royalties=paid / deals, stays=kept / deals, wins=rivals.wins[0])


def shares(wins: Floats) -> Floats:
    """How often a rival's row is in each step, from how often a row of each step beats it: (3, steps)."""
    found = np.zeros_like(wins)
    below = np.zeros(len(wins), dtype=wins.dtype)
    for step in range(wins.shape[1]):
        found[:, step] = np.maximum(0, 2 * (wins[:, step] - below))
        below += found[:, step]
    total: Floats = np.maximum(found.sum(axis=1, keepdims=True), 1e-6)
    return found / total


def _row_points(variant: Variant, wins: Floats, usual: Rivals) -> float:
    """What the rows of an arranged board win against an ordinary one."""
    chance = (shares(wins) * usual.wins[0]).sum(axis=1)
    scoop = chance.prod() - (1 - chance).prod()
    legal = variant.row_point * (2 * chance - 1).sum() + variant.scoop_bonus * scoop
    return float((1 - usual.fouls[0]) * legal + usual.fouls[0] * variant.foul_points)


def fantasyland_worth(
    variant: Variant, known: Mapping[int, Arranged], usual: Rivals, ordinary: Floats
) -> Mapping[int, float]:
    """By number of cards, what entering is worth. ``ordinary`` is what an ordinary board comes to on average."""
    rule = variant.fantasyland
    if rule is None:
        return {}
    numbers = rule.numbers
    ways = np.array(entry_cards(variant))
    enters = np.array([ordinary[ENTERS:][ways == number].sum() for number in numbers])
    gains, matrix = [], np.eye(len(numbers))
    for line, number in enumerate(numbers):
        board = known[number]
        gains.append(board.royalties + _row_points(variant, board.wins, usual) - float(ordinary[ROYALTIES]))
        matrix[line] += enters
        matrix[line, numbers.index(rule.stay_cards or number)] -= board.stays
    return dict(zip(numbers, np.linalg.solve(matrix, np.array(gains)).tolist(), strict=True))


def entry_cards(variant: Variant) -> tuple[int, ...]:
    """The cards dealt for each way to enter, in the order of ``ENTRIES``; 0 where that does not enter."""
    rule = variant.fantasyland
    if rule is None:
        return (0,) * len(ENTRIES)
    lowest = min((number for rank, number in rule.entry.items() if rank), default=0)
    queens, kings, aces, trips = (rule.entry.get(rank, 0) for rank in (12, 13, 14, 0))
    return queens or lowest, kings, aces, trips, rule.wheel_cards, max(rule.both_cards, rule.wheel_cards)
