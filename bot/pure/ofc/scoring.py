"""Scoring of a hand: fouls, royalties, naturals, and each player against every other.

Each unordered pair of players settles separately, with points for each row won, bonuses for the rows together, and the
difference in royalties. A fouled board loses all three rows to a legal one and collects no royalties. Two fouled boards
settle nothing. The points of a table always sum to zero.

Each variant has a scorer, which caches the score of every row it has seen, and of each outcome of three rows.

Source: docs/rules.md, "Rows and fouls", "Points", "Naturals".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, product
from typing import NamedTuple

from bot.pure.ofc.cards import ROWS, Card, Row, RowCards
from bot.pure.ofc.naturals import Natural
from bot.pure.ofc.ranks import (
    WHEEL_LOW,
    Category,
    Strength,
    category_of,
    five_card_strength,
    is_low,
    low_ranks,
    low_strength,
    row_strength,
    three_card_strength,
    top_rank,
)
from bot.pure.ofc.royalties import NO_ROYALTIES, Royalties
from bot.pure.ofc.variants import TRIPS, Fantasyland, MiddleRank, Variant
from bot.pure.ofc.wild import has_joker, row_strengths, strongest

# Entering Fantasyland and staying there, and the number of cards dealt.
#
# Source: docs/rules.md, "Fantasyland".


def _entry(rule: Fantasyland, strengths: Sequence[Strength]) -> int:
    """Return the number of Fantasyland cards for a board made outside Fantasyland; 0 if it doesn't enter."""
    front, middle, _ = strengths
    by_front = 0
    if category_of(front) is Category.THREE_OF_A_KIND:
        by_front = rule.entry.get(TRIPS, 0)
    elif category_of(front) is Category.PAIR:
        by_front = rule.entry.get(top_rank(front), 0)
    by_low = rule.wheel_cards if _is_wheel(middle) else 0
    if by_front and by_low:
        return max(by_front, by_low, rule.both_cards)
    return by_front or by_low


def _is_wheel(middle: Strength) -> bool:
    return is_low(middle) and low_ranks(middle) == WHEEL_LOW


def stays(rule: Fantasyland, strengths: Sequence[Strength]) -> bool:
    """True if a player with this legal board stays in Fantasyland. A pair of queens isn't enough.

    ``strengths`` is front, middle, back.

    >>> from bot.pure.ofc.notation import parse_board
    >>> from bot.pure.ofc.presets import PINEAPPLE
    >>> from bot.pure.ofc.scoring import resolve
    >>> assert PINEAPPLE.fantasyland is not None
    >>> boards = ['2s2d2c/4c4d5h5s9c/AhKhQhJh9h', 'QsQd2c/5c5d7h9s9c/AhKhQhJh9h']
    >>> [stays(PINEAPPLE.fantasyland, resolve(PINEAPPLE, parse_board(board, PINEAPPLE).rows)) for board in boards]
    [True, False]
    """
    front, middle, back = map(category_of, strengths)
    if front is Category.THREE_OF_A_KIND or back >= rule.stay_back:
        return True
    if middle is Category.LOW:
        return rule.wheel_stays and _is_wheel(strengths[1])
    return rule.stay_middle is not None and middle >= rule.stay_middle


def next_fantasyland(variant: Variant, strengths: Sequence[Strength], *, held: int) -> int:
    """Return the number of Fantasyland cards next hand for a player with this legal board; 0 for an ordinary hand.

    ``strengths`` is front, middle, back. ``held`` is the current number of Fantasyland cards; 0 outside it.

    Source: docs/rules.md, "Fantasyland".

    >>> from bot.pure.ofc.notation import parse_board
    >>> from bot.pure.ofc.presets import PINEAPPLE
    >>> from bot.pure.ofc.scoring import resolve
    >>> queens = resolve(PINEAPPLE, parse_board('QsQd2c/5c5d7h9s9c/AhKhQhJh9h', PINEAPPLE).rows)
    >>> next_fantasyland(PINEAPPLE, queens, held=0), next_fantasyland(PINEAPPLE, queens, held=14)
    (14, 0)
    """
    rule = variant.fantasyland
    if rule is None:
        return 0
    if not held:
        return _entry(rule, strengths)
    if not stays(rule, strengths):
        return 0
    return rule.stay_cards or held


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A complete board to score. ``fantasyland`` is the number of cards dealt there; 0 outside it."""

    rows: RowCards
    fantasyland: int = 0
    forfeited: bool = False
    """True if the seat gave up the hand. It's scored as a foul, and its rows may be incomplete."""
    natural: Natural | None = None
    """The declared natural, if any; it makes the rows irrelevant."""
    surrendered: bool = False


