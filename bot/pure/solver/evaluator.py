"""Evaluation of one game: values of full and unfinished boards, typical opponents and the value of Fantasyland.

An evaluator combines a game with the arrays fitted for it, which the caller reads from a file. The file may be another
game's if both games deal the same streets, with or without jokers. Full boards are always valued by the game's own
rules.

The value of Fantasyland is in points per opponent. A player in Fantasyland gains the royalties and row points of their
arranged board, and pays an ordinary board's royalties. They stay with some probability, and opponents may enter in the
meantime. So the values for different numbers of cards depend on each other, and are found by solving a system of linear
equations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.pure.ofc.cards import EMPTY, ROWS, Card, full_deck
from bot.pure.ofc.placement import place
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.scoring import in_order, resolve, stays
from bot.pure.ofc.variants import Variant
from bot.pure.solver.arrange import best_arrangement
from bot.pure.solver.boards import Boards, children, counts_of, mixed, single_board
from bot.pure.solver.field import KnownOpponent
from bot.pure.solver.lookahead import LastStreet, best_ways, drawn
from bot.pure.solver.network import Deals, Features, Network, weights_from
from bot.pure.solver.outcomes import ENTERS, ENTRIES, PARTS, ROW_POINTS, ROYALTIES, OpponentBoards, Scorer, board_codes
from bot.pure.solver.row_tables import Floats, Ints

Arrays = Mapping[str, NDArray[Any]]
"""The arrays fitted for a game, by name."""
Files = Callable[[str], Arrays | None]
"""Loads the arrays fitted for a game by its key; returns None if there are none."""


SAMPLE = 128
"""Number of deals sampled for the Fantasyland of a custom game."""


def base_game(variant: Variant) -> str | None:
    """Return the key of the preset whose fitted values suit ``variant``; None if there is none.

    Both games deal the same streets, and either both have jokers or neither does. The numbers of jokers and decks may
    differ.
    """
    return next((game.key for game in PRESETS.values() if _dealt_alike(game) == _dealt_alike(variant)), None)


def _dealt_alike(variant: Variant) -> tuple[object, ...]:
    """Return a key that is equal for games that can share fitted values."""
    return variant.streets, variant.middle, bool(variant.jokers), bool(variant.row_values)


class Evaluator:
    """The evaluator of one game."""

    def __init__(self, variant: Variant, arrays: Arrays, worth: Mapping[int, float]) -> None:
        self.variant = variant
        self.scorer = Scorer(variant)
        self.worth = worth
        """Value of a Fantasyland in the next hand, by its number of cards (points per opponent)."""
        self.weights = objective(variant, worth)
        self._arrays = arrays
        self.usual = OpponentBoards(
            np.asarray(arrays["usual_fouls"], np.float32), np.asarray(arrays["usual_wins"], np.float32)
        )
        self._in_fantasyland = {
            int(name.removeprefix("wins_")): np.asarray(wins, np.float32)
            for name, wins in arrays.items()
            if name.startswith("wins_")
        }
        self._boards = {
            int(name.removeprefix("boards_")): codes for name, codes in arrays.items() if name.startswith("boards_")
        }
        self._beside: dict[tuple[int, bool], KnownOpponent] = {}
        self.last = len(variant.streets)
        self.before_last = LastStreet(self.scorer, variant.streets[-1], self.weights)

    @cached_property
    def networks(self) -> Mapping[int, Network]:
        """The networks by street. They load on first use, because setting whole boards doesn't need them."""
        features, streets = Features(self.scorer), range(1, len(self.variant.streets))
        return {street: Network(features, weights_from(self._arrays, str(street))) for street in streets}

    def rivals_in_fantasyland(self, cards: int) -> OpponentBoards:
        """Return the distribution of boards set from ``cards`` cards in Fantasyland."""
        wins = self._in_fantasyland.get(cards)
        return self.usual if wins is None else OpponentBoards(np.zeros(1, np.float32), wins[None])

    def counting(self, worth: Mapping[int, float]) -> Evaluator:
        """Return a copy of this evaluator with other values of Fantasyland. Both share the networks."""
        assert self.networks, "which both of them share"
        other = copy(self)
        other.worth, other.weights = worth, objective(self.variant, worth)
        other.before_last = LastStreet(self.scorer, self.variant.streets[-1], other.weights)
        return other

    def staying(self, cards: int) -> float:
        """Return the value of staying in a Fantasyland of ``cards`` cards (points per opponent)."""
        rule = self.variant.fantasyland
        return self.worth.get(rule.stay_cards or cards, 0.0) if rule else 0.0

    def opponent_boards(self, cards: int, *, others: bool = False) -> KnownOpponent | None:
        """Return sampled boards set from ``cards`` cards in Fantasyland, or played against one if ``cards`` is 0.

        Return None if there is no sample. ``others`` picks the half of the sample that isn't used to choose boards.
        """
        codes = self._boards.get(cards)
        if codes is None or not len(codes):
            return None
        if (cards, others) not in self._beside:
            front, middle, back = codes[others::2].T.astype(np.int32)
            self._beside[cards, others] = KnownOpponent(self.scorer, self.scorer.finals((front, middle, back)))
        return self._beside[cards, others]

    def compares(self, street: int) -> bool:
        """True if boards of this street are compared with each opponent's own board, row by row."""
        return street == self.last or (street == self.last - 1 and self.before_last.exact)

    def expected(self, boards: Boards, deals: Deals, deal: NDArray[np.intp], *, street: int) -> Floats:
        """Return the expected outcomes of ``boards`` after ``street``: exact after the last, else the network's."""
        if street == self.last:
            return self.scorer.outcomes(boards, deals.rivals, deal)
        return self.networks[street].outcomes(boards, deals, deal)

    def placed(self, boards: Boards, deals: Deals, cards: Ints, *, street: int) -> Boards:
        """Place each board's own cards, of shape (boards, cards), where the network rates the result highest."""
        found = children(boards, cards[:, None], to_place=self.variant.streets[street - 1].to_place)
        parts = self.expected(found.boards, deals, found.parent, street=street)
        return found.boards.at(best_ways(found, parts @ self.weights, deals=1)[:, 0])

    def played_out(self, boards: Boards, unseen: Ints, chance: np.random.Generator, *, after: int) -> Boards:
        """Play ``boards`` to the end of the hand, each dealt from its own ``unseen`` cards."""
        left = unseen.copy()
        rivals = self.usual.at(np.zeros(len(boards), dtype=np.intp))
        for street in range(after + 1, self.last + 1):
            cards = drawn(left, self.variant.streets[street - 1].deal, 1, chance)[:, 0]
            for column in range(cards.shape[1]):
                left[np.arange(len(left)), cards[:, column]] -= 1
            boards = self.placed(boards, Deals(left, rivals), cards, street=street)
        return boards


