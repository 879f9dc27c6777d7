"""Examples in the general part, which match the rules."""

from collections.abc import Iterator

import pytest

from bot.pure.ofc.cards import parse_cards
from bot.pure.ofc.notation import check_cards, parse_board
from bot.pure.ofc.ranks import Category, category_of, is_low, low_strength, row_strength
from bot.pure.ofc.royalties import HIGH_CATEGORIES
from bot.pure.ofc.scoring import score_hand
from bot.text.cards import row_text
from bot.text.rulebook.book import document
from bot.text.rulebook.differences import EVERYDAY
from bot.text.rulebook.general_rules import EXAMPLES, FRONTS_AND_MIDDLES, HANDS, LEGAL_BOARD, LOWS, Example
from tests.text.rulebook.games import EN


def examples() -> Iterator[str]:
    yield LEGAL_BOARD
    for example in EXAMPLES:
        yield from (example.first, example.second)


def test_each_hand_of_the_ranking_is_what_it_is_called() -> None:
    assert {category_of(row_strength(parse_cards(hand))): hand for hand in HANDS.values()} == HANDS
    assert list(HANDS) == sorted({*HIGH_CATEGORIES} - {Category.FIVE_OF_A_KIND}, reverse=True)


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
