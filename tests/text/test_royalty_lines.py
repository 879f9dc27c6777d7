"""Royalties as people type them, in both languages."""

import pytest

from bot.ofc.overrides import OVERRIDES, POINTS_OF_HANDS
from bot.ofc.variants import VariantError
from bot.text.languages import LANGUAGES
from bot.text.royalty_lines import royalty_line, royalty_overrides
from bot.text.words import words_for


@pytest.mark.parametrize(
    ("line", "key", "points"),
    [
        ("back royal_flush 50", "royalty.back.royal_flush", "50"),
        ("Back royal flush: 50", "royalty.back.royal_flush", "50"),
        ("bottom royal flush = 50 points", "royalty.back.royal_flush", "50"),
        ("下段 ロイヤルフラッシュ 50", "royalty.back.royal_flush", "50"),
        ("下段ロイヤルフラッシュ　５０点", "royalty.back.royal_flush", "50"),
        ("front QQ 9", "royalty.front.QQ", "9"),
        ("front pair_QQ 9", "royalty.front.QQ", "9"),
        ("top 10-10 5", "royalty.front.TT", "5"),
        ("上段 QQのワンペア 9", "royalty.front.QQ", "9"),
        ("上段 AAA 30", "royalty.front.AAA", "30"),
        ("middle full house 12", "royalty.middle.full_house", "12"),
        ("low 9 2", "royalty.low.9", "2"),
        ("low 7-5-4-3-2 = 12", "royalty.low.7-5-4-3-2", "12"),
        ("row back four of a kind 8", "row.back.four_of_a_kind", "8"),
        ("natural six_pairs 6", "natural.six_pairs", "6"),
        ("six pairs 6", "natural.six_pairs", "6"),
    ],
)
def test_rows_and_hands_are_understood_as_they_are_called(line: str, key: str, points: str) -> None:
    assert royalty_overrides(line) == {key: points}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", [key for key in OVERRIDES if key.startswith(POINTS_OF_HANDS)])
def test_each_line_that_is_shown_is_understood_again(key: str, language: str) -> None:
    assert royalty_overrides(royalty_line(key, "7", words_for(language))) == {key: "7"}


def test_lines_are_read_together_and_empty_ones_left_out() -> None:
    assert royalty_overrides("\nback flush 5\n\n front KK 10 \n") == {
        "royalty.back.flush": "5",
        "royalty.front.KK": "10",
    }


@pytest.mark.parametrize("line", ["back nonsense 5", "back flush", "50", "back flush −5", "flush 5"])
def test_a_line_that_cannot_be_read_is_named(line: str) -> None:
    with pytest.raises(VariantError) as refused:
        royalty_overrides(f"back flush 5\n{line}")
    assert (refused.value.problem, refused.value.details) == ("unread_royalty", {"value": line})
