"""Overview of a game on one screen: the board, how a hand is played, royalties and Fantasyland."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width

from bot.pure.ofc.cards import ROWS, Card, Row
from bot.pure.ofc.notation import parse_board
from bot.pure.ofc.ranks import category_of, low_strength, row_strength
from bot.pure.ofc.variants import Variant
from bot.text.cards import category_name, row_name, row_text
from bot.text.games import variant_name
from bot.text.house_rules import house_items
from bot.text.rulebook.deal import streets_in_lines
from bot.text.rulebook.differences import EVERYDAY, differences
from bot.text.rulebook.fantasyland import ways_in_and_on
from bot.text.rulebook.game_page import order_and_foul, points_of_rows
from bot.text.rulebook.general_rules import LEGAL_BOARD
from bot.text.rulebook.page import said
from bot.text.rulebook.royalties import (
    front_in_short,
    has_low_middle,
    pays_royalties,
    royalties_by_row,
    royalties_in_short,
)
from bot.text.words import Words, capital

LOW_BOARD = "KhKd4c/8c6c5s3h2h/AdJd9d7d2d"
"""A legal board in a game with a low in the middle."""
OVERVIEW_LIMIT = 2_400
"""Maximum number of characters on the first page. A message made of components can have 4,000."""
MAX_CHANGES_LENGTH = 700
"""Maximum number of characters for changes on the first page. A longer list gets its own page."""
FENCE = "```"
_CARD_WIDTH = 3
"""Columns for a card and the space after it."""


def overview(variant: Variant, words: Words, *, summary: str, heard: bool = False) -> str:
    """Return an overview for one Discord message, up to OVERVIEW_LIMIT characters, without tables if ``heard``."""
    changes = "\n".join(_changes(variant, words))
    blocks = [
        f"# {variant_name(variant, words)}\n{summary}",
        # The changes made by house rules may not fit on one screen, so they also have their own page.
        changes if len(changes) < MAX_CHANGES_LENGTH else "",
        _board(variant, words, heard=heard),
        _hand(variant, words),
        _royalties(variant, words, heard=heard),
        _bonus(variant, words),
    ]
    while len(whole := "\n".join(filter(None, blocks))) > OVERVIEW_LIMIT:
        blocks.pop()
    return whole


def _changes(variant: Variant, words: Words) -> list[str]:
    """Return the changes made by house rules, or the differences from the standard game."""
    if variant.house:
        return [f"## {words('rules.heading.house')}", *_points(house_items(variant, words))]
    unlike = differences(variant, words)
    title = words("rules.like.heading", game=variant_name(EVERYDAY, words))
    return [f"## {title}", *_points(unlike)] if unlike else []


def _points(lines: Iterable[str]) -> list[str]:
    return [f"- {line}" for line in lines]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardLine:
    """A row of the example board: its cards and the name of the hand."""

    row: Row
    cards: tuple[Card, ...]
    hand: str


def board_lines(words: Words, *, low: bool) -> list[BoardLine]:
    """Return the rows of a legal board, with a low in the middle if ``low``."""
    board = parse_board(LOW_BOARD if low else LEGAL_BOARD, EVERYDAY).rows
    lines = []
    for row, cards in zip(ROWS, board, strict=True):
        strength = low_strength(cards) if low and row is Row.MIDDLE else row_strength(cards)
        lines.append(BoardLine(row=row, cards=cards, hand=category_name(category_of(strength), words)))
    return lines


def _board(variant: Variant, words: Words, *, heard: bool) -> str:
    """Return the text of a legal board, with the names of its rows and hands and the rules for legal boards."""
    lines = board_lines(words, low=has_low_middle(variant))
    if heard:
        picture = _points(_in_a_sentence(line, words) for line in lines)
    else:
        drawn = [
            f"{capital(row_name(line.row, words))} · {line.hand}\n"
            f"{' ' * _CARD_WIDTH * (Row.BACK.size - line.row.size)}{row_text(line.cards)}"
            for line in lines
        ]
        picture = [FENCE, *drawn, FENCE]
    sizes = words("rules.page.rows", front=Row.FRONT.size, middle=Row.MIDDLE.size, back=Row.BACK.size)
    points = _points([sizes, *order_and_foul(variant, words)])
    return "\n".join([f"## {words('rules.basics.board.heading')}", *picture, *points])


def _in_a_sentence(line: BoardLine, words: Words) -> str:
    row, hand = capital(row_name(line.row, words)), capital(line.hand)
    return words("aloud.row_hand", row=row, cards=row_text(line.cards), hand=hand)


def around_board(page: str) -> tuple[str, str]:
    """Return the texts above and below the board on the first page, so that the board can be drawn instead."""
    above, _, rest = page.partition(f"\n{FENCE}\n")
    return above, rest.partition(f"\n{FENCE}\n")[2]


def _hand(variant: Variant, words: Words) -> str:
    """Return the text about the streets and the points for rows, and whether royalties or Fantasyland are missing."""
    lines = [*streets_in_lines(variant, words), *said(points_of_rows(variant, words), words)]
    if not pays_royalties(variant):
        lines.append(words("rules.royalties.none"))
    if variant.fantasyland is None:
        lines.append(words("rules.fantasyland.none"))
    return "\n".join([f"## {words('rules.page.hand')}", *_points(lines)])


def _royalties(variant: Variant, words: Words, *, heard: bool) -> str:
    """Return the text about royalties; empty if the game has none."""
    if heard:
        told = royalties_by_row(variant, words)
        return "\n".join([f"## {words('rules.heading.royalties')}", *_points(told)]) if told else ""
    rows, front = royalties_in_short(variant, words), front_in_short(variant, words)
    if not rows and not front:
        return ""
    lines = [f"## {words('rules.heading.royalties')}", *_points([front] if front else [])]
    return "\n".join([*lines, FENCE, *_columns(rows, words), FENCE] if rows else lines)


def _columns(rows: list[list[str]], words: Words) -> list[str]:
    """Return middle and back in columns. More columns or full names would be too wide for a phone."""
    table = [[*(words(f"board.mark.{row.key}") for row in (Row.MIDDLE, Row.BACK)), ""], *rows]
    middle, back, names = zip(*table, strict=True)
    return [f"{_padded(middle, at)} {_padded(back, at)} {name}".rstrip() for at, name in enumerate(names)]


def _bonus(variant: Variant, words: Words) -> str:
    """Return the text about entering Fantasyland and staying; empty if the game has none."""
    if variant.fantasyland is None:
        return ""
    return "\n".join(
        [f"## {words('rules.heading.fantasyland')}", *_points(said(ways_in_and_on(variant, words), words))]
    )


def _padded(column: Sequence[str], at: int) -> str:
    """Return the text at index ``at``, right-aligned to the widest text in the column."""
    return " " * (max(map(_width, column)) - _width(column[at])) + column[at]


def _width(text: str) -> int:
    """Return the width of a text in a monospaced font. Wide characters take two columns."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)
