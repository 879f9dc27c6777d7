"""The page lists the royalties that the declaration pays, and no others."""

from dataclasses import replace

from bot.pure.ofc.presets import JOKER_PINEAPPLE, PINEAPPLE, THIRTEEN, TWO_SEVEN_PINEAPPLE
from bot.pure.ofc.ranks import Category
from bot.pure.ofc.royalties import NO_ROYALTIES
from bot.pure.ofc.variants import Variant
from bot.text.rulebook.book import rulebook, rules_pages
from bot.text.rulebook.page import markdown_grid
from bot.text.rulebook.royalties import royalty_grids
from bot.text.words import Words
from tests.text.rulebook.games import EN, OPEN, STRANGE_JOKERS, TOGETHER, section


def royalty_table(variant: Variant, words: Words) -> str:
    """All that the rows pay, as Markdown; empty without royalties."""
    return "\n\n".join(map(markdown_grid, royalty_grids(variant, words)))


def test_five_of_a_kind_is_paid_only_where_it_can_be_made() -> None:
    assert "Five of a kind" not in royalty_table(PINEAPPLE, EN)
    assert "| Five of a kind | 100 | 50 |" in royalty_table(JOKER_PINEAPPLE, EN)
    # The only joker cannot help in the middle and on the back.
    assert "| Five of a kind | – | 50 |" in royalty_table(OPEN, EN)
    assert "| Five of a kind | 50 | 25 |" in royalty_table(TOGETHER, EN)
    assert "Five of a kind" not in royalty_table(STRANGE_JOKERS, EN)


def test_lows_are_paid_in_place_of_the_middle() -> None:
    table = royalty_table(TWO_SEVEN_PINEAPPLE, EN)
    assert "| Poker hand | Back |" in table
    for line in ("| 9-low | 1 |", "| 8-low | 2 |", "| 7-low | 4 |", "| 7-5-4-3-2 | 8 |"):
        assert line in table
    page = "\n".join(page.text for page in rules_pages(TWO_SEVEN_PINEAPPLE, EN))
    assert "- **Middle** 9-low +1 · 8-low +2 · 7-low +4 · 7-5-4-3-2 +8\n" in page


def test_a_low_that_pays_nothing_is_not_listed() -> None:
    bare = replace(TWO_SEVEN_PINEAPPLE, royalties=replace(TWO_SEVEN_PINEAPPLE.royalties, lows={}, wheel_low=0))
    assert "-low" not in royalty_table(bare, EN)


def test_the_royalties_are_those_of_the_declaration() -> None:
    table = royalty_table(PINEAPPLE, EN)
    for line in ("| Three of a kind | 2 | – |", "| Full house | 12 | 6 |", "| 5 | – | 13 |", "| A | 9 | 22 |"):
        assert line in table


def test_a_house_rule_changes_the_table() -> None:
    dear = replace(PINEAPPLE.royalties, back={Category.ROYAL_FLUSH: 50}, front_pairs={})
    table = royalty_table(replace(PINEAPPLE, royalties=dear), EN)
    assert "| Royal flush | 50 | 50 |" in table
    assert "| Straight | 4 | – |" in table
    assert "| A | – | 22 |" in table


def test_a_game_without_royalties_says_so_and_has_no_table() -> None:
    assert royalty_table(THIRTEEN, EN) == ""
    assert section(rulebook(THIRTEEN, EN), "Royalties").strip() == "- This game has no royalties."


def test_royalties_on_one_row_alone_have_one_table() -> None:
    front_only = replace(PINEAPPLE, royalties=replace(NO_ROYALTIES, front_trips={14: 22}))
    assert royalty_table(front_only, EN).splitlines()[2:] == ["| A | – | 22 |"]
