"""Hands played by the thousand, as positions for fitting values and as boards of rivals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.pure.ofc.cards import full_deck
from bot.pure.ofc.variants import Variant
from bot.pure.solver.boards import Boards, children, patterns
from bot.pure.solver.lookahead import drawn, likely_ways
from bot.pure.solver.network import Deals, Network
from bot.pure.solver.outcomes import ENTERS, OpponentBoards, Scorer, nobody
from bot.pure.solver.row_tables import Floats, Ints

MAX_FANTASY_WEIGHT = 3
"""Maximum extra weight of Fantasyland when positions are collected, as a multiple of its value."""
Nets = Mapping[int, Network]
"""Networks by the street after which they evaluate, from 1."""


@dataclass(slots=True)
class Seat:
    """One player's position in all hands of a batch."""

    boards: Boards
    unseen: Ints
    """Number of copies of each card that the player hasn't seen, of shape (hands, 54)."""


def empty(count: int) -> Boards:
    """Return ``count`` empty boards."""
    return Boards(np.zeros((count, 3), np.int32), np.zeros((count, 3), np.int32))


class Table:
    """A game's scorer, and networks that play its streets. Streets without a network are placed at random."""

    def __init__(self, variant: Variant, weights: Floats, chance: np.random.Generator) -> None:
        self.variant = variant
        self.scorer = Scorer(variant)
        self.weights = weights
        self.chance = chance
        self.deck = np.array(full_deck(decks=variant.decks, jokers=variant.jokers), dtype=np.int64)
        self.usual: OpponentBoards | None = None

    def rivals(self, count: int) -> OpponentBoards:
        """Return the average rival, or a neutral one while none is known."""
        if self.usual is None:
            return nobody(count)
        return self.usual.at(np.zeros(count, dtype=np.intp))

    def placed(
        self, boards: Boards, unseen: Ints, cards: Ints, nets: Nets, *, street: int, stray: float, hope: Floats
    ) -> tuple[Boards, Ints]:
        """Return the boards after the placement of ``cards``, and the row of each card (3 for a discard).

        The rows have the shape (hands, cards). In a share of the hands, ``stray``, they're placed at random. The value
        of Fantasyland is multiplied by ``hope``.
        """
        rule = self.variant.streets[street - 1]
        found = children(boards, cards[:, None, :].astype(np.int32), to_place=rule.to_place)
        values = self.chance.random(len(found.boards)).astype(np.float32)
        wild = self.chance.random(len(boards)) < stray
        last = street == len(self.variant.streets)
        if last or street in nets:
            rivals = self.rivals(len(boards))
            if last:
                parts = self.scorer.outcomes(found.boards, rivals, found.parent)
            else:
                parts = nets[street].outcomes(found.boards, Deals(unseen, rivals), found.parent)
            more = (hope - 1)[found.parent] * (parts[:, ENTERS:] @ self.weights[ENTERS:])
            judged = parts @ self.weights + more
            values = np.where(wild[found.parent], values, judged)
        best = likely_ways(found, values, deals=1, keep=1)[:, 0, 0]
        ways = patterns(rule.deal, rule.to_place).rows[found.pattern[best]]
        return found.boards.at(best), ways

    def played_out(self, boards: Boards, unseen: Ints, nets: Nets, *, after: int) -> Boards:
        """Return the boards at the end of the hand, with cards dealt from the unseen ones."""
        left = unseen.copy()
        for street in range(after + 1, len(self.variant.streets) + 1):
            cards = drawn(left, self.variant.streets[street - 1].deal, 1, self.chance)[:, 0]
            for column in range(cards.shape[1]):
                left[np.arange(len(left)), cards[:, column]] -= 1
            hope = np.ones(len(boards), np.float32)
            boards, _ = self.placed(boards, left, cards, nets, street=street, stray=0, hope=hope)
        return boards

    def hands(self, count: int, nets: Nets, *, stray: float) -> dict[int, list[tuple[Seat, Boards]]]:
        """Play ``count`` hands with the minimum number of players.

        Return the positions by street, each with an opponent's board at that time.
        """
        seats = self.variant.min_seats
        order = self.chance.random((count, len(self.deck))).argsort(axis=1)
        deck = self.deck[order]
        start = np.bincount(self.deck, minlength=54).astype(np.int32)
        players = [Seat(empty(count), np.repeat(start[None], count, axis=0)) for _ in range(seats)]
        found: dict[int, list[tuple[Seat, Boards]]] = {}
        hopes = 1 + MAX_FANTASY_WEIGHT * self.chance.random((seats, count), dtype=np.float32) ** 2 * (stray > 0)
        dealt = 0
        hands = np.arange(count)
        for street, rule in enumerate(self.variant.streets, 1):
            for number, player in enumerate(players):
                cards = deck[:, dealt : dealt + rule.deal]
                dealt += rule.deal
                for column in range(rule.deal):
                    player.unseen[hands, cards[:, column]] -= 1
                player.boards, ways = self.placed(
                    player.boards, player.unseen, cards, nets, street=street, stray=stray, hope=hopes[number]
                )
                for other in players:
                    if other is not player:
                        for column in range(rule.deal):
                            placed = ways[:, column] < 3
                            other.unseen[hands[placed], cards[placed, column]] -= 1
                rival = players[number - 1].boards
                found.setdefault(street, []).append((Seat(player.boards, player.unseen.copy()), rival))
        return found


def merged(rivals: list[OpponentBoards]) -> OpponentBoards:
    """Return all rivals as one batch."""
    return OpponentBoards(np.concatenate([one.fouls for one in rivals]), np.concatenate([one.wins for one in rivals]))


def mean(rivals: OpponentBoards) -> OpponentBoards:
    """Return the average rival."""
    return OpponentBoards(rivals.fouls.mean(keepdims=True), rivals.wins.mean(axis=0, keepdims=True))


__all__ = ["NDArray", "Nets", "Seat", "Table", "empty", "mean", "merged"]