def evaluator_for(variant: Variant, files: Files) -> Evaluator | None:
    """Return the evaluator of ``variant``; None if no fitted arrays suit it."""
    teacher = base_game(variant)
    arrays = files(teacher) if teacher else None
    if arrays is None or f"{len(variant.streets) - 1}.0" not in arrays:
        return None
    usual = OpponentBoards(np.asarray(arrays["usual_fouls"], np.float32), np.asarray(arrays["usual_wins"], np.float32))
    boards = _load_fantasyland_boards(variant, files)
    worth = fantasyland_worth(variant, boards, usual, np.asarray(arrays["usual_parts"], np.float32))
    known = {f"wins_{n}": board.wins for n, board in boards.items()}
    set_there = {f"boards_{n}": board.boards for n, board in boards.items()}
    ordinary = {"boards_0": arrays["boards_0"]} if "boards_0" in arrays else {}
    layers = {name: array for name, array in arrays.items() if not name.startswith("boards_")}
    return Evaluator(variant, {**layers, **known, **set_there, **ordinary}, worth)


def _load_fantasyland_boards(variant: Variant, files: Files) -> Mapping[int, ArrangedAverages]:
    """Return statistics of Fantasyland boards by number of cards: read from a file if the rules match, else sampled."""
    alike = (game.key for game in PRESETS.values() if _arranged_alike(game) == _arranged_alike(variant))
    arrays = next((arrays for key in alike if (arrays := files(key))), {})
    found = {}
    for cards in variant.fantasyland.numbers if variant.fantasyland else ():
        if f"arranged_{cards}" in arrays:
            royalties, stay = np.asarray(arrays[f"arranged_{cards}"], np.float32)
            wins = np.asarray(arrays[f"wins_{cards}"], np.float32)
            boards = arrays.get(f"boards_{cards}", np.empty((0, len(ROWS)), np.int16))
            found[cards] = ArrangedAverages(royalties=float(royalties), stays=float(stay), wins=wins, boards=boards)
        else:
            found[cards] = arranged(variant, cards)
    return found


