"""Placements in letters, what the clock lays, and what a board promises."""

import pytest

from bot.ofc.cards import cards_text, parse_cards
from bot.ofc.placement import Order, Preview, automatic_placement, check_placement, place, preview
from bot.ofc.ranks import Category, category_of
from bot.ofc.refusals import Reason, Refused
from bot.ofc.rows import EMPTY
from bot.ofc.variants import CLASSIC, PINEAPPLE, Variant
from tests.ofc.games import NO_FANTASYLAND, STRICT, rows


def look(text: str, *, variant: Variant = PINEAPPLE, fantasyland: int = 0) -> Preview:
    """The preview of a board in notation."""
    return preview(variant, rows(text), fantasyland=fantasyland)


def test_cards_go_where_their_letters_say() -> None:
    laid, discards = place(rows("As//Kd"), parse_cards("QsQd2c"), "FDB")
    assert [cards_text(row) for row in laid] == ["AsQs", "", "Kd2c"]
    assert cards_text(discards) == "Qd"


def test_a_draft_leaves_cards_without_a_place() -> None:
    laid, discards = place(EMPTY, parse_cards("QsQd2c"), "F..")
    assert (cards_text(laid[0]), discards) == ("Qs", ())


def test_an_overfull_row_is_named() -> None:
    with pytest.raises(Refused) as caught:
        place(rows("AsKd//"), parse_cards("QsQd"), "FF")
    assert (caught.value.reason, caught.value.details) == (Reason.ROW_FULL, {"row": "front", "size": 3})


def test_a_whole_placement_has_no_open_card() -> None:
    check_placement(EMPTY, parse_cards("QsQd2c"), "FMD", lay=2)
    with pytest.raises(Refused) as caught:
        check_placement(EMPTY, parse_cards("QsQd2c"), "F.D", lay=2)
    assert caught.value.reason is Reason.BAD_PLACEMENT
    assert str(caught.value) == "bad_placement"


@pytest.mark.parametrize(
    ("board", "cards", "lay", "letters"),
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
def test_10_the_clock_lays_in_the_order_dealt_into_the_lowest_free_row(
    board: str, cards: str, lay: int, letters: str
) -> None:
    placement = automatic_placement(rows(board), parse_cards(cards), lay=lay)
    assert placement == letters
    check_placement(rows(board), parse_cards(cards), placement, lay=lay)


@pytest.mark.parametrize(
    ("board", "order"),
    [
        ("//", Order.OPEN),
        ("As/Kd/Qh", Order.OPEN),
        ("2s2d//", Order.DANGER),
        ("/2s2d/3h", Order.DANGER),
        ("2s2d/3h3c/4s", Order.DANGER),
        ("2s2d3h/4s4d/5h5c", Order.OPEN),
        ("QsQd/JsJd2h3c4s/", Order.FOUL),
        ("Qs/JsTd2h3c4s/", Order.FOUL),
        ("QsQd//JsJd2h3c4s", Order.FOUL),
        ("/QsQd/JsJd2h3c4s", Order.FOUL),
        ("QsQd2h/JsJd2h/", Order.DANGER),
        ("QsQd/QhQc2h3c4s/KsKd", Order.OPEN),
        ("QsQd2h/KsKd2h3c4s/AsAdKhQc2s", Order.LEGAL),
        ("QsQd2h/JsJd2h3c4s/AsAdKhQc2s", Order.FOUL),
        ("2s3d4h/AsKd9h5c2d/AdKh9s5d2h", Order.LEGAL),
    ],
)
def test_3_a_board_is_in_order_in_danger_or_fouled(board: str, order: Order) -> None:
    assert look(board).order is order


def test_3_level_rows_foul_already_where_rows_must_rise() -> None:
    assert look("2s3d/AsKd9h5c2d/AdKh9s5d2h").order is Order.OPEN
    assert look("2s3d/AsKd9h5c2d/AdKh9s5d2h", variant=STRICT).order is Order.FOUL
    assert look("2s3d/AsKd9h5c/AdKh9s5d", variant=STRICT).order is Order.OPEN
    assert look("2s3d4h/AsKd9h5c2d/AdKh9s5d2h", variant=STRICT).order is Order.FOUL


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
