"""From points to chips: order of pairs, limits, and cancelled debts."""

from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pure.ofc.scoring import HandScore, PairScore
from bot.pure.ofc.settlement import Payment, Stakes, WinCap, settle, settling_order


def hand(seats: int, *won: tuple[int, int, int]) -> HandScore:
    """Return a hand with the given ``(winner, loser, points)``. Other pairs are level."""
    by_pair = {tuple(sorted((a, b))): points if a < b else -points for a, b, points in won}
    pairs = tuple(
        PairScore(
            first=a,
            second=b,
            rows=(0, 0, 0),
            row_points=(0, 0, 0),
            scoop=0,
            bonus=0,
            royalties=0,
            natural=0,
            points=by_pair.get((a, b), 0),
        )
        for a, b in combinations(range(seats), 2)
    )
    return HandScore(boards=(), pairs=pairs, points=())


def paid(score: HandScore, stacks: Sequence[int], stakes: Stakes, *, button: int = 0) -> list[tuple[int, int, int]]:
    """The payments as (payer, payee, chips)."""
    made = settle(score, stacks=stacks, button=button, stakes=stakes)
    return [(payment.payer, payment.payee, payment.chips) for payment in made]


OPEN = Stakes(point_value=10, loss_cap=False, win_cap=WinCap.NONE)
LOSS = Stakes(point_value=10, win_cap=WinCap.NONE)
OWN = Stakes(point_value=10)


@pytest.mark.parametrize(
    ("button", "order"),
    [
        (0, [(1, 2), (0, 1), (0, 2)]),
        (1, [(0, 2), (1, 2), (0, 1)]),
        (2, [(0, 1), (0, 2), (1, 2)]),
    ],
)
def test_9_the_first_seat_left_of_the_button_settles_with_each_that_follows(
    button: int, order: list[tuple[int, int]]
) -> None:
    pairs = settling_order(hand(3).pairs, seats=3, button=button)
    assert [(pair.first, pair.second) for pair in pairs] == order


def test_9_four_seats_settle_clockwise_too() -> None:
    pairs = settling_order(hand(4).pairs, seats=4, button=1)
    assert [(pair.first, pair.second) for pair in pairs] == [(2, 3), (0, 2), (1, 2), (0, 3), (1, 3), (0, 1)]


def test_9_points_are_paid_at_the_point_value() -> None:
    assert paid(hand(2, (0, 1, 7)), [500, 500], OPEN) == [(1, 0, 70)]
    assert paid(hand(2, (1, 0, 7)), [500, 500], OPEN) == [(0, 1, 70)]


def test_9_a_level_pair_pays_nothing() -> None:
    assert paid(hand(3, (0, 1, 2)), [500, 500, 500], OPEN) == [(1, 0, 20)]


def test_9_without_a_loss_cap_a_stack_may_go_below_zero() -> None:
    assert paid(hand(2, (0, 1, 98)), [0, 0], OPEN) == [(1, 0, 980)]


def test_9_nobody_loses_more_than_they_have_and_the_rest_is_forgiven() -> None:
    assert paid(hand(3, (1, 0, 6), (2, 0, 6)), [100, 500, 500], LOSS) == [(0, 1, 60), (0, 2, 40)]
    assert paid(hand(2, (0, 1, 6)), [100, 0], LOSS) == []


def test_9_the_order_of_pairs_decides_who_is_paid() -> None:
    score = hand(3, (1, 0, 6), (2, 0, 6))
    assert paid(score, [60, 500, 500], LOSS, button=0) == [(0, 1, 60)]
    assert paid(score, [60, 500, 500], LOSS, button=1) == [(0, 2, 60)]


def test_9_chips_won_earlier_in_the_hand_can_be_lost_later() -> None:
    score = hand(3, (1, 2, 5), (0, 1, 8))
    assert paid(score, [500, 40, 500], LOSS, button=0) == [(2, 1, 50), (1, 0, 80)]


def test_9_a_player_who_is_down_to_nothing_may_collect_later() -> None:
    score = hand(3, (2, 1, 9), (1, 0, 5))
    assert paid(score, [500, 60, 500], LOSS, button=0) == [(1, 2, 60), (0, 1, 50)]