Strengths = tuple[Strength, Strength, Strength]
"""Strengths of front, middle and back."""

# Thousands of scores are created, and named tuples are faster to create than frozen dataclasses.


class RowScore(NamedTuple):
    """Score of one row. ``royalty`` is 0 if the board is fouled."""

    strength: Strength
    category: Category
    royalty: int


class BoardScore(NamedTuple):
    """Score of one board. ``rows`` is front, middle, back, or None for a board that was given up."""

    foul: bool
    rows: tuple[RowScore, RowScore, RowScore] | None
    royalties: int
    next_fantasyland: int
    """Number of Fantasyland cards for this seat next hand; 0 for an ordinary hand."""
    natural: Natural | None = None
    surrendered: bool = False


class PairScore(NamedTuple):
    """Score of ``first`` against ``second``: +1 for a row won, -1 for a row lost, 0 for a tie.

    ``rows`` and ``row_points`` are front, middle, back. ``scoop`` is +1, -1 or 0. The others are points, positive if
    ``first`` receives them. ``points`` is the sum of ``row_points``, ``bonus`` (scoop and the like), ``royalties`` and
    ``natural`` (naturals and surrender, which replace all the others).
    """

    first: int
    second: int
    rows: tuple[int, int, int]
    row_points: tuple[int, int, int]
    scoop: int
    bonus: int
    royalties: int
    natural: int
    points: int

    def seen_by(self, seat: int) -> PairScore:
        """Return the same score from the side of ``seat``, which is one of the two."""
        if self.first == seat:
            return self
        rows, points = self.rows, self.row_points
        return PairScore(
            first=self.second,
            second=self.first,
            rows=(-rows[0], -rows[1], -rows[2]),
            row_points=(-points[0], -points[1], -points[2]),
            scoop=-self.scoop,
            bonus=-self.bonus,
            royalties=-self.royalties,
            natural=-self.natural,
            points=-self.points,
        )


class Bonuses(NamedTuple):
    """The parts of a pair's ``bonus``, from the side of its first seat."""

    scoop: int
    majority: int
    two_rows: int
    total: int


class HandScore(NamedTuple):
    """Score of a hand: each board, each pair (first < second, in seat order), and points by seat."""

    boards: tuple[BoardScore, ...]
    pairs: tuple[PairScore, ...]
    points: tuple[int, ...]


_LOW = MiddleRank.DEUCE_TO_SEVEN


def in_order(variant: Variant, strengths: Sequence[Strength]) -> bool:
    """True if the rows of a full board are in the order that the game requires.

    ``strengths`` is front, middle, back.

    Source: docs/rules.md, "Rows and fouls".
    """
    front, middle, back = strengths
    if variant.middle is _LOW:
        return is_low(middle) and front <= back
    if variant.strict_rows:
        return front < middle < back
    return front <= middle <= back


def row_strength_in(variant: Variant, row: Row, cards: Sequence[Card]) -> Strength:
    """Return the strength of a full row without jokers in this game."""
    rate = low_strength if row is Row.MIDDLE and variant.middle is _LOW else row_strength
    return rate(cards)


def possible_strengths(variant: Variant, row: Row, cards: tuple[Card, ...]) -> tuple[Strength, ...]:
    """Return all strengths that a full row can have in this game, strongest first; just one without a joker."""
    if not has_joker(cards):
        return (row_strength_in(variant, row, cards),)
    # The other deck has a second copy of every card.
    may_copy = variant.joker_may_copy or variant.decks > 1
    return row_strengths(cards, may_copy=may_copy, double_ace=variant.double_ace_flush)


def resolve(variant: Variant, rows: RowCards) -> Strengths:
    """Return the strengths of a full board's front, middle and back. Jokers are chosen to make the best legal board.

    If every choice fouls, each row counts at its greatest strength.

    Source: docs/rules.md, "Jokers".

    >>> from bot.pure.ofc.cards import parse_cards
    >>> from bot.pure.ofc.presets import PINEAPPLE
    >>> from bot.pure.ofc.ranks import category_of
    >>> front, middle, back = map(parse_cards, ('QsQd2c', '5c5d5h9s9c', 'AhKhQhJhTh'))
    >>> [category_of(strength).name for strength in resolve(PINEAPPLE, (front, middle, back))]
    ['PAIR', 'FULL_HOUSE', 'ROYAL_FLUSH']
    >>> in_order(PINEAPPLE, resolve(PINEAPPLE, (front, middle, back)))
    True
    """
    front, middle, back = rows
    if variant.jokers and any(map(has_joker, rows)):
        return _resolve_jokers(variant, rows)
    if variant.middle is _LOW:
        return three_card_strength(front), low_strength(middle), five_card_strength(back)
    return three_card_strength(front), five_card_strength(middle), five_card_strength(back)


