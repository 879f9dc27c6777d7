"""Cards and their notation, and the three rows."""

import pytest

from bot.pure.ofc.cards import (
    ACE,
    BOARD_CARDS,
    EMPTY,
    JOKERS,
    NAMES,
    ROWS,
    Card,
    CardError,
    card_name,
    cards_text,
    full_deck,
    parse_card,
    parse_cards,
    rank_of,
    suit_of,
)


def test_every_card_is_read_as_it_is_written() -> None:
    deck = full_deck(jokers=2)
    assert [parse_card(card_name(card)) for card in deck] == list(deck)
    assert parse_cards(cards_text(deck)) == deck


def test_a_card_is_its_rank_and_suit() -> None:
    assert [(rank_of(card), suit_of(card)) for card in parse_cards("2c3dThAs")] == [(2, 0), (3, 1), (10, 2), (ACE, 3)]


@pytest.mark.parametrize("text", ["Th", "th", "TH", "10h", " 10H "])
def test_a_ten_may_be_written_as_ten(text: str) -> None:
    assert card_name(parse_card(text)) == "Th"


def test_a_run_of_cards_may_have_blanks_and_tens() -> None:
    assert cards_text(parse_cards("10c X1 10h\tas")) == "TcX1ThAs"


def test_nothing_is_no_cards() -> None:
    assert parse_cards(" ") == ()


@pytest.mark.parametrize(
    "text", ["", "A", "1s", "Ax", "Asd", "X3", "♠A", "10", "\N{FULLWIDTH LATIN CAPITAL LETTER A}s"]
)
def test_what_is_no_card_is_named(text: str) -> None:
    with pytest.raises(CardError, match=r"is not a card\. Write rank and suit") as caught:
        parse_card(text)
    assert caught.value.text == text


def test_the_wrong_card_of_a_run_is_named() -> None:
    with pytest.raises(CardError, match=r"'Zz' is not a card"):
        parse_cards("AsZzKd")
    with pytest.raises(CardError, match=r"'K' is not a card"):
        parse_cards("AsK")


def test_the_deck_lies_in_its_canonical_order() -> None:
    assert cards_text(full_deck()).startswith("2c2d2h2s3c")
    assert cards_text(full_deck()).endswith("KsAcAdAhAs")
    assert full_deck(decks=2, jokers=1) == (*map(Card, range(52)), *map(Card, range(52)), JOKERS[0])
    assert len(set(NAMES)) == 54


def test_3_front_takes_three_cards_middle_and_back_five() -> None:
    assert [(row.key, row.value, row.size, row.place) for row in ROWS] == [
        ("front", "F", 3, 0),
        ("middle", "M", 5, 1),
        ("back", "B", 5, 2),
    ]
    assert sum(row.size for row in ROWS) == BOARD_CARDS
    assert EMPTY == ((), (), ())
