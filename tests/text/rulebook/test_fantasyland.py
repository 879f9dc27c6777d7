"""The page says who enters Fantasyland with how many cards, and who stays."""

from dataclasses import replace

from bot.pure.ofc.presets import (
    CLASSIC,
    PINEAPPLE,
    PROGRESSIVE,
    PROGRESSIVE_16,
    THIRTEEN,
    TWO_SEVEN_PINEAPPLE,
    ULTIMATE,
)
from bot.pure.ofc.variants import TRIPS, Fantasyland
from bot.text.rulebook.book import rulebook
from tests.text.rulebook.games import DEAR_FRONTS, EN, JA, TOGETHER, WHEEL_STAYS, section


def test_one_number_of_cards_is_one_sentence() -> None:
    assert "make QQ or better in the front" in rulebook(PINEAPPLE, EN)
    assert "上段でQQ以上を作ると" in rulebook(PINEAPPLE, JA)


def test_several_numbers_of_cards_are_a_table() -> None:
    page = section(rulebook(PROGRESSIVE, EN), "Fantasyland")
    for line in ("| QQ | 14 cards |", "| KK | 15 cards |", "| AA | 16 cards |", "| Three of a kind | 17 cards |"):
        assert line in page


def test_equal_numbers_at_the_top_are_said_together() -> None:
    assert "| AA or better | 16 cards |" in rulebook(PROGRESSIVE_16, EN)


def test_an_entry_with_gaps_names_each_front() -> None:
    gaps = Fantasyland(entry={12: 14, 14: 14}, stay_cards=14)
    assert "make QQ / AA in the front" in rulebook(replace(PINEAPPLE, fantasyland=gaps), EN)


def test_three_of_a_kind_may_be_all_that_enters() -> None:
    rare = replace(PINEAPPLE, fantasyland=Fantasyland(entry={TRIPS: 17}, stay_cards=14))
    assert "make three of a kind in the front" in rulebook(rare, EN)


def test_a_low_enters_by_itself_and_with_the_front() -> None:
    page = section(rulebook(TWO_SEVEN_PINEAPPLE, EN), "Fantasyland")
    assert [line for line in page.splitlines() if line.endswith("cards |")] == [
        "| KK or better in the front | 14 cards |",
        "| 7-5-4-3-2 in the middle | 14 cards |",
        "| Both | 15 cards |",
    ]


def test_both_together_are_told_apart_where_fronts_differ() -> None:
    page = section(rulebook(DEAR_FRONTS, EN), "Fantasyland")
    assert "| KK in the front with 7-5-4-3-2 in the middle | 15 cards |" in page
    assert "| Three of a kind in the front with 7-5-4-3-2 in the middle | 17 cards |" in page


def test_a_low_stays_where_it_is_declared_to() -> None:
    assert "7-5-4-3-2 in the middle, or four of a kind" in rulebook(WHEEL_STAYS, EN)
    assert "7-5-4-3-2 in the middle, or four of a kind" not in rulebook(TWO_SEVEN_PINEAPPLE, EN)


def test_staying_is_told_with_its_conditions_and_cards() -> None:
    assert "full house or better in the middle" in section(rulebook(CLASSIC, EN), "Fantasyland")
    assert "in the middle" not in section(rulebook(PINEAPPLE, EN), "Fantasyland")
    assert "If you stay, you get 14 cards." in rulebook(PROGRESSIVE, EN)
    assert "If you stay, you get as many cards as before." in rulebook(ULTIMATE, EN)


def test_the_button_stays_or_moves_as_declared() -> None:
    assert EN("rules.fantasyland.button_stays") in rulebook(PINEAPPLE, EN)
    assert EN("rules.fantasyland.button_moves") in rulebook(TOGETHER, EN)


def test_a_game_without_fantasyland_says_only_that() -> None:
    assert section(rulebook(THIRTEEN, EN), "Fantasyland").strip() == "- This game has no Fantasyland."
