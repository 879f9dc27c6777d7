"""Hands in words."""

import pytest

from bot.pure.ofc.cards import ROWS, parse_cards
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.naturals import Natural
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.ranks import Category, low_strength, partial_strength, row_strength
from bot.text.cards import (
    card_text,
    category_name,
    hand_text,
    low_text,
    natural_name,
    rank_name,
    row_name,
    row_text,
    typed_hand,
)
from bot.text.catalogue import TEXTS
from bot.text.games import full_name, variant_name
from bot.text.words import Words, words_for

EN = words_for("en")
JA = words_for("ja")


@pytest.mark.parametrize(
    ("cards", "english", "japanese"),
    [
        ("AsKsQs", "A-high", "Aハイ"),
        ("QsQh7d", "pair of queens", "Qのワンペア"),
        ("TsTh9s9h2d", "tens and nines", "10と9のツーペア"),
        ("TsThTd", "three tens", "10のスリーカード"),
        ("As2h3d4c5s", "5-high straight", "5ハイのストレート"),
        ("TsKs7s4s2s", "K-high flush", "Kハイのフラッシュ"),
        ("4sJdJc4h4d", "fours full of jacks", "4のフルハウス（Jのペア）"),
        ("7s7h7d7cAs", "four sevens", "7のフォーカード"),
        ("9s8s7s6s5s", "9-high straight flush", "9ハイのストレートフラッシュ"),
        ("AsKsQsJsTs", "royal flush", "ロイヤルフラッシュ"),
        ("8s8h8d8c8s", "five eights", "8のファイブカード"),
    ],
)
def test_a_hand_is_named_with_the_rank_that_matters(cards: str, english: str, japanese: str) -> None:
    strength = row_strength(parse_cards(cards))
    assert hand_text(strength, EN) == english
    assert hand_text(strength, JA) == japanese


def test_no_cards_are_a_high_card_without_a_rank() -> None:
    assert hand_text(partial_strength(()), EN) == "high card"


def test_tens_are_written_as_the_cards_show_them() -> None:
    assert rank_name(10) == "10"
    assert (typed_hand("TT"), typed_hand("TTT"), typed_hand("QQ")) == ("10-10", "10-10-10", "QQ")
    for cards in ("TsTh2d", "TsTh5s5h", "TsThTdTc"):
        assert "10" in hand_text(partial_strength(parse_cards(cards)), JA)


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
    assert hand_text(low_strength(parse_cards("8s8h5d3c2s")), EN) == "pair of eights"


@pytest.mark.parametrize(
    ("natural", "name"),
    [
        (Natural.SIX_PAIRS, "シックスペア（六対子）"),
        (Natural.THREE_STRAIGHTS, "スリーストレート（三順子）"),
        (Natural.THREE_FLUSHES, "スリーフラッシュ（三同花）"),
        (Natural.COMPLETE_STRAIGHT, "コンプリートストレート（一条龍）"),
    ],
)
def test_naturals_have_both_their_names_in_japanese(natural: Natural, name: str) -> None:
    assert natural_name(natural, JA) == name


def test_a_ten_is_written_in_figures_and_a_joker_as_its_picture() -> None:
    assert row_text(parse_cards("TdAsX1")) == "10♦\ufe0e A♠\ufe0e 🃏"
    assert [card_text(card) for card in parse_cards("2c3h")] == ["2♣\ufe0e", "3♥\ufe0e"]


@pytest.mark.prose
@pytest.mark.parametrize(("words", "column"), [(EN, 1), (JA, 2)], ids=["en", "ja"])
def test_the_glossary_has_the_names_of_rows_and_hands(words: Words, column: int) -> None:
    lines = (TEXTS.parents[1] / "docs/glossary.md").read_text(encoding="utf-8").splitlines()
    listed = {line.split(" | ")[column - 1].strip("| ") for line in lines if line.startswith("|")}
    names = {row_name(row, words) for row in ROWS} | {category_name(category, words) for category in Category}
    assert names - listed == set()
