"""Games close to the everyday game are described by their differences, which the declarations determine."""

import pytest

from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import (
    CHINESE,
    CLASSIC,
    DOUBLE_PINEAPPLE,
    JOKER_PINEAPPLE,
    OPEN_THIRTEEN,
    PINEAPPLE,
    PRESETS,
    PROGRESSIVE,
    THIRTEEN,
    TURBO_PINEAPPLE,
    TWO_SEVEN_PINEAPPLE,
    ULTIMATE,
)
from bot.pure.ofc.variants import Variant
from bot.text.languages import LANGUAGES
from bot.text.rulebook.book import document, rules_pages
from bot.text.rulebook.differences import differences
from bot.text.words import Words, words_for
from tests.text.rulebook.games import EN, JA


@pytest.mark.parametrize(
    ("game", "told"),
    [
        (PROGRESSIVE, ["**ファンタジーランドの枚数**：QQ 14、KK 15、AA 16、スリーカード 17"]),
        (
            ULTIMATE,
            [
                "**ファンタジーランドの枚数**：QQ 14、KK 15、AA 16、スリーカード 17",
                "**ファンタジーランド継続時の枚数**：前と同じ枚数",
            ],
        ),
        (TURBO_PINEAPPLE, ["**配り方**：5枚＋6枚×2回"]),
        (JOKER_PINEAPPLE, ["**カード**：トランプ1組、ジョーカー2枚（計54枚）"]),
        (
            CLASSIC,
            [
                "**人数**：2～4人",
                "**配り方**：5枚＋1枚×8回",
                "**ファンタジーランドの枚数**：13枚",
                "**ファンタジーランドを継続できる中段の役**：フルハウス以上",
            ],
        ),
        (
            DOUBLE_PINEAPPLE,
            [
                "**人数**：2～6人",
                "**カード**：トランプ2組（計104枚）",
                "**中段のファイブカードのロイヤリティ**：50点",
                "**下段のファイブカードのロイヤリティ**：25点",
            ],
        ),
        (
            TWO_SEVEN_PINEAPPLE,
            [
                "**中段**：2-7ロー（低いほうが勝つ）",
                "**ファンタジーランドの突入条件**：KK以上",
                "**中段の7-5-4-3-2**：ファンタジーランドに突入（14枚）。上段の条件も満たせば15枚",
                "**ロイヤリティ**：表が変わります",
            ],
        ),
    ],
    ids=lambda value: value.key if isinstance(value, Variant) else "",
)
def test_what_is_unlike_the_everyday_game_is_worked_out(game: Variant, told: list[str]) -> None:
    assert differences(game, JA) == told


def test_a_game_without_fantasyland_says_that_and_no_more_of_it() -> None:
    game = house_variant("pineapple", {"fantasyland": "off"})
    bare = Variant(key="classic", max_seats=3, streets=PINEAPPLE.streets)
    assert differences(bare, EN) == ["**Fantasyland**: off"]
    assert differences(game, EN) == []


@pytest.mark.parametrize("game", [PINEAPPLE, CHINESE, THIRTEEN, OPEN_THIRTEEN], ids=lambda game: game.key)
def test_the_everyday_game_and_far_ones_are_told_by_themselves(game: Variant) -> None:
    assert differences(game, EN) == []
    heading = EN("rules.like.heading", game="Pineapple OFC")
    assert heading not in rules_pages(game, EN)[0].text


@pytest.mark.parametrize("words", [*map(words_for, LANGUAGES)], ids=LANGUAGES)
def test_the_rule_book_repeats_nothing_of_the_everyday_game(words: Words) -> None:
    book = document(words)
    scoop = words("rules.points.sum")
    near = [game for game in PRESETS.values() if differences(game, words)]
    rest = words("rules.like.rest", game=words("variant.pineapple.name"))
    assert book.count(rest) == len(near) > 0
    assert book.count(scoop) == len(PRESETS) - len(near)


def test_jokers_and_lows_stand_behind_the_games() -> None:
    book = document(JA)
    assert book.index("## オープン十三張\n") < book.index("## ジョーカー\n") < book.index("## 2-7ロー\n")
