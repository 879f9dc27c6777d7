"""Boards as text, and how a wrong one is refused."""

import pytest

from bot.pure.ofc.naturals import Natural
from bot.pure.ofc.notation import EXAMPLE, NotationError, board_text, check_cards, parse_board
from bot.pure.ofc.presets import (
    CLASSIC,
    DOUBLE_PINEAPPLE,
    JOKER_PINEAPPLE,
    PINEAPPLE,
    PROGRESSIVE,
    THIRTEEN,
    TWO_SEVEN_PINEAPPLE,
    ULTIMATE,
)
from bot.pure.ofc.scoring import Board
from bot.pure.ofc.variants import Variant
from tests.pure.ofc.games import NO_FANTASYLAND, score_board


def refusal(text: str, variant: Variant = PINEAPPLE) -> str:
    """Return the sentence that refuses a board."""
    with pytest.raises(NotationError) as caught:
        parse_board(text, variant)
    return str(caught.value)


def refused_cards(*texts: str, variant: Variant = PINEAPPLE) -> str:
    """Return the sentence that refuses the cards of boards."""
    boards = [parse_board(text, variant) for text in texts]
    with pytest.raises(NotationError) as caught:
        check_cards(boards, variant)
    return str(caught.value)


def test_the_example_is_a_board_that_can_be_scored() -> None:
    board = parse_board(EXAMPLE, PINEAPPLE)
    check_cards([board], PINEAPPLE)
    assert not score_board(PINEAPPLE, board).foul


def test_a_board_is_read_as_it_is_written() -> None:
    board = parse_board(EXAMPLE, PINEAPPLE)
    assert board_text(board.rows) == EXAMPLE
    assert (board.fantasyland, board.forfeited) == (0, False)
    assert parse_board(" qs qd 2c / 5c5d5h9s9c / ahkhqhjh10h ", PINEAPPLE) == board


def test_an_at_sign_is_fantasyland() -> None:
    assert parse_board(f"{EXAMPLE}@14", PINEAPPLE) == Board(rows=parse_board(EXAMPLE, PINEAPPLE).rows, fantasyland=14)
    assert parse_board(f"{EXAMPLE}@13", CLASSIC).fantasyland == 13
    assert parse_board(f"{EXAMPLE}@17", ULTIMATE).fantasyland == 17


@pytest.mark.parametrize("number", ["", "13", "x", "014", "-14", "14 ", "14@14", "１４", "²", "9" * 5000])
def test_another_fantasyland_is_refused_with_the_choices(number: str) -> None:
    assert refusal(f"{EXAMPLE}@{number}") == f"@{number} is not a Fantasyland of pineapple. Write @14"


def test_the_choices_are_those_of_the_variant() -> None:
    assert refusal(f"{EXAMPLE}@13", PROGRESSIVE).endswith("Write @14 or @15 or @16 or @17")
    assert refusal(f"{EXAMPLE}@14", NO_FANTASYLAND).endswith("Write nothing")
    assert refusal(f"{EXAMPLE}@13", TWO_SEVEN_PINEAPPLE).endswith("Write @14 or @15")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "'' has 1 rows. Write front/middle/back, such as"),
        ("QsQd2c/5c5d5h9s9c", "has 2 rows"),
        (f"{EXAMPLE}/As", "has 4 rows"),
        ("QsQz2c/5c5d5h9s9c/AhKhQhJhTh", "'Qz' is not a card"),
        ("QsQd/5c5d5h9s9c/AhKhQhJhTh", "the front QsQd has 2 cards, but takes 3"),
        ("QsQd2c3c/5c5d5h9s9c/AhKhQhJhTh", "the front QsQd2c3c has 4 cards, but takes 3"),
        ("QsQd2c//AhKhQhJhTh", "the middle (empty) has 0 cards, but takes 5"),
        ("QsQd2c/5c5d5h9s9c/AhKhQhJh", "the back AhKhQhJh has 4 cards, but takes 5"),
    ],
)
def test_a_wrong_board_is_refused_with_what_is_wrong(text: str, sentence: str) -> None:
    assert sentence in refusal(text)


def test_a_card_that_is_used_twice_is_named() -> None:
    assert refused_cards("QhQd2c/5c5d5h9s9c/AhKhQhJhTh") == "Qh is used 2 times, but the deck has 1"
    other = "2s2d3c/8c8d8h9h9d/AsKsQcJsTs"
    check_cards([parse_board(text, PINEAPPLE) for text in (EXAMPLE, other)], PINEAPPLE)
    assert refused_cards(EXAMPLE, other.replace("2d", "Qd")) == "Qd is used 2 times, but the deck has 1"


def test_two_decks_hold_a_card_twice() -> None:
    twice = parse_board("QhQd2c/5c5d5h9s9c/AhKhQhJhTh", DOUBLE_PINEAPPLE)
    check_cards([twice], DOUBLE_PINEAPPLE)
    assert (
        refused_cards("QhQd2c/5c5d5h9s9c/AhQhQhJhTh", variant=DOUBLE_PINEAPPLE)
        == "Qh is used 3 times, but the deck has 2"
    )


def test_a_card_that_the_deck_does_not_hold_is_named() -> None:
    assert refused_cards("QsX1X1/5c5d5h9s9c/AhKhQhJhTh") == "X1 is not in the deck of pineapple"


def test_jokers_are_cards_of_a_game_that_has_them() -> None:
    board = parse_board("QsX12c/5c5d5h9s9c/AhKhQhX2Th", JOKER_PINEAPPLE)
    check_cards([board], JOKER_PINEAPPLE)
    twice = parse_board("QsX12c/5c5d5h9s9c/AhKhQhX1Th", JOKER_PINEAPPLE)
    with pytest.raises(NotationError, match="X1 is used 2 times, but the deck has 1"):
        check_cards([twice], JOKER_PINEAPPLE)


DRAGON = "As2d3c/4h5s6d7c8h/9sTdJcQhKs"


def test_11_2_an_exclamation_mark_declares_a_natural() -> None:
    board = parse_board(f"{DRAGON}!", THIRTEEN)
    assert (board.natural, board_text(board.rows)) == (Natural.COMPLETE_STRAIGHT, DRAGON)
    assert parse_board(DRAGON, THIRTEEN).natural is None


@pytest.mark.parametrize(
    ("text", "variant", "sentence"),
    [
        (f"{EXAMPLE}!", THIRTEEN, f"{EXAMPLE} is not a natural. Leave out the !"),
        (f"{DRAGON}!", PINEAPPLE, "pineapple has no naturals. Leave out the !"),
        (f"{EXAMPLE}@14!", PINEAPPLE, "pineapple has no naturals. Leave out the !"),
        (f"{DRAGON}@13!", THIRTEEN, "@13 is not a Fantasyland of thirteen. Write nothing"),
        (f"{DRAGON}!@14", THIRTEEN, "has ! in the wrong place. Write it once, at the very end"),
        (f"{DRAGON}!!", THIRTEEN, "has ! in the wrong place"),
    ],
)
def test_a_natural_that_cannot_be_declared_is_refused(text: str, variant: Variant, sentence: str) -> None:
    assert sentence in refusal(text, variant)