def _resolve_jokers(variant: Variant, rows: RowCards) -> Strengths:
    fronts, middles, backs = (possible_strengths(variant, row, cards) for row, cards in zip(ROWS, rows, strict=True))
    back = backs[0]
    middle = strongest(middles, back, strict=variant.strict_rows)
    front = None if middle is None else strongest(fronts, middle, strict=variant.strict_rows)
    if middle is None or front is None:
        return fronts[0], middles[0], back
    return front, middle, back


class _RowScores(dict[Strength, RowScore]):
    """Cache of row scores, keyed by strength."""

    def __init__(self, royalties: Royalties, row: Row) -> None:
        super().__init__()
        self._royalties = royalties
        self._row = row

    def __missing__(self, strength: Strength) -> RowScore:
        self[strength] = score = RowScore(strength, category_of(strength), self._royalties.of(self._row, strength))
        return score


_UNPAID = _RowScores(NO_ROYALTIES, Row.BACK)
"""Row scores of a board that earns no royalties."""


class _Entries(dict[Strength, int]):
    """Cache of the number of Fantasyland cards next hand, keyed by a legal front made outside Fantasyland."""

    def __init__(self, variant: Variant) -> None:
        super().__init__()
        self._variant = variant

    def __missing__(self, front: Strength) -> int:
        self[front] = cards = next_fantasyland(self._variant, (front, front, front), held=0)
        return cards


_Outcome = tuple[tuple[int, int, int], tuple[int, int, int], int, int, int]
"""Three rows won (+1), lost (-1) or tied (0), the points of each, the scoop, the bonus, and the total."""


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _outcome(variant: Variant, rows: tuple[int, int, int]) -> _Outcome:
    front, middle, back = (won * variant.row_point for won in rows)
    scoop = sum(rows) // 3 if abs(sum(rows)) == 3 else 0
    two = (rows.count(1) >= 2) - (rows.count(-1) >= 2)
    bonus = scoop * variant.scoop_bonus + _sign(sum(rows)) * variant.majority_bonus + two * variant.two_rows_bonus
    return rows, (front, middle, back), scoop, bonus, front + middle + back + bonus


def bonuses(variant: Variant, pair: PairScore) -> Bonuses:
    """Return what a pair's bonus consists of.

    >>> from bot.pure.ofc.notation import parse_board
    >>> from bot.pure.ofc.presets import PINEAPPLE
    >>> boards = ['QsQd2c/5c5d5h9s9c/AhKhQhJhTh', 'AsKd3c/6s6d8hJs4c/TsTd2h3h4d']
    >>> (pair,) = score_hand(PINEAPPLE, [parse_board(board, PINEAPPLE) for board in boards]).pairs
    >>> bonuses(PINEAPPLE, pair)
    Bonuses(scoop=3, majority=0, two_rows=0, total=0)
    """
    won, lost = pair.rows.count(1), pair.rows.count(-1)
    scoop = pair.scoop * variant.scoop_bonus
    majority = _sign(won - lost) * variant.majority_bonus
    two_rows = ((won >= 2) - (lost >= 2)) * variant.two_rows_bonus
    return Bonuses(scoop, majority, two_rows, pair.bonus - scoop - majority - two_rows)


# A named tuple's own constructor takes twice as long, and these two are created ten times for a hand of four.
_made = tuple.__new__


