"""Placements in letters, automatic placement, and the outlook of a board."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pure.ofc.cards import EMPTY, Row, cards_text, parse_cards
from bot.pure.ofc.placement import Preview, RowOrder, automatic_placement, check_placement, place, preview
from bot.pure.ofc.presets import CLASSIC, JOKER_PINEAPPLE, JOKER_ULTIMATE, PINEAPPLE, TWO_SEVEN_PINEAPPLE
from bot.pure.ofc.ranks import Category, category_of
from bot.pure.ofc.refusals import Reason, Refused
from bot.pure.ofc.scoring import Board
from bot.pure.ofc.variants import Variant
from tests.pure.ofc.games import NO_FANTASYLAND, STRICT, any_boards, any_variant, rows, score_board


def look(text: str, *, variant: Variant = PINEAPPLE, fantasyland: int = 0) -> Preview:
    """The preview of a board in notation."""
    return preview(variant, rows(text), fantasyland=fantasyland)


def test_cards_go_where_their_letters_say() -> None:
    placed, discards = place(rows("As//Kd"), parse_cards("QsQd2c"), "FDB")
    assert [cards_text(row) for row in placed] == ["AsQs", "", "Kd2c"]
    assert cards_text(discards) == "Qd"


def test_a_draft_leaves_cards_without_a_place() -> None:
    placed, discards = place(EMPTY, parse_cards("QsQd2c"), "F..")
    assert (cards_text(placed[0]), discards) == ("Qs", ())


def test_an_overfull_row_is_named() -> None:
    with pytest.raises(Refused) as caught:
        place(rows("AsKd//"), parse_cards("QsQd"), "FF")
    assert (caught.value.reason, caught.value.details) == (Reason.ROW_FULL, {"row": "front", "size": 3})


def test_a_whole_placement_has_no_open_card() -> None:
    check_placement(EMPTY, parse_cards("QsQd2c"), "FMD", to_place=2)
    with pytest.raises(Refused) as caught:
        check_placement(EMPTY, parse_cards("QsQd2c"), "F.D", to_place=2)
    assert caught.value.reason is Reason.BAD_PLACEMENT
    assert str(caught.value) == "bad_placement"


@pytest.mark.parametrize(
    ("board", "cards", "to_place", "letters"),
    [
        ("//", "2c3c4c5c6c", 5, "BBBBB"),
        ("//AsKsQs", "2c3c4c", 2, "BBD"),
        ("//AsKsQsJs", "2c3c4c", 2, "BMD"),
        ("/2s3s4s5s/AsKsQsJsTs", "2c3c4c", 2, "MFD"),
        ("2h/2s3s4s5s6s/AsKsQsJsTs", "2c3c4c", 2, "FFD"),
        ("//AsKsQsJsTs", "2c", 1, "M"),
        ("//", "2c2d2h2s3c3d3h3s4c4d4h4s5c5d", 13, "BBBBBMMMMMFFFD"),
    ],
)
def test_10_the_clock_places_in_the_order_dealt_into_the_lowest_free_row(
    board: str, cards: str, to_place: int, letters: str
) -> None:
    placement = automatic_placement(rows(board), parse_cards(cards), to_place=to_place)
    assert placement == letters
    check_placement(rows(board), parse_cards(cards), placement, to_place=to_place)


@pytest.mark.parametrize(
    ("board", "order"),
    [
        ("//", RowOrder.OPEN),
        ("As/Kd/Qh", RowOrder.OPEN),
        ("2s2d//", RowOrder.DANGER),
        ("/2s2d/3h", RowOrder.DANGER),
        ("2s2d/3h3c/4s", RowOrder.DANGER),
        ("2s2d3h/4s4d/5h5c", RowOrder.OPEN),
        ("QsQd/JsJd2h3c4s/", RowOrder.FOUL),
        ("Qs/JsTd2h3c4s/", RowOrder.FOUL),
        ("QsQd//JsJd2h3c4s", RowOrder.FOUL),
        ("/QsQd/JsJd2h3c4s", RowOrder.FOUL),
        ("QsQd2h/JsJd2h/", RowOrder.DANGER),
        ("QsQd/QhQc2h3c4s/KsKd", RowOrder.OPEN),
        ("QsQd2h/KsKd2h3c4s/AsAdKhQc2s", RowOrder.LEGAL),
        ("QsQd2h/JsJd2h3c4s/AsAdKhQc2s", RowOrder.FOUL),
        ("2s3d4h/AsKd9h5c2d/AdKh9s5d2h", RowOrder.LEGAL),
    ],
)
def test_3_a_board_is_in_order_in_danger_or_fouled(board: str, order: RowOrder) -> None:
    assert look(board).order is order


@pytest.mark.parametrize(
    ("board", "clash"),
    [
        ("As/Kd/Qh", None),
        ("/2s2d/3h", (Row.MIDDLE, Row.BACK)),
        ("2s2d/3h3c/4s", (Row.MIDDLE, Row.BACK)),
        ("QsQd2h/JsJd2h/", (Row.FRONT, Row.MIDDLE)),
        ("QsQd/JsJd2h3c4s/", (Row.FRONT, Row.MIDDLE)),
        ("QsQd//JsJd2h3c4s", (Row.FRONT, Row.BACK)),
        ("QsQd2h/KsKd2h3c4s/JsJd3h4c5d", (Row.MIDDLE, Row.BACK)),
        ("QsQd2h/KsKd2h3c4s/AsAdKhQc2s", None),
    ],
)
def test_3_the_two_rows_that_clash_are_named(board: str, clash: tuple[Row, Row] | None) -> None:
    assert look(board).clash == clash


def test_3_level_rows_foul_already_where_rows_must_rise() -> None:
    assert look("2s3d/AsKd9h5c2d/AdKh9s5d2h").order is RowOrder.OPEN
    assert look("2s3d/AsKd9h5c2d/AdKh9s5d2h", variant=STRICT).order is RowOrder.FOUL
    assert look("2s3d/AsKd9h5c/AdKh9s5d", variant=STRICT).order is RowOrder.OPEN
    assert look("2s3d4h/AsKd9h5c2d/AdKh9s5d2h", variant=STRICT).order is RowOrder.FOUL


def test_4_royalties_are_promised_for_full_rows_alone() -> None:
    assert look("QsQd2h/KsKdKh2c/AsAdKc").royalties == (7, None, None)
    assert look("QsQd/KsKdKh2c3s/AsAdAhAcKc").royalties == (None, 2, 10)


def test_strengths_are_those_of_full_rows_or_of_what_is_there() -> None:
    seen = look("QsQd/9s8d7h6c5s/AsAdAh").strengths
    assert [category_of(strength) for strength in seen] == [
        Category.PAIR,
        Category.STRAIGHT,
        Category.THREE_OF_A_KIND,
    ]
    assert look("QsQd//").rows == rows("QsQd//")


@pytest.mark.parametrize(
    ("board", "fantasyland", "cards"),
    [
        ("QsQd//", 0, 0),
        ("QsQd2h//", 0, 14),
        ("JsJd2h//", 0, 0),
        ("QsQd2h/KsKd3h/", 0, 14),
        ("QsQd2h/JsJd3h4c5s/AsAd", 0, 0),
        ("QsQd2h/KsKd3h4c5s/AsAdKhQc2s", 0, 14),
        ("QsQd2h/KsKd3h4c5s/AsAdKhQc2s", 14, 0),
        ("2s2d2h//", 14, 0),
        ("2s2d2h/9s8d7h6c5s/AhKhJh9h8h", 14, 14),
    ],
)
def test_8_fantasyland_is_promised_by_the_front_or_exactly_by_a_full_board(
    board: str, fantasyland: int, cards: int
) -> None:
    assert look(board, fantasyland=fantasyland).next_fantasyland == cards


def test_8_classic_promises_thirteen_cards_and_a_tournament_none() -> None:
    assert look("QsQd2h//", variant=CLASSIC).next_fantasyland == 13
    assert look("QsQd2h//", variant=NO_FANTASYLAND).next_fantasyland == 0


def names(preview: Preview) -> list[str]:
    """The categories of the three rows."""
    return [category_of(strength).name.lower() for strength in preview.strengths]


@pytest.mark.parametrize(
    ("board", "order"),
    [
        ("//", RowOrder.OPEN),
        ("QsQd2c/7s5d/KsKd", RowOrder.OPEN),
        ("QsQd2c/7s5d/Ks", RowOrder.DANGER),
        ("9s9d9c/7s5d4h3c/Ks", RowOrder.DANGER),
        ("2s/7s7d/", RowOrder.FOUL),
        ("2s/Js/", RowOrder.FOUL),
        ("2s/Ts9d8h7c/", RowOrder.OPEN),
        ("2s/Ts9d8h7c6s/", RowOrder.FOUL),
        ("2s/7s5d4h3c2d/", RowOrder.OPEN),
        ("2s/7s5s4s3s2s/", RowOrder.FOUL),
        ("AsKd2h/7s5d4h3c2s/QsQd", RowOrder.OPEN),
        ("QsQd//JsJd2h3c4s", RowOrder.FOUL),
        ("QsQd6h/7s5d4h3c2s/KsKdAhQc2d", RowOrder.LEGAL),
        ("AsAd6h/7s5d4h3c2s/KsKdAhQc2d", RowOrder.FOUL),
        ("QsQd6h/7s7d4h3c2s/KsKdAhQc2d", RowOrder.FOUL),
    ],
)
def test_12_a_deuce_to_seven_board_needs_a_low_and_a_back_that_holds_the_front(board: str, order: RowOrder) -> None:
    assert look(board, variant=TWO_SEVEN_PINEAPPLE).order is order


def test_12_a_low_pays_as_soon_as_its_row_is_full() -> None:
    assert look("2s/7s5d4h3c2d/", variant=TWO_SEVEN_PINEAPPLE).royalties == (None, 8, None)
    seen = look("KsKd6h/7s5d4h3c2s/AhAcQh9c8d", variant=TWO_SEVEN_PINEAPPLE)
    assert (seen.order, seen.royalties, seen.next_fantasyland) == (RowOrder.LEGAL, (8, 8, 0), 15)


@pytest.mark.parametrize(
    ("board", "order"),
    [
        ("QsX1/Kd/Ah", RowOrder.OPEN),
        ("QsQdX1/Kd/Ah", RowOrder.DANGER),
        ("QsX1/8s8dKh4c2s/AsAdAh", RowOrder.OPEN),
        ("QsQdX1/8s8dKh4cX2/AsAd", RowOrder.OPEN),
        ("QsQdX1/8s8dKh4c2s/AsAd", RowOrder.FOUL),
        ("AsKdX1/8s8dKh4c2s/QsQd", RowOrder.OPEN),
        ("/8s8dX1Kh2c/KsKd", RowOrder.OPEN),
        ("/8s8d4h4cX1/KsKd", RowOrder.DANGER),
        ("9s9d/8s7d6h5cX1/3s3d3hAcKc", RowOrder.FOUL),
        ("8s8d/8h7d6h5cX1/3s3d3hAcKc", RowOrder.OPEN),
        ("Ad7sX1/8s8hKdQc2s/AsAhAcKhQd", RowOrder.LEGAL),
        ("AdAsX1/8s8hKdQc2s/JsJhJcKhTd", RowOrder.FOUL),
    ],
)
def test_6_a_joker_gives_way_where_it_must(board: str, order: RowOrder) -> None:
    assert look(board, variant=JOKER_PINEAPPLE).order is order


@pytest.mark.parametrize(
    ("board", "categories", "royalties"),
    [
        ("QsX1//", ["pair", "high_card", "high_card"], (None, None, None)),
        ("X1//X2", ["high_card", "high_card", "high_card"], (None, None, None)),
        ("//9s8sX1X2", ["high_card", "high_card", "three_of_a_kind"], (None, None, None)),
        ("AdKsX1//", ["pair", "high_card", "high_card"], (9, None, None)),
        ("Ad7sX1/8s8hKdQc2s/", ["pair", "pair", "high_card"], (2, 0, None)),
        ("Ad7sX1/8s8hKdQc2s/AsAhAcKhQd", ["pair", "pair", "three_of_a_kind"], (2, 0, 0)),
        ("Qs/9s9d9hX1X2/", ["high_card", "five_of_a_kind", "high_card"], (None, 100, None)),
        ("Qs/9s9d9hKcX1/AsKdQhJcTs", ["high_card", "three_of_a_kind", "straight"], (None, 2, 2)),
        ("QsQdX1/9s9dAh5c4d/", ["three_of_a_kind", "pair", "high_card"], (20, 0, None)),
    ],
)
def test_6_a_joker_promises_as_much_as_it_can_without_a_foul(
    board: str, categories: list[str], royalties: tuple[int | None, ...]
) -> None:
    seen = look(board, variant=JOKER_PINEAPPLE)
    assert names(seen) == categories
    assert seen.royalties == royalties


def test_6_fantasyland_is_promised_for_what_the_joker_can_be() -> None:
    assert look("QsX12d//", variant=JOKER_PINEAPPLE).next_fantasyland == 14
    assert look("QsX12d/8s8hKdQc2s/", variant=JOKER_PINEAPPLE).next_fantasyland == 0
    assert look("QsX1X2//", variant=JOKER_ULTIMATE).next_fantasyland == 17


@given(variant=any_variant(), seed=st.integers(0, 1 << 32))
def test_3_a_full_board_promises_what_it_scores(variant: Variant, seed: int) -> None:
    (board,) = any_boards(variant, Random(seed), players=1)
    scored = score_board(variant, Board(rows=board.rows, fantasyland=board.fantasyland))
    seen = preview(variant, board.rows, fantasyland=board.fantasyland)
    assert seen.order is (RowOrder.FOUL if scored.foul else RowOrder.LEGAL)
    assert scored.rows
    assert seen.strengths == tuple(part.strength for part in scored.rows)
    assert seen.next_fantasyland == scored.next_fantasyland
    if not scored.foul:
        assert seen.royalties == tuple(part.royalty for part in scored.rows)


@given(variant=any_variant(), seed=st.integers(0, 1 << 32))
def test_3_what_is_a_foul_before_the_board_is_full_is_one_in_the_end(variant: Variant, seed: int) -> None:
    chance = Random(seed)
    (board,) = any_boards(variant, chance, players=1)
    before = [cards[: chance.randint(0, len(cards))] for cards in board.rows]
    seen = preview(variant, (before[0], before[1], before[2]), fantasyland=0)
    if seen.order is RowOrder.FOUL:
        assert preview(variant, board.rows, fantasyland=0).order is RowOrder.FOUL
