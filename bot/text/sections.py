"""The sections of one game's page, put together from the properties of its declaration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from bot.ofc.cards import ACE, RANKS
from bot.ofc.ranks import Category
from bot.ofc.rows import BOARD_CARDS, Row
from bot.ofc.variants import TRIPS, Fantasyland, Street, Variant, entry_name
from bot.text.names import capital, category_name, range_text, rank_name, row_name
from bot.text.pages import DOT, Item, Section, Table
from bot.text.words import Words

NOTHING = "–"


def sections(variant: Variant, words: Words) -> tuple[Section, ...]:
    """The page of a game: players, streets, rows, points, royalties, Fantasyland."""
    parts: dict[str, Sequence[Item]] = {
        "players": _players(variant, words),
        "streets": _streets(variant, words),
        "rows": _rows(variant, words),
        "points": _points(variant, words),
        "royalties": _royalties(variant, words),
        "fantasyland": _fantasyland(variant, words),
    }
    return tuple(Section(title=words(f"rules.heading.{part}"), items=tuple(items)) for part, items in parts.items())


# Players and cards


def _players(variant: Variant, words: Words) -> list[str]:
    seats = range_text(variant.min_seats, variant.max_seats, words)
    cards = words.number(variant.deck_cards)
    items = [
        words("rules.players.seats", seats=seats),
        words("rules.players.deck", parts=deck_parts(variant, words), cards=cards),
    ]
    if variant.jokers:
        items.append(words("rules.players.joker"))
    if variant.decks > 1:
        items.append(words("rules.players.twins"))
    if _has_five_of_a_kind(variant):
        items.append(words("rules.players.five_of_a_kind"))
    return items


def deck_parts(variant: Variant, words: Words) -> str:
    """``one deck and 2 jokers``."""
    parts = [words("rules.players.decks", count=variant.decks)]
    if variant.jokers:
        parts.append(words("rules.players.jokers", count=variant.jokers))
    return words.list(parts)


def _has_five_of_a_kind(variant: Variant) -> bool:
    return variant.decks > 1 or variant.jokers > 0


# Streets


def _streets(variant: Variant, words: Words) -> list[Item]:
    items: list[Item] = [
        streets_table(variant, words),
        words(f"rules.streets.{_order(variant)}"),
        words("rules.streets.fixed"),
    ]
    if variant.open_discards and variant.most_cards > BOARD_CARDS:
        items.append(words("rules.streets.discards_open"))
    if variant.hides_discards:
        items.append(words("rules.streets.discards_hidden"))
    return [*items, words("rules.streets.clock_discard" if variant.discards else "rules.streets.clock")]


def _order(variant: Variant) -> str:
    """The sentence that says who lays when."""
    together = [variant.together(street) for street in range(1, len(variant.streets) + 1)]
    if all(together):
        return "all_together" if len(together) > 1 else "at_once"
    return "first_together" if together[0] else "in_turn"


def _folded(variant: Variant) -> list[tuple[int, int, Street]]:
    """Equal streets in a row as one: the first, the last, and what is dealt on each."""
    numbered = groupby(enumerate(variant.streets, start=1), key=lambda item: item[1])
    runs = [(street, [number for number, _ in run]) for street, run in numbered]
    return [(numbers[0], numbers[-1], street) for street, numbers in runs]


def streets_table(variant: Variant, words: Words) -> Table:
    """What is dealt, laid and discarded, equal streets in one line."""
    columns = ["street", "dealt", "laid", *(["discarded"] if variant.discards else [])]
    runs = _folded(variant)
    rows = tuple(
        (range_text(first, last, words), str(street.deal), str(street.lay), str(street.discard))[: len(columns)]
        for first, last, street in runs
    )
    return Table(
        head=tuple(words(f"rules.streets.{column}") for column in columns),
        rows=rows,
        lines=tuple(_street_line(first, last, street, words) for first, last, street in runs),
    )


def _street_line(first: int, last: int, street: Street, words: Words) -> str:
    streets = words("rules.streets.name", count=last - first + 1, numbers=range_text(first, last, words))
    cards = words("unit.cards", count=street.deal)
    if not street.discard:
        return words("rules.streets.line", streets=streets, cards=cards)
    return words("rules.streets.line_discard", streets=streets, cards=cards, lay=street.lay, discard=street.discard)


def streets_in_short(variant: Variant, words: Words) -> str:
    """``5 + 4×3``."""
    parts = [
        words("rules.short.streets", times=last - first + 1, deal=street.deal)
        if last > first
        else words("rules.short.street", deal=street.deal)
        for first, last, street in _folded(variant)
    ]
    return words("rules.short.plus").join(parts)


# Rows and points


def _rows(variant: Variant, words: Words) -> list[str]:
    foul = "foul" if _pays_royalties(variant) else "foul_bare"
    return [
        words("rules.rows.sizes", front=Row.FRONT.size, middle=Row.MIDDLE.size, back=Row.BACK.size),
        words("rules.rows.order_strict" if variant.strict_rows else "rules.rows.order"),
        words(f"rules.rows.{foul}", points=words("unit.points", count=variant.foul_points)),
        words("rules.rows.gave_up"),
    ]


def _points(variant: Variant, words: Words) -> list[str]:
    row = words("rules.points.row", points=words("unit.points", count=variant.row_point))
    royalties = [words("rules.points.royalties")] if _pays_royalties(variant) else []
    return [words("rules.points.pairs"), row, _scoop(variant, words), *royalties, words("rules.points.sum")]


def _scoop(variant: Variant, words: Words) -> str:
    if not variant.scoop_bonus:
        return words("rules.points.no_scoop")
    bonus = words("unit.points", count=variant.scoop_bonus)
    return words("rules.points.scoop", bonus=bonus, total=words.number(3 * variant.row_point + variant.scoop_bonus))


# Royalties


def _royalties(variant: Variant, words: Words) -> list[Item]:
    if not _pays_royalties(variant):
        return [words("rules.royalties.none")]
    sentences = (words("rules.royalties.legal_only"), words("rules.royalties.not_listed"))
    return [*royalty_tables(variant, words), *sentences]


def _pays_royalties(variant: Variant) -> bool:
    pays = variant.royalties
    five_cards = any(_paid(variant, table) for table in (pays.middle, pays.back))
    return five_cards or any((*pays.front_pairs.values(), *pays.front_trips.values()))


def _paid(variant: Variant, table: Mapping[Category, int]) -> list[Category]:
    """The categories that pay in this game, weakest first."""
    possible = [c for c in Category if c is not Category.FIVE_OF_A_KIND or _has_five_of_a_kind(variant)]
    return [category for category in possible if table.get(category)]


def royalty_tables(variant: Variant, words: Words) -> list[Table]:
    """What middle and back pay, and what the front pays; a table with nothing in it is left out."""
    tables = (_five_card_royalties(variant, words), _front_royalties(variant, words))
    return [table for table in tables if table.rows]


def _five_card_royalties(variant: Variant, words: Words) -> Table:
    middle, back = variant.royalties.middle, variant.royalties.back
    categories = sorted({*_paid(variant, middle), *_paid(variant, back)})
    rows = tuple(
        (capital(category_name(category, words)), _pay(middle.get(category, 0)), _pay(back.get(category, 0)))
        for category in categories
    )
    lines = tuple(
        _royalty_line(
            capital(row_name(row, words)),
            {category_name(category, words): table[category] for category in _paid(variant, table)},
            words,
        )
        for row, table in ((Row.MIDDLE, middle), (Row.BACK, back))
        if _paid(variant, table)
    )
    head = (words("rules.royalties.hand"), capital(row_name(Row.MIDDLE, words)), capital(row_name(Row.BACK, words)))
    return Table(head=head, rows=rows, lines=lines)


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


# Fantasyland


def _fantasyland(variant: Variant, words: Words) -> list[Item]:
    rule = variant.fantasyland
    if rule is None:
        return [words("rules.fantasyland.none")]
    items = [*_entry(rule, words), words("rules.fantasyland.play")]
    if rule.most_cards > BOARD_CARDS:
        items.append(words("rules.fantasyland.discard", lay=BOARD_CARDS))
    button = "button_stays" if variant.freeze_button else "button_moves"
    return [
        *items,
        words("rules.fantasyland.clock"),
        _stay(rule, words),
        _stay_cards(rule, words),
        words(f"rules.fantasyland.{button}"),
    ]


def _entry(rule: Fantasyland, words: Words) -> list[Item]:
    """Who enters: one sentence where the number of cards is always the same, else a table."""
    fronts = [(_fronts(ranks, words), words("unit.cards", count=cards)) for ranks, cards in _entries(rule)]
    if len(fronts) == 1:
        front, cards = fronts[0]
        return [words("rules.fantasyland.enter", front=front, cards=cards)]
    head = (words("rules.fantasyland.front"), words("rules.fantasyland.cards"))
    return [words("rules.fantasyland.enter_by_table"), Table(head=head, rows=tuple(fronts))]


def _entries(rule: Fantasyland) -> list[tuple[list[int], int]]:
    """Fronts that are dealt the same number of cards, pairs upward, three of a kind last."""
    ranks = sorted(rule.entry, key=lambda rank: (rank == TRIPS, rank))
    return [(list(run), cards) for cards, run in groupby(ranks, key=lambda rank: rule.entry[rank])]


def _fronts(ranks: list[int], words: Words) -> str:
    """``QQ or better`` for a run that ends with three of a kind, else each front by itself."""
    names = [_front_name(rank, words) for rank in ranks]
    if len(ranks) > 1 and ranks == [*range(ranks[0], ACE + 1), TRIPS]:
        return words("rules.better", hand=names[0])
    return capital(" / ".join(names))


def _front_name(rank: int, words: Words) -> str:
    return category_name(Category.THREE_OF_A_KIND, words) if rank == TRIPS else entry_name(rank)


def _stay(rule: Fantasyland, words: Words) -> str:
    fields = {
        "front": category_name(Category.THREE_OF_A_KIND, words),
        "back": category_name(rule.stay_back, words),
    }
    if rule.stay_middle is None:
        return words("rules.fantasyland.stay", **fields)
    return words("rules.fantasyland.stay_middle", middle=category_name(rule.stay_middle, words), **fields)


def _stay_cards(rule: Fantasyland, words: Words) -> str:
    if rule.stay_cards is None:
        return words("rules.fantasyland.stay_same")
    return words("rules.fantasyland.stay_cards", cards=words("unit.cards", count=rule.stay_cards))


def fantasyland_cards(variant: Variant, words: Words) -> str:
    """How many cards Fantasyland deals, ``14–17``; a dash without one."""
    rule = variant.fantasyland
    return range_text(rule.least_cards, rule.most_cards, words) if rule else NOTHING
