"""The page says what rows, fouls, bonuses and naturals cost and pay."""

from dataclasses import replace

from bot.pure.ofc.cards import Row
from bot.pure.ofc.presets import CHINESE, OPEN_THIRTEEN, PINEAPPLE, THIRTEEN, TWO_SEVEN_PINEAPPLE
from bot.pure.ofc.ranks import Category
from bot.text.rulebook.book import rulebook, rules_pages
from tests.text.rulebook.games import EN, EVERY_BONUS, OPEN, section


def test_strict_rows_are_said_to_be_strict() -> None:
    assert "front ≤ middle ≤ back" in rulebook(PINEAPPLE, EN)
    assert "front < middle < back" in rulebook(THIRTEEN, EN)


def test_a_foul_costs_three_rows_and_the_scoop() -> None:
    assert "If you foul, you pay 6 points to each player who didn't." in rulebook(PINEAPPLE, EN)
    assert "you pay 9 points" in rulebook(replace(PINEAPPLE, row_point=2), EN)


def test_a_foul_pays_royalties_only_where_there_are_some() -> None:
    sentence = EN("rules.rows.foul_royalties")
    assert sentence in rulebook(CHINESE, EN)
    assert sentence not in rulebook(THIRTEEN, EN)


def test_a_foul_where_rows_pay_by_their_hands_pays_for_those_hands() -> None:
    rows = section(rulebook(THIRTEEN, EN), "Rows and fouls")
    assert EN("rules.rows.foul_valued") in rows
    assert "A foul pays" not in rows


def test_a_low_in_the_middle_has_an_order_of_its_own() -> None:
    rows = section(rulebook(TWO_SEVEN_PINEAPPLE, EN), "Rows and fouls")
    assert "7-5-4-3-2 is the best" in rows
    assert "10-low or better" in rows
    assert "front ≤ back)." in rows
    assert "front ≤ middle" not in rows


def test_the_scoop_is_counted_with_the_rows() -> None:
    assert "3 points more, for a total of 6" in rulebook(PINEAPPLE, EN)
    assert EN("rules.points.no_scoop") in rulebook(OPEN, EN)


def test_every_bonus_is_said_with_its_points() -> None:
    points = section(rulebook(EVERY_BONUS, EN), "Points")
    for sentence in (
        "If you win more rows than your opponent, you get 4 points more",
        "If you win two or three rows, you get 1 point more",
        "a scoop: 1 point more. ",
        "the player ahead gets 1 point more",
        "You pay each opponent 2 points",
    ):
        assert sentence in points
    assert "surrender" not in rulebook(THIRTEEN, EN)


def test_what_a_row_pays_by_its_hand_is_a_table() -> None:
    points = section(rulebook(THIRTEEN, EN), "Points")
    for line in ("| Three of a kind | 3 | 1 | 1 |", "| Full house | – | 2 | 1 |", "| Royal flush | – | – | 5 |"):
        assert line in points
    page = rules_pages(THIRTEEN, EN)[0].text
    assert "- **Middle** full house 2 · four of a kind 4 · straight flush 5\n" in page


def test_five_of_a_kind_wins_what_a_royal_flush_wins() -> None:
    assert "| Five of a kind | – | 5 | 5 |" in rulebook(replace(OPEN_THIRTEEN, jokers=2), EN)
    assert "Five of a kind" not in rulebook(OPEN_THIRTEEN, EN)


def test_a_row_value_that_is_the_ordinary_one_is_no_exception() -> None:
    level = replace(CHINESE, row_values={(Row.BACK, Category.FLUSH): 1})
    assert rulebook(level, EN) == rulebook(CHINESE, EN)


def test_naturals_stand_strongest_first_with_their_points() -> None:
    table = section(rulebook(THIRTEEN, EN), "Naturals")
    rows = [line.split(" | ") for line in table.splitlines() if "points |" in line]
    assert [(row[0], row[2]) for row in rows] == [
        ("| Complete straight", "13 points |"),
        ("| Three flushes", "3 points |"),
        ("| Three straights", "3 points |"),
        ("| Six pairs", "3 points |"),
    ]
    assert "## Naturals" not in rulebook(CHINESE, EN)
