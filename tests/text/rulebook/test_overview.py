"""The rules open with one screen: a board, how a hand goes, what royalties pay, Fantasyland."""

from unicodedata import east_asian_width

import pytest

from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import CHINESE, JOKER_PINEAPPLE, PINEAPPLE, PRESETS, THIRTEEN, TWO_SEVEN_PINEAPPLE
from bot.pure.ofc.variants import Variant
from bot.text.languages import LANGUAGES
from bot.text.rulebook.book import rules_pages
from bot.text.rulebook.differences import differences
from bot.text.rulebook.overview import FENCE, OVERVIEW_LIMIT, around_board
from bot.text.rulebook.royalties import pays_royalties
from bot.text.words import Words, words_for
from tests.text.rulebook.games import EN, JA

PHONE_PIXELS = 247
"""For a line of code in a message, on a screen that is 390 pixels wide."""


def first_page(game: Variant, words: Words) -> str:
    return rules_pages(game, words)[0].text.replace("\ufe0e", "")


def titles(game: Variant, words: Words) -> list[str]:
    return [page.title for page in rules_pages(game, words)]


def test_the_pages_behind_it_are_called_by_name() -> None:
    assert titles(PINEAPPLE, JA) == [
        "要点",
        "配り方",
        "点数とファウル",
        "ロイヤリティ",
        "ファンタジーランド",
        "役の強さ",
    ]
    assert titles(THIRTEEN, EN) == ["At a glance", "The deal", "Points and fouls", "Poker hands"]
    assert "House rules" in titles(house_variant("pineapple", {"jokers": "1"}), EN)


def test_what_a_house_changed_stands_first_unless_it_is_too_much() -> None:
    few, many = (
        house_variant("pineapple", {f"royalty.front.{rank * size}": "30" for rank in ranks for size in (2, 3)})
        for ranks in ("AK", "AKQJT98765432")
    )
    heading = EN("rules.heading.house")
    assert first_page(few, EN).index(f"## {heading}\n") < first_page(few, EN).index("front")
    assert f"## {heading}\n" not in first_page(many, EN)
    assert [titles(game, EN)[1] for game in (few, many)] == [heading] * 2


def test_a_board_is_shown_with_its_rows_and_hands() -> None:
    assert "上段 · ワンペア\n      K♥ K♦ 4♣\n中段 · スリーカード\n8♠ 8♥ 8♦ 5♣ Q♣\n" in first_page(PINEAPPLE, JA)
    assert "Middle · low\n8♣ 6♣ 5♠ 3♥ 2♥\n" in first_page(TWO_SEVEN_PINEAPPLE, EN)


def test_what_stands_around_the_board_is_the_page_without_it() -> None:
    page = rules_pages(PINEAPPLE, EN)[0].text
    above, below = around_board(page)
    assert above.endswith(f"## {EN('rules.basics.board.heading')}")
    assert below.startswith("- ")
    assert "K♥" not in above + below
    assert page.startswith(above)
    assert page.endswith(below)


def test_the_other_names_of_rows_and_fouls_are_told_once() -> None:
    page = first_page(PINEAPPLE, JA)
    assert [page.count(word) for word in ("（フロント", "（ミドル）", "（バック", "（バースト）")] == [1] * 4


def test_royalties_stand_in_columns_and_those_of_the_front_above() -> None:
    lines = first_page(PINEAPPLE, EN).splitlines()
    assert "- **Front** Pair (66 or better) 1–9 · Three of a kind 10–22" in lines
    assert " M  B" in lines
    assert " 2  – Three of a kind" in lines
    assert "50 25 Royal flush" in lines


def test_lows_are_paid_in_the_column_of_the_middle() -> None:
    lines = first_page(TWO_SEVEN_PINEAPPLE, EN).splitlines()
    assert "8  – 7-5-4-3-2" in lines
    assert "–  2 Straight" in lines


@pytest.mark.parametrize("words", [*map(words_for, LANGUAGES)], ids=LANGUAGES)
@pytest.mark.parametrize("game", PRESETS.values(), ids=PRESETS)
def test_no_line_of_the_board_and_the_royalties_is_cut_on_a_phone(game: Variant, words: Words) -> None:
    _, board, _, *others = first_page(game, words).split(FENCE)
    royalties = others[0] if others else ""
    assert bool(royalties) == pays_royalties(game)
    assert max(map(pixels, [*board.splitlines(), *royalties.splitlines()])) <= PHONE_PIXELS


def pixels(line: str) -> float:
    """Return the width of a line of code at 16 pixels, with the square Japanese characters of a phone."""
    return sum(16 if east_asian_width(letter) in "WF" else 9.6 for letter in line)


def test_a_front_that_pays_nothing_has_no_prices() -> None:
    free = {f"royalty.front.{rank * size}": "0" for rank in "23456789TJQKA" for size in (2, 3)}
    free = {key: points for key, points in free.items() if key not in {f"royalty.front.{rank * 2}" for rank in "2345"}}
    lines = first_page(house_variant("pineapple", free), EN).splitlines()
    assert " 2  – Three of a kind" in lines
    assert not any("**Front**" in line for line in lines)


@pytest.mark.parametrize("words", [*map(words_for, LANGUAGES)], ids=LANGUAGES)
def test_a_game_without_them_says_so_in_a_line(words: Words) -> None:
    page = first_page(THIRTEEN, words)
    assert page.count(words("rules.royalties.none")) == page.count(words("rules.fantasyland.none")) == 1
    assert words("rules.fantasyland.none") in first_page(CHINESE, words)
    assert words("rules.royalties.none") not in first_page(PINEAPPLE, words)


@pytest.mark.parametrize("words", [*map(words_for, LANGUAGES)], ids=LANGUAGES)
@pytest.mark.parametrize("game", PRESETS.values(), ids=PRESETS)
def test_everything_fits_one_message(game: Variant, words: Words) -> None:
    page = rules_pages(game, words)[0].text
    assert len(page) <= OVERVIEW_LIMIT
    assert [line for line in differences(game, words) if f"- {line}" not in page] == []
    assert (f"## {words('rules.heading.fantasyland')}\n" in page) == (game.fantasyland is not None)


def test_jokers_and_lows_are_explained_where_they_are_played() -> None:
    heading = EN("rules.basics.jokers.heading")
    hands = {game.key: rules_pages(game, EN)[-1].text for game in (PINEAPPLE, JOKER_PINEAPPLE)}
    assert [heading in text for text in hands.values()] == [False, True]
