"""Every card, hand and figure of the page that explains Pineapple is what the rules make of it, in both languages."""

from __future__ import annotations

import re
from itertools import chain

import pytest

from bot.base.installation import HOME
from bot.pure.ofc.cards import ACE, RANKS, ROWS, Card, Row, cards_text, full_deck, parse_cards, rank_of
from bot.pure.ofc.notation import check_cards, parse_board
from bot.pure.ofc.presets import PINEAPPLE
from bot.pure.ofc.ranks import Category
from bot.pure.ofc.scoring import Board, HandScore, score_hand
from bot.text.cards import category_name
from bot.text.languages import LANGUAGES
from bot.text.words import capital, words_for

BOARD, STREETS, RESULT, PAIRS, ROYALTIES, FRONT = range(6)
"""The tables of the page."""
CARD = re.compile(r"(10|[2-9JQKA])([♣♦♥♠])")
SUITS = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}
ROYALTY = re.compile(r"\*\*(\d+)\*\*$")
SUM = re.compile(r"([+−]?\d+) ([+−]) (\d+) = (?:\*\*)?([+−]?\d+)")
POINT_VALUE = 10
FANTASYLAND_CARDS = 14
WRITTEN = tuple(
    code for code, language in LANGUAGES.items() if (HOME / "docs" / language.document("pineapple")).exists()
)
"""Languages of the page, which are also those of the pages with pictures."""


def page(language: str) -> str:
    """The page in a language."""
    return (HOME / "docs" / LANGUAGES[language].document("pineapple")).read_text(encoding="utf-8")


def tables(language: str) -> list[list[list[str]]]:
    """The tables of the page, each with its heading, cell by cell."""
    found = re.findall(r"(?:^\|.*\n)+", page(language), re.MULTILINE)
    return [
        [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if "---" not in line]
        for text in found
    ]


def cards(cell: str) -> tuple[Card, ...]:
    """The cards of a cell, as the page writes them."""
    return parse_cards("".join(rank.replace("10", "T") + SUITS[suit] for rank, suit in CARD.findall(cell)))


def number(text: str) -> int:
    """A figure as the page writes it, with a real minus and perhaps bold; an empty cell is nothing."""
    return int(text.strip("*").replace("−", "-") or 0)


def boards(language: str) -> list[Board]:
    """The boards that are scored, in the order of the columns."""
    rows = tables(language)[RESULT][1:4]
    columns = range(1, len(rows[0]))
    return [parse_board("/".join(cards_text(cards(row[column])) for row in rows), PINEAPPLE) for column in columns]


def scored(language: str) -> HandScore:
    """Return the boards' score by the rules."""
    return score_hand(PINEAPPLE, boards(language))


@pytest.fixture(params=WRITTEN)
def language(request: pytest.FixtureRequest) -> str:
    """Each language that has the page."""
    return str(request.param)


def test_the_rows_have_their_cards(language: str) -> None:
    assert [number(row[1]) for row in tables(language)[BOARD][1:]] == [row.size for row in ROWS]


def test_each_street_is_dealt_placed_and_discarded_as_the_game_says(language: str) -> None:
    streets = tables(language)[STREETS][1:]
    for row, plan in zip(streets, PINEAPPLE.streets, strict=True):
        dealt, placed, discarded = cards(row[1]), [*chain(*map(cards, row[2:5]))], cards(row[5])
        assert (len(dealt), len(placed), len(discarded)) == (plan.deal, plan.to_place, plan.discard)
        assert {*dealt} == {*placed, *discarded}


def test_the_streets_end_in_the_board_that_is_scored(language: str) -> None:
    streets, mine = tables(language)[STREETS][1:], boards(language)[0]
    for row in ROWS:
        assert {*mine.rows[row.place]} == {*chain(*(cards(line[2 + row.place]) for line in streets))}
    assert scored(language).boards[0].next_fantasyland == FANTASYLAND_CARDS


def test_no_card_is_there_twice(language: str) -> None:
    check_cards(boards(language), PINEAPPLE)
    discarded = [*chain(*(cards(row[5]) for row in tables(language)[STREETS][1:]))]
    on_boards = {*chain(*(row for board in boards(language) for row in board.rows))}
    assert len({*discarded} - on_boards) == len(discarded)


