"""Models of individual opponents, compared row by row and down to the last kicker.

An opponent is usually a set of equally likely whole boards: the face-up one, or sampled completions of an unfinished
one. A player in Fantasyland shows no cards, so they are modelled by typical rows. The last player to act is modelled as
playing their best reply over all possible deals.

The boards that a row of a given strength beats are stored as a bit mask, so bonuses for several rows take only a few
bit operations.
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
from bot.pure.solver.outcomes import FinalBoards, OpponentBoards, Scorer, board_codes
from bot.pure.solver.row_tables import Floats, Ints

MAX_DEALS = 4096
"""Maximum number of deals to enumerate for the last player to act."""
_WORD = 64
"""Boards per mask, one bit each."""
_BITS = np.left_shift(np.uint64(1), np.arange(_WORD, dtype=np.uint64))


class Opponent(Protocol):
    """An opponent. Results are the points that boards win from them, negative for losses."""

    def points(self, finals: FinalBoards) -> Floats:
        """Return the mean points over all of the opponent's possible boards."""

    def each(self, finals: FinalBoards) -> Floats:
        """Return the points against each of the opponent's sampled boards, along a last axis (of length 1 if none)."""


@dataclass(frozen=True, slots=True)
class TypicalOpponent:
    """An opponent modelled by typical rows only."""

    scorer: Scorer
    rivals: OpponentBoards
    """The row distributions of a single opponent."""

    def points(self, finals: FinalBoards) -> Floats:
        """See ``Opponent``."""
        return self.scorer.against(self.rivals, np.zeros(1, dtype=np.intp))(finals)

    def each(self, finals: FinalBoards) -> Floats:
        """See ``Opponent``."""
        return self.points(finals)[..., None]


class KnownOpponent:
    """An opponent with equally likely whole boards: a face-up one, or sampled completions."""

    def __init__(self, scorer: Scorer, finals: FinalBoards) -> None:
        """Build the tables from one-dimensional ``finals``."""
        self._scorer = scorer
        self.finals = finals
        legal = finals.legal
        self._count = count = len(legal)
        fouls, game = count - int(legal.sum()), scorer.variant
        self.fouls = fouls / count
        """Share of the boards that are fouls."""
        tables = [
            _compare_row(len(values), places, legal, values)
            for values, places in zip(scorer.row_values, finals.places, strict=True)
        ]
        self._won, self._lost = [won for won, _, _ in tables], [lost for _, lost, _ in tables]
        self.beaten: list[Floats] = [
            np.sum([np.bitwise_count(word).astype(np.float64) for word in won], axis=0) / count for won in self._won
        ]
        """Share of the boards that are legal and have a weaker row; one array per row, indexed by strength."""
        self.margins = [
            (beaten + self.fouls) * values - conceded / count
            for beaten, (_, _, conceded), values in zip(self.beaten, tables, scorer.row_values, strict=True)
        ]
        """Points that the row wins on its own minus those it loses; one array per row, indexed by strength."""
        self._from_fouls = game.all_rows_bonus * self.fouls
        self._for_foul = -float(_whole(scorer, finals)[legal].sum()) / count

    @property
    def open(self) -> bool:
        """True if the opponent has a single board, which is face up."""
        return self._count == 1

    def points(self, finals: FinalBoards) -> Floats:
        """See ``Opponent``."""
        if self._scorer.variant.total_bonus:
            mean: Floats = self.each(finals).mean(axis=-1)
            return mean
        rows = sum(margin[place] for margin, place in zip(self.margins, finals.places, strict=True))
        together = self._together(finals) / self._count
        return np.where(finals.legal, rows + self._from_fouls + together, self._for_foul)

    def _together(self, finals: FinalBoards) -> Floats:
        """Return the bonuses for several rows, summed over all the opponent's boards."""
        words = range(len(self._won[0]))
        found: Floats = sum((self._in_word(word, finals) for word in words), np.zeros(1, np.float32))
        return found

    def _in_word(self, word: int, finals: FinalBoards) -> Floats:
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

    def each(self, finals: FinalBoards) -> Floats:
        """See ``Opponent``."""
        return paired(self._scorer, finals.each(), self.finals)


def fouled(scorer: Scorer) -> KnownOpponent:
    """Return an opponent who has surrendered."""
    none = np.zeros(1, dtype=np.intp)
    nothing, nowhere = np.zeros(1, dtype=np.float32), np.full(1, -1, dtype=np.int32)
    return KnownOpponent(scorer, FinalBoards((none, none, none), np.zeros(1, dtype=np.bool_), nothing, nowhere))


