"""Fantasyland on a game's page: entering, numbers of cards, play, and staying."""

from __future__ import annotations

from itertools import groupby

from bot.pure.ofc.cards import ACE, BOARD_CARDS
from bot.pure.ofc.ranks import WHEEL_LOW, Category
from bot.pure.ofc.variants import TRIPS, Fantasyland, Variant, entry_name
from bot.text.cards import category_name, named_hand, ranks_text
from bot.text.rulebook.page import NOTHING, Grid, Item
from bot.text.rulebook.royalties import has_low_middle
from bot.text.words import Words, capital, range_text


def fantasyland_items(variant: Variant, words: Words) -> list[Item]:
    """Return lines about entry, play, staying and the button, or one line saying that there is no Fantasyland."""
    rule = variant.fantasyland
    if rule is None:
        return [words("rules.fantasyland.none")]
    discard = [words("rules.fantasyland.discard", to_place=BOARD_CARDS)] if rule.max_cards > BOARD_CARDS else []
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
    """Return lines about entering and staying, with the numbers of cards; empty without Fantasyland."""
    rule = variant.fantasyland
    if rule is None:
        return []
    return [*_entry(variant, rule, words), _stay(variant, rule, words), _stay_cards(rule, words)]


def fantasyland_cards(variant: Variant, words: Words) -> str:
    """Return the numbers of cards dealt in Fantasyland, such as ``14–17``; a dash without Fantasyland."""
    numbers = variant.fantasyland.numbers if variant.fantasyland else ()
    return range_text(numbers[0], numbers[-1], words) if numbers else NOTHING


# Entry


def _entry(variant: Variant, rule: Fantasyland, words: Words) -> list[Item]:
    """Return one sentence if there's only one way to enter, otherwise a sentence and a table."""
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
    """Return the fronts that enter, such as ``QQ or better``, with their numbers of cards."""
    return [(_fronts(ranks, words), cards) for ranks, cards in _entries(rule)]


def _low_boards(rule: Fantasyland, words: Words) -> list[tuple[str, int]]:
    """Return the hands that enter on the front, in the middle, or with both, and their numbers of cards."""
    fronts = [(words("rules.fantasyland.on_front", hand=hand), cards) for hand, cards in _front_boards(rule, words)]
    wheel = words("rules.fantasyland.in_middle", hand=ranks_text(WHEEL_LOW))
    together = [(words("rules.fantasyland.with", front=f, middle=wheel), max(c, rule.both_cards)) for f, c in fronts]
    if len({cards for _, cards in together}) == 1:
        together = [(words("rules.fantasyland.both"), together[0][1])]
    return [*fronts, (wheel, rule.wheel_cards), *together]


def _entries(rule: Fantasyland) -> list[tuple[list[int], int]]:
    """Return the fronts grouped by number of cards, with pairs in ascending order and three of a kind last."""
    ranks = sorted(rule.entry, key=lambda rank: (rank == TRIPS, rank))
    return [(list(run), cards) for cards, run in groupby(ranks, key=lambda rank: rule.entry[rank])]


def _fronts(ranks: list[int], words: Words) -> str:
    """Return ``QQ or better`` for a run up to three of a kind, otherwise the name of each front."""
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
