"""Boards as text: ``QsQd2c/5c5d5h9s9c/AhKhQhJhTh``.

A suffix ``@14`` marks a seat in Fantasyland with 14 cards, and ``!`` a declared natural.

Source: docs/rules.md, "The board".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bot.pure.ofc.cards import ROWS, CardError, RowCards, card_name, cards_text, full_deck, parse_cards
from bot.pure.ofc.naturals import Natural, natural_of
from bot.pure.ofc.scoring import Board
from bot.pure.ofc.variants import Variant

DECLARED = "!"
EXAMPLE = "QsQd2c/5c5d5h9s9c/AhKhQhJhTh"


class NotationError(ValueError):
    """The board can't be scored. The text names the card or row and says what to write."""


def parse_board(text: str, variant: Variant) -> Board:
    """Return the board written as front/middle/back in ``text``; raises NotationError.

    >>> from bot.pure.ofc.presets import PINEAPPLE
    >>> board = parse_board('2s2d2c/4c4d5h5s9c/AhKhQhJh9h@14', PINEAPPLE)
    >>> board_text(board.rows), board.fantasyland
    ('2s2d2c/4c4d5h5s9c/AhKhQhJh9h', 14)
    """
    declared = text.endswith(DECLARED)
    plain = text.removesuffix(DECLARED)
    if DECLARED in plain:
        raise NotationError(f"{text!r} has {DECLARED} in the wrong place. Write it once, at the very end")
    written, at, number = plain.partition("@")
    parts = written.split("/")
    if len(parts) != 3:
        raise NotationError(f"{text!r} has {len(parts)} rows. Write front/middle/back, such as {EXAMPLE}")
    try:
        front, middle, back = (parse_cards(part) for part in parts)
    except CardError as error:
        raise NotationError(str(error)) from error
    rows = (front, middle, back)
    for row, cards in zip(ROWS, rows, strict=True):
        if len(cards) != row.size:
            shown = cards_text(cards) or "(empty)"
            raise NotationError(f"the {row.key} {shown} has {len(cards)} cards, but takes {row.size}")
    return Board(
        rows=rows,
        fantasyland=_fantasyland(number, variant) if at else 0,
        natural=_natural(rows, variant) if declared else None,
    )


def _natural(rows: RowCards, variant: Variant) -> Natural:
    if not variant.naturals:
        raise NotationError(f"{variant.key} has no naturals. Leave out the {DECLARED}")
    natural = natural_of([card for row in rows for card in row], variant.naturals)
    if natural is None:
        raise NotationError(f"{board_text(rows)} is not a natural. Leave out the {DECLARED}")
    return natural


def _fantasyland(number: str, variant: Variant) -> int:
    rule = variant.fantasyland
    allowed = rule.numbers if rule else ()
    for cards in allowed:
        if number == str(cards):
            return cards
    choices = " or ".join(f"@{cards}" for cards in allowed) or "nothing"
    raise NotationError(f"@{number} is not a Fantasyland of {variant.key}. Write {choices}")


def check_cards(boards: Sequence[Board], variant: Variant) -> None:
    """Raise NotationError for a card that isn't in the deck or is used more often than the deck contains it."""
    deck = Counter(full_deck(decks=variant.decks, jokers=variant.jokers))
    used = Counter(card for board in boards for row in board.rows for card in row)
    for card, count in used.items():
        if not deck[card]:
            raise NotationError(f"{card_name(card)} is not in the deck of {variant.key}")
        if count > deck[card]:
            raise NotationError(f"{card_name(card)} is used {count} times, but the deck has {deck[card]}")


def board_text(rows: RowCards) -> str:
    """Return the notation of a board, ``front/middle/back``."""
    return "/".join(cards_text(row) for row in rows)
