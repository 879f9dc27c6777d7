"""Check for boards that can no longer become legal.

Each row has bounds: the weakest and the strongest hand that it can become with the remaining cards. If the lower bound
of a row is above the upper bound of a row below it, the foul is certain. If no two rows show a foul, a search adds
cards to the board one by one, checking the bounds at each step, until it finds a legal board. It's needed because rows
can compete for a card, and a joker may help any two rows but not all three. So the answer is exact, unless the search
reaches its limit (:data:`STEPS`) and no foul is reported. Most boards have many legal completions, so a few likely ones
are tried first.

Source: docs/rules.md, "Rows and fouls".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations, combinations_with_replacement

from bot.pure.ofc.cards import JOKERS, ROWS, Card, Row, RowCards, rank_of, ranks_of, suit_of
from bot.pure.ofc.placement import RowOrder, preview
from bot.pure.ofc.ranks import MAX_LOW_RANK, Category, Strength, category_of, partial_strength, rank_strength, top_rank
from bot.pure.ofc.scoring import in_order, possible_strengths, resolve
from bot.pure.ofc.variants import MiddleRank, Variant

STEPS = 400
"""Maximum number of boards per search. Most searches need one for each open place, and a few more."""
MAX_PLACES = 8
"""Maximum number of open places. Boards with more, such as on the first street, aren't searched."""
_FEW_CARDS = 12
"""Maximum size of a pool for which all ways to fill a row are tried, however many open places it has."""
_FEW_PLACES = 2
_NO_BOUND = Strength(1 << 30)
_ORDER_OF_FILLING = (Row.BACK, Row.FRONT, Row.MIDDLE)
_COMPARED = ((Row.FRONT, Row.MIDDLE), (Row.MIDDLE, Row.BACK), (Row.FRONT, Row.BACK))
_COMPARED_LOW = ((Row.FRONT, Row.BACK),)


@dataclass(frozen=True, slots=True)
class Outlook:
    """Outlook of a board."""

    lost: bool
    """True if a foul is certain."""
    clash: tuple[Row, Row] | None = None
    """The row that is too strong and the one below it that can't catch up, if two rows alone make the foul certain."""


OPEN = Outlook(lost=False)


@lru_cache(maxsize=2048)
def outlook(variant: Variant, rows: RowCards, pool: tuple[Card, ...]) -> Outlook:
    """Return the outlook of ``rows`` if their open places are filled from ``pool``, the cards held and still to come.

    It ignores that some of the held cards must be placed now. If that matters, the next street's outlook shows it.
    """
    if preview(variant, rows, fantasyland=0).order is RowOrder.FOUL:
        return Outlook(lost=True)
    places = sum(row.size - len(cards) for row, cards in zip(ROWS, rows, strict=True))
    if not 0 < places <= min(len(pool), MAX_PLACES):
        return OPEN
    if any(in_order(variant, resolve(variant, board)) for board in _likely_boards(rows, pool)):
        return OPEN
    search = _LegalBoardSearch(variant)
    if (clash := search.clash(rows, pool)) is not None:
        return Outlook(lost=True, clash=clash or None)
    try:
        return Outlook(lost=search.filled(rows, pool) is None)
    except _TooLongError:
        return OPEN


def filled(variant: Variant, rows: RowCards, pool: tuple[Card, ...]) -> RowCards | None:
    """Return ``rows`` completed from ``pool`` to a legal board, with the new cards last; None if none was found."""
    try:
        return _LegalBoardSearch(variant).filled(rows, pool)
    except _TooLongError:
        return None


class _TooLongError(Exception):
    """The search reached its limit of steps."""


