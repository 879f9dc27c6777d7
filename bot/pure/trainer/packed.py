"""Positions as short texts, for the options of a menu. A card is one character.

The words of a position are joined: ``board+held-discards|board-discards|…``. A board is front/middle/back or ``@14``.
"""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_letters

from bot.pure.ofc.cards import EMPTY, ROWS, Card, RowCards
from bot.pure.ofc.variants import Variant
from bot.pure.trainer.position import Opponent, Position, PositionError, Slip, check_position

MAX_LENGTH = 100
"""Maximum length of an option's value. Only positions of six or more players with nearly full boards are longer."""
_SIGNS = ascii_letters + "01"
"""The character of each card. The last two are the jokers."""


def packed(position: Position) -> str:
    """Return a position as a short text, such as ``T/uv/ZV+QRa|Y/CD/NJ|@14``."""
    boards = [_pack(position.rows, position.fantasyland, position.discards, held=position.held)]
    boards += [_pack(one.rows, one.fantasyland, one.discards) for one in position.opponents]
    return "|".join(boards)


def unpacked(text: str, variant: Variant) -> Position:
    """Return the position of a short text; raises PositionError."""
    try:
        own, *others = text.split("|")
        board, _, rest = own.partition("+")
        held, _, discards = rest.partition("-")
        rows, fantasyland = _unpack(board)
        position = Position(
            rows=rows,
            held=_cards(held),
            discards=_cards(discards),
            fantasyland=fantasyland,
            opponents=tuple(map(_opponent, others)),
        )
    except ValueError:
        raise PositionError(Slip.NO_BOARD, f"{text!r} is no packed position") from None
    check_position(position, variant)
    return position


def _pack(rows: RowCards, fantasyland: int, discards: Iterable[Card], *, held: Iterable[Card] | None = None) -> str:
    board = f"@{fantasyland}" if fantasyland else "/".join(map(_text, rows))
    dealt = "" if held is None else f"+{_text(held)}"
    return board + dealt + (f"-{away}" if (away := _text(discards)) else "")


def _opponent(text: str) -> Opponent:
    board, _, discards = text.partition("-")
    rows, fantasyland = _unpack(board)
    return Opponent(rows=rows, discards=_cards(discards), fantasyland=fantasyland)


def _unpack(board: str) -> tuple[RowCards, int]:
    if board.startswith("@"):
        return EMPTY, int(board[1:])
    parts = board.split("/")
    if len(parts) != len(ROWS):
        raise ValueError(board)
    front, middle, back = map(_cards, parts)
    return (front, middle, back), 0


def _text(cards: Iterable[Card]) -> str:
    return "".join(_SIGNS[card] for card in cards)


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(_SIGNS.index(sign)) for sign in text)
