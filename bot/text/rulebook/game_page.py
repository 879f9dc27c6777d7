"""A game's page in sections: the deal street by street, points and fouls, naturals, and Fantasyland."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from bot.ofc.cards import ACE, BOARD_CARDS, ROWS, Row
from bot.ofc.ranks import LOWEST_TOP, WHEEL_LOW, Category
from bot.ofc.variants import TRIPS, DealMode, Fantasyland, Street, Variant, entry_name
from bot.text.cards import category_name, named_hand, natural_name, rank_name, ranks_text, row_name
from bot.text.rulebook.page import NOTHING, Grid, Item
from bot.text.rulebook.royalties import has_low_middle, pays_royalties
from bot.text.words import Words, capital, range_text

# Players and cards


def player_items(variant: Variant, words: Words) -> list[Item]:
    """How many play, with which cards."""
    items: list[Item] = [seats_line(variant, words), deck_line(variant, words)]
    if variant.jokers:
        items += [words(f"rules.players.{sentence}") for sentence in _joker(variant)]
    if variant.decks > 1:
        items.append(words("rules.players.twins"))
    if variant.has_five_of_a_kind:
        items.append(words("rules.players.five_of_a_kind"))
    return items


def seats_line(variant: Variant, words: Words) -> str:
    """How many play."""
    return words("rules.players.seats", seats=range_text(variant.min_seats, variant.max_seats, words))


def deck_line(variant: Variant, words: Words) -> str:
    """With which cards."""
    return words("rules.players.deck", parts=deck_parts(variant, words), cards=words.number(variant.deck_cards))


def _joker(variant: Variant) -> tuple[str, str, str]:
    """The sentences that say what a joker is."""
    copies = "joker_copies" if variant.joker_may_copy else "joker_no_copies"
    flush = "joker_double_ace" if variant.double_ace_flush else "joker_flush"
    return "joker", copies, flush


def deck_parts(variant: Variant, words: Words) -> str:
    """``one deck and 2 jokers``."""
    parts = [words("rules.players.decks", count=variant.decks)]
    if variant.jokers:
        parts.append(words("rules.players.jokers", count=variant.jokers))
    return words.list(parts)


# Streets


def street_items(variant: Variant, words: Words) -> list[Item]:
    """The course of each street, who sees discards, and what the clock does."""
    items = _placing(variant, words)
    if variant.open_discards and variant.most_cards > BOARD_CARDS:
        items.append(words("rules.streets.discards_open"))
    if variant.hides_discards:
        items.append(words("rules.streets.discards_hidden"))
    return [*items, words(f"rules.streets.{_clock(variant)}"), words("rules.streets.stays")]


def _placing(variant: Variant, words: Words) -> list[Item]:
    """The cards dealt, and who places when."""
    if variant.at_once:
        cards = words("unit.cards", count=variant.street_cards)
        return [words("rules.streets.at_once", cards=cards), words("rules.streets.fixed_board")]
    order = words(f"rules.streets.{_street_order(variant)}")
    in_turn = not all(variant.together(street) for street in range(1, len(variant.streets) + 1))
    position = [words("rules.streets.position")] if in_turn else []
    return [streets_grid(variant, words), order, *position, words("rules.streets.fixed")]


def streets_in_lines(variant: Variant, words: Words) -> list[str]:
    """The cards dealt and placed on each street, a line for each run of equal ones."""
    if variant.at_once:
        return [words("rules.streets.at_once", cards=words("unit.cards", count=variant.street_cards))]
    return list(streets_grid(variant, words).lines)


def _street_order(variant: Variant) -> str:
    """The sentence that says who places when."""
    together = [variant.together(street) for street in range(1, len(variant.streets) + 1)]
    if all(together):
        return "all_together"
    order = "first_together" if together[0] else "in_turn"
    return f"{order}_drawn" if variant.deal_mode is DealMode.TURN else order


def _clock(variant: Variant) -> str:
    """The sentence that says what is placed after a time-out."""
    if variant.at_once:
        return "clock_board"
    return "clock_discard" if variant.discards else "clock"


def _folded(variant: Variant) -> list[tuple[int, int, Street]]:
    """Equal streets in a row as one: the first, the last, and what is dealt on each."""
    numbered = groupby(enumerate(variant.streets, start=1), key=lambda item: item[1])
    runs = [(street, [number for number, _ in run]) for street, run in numbered]
    return [(numbers[0], numbers[-1], street) for street, numbers in runs]


def streets_grid(variant: Variant, words: Words) -> Grid:
    """The cards dealt, placed and discarded, equal streets in one line."""
    columns = ["street", "dealt", "placed", *(["discarded"] if variant.discards else [])]
    runs = _folded(variant)
    rows = tuple(
        (range_text(first, last, words), *map(words.number, (street.deal, street.to_place, street.discard)))[
            : len(columns)
        ]
        for first, last, street in runs
    )
    return Grid(
        head=tuple(words(f"rules.streets.{column}") for column in columns),
        rows=rows,
        lines=tuple(_street_line(first, last, street, words) for first, last, street in runs),
    )


def _street_line(first: int, last: int, street: Street, words: Words) -> str:
    streets = words("rules.streets.name", count=last - first + 1, numbers=range_text(first, last, words))
    cards = words("unit.cards", count=street.deal)
    if not street.discard:
        return words("rules.streets.line", streets=streets, cards=cards)
    return words(
        "rules.streets.line_discard", streets=streets, cards=cards, to_place=street.to_place, discard=street.discard
    )


def streets_in_short(variant: Variant, words: Words) -> str:
    """``5 + 4×3``."""
    if variant.at_once:
        return words("rules.short.at_once", deal=variant.street_cards)
    parts = [
        words("rules.short.streets", times=last - first + 1, deal=street.deal)
        if last > first
        else words("rules.short.street", deal=street.deal)
        for first, last, street in _folded(variant)
    ]
    return words("rules.short.plus").join(parts)


# Rows and fouls


def row_items(variant: Variant, words: Words) -> list[Item]:
    """How the rows are filled and ordered, and what a foul costs."""
    sizes = words("rules.rows.sizes", front=Row.FRONT.size, middle=Row.MIDDLE.size, back=Row.BACK.size)
    return [sizes, *_order(variant, words), *_foul(variant, words)]


def order_and_foul(variant: Variant, words: Words) -> list[str]:
    """How the rows are ordered, and what a foul pays."""
    return [*_order(variant, words), _foul(variant, words)[0]]


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
    """The points that two players settle between them."""
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
    """The points of rows won, one by one and together."""
    return [*_row(variant, words), *_bonuses(variant, words)]


def _counted(sentence: str, points: int, words: Words) -> list[str]:
    """The sentence with its points, or none where there are none."""
    return [words(f"rules.points.{sentence}", points=words("unit.points", count=points))] if points else []


def _row(variant: Variant, words: Words) -> list[Item]:
    points = words("unit.points", count=variant.row_point)
    if not _rows_pay_by_hand(variant):
        return [words("rules.points.row", points=points)]
    return [words("rules.points.row_valued", points=points), row_values_grid(variant, words)]


def row_values_grid(variant: Variant, words: Words) -> Grid:
    """The points of a row won with a hand of more than ordinary worth."""
    special = {row: _special_values(variant, row) for row in ROWS}
    rows = tuple(
        (capital(category_name(category, words)), *(_value(variant, row, category, words) for row in ROWS))
        for category in sorted({category for values in special.values() for category in values})
    )
    lines = tuple(_values_line(row, values, words) for row, values in special.items() if values)
    head = (words("rules.points.hand"), *(capital(row_name(row, words)) for row in ROWS))
    return Grid(head=head, rows=rows, lines=lines)


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
    return f"**{capital(row_name(row, words))}** {words.facts(told)}"


def _bonuses(variant: Variant, words: Words) -> list[str]:
    """The points of the rows together, beside their own."""
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
    return [words("rules.naturals.declare", cards=BOARD_CARDS), Grid(head=head, rows=rows), *sentences]


def fantasyland_items(variant: Variant, words: Words) -> list[Item]:
    """Entry, play, stay and button, or that there is none."""
    rule = variant.fantasyland
    if rule is None:
        return [words("rules.fantasyland.none")]
    discard = [words("rules.fantasyland.discard", to_place=BOARD_CARDS)] if rule.most_cards > BOARD_CARDS else []
    button = "button_stays" if variant.freeze_button else "button_moves"
    return [
        *_entry(variant, rule, words),
        words("rules.fantasyland.play_own_clock" if rule.own_clock else "rules.fantasyland.play"),
        *discard,
        words("rules.fantasyland.clock"),
        _stay(variant, rule, words),
        _stay_cards(rule, words),
        words(f"rules.fantasyland.{button}"),
    ]


def ways_in_and_on(variant: Variant, words: Words) -> list[Item]:
    """Who enters and who stays, each with its cards; nothing without Fantasyland."""
    rule = variant.fantasyland
    if rule is None:
        return []
    return [*_entry(variant, rule, words), _stay(variant, rule, words), _stay_cards(rule, words)]


def fantasyland_cards(variant: Variant, words: Words) -> str:
    """How many cards Fantasyland deals, ``14–17``; a dash without one."""
    numbers = variant.fantasyland.numbers if variant.fantasyland else ()
    return range_text(numbers[0], numbers[-1], words) if numbers else NOTHING


# Entry


def _entry(variant: Variant, rule: Fantasyland, words: Words) -> list[Item]:
    """Who enters: one sentence where one thing does, else a table."""
    low = rule.wheel_cards > 0 and has_low_middle(variant)
    boards = _low_boards(rule, words) if low else _front_boards(rule, words)
    if len(boards) == 1:
        board, cards = boards[0]
        board = board if low else words("rules.fantasyland.on_front", hand=board)
        return [words("rules.fantasyland.enter", board=board, cards=words("unit.cards", count=cards))]
    rows = tuple((capital(board), words("unit.cards", count=cards)) for board, cards in boards)
    head = (words("rules.fantasyland.board" if low else "rules.fantasyland.front"), words("rules.fantasyland.cards"))
    return [words("rules.fantasyland.enter_by_table"), Grid(head=head, rows=rows)]


def _front_boards(rule: Fantasyland, words: Words) -> list[tuple[str, int]]:
    """The hands that enter on the front, with their cards: ``QQ or better``."""
    return [(_fronts(ranks, words), cards) for ranks, cards in _entries(rule)]


def _low_boards(rule: Fantasyland, words: Words) -> list[tuple[str, int]]:
    """The hands that enter on the front, in the middle, and on both together, with their cards."""
    fronts = [(words("rules.fantasyland.on_front", hand=hand), cards) for hand, cards in _front_boards(rule, words)]
    wheel = words("rules.fantasyland.in_middle", hand=ranks_text(WHEEL_LOW))
    together = [(words("rules.fantasyland.with", front=f, middle=wheel), max(c, rule.both_cards)) for f, c in fronts]
    if len({cards for _, cards in together}) == 1:
        together = [(words("rules.fantasyland.both"), together[0][1])]
    return [*fronts, (wheel, rule.wheel_cards), *together]


def _entries(rule: Fantasyland) -> list[tuple[list[int], int]]:
    """Fronts that are dealt the same number of cards, pairs upward, three of a kind last."""
    ranks = sorted(rule.entry, key=lambda rank: (rank == TRIPS, rank))
    return [(list(run), cards) for cards, run in groupby(ranks, key=lambda rank: rule.entry[rank])]


def _fronts(ranks: list[int], words: Words) -> str:
    """``QQ or better`` for a run that ends with three of a kind, else each front by itself."""
    names = [_front_name(rank, words) for rank in ranks]
    if len(ranks) > 1 and ranks == [*range(ranks[0], ACE + 1), TRIPS]:
        return words("rules.better", hand=names[0])
    return " / ".join(names)


def _front_name(rank: int, words: Words) -> str:
    return category_name(Category.THREE_OF_A_KIND, words) if rank == TRIPS else named_hand(entry_name(rank), words)


# Stay


def _stay(variant: Variant, rule: Fantasyland, words: Words) -> str:
    fields = {
        "front": category_name(Category.THREE_OF_A_KIND, words),
        "back": category_name(rule.stay_back, words),
    }
    if has_low_middle(variant):
        if rule.wheel_stays:
            return words("rules.fantasyland.stay_low", middle=ranks_text(WHEEL_LOW), **fields)
    elif rule.stay_middle is not None:
        return words("rules.fantasyland.stay_middle", middle=category_name(rule.stay_middle, words), **fields)
    return words("rules.fantasyland.stay", **fields)


def _stay_cards(rule: Fantasyland, words: Words) -> str:
    if rule.stay_cards is None:
        return words("rules.fantasyland.stay_same")
    return words("rules.fantasyland.stay_cards", cards=words("unit.cards", count=rule.stay_cards))
