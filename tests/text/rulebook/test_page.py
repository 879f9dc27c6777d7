"""Pages fit into the messages of Discord, which draws no tables."""

import pytest

from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import PINEAPPLE
from bot.pure.ofc.royalties import HIGH_CATEGORIES
from bot.pure.ofc.variants import Variant
from bot.text.languages import LANGUAGES
from bot.text.rulebook.book import rulebook, rules_pages
from bot.text.rulebook.general_rules import general_rules
from bot.text.rulebook.overview import OVERVIEW_LIMIT
from bot.text.rulebook.page import PAGE_LIMIT, discord_pages
from bot.text.words import Words, words_for
from tests.text.rulebook.games import EN, GAMES, JA


def general_pages(words: Words) -> list[str]:
    """Return the rules common to all games, as messages."""
    return discord_pages(general_rules(words), words)


def test_a_house_that_changes_everything_still_fits_messages() -> None:
    royalties = {f"royalty.front.{rank * 3}": "30" for rank in "23456789TJQKA"}
    royalties |= {f"royalty.{row}.{c.name.lower()}": "99" for row in ("middle", "back") for c in HIGH_CATEGORIES}
    royalties |= {f"royalty.front.{rank * 2}": "20" for rank in "23456789TJQKA"}
    pages = [page.text for page in rules_pages(house_variant("double_pineapple", royalties), EN)]
    assert all(len(page) <= PAGE_LIMIT and page.startswith("#") for page in pages)
    assert sum(page.count("Royalty: ") for page in pages) == len(royalties)
    assert [page.count("## House rules") for page in pages[:3]] == [0, 1, 1]


@pytest.mark.parametrize("words", [words_for(code) for code in LANGUAGES], ids=LANGUAGES)
@pytest.mark.parametrize("game", GAMES, ids=range(len(GAMES)))
def test_pages_fit_a_message_and_begin_with_a_heading(game: Variant, words: Words) -> None:
    pages = rules_pages(game, words)
    assert all(page.text.startswith("#") for page in pages)
    assert all(len(page.text) <= PAGE_LIMIT for page in pages[1:])
    assert len(pages[0].text) <= OVERVIEW_LIMIT
    assert len({page.title for page in pages}) == len(pages) <= 8


@pytest.mark.parametrize("words", [words_for(code) for code in LANGUAGES], ids=LANGUAGES)
def test_pages_hold_no_table_and_no_section_is_lost(words: Words) -> None:
    text = "\n".join((*(page.text for page in rules_pages(PINEAPPLE, words)), *general_pages(words)))
    assert "|" not in text
    titles = [line.lstrip("# ") for line in rulebook(PINEAPPLE, words).splitlines() if line.startswith("#")]
    assert [title for title in titles if f"# {title}\n" not in text] == []


def test_the_basics_fit_messages_too() -> None:
    assert all(len(page) <= PAGE_LIMIT and page.startswith("## ") for page in general_pages(EN) + general_pages(JA))


def test_a_page_says_the_streets_in_lines() -> None:
    page = rules_pages(PINEAPPLE, EN)[0].text
    assert (
        "- **Street 1**: 5 cards dealt, all placed\n- **Streets 2–5**: 3 cards dealt, 2 placed, 1 discarded\n" in page
    )
