"""Points of single hands, written and parsed in the words of every language."""

import re

import pytest

from bot.pure.ofc.overrides import OVERRIDES, POINTS_OF_HANDS
from bot.text.house_rules import RoyaltyLine, royalty_line, royalty_lines
from bot.text.languages import LANGUAGES
from bot.text.words import Words, words_for

KEYS = [key for key in OVERRIDES if key.startswith(POINTS_OF_HANDS)]


def overrides(text: str) -> dict[str, str]:
    """Return the overrides in a text's lines."""
    return {line.key: line.points for line in royalty_lines(text)}


@pytest.mark.parametrize("words", [words_for(code) for code in LANGUAGES], ids=LANGUAGES)
def test_every_line_is_read_as_it_was_written(words: Words) -> None:
    written = "\n".join(royalty_line(key, str(number), words) for number, key in enumerate(KEYS))
    assert overrides(written) == {key: str(number) for number, key in enumerate(KEYS)}
    assert len(KEYS) > 50


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("back royal_flush 50", "royalty.back.royal_flush"),
        ("back.royal_flush=50", "royalty.back.royal_flush"),
        ("Back  Straight Flush 50", "royalty.back.straight_flush"),
        ("下段 ロイヤルフラッシュ 50", "royalty.back.royal_flush"),
        ("bottom royal flush 50", "royalty.back.royal_flush"),
        ("トップ QQ 50", "royalty.front.QQ"),
        ("下段ロイヤルフラッシュ50", "royalty.back.royal_flush"),
        ("上段\u3000ＱＱ\u3000５０", "royalty.front.QQ"),
        ("front qq 50", "royalty.front.QQ"),
        ("上段 10-10 50", "royalty.front.TT"),
        ("front TTT 50", "royalty.front.TTT"),
        ("ロー 7-5-4-3-2 50", "royalty.low.7-5-4-3-2"),
        ("勝った段 下段 フォーカード 50", "row.back.four_of_a_kind"),
        ("特殊役 六対子 50", "natural.six_pairs"),
        ("natural six pairs 50", "natural.six_pairs"),
    ],
)
def test_a_line_may_be_written_in_many_ways(typed: str, key: str) -> None:
    assert overrides(f"\n {typed} \n") == {key: "50"}


@pytest.mark.parametrize("line", ["nonsense", "back nonsense 5", "back", "front pair_QQ 9", "下段 50", "="])
def test_a_line_that_says_of_no_hand_what_it_pays_is_named(line: str) -> None:
    read, unread = royalty_lines(f"front QQ 9\n{line}")
    assert read == RoyaltyLine(written="front QQ 9", key="royalty.front.QQ", points="9")
    assert (unread.written, unread.key) == (line, "")


@pytest.mark.parametrize("words", [words_for(code) for code in LANGUAGES], ids=LANGUAGES)
def test_the_examples_in_the_form_can_be_typed(words: Words) -> None:
    hint = words("royalty_editor.royalty_hint")
    examples = re.findall(r"[^.。：:·]+ \d+(?= ·|\.|。)", hint)
    assert len(examples) == hint.count("·") + 1
    assert len(overrides("\n".join(examples))) == len(examples)


def test_house_rules_write_ranks_as_the_cards_show_them() -> None:
    assert royalty_line("royalty.front.TT", "5", words_for("ja")) == "上段 10-10 5"
    assert royalty_line("royalty.front.KK", "8", words_for("en")) == "front KK 8"
    assert royalty_line("row.back.four_of_a_kind", "8", words_for("ja")) == "勝った段 下段 フォーカード 8"
