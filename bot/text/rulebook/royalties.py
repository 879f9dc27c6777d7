"""Royalties on a game's page, and the conditions for them."""

from __future__ import annotations

from collections.abc import Mapping

from bot.pure.ofc.cards import ACE, RANKS, Row
from bot.pure.ofc.ranks import WHEEL_LOW, Category
from bot.pure.ofc.variants import MiddleRank, Variant
from bot.text.cards import category_name, named_hand, plural_name, rank_name, ranks_text, row_name
from bot.text.rulebook.page import NOTHING, Grid, Item
from bot.text.words import Words, capital, range_text


def has_low_middle(variant: Variant) -> bool:
    """True if the middle must be a deuce-to-seven low."""
    return variant.middle is MiddleRank.DEUCE_TO_SEVEN


def royalty_items(variant: Variant, words: Words) -> list[Item]:
    """Return the grids of royalties and the conditions for them."""
    if not pays_royalties(variant):
        return [words("rules.royalties.none")]
    quads = any(Category.FOUR_OF_A_KIND in _paid(variant, row) for row in (Row.MIDDLE, Row.BACK))
    sentences = ["legal_only", *(["quads"] if quads else []), "not_listed"]
    return [*royalty_grids(variant, words), *(words(f"rules.royalties.{key}") for key in sentences)]


def pays_royalties(variant: Variant) -> bool:
    """True if any row pays a royalty."""
    pays = variant.royalties
    fronts = any((*pays.front_pairs.values(), *pays.front_trips.values()))
    return fronts or any(_paid(variant, row) for row in (Row.MIDDLE, Row.BACK)) or _pays_lows(variant)


def _pays_lows(variant: Variant) -> bool:
    return has_low_middle(variant) and any((*variant.royalties.lows.values(), variant.royalties.wheel_low))


def _paid(variant: Variant, row: Row) -> dict[Category, int]:
    """Return the royalties of the hands that are possible in this five-card row, weakest first."""
    table = variant.royalties.middle if row is Row.MIDDLE else variant.royalties.back
    return {category: table[category] for category in variant.possible(row) if table.get(category)}


def royalty_grids(variant: Variant, words: Words) -> list[Grid]:
    """Return the grids of royalties for middle and back, for lows, and for the front, without empty ones."""
    grids = (_five_card_royalties(variant, words), _low_royalties(variant, words), _front_royalties(variant, words))
    return [grid for grid in grids if grid.rows]


def royalties_in_short(variant: Variant, words: Words) -> list[list[str]]:
    """Return a line for each hand with a royalty in the middle or on the back: both royalties and the hand's name."""
    middle = {} if has_low_middle(variant) else _paid(variant, Row.MIDDLE)
    back = _paid(variant, Row.BACK)
    lines = [
        [*(_pay(paid.get(category, 0), words) for paid in (middle, back)), capital(category_name(category, words))]
        for category in Category
        if category in middle or category in back
    ]
    lows = [[points, NOTHING, low] for low, points in _low_royalties(variant, words).rows]
    return [*lines, *lows]


def royalties_by_row(variant: Variant, words: Words) -> list[str]:
    """Return a sentence for each row that pays royalties."""
    grids = (_five_card_royalties(variant, words), _low_royalties(variant, words))
    front = front_in_short(variant, words)
    return [*(line for grid in grids for line in grid.said(words)), *([front] if front else [])]


def front_in_short(variant: Variant, words: Words) -> str:
    """Return the range of royalties for pairs and trips on the front; empty if it pays none."""
    pays = {
        Category.PAIR: variant.royalties.front_pairs,
        Category.THREE_OF_A_KIND: variant.royalties.front_trips,
    }
    hands = []
    for category, table in pays.items():
        if paid := {rank: points for rank, points in table.items() if points}:
            span = range_text(min(paid.values()), max(paid.values()), words)
            hands.append(f"{_from_rank(category, min(paid), words)} {span}")
    return f"**{capital(row_name(Row.FRONT, words))}** {words.facts(hands)}" if hands else ""


def _from_rank(category: Category, rank: int, words: Words) -> str:
    """Return the name of a hand from ``rank`` up, such as ``PlayerPair (66 or better)``; just the name for deuces."""
    name = capital(category_name(category, words))
    if rank == 2:
        return name
    ranks = named_hand(RANKS[rank - 2] * (2 if category is Category.PAIR else 3), words)
    return words("rules.royalties.from", hand=name, ranks=words("rules.better", hand=ranks))


def _five_card_royalties(variant: Variant, words: Words) -> Grid:
    """Return the royalties of middle and back as columns, or only the back's if the middle is a low."""
    five = [Row.BACK] if has_low_middle(variant) else [Row.MIDDLE, Row.BACK]
    paid = {row: _paid(variant, row) for row in five}
    rows = tuple(
        (capital(category_name(category, words)), *(_pay(paid[row].get(category, 0), words) for row in five))
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
    return Grid(head=head, rows=rows, lines=lines)


def _low_royalties(variant: Variant, words: Words) -> Grid:
    middle = capital(row_name(Row.MIDDLE, words))
    head = (middle, words("rules.royalties.points"))
    if not _pays_lows(variant):
        return Grid(head=head, rows=())
    lows = variant.royalties.lows
    pays = {words("rules.royalties.low", rank=rank_name(rank)): lows[rank] for rank in sorted(lows, reverse=True)}
    pays[ranks_text(WHEEL_LOW)] = variant.royalties.wheel_low
    rows = tuple((low, _pay(points, words)) for low, points in pays.items())
    line = _royalty_line(middle, {low: points for low, points in pays.items() if points}, words)
    return Grid(head=head, rows=rows, lines=(line,))


def _front_royalties(variant: Variant, words: Words) -> Grid:
    pairs, trips = variant.royalties.front_pairs, variant.royalties.front_trips
    rows = tuple(
        (rank_name(rank), _pay(pairs.get(rank, 0), words), _pay(trips.get(rank, 0), words))
        for rank in range(2, ACE + 1)
        if pairs.get(rank) or trips.get(rank)
    )
    lines = tuple(
        _royalty_line(
            words(f"rules.royalties.{kind}"),
            {
                plural_name(rank, words) if words.heard else RANKS[rank - 2] * size: table[rank]
                for rank in sorted(table)
                if table[rank]
            },
            words,
        )
        for kind, size, table in (("pairs", 2, pairs), ("trips", 3, trips))
        if any(table.values())
    )
    head = tuple(words(f"rules.royalties.{column}") for column in ("rank", "pairs", "trips"))
    return Grid(head=head, rows=rows, lines=lines)


def _royalty_line(row: str, pays: Mapping[str, int], words: Words) -> str:
    return f"**{row}** " + words.facts(f"{hand} {words.signed(points)}" for hand, points in pays.items())


def _pay(points: int, words: Words) -> str:
    return words.number(points) if points else NOTHING
