"""Opponents one by one: each row against each of theirs, to the last kicker, and an open board against itself.

An opponent is some whole boards, each as likely: the one that lies open, or those that it was played out to. Somebody
in Fantasyland shows nothing, and is known by the rows that are usual there. The last one to act answers each board as
is best for them, with every deal that can come.

Which boards a row of some strength beats is a mask of bits, so that what three rows win together is counted at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bot.pure.solver.boards import Children
from bot.pure.solver.outcomes import Finals, Rivals, Scorer, board_codes
from bot.pure.solver.row_tables import Floats, Ints

MOST_DEALS = 4096
"""The last one to act is dealt every deal where there are no more than so many."""
_WORD = 64
"""So many boards share one mask: each has a bit."""
_BITS = np.left_shift(np.uint64(1), np.arange(_WORD, dtype=np.uint64))


class Opponent(Protocol):
    """What boards win from somebody, in points for rows: below zero what they lose."""

    def points(self, finals: Finals) -> Floats:
        """The mean over all that this opponent may hold."""

    def each(self, finals: Finals) -> Floats:
        """The same for each board of theirs that was drawn, in a last axis; of length 1 where none was."""


@dataclass(frozen=True, slots=True)
class Usual:
    """Somebody of whom only the rows that are usual are known."""

    scorer: Scorer
    rivals: Rivals
    """One."""

    def points(self, finals: Finals) -> Floats:
        """As ``Opponent`` says."""
        return self.scorer.against(self.rivals, np.zeros(1, dtype=np.intp))(finals)

    def each(self, finals: Finals) -> Floats:
        """As ``Opponent`` says."""
        return self.points(finals)[..., None]


class Known:
    """Somebody with some whole boards, each as likely: one that lies open, or those that it was played out to."""

    def __init__(self, scorer: Scorer, finals: Finals) -> None:
        """``finals`` are in one line."""
        self._scorer = scorer
        self.finals = finals
        legal = finals.legal
        self._count = count = len(legal)
        fouls, game = count - int(legal.sum()), scorer.variant
        tables = [
            _compared(len(values), places, legal, values)
            for values, places in zip(scorer.row_values, finals.places, strict=True)
        ]
        self._won, self._lost = [won for won, _, _ in tables], [lost for _, lost, _ in tables]
        self.beaten: list[Floats] = [
            np.sum([np.bitwise_count(word).astype(np.float64) for word in won], axis=0) / count for won in self._won
        ]
        """By row and the place of its strength: the share of the boards that are legal and have a weaker row."""
        self.margins = [
            (beaten + fouls / count) * values - conceded / count
            for beaten, (_, _, conceded), values in zip(self.beaten, tables, scorer.row_values, strict=True)
        ]
        """By row and the place of its strength: what the row is paid by itself, less what theirs are paid."""
        self._from_fouls = game.all_rows_bonus * fouls / count
        self._for_foul = -float(_whole(scorer, finals)[legal].sum()) / count

    @property
    def open(self) -> bool:
        """True for one board that lies open."""
        return self._count == 1

    def points(self, finals: Finals) -> Floats:
        """As ``Opponent`` says."""
        if self._scorer.variant.total_bonus:
            mean: Floats = self.each(finals).mean(axis=-1)
            return mean
        rows = sum(margin[place] for margin, place in zip(self.margins, finals.places, strict=True))
        together = self._together(finals) / self._count
        return np.where(finals.legal, rows + self._from_fouls + together, self._for_foul)

    def _together(self, finals: Finals) -> Floats:
        """What rows are paid beside each by itself, over all the boards."""
        words = range(len(self._won[0]))
        found: Floats = sum((self._in_word(word, finals) for word in words), np.zeros(1, np.float32))
        return found

    def _in_word(self, word: int, finals: Finals) -> Floats:
        game = self._scorer.variant
        won = [table[word][place] for table, place in zip(self._won, finals.places, strict=True)]
        lost = [table[word][place] for table, place in zip(self._lost, finals.places, strict=True)]
        total: Floats = game.scoop_bonus * _more(won[0] & won[1] & won[2], lost[0] & lost[1] & lost[2])
        if game.two_rows_bonus or game.majority_bonus:
            two, its_two = _two(won), _two(lost)
            some, its_some = won[0] | won[1] | won[2], lost[0] | lost[1] | lost[2]
            total = total + game.two_rows_bonus * _more(two, its_two)
            total = total + game.majority_bonus * _more(two | (some & ~its_some), its_two | (its_some & ~some))
        return total

    def each(self, finals: Finals) -> Floats:
        """As ``Opponent`` says."""
        return paired(self._scorer, finals.each(), self.finals)


def fouled(scorer: Scorer) -> Known:
    """Somebody whose board is given up."""
    none = np.zeros(1, dtype=np.intp)
    nothing, nowhere = np.zeros(1, dtype=np.float32), np.full(1, -1, dtype=np.int32)
    return Known(scorer, Finals((none, none, none), np.zeros(1, dtype=np.bool_), nothing, nowhere))


def paired(scorer: Scorer, mine: Finals, its: Finals) -> Floats:
    """What the rows of full boards win from other full boards, each from its own, in shapes that go together."""
    game = scorer.variant
    signs = [np.sign(one - other) for one, other in zip(mine.places, its.places, strict=True)]
    paid = zip(signs, scorer.row_values, mine.places, its.places, strict=True)
    points = sum(np.where(sign > 0, value[one], (sign < 0) * -value[other]) for sign, value, one, other in paid)
    wins, losses = (sum((side * sign > 0).astype(np.int8) for sign in signs) for side in (1, -1))
    points = points + game.scoop_bonus * ((wins == 3).astype(np.float32) - (losses == 3))
    points = points + game.two_rows_bonus * ((wins >= 2).astype(np.float32) - (losses >= 2))
    points = points + game.majority_bonus * np.sign(wins - losses)
    points = points + game.total_bonus * np.sign(points + mine.royalties - its.royalties)
    points = np.where(mine.legal, np.where(its.legal, points, _whole(scorer, mine)), -_whole(scorer, its))
    found: Floats = points * (mine.legal | its.legal)
    return found


def _whole(scorer: Scorer, finals: Finals) -> Floats:
    """What boards are paid by one that fouls."""
    front, middle, back = (values[place] for values, place in zip(scorer.row_values, finals.places, strict=True))
    found: Floats = front + middle + back + scorer.variant.all_rows_bonus
    return found


def _compared(
    strengths: int, places: NDArray[np.intp], legal: NDArray[np.bool_], values: Floats
) -> tuple[list[NDArray[np.uint64]], list[NDArray[np.uint64]], Floats]:
    """For each strength that a row can have: the legal boards whose row it beats, those whose row beats it, and what
    these are paid. Boards are named by masks, so many words of them as it takes.
    """
    order = np.argsort(places, kind="stable")
    made, number = places[order], np.arange(len(places))[order]
    bits = _BITS[number % _WORD] * legal[order]
    words = [bits * (number // _WORD == word) for word in range(-(-len(places) // _WORD))]
    below = [np.concatenate([np.zeros(1, np.uint64), np.bitwise_or.accumulate(word)]) for word in words]
    paid = np.concatenate([[0.0], np.cumsum((values[places] * legal)[order], dtype=np.float64)])
    weaker = np.searchsorted(made, np.arange(strengths), side="left")
    not_stronger = np.searchsorted(made, np.arange(strengths), side="right")
    above = [word[-1] & ~word[not_stronger] for word in below]
    return [word[weaker] for word in below], above, paid[-1] - paid[not_stronger]


def _two(rows: Sequence[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    """The boards that are in two of three masks or more."""
    a, b, c = rows
    two: NDArray[np.uint64] = (a & b) | (c & (a | b))
    return two


def _more(won: NDArray[np.uint64], lost: NDArray[np.uint64]) -> Floats:
    """How many boards more are in one mask than in the other."""
    return np.bitwise_count(won).astype(np.float32) - np.bitwise_count(lost)


class Answering:
    """The last one to act, who sees all boards: dealt every deal, they place what is best for them.

    What they give up elsewhere for a row counts for the others, as what they win there counts against them.
    """

    def __init__(
        self,
        scorer: Scorer,
        weights: Floats,
        boards: Children,
        *,
        deals: int,
        beside: Sequence[Known],
        opponents: int,
    ) -> None:
        """``boards`` are what all their deals can be placed to; ``beside`` are those of their opponents whose boards
        lie open, beside the one who asks.
        """
        self._scorer = scorer
        self._deals = deals
        self._finals = finals = scorer.finals(board_codes(boards.boards))
        self._opponents = opponents
        self._alone = finals.alone(weights).astype(np.float64)
        self._others = sum((one.points(finals) for one in beside), np.zeros(len(self._alone)))
        self._usual = float(self._alone.reshape(-1, deals).max(axis=0).mean())
        """What they come to where nobody asks for rows."""

    def points(self, finals: Finals) -> Floats:
        """As ``Opponent`` says; for boards in one line."""
        return np.array([self._against(finals.at(slice(one, one + 1))) for one in range(len(finals.legal))])

    def each(self, finals: Finals) -> Floats:
        """As ``Opponent`` says."""
        return self.points(finals)[..., None]

    def _against(self, board: Finals) -> float:
        """What the rows of one board win on average, and what they cost the one who answers."""
        rows = -paired(self._scorer, board, self._finals)
        worth = self._alone + (rows + self._others) / self._opponents
        taken = worth.reshape(-1, self._deals).argmax(axis=0) * self._deals + np.arange(self._deals)
        return self._usual - float((rows + self._alone)[taken].mean())


@dataclass(frozen=True, slots=True)
class Field:
    """All opponents of a decision; each settles on its own."""

    opponents: tuple[Opponent, ...]

    def points(self, finals: Finals) -> Floats:
        """What the rows of full boards win, in points against each opponent."""
        return _mean([one.points(finals) for one in self.opponents])

    def each(self, finals: Finals) -> Floats:
        """The same with each board of theirs that was drawn, in a last axis; of length 1 where none was."""
        return _mean([one.each(finals) for one in self.opponents])


def _mean(points: Sequence[Floats]) -> Floats:
    """The mean of what goes together."""
    total = points[0]
    for more in points[1:]:
        total = total + more
    return total / len(points)


def every_deal(unseen: Ints, count: int) -> Ints | None:
    """Every deal of so many of the unseen cards: (deals, cards); None where there are too many."""
    cards = np.repeat(np.arange(len(unseen)), unseen).tolist()
    if comb(len(cards), count) > MOST_DEALS:
        return None
    return np.array(list(combinations(cards, count)), dtype=np.int32)
