"""Placements in letters: applying and checking them, and previewing the boards they make.

A placement such as ``FMD`` has one letter for each card dealt, in the order dealt: F, M or B for the row, D for the
discard. A draft is a placement with ``.`` for every card that isn't placed yet.

Source: docs/rules.md, "Streets", "Rows and fouls".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from bot.pure.ofc.cards import DISCARD, JOKERS, ROWS, Card, Row, RowCards
from bot.pure.ofc.ranks import MAX_LOW_RANK, Category, Strength, category_of, is_low, partial_strength, top_rank
from bot.pure.ofc.refusals import Reason, Refused
from bot.pure.ofc.scoring import Strengths, next_fantasyland, possible_strengths
from bot.pure.ofc.variants import MiddleRank, Variant
from bot.pure.ofc.wild import strongest

OPEN = "."
_LETTERS = frozenset("FMBD")


def place(rows: RowCards, cards: Sequence[Card], letters: str) -> tuple[RowCards, tuple[Card, ...]]:
    """Return ``rows`` with ``cards`` added by ``letters`` (a placement or draft), and the discards in the order dealt.

    Raises Refused if a row overflows, and ValueError if the numbers of letters and cards differ.

    >>> from bot.pure.ofc.cards import cards_text, parse_cards
    >>> (front, middle, back), discards = place(((), (), ()), parse_cards('QhAs2c'), 'FBD')
    >>> [cards_text(cards) for cards in (front, middle, back, discards)]
    ['Qh', '', 'As', '2c']
    """
    added: dict[str, list[Card]] = {"F": [], "M": [], "B": [], DISCARD: [], OPEN: []}
    for card, letter in zip(cards, letters, strict=True):
        added[letter].append(card)
    front, middle, back = (held + tuple(added[row.value]) for row, held in zip(ROWS, rows, strict=True))
    for row, there in zip(ROWS, (front, middle, back), strict=True):
        if len(there) > row.size:
            raise Refused(Reason.ROW_FULL, row=row.key, size=row.size)
    return (front, middle, back), tuple(added[DISCARD])


def check_placement(rows: RowCards, cards: Sequence[Card], letters: str, *, to_place: int) -> None:
    """Raise Refused if a placement has wrong letters, places a wrong number of cards or overfills a row."""
    if len(letters) != len(cards) or set(letters) - _LETTERS:
        raise Refused(Reason.BAD_PLACEMENT)
    discard = len(cards) - to_place
    if letters.count(DISCARD) != discard:
        raise Refused(Reason.WRONG_COUNT, to_place=to_place, discard=discard)
    place(rows, cards, letters)


def automatic_placement(rows: RowCards, cards: Sequence[Card], *, to_place: int) -> str:
    """Return a placement of the cards in the order dealt, each in the lowest free row, with the last ones discarded.

    Source: docs/rules.md, "Streets".

    >>> automatic_placement(((), (), ()), [Card(0), Card(1), Card(2)], to_place=2)
    'BBD'
    """
    free = [row for row in reversed(ROWS) for _ in range(row.size - len(rows[row.place]))]
    return "".join(row.value for row in free[:to_place]) + DISCARD * (len(cards) - to_place)


class RowOrder(Enum):
    """Order of a board's rows, which must be front <= middle <= back."""

    LEGAL = "legal"
    """Complete and legal."""
    OPEN = "open"
    """Unfinished, and in order so far."""
    DANGER = "danger"
    """Unfinished: a pair or better is ahead of a row below it that must still overtake it."""
    FOUL = "foul"
    """Fouled for certain, because full rows are in the wrong order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """Preview of a board. ``royalties`` are for front, middle and back; None for an unfinished row."""

    rows: RowCards
    strengths: tuple[Strength, Strength, Strength]
    """Strengths of front, middle and back. For an unfinished row, the strength of its cards so far."""
    royalties: tuple[int | None, int | None, int | None]
    order: RowOrder
    clash: tuple[Row, Row] | None
    """The row that is too strong and the one below it, if the board is fouled or in danger of it. Also None if the
    board is fouled because the middle isn't a low."""
    next_fantasyland: int
    """Number of Fantasyland cards next hand if the board isn't fouled. It's exact for a full board and otherwise based
    only on the front."""


