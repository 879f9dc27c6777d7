"""Whether a board can still be saved: against every way to fill it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from bot.pure.ofc.cards import EMPTY, ROWS, Card, Row, RowCards, full_deck, parse_cards
from bot.pure.ofc.outlook import OPEN, Outlook, filled, outlook
from bot.pure.ofc.placement import RowOrder, place, preview
from bot.pure.ofc.presets import CLASSIC, DOUBLE_PINEAPPLE, JOKER_PINEAPPLE, PINEAPPLE, PRESETS, TWO_SEVEN_PINEAPPLE
from bot.pure.ofc.scoring import in_order, resolve
from bot.pure.ofc.variants import Variant
from tests.pure.ofc.games import STRICT

WAYS = ("likely boards first", "search alone")


@contextmanager
def looking(way: str) -> Iterator[None]:
    """Disable or enable the shortcut by a likely board, which must not change the result."""
    with pytest.MonkeyPatch.context() as patched:
        if way == "search alone":
            patched.setattr("bot.pure.ofc.outlook._likely_boards", lambda rows, pool: iter(()))
        outlook.cache_clear()
        yield
        outlook.cache_clear()


@pytest.fixture(autouse=True, params=WAYS, scope="module")
def _both_ways(request: pytest.FixtureRequest) -> Iterator[None]:
    with looking(request.param):
        yield


GAMES = [CLASSIC, JOKER_PINEAPPLE, TWO_SEVEN_PINEAPPLE, DOUBLE_PINEAPPLE, STRICT]


def rows_of(board: str) -> RowCards:
    front, middle, back = (parse_cards(row) for row in board.split("/"))
    return front, middle, back


def rest(variant: Variant, rows: RowCards) -> tuple[Card, ...]:
    """The cards that are not on the board."""
    left = list(full_deck(decks=variant.decks, jokers=variant.jokers))
    for card in (card for row in rows for card in row):
        left.remove(card)
    return tuple(left)


def fillings(rows: RowCards, pool: tuple[Card, ...]) -> Iterator[RowCards]:
    """Every whole board that the pool makes of these rows."""
    row = next((row for row in ROWS if len(rows[row.place]) < row.size), None)
    if row is None:
        yield rows
        return
    held = rows[row.place]
    for places in combinations(range(len(pool)), row.size - len(held)):
        front, middle, back = (
            cards + tuple(pool[place] for place in places) if number == row.place else cards
            for number, cards in enumerate(rows)
        )
        yield from fillings((front, middle, back), tuple(c for n, c in enumerate(pool) if n not in places))


def some_legal(variant: Variant, rows: RowCards, pool: tuple[Card, ...]) -> bool:
    return any(in_order(variant, resolve(variant, board)) for board in fillings(rows, pool))


def hard_boards(
    variant: Variant, open_places: int, count: int, pool: int
) -> Iterator[tuple[RowCards, tuple[Card, ...]]]:
    """Yield unfinished boards with rows of similar strength, and the cards that may still come."""
    chance = Random(f"{variant.key} {open_places} {pool}")
    while count:
        deck = list(full_deck(decks=variant.decks, jokers=variant.jokers))
        chance.shuffle(deck)
        # Few ranks: pairs, and rows that want the same card, come often.
        deck.sort(key=lambda card: chance.random() * 3 + card // 4 % 5)
        cards = deck[: 13 - open_places]
        letters = list("FFFMMMMMBBBBB")
        chance.shuffle(letters)
        rows, _ = place(EMPTY, cards, "".join(letters[: len(cards)]))
        if preview(variant, rows, fantasyland=0).order is RowOrder.FOUL:
            continue
        left = deck[13 - open_places :]
        chance.shuffle(left)
        yield rows, tuple(sorted(left[:pool]))
        count -= 1


@pytest.mark.no_cover
@pytest.mark.parametrize("_both_ways", WAYS[:1], indirect=True)
@pytest.mark.parametrize("variant", GAMES, ids=lambda variant: variant.key)
@pytest.mark.parametrize(
    ("open_places", "pool", "count"), [(1, 9, 300), (2, 9, 100), (3, 8, 50), (4, 7, 40), (5, 6, 40)]
)
def test_a_board_is_lost_exactly_where_no_filling_is_legal(
    variant: Variant, open_places: int, pool: int, count: int
) -> None:
    boards = list(hard_boards(variant, open_places, count, pool))
    saved = [some_legal(variant, rows, left) for rows, left in boards]
    assert set(saved) == {True, False}, "both are met"
    # Both ways by the same count: trying every filling is what takes long.
    for way in WAYS:
        with looking(way):
            for (rows, left), legal in zip(boards, saved, strict=True):
                assert outlook(variant, rows, left).lost is not legal, (way, rows, left)


@pytest.mark.parametrize(
    ("variant", "board", "clash"),
    [
        (PINEAPPLE, "KhKd/7c3dTc9d/", (Row.FRONT, Row.MIDDLE)),
        (PINEAPPLE, "KhKd5c/7c3d/", None),
        (PINEAPPLE, "/AhAdKcKd2s/QhJd9c7s", (Row.MIDDLE, Row.BACK)),
        (PINEAPPLE, "AhAdAc//KhQd9c7s", (Row.FRONT, Row.BACK)),
        (TWO_SEVEN_PINEAPPLE, "KhKd2c/8c3d/QdJd9c7s", (Row.FRONT, Row.BACK)),
        (JOKER_PINEAPPLE, "KhKd/X17s3dTc/", None),
        (JOKER_PINEAPPLE, "KhKd5c//AhAd9c7s2s", None),
        (PINEAPPLE, "KhKd5c//AhQh9h7h2h", None),
    ],
)
def test_the_two_rows_that_are_lost_are_named(variant: Variant, board: str, clash: tuple[Row, Row] | None) -> None:
    rows = rows_of(board)
    found = outlook(variant, rows, rest(variant, rows))
    assert found.clash == clash
    assert found.lost is (clash is not None)


@pytest.mark.parametrize("middle", ["7c7d3h", "Jc4d3h"])
def test_a_middle_that_can_be_no_low_any_more_is_lost_by_itself(middle: str) -> None:
    rows = rows_of(f"Kh/{middle}/Tc")
    assert outlook(TWO_SEVEN_PINEAPPLE, rows, rest(TWO_SEVEN_PINEAPPLE, rows)) == Outlook(lost=True)
    assert filled(TWO_SEVEN_PINEAPPLE, rows, rest(TWO_SEVEN_PINEAPPLE, rows)) is None
    rows = rows_of("Kh/7c4d3h/Tc")
    assert outlook(TWO_SEVEN_PINEAPPLE, rows, rest(TWO_SEVEN_PINEAPPLE, rows)) == OPEN


def test_a_card_that_two_rows_want_saves_one_of_them() -> None:
    """Only the last eight saves the middle, and only it saves the back."""
    rows = rows_of("7h7d2c/8h3d4c5s/8dKcQsJh")
    eight = parse_cards("8s9d6d")
    assert outlook(PINEAPPLE, rows, eight).lost
    assert outlook(PINEAPPLE, rows, eight).clash is None
    assert not outlook(PINEAPPLE, rows, parse_cards("8s8cKd6d")).lost


def test_a_joker_that_makes_only_two_of_three_rows_fit_saves_nothing() -> None:
    rows = rows_of("QhQd/AcKdQs5hX1/JcJd9h8s7c")
    assert outlook(JOKER_PINEAPPLE, rows, parse_cards("2c3d4h")).lost
    rows = rows_of("8h8d/AcKdQs5hX1/JcJd9h8s7c")
    assert outlook(JOKER_PINEAPPLE, rows, parse_cards("2c3d4h")).lost
    rows = rows_of("5c4d/AcKdQs5hX1/JcJd9h8s7c")
    assert not outlook(JOKER_PINEAPPLE, rows, parse_cards("2c3d6h")).lost


@pytest.mark.no_cover
@pytest.mark.parametrize("variant", [game for game in PRESETS.values() if not game.at_once], ids=lambda game: game.key)
def test_a_street_placed_at_random_asks_for_few_boards(variant: Variant, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search ends quickly on ordinary boards, and none of these hands reaches its limit."""
    chance = Random(f"search {variant.key}")
    for _ in range(12):
        deck = list(full_deck(decks=variant.decks, jokers=variant.jokers))
        chance.shuffle(deck)
        rows, dealt = EMPTY, 0
        for street in variant.streets:
            cards, dealt = tuple(deck[dealt : dealt + street.deal]), dealt + street.deal
            free = [row.value for row in ROWS for _ in range(row.size - len(rows[row.place]))]
            chance.shuffle(free)
            rows, _ = place(rows, cards, "".join(free[: street.to_place]) + "D" * street.discard)
            left = tuple(sorted(deck[dealt:]))
            before = outlook(variant, rows, left)
            monkeypatch.setattr("bot.pure.ofc.outlook.STEPS", 100_000)
            outlook.cache_clear()
            assert outlook(variant, rows, left) == before
            monkeypatch.undo()