def paired(scorer: Scorer, mine: FinalBoards, its: FinalBoards) -> Floats:
    """Return the points that full boards ``mine`` win from ``its``, element by element; the shapes must broadcast."""
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


def _whole(scorer: Scorer, finals: FinalBoards) -> Floats:
    """Return the points that boards win from a foul."""
    front, middle, back = (values[place] for values, place in zip(scorer.row_values, finals.places, strict=True))
    found: Floats = front + middle + back + scorer.variant.all_rows_bonus
    return found


def _compare_row(
    strengths: int, places: NDArray[np.intp], legal: NDArray[np.bool_], values: Floats
) -> tuple[list[NDArray[np.uint64]], list[NDArray[np.uint64]], Floats]:
    """Compare each possible strength of a row with the opponent's legal boards.

    Return, indexed by strength, masks of the boards with a weaker row, masks of those with a stronger row, and the
    points paid to the stronger ones. Each mask is a list of as many 64-bit words as the boards need.
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
    """Return the boards that are in at least two of the three masks."""
    a, b, c = rows
    two: NDArray[np.uint64] = (a & b) | (c & (a | b))
    return two


def _more(won: NDArray[np.uint64], lost: NDArray[np.uint64]) -> Floats:
    """Return the number of boards in ``won`` minus the number in ``lost``."""
    return np.bitwise_count(won).astype(np.float32) - np.bitwise_count(lost)


class LastToAct:
    """The last player to act, who sees all boards and plays the best reply to each deal.

    Their reply can lose them points to other opponents. Those points count in favour of the board they reply to, just
    as the points they win from it count against it.
    """

    def __init__(
        self,
        scorer: Scorer,
        weights: Floats,
        boards: Children,
        *,
        deals: int,
        beside: Sequence[KnownOpponent],
        opponents: int,
    ) -> None:
        """Set up the replies.

        ``boards`` holds all results of placing their ``deals`` deals. ``beside`` are their other opponents with
        face-up boards. ``opponents`` is the number of all their opponents.
        """
        self._scorer = scorer
        self._deals = deals
        self._finals = finals = scorer.finals(board_codes(boards.boards))
        self._opponents = opponents
        self._alone = finals.alone(weights).astype(np.float64)
        self._others = sum((one.points(finals) for one in beside), np.zeros(len(self._alone)))
        self._usual = float(self._alone.reshape(-1, deals).max(axis=0).mean())
        """Mean value of their own board if rows don't count."""

    def points(self, finals: FinalBoards) -> Floats:
        """See ``Opponent``; ``finals`` must be one-dimensional."""
        return np.array([self._against(finals.at(slice(one, one + 1))) for one in range(len(finals.legal))])

    def each(self, finals: FinalBoards) -> Floats:
        """See ``Opponent``."""
        return self.points(finals)[..., None]

    def _against(self, board: FinalBoards) -> float:
        """Return one board's mean points against the best reply, including what the reply costs elsewhere."""
        rows = -paired(self._scorer, board, self._finals)
        worth = self._alone + (rows + self._others) / self._opponents
        taken = worth.reshape(-1, self._deals).argmax(axis=0) * self._deals + np.arange(self._deals)
        return self._usual - float((rows + self._alone)[taken].mean())


@dataclass(frozen=True, slots=True)
class Field:
    """All opponents in a decision. Each is scored separately."""

    opponents: tuple[Opponent, ...]

    def points(self, finals: FinalBoards) -> Floats:
        """Return the row points of full boards, averaged over the opponents."""
        return _mean([one.points(finals) for one in self.opponents])

    def each(self, finals: FinalBoards) -> Floats:
        """Like :meth:`points`, but for each sampled board, along a last axis (of length 1 if there's no sample)."""
        return _mean([one.each(finals) for one in self.opponents])


def _mean(points: Sequence[Floats]) -> Floats:
    """Return the element-wise mean of arrays that broadcast."""
    total = points[0]
    for more in points[1:]:
        total = total + more
    return total / len(points)


def every_deal(unseen: Ints, count: int) -> Ints | None:
    """Return all deals of ``count`` unseen cards, of shape (deals, cards); None if there are over ``MAX_DEALS``."""
    cards = np.repeat(np.arange(len(unseen)), unseen).tolist()
    if comb(len(cards), count) > MAX_DEALS:
        return None
    return np.array(list(combinations(cards, count)), dtype=np.int32)
