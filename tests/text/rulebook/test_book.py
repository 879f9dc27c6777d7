"""The rule book says what the declaration declares, for games that exist and for some that do not yet."""

from dataclasses import replace

import pytest

from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import CHINESE, PINEAPPLE, PRESETS
from bot.pure.ofc.variants import Variant
from bot.text.catalogue import ALOUD
from bot.text.games import variant_name
from bot.text.house_rules import override_text
from bot.text.rulebook.book import document, games_table, rulebook, rules_pages, sections
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
    files = ("en/rules.toml", "en/variants.toml")
    rules = {key for key, entry in EN.entries.items() if entry.place.startswith(files)}
    assert {key.removesuffix(ALOUD) for key in rules} - listening.asked == set()


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
