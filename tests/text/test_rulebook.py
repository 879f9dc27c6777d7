"""The rule book says what the declaration declares, for games that exist and for some that do not yet."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from bot.ofc.cards import parse_cards
from bot.ofc.house_rules import house_variant
from bot.ofc.naturals import Natural
from bot.ofc.notation import check_cards, parse_board
from bot.ofc.ranks import Category, category_of, is_low, low_strength, row_strength
from bot.ofc.rows import ROWS, Row
from bot.ofc.royalties import HIGH_CATEGORIES, NO_ROYALTIES
from bot.ofc.scoring import score_hand
from bot.ofc.variants import (
    CHINESE,
    CLASSIC,
    DOUBLE_PINEAPPLE,
    JOKER_PINEAPPLE,
    JOKER_ULTIMATE,
    OPEN_THIRTEEN,
    PINEAPPLE,
    PRESETS,
    PROGRESSIVE,
    PROGRESSIVE_16,
    THIRTEEN,
    TRIPS,
    TURBO,
    TWO_SEVEN_PINEAPPLE,
    ULTIMATE,
    Fantasyland,
    TurnOrder,
    Variant,
)
from bot.text.basics import EVERYDAY, EXAMPLES, FRONTS_AND_MIDDLES, HANDS, LEGAL_BOARD, LOWS, Example
from bot.text.catalogue import LANGUAGES, TEXTS, Language
from bot.text.house import override_text
from bot.text.names import card_text, category_name, natural_name, row_name, row_text, variant_name
from bot.text.pages import PAGE_LIMIT
from bot.text.rulebook import (
    DOCS,
    DOCUMENTS,
    READMES,
    basics_pages,
    document,
    games_table,
    royalty_table,
    rulebook,
    rules_pages,
    short_line,
    street_table,
    write_documents,
    write_readmes,
)
from bot.text.sections import sections
from bot.text.words import Words, words_for

EN = words_for("en")
JA = words_for("ja")
TOGETHER = replace(DOUBLE_PINEAPPLE, order=TurnOrder.ALL_TOGETHER, freeze_button=False)
OPEN = replace(PINEAPPLE, jokers=1, min_seats=3, open_discards=True, row_point=2, scoop_bonus=0)
STRANGE_JOKERS = replace(JOKER_PINEAPPLE, joker_may_copy=False, double_ace_flush=True)
EVERY_BONUS = replace(THIRTEEN, scoop_bonus=1, majority_bonus=4, two_rows_bonus=1, total_bonus=1, surrender=2)
assert TWO_SEVEN_PINEAPPLE.fantasyland
WHEEL_STAYS = replace(TWO_SEVEN_PINEAPPLE, fantasyland=replace(TWO_SEVEN_PINEAPPLE.fantasyland, wheel_stays=True))
DEAR_FRONTS = house_variant("two_seven", {"fantasyland.cards": "14,15,16,17"})
FRIDAY = house_variant("pineapple", {"jokers": "1", "row_point": "2", "discards": "open"}, name="*Friday*")
NAMELESS = house_variant("chinese", {"surrender": "3"})
DRAWN = house_variant("classic", {"deal": "turn", "fantasyland.clock": "own"})
FIRST_TOGETHER = house_variant("classic", {"order": "first_together"})
GAMES = (
    *PRESETS.values(),
    TOGETHER,
    OPEN,
    STRANGE_JOKERS,
    EVERY_BONUS,
    WHEEL_STAYS,
    DEAR_FRONTS,
    FRIDAY,
    NAMELESS,
    DRAWN,
    FIRST_TOGETHER,
)


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
    written = write_documents(tmp_path)
    assert {*written} == {*tmp_path.iterdir()} == {tmp_path / name for name in DOCUMENTS.values()}


def test_the_table_of_games_is_written_between_its_marks(tmp_path: Path) -> None:
    for name in READMES.values():
        (tmp_path / name).write_text("above\n<!-- games -->\nold\n<!-- /games -->\nbelow\n", encoding="utf-8")
    assert write_readmes(tmp_path) == [tmp_path / name for name in READMES.values()]
    written = (tmp_path / "README.md").read_text(encoding="utf-8")
    table = games_table(PRESETS.values(), EN)
    assert written == f"above\n<!-- games -->\n{table}\n<!-- /games -->\nbelow\n"
    (tmp_path / "README.md").write_text("no marks", encoding="utf-8")
    with pytest.raises(ValueError, match=r"README\.md: the table of games stands between"):
        write_readmes(tmp_path)


def test_every_game_has_a_name_and_no_other_has() -> None:
    named = {key.split(".")[1] for key in EN.entries if key.startswith("variant.")}
    assert named == PRESETS.keys()


@pytest.mark.parametrize("game", PRESETS.values(), ids=PRESETS)
def test_a_page_is_written_from_properties_and_not_from_the_key(game: Variant) -> None:
    other = next(key for key in PRESETS if key != game.key)
    assert sections(replace(game, key=other), EN) == sections(game, EN)


def test_no_sentence_of_the_rule_book_is_idle() -> None:
    listening = Listening(language="en", entries=EN.entries)
    document(listening)
    for game in GAMES:
        rules_pages(game, listening)
        short_line(game, listening)
    rules = {key for key, entry in EN.entries.items() if entry.place.startswith("en/rules.toml")}
    # The rule book says "9-low" and "7-5-4-3-2"; that a row is a low is said of hands.
    assert rules - listening.asked == {"category.low"}


# Streets and cards


def test_equal_streets_are_folded() -> None:
    assert street_table(PINEAPPLE, EN) == (
        "| Street | Dealt | Laid | Discarded |\n| --- | --- | --- | --- |\n| 1 | 5 | 5 | 0 |\n| 2–5 | 3 | 2 | 1 |"
    )


def test_a_game_without_discards_has_no_column_for_them() -> None:
    assert street_table(TURBO, EN).splitlines()[::2] == ["| Street | Dealt | Laid |", "| 1 | 5 | 5 |"]


@pytest.mark.parametrize(
    ("game", "english", "japanese"),
    [
        (PINEAPPLE, "5 + 4×3, 2–3 seats, Fantasyland 14", "5枚＋3枚×4回、2～3人、ファンタジーランド14枚"),
        (CLASSIC, "5 + 8×1, 2–4 seats, Fantasyland 13", "5枚＋1枚×8回、2～4人、ファンタジーランド13枚"),
        (PROGRESSIVE, "5 + 4×3, 2–3 seats, Fantasyland 14–17", "5枚＋3枚×4回、2～3人、ファンタジーランド14～17枚"),
        (TURBO, "5 + 2×4, 2–4 seats, Fantasyland 13", "5枚＋4枚×2回、2～4人、ファンタジーランド13枚"),
        (CHINESE, "13 at once, 2–4 seats, no Fantasyland", "13枚を一度に、2～4人、ファンタジーランドなし"),
        (
            THIRTEEN,
            "13 at once, 4 seats, naturals, no Fantasyland",
            "13枚を一度に、4人、出来役あり、ファンタジーランドなし",
        ),
        (
            TWO_SEVEN_PINEAPPLE,
            "5 + 4×3, 2–3 seats, 2-7 low in the middle, Fantasyland 14–15",
            "5枚＋3枚×4回、2～3人、中段は2-7ロー、ファンタジーランド14～15枚",
        ),
        (
            JOKER_ULTIMATE,
            "5 + 4×3, 2–3 seats, one deck and 2 jokers, Fantasyland 14–17",
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


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (PINEAPPLE, "in_turn"),
        (OPEN_THIRTEEN, "first_together"),
        (TOGETHER, "all_together"),
        (THIRTEEN, "at_once"),
        (replace(CHINESE, order=TurnOrder.FIRST_TOGETHER), "at_once"),
        (replace(CHINESE, order=TurnOrder.IN_TURN), "at_once"),
    ],
)
def test_the_page_says_who_lays_when(game: Variant, sentence: str) -> None:
    orders = ("in_turn", "first_together", "all_together", "at_once")
    page = rulebook(game, EN)
    said = {key: EN(f"rules.streets.{key}", **({"cards": "13 cards"} if key == "at_once" else {})) for key in orders}
    assert {key for key in orders if said[key] in page} == {sentence}


def test_a_board_that_is_set_in_private_has_no_streets() -> None:
    page = rulebook(CHINESE, EN)
    assert "## Streets" not in page
    assert "- You are dealt 13 cards at once" in section(page, "Setting the board")


@pytest.mark.parametrize(
    ("game", "clock"), [(PINEAPPLE, "clock_discard"), (CLASSIC, "clock"), (THIRTEEN, "clock_board")]
)
def test_the_page_says_what_the_clock_lays(game: Variant, clock: str) -> None:
    page = rulebook(game, EN)
    clocks = ("clock", "clock_discard", "clock_board")
    assert [key for key in clocks if f"{EN(f'rules.streets.{key}')}\n" in page] == [clock]


@pytest.mark.parametrize(("game", "said"), [(PINEAPPLE, "hidden"), (OPEN, "open"), (CLASSIC, None), (THIRTEEN, None)])
def test_the_page_says_who_sees_discards(game: Variant, said: str | None) -> None:
    page = rulebook(game, EN)
    assert [key for key in ("hidden", "open") if EN(f"rules.streets.discards_{key}") in page] == [said] * bool(said)


@pytest.mark.parametrize(
    ("game", "cards"),
    [
        (PINEAPPLE, "**Cards**: one deck, 52 in all."),
        (OPEN, "**Cards**: one deck and one joker, 53 in all."),
        (TOGETHER, "**Cards**: 2 decks, 104 in all."),
    ],
)
def test_the_page_counts_the_cards(game: Variant, cards: str) -> None:
    assert cards in rulebook(game, EN)


@pytest.mark.parametrize(("game", "jokers"), [(PINEAPPLE, 0), (TOGETHER, 0), (OPEN, 1), (JOKER_ULTIMATE, 2)])
def test_a_joker_is_explained_where_there_is_one(game: Variant, jokers: int) -> None:
    assert (EN("rules.players.joker") in rulebook(game, EN)) == bool(jokers)


def test_the_page_says_what_a_joker_may_be() -> None:
    sentences = ("joker_copies", "joker_no_copies", "joker_flush", "joker_double_ace", "five_of_a_kind")
    said = {
        game.key: [key for key in sentences if EN(f"rules.players.{key}") in rulebook(game, EN)]
        for game in (JOKER_PINEAPPLE, replace(STRANGE_JOKERS, key="pineapple"))
    }
    assert said == {
        "joker_pineapple": ["joker_copies", "joker_flush", "five_of_a_kind"],
        "pineapple": ["joker_no_copies", "joker_double_ace"],
    }


# Rows, points and royalties


def test_strict_rows_are_said_to_be_strict() -> None:
    assert "front ≤ middle ≤ back" in rulebook(PINEAPPLE, EN)
    assert "front < middle < back" in rulebook(THIRTEEN, EN)


def test_a_foul_costs_three_rows_and_the_scoop() -> None:
    assert "A foul pays 6 points to every legal board." in rulebook(PINEAPPLE, EN)
    assert "A foul pays 9 points" in rulebook(replace(PINEAPPLE, row_point=2), EN)


def test_a_foul_pays_royalties_only_where_there_are_some() -> None:
    sentence = EN("rules.rows.foul_royalties")
    assert sentence in rulebook(CHINESE, EN)
    assert sentence not in rulebook(THIRTEEN, EN)


def test_a_foul_where_rows_pay_by_their_hands_pays_for_those_hands() -> None:
    rows = section(rulebook(THIRTEEN, EN), "Rows and fouls")
    assert EN("rules.rows.foul_valued") in rows
    assert "A foul pays" not in rows


def test_a_low_in_the_middle_has_an_order_of_its_own() -> None:
    rows = section(rulebook(TWO_SEVEN_PINEAPPLE, EN), "Rows and fouls")
    assert "7-5-4-3-2 is the best" in rows
    assert "a 10-low or better" in rows
    assert "front ≤ back." in rows
    assert "front ≤ middle" not in rows


def test_the_scoop_is_counted_with_the_rows() -> None:
    assert "3 points more, 6 in all" in rulebook(PINEAPPLE, EN)
    assert EN("rules.points.no_scoop") in rulebook(OPEN, EN)


def test_every_bonus_is_said_with_its_points() -> None:
    points = section(rulebook(EVERY_BONUS, EN), "Points")
    for sentence in (
        "wins more rows than the other gets 4 points more",
        "wins two or three rows gets 1 point more",
        "a scoop: 1 point more. ",
        "ahead after all this gets 1 point more",
        "You pay 2 points to every opponent",
    ):
        assert sentence in points
    assert "surrender" not in rulebook(THIRTEEN, EN)


def test_what_a_row_pays_by_its_hand_is_a_table() -> None:
    points = section(rulebook(THIRTEEN, EN), "Points")
    for line in ("| Three of a kind | 3 | 1 | 1 |", "| Full house | – | 2 | 1 |", "| Royal flush | – | – | 5 |"):
        assert line in points
    page = rules_pages(THIRTEEN, EN)[0]
    assert "- **Middle** full house 2 · four of a kind 4 · straight flush 5\n" in page


def test_five_of_a_kind_wins_what_a_royal_flush_wins() -> None:
    assert "| Five of a kind | – | 5 | 5 |" in rulebook(replace(OPEN_THIRTEEN, jokers=2), EN)
    assert "Five of a kind" not in rulebook(OPEN_THIRTEEN, EN)


def test_a_row_value_that_is_the_ordinary_one_is_no_exception() -> None:
    level = replace(CHINESE, row_values={(Row.BACK, Category.FLUSH): 1})
    assert rulebook(level, EN) == rulebook(CHINESE, EN)


def test_naturals_stand_strongest_first_with_their_points() -> None:
    table = section(rulebook(THIRTEEN, EN), "Naturals")
    rows = [line.split(" | ") for line in table.splitlines() if "points |" in line]
    assert [(row[0], row[2]) for row in rows] == [
        ("| Complete straight", "13 points |"),
        ("| Three flushes", "3 points |"),
        ("| Three straights", "3 points |"),
        ("| Six pairs", "3 points |"),
    ]
    assert "## Naturals" not in rulebook(CHINESE, EN)


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
    page = "\n".join(rules_pages(TWO_SEVEN_PINEAPPLE, EN))
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
    assert "| AA or better | 16 cards |" in rulebook(PROGRESSIVE_16, EN)


def test_an_entry_with_gaps_names_each_front() -> None:
    gaps = Fantasyland(entry={12: 14, 14: 14}, stay_cards=14)
    assert "whoever has QQ / AA on the front" in rulebook(replace(PINEAPPLE, fantasyland=gaps), EN)


def test_three_of_a_kind_may_be_all_that_enters() -> None:
    rare = replace(PINEAPPLE, fantasyland=Fantasyland(entry={TRIPS: 17}, stay_cards=14))
    assert "whoever has three of a kind on the front" in rulebook(rare, EN)


def test_a_low_enters_by_itself_and_with_the_front() -> None:
    page = section(rulebook(TWO_SEVEN_PINEAPPLE, EN), "Fantasyland")
    assert [line for line in page.splitlines() if line.endswith("cards |")] == [
        "| KK or better on the front | 14 cards |",
        "| 7-5-4-3-2 in the middle | 14 cards |",
        "| Both together | 15 cards |",
    ]


def test_both_together_are_told_apart_where_fronts_differ() -> None:
    page = section(rulebook(DEAR_FRONTS, EN), "Fantasyland")
    assert "| KK on the front with 7-5-4-3-2 in the middle | 15 cards |" in page
    assert "| Three of a kind on the front with 7-5-4-3-2 in the middle | 17 cards |" in page


def test_a_low_stays_where_it_is_declared_to() -> None:
    assert "7-5-4-3-2 in the middle, or four of a kind" in rulebook(WHEEL_STAYS, EN)
    assert "7-5-4-3-2 in the middle, or four of a kind" not in rulebook(TWO_SEVEN_PINEAPPLE, EN)


def test_staying_is_told_with_its_conditions_and_cards() -> None:
    assert "full house or better in the middle" in section(rulebook(CLASSIC, EN), "Fantasyland")
    assert "in the middle" not in section(rulebook(PINEAPPLE, EN), "Fantasyland")
    assert "Whoever stays is dealt 14 cards." in rulebook(PROGRESSIVE, EN)
    assert "Whoever stays is dealt as many cards as before." in rulebook(ULTIMATE, EN)


def test_the_button_stays_or_moves_as_declared() -> None:
    assert EN("rules.fantasyland.button_stays") in rulebook(PINEAPPLE, EN)
    assert EN("rules.fantasyland.button_moves") in rulebook(TOGETHER, EN)


def test_a_game_without_fantasyland_says_only_that() -> None:
    assert section(rulebook(THIRTEEN, EN), "Fantasyland").strip() == "- There is no Fantasyland in this game."


# House rules


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


def test_a_house_that_changes_everything_still_fits_messages() -> None:
    royalties = {f"royalty.front.{rank * 3}": "30" for rank in "23456789TJQKA"}
    royalties |= {f"royalty.{row}.{c.name.lower()}": "99" for row in ("middle", "back") for c in HIGH_CATEGORIES}
    royalties |= {f"royalty.front.{rank * 2}": "20" for rank in "23456789TJQKA"}
    pages = rules_pages(house_variant("double_pineapple", royalties), EN)
    assert all(len(page) <= PAGE_LIMIT and page.startswith("#") for page in pages)
    assert sum(page.count("Royalty: ") for page in pages) == len(royalties)
    assert [page.count("## House rules") for page in pages[:2]] == [1, 1]


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
    assert list(HANDS) == sorted(HIGH_CATEGORIES, reverse=True)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.key)
def test_an_example_deals_no_card_twice(example: Example) -> None:
    check_cards([parse_board(written, EVERYDAY) for written in (example.first, example.second)], EVERYDAY)


def test_only_the_example_of_a_foul_is_a_foul() -> None:
    fouled = [text for text in examples() if score_hand(EVERYDAY, [parse_board(text, EVERYDAY)]).boards[0].foul]
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


@pytest.mark.parametrize(("why", "cards"), LOWS.items())
def test_lows_are_judged_as_the_text_explains(why: str, cards: str) -> None:
    assert is_low(low_strength(parse_cards(cards))) == (why in ("best", "eight", "worst"))


@pytest.mark.parametrize(
    ("row", "became"),
    [
        ("A♠ 🃏 7♥", "A♠ 7♣ 7♥"),
        ("K♠ K♥ 🃏", "K♠ K♥ A♣"),
        ("A♠ A♥ 🃏", "A♠ A♥ A♣"),
        ("A♠ K♠ 9♠ 5♠ 🃏", "A♠ K♠ 9♠ 5♠ Q♠"),
        ("8♠ 8♥ 8♦ 8♣ 🃏", "8♠ 8♥ 8♦ 8♣ 8♣"),
    ],
)
def test_jokers_become_what_the_text_explains(row: str, became: str) -> None:
    lines = document(EN).replace("\ufe0e", "").splitlines()
    assert next(line for line in lines if line.startswith(f"| {row} |")).split(" | ")[2] == became


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
