"""What a hand pays, for a game's page: rows and fouls, points, naturals, royalties."""

from __future__ import annotations

from collections.abc import Mapping

from bot.ofc.cards import ACE, RANKS
from bot.ofc.ranks import LOWEST_TOP, WHEEL_LOW, Category
from bot.ofc.rows import BOARD_CARDS, ROWS, Row
from bot.ofc.variants import MiddleRank, Variant
from bot.text.names import capital, category_name, natural_name, rank_name, ranks_text, row_name
from bot.text.pages import DOT, Item, Table
from bot.text.words import Words

NOTHING = "–"


def has_low_middle(variant: Variant) -> bool:
    """True when the middle is a deuce-to-seven low."""
    return variant.middle is MiddleRank.DEUCE_TO_SEVEN


# Rows and fouls


def row_items(variant: Variant, words: Words) -> list[Item]:
    """How the rows are filled and ordered, and what a foul costs."""
    sizes = words("rules.rows.sizes", front=Row.FRONT.size, middle=Row.MIDDLE.size, back=Row.BACK.size)
    return [sizes, *_order(variant, words), *_foul(variant, words)]


def _order(variant: Variant, words: Words) -> list[str]:
    if has_low_middle(variant):
        top = rank_name(LOWEST_TOP)
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
    """What two players settle between them."""
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


def _counted(sentence: str, points: int, words: Words) -> list[str]:
    """The sentence with its points, or none where there are none."""
    return [words(f"rules.points.{sentence}", points=words("unit.points", count=points))] if points else []


def _row(variant: Variant, words: Words) -> list[Item]:
    points = words("unit.points", count=variant.row_point)
    if not _rows_pay_by_hand(variant):
        return [words("rules.points.row", points=points)]
    return [words("rules.points.row_valued", points=points), row_values_table(variant, words)]


def row_values_table(variant: Variant, words: Words) -> Table:
    """What a row is worth that is won with a hand of more than ordinary worth."""
    special = {row: _special_values(variant, row) for row in ROWS}
    rows = tuple(
        (capital(category_name(category, words)), *(_value(variant, row, category, words) for row in ROWS))
        for category in sorted({category for values in special.values() for category in values})
    )
    lines = tuple(_values_line(row, values, words) for row, values in special.items() if values)
    head = (words("rules.points.hand"), *(capital(row_name(row, words)) for row in ROWS))
    return Table(head=head, rows=rows, lines=lines)


def _rows_pay_by_hand(variant: Variant) -> bool:
    """True when some hand wins more or less than the ordinary points."""
    return any(_special_values(variant, row) for row in ROWS)


def _special_values(variant: Variant, row: Row) -> dict[Category, int]:
    values = {category: variant.row_value(row, category) for category in variant.possible(row)}
    return {category: value for category, value in values.items() if value != variant.row_point}


def _value(variant: Variant, row: Row, category: Category, words: Words) -> str:
    return words.number(variant.row_value(row, category)) if category in variant.possible(row) else NOTHING


def _values_line(row: Row, values: Mapping[Category, int], words: Words) -> str:
    told = [f"{category_name(category, words)} {words.number(points)}" for category, points in values.items()]
    return f"**{capital(row_name(row, words))}** {DOT.join(told)}"


def _bonuses(variant: Variant, words: Words) -> list[str]:
    """What the rows together are worth beside their own points."""
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
    """The naturals, strongest first, and what they do; nothing where there are none."""
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
    return [words("rules.naturals.declare", cards=BOARD_CARDS), Table(head=head, rows=rows), *sentences]


# Royalties


def royalty_items(variant: Variant, words: Words) -> list[Item]:
    """The tables and when they are paid."""
    if not pays_royalties(variant):
        return [words("rules.royalties.none")]
    sentences = (words("rules.royalties.legal_only"), words("rules.royalties.not_listed"))
    return [*royalty_tables(variant, words), *sentences]


def pays_royalties(variant: Variant) -> bool:
    """True when any row pays a royalty."""
    pays = variant.royalties
    fronts = any((*pays.front_pairs.values(), *pays.front_trips.values()))
    return fronts or any(_paid(variant, row) for row in (Row.MIDDLE, Row.BACK)) or _pays_lows(variant)


def _pays_lows(variant: Variant) -> bool:
    return has_low_middle(variant) and any((*variant.royalties.lows.values(), variant.royalties.wheel_low))


def _paid(variant: Variant, row: Row) -> dict[Category, int]:
    """What the categories pay that can stand in this five-card row, weakest first."""
    table = variant.royalties.middle if row is Row.MIDDLE else variant.royalties.back
    return {category: table[category] for category in variant.possible(row) if table.get(category)}


def royalty_tables(variant: Variant, words: Words) -> list[Table]:
    """What middle and back pay, what lows pay, and what the front pays; a table with nothing in it is left out."""
    tables = (_five_card_royalties(variant, words), _low_royalties(variant, words), _front_royalties(variant, words))
    return [table for table in tables if table.rows]


def _five_card_royalties(variant: Variant, words: Words) -> Table:
    """A column for the middle and one for the back; none for a middle that is a low."""
    five = [Row.BACK] if has_low_middle(variant) else [Row.MIDDLE, Row.BACK]
    paid = {row: _paid(variant, row) for row in five}
    rows = tuple(
        (capital(category_name(category, words)), *(_pay(paid[row].get(category, 0)) for row in five))
        for category in sorted({category for pays in paid.values() for category in pays})
    )
    lines = tuple(
        _royalty_line(
            capital(row_name(row, words)),
            {category_name(category, words): points for category, points in pays.items()},
            words,
        )
        for row, pays in paid.items()
        if pays
    )
    head = (words("rules.royalties.hand"), *(capital(row_name(row, words)) for row in five))
    return Table(head=head, rows=rows, lines=lines)


def _low_royalties(variant: Variant, words: Words) -> Table:
    middle = capital(row_name(Row.MIDDLE, words))
    head = (middle, words("rules.royalties.points"))
    if not _pays_lows(variant):
        return Table(head=head, rows=())
    lows = variant.royalties.lows
    pays = {words("rules.royalties.low", rank=rank_name(rank)): lows[rank] for rank in sorted(lows, reverse=True)}
    pays[ranks_text(WHEEL_LOW)] = variant.royalties.wheel_low
    rows = tuple((low, _pay(points)) for low, points in pays.items())
    line = _royalty_line(middle, {low: points for low, points in pays.items() if points}, words)
    return Table(head=head, rows=rows, lines=(line,))


def _front_royalties(variant: Variant, words: Words) -> Table:
    pairs, trips = variant.royalties.front_pairs, variant.royalties.front_trips
    rows = tuple(
        (rank_name(rank), _pay(pairs.get(rank, 0)), _pay(trips.get(rank, 0)))
        for rank in range(2, ACE + 1)
        if pairs.get(rank) or trips.get(rank)
    )
    lines = tuple(
        _royalty_line(
            words(f"rules.royalties.{kind}"),
            {RANKS[rank - 2] * size: table[rank] for rank in sorted(table) if table[rank]},
            words,
        )
        for kind, size, table in (("pairs", 2, pairs), ("trips", 3, trips))
        if any(table.values())
    )
    head = tuple(words(f"rules.royalties.{column}") for column in ("rank", "pairs", "trips"))
    return Table(head=head, rows=rows, lines=lines)


def _royalty_line(row: str, pays: Mapping[str, int], words: Words) -> str:
    return f"**{row}** " + DOT.join(f"{hand} {words.signed(points)}" for hand, points in pays.items())


def _pay(points: int) -> str:
    return str(points) if points else NOTHING
