"""Outs that opponents already have: found on their boards, and only those that one of two placements needs."""

from __future__ import annotations

import pytest

from bot.play.trainer.known_puzzles import known_puzzles
from bot.pure.ofc.cards import cards_text
from bot.pure.ofc.presets import PINEAPPLE, PRESETS
from bot.pure.trainer.outs import dead_outs
from bot.pure.trainer.position import parse_position
from bot.pure.trainer.themes import Theme

ASKED = "QsQdTh/KsKc3h/4s6h6d +QhAc3c -7d5d vs 8dAd/7c2h7s4c/Ts3s8h 6sAs/2s9c4d/5h5s5cJd"


def dead(position: str, letters: str, other: str, game: str = "pineapple") -> str:
    asked = parse_position(position, PRESETS[game])
    return cards_text(dead_outs(asked, PRESETS[game], letters, other=other))


def test_pairs_that_only_one_placement_waits_for_are_named() -> None:
    # In the middle, a three makes two pairs and more; in the back, an ace does.
    assert set(parse_pairs(dead(ASKED, "MBD", "MMD"))) == {"3s", "As", "Ad"}


def parse_pairs(text: str) -> list[str]:
    """Return the cards of a text."""
    return [text[at : at + 2] for at in range(0, len(text), 2)]


def test_a_draw_to_a_flush_loses_the_suit_that_opponents_have() -> None:
    asked = "KsQd/Th5d/9c8cJc +6c2d3h vs 7c4c/5s4d6s/2hTd"
    assert set(parse_pairs(dead(asked, "BMD", "MBD"))) >= {"7c", "4c"}
    assert not set(parse_pairs(dead(asked, "BMD", "MMD"))) & {"7c", "4c"}, "both boards draw to it"


def test_two_equal_boards_and_full_rows_wait_for_nothing() -> None:
    assert dead(ASKED, "MBD", "MBD") == ""
    full = "As4h/Th3s9d8d7d/Js5h2c6c +Ac2s9h vs QhQs/TdTc3h8c/6h7cAhAd6s"
    assert "Td" not in dead(full, "FBD", "BFD")


def test_a_low_middle_waits_for_no_pair() -> None:
    low = "KsQd/7h5h/9c9d4s +2d3sTc vs 2c3c/8h4d/KcQc5c"
    assert "2c" in dead(low, "MBD", "DBM")
    assert "2c" not in dead(low, "MBD", "DBM", "two_seven")


@pytest.mark.parametrize("name", [name for name, one in known_puzzles().items() if one.theme is Theme.LIVE_OUTS])
def test_they_are_cards_that_the_reader_sees_at_opponents(name: str) -> None:
    puzzle = known_puzzles()[name]  # type: ignore[index]
    seen = {card for one in puzzle.position.opponents for row in one.rows for card in row}
    seen |= {card for one in puzzle.position.opponents for card in one.discards}
    best, second = puzzle.placements[:2]
    for one, other in ((best, second), (second, best)):
        assert {*dead_outs(puzzle.position, puzzle.variant, one.letters, other=other.letters)} <= seen


def test_most_shipped_puzzles_about_outs_name_one() -> None:
    about = [one for one in known_puzzles().values() if one.theme is Theme.LIVE_OUTS]
    named = [
        one
        for one in about
        if dead_outs(one.position, one.variant, one.placements[1].letters, other=one.placements[0].letters)
    ]
    assert 2 * len(named) > len(about)
    assert any(one.variant == PINEAPPLE for one in named)