def test_9_a_bust_is_final_where_the_stakes_say_so() -> None:
    score = hand(3, (2, 1, 9), (1, 0, 5))
    final = Stakes(point_value=10, win_cap=WinCap.NONE, bust_is_final=True)
    assert paid(score, [500, 60, 500], final, button=0) == [(1, 2, 60)]
    assert paid(score, [500, 91, 500], final, button=0) == [(1, 2, 90), (0, 1, 50)]


def test_9_a_player_who_came_with_nothing_is_not_bust() -> None:
    final = Stakes(point_value=10, win_cap=WinCap.NONE, bust_is_final=True)
    assert paid(hand(2, (0, 1, 5)), [0, 100], final) == [(1, 0, 50)]


def test_9_own_stack_win_cap_nobody_more_than_doubles() -> None:
    assert paid(hand(2, (0, 1, 20)), [100, 500], OWN) == [(1, 0, 100)]
    score = hand(3, (1, 2, 8), (1, 0, 8))
    assert paid(score, [500, 100, 500], OWN, button=0) == [(2, 1, 80), (0, 1, 20)]


def test_9_the_win_cap_is_on_the_net_result() -> None:
    score = hand(3, (2, 1, 5), (1, 0, 20))
    assert paid(score, [500, 100, 500], OWN, button=0) == [(1, 2, 50), (0, 1, 150)]


def test_9_per_opponent_win_cap_is_the_smaller_of_the_two_stacks() -> None:
    stakes = Stakes(point_value=10, win_cap=WinCap.PER_OPPONENT)
    score = hand(3, (1, 2, 30), (1, 0, 30))
    assert paid(score, [200, 100, 500], stakes, button=0) == [(2, 1, 100), (0, 1, 100)]
    assert paid(hand(2, (0, 1, 30)), [200, 100], stakes) == [(1, 0, 100)]
    richer_by_now = hand(3, (1, 2, 10), (0, 1, 20))
    assert paid(richer_by_now, [500, 100, 500], stakes, button=0) == [(2, 1, 100), (1, 0, 100)]


STAKES = st.builds(
    Stakes,
    point_value=st.integers(1, 1000),
    loss_cap=st.just(value=True),
    win_cap=st.sampled_from(WinCap),
    bust_is_final=st.booleans(),
)


@given(data=st.data(), seats=st.integers(2, 6), stakes=STAKES)
def test_9_settling_is_zero_sum_and_never_below_zero(data: st.DataObject, seats: int, stakes: Stakes) -> None:
    won = [(a, b, data.draw(st.integers(-98, 98))) for a, b in combinations(range(seats), 2)]
    stacks = data.draw(st.lists(st.integers(0, 5000), min_size=seats, max_size=seats))
    button = data.draw(st.integers(0, seats - 1))
    balances = list(stacks)
    payments = settle(hand(seats, *won), stacks=stacks, button=button, stakes=stakes)
    for payment in payments:
        assert payment.chips > 0
        balances[payment.payer] -= payment.chips
        balances[payment.payee] += payment.chips
        assert balances[payment.payer] >= 0
    assert sum(balances) == sum(stacks)
    assert len({frozenset((payment.payer, payment.payee)) for payment in payments}) == len(payments)
    if stakes.win_cap is WinCap.OWN_STACK:
        assert all(balance <= 2 * stack for balance, stack in zip(balances, stacks, strict=True))


@given(data=st.data(), seats=st.integers(2, 4), value=st.integers(1, 100))
def test_9_uncapped_chips_are_the_points_in_any_order(data: st.DataObject, seats: int, value: int) -> None:
    won = [(a, b, data.draw(st.integers(-98, 98))) for a, b in combinations(range(seats), 2)]
    stakes = Stakes(point_value=value, loss_cap=False, win_cap=WinCap.NONE)
    results = set()
    for button in range(seats):
        chips = [0] * seats
        for payment in settle(hand(seats, *won), stacks=[0] * seats, button=button, stakes=stakes):
            chips[payment.payer] -= payment.chips
            chips[payment.payee] += payment.chips
        results.add(tuple(chips))
    points = [0] * seats
    for a, b, amount in won:
        points[a] += amount * value
        points[b] -= amount * value
    assert results == {tuple(points)}


def test_a_payment_says_who_pays_whom() -> None:
    assert settle(hand(2, (0, 1, 1)), stacks=[9, 9], button=1, stakes=Stakes(point_value=1)) == [Payment(1, 0, 1)]