def _arranged_alike(variant: Variant) -> tuple[object, ...]:
    """Return the rules that affect how a Fantasyland board is set."""
    cards = variant.decks, variant.jokers
    rows = variant.middle, variant.strict_rows, variant.royalties, variant.row_values
    # The clock doesn't change which board is best.
    rule = variant.fantasyland and replace(variant.fantasyland, own_clock=False)
    return rule, *cards, *rows


def objective(variant: Variant, worth: Mapping[int, float]) -> Floats:
    """Return the weight of each outcome column; ``worth`` is the value of Fantasyland by number of cards."""
    weights = np.zeros(PARTS, np.float32)
    weights[ROYALTIES] = weights[ROW_POINTS] = 1
    weights[ENTERS:] = [worth.get(cards, 0.0) for cards in entry_cards(variant)]
    return weights


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrangedAverages:
    """Average results of boards arranged from some number of cards."""

    royalties: float
    stays: float
    """Share of boards that stay in Fantasyland, 0 to 1."""
    wins: Floats
    """Probability that a row at each strength step beats theirs, of shape (3, steps)."""
    boards: Ints
    """A sample of the boards as row codes, of shape (boards, 3)."""


def arranged(
    variant: Variant, cards: int, *, deals: int = SAMPLE, way: Callable[[Sequence[Card]], str] | None = None
) -> ArrangedAverages:
    """Return the average results of this game's boards over a fixed sample of ``deals`` deals.

    ``way`` places the cards of a deal. The default is the board that earns the most on its own.
    """
    deck = counts_of(full_deck(decks=variant.decks, jokers=variant.jokers))
    sample = drawn(deck[None], cards, deals, np.random.default_rng(cards))[0]
    scorer = Scorer(variant)
    boards, paid, kept = [], 0, 0
    for held in sample:
        cards_held = tuple(map(Card, held.tolist()))
        rows, _ = place(EMPTY, cards_held, way(cards_held) if way else best_arrangement(variant, cards_held))
        strengths = resolve(variant, rows)
        legal = in_order(variant, strengths)
        boards.append(single_board(rows))
        paid += legal * sum(variant.royalties.of(row, made) for row, made in zip(ROWS, strengths, strict=True))
        kept += legal and variant.fantasyland is not None and stays(variant.fantasyland, strengths)
    found = mixed(boards)
    codes = np.stack(board_codes(found), axis=1)
    wins = scorer.rivals_from(found, deals).wins[0]
    return ArrangedAverages(royalties=paid / deals, stays=kept / deals, wins=wins, boards=codes)


def shares(wins: Floats) -> Floats:
    """Return the probability of each strength step for an opponent's rows, of shape (3, steps).

    ``wins`` holds the probability that a row at each step beats them.
    """
    found = np.zeros_like(wins)
    below = np.zeros(len(wins), dtype=wins.dtype)
    for step in range(wins.shape[1]):
        found[:, step] = np.maximum(0, 2 * (wins[:, step] - below))
        below += found[:, step]
    total: Floats = np.maximum(found.sum(axis=1, keepdims=True), 1e-6)
    return found / total


def _row_points(variant: Variant, wins: Floats, usual: OpponentBoards) -> float:
    """Return the row points that an arranged board wins on average against an ordinary one."""
    chance = (shares(wins) * usual.wins[0]).sum(axis=1)
    scoop = chance.prod() - (1 - chance).prod()
    legal = variant.row_point * (2 * chance - 1).sum() + variant.scoop_bonus * scoop
    return float((1 - usual.fouls[0]) * legal + usual.fouls[0] * variant.foul_points)


def fantasyland_worth(
    variant: Variant, known: Mapping[int, ArrangedAverages], usual: OpponentBoards, ordinary: Floats
) -> Mapping[int, float]:
    """Return the value of entering Fantasyland by number of cards; ``ordinary`` is an ordinary board's mean outcome."""
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
    """Return the cards dealt for each way to enter, in the order of ``ENTRIES``; 0 if that way doesn't enter."""
    rule = variant.fantasyland
    if rule is None:
        return (0,) * len(ENTRIES)
    lowest = min((number for rank, number in rule.entry.items() if rank), default=0)
    queens, kings, aces, trips = (rule.entry.get(rank, 0) for rank in (12, 13, 14, 0))
    return queens or lowest, kings, aces, trips, rule.wheel_cards, max(rule.both_cards, rule.wheel_cards)