class _LegalBoardSearch:
    """A search for one legal board."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self._low = variant.middle is MiddleRank.DEUCE_TO_SEVEN
        self._steps = 0
        self._reached: dict[tuple[object, ...], bool] = {}

    def filled(self, rows: RowCards, pool: tuple[Card, ...], *, row: Row | None = None, at: int = 0) -> RowCards | None:
        """Return a legal board completed from ``pool``, or None. Cards before ``at`` aren't tried in ``row``."""
        if _is_whole(rows):
            return rows if in_order(self._variant, resolve(self._variant, rows)) else None
        self._steps += 1
        if self._steps > STEPS:
            raise _TooLongError
        if self.clash(rows, pool) is not None:
            return None
        now = next(row for row in _ORDER_OF_FILLING if len(rows[row.place]) < row.size)
        cards = pool if now is row else self._in_order(rows, now, pool)
        tried: set[tuple[int, int]] = set()
        suits = frozenset().union(*(_suits_of_flush(row, rows[row.place]) for row in ROWS))
        for place in range(at if now is row else 0, len(cards)):
            kind = _kind(cards[place], suits)
            if kind in tried:
                continue
            tried.add(kind)
            left = cards[:place] + cards[place + 1 :]
            if (board := self.filled(_with(rows, now, cards[place]), left, row=now, at=place)) is not None:
                return board
        return None

    def _in_order(self, rows: RowCards, row: Row, pool: tuple[Card, ...]) -> tuple[Card, ...]:
        """Return ``pool`` in the order a row tries it, strongest cards first for the back, otherwise weakest."""
        if row is Row.BACK:
            return _strong_first(rows[row.place], pool)
        return _weak_first(rows[row.place], pool, up=row is Row.FRONT or self._low)

    def clash(self, rows: RowCards, pool: tuple[Card, ...]) -> tuple[Row, Row] | tuple[()] | None:
        """Return two rows that can't be put in order with ``pool``; () if no middle fits, None if all rows might."""
        if self._low and not _may_become_low(rows[Row.MIDDLE.place], pool):
            return ()
        least = [self._least(row, rows[row.place], pool) for row in ROWS]
        if self._variant.strict_rows and not self._low:
            least = [Strength(strength + 1) for strength in least]
        for upper, lower in _COMPARED_LOW if self._low else _COMPARED:
            if not self._reaches(lower, rows[lower.place], pool, least[upper.place]):
                return upper, lower
        if self._low or len(rows[Row.BACK.place]) < Row.BACK.size:
            return None
        most = possible_strengths(self._variant, Row.BACK, rows[Row.BACK.place])[0]
        middle = rows[Row.MIDDLE.place]
        return None if self._reaches(Row.MIDDLE, middle, pool, least[Row.FRONT.place], most) else ()

    def _least(self, row: Row, cards: tuple[Card, ...], pool: tuple[Card, ...]) -> Strength:
        """Return a lower bound of the row's strength: its cards with the lowest kickers that don't pair."""
        if len(cards) == row.size:
            return possible_strengths(self._variant, row, cards)[-1]
        natural = [card for card in cards if card not in JOKERS]
        if len(natural) < len(cards) or any(card in JOKERS for card in pool):
            return partial_strength(natural)  # a joker is a lower kicker than any card in the row
        lowest = {rank_of(card): card for card in pool if card not in JOKERS}
        for card in natural:
            lowest.pop(rank_of(card), None)
        kickers = [lowest[rank] for rank in sorted(lowest)[: row.size - len(cards)]]
        return partial_strength([*natural, *kickers])

    def _reaches(
        self, row: Row, cards: tuple[Card, ...], pool: tuple[Card, ...], least: Strength, most: Strength = _NO_BOUND
    ) -> bool:
        """True if cards from ``pool`` could give the row a strength from ``least`` to ``most``."""
        room = row.size - len(cards)
        if room > _FEW_PLACES and len(pool) > _FEW_CARDS:
            return most is _NO_BOUND or _by_ranks(cards, pool, room, least, most)
        kinds = _kinds(_suits_of_flush(row, cards), _strong_first(cards, pool), most=room) if room else ()
        question = row, cards, kinds, least, most
        known = self._reached.get(question)
        if known is None:
            known = self._reached[question] = any(
                least <= strength <= most
                for added in combinations(kinds, room)
                for strength in possible_strengths(self._variant, row, cards + added)
            )
        return known


def _likely_boards(rows: RowCards, pool: tuple[Card, ...]) -> Iterator[RowCards]:
    """Yield full boards with a strong back, a weak front, and a middle with more and more strong cards."""
    front, middle, back = rows
    added = _strong_first(back, pool)[: Row.BACK.size - len(back)]
    back, pool = back + added, _without(pool, added)
    added = _weak_first(front, pool)[: Row.FRONT.size - len(front)]
    front, pool = front + added, _without(pool, added)
    room = Row.MIDDLE.size - len(middle)
    for strong in range(room + 1):
        high = middle + _strong_first(middle, pool)[:strong]
        low = _weak_first(high, _without(pool, high[len(middle) :]))
        # Take every second card first, because the lowest cards together would make a straight.
        yield front, high + (low[::2] + low[1::2])[: room - strong], back


