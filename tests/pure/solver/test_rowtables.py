"""Boards in tables come to what the rules say."""

from itertools import product
from random import Random

import numpy as np
import pytest

from bot.pure.ofc.cards import ROWS, Card, RowCards, full_deck, parse_cards
from bot.pure.ofc.presets import (
    CLASSIC,
    DOUBLE_CLASSIC,
    JOKER_PINEAPPLE,
    JOKER_ULTIMATE,
    OPEN_THIRTEEN,
    PINEAPPLE,
    TWO_SEVEN_PINEAPPLE,
)
from bot.pure.ofc.scoring import Board
from bot.pure.ofc.variants import Variant
from bot.pure.solver.boards import children, counts_of, mixed, patterns, single_board
from bot.pure.solver.network import Deals, Features
from bot.pure.solver.outcomes import ENTERS, FOUL, ROW_POINTS, ROYALTIES, Scorer, nobody
from bot.pure.solver.row_tables import JOKER_RANK, Ints, StrengthsByCode, kinds, row_values
from tests.pure.ofc.games import VARIANTS, score_board

GAMES = (PINEAPPLE, CLASSIC, JOKER_PINEAPPLE, JOKER_ULTIMATE, TWO_SEVEN_PINEAPPLE, DOUBLE_CLASSIC, OPEN_THIRTEEN)


def some_rows(variant: Variant, chance: Random) -> RowCards:
    """Thirteen cards in rows; half of the boards are sorted, so that not all of them foul."""
    deck = list(full_deck(decks=variant.decks, jokers=variant.jokers))
    chance.shuffle(deck)
    cards = deck[:13]
    if chance.random() < 0.5:
        cards.sort(key=lambda card: (cards.count(card), card // 4))
    return tuple(cards[:3]), tuple(cards[3:8]), tuple(cards[8:])


@pytest.mark.parametrize("variant", GAMES, ids=lambda variant: variant.key)
def test_full_boards_come_to_what_they_score(variant: Variant) -> None:
    chance = Random(5)
    rows = [some_rows(variant, chance) for _ in range(400)]
    found = Scorer(variant).outcomes(mixed([*map(single_board, rows)]), nobody(1), np.zeros(len(rows), dtype=np.intp))
    scores = [score_board(variant, Board(rows=row)) for row in rows]
    assert {score.foul for score in scores} == {True, False}
    assert found[:, FOUL].tolist() == [score.foul for score in scores]
    assert found[:, ROYALTIES].tolist() == [score.royalties for score in scores]
    assert found[:, ENTERS:].sum(axis=1).tolist() == [score.next_fantasyland > 0 for score in scores]
    if not variant.row_values:
        assert found[:, ROW_POINTS].tolist() == [-variant.foul_points if score.foul else 0 for score in scores]


def test_a_table_that_several_games_share_is_that_of_each() -> None:
    chance, table = Random(6), kinds()
    for variant, row in product(VARIANTS, ROWS):
        values, own = row_values(variant, row), StrengthsByCode(variant, row)
        full = [kind for kind, ranks in enumerate(table.ranks) if len(ranks) == row.size]
        joked = [kind for kind in full if 0 < table.ranks[kind].count(JOKER_RANK) <= variant.jokers]
        plain = [kind for kind in full if JOKER_RANK not in table.ranks[kind]]
        low = [kind for kind in plain if len({*table.ranks[kind]}) == row.size and max(table.ranks[kind]) < 9]
        for kind in chance.sample(plain, 20) + chance.sample(low, 20) + chance.sample(joked, min(len(joked), 40)):
            code = 2 * kind + chance.randrange(2)
            assert values.strongest[code] == own[code][0]
            assert (values.keys[values.keys >> 24 == code] & 0xFFFFFF).tolist() == sorted(own[code])


def test_every_placement_of_a_street_is_one_child() -> None:
    cards: Ints = np.array([[0, 5, 10]], dtype=np.int32)
    found = children(single_board(((), (), ())), cards, to_place=2)
    ways = patterns(3, 2)
    assert sorted(ways.letters(int(pattern)) for pattern in found.pattern) == sorted(
        letters for letters in map("".join, product("FMBD", repeat=3)) if letters.count("D") == 1
    )


def test_a_full_row_takes_no_card() -> None:
    rows: RowCards = ((Card(0), Card(1), Card(2)), (), ())
    found = children(single_board(rows), np.array([[4, 8, 12]], dtype=np.int32), to_place=2)
    ways = patterns(3, 2)
    assert not any("F" in ways.letters(int(pattern)) for pattern in found.pattern)
    assert len(found.pattern) == 12


def test_a_child_is_the_board_with_the_cards_added() -> None:
    rows: RowCards = ((Card(0),), (Card(9), Card(14)), (Card(20),))
    held = (Card(3), Card(52), Card(30))
    found = children(single_board(rows), np.array([held], dtype=np.int32), to_place=2)
    place = next(n for n, way in enumerate(found.pattern) if patterns(3, 2).letters(int(way)) == "BMD")
    wanted = single_board(((Card(0),), (Card(9), Card(14), Card(52)), (Card(20), Card(3))))
    assert found.boards.kinds[place].tolist() == wanted.kinds[0].tolist()
    assert found.boards.suits[place].tolist() == wanted.suits[0].tolist()


def test_a_network_is_told_which_rows_stand_in_order() -> None:
    """Front against middle comes first: above it, equal, and by how much."""
    features = Features(Scorer(PINEAPPLE))
    boards = [rows_of(text) for text in ("8c8d/9c9d/AcAd", "8c8d/8h8s/AcAd", "8c8d/7c7d/AcAd")]
    left = features.left(Deals(counts_of(full_deck())[None], nobody(1)))
    facts = features.around(mixed([*map(single_board, boards)]), left, np.zeros(len(boards), dtype=np.intp))
    assert facts[:, :2].tolist() == [[1, 0], [0, 1], [0, 0]]
    assert facts[0, 2] == -facts[2, 2] > 0 == facts[1, 2]


def rows_of(text: str) -> RowCards:
    front, middle, back = map(parse_cards, text.split("/"))
    return front, middle, back