def test_only_the_ranks_that_are_named_save_the_hand_on_the_last_street(language: str) -> None:
    front, middle, back = ([*chain(*(cards(row[n]) for row in tables(language)[STREETS][1:5]))] for n in (2, 3, 4))
    saved = set()
    kicker = cards(tables(language)[STREETS][5][2])
    for card in {*full_deck()} - {*front, *middle, *back, *kicker}:
        rows = ((*front, *kicker), (*middle, card), tuple(back))
        if not score_hand(PINEAPPLE, [Board(rows=rows), boards(language)[1]]).boards[0].foul:
            saved.add(RANKS[rank_of(card) - 2])
    assert saved == {"7", "K", "2"}


def test_hands_and_royalties_are_called_and_paid_as_the_page_says(language: str) -> None:
    words, rows = words_for(language), tables(language)[RESULT][1:]
    for column, board in enumerate(scored(language).boards, start=1):
        assert board.rows is not None
        for row, part in zip(rows, board.rows, strict=False):
            paid = ROYALTY.search(row[column])
            assert number(paid[1] if paid else "") == part.royalty
            assert f" {category_name(part.category, words)}" in row[column]
        assert number(rows[3][column]) == board.royalties


def test_each_pair_settles_as_the_page_says(language: str) -> None:
    rows = tables(language)[PAIRS][1:]
    for row, pair in zip(rows, scored(language).pairs, strict=True):
        assert [number(cell) for cell in row[1:5]] == [*pair.row_points, 3 * pair.scoop]
        assert number(row[5].rpartition(" ")[2]) == pair.royalties
        assert number(row[6]) == pair.points


def test_every_sum_on_the_page_comes_out(language: str) -> None:
    sums = SUM.findall(page(language))
    assert len(sums) == 8
    for first, sign, second, result in sums:
        assert number(first) + number(sign + second) == number(result)


def test_points_and_chips_are_those_of_the_three(language: str) -> None:
    points = scored(language).points
    assert [number(result) for *_, result in SUM.findall(page(language))[3:6]] == [*points]
    told = re.findall(r"\d+", re.split(r"10 chips per point|レートが10なら", page(language))[1])[:3]
    assert [int(chips) for chips in told] == [abs(point) * POINT_VALUE for point in points]


def test_a_foul_would_cost_what_the_page_says(language: str) -> None:
    you, bob, carol = boards(language)
    fouled = Board(rows=bob.rows, forfeited=True)
    pairs = score_hand(PINEAPPLE, [you, fouled, carol]).pairs
    told = [number(result) for *_, result in SUM.findall(page(language))[6:]]
    assert told == [abs(pair.points) for pair in pairs if 1 in (pair.first, pair.second)]


def test_the_royalties_are_those_of_the_game(language: str) -> None:
    words, pays = words_for(language), PINEAPPLE.royalties
    paid = {row[0]: [number(cell.strip("–")) for cell in row[1:]] for row in tables(language)[ROYALTIES][1:]}
    named = {capital(category_name(category, words)): category for category in Category}
    assert {named[hand]: cells for hand, cells in paid.items()} == {
        category: [pays.middle.get(category, 0), pays.back.get(category, 0)]
        for category in PINEAPPLE.possible(Row.BACK)
        if pays.middle.get(category) or pays.back.get(category)
    }


def test_the_front_pays_what_the_page_says(language: str) -> None:
    ranks, points = (row[1:] for row in tables(language)[FRONT])
    pays = {rank: paid for rank, paid in PINEAPPLE.royalties.front_pairs.items() if paid}
    assert [rank.replace("10", "T")[-1] for rank in ranks] == [RANKS[rank - 2] for rank in pays]
    assert [number(paid) for paid in points] == [*pays.values()]
    trips = PINEAPPLE.royalties.front_trips
    after = page(language).split(f"| {' | '.join(points)} |")[1]
    told = [int(figure) for figure in re.findall(r"(?<!\d)[12]\d(?!\d)", after.split("##")[0])]
    assert told == [trips[2], trips[ACE]]
    assert [trips[rank] - trips[2] for rank in trips] == [rank - 2 for rank in trips]
