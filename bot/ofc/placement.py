"""Placements in letters: what they do to a board, whether they are allowed, and what they promise.

A placement such as ``FMD`` has one letter for each card dealt, in the order dealt: F, M or B for the row, D for the
discard. A draft is a placement with ``.`` for every card that has no place yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from bot.ofc.cards import Card
from bot.ofc.fantasyland import next_fantasyland
from bot.ofc.ranks import Category, Strength, category_of, partial_strength, row_strength
from bot.ofc.refusals import Reason, Refused
from bot.ofc.rows import DISCARD, ROWS, Row, RowCards
from bot.ofc.scoring import in_order
from bot.ofc.variants import Variant

OPEN = "."
_LETTERS = frozenset("FMBD")


def place(rows: RowCards, cards: Sequence[Card], letters: str) -> tuple[RowCards, tuple[Card, ...]]:
    """``rows`` with ``cards`` added by ``letters`` (a placement or a draft), and the discards.

    Raises Refused for a row that overflows.
    """
    added: dict[str, list[Card]] = {"F": [], "M": [], "B": [], DISCARD: [], OPEN: []}
    for card, letter in zip(cards, letters, strict=True):
        added[letter].append(card)
    front, middle, back = (held + tuple(added[row.value]) for row, held in zip(ROWS, rows, strict=True))
    for row, there in zip(ROWS, (front, middle, back), strict=True):
        if len(there) > row.size:
            raise Refused(Reason.ROW_FULL, row=row.key, size=row.size)
    return (front, middle, back), tuple(added[DISCARD])


def check_placement(rows: RowCards, cards: Sequence[Card], letters: str, *, lay: int) -> None:
    """Refuse a placement with wrong letters, a wrong number of cards laid, or an overfull row."""
    if len(letters) != len(cards) or set(letters) - _LETTERS:
        raise Refused(Reason.BAD_PLACEMENT)
    discard = len(cards) - lay
    if letters.count(DISCARD) != discard:
        raise Refused(Reason.WRONG_COUNT, lay=lay, discard=discard)
    place(rows, cards, letters)


def automatic_placement(rows: RowCards, cards: Sequence[Card], *, lay: int) -> str:
    """What the clock lays: cards in the order dealt into the lowest free row (back, middle, front), the last
    ones discarded. Source: rules, clocks and absence.
    """
    free = [row for row in reversed(ROWS) for _ in range(row.size - len(rows[row.place]))]
    return "".join(row.value for row in free[:lay]) + DISCARD * (len(cards) - lay)


class Order(Enum):
    """Whether a board keeps front <= middle <= back."""

    LEGAL = "legal"
    """Complete and legal."""
    OPEN = "open"
    """Unfinished, and in order so far."""
    DANGER = "danger"
    """Unfinished: a pair or better in a higher row is ahead of a lower one that must still overtake it."""
    FOUL = "foul"
    """Full rows stand in the wrong order: nothing can save it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a board promises. ``royalties`` counts full rows only, front, middle, back; None for an unfinished row."""

    rows: RowCards
    strengths: tuple[Strength, Strength, Strength]
    """Of full rows, or of what the cards of an unfinished one are worth by themselves."""
    royalties: tuple[int | None, int | None, int | None]
    order: Order
    next_fantasyland: int
    """Cards in Fantasyland next hand if nothing fouls: exact on a full board, else by the front alone."""


def preview(variant: Variant, rows: RowCards, *, fantasyland: int) -> Preview:
    """What ``rows`` promise to a player who holds ``fantasyland`` cards (0 outside Fantasyland)."""
    full = [len(cards) == row.size for row, cards in zip(ROWS, rows, strict=True)]
    front, middle, back = (
        row_strength(cards) if done else partial_strength(cards) for cards, done in zip(rows, full, strict=True)
    )
    front_pay, middle_pay, back_pay = (
        variant.royalties.of(row, strength) if done else None
        for row, strength, done in zip(ROWS, (front, middle, back), full, strict=True)
    )
    order = _order(variant, (front, middle, back), full)
    return Preview(
        rows=rows,
        strengths=(front, middle, back),
        royalties=(front_pay, middle_pay, back_pay),
        order=order,
        next_fantasyland=0 if order is Order.FOUL else _promise(variant, (front, middle, back), full, fantasyland),
    )


def _order(variant: Variant, strengths: Sequence[Strength], full: Sequence[bool]) -> Order:
    if all(full):
        return Order.LEGAL if in_order(variant, strengths) else Order.FOUL
    worst = Order.OPEN
    for upper, lower in ((Row.FRONT, Row.MIDDLE), (Row.MIDDLE, Row.BACK), (Row.FRONT, Row.BACK)):
        above, below = strengths[upper.place], strengths[lower.place]
        # A full lower row stays as it is and a higher row only grows, so that level rows may foul already.
        if full[lower.place] and (above > below or (variant.strict_rows and above == below)):
            return Order.FOUL
        if above > below and category_of(above) > Category.HIGH_CARD:
            worst = Order.DANGER
    return worst


def _promise(variant: Variant, strengths: Sequence[Strength], full: Sequence[bool], fantasyland: int) -> int:
    if all(full) or (full[Row.FRONT.place] and not fantasyland):
        return next_fantasyland(variant, strengths, held=fantasyland)
    return 0
