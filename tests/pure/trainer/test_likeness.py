"""Positions that are like another one, whatever the suits are called."""

from __future__ import annotations

import pytest

from bot.pure.ofc.presets import PINEAPPLE
from bot.pure.trainer.likeness import has_board, is_like
from bot.pure.trainer.position import Position, parse_position
from bot.pure.trainer.suits import RENAMINGS, renamed_position

STREET_2 = "Kd/7c7d/AsKs +QhQs2c vs Ah/9c9d/JsTs"


def read(text: str) -> Position:
    return parse_position(text, PINEAPPLE)


@pytest.mark.parametrize(
    "asked",
    [
        STREET_2,
        "Kd/7c7d/AsKs +QhQs2c",
        "Kd/7c7d/AsKs +QhQs3c vs Ah/9c9d/JsTs",
        "Kd/7c7d/AsKc +QhQs2c vs 4h/4c4d/JsTs",
        "Kd/7c7d/AsKs +9h8s2c",
        "/7c7d/AsKsKd +Qh2cQs vs 2h/3h4h/5h6h",
        "QhKd/7c7d/AsKsQs +3d4d5d",
        "QhKd/7c7d/AsKsQs +3d4d5d -2c",
        "Kd2c/7c7d/AsKsQs +JdTd9d -6h",
    ],
    ids=[
        "the same",
        "without the opponent",
        "another card to place",
        "another card on the board",
        "two other cards to place",
        "otherwise placed",
        "a street later",
        "a street later with the discard",
        "a street later, and the discard is another card",
    ],
)
def test_changing_a_little_does_not_make_it_another_position(asked: str) -> None:
    mine = read(STREET_2)
    for suits in RENAMINGS:
        assert is_like(renamed_position(read(asked), suits), mine)


@pytest.mark.parametrize(
    "asked",
    [
        "Kd/7c7d/AsKs +9h8s3c",
        "2d/7c8d/AsQs +QhKh2c",
        "// +KdAs7c4d5h",
        "KdQh2h/7c7d/AsKsQs2c +3d4d5d",
    ],
    ids=["three other cards to place", "other ranks", "two of five", "two streets later"],
)
def test_other_cards_make_another_position(asked: str) -> None:
    assert not is_like(read(asked), read(STREET_2))


def test_of_more_cards_more_may_be_others() -> None:
    mine = read("KdQh/7c7d2c2h/AsKsQs +3d4d5d")
    assert is_like(read("KdQh/7c7d2c2h/AsKsQs +Ts8s9h"), mine)
    assert is_like(read("KdQh/7c7d2c2h/AsKsTh +Ts8s9h"), mine)
    assert not is_like(read("KdQh/7c7d2c6h/AsKsTh +Ts8s9h"), mine)


def test_a_rank_has_to_be_in_the_same_suits_as_the_others() -> None:
    mine = read("Kd/7d6d/AdQd +5d4d3d")
    assert not is_like(read("Kd/7c6h/AsQd +5c4h3s"), mine)


def test_a_fantasyland_is_recognised() -> None:
    mine = read("@14 +KcKhKsQdJd9h9s8d2s3c4c5c8cTd")
    assert is_like(read("@14 +KcKhKsQdJd9h9s8d2s3c4c5c8hTs"), mine)
    assert not is_like(read("@14 +6c6h6sQdJd9h9s8d2s3c4c5d8hTs"), mine)


def test_boards_are_the_same_in_any_order_and_suits() -> None:
    board = read(STREET_2).rows
    for suits in RENAMINGS:
        assert has_board(renamed_position(read("Kd/7d7c/KsAs +9h8s2c"), suits), board)
    assert not has_board(read("/7c7d/AsKsKd +QhQs2c"), board)
    assert not has_board(read("Ks/7c7d/AsKh +QhQs2c"), board)
