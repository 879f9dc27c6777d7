"""The common rules in the rule book: the board, the hands, and scored examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.pure.ofc.cards import ROWS, Card, Row, parse_cards
from bot.pure.ofc.notation import parse_board
from bot.pure.ofc.ranks import Category, category_of, is_low, low_strength, row_strength
from bot.pure.ofc.scoring import Board, HandScore, RowScore, score_hand
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.wild import became, row_strengths, strongest
from bot.text.cards import category_name, low_text, row_name, row_text
from bot.text.rulebook.differences import EVERYDAY
from bot.text.rulebook.page import Grid, Section
from bot.text.rulebook.royalties import has_low_middle
from bot.text.words import Words, capital

LEGAL_BOARD = "KhKd4c/8s8h8d5cQc/AdJd9d7d2d"
HANDS = {
    Category.ROYAL_FLUSH: "AsKsQsJsTs",
    Category.STRAIGHT_FLUSH: "9h8h7h6h5h",
    Category.FOUR_OF_A_KIND: "7s7h7d7cKd",
    Category.FULL_HOUSE: "JsJdJc4s4h",
    Category.FLUSH: "AdJd8d6d3d",
    Category.STRAIGHT: "9c8d7s6h5d",
    Category.THREE_OF_A_KIND: "QsQhQd8c2s",
    Category.TWO_PAIR: "KsKd5h5cJs",
    Category.PAIR: "ThTdAc7s3d",
    Category.HIGH_CARD: "AhQc9d6s2c",
}
"""An example of each category that exists in every game, strongest first."""

FRONTS_AND_MIDDLES = {
    "kicker_loses": ("QsQh9d", "QdQc8s5h2c"),
    "kicker_wins": ("QsQh7d", "QdQc9s8h2c"),
    "same_ranks": ("6s6hAd", "6d6cAs3h2c"),
    "trips": ("AsAhAd", "KsKhKd3c2s"),
    "straight": ("AsAhAd", "8s7h6d5c4s"),
    "high_card": ("AsKhQd", "AdKcQs3h2c"),
}
"""Fronts and the middles below them, keyed by the reason for the result."""

LOWS = {
    "best": "7s5h4d3c2s",
    "eight": "8d6c5s3h2d",
    "worst": "Th9d8c7s5h",
    "ace": "Ac5d4h3s2c",
    "straight": "9h8d7c6s5h",
    "flush": "7d5d4d3d2d",
    "pair": "8s8h5d3c2s",
}
"""Middles in games with deuce-to-seven lows, keyed by the reason for the result."""

JOKERS = {
    "pair": ("AsX17h", "8s8hKdQc2s"),
    "ace": ("KsKhX1", "AdAcQsJhTd"),
    "trips": ("AsAhX1", "8s7h6d5c4s"),
    "flush": ("AsKs9s5sX1", ""),
    "five": ("8s8h8d8cX1", ""),
}
"""Rows with a joker, and the rows below them (none below the back), keyed by the reason for the result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """Two boards compared with each other, and the numbers in the text below them."""

    key: str
    first: str
    second: str
    numbers: tuple[str, ...]


EXAMPLES = (
    Example(
        key="two_to_one",
        first="Kh9d4c/8s8h3d5cQc/JcJdTs6h2h",
        second="5s5d2c/7h7sAc9hKd/ThTcAh8c3s",
        numbers=("total", "other"),
    ),
    Example(
        key="scoop",
        first="QcQd6h/8c8d8hKs4s/Ad9d7d5d2d",
        second="AhKd9c/JhJc3s3hTs/Tc9h8s7s6c",
        numbers=("rows", "mine", "theirs", "total"),
    ),
    Example(
        key="tie",
        first="AcKc9d/6h6c4s3dTh/QhQs7c7dJd",
        second="AdKd9s/5h5c8s2dJh/TsTd4c4h8c",
        numbers=("rows", "total", "other"),
    ),
    Example(
        key="foul",
        first="7h7d2s/QdJhTd9s8h/Qc9c6c4c2c",
        second="AsAh5d/KcKd9h7s3c/JsJc8d8s4d",
        numbers=("rows", "mine", "total"),
    ),
    Example(
        key="lost_row",
        first="KcKd4h/9c9d9h5s2s/AhJh8h6h3h",
        second="6c6s3d/7c7d7sJc8c/AsKsQsJsTs",
        numbers=("rows", "mine", "theirs", "total", "other"),
    ),
)


def general_rules(words: Words) -> tuple[Section, ...]:
    """Return the sections before the games."""
    return _board(words), *hands(words), *(_example(example, words) for example in EXAMPLES)


def special_rules(words: Words) -> tuple[Section, ...]:
    """Return the sections after the games, for the few with jokers or lows."""
    return _jokers(words), _lows(words)


def hands(words: Words) -> tuple[Section, ...]:
    """Return the sections about the ranking of hands and about comparing three cards with five."""
    return _ranking(words), _order(words)


def hands_of(variant: Variant, words: Words) -> tuple[Section, ...]:
    """Return the sections about hands for one game, including jokers and lows if it has them."""
    jokers = [_jokers(words)] if variant.jokers else []
    lows = [_lows(words)] if has_low_middle(variant) else []
    return *hands(words), *jokers, *lows


def _board(words: Words) -> Section:
    at = "rules.basics.board"
    cards = parse_board(LEGAL_BOARD, EVERYDAY).rows
    rows = tuple(
        (capital(row_name(row, words)), row_text(held), category_name(category_of(row_strength(held)), words))
        for row, held in zip(ROWS, cards, strict=True)
    )
    grid = Grid(head=(words(f"{at}.row"), words(f"{at}.cards"), words(f"{at}.hand")), rows=rows)
    return Section(title=words(f"{at}.heading"), opening=words(f"{at}.opening"), items=(grid,))


