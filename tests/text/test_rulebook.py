"""The rule book says what the declaration declares, for games that exist and for some that do not yet."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from bot.ofc.cards import parse_cards
from bot.ofc.notation import check_cards, parse_board
from bot.ofc.ranks import Category, category_of, row_strength
from bot.ofc.rows import ROWS
from bot.ofc.royalties import Royalties
from bot.ofc.scoring import score_board
from bot.ofc.variants import CLASSIC, PINEAPPLE, PRESETS, TRIPS, Fantasyland, Street, TurnOrder, Variant
from bot.text.basics import EVERYDAY, EXAMPLES, FRONTS_AND_MIDDLES, HANDS, LEGAL_BOARD, Example
from bot.text.catalogue import LANGUAGES, TEXTS, Language
from bot.text.names import card_text, category_name, row_name, row_text
from bot.text.pages import PAGE_LIMIT
from bot.text.rulebook import (
    DOCS,
    DOCUMENTS,
    basics_pages,
    document,
    games_table,
    royalty_table,
    rulebook,
    rules_pages,
    short_line,
    street_table,
    write_documents,
)
from bot.text.words import Words, words_for

EN = words_for("en")
JA = words_for("ja")
NO_ROYALTIES = Royalties(back={}, middle={}, front_pairs={}, front_trips={})
PROGRESSIVE = replace(PINEAPPLE, fantasyland=Fantasyland(entry={12: 14, 13: 15, 14: 16, TRIPS: 17}, stay_cards=14))
ULTIMATE = replace(
    PINEAPPLE, jokers=2, fantasyland=Fantasyland(entry={12: 14, 13: 15, 14: 16, TRIPS: 16}, stay_cards=None)
)
TURBO = replace(CLASSIC, streets=(Street(5, 5), Street(4, 4), Street(4, 4)), order=TurnOrder.FIRST_TOGETHER)
DOUBLE = replace(PINEAPPLE, decks=2, max_seats=6, order=TurnOrder.ALL_TOGETHER, freeze_button=False)
OPEN = replace(PINEAPPLE, jokers=1, min_seats=3, open_discards=True, row_point=2, scoop_bonus=0)
THIRTEEN = replace(
    CLASSIC,
    streets=(Street(13, 13),),
    order=TurnOrder.ALL_TOGETHER,
    fantasyland=None,
    strict_rows=True,
    royalties=NO_ROYALTIES,
)
GAMES = (*PRESETS.values(), PROGRESSIVE, ULTIMATE, TURBO, DOUBLE, OPEN, THIRTEEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listening(Words):
    """Words that remember which sentences were asked for."""

    asked: set[str] = field(default_factory=set)

    def __call__(self, key: str, /, **values: str | int) -> str:
        self.asked.add(key)
        return Words.__call__(self, key, **values)


def section(page: str, title: str) -> str:
    """What stands under a heading."""
    return page.split(f"## {title}\n")[1].split("\n## ")[0]


# The committed papers


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_committed_rules_are_the_rendered_ones(language: Language) -> None:
    written = (DOCS / DOCUMENTS[language]).read_text(encoding="utf-8")
    assert written == document(words_for(language)), "run python -m bot.text.rulebook"


def test_the_papers_are_written_in_every_language(tmp_path: Path) -> None:
    write_documents(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == set(DOCUMENTS.values())


def test_every_game_has_a_name_and_no_other_has() -> None:
    named = {key.split(".")[1] for key in EN.entries if key.startswith("variant.")}
    assert named == PRESETS.keys()


def test_no_sentence_of_the_rule_book_is_idle() -> None:
    listening = Listening(language="en", entries=EN.entries)
    document(listening)
    for game in GAMES:
        rules_pages(game, listening)
        short_line(game, listening)
    rules = {key for key, entry in EN.entries.items() if entry.place.startswith("en/rules.toml")}
    assert rules - listening.asked == set()


# Streets and cards


def test_equal_streets_are_folded() -> None:
    assert street_table(PINEAPPLE, EN) == (
        "| Street | Dealt | Laid | Discarded |\n| --- | --- | --- | --- |\n| 1 | 5 | 5 | 0 |\n| 2–5 | 3 | 2 | 1 |"
    )


def test_a_game_without_discards_has_no_column_for_them() -> None:
    assert street_table(THIRTEEN, EN) == "| Street | Dealt | Laid |\n| --- | --- | --- |\n| 1 | 13 | 13 |"


@pytest.mark.parametrize(
    ("game", "english", "japanese"),
    [
        (PINEAPPLE, "5 + 4×3, 2–3 seats, Fantasyland 14", "5枚＋3枚×4回、2～3人、ファンタジーランド14枚"),
        (CLASSIC, "5 + 8×1, 2–4 seats, Fantasyland 13", "5枚＋1枚×8回、2～4人、ファンタジーランド13枚"),
        (PROGRESSIVE, "5 + 4×3, 2–3 seats, Fantasyland 14–17", "5枚＋3枚×4回、2～3人、ファンタジーランド14～17枚"),
        (TURBO, "5 + 2×4, 2–4 seats, Fantasyland 13", "5枚＋4枚×2回、2～4人、ファンタジーランド13枚"),
        (THIRTEEN, "13, 2–4 seats, no Fantasyland", "13枚、2～4人、ファンタジーランドなし"),
        (
            ULTIMATE,
            "5 + 4×3, 2–3 seats, one deck and 2 jokers, Fantasyland 14–16",
            "5枚＋3枚×4回、2～3人、トランプ1組、ジョーカー2枚、ファンタジーランド14～16枚",
        ),
    ],
)
def test_a_game_fits_one_line(game: Variant, english: str, japanese: str) -> None:
    assert short_line(game, EN) == english
    assert short_line(game, JA) == japanese


def test_the_games_stand_side_by_side() -> None:
    table = games_table((PINEAPPLE, THIRTEEN), EN).splitlines()
    assert table[2:] == ["| Pineapple OFC | 2–3 | 52 | 5 + 4×3 | 14 |", "| Classic OFC | 2–4 | 52 | 13 | – |"]


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (PINEAPPLE, "in_turn"),
        (TURBO, "first_together"),
        (DOUBLE, "all_together"),
        (THIRTEEN, "at_once"),
        (replace(THIRTEEN, order=TurnOrder.FIRST_TOGETHER), "at_once"),
        (replace(THIRTEEN, order=TurnOrder.IN_TURN), "in_turn"),
    ],
)
def test_the_page_says_who_lays_when(game: Variant, sentence: str) -> None:
    orders = ("in_turn", "first_together", "all_together", "at_once")
    page = rulebook(game, EN)
    assert {key for key in orders if EN(f"rules.streets.{key}") in page} == {sentence}


@pytest.mark.parametrize(("game", "said"), [(PINEAPPLE, "hidden"), (OPEN, "open"), (CLASSIC, None), (THIRTEEN, None)])
def test_the_page_says_who_sees_discards(game: Variant, said: str | None) -> None:
    page = rulebook(game, EN)
    assert [key for key in ("hidden", "open") if EN(f"rules.streets.discards_{key}") in page] == [said] * bool(said)


@pytest.mark.parametrize(
    ("game", "cards"),
    [
        (PINEAPPLE, "**Cards**: one deck, 52 in all."),
        (OPEN, "**Cards**: one deck and one joker, 53 in all."),
        (DOUBLE, "**Cards**: 2 decks, 104 in all."),
    ],
)
def test_the_page_counts_the_cards(game: Variant, cards: str) -> None:
    assert cards in rulebook(game, EN)


@pytest.mark.parametrize(("game", "jokers"), [(PINEAPPLE, 0), (DOUBLE, 0), (OPEN, 1), (ULTIMATE, 2)])
def test_a_joker_is_explained_where_there_is_one(game: Variant, jokers: int) -> None:
    assert (EN("rules.players.joker") in rulebook(game, EN)) == bool(jokers)


# Rows, points and royalties


def test_strict_rows_are_said_to_be_strict() -> None:
    assert "front ≤ middle ≤ back" in rulebook(PINEAPPLE, EN)
    assert "front < middle < back" in rulebook(THIRTEEN, EN)


def test_a_foul_costs_three_rows_and_the_scoop() -> None:
    assert "It pays 6 points to every legal board" in rulebook(PINEAPPLE, EN)
    assert "It pays 9 points" in rulebook(replace(PINEAPPLE, row_point=2), EN)


def test_the_scoop_is_counted_with_the_rows() -> None:
    assert "3 points more, 6 in all" in rulebook(PINEAPPLE, EN)
    assert EN("rules.points.no_scoop") in rulebook(OPEN, EN)


def test_five_of_a_kind_is_paid_only_where_it_can_be_made() -> None:
    assert "Five of a kind" not in royalty_table(PINEAPPLE, EN)
    assert "| Five of a kind | 100 | 50 |" in royalty_table(OPEN, EN)
    assert "| Five of a kind | 100 | 50 |" in royalty_table(DOUBLE, EN)


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
    assert section(rulebook(THIRTEEN, EN), "Royalties").strip() == "- There are no royalties in this game."


def test_royalties_on_one_row_alone_have_one_table() -> None:
    front_only = replace(PINEAPPLE, royalties=replace(NO_ROYALTIES, front_trips={14: 22}))
    assert royalty_table(front_only, EN).splitlines()[2:] == ["| A | – | 22 |"]


# Fantasyland


def test_one_number_of_cards_is_one_sentence() -> None:
    assert "whoever has QQ or better on the front" in rulebook(PINEAPPLE, EN)
    assert "上段でQQ以上を作ると" in rulebook(PINEAPPLE, JA)


def test_several_numbers_of_cards_are_a_table() -> None:
    page = section(rulebook(PROGRESSIVE, EN), "Fantasyland")
    for line in ("| QQ | 14 cards |", "| KK | 15 cards |", "| AA | 16 cards |", "| Three of a kind | 17 cards |"):
        assert line in page


def test_equal_numbers_at_the_top_are_said_together() -> None:
    assert "| AA or better | 16 cards |" in rulebook(ULTIMATE, EN)


def test_an_entry_with_gaps_names_each_front() -> None:
    gaps = Fantasyland(entry={12: 14, 14: 14}, stay_cards=14)
    assert "whoever has QQ / AA on the front" in rulebook(replace(PINEAPPLE, fantasyland=gaps), EN)


def test_staying_is_told_with_its_conditions_and_cards() -> None:
    assert "full house or better in the middle" in section(rulebook(CLASSIC, EN), "Fantasyland")
    assert "in the middle" not in section(rulebook(PINEAPPLE, EN), "Fantasyland")
    assert "Whoever stays is dealt 14 cards." in rulebook(PROGRESSIVE, EN)
    assert "Whoever stays is dealt as many cards as before." in rulebook(ULTIMATE, EN)


def test_the_button_stays_or_moves_as_declared() -> None:
    assert EN("rules.fantasyland.button_stays") in rulebook(PINEAPPLE, EN)
    assert EN("rules.fantasyland.button_moves") in rulebook(DOUBLE, EN)


def test_a_game_without_fantasyland_says_only_that() -> None:
    assert section(rulebook(THIRTEEN, EN), "Fantasyland").strip() == "- There is no Fantasyland in this game."


# Pages for Discord


@pytest.mark.parametrize("words", [EN, JA], ids=LANGUAGES)
@pytest.mark.parametrize("game", GAMES, ids=range(len(GAMES)))
def test_pages_fit_a_message_and_begin_with_a_heading(game: Variant, words: Words) -> None:
    pages = rules_pages(game, words)
    assert all(len(page) <= PAGE_LIMIT and page.startswith("#") for page in pages)


@pytest.mark.parametrize("words", [EN, JA], ids=LANGUAGES)
def test_pages_hold_no_table_and_no_section_is_lost(words: Words) -> None:
    text = "\n".join((*rules_pages(PINEAPPLE, words), *basics_pages(words)))
    assert "|" not in text
    titles = [line.lstrip("# ") for line in rulebook(PINEAPPLE, words).splitlines() if line.startswith("#")]
    assert [title for title in titles if f"# {title}\n" not in text] == []


def test_the_basics_fit_messages_too() -> None:
    assert all(len(page) <= PAGE_LIMIT and page.startswith("## ") for page in basics_pages(EN) + basics_pages(JA))


def test_a_page_says_the_streets_in_lines() -> None:
    page = rules_pages(PINEAPPLE, EN)[0]
    assert "- **Street 1**: 5 cards dealt and laid\n- **Streets 2–5**: 3 cards dealt, 2 laid, 1 discarded\n" in page


def test_the_heading_stands_at_the_level_that_is_asked_for() -> None:
    assert rulebook(PINEAPPLE, EN).startswith("# Pineapple OFC\n")
    assert rulebook(PINEAPPLE, EN, level=2).startswith("## Pineapple OFC\n")
    assert "\n### Streets\n" in rulebook(PINEAPPLE, EN, level=2)


# What the general part says by example


def examples() -> Iterator[str]:
    yield LEGAL_BOARD
    for example in EXAMPLES:
        yield from (example.first, example.second)


def test_each_hand_of_the_ranking_is_what_it_is_called() -> None:
    assert {category_of(row_strength(parse_cards(hand))): hand for hand in HANDS.values()} == HANDS
    assert list(HANDS) == sorted(Category, reverse=True)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.key)
def test_an_example_deals_no_card_twice(example: Example) -> None:
    check_cards([parse_board(written, EVERYDAY) for written in (example.first, example.second)], EVERYDAY)


def test_only_the_example_of_a_foul_is_a_foul() -> None:
    fouled = [written for written in examples() if score_board(EVERYDAY, parse_board(written, EVERYDAY)).foul]
    assert fouled == [next(example.second for example in EXAMPLES if example.key == "foul")]


@pytest.mark.parametrize(
    ("why", "result"),
    [
        ("kicker_loses", "foul"),
        ("kicker_wins", "legal"),
        ("same_ranks", "legal"),
        ("trips", "foul"),
        ("straight", "legal"),
        ("high_card", "legal"),
    ],
)
def test_fronts_are_judged_as_the_text_explains(why: str, result: str) -> None:
    front, middle = (row_text(parse_cards(cards)) for cards in FRONTS_AND_MIDDLES[why])
    assert f"| {front} | {middle} | {result} | {EN(f'rules.basics.order.why.{why}')} |" in document(EN)


def test_the_examples_come_to_what_they_say() -> None:
    totals = [line for line in document(EN).splitlines() if line.startswith("| Total |")]
    assert [line.split("**")[1] for line in totals] == ["+1", "+17", "+2", "+16", "−13"]


# Names


def test_a_ten_is_written_in_figures_and_a_joker_as_its_picture() -> None:
    assert row_text(parse_cards("TdAsX1")) == "10♦\ufe0e A♠\ufe0e 🃏"
    assert [card_text(card) for card in parse_cards("2c3h")] == ["2♣\ufe0e", "3♥\ufe0e"]


@pytest.mark.parametrize("words", [EN, JA], ids=LANGUAGES)
def test_the_glossary_has_the_names_of_rows_and_hands(words: Words) -> None:
    column = {"en": 1, "ja": 2}[words.language]
    lines = (TEXTS.parents[1] / "docs/glossary.md").read_text(encoding="utf-8").splitlines()
    listed = {line.split(" | ")[column - 1].strip("| ") for line in lines if line.startswith("|")}
    names = {row_name(row, words) for row in ROWS} | {category_name(category, words) for category in Category}
    assert names - listed == set()
