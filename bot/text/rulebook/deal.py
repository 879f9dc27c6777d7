"""The deal on a game's page: players, deck, and the cards dealt, placed and discarded on each street."""

from __future__ import annotations

from itertools import groupby

from bot.pure.ofc.cards import BOARD_CARDS
from bot.pure.ofc.variants import DealMode, Street, Variant
from bot.text.rulebook.page import Grid, Item
from bot.text.words import Words, range_text

# Players and cards


def player_items(variant: Variant, words: Words) -> list[Item]:
    """Return lines about the number of players and the deck."""
    items: list[Item] = [seats_line(variant, words), deck_line(variant, words)]
    if variant.jokers:
        items += [words(f"rules.players.{sentence}") for sentence in _joker(variant)]
    if variant.decks > 1:
        items.append(words("rules.players.twins"))
    if variant.has_five_of_a_kind:
        items.append(words("rules.players.five_of_a_kind"))
    return items


def seats_line(variant: Variant, words: Words) -> str:
    """Return the line about the number of players."""
    return words("rules.players.seats", seats=range_text(variant.min_seats, variant.max_seats, words))


def deck_line(variant: Variant, words: Words) -> str:
    """Return the line about the deck."""
    return words("rules.players.deck", parts=deck_parts(variant, words), cards=words.number(variant.deck_cards))


def _joker(variant: Variant) -> tuple[str, str, str]:
    """Return the keys of the sentences about jokers."""
    copies = "joker_copies" if variant.joker_may_copy else "joker_no_copies"
    flush = "joker_double_ace" if variant.double_ace_flush else "joker_flush"
    return "joker", copies, flush


def deck_parts(variant: Variant, words: Words) -> str:
    """Return the parts of the deck, such as ``one deck and 2 jokers``."""
    parts = [words("rules.players.decks", count=variant.decks)]
    if variant.jokers:
        parts.append(words("rules.players.jokers", count=variant.jokers))
    return words.list(parts)


# Streets


def street_items(variant: Variant, words: Words) -> list[Item]:
    """Return lines about the streets, the visibility of discards and auto-placement."""
    items = _placing(variant, words)
    if variant.open_discards and variant.max_cards > BOARD_CARDS:
        items.append(words("rules.streets.discards_open"))
    if variant.hides_discards:
        items.append(words("rules.streets.discards_hidden"))
    return [*items, words(f"rules.streets.{_clock(variant)}"), words("rules.streets.stays")]


def _placing(variant: Variant, words: Words) -> list[Item]:
    """Return lines about the cards dealt and the order of placing."""
    if variant.at_once:
        cards = words("unit.cards", count=variant.street_cards)
        return [words("rules.streets.at_once", cards=cards), words("rules.streets.fixed_board")]
    order = words(f"rules.streets.{_street_order(variant)}")
    in_turn = not all(variant.together(street) for street in range(1, len(variant.streets) + 1))
    position = [words("rules.streets.position")] if in_turn else []
    return [streets_grid(variant, words), order, *position, words("rules.streets.fixed")]


def streets_in_lines(variant: Variant, words: Words) -> list[str]:
    """Return lines about the cards dealt and placed, one per run of equal streets."""
    if variant.at_once:
        return [words("rules.streets.at_once", cards=words("unit.cards", count=variant.street_cards))]
    return list(streets_grid(variant, words).lines)


def _street_order(variant: Variant) -> str:
    """Return the key of the sentence about the order of placing."""
    together = [variant.together(street) for street in range(1, len(variant.streets) + 1)]
    if all(together):
        return "all_together"
    order = "first_together" if together[0] else "in_turn"
    return f"{order}_drawn" if variant.deal_mode is DealMode.TURN else order


def _clock(variant: Variant) -> str:
    """Return the key of the sentence about auto-placement."""
    if variant.at_once:
        return "clock_board"
    return "clock_discard" if variant.discards else "clock"


def _folded(variant: Variant) -> list[tuple[int, int, Street]]:
    """Return the runs of equal streets, each with its first and last number and the street."""
    numbered = groupby(enumerate(variant.streets, start=1), key=lambda item: item[1])
    runs = [(street, [number for number, _ in run]) for street, run in numbered]
    return [(numbers[0], numbers[-1], street) for street, numbers in runs]


def streets_grid(variant: Variant, words: Words) -> Grid:
    """Return the grid of cards dealt, placed and discarded, with one line per run of equal streets."""
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
    """Return the streets in short form, such as ``5 + 4×3``."""
    if variant.at_once:
        return words("rules.short.at_once", deal=variant.street_cards)
    parts = [
        words("rules.short.streets", times=last - first + 1, deal=street.deal)
        if last > first
        else words("rules.short.street", deal=street.deal)
        for first, last, street in _folded(variant)
    ]
    return words("rules.short.plus").join(parts)
