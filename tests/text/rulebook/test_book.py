"""The rule book says what the declaration declares, for games that exist and for some that do not yet."""

from dataclasses import replace

import pytest

from bot.ofc.house_rules import house_variant
from bot.ofc.presets import (
    CHINESE,
    CLASSIC,
    JOKER_ULTIMATE,
    PINEAPPLE,
    PRESETS,
    PROGRESSIVE,
    THIRTEEN,
    TURBO,
    TWO_SEVEN_PINEAPPLE,
)
from bot.ofc.variants import Variant
from bot.text.house_rules import override_text
from bot.text.names import variant_name
from bot.text.rulebook.book import document, games_table, rulebook, rules_pages, short_line
from bot.text.rulebook.game import sections
from tests.text.rulebook.games import EN, FRIDAY, GAMES, JA, NAMELESS, Listening, section


def test_every_game_has_a_name_and_no_other_has() -> None:
    named = {key.split(".")[1] for key in EN.entries if key.startswith("variant.")}
    assert named == PRESETS.keys()


@pytest.mark.parametrize("game", PRESETS.values(), ids=PRESETS)
def test_a_page_is_written_from_properties_and_not_from_the_key(game: Variant) -> None:
    other = next(key for key in PRESETS if key != game.key)
    assert sections(replace(game, key=other), EN) == sections(game, EN)


def test_no_sentence_of_the_rule_book_is_idle() -> None:
    listening = Listening(language=EN.language, entries=EN.entries)
    document(listening)
    for game in GAMES:
        rules_pages(game, listening)
        short_line(game, listening)
    rules = {
        key for key, entry in EN.entries.items() if entry.place.startswith(("en/rules.toml", "en/rules_pages.toml"))
    }
    assert rules - listening.asked == set()


@pytest.mark.parametrize(
    ("game", "english", "japanese"),
    [
        (PINEAPPLE, "5 + 4×3, 2–3 seats, Fantasyland with 14 cards", "5枚＋3枚×4回、2～3人、ファンタジーランド14枚"),
        (CLASSIC, "5 + 8×1, 2–4 seats, Fantasyland with 13 cards", "5枚＋1枚×8回、2～4人、ファンタジーランド13枚"),
        (
            PROGRESSIVE,
            "5 + 4×3, 2–3 seats, Fantasyland with 14–17 cards",
            "5枚＋3枚×4回、2～3人、ファンタジーランド14～17枚",
        ),
        (TURBO, "5 + 2×4, 2–4 seats, Fantasyland with 13 cards", "5枚＋4枚×2回、2～4人、ファンタジーランド13枚"),
        (CHINESE, "13 at once, 2–4 seats, no Fantasyland", "13枚を一度に、2～4人、ファンタジーランドなし"),
        (
            THIRTEEN,
            "13 at once, 4 seats, naturals, no Fantasyland",
            "13枚を一度に、4人、特殊役あり、ファンタジーランドなし",
        ),
        (
            TWO_SEVEN_PINEAPPLE,
            "5 + 4×3, 2–3 seats, 2-7 low in the middle, Fantasyland with 14–15 cards",
            "5枚＋3枚×4回、2～3人、中段は2-7ロー、ファンタジーランド14～15枚",
        ),
        (
            JOKER_ULTIMATE,
            "5 + 4×3, 2–3 seats, one deck and 2 jokers, Fantasyland with 14–17 cards",
            "5枚＋3枚×4回、2～3人、トランプ1組、ジョーカー2枚、ファンタジーランド14～17枚",
        ),
        (
            house_variant("classic", {"fantasyland": "off"}),
            "5 + 8×1, 2–4 seats, no Fantasyland, house rules",
            "5枚＋1枚×8回、2～4人、ファンタジーランドなし、ハウスルール",
        ),
    ],
)
def test_a_game_fits_one_line(game: Variant, english: str, japanese: str) -> None:
    assert short_line(game, EN) == english
    assert short_line(game, JA) == japanese


def test_the_games_stand_side_by_side() -> None:
    table = games_table((PINEAPPLE, CHINESE), EN).splitlines()
    assert table[2:] == ["| Pineapple OFC | 2–3 | 52 | 5 + 4×3 | 14 |", "| Chinese Poker | 2–4 | 52 | 13 at once | – |"]


def test_no_two_games_have_the_same_name() -> None:
    for words in (EN, JA):
        assert len({variant_name(game, words) for game in PRESETS.values()}) == len(PRESETS)


def test_the_heading_stands_at_the_level_that_is_asked_for() -> None:
    assert rulebook(PINEAPPLE, EN).startswith("# Pineapple OFC\n")
    assert rulebook(PINEAPPLE, EN, level=2).startswith("## Pineapple OFC\n")
    assert "\n### Streets\n" in rulebook(PINEAPPLE, EN, level=2)


def test_a_house_game_has_the_name_of_the_house() -> None:
    assert rulebook(FRIDAY, EN).startswith("# \\*Friday\\*\n\nPineapple OFC with house rules.")
    assert rulebook(NAMELESS, JA).startswith("# チャイニーズポーカー（ハウスルール）\n")


def test_a_preset_that_a_house_only_named_keeps_its_summary() -> None:
    named = house_variant("pineapple", {}, name="Ours")
    assert rulebook(named, EN) == rulebook(PINEAPPLE, EN).replace("# Pineapple OFC\n", "# Ours\n")


def test_what_the_house_changed_stands_first() -> None:
    page = rulebook(FRIDAY, EN)
    assert section(page, "House rules").strip().splitlines() == [
        f"- {override_text(key, value, EN)}" for key, value in FRIDAY.house.items()
    ]
    assert page.index("## House rules") < page.index("## Players and cards")
    assert "## House rules" not in rulebook(PINEAPPLE, EN)