def _by_ranks(cards: tuple[Card, ...], pool: tuple[Card, ...], room: int, least: Strength, most: Strength) -> bool:
    """True if the row may reach this range, judged by ranks only, or if a joker or a flush might help it.

    Used for rows with many open places.
    """
    may_flush = bool(_suits_of_flush(Row.BACK, cards)) and category_of(most) >= Category.FLUSH
    if may_flush or any(card in JOKERS for card in (*cards, *pool)):
        return True
    held = [rank_of(card) for card in cards]
    there = Counter(map(rank_of, pool))
    # Without an upper bound, strong cards are the likely answers, otherwise weak ones.
    ranks = sorted(there, reverse=most is _NO_BOUND)
    likely = combinations(ranks, room) if most is not _NO_BOUND else ()
    repeated = (
        added
        for added in combinations_with_replacement(ranks, room)
        if len(set(added)) == room or all(added.count(rank) <= there[rank] for rank in added)
    )
    return any(least <= rank_strength([*held, *added]) <= most for added in chain(likely, repeated))


def _strong_first(cards: tuple[Card, ...], pool: Sequence[Card]) -> tuple[Card, ...]:
    """Return ``pool`` sorted so that the cards that most strengthen a row of ``cards`` come first."""
    held = ranks_of([card for card in cards if card not in JOKERS])
    order = [(card in JOKERS, held.count(rank), card) for card, rank in zip(pool, ranks_of(pool), strict=True)]
    return tuple([card for *_, card in sorted(order, reverse=True)])


def _weak_first(cards: tuple[Card, ...], pool: Sequence[Card], *, up: bool = True) -> tuple[Card, ...]:
    """Return ``pool`` sorted so that cards that don't pair any of ``cards`` come first, low before high if ``up``."""
    held, pool = ranks_of(cards), sorted(pool)
    copies: list[tuple[bool, int, int, Card]] = []
    for card, rank in zip(pool, ranks_of(pool), strict=True):
        held.append(rank)
        copies.append((card in JOKERS, held.count(rank), rank if up else -rank, card))
    return tuple([card for *_, card in sorted(copies)])


def _without(pool: tuple[Card, ...], taken: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return ``pool`` without one copy of each card in ``taken``."""
    left = list(pool)
    for card in taken:
        left.remove(card)
    return tuple(left)


def _with(rows: RowCards, row: Row, card: Card) -> RowCards:
    front, middle, back = (cards + (card,) * (row.place == place) for place, cards in enumerate(rows))
    return front, middle, back


def _is_whole(rows: RowCards) -> bool:
    return all(len(cards) == row.size for row, cards in zip(ROWS, rows, strict=True))


def _may_become_low(cards: tuple[Card, ...], pool: Sequence[Card]) -> bool:
    """True if no card of a middle rules out a low, and ``pool`` has enough ranks for its open places."""
    made = partial_strength(cards)
    if category_of(made) is not Category.HIGH_CARD or (cards and top_rank(made) > MAX_LOW_RANK):
        return False
    ranks = {rank_of(card) for card in pool if card not in JOKERS and rank_of(card) <= MAX_LOW_RANK}
    return len(ranks - {rank_of(card) for card in cards}) >= Row.MIDDLE.size - len(cards)


def _suits_of_flush(row: Row, cards: tuple[Card, ...]) -> frozenset[int]:
    """Return the suits that can still make an unfinished row a flush."""
    if row is Row.FRONT or len(cards) == row.size:
        return frozenset()
    suits = frozenset(suit_of(card) for card in cards if card not in JOKERS)
    return (suits or frozenset(range(4))) if len(suits) <= 1 else frozenset()


def _kind(card: Card, suits: frozenset[int]) -> tuple[int, int]:
    """Return a key that is equal for cards with the same effect on every row."""
    if card in JOKERS:
        return 0, 0
    return rank_of(card), suit_of(card) if suit_of(card) in suits else -1


def _kinds(suits: frozenset[int], pool: Sequence[Card], *, most: int) -> tuple[Card, ...]:
    """Return the cards worth trying in a row, at most ``most`` of each kind (cards with the same effect)."""
    counts: Counter[tuple[int, int]] = Counter()
    kinds = []
    for card in pool:
        kind = _kind(card, suits)
        counts[kind] += 1
        if counts[kind] <= most:
            kinds.append(card)
    return tuple(kinds)