def test_nothing_is_said_of_a_board_that_is_hardly_begun_or_of_too_few_cards() -> None:
    assert outlook(PINEAPPLE, rows_of("AhAdAc//"), rest(PINEAPPLE, EMPTY)) is OPEN
    assert outlook(PINEAPPLE, rows_of("KhKd/7c3dTc9d/"), ()) is OPEN
    assert outlook(replace(PINEAPPLE, fantasyland=None), EMPTY, ()) is OPEN


@pytest.mark.parametrize("variant", GAMES, ids=lambda variant: variant.key)
def test_a_board_is_filled_wherever_some_filling_is_legal(variant: Variant) -> None:
    found = 0
    for rows, pool in hard_boards(variant, 3, 40, 8):
        board = filled(variant, rows, pool)
        assert (board is not None) == some_legal(variant, rows, pool)
        if board is None:
            continue
        found += 1
        assert all(row[: len(begun)] == begun for row, begun in zip(board, rows, strict=True))
        added = [card for row, begun in zip(board, rows, strict=True) for card in row[len(begun) :]]
        assert Counter(added) <= Counter(pool)
        assert in_order(variant, resolve(variant, board))
    assert found


def test_a_search_that_takes_too_long_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, pool = rows_of("2h3d/7c3h9d5c/AsAhQsQd"), parse_cards("KhKd8c4s")
    assert filled(PINEAPPLE, rows, pool) is not None
    monkeypatch.setattr("bot.pure.ofc.outlook.STEPS", 0)
    outlook.cache_clear()
    assert filled(PINEAPPLE, rows, pool) is None
    assert outlook(PINEAPPLE, rows, pool) is OPEN
    outlook.cache_clear()
