"""The page's players, cards, deals and turn order."""

from dataclasses import replace

import pytest

from bot.pure.ofc.presets import (
    CHINESE,
    CLASSIC,
    JOKER_PINEAPPLE,
    JOKER_ULTIMATE,
    OPEN_THIRTEEN,
    PINEAPPLE,
    THIRTEEN,
    TURBO,
)
from bot.pure.ofc.variants import TurnOrder, Variant
from bot.text.rulebook.book import rulebook
from bot.text.rulebook.deal import streets_grid
from bot.text.rulebook.page import markdown_grid
from tests.text.rulebook.games import EN, OPEN, STRANGE_JOKERS, TOGETHER, section


def test_equal_streets_are_folded() -> None:
    assert markdown_grid(streets_grid(PINEAPPLE, EN)) == (
        "| Street | Dealt | Placed | Discarded |\n| --- | --- | --- | --- |\n| 1 | 5 | 5 | 0 |\n| 2–5 | 3 | 2 | 1 |"
    )


def test_a_game_without_discards_has_no_column_for_them() -> None:
    assert markdown_grid(streets_grid(TURBO, EN)).splitlines()[::2] == ["| Street | Dealt | Placed |", "| 1 | 5 | 5 |"]


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
def test_the_page_says_who_places_when(game: Variant, sentence: str) -> None:
    orders = ("in_turn", "first_together", "all_together", "at_once")
    page = rulebook(game, EN)
    said = {key: EN(f"rules.streets.{key}", **({"cards": "13 cards"} if key == "at_once" else {})) for key in orders}
    assert {key for key in orders if said[key] in page} == {sentence}


def test_a_board_that_is_set_in_private_has_no_streets() -> None:
    page = rulebook(CHINESE, EN)
    assert "## Streets" not in page
    assert "- You get 13 cards at once" in section(page, "Setting the board")


@pytest.mark.parametrize(
    ("game", "clock"), [(PINEAPPLE, "clock_discard"), (CLASSIC, "clock"), (THIRTEEN, "clock_board")]
)
def test_the_page_says_what_the_clock_places(game: Variant, clock: str) -> None:
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
