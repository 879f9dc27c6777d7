"""Hands in words."""

import pytest

from bot.ofc.cards import parse_cards
from bot.ofc.ranks import low_strength, partial_strength, row_strength
from bot.text.names import hand_text, low_text
from bot.text.words import words_for

EN = words_for("en")
JA = words_for("ja")


@pytest.mark.parametrize(
    ("cards", "english", "japanese"),
    [
        ("QsQh7d", "pair QQ", "ワンペア QQ"),
        ("AsKsQs", "high card A", "ハイカード A"),
        ("TsThTd", "three of a kind TTT", "スリーカード TTT"),
        ("8s8h8d8c8s", "five of a kind 88888", "ファイブカード 88888"),
        ("JsJdJc4s4h", "full house", "フルハウス"),
    ],
)
def test_a_hand_is_named_with_the_rank_that_matters(cards: str, english: str, japanese: str) -> None:
    strength = row_strength(parse_cards(cards))
    assert hand_text(strength, EN) == english
    assert hand_text(strength, JA) == japanese


def test_no_cards_are_a_high_card_without_a_rank() -> None:
    assert hand_text(partial_strength(()), EN) == "high card"


def test_a_low_is_named_by_all_its_ranks() -> None:
    low = low_strength(parse_cards("9s8h5d3c2s"))
    assert low_text(low, EN) == hand_text(low, EN) == "9-8-5-3-2 low"
    assert low_text(low, JA) == "9-8-5-3-2ロー"


def test_a_hand_that_is_no_low_keeps_its_name() -> None:
    assert hand_text(low_strength(parse_cards("8s8h5d3c2s")), EN) == "pair 88"