@lru_cache(maxsize=4096)
def preview(variant: Variant, rows: RowCards, *, fantasyland: int) -> Preview:
    """Return the preview of ``rows`` for a player with ``fantasyland`` cards (0 outside Fantasyland).

    A joker counts for as much as it can without a foul.

    >>> from bot.pure.ofc.cards import parse_cards
    >>> from bot.pure.ofc.presets import PINEAPPLE
    >>> front, middle, back = map(parse_cards, ('QsQd2c', '5c5d', 'AhKhQhJhTh'))
    >>> seen = preview(PINEAPPLE, (front, middle, back), fantasyland=0)
    >>> seen.royalties, seen.order.value, seen.next_fantasyland
    ((7, None, 25), 'danger', 14)
    """
    full = [len(cards) == row.size for row, cards in zip(ROWS, rows, strict=True)]
    strengths, order, clash = _row_order(variant, rows, full)
    front_pay, middle_pay, back_pay = (
        variant.royalties.of(row, strength) if done else None
        for row, strength, done in zip(ROWS, strengths, full, strict=True)
    )
    return Preview(
        rows=rows,
        strengths=strengths,
        royalties=(front_pay, middle_pay, back_pay),
        order=order,
        clash=clash,
        next_fantasyland=0 if order is RowOrder.FOUL else _promise(variant, strengths, full, fantasyland),
    )


def _row_order(
    variant: Variant, rows: RowCards, full: Sequence[bool]
) -> tuple[Strengths, RowOrder, tuple[Row, Row] | None]:
    """Return the strength of each row, their order, and the two rows that clash, if any.

    From the back upwards, each row is as strong as it can be without overtaking the full row below it. Full rows don't
    change and the others only get stronger, so a row that can't stay below is a foul.
    """
    possible = [_possible(variant, row, cards) for row, cards in zip(ROWS, rows, strict=True)]
    low = variant.middle is MiddleRank.DEUCE_TO_SEVEN
    found: list[Strength] = []
    below: tuple[Row, Strength] | None = None
    for row in reversed(ROWS):
        beside = low and row is Row.MIDDLE
        limit = below[1] if below and not beside else None
        strength = strongest(possible[row.place], limit, strict=variant.strict_rows and not low)
        if strength is None or (beside and not _may_be_low(strength, full=full[row.place])):
            clash = (row, below[0]) if below and strength is None else None
            return (possible[0][0], possible[1][0], possible[2][0]), RowOrder.FOUL, clash
        found.insert(0, strength)
        if full[row.place] and not beside:
            below = row, strength
    danger = None if all(full) else _unfinished_pair(possible, found, full, low=low)
    order = RowOrder.LEGAL if all(full) else RowOrder.DANGER if danger else RowOrder.OPEN
    return (found[0], found[1], found[2]), order, danger


@lru_cache(maxsize=4096)
def _possible(variant: Variant, row: Row, cards: tuple[Card, ...]) -> tuple[Strength, ...]:
    """Return the strengths that a row can have, strongest first.

    For an unfinished row, they are those of its cards with and without jokers.
    """
    if len(cards) == row.size:
        return possible_strengths(variant, row, cards)
    naturals = [card for card in cards if card not in JOKERS]
    least = partial_strength(naturals)
    jokers = len(cards) - len(naturals)
    return (partial_strength(naturals, jokers=jokers), least) if jokers else (least,)


def _unfinished_pair(
    possible: Sequence[Sequence[Strength]], found: Sequence[Strength], full: Sequence[bool], *, low: bool
) -> tuple[Row, Row] | None:
    """Return a row and the unfinished one below that must still overtake it, if any.

    A joker in the row above can always give way.
    """
    for upper, lower in _COMPARED_LOW if low else _COMPARED:
        least = possible[upper.place][-1]
        if not full[lower.place] and least > found[lower.place] and category_of(least) > Category.HIGH_CARD:
            return upper, lower
    return None


_COMPARED = ((Row.FRONT, Row.MIDDLE), (Row.MIDDLE, Row.BACK), (Row.FRONT, Row.BACK))
_COMPARED_LOW = ((Row.FRONT, Row.BACK),)


def _may_be_low(strength: Strength, *, full: bool) -> bool:
    """True if a middle is a deuce-to-seven low or can still become one."""
    if full:
        return is_low(strength)
    return category_of(strength) is Category.HIGH_CARD and top_rank(strength) <= MAX_LOW_RANK


def _promise(variant: Variant, strengths: Sequence[Strength], full: Sequence[bool], fantasyland: int) -> int:
    if all(full) or (full[Row.FRONT.place] and not fantasyland):
        return next_fantasyland(variant, strengths, held=fantasyland)
    return 0
