"""The three rows."""

from bot.ofc.rows import BOARD_CARDS, EMPTY, ROWS


def test_3_front_takes_three_cards_middle_and_back_five() -> None:
    assert [(row.key, row.value, row.size, row.place) for row in ROWS] == [
        ("front", "F", 3, 0),
        ("middle", "M", 5, 1),
        ("back", "B", 5, 2),
    ]
    assert sum(row.size for row in ROWS) == BOARD_CARDS
    assert EMPTY == ((), (), ())
