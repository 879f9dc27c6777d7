"""Computer players play each other: every deck in every seat, and the same hands each time."""

from random import Random

import pytest

from bot.pure.ofc.cards import BOARD_CARDS, Card, full_deck
from bot.pure.ofc.placement import automatic_placement
from bot.pure.ofc.presets import PINEAPPLE, PRESETS
from bot.pure.ofc.view import HandView
from bot.pure.solver.arrange import best_arrangement
from bot.pure.solver.duel import YARDSTICKS, DuelResult, interval, per_hundred, play_hand, rotations, with_fantasyland
from bot.pure.solver.visible_cards import known


def clock(view: HandView) -> str:
    """Places as the clock does."""
    assert view.mine
    front, middle, back = (known(row) for row in view.mine.rows)
    return automatic_placement((front, middle, back), known(view.mine.held), to_place=view.to_place)


def arranger(view: HandView) -> str:
    assert view.mine
    return best_arrangement(view.variant, known(view.mine.held)) if view.to_place == BOARD_CARDS else clock(view)


def deck(seed: int) -> tuple[Card, ...]:
    cards = list(full_deck())
    Random(seed).shuffle(cards)
    return tuple(cards)


def test_a_hand_tells_what_each_player_showed() -> None:
    cards = full_deck()
    found = play_hand(PINEAPPLE, cards, [(7, clock), (9, clock), (8, clock)])
    assert [showing.player for showing in found] == [7, 9, 8]
    assert sum(showing.points for showing in found) == 0
    assert all(tuple(map(len, showing.board)) == (3, 5, 5) for showing in found)


def test_a_board_set_at_once_is_played_too() -> None:
    found = play_hand(PRESETS["chinese"], full_deck(), [(0, arranger), (1, clock)])
    assert not found[0].foul
    assert found[0].points == -found[1].points


def test_what_was_entered_counts_against_every_opponent() -> None:
    first, second, third = (
        DuelResult(player=n, board=((), (), ()), royalties=0, foul=False, fantasyland_cards=cards, points=points)
        for n, (cards, points) in enumerate([(14, 3), (0, -2), (15, -1)])
    )
    assert with_fantasyland([first, second, third], {14: 9.0, 15: 14.0}) == [3 + 18 - 14, -2 - 23, -1 + 28 - 9]


@pytest.mark.parametrize("name", YARDSTICKS)
def test_a_yardstick_plays_a_hand_and_sees_only_its_view(name: str) -> None:
    found = play_hand(PINEAPPLE, tuple(reversed(full_deck())), [(0, YARDSTICKS[name]), (1, clock)])
    assert sum(showing.points for showing in found) == 0
    hand = play_hand(PRESETS["chinese"], full_deck(), [(0, YARDSTICKS[name]), (1, clock)])
    assert not hand[0].foul


def test_the_greedy_player_keeps_its_rows_in_order() -> None:
    found = [play_hand(PINEAPPLE, deck(seed), [(0, YARDSTICKS["greedy"]), (1, clock)])[0] for seed in range(4)]
    assert not any(showing.foul for showing in found)


def test_everybody_sits_everywhere_once() -> None:
    orders = rotations(3)
    assert orders == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]


def test_equal_players_win_nothing_from_each_other() -> None:
    players = [(0, clock), (1, clock)]
    hands = [play_hand(PINEAPPLE, full_deck(), [players[number] for number in order]) for order in rotations(2)]
    total = [sum(showing.points for hand in hands for showing in hand if showing.player == n) for n in (0, 1)]
    assert total == [0, 0]


def test_an_interval_is_as_wide_as_its_values_are_apart() -> None:
    assert interval([1.0, 3.0]).mean == 2
    assert interval([1.0, 3.0]).off == pytest.approx(1.96 * 2**0.5 / 2**0.5)
    assert interval([5.0]).off == float("inf")


def test_points_of_one_deck_count_as_one() -> None:
    found = per_hundred([[6, -6], [6, -4]])
    assert found.mean == 50
    assert found.off == pytest.approx(98)
