"""Hands in words."""

import pytest

from bot.ofc.cards import parse_cards
from bot.ofc.house_rules import house_variant
from bot.ofc.ranks import low_strength, partial_strength, row_strength
from bot.ofc.variants import PRESETS
from bot.text.names import full_name, hand_text, low_text, variant_name
from bot.text.words import words_for

EN = words_for("en")
JA = words_for("ja")


@pytest.mark.parametrize(
    ("cards", "english", "japanese"),
    [
        ("AsKsQs", "high card A", "ハイカード A"),
        ("QsQh7d", "pair QQ", "QQのワンペア"),
        ("TsTh9s9h2d", "two pair 10-10 99", "10-10と99のツーペア"),
        ("TsThTd", "three of a kind 10-10-10", "10-10-10のスリーカード"),
        ("As2h3d4c5s", "straight to 5", "5ハイストレート"),
        ("TsKs7s4s2s", "flush K-high", "Kハイフラッシュ"),
        ("4sJdJc4h4d", "full house 444 JJ", "444とJJのフルハウス"),
        ("7s7h7d7cAs", "four of a kind 7777", "7777のフォーカード"),
        ("9s8s7s6s5s", "straight flush to 9", "9ハイストレートフラッシュ"),
        ("AsKsQsJsTs", "royal flush", "ロイヤルフラッシュ"),
        ("8s8h8d8c8s", "five of a kind 88888", "88888のファイブカード"),
    ],
)
def test_a_hand_is_named_with_the_rank_that_matters(cards: str, english: str, japanese: str) -> None:
    strength = row_strength(parse_cards(cards))
    assert hand_text(strength, EN) == english
    assert hand_text(strength, JA) == japanese


def test_no_cards_are_a_high_card_without_a_rank() -> None:
    assert hand_text(partial_strength(()), EN) == "high card"


def test_ranks_are_written_as_the_cards_show_them() -> None:
    for cards in ("TsTh2d", "TsTh5s5h", "TsThTdTc"):
        said = hand_text(partial_strength(parse_cards(cards)), EN)
        assert "10-10" in said
        assert "T" not in said


def test_a_game_of_a_house_says_what_it_is_made_from() -> None:
    ours = house_variant("pineapple", {"order": "all_together"}, name="Ours")
    assert (full_name(ours, EN), full_name(ours, JA)) == ("Ours (Pineapple OFC)", "Ours（パイナップルOFC）")
    assert full_name(PRESETS["pineapple"], EN) == "Pineapple OFC"


def test_a_game_changed_for_one_table_says_which_rule() -> None:
    assert variant_name(house_variant("pineapple", {"discards": "open"}), EN) == "Pineapple OFC, open discards"
    assert variant_name(house_variant("pineapple", {"discards": "open"}), JA) == "パイナップルOFC（捨て札公開）"
    several = house_variant("pineapple", {"discards": "open", "row_point": "2"})
    assert variant_name(several, EN) == "Pineapple OFC, house rules"


def test_a_low_is_named_by_all_its_ranks() -> None:
    low = low_strength(parse_cards("9s8h5d3c2s"))
    assert low_text(low, EN) == hand_text(low, EN) == "9-8-5-3-2 low"
    assert low_text(low, JA) == "9-8-5-3-2ロー"


def test_a_hand_that_is_no_low_keeps_its_name() -> None:
    assert hand_text(low_strength(parse_cards("8s8h5d3c2s")), EN) == "pair 88"