class _Scorer:
    """Scorer of a variant.

    To save time for every pair, it skips rules that the game doesn't have: naturals and surrender (``_has_specials``),
    row values and the bonus for the higher total (``_has_extras``).
    """

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self._fronts, self._middles, self._backs = (_RowScores(variant.royalties, row) for row in ROWS)
        self._front_alone_enters = variant.middle is not _LOW
        self._entries = _Entries(variant)
        self._outcomes = [_outcome(variant, (f, m, b)) for f, m, b in product((-1, 0, 1), repeat=3)]
        self._has_specials = bool(variant.naturals or variant.surrender)
        self._has_extras = bool(variant.row_values or variant.total_bonus)
        self._values = [[variant.row_value(row, category) for category in Category] for row in ROWS]

    def board(self, board: Board) -> BoardScore:
        """Return the score of one board."""
        if board.forfeited or board.surrendered:
            return BoardScore(board.forfeited, None, 0, 0, None, board.surrendered)
        strengths = resolve(self._variant, board.rows)
        front, middle, back = strengths
        if board.natural is not None or not in_order(self._variant, strengths):
            unpaid = _UNPAID[front], _UNPAID[middle], _UNPAID[back]
            return BoardScore(board.natural is None, unpaid, 0, 0, board.natural)
        rows = self._fronts[front], self._middles[middle], self._backs[back]
        royalties = rows[0].royalty + rows[1].royalty + rows[2].royalty
        if board.fantasyland or not self._front_alone_enters:
            cards = next_fantasyland(self._variant, strengths, held=board.fantasyland)
        else:
            cards = self._entries[front]
        return _made(BoardScore, (False, rows, royalties, cards, None, False))

    def pair(self, boards: Sequence[BoardScore], first: int, second: int) -> PairScore:
        """Return the score of ``first`` against ``second``."""
        a, b = boards[first], boards[second]
        if self._has_specials and (a.natural or b.natural or a.surrendered or b.surrendered):
            points = self._special_points(a, b)
            return PairScore(first, second, (0, 0, 0), (0, 0, 0), 0, 0, 0, points, points)
        rows, row_points, scoop, bonus, points = self._outcomes[_place(a, b)]
        royalties = a.royalties - b.royalties
        if self._has_extras:
            row_points = self._row_points(a, b, rows)
            points = sum(row_points) + bonus
            more = _sign(points + royalties) * self._variant.total_bonus
            bonus, points = bonus + more, points + more
        points += royalties
        return _made(PairScore, (first, second, rows, row_points, scoop, bonus, royalties, 0, points))

    def _special_points(self, a: BoardScore, b: BoardScore) -> int:
        """Return the points for a natural or a surrender, which replace all others between the two players."""
        if a.surrendered or b.surrendered:
            return (b.surrendered - a.surrendered) * self._variant.surrender
        stronger = _sign((a.natural or 0) - (b.natural or 0))
        best = max(natural for natural in (a.natural, b.natural) if natural)
        return stronger * self._variant.naturals[best]

    def _row_points(self, a: BoardScore, b: BoardScore, won: Sequence[int]) -> tuple[int, int, int]:
        """Return the points of each row, which depend on the winner's hand there."""
        points = [0, 0, 0]
        for place, sign in enumerate(won):
            winner = a if sign > 0 else b
            if sign and winner.rows:
                points[place] = sign * self._values[place][winner.rows[place].category]
        return points[0], points[1], points[2]


_LEVEL = 13
"""Index of three ties among the outcomes, which run from three rows lost (0) to three rows won (26)."""


def _place(a: BoardScore, b: BoardScore) -> int:
    """Return the index of the outcome for two boards."""
    if a.foul or b.foul:
        return _LEVEL + (9 + 3 + 1) * (b.foul - a.foul)
    assert a.rows
    assert b.rows
    front, middle, back = a.rows[0].strength, a.rows[1].strength, a.rows[2].strength
    its_front, its_middle, its_back = b.rows[0].strength, b.rows[1].strength, b.rows[2].strength
    # Calling ``_sign`` would be slower, and this runs for every pair of every hand.
    return (
        _LEVEL
        + 9 * ((front > its_front) - (front < its_front))
        + 3 * ((middle > its_middle) - (middle < its_middle))
        + ((back > its_back) - (back < its_back))
    )


@cache
def _pairs_of(seats: int) -> tuple[tuple[int, int], ...]:
    """Return all pairs of seats, the lower seat first."""
    return tuple(combinations(range(seats), 2))


@lru_cache(maxsize=64)
def _scorer(variant: Variant) -> _Scorer:
    """Return the scorer of a game."""
    return _Scorer(variant)


def score_hand(variant: Variant, boards: Sequence[Board]) -> HandScore:
    """Return the score of a hand with ``boards`` in seat order; ``points`` sum to zero.

    Every board must be full unless its seat gave up.

    Source: docs/rules.md, "Points".

    >>> from bot.pure.ofc.notation import parse_board
    >>> from bot.pure.ofc.presets import PINEAPPLE
    >>> boards = ['QsQd2c/5c5d5h9s9c/AhKhQhJhTh', 'AsKd3c/6s6d8hJs4c/TsTd2h3h4d']
    >>> score_hand(PINEAPPLE, [parse_board(board, PINEAPPLE) for board in boards]).points
    (50, -50)
    """
    scorer = _scorer(variant)
    scored = tuple([scorer.board(board) for board in boards])
    pairs = tuple([scorer.pair(scored, first, second) for first, second in _pairs_of(len(scored))])
    points = [0] * len(scored)
    for pair in pairs:
        points[pair.first] += pair.points
        points[pair.second] -= pair.points
    return HandScore(scored, pairs, tuple(points))