def _ranking(words: Words) -> Section:
    at = "rules.basics.ranking"
    rows = tuple(
        (capital(category_name(category, words)), row_text(parse_cards(hand))) for category, hand in HANDS.items()
    )
    grid = Grid(head=(words(f"{at}.hand"), words(f"{at}.example")), rows=rows)
    points = tuple(words(f"{at}.{key}") for key in ("ace", "ties", "front"))
    return Section(title=words(f"{at}.heading"), opening=words(f"{at}.opening"), items=(grid, *points))


def _order(words: Words) -> Section:
    at = "rules.basics.order"
    rows = []
    for why, written in FRONTS_AND_MIDDLES.items():
        front, middle = (parse_cards(cards) for cards in written)
        result = "foul" if row_strength(front) > row_strength(middle) else "legal"
        rows.append((row_text(front), row_text(middle), words(f"{at}.{result}"), words(f"{at}.why.{why}")))
    head = tuple(words(f"{at}.{column}") for column in ("front", "middle", "result", "reason"))
    lines = [words("aloud.against", front=row[0], middle=row[1], result=row[2], reason=row[3]) for row in rows]
    grid = Grid(head=head, rows=tuple(rows), lines=tuple(lines) if words.heard else ())
    return Section(title=words(f"{at}.heading"), opening=words(f"{at}.opening"), items=(grid,))


def _jokers(words: Words) -> Section:
    """Return the section about the cards that jokers stand for, using the standard game's rules for jokers."""
    at = "rules.basics.jokers"
    rows = []
    for why, (cards, below) in JOKERS.items():
        row, lower = parse_cards(cards), parse_cards(below)
        values = row_strengths(row, may_copy=EVERYDAY.joker_may_copy, double_ace=EVERYDAY.double_ace_flush)
        strength = strongest(values, row_strength(lower) if lower else None, strict=EVERYDAY.strict_rows)
        assert strength is not None
        rows.append((row_text(row), row_text(lower), row_text(became(row, strength)), words(f"{at}.why.{why}")))
    head = tuple(words(f"{at}.{column}") for column in ("row", "below", "counts", "reason"))
    return Section(
        title=words(f"{at}.heading"), opening=words(f"{at}.opening"), items=(Grid(head=head, rows=tuple(rows)),)
    )


def _lows(words: Words) -> Section:
    at = "rules.basics.lows"
    rows = []
    for why, written in LOWS.items():
        cards = parse_cards(written)
        strength = low_strength(cards)
        result = low_text(strength, words) if is_low(strength) else words(f"{at}.foul")
        rows.append((row_text(cards), result, words(f"{at}.why.{why}")))
    head = tuple(words(f"{at}.{column}") for column in ("middle", "result", "reason"))
    return Section(
        title=words(f"{at}.heading"), opening=words(f"{at}.opening"), items=(Grid(head=head, rows=tuple(rows)),)
    )


def _example(example: Example, words: Words) -> Section:
    """Return a section that compares two boards row by row, with the first player's points."""
    at = "rules.basics.example"
    boards = [parse_board(written, EVERYDAY) for written in (example.first, example.second)]
    score = score_hand(EVERYDAY, boards)
    rows = [
        (capital(row_name(row, words)), *_held(row, boards, score, words), words.signed(points))
        for row, points in zip(ROWS, score.pairs[0].row_points, strict=True)
    ]
    players = [words(f"{at}.{who}") for who in ("first", "second")]
    head = (words(f"{at}.row"), *players, words(f"{at}.points", name=players[0]))
    return Section(
        title=words(f"rules.basics.examples.{example.key}.heading"),
        opening=words(f"rules.basics.examples.{example.key}.prose", **_numbers(example, score, words)),
        items=(Grid(head=head, rows=(*rows, *_sums(score, words))),),
    )


def _held(row: Row, boards: Sequence[Board], score: HandScore, words: Words) -> tuple[str, str]:
    """Return both players' cards, hands and royalties in a row."""
    first, second = (
        _scored_text(board.rows[row.place], scored.rows[row.place], words)
        for board, scored in zip(boards, score.boards, strict=True)
        if scored.rows
    )
    return first, second


def _scored_text(cards: Sequence[Card], scored: RowScore, words: Words) -> str:
    at = "rules.basics.example"
    fields = {"cards": row_text(cards), "hand": category_name(scored.category, words)}
    if not scored.royalty:
        return words(f"{at}.row_text", **fields)
    return words(f"{at}.row_text_royalty", royalty=words.signed(scored.royalty), **fields)


def _sums(score: HandScore, words: Words) -> list[tuple[str, str, str, str]]:
    """Return the lines below the rows: scoop, royalties and total."""
    at, pair = "rules.basics.example", score.pairs[0]
    first, second = (words(f"{at}.foul") if board.foul else words.number(board.royalties) for board in score.boards)
    lines = []
    if pair.scoop:
        lines.append((words(f"{at}.scoop"), "", "", words.signed(pair.bonus)))
    if pair.royalties:
        lines.append((words(f"{at}.royalties"), first, second, words.signed(pair.royalties)))
    return [*lines, (words(f"{at}.total"), "", "", f"**{words.signed(pair.points)}**")]


def _numbers(example: Example, score: HandScore, words: Words) -> dict[str, str]:
    """Return the numbers for the example's text."""
    mine, theirs = (board.royalties for board in score.boards)
    pair = score.pairs[0]
    numbers = {
        "rows": words.number(pair.points - pair.royalties),
        "mine": words.number(mine),
        "theirs": words.number(theirs),
        "total": words.signed(pair.points),
        "other": words.signed(-pair.points),
    }
    return {name: numbers[name] for name in example.numbers}
