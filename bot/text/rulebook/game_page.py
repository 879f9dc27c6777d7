"""Rows and points on a game's page: filling the rows, fouls, royalties, bonuses and naturals."""

from __future__ import annotations

from collections.abc import Mapping

from bot.pure.ofc.cards import BOARD_CARDS, ROWS, Row
from bot.pure.ofc.ranks import MAX_LOW_RANK, WHEEL_LOW, Category
from bot.pure.ofc.variants import Variant
from bot.text.cards import category_name, natural_name, rank_name, ranks_text, row_name
from bot.text.rulebook.page import NOTHING, Grid, Item
from bot.text.rulebook.royalties import has_low_middle, pays_royalties
from bot.text.words import Words, capital

# Rows and fouls


def row_items(variant: Variant, words: Words) -> list[Item]:
    """Return lines about the sizes and order of the rows, and the cost of a foul."""
    sizes = words("rules.rows.sizes", front=Row.FRONT.size, middle=Row.MIDDLE.size, back=Row.BACK.size)
    return [sizes, *_order(variant, words), *_foul(variant, words)]


def order_and_foul(variant: Variant, words: Words) -> list[str]:
    """Return lines about the order of the rows and the points for a foul."""
    return [*_order(variant, words), _foul(variant, words)[0]]


def _order(variant: Variant, words: Words) -> list[str]:
    if has_low_middle(variant):
        top = rank_name(MAX_LOW_RANK)
        return [
            words("rules.rows.low", wheel=ranks_text(WHEEL_LOW)),
            words("rules.rows.low_least", top=top),
            words("rules.rows.order_low"),
        ]
    return [words("rules.rows.order_strict" if variant.strict_rows else "rules.rows.order")]


def _foul(variant: Variant, words: Words) -> list[str]:
    if _rows_pay_by_hand(variant):
        foul = words("rules.rows.foul_valued")
    else:
        foul = words("rules.rows.foul", points=words("unit.points", count=variant.foul_points))
    royalties = [words("rules.rows.foul_royalties")] if pays_royalties(variant) else []
    return [foul, *royalties, words("rules.rows.fouls")]


# Points


def point_items(variant: Variant, words: Words) -> list[Item]:
    """Return lines about the points that two players settle."""
    royalties = [words("rules.points.royalties")] if pays_royalties(variant) else []
    return [
        words("rules.points.pairs"),
        *_row(variant, words),
        *_bonuses(variant, words),
        *royalties,
        *_counted("total", variant.total_bonus, words),
        *_counted("surrender", variant.surrender, words),
        words("rules.points.sum"),
    ]


def points_of_rows(variant: Variant, words: Words) -> list[Item]:
    """Return lines about the points for winning rows, including bonuses."""
    return [*_row(variant, words), *_bonuses(variant, words)]


def _counted(sentence: str, points: int, words: Words) -> list[str]:
    """Return the sentence with its points, or an empty list if they're 0."""
    return [words(f"rules.points.{sentence}", points=words("unit.points", count=points))] if points else []


def _row(variant: Variant, words: Words) -> list[Item]:
    points = words("unit.points", count=variant.row_point)
    if not _rows_pay_by_hand(variant):
        return [words("rules.points.row", points=points)]
    return [words("rules.points.row_valued", points=points), row_values_grid(variant, words)]


def row_values_grid(variant: Variant, words: Words) -> Grid:
    """Return the grid of points for rows won with special hands."""
    special = {row: _special_values(variant, row) for row in ROWS}
    rows = tuple(
        (capital(category_name(category, words)), *(_value(variant, row, category, words) for row in ROWS))
        for category in sorted({category for values in special.values() for category in values})
    )
    lines = tuple(_values_line(row, values, words) for row, values in special.items() if values)
    head = (words("rules.points.hand"), *(capital(row_name(row, words)) for row in ROWS))
    return Grid(head=head, rows=rows, lines=lines)


def _rows_pay_by_hand(variant: Variant) -> bool:
    """True if any hand wins more or less than the ordinary points for a row."""
    return any(_special_values(variant, row) for row in ROWS)


def _special_values(variant: Variant, row: Row) -> dict[Category, int]:
    values = {category: variant.row_value(row, category) for category in variant.possible(row)}
    return {category: value for category, value in values.items() if value != variant.row_point}


def _value(variant: Variant, row: Row, category: Category, words: Words) -> str:
    return words.number(variant.row_value(row, category)) if category in variant.possible(row) else NOTHING


def _values_line(row: Row, values: Mapping[Category, int], words: Words) -> str:
    told = [f"{category_name(category, words)} {words.number(points)}" for category, points in values.items()]
    return f"**{capital(row_name(row, words))}** {words.facts(told)}"


def _bonuses(variant: Variant, words: Words) -> list[str]:
    """Return lines about the bonuses for winning several rows."""
    smaller = [
        *_counted("majority", variant.majority_bonus, words),
        *_counted("two_rows", variant.two_rows_bonus, words),
    ]
    if not variant.scoop_bonus:
        return smaller or [words("rules.points.no_scoop")]
    bonus = words("unit.points", count=variant.scoop_bonus)
    if smaller or _rows_pay_by_hand(variant):
        return [*smaller, words("rules.points.scoop_more", bonus=bonus)]
    total = words.number(3 * variant.row_point + variant.scoop_bonus)
    return [words("rules.points.scoop", bonus=bonus, total=total)]


# Naturals


def natural_items(variant: Variant, words: Words) -> list[Item]:
    """Return lines about the naturals, strongest first, and their effect; empty without naturals."""
    if not variant.naturals:
        return []
    rows = tuple(
        (
            capital(natural_name(natural, words)),
            words(f"rules.naturals.{natural.name.lower()}"),
            words("unit.points", count=variant.naturals[natural]),
        )
        for natural in sorted(variant.naturals, reverse=True)
    )
    head = tuple(words(f"rules.naturals.{column}") for column in ("natural", "cards", "points"))
    sentences = [words(f"rules.naturals.{sentence}") for sentence in ("paid", "stronger", "undeclared")]
    return [words("rules.naturals.declare", cards=BOARD_CARDS), Grid(head=head, rows=rows), *sentences]
