"""Conversion of points to chips: payments between seats, limited by the players' stacks.

Source: docs/how-to/seat-and-chips.md, "How points are paid".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from bot.pure.ofc.scoring import HandScore, PairScore


class WinCap(Enum):
    """Limit on a seat's winnings in a hand."""

    NONE = "none"
    OWN_STACK = "own"
    """A seat can win at most its stack at the start of the hand, so no player can more than double up."""
    PER_OPPONENT = "opponent"
    """A seat can win from each opponent at most the smaller of their two stacks at the start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stakes:
    """Value of a point and the limits on payments, in chips."""

    point_value: int
    loss_cap: bool = True
    win_cap: WinCap = WinCap.OWN_STACK
    bust_is_final: bool = False
    """True if a seat that busts collects nothing from later pairs."""


@dataclass(frozen=True, slots=True)
class Payment:
    """``payer`` pays ``payee`` (seats) ``chips`` > 0."""

    payer: int
    payee: int
    chips: int


class Limit(Enum):
    """Reasons for paying less than the points are worth."""

    LOSS = "loss"
    """The payer has no chips left."""
    WIN = "win"
    """The payee can't win more than the stack they began with."""
    PAIR = "pair"
    """The payee can't win more from one opponent than the smaller of their stacks at the start."""
    BUST = "bust"
    """The payee is bust and collects nothing more."""


@dataclass(frozen=True, slots=True)
class SettledPair:
    """Settlement of one pair: ``payer`` (a seat) owes ``owed`` chips and paid ``chips`` of them.

    If the pair is even, both are 0. ``limit`` is None if everything was paid.
    """

    payer: int
    payee: int
    owed: int
    chips: int
    limit: Limit | None = None


def settling_order(pairs: Sequence[PairScore], *, seats: int, button: int) -> list[PairScore]:
    """Return the pairs in the order they settle, starting with those of the seat to the left of the button."""

    def place(seat: int) -> int:
        return (seat - button - 1) % seats

    return sorted(pairs, key=lambda pair: sorted((place(pair.first), place(pair.second))))


def settle(score: HandScore, *, stacks: Sequence[int], button: int, stakes: Stakes) -> list[Payment]:
    """Return the payments for a hand, at most one per pair, in the order they are made. Unpaid chips are forgiven.

    ``stacks`` are chips at the start of the hand, in seat order.
    Source: docs/how-to/seat-and-chips.md, "How points are paid".

    >>> from bot.pure.ofc.notation import parse_board
    >>> from bot.pure.ofc.presets import PINEAPPLE
    >>> from bot.pure.ofc.scoring import score_hand
    >>> boards = ['QsQd2c/5c5d5h9s9c/AhKhQhJhTh', 'AsKd3c/6s6d8hJs4c/TsTd2h3h4d']
    >>> score = score_hand(PINEAPPLE, [parse_board(board, PINEAPPLE) for board in boards])
    >>> settle(score, stacks=[1000, 200], button=0, stakes=Stakes(point_value=10))
    [Payment(payer=1, payee=0, chips=200)]
    """
    settled = settled_pairs(score, stacks=stacks, button=button, stakes=stakes)
    return [Payment(pair.payer, pair.payee, pair.chips) for pair in settled if pair.chips]


def settled_pairs(score: HandScore, *, stacks: Sequence[int], button: int, stakes: Stakes) -> list[SettledPair]:
    """Return the settlement of every pair, in the order they settle, with the limit if less was paid than was owed."""
    balances = list(stacks)
    settled = []
    for pair in settling_order(score.pairs, seats=len(stacks), button=button):
        payer, payee = (pair.second, pair.first) if pair.points > 0 else (pair.first, pair.second)
        owed = abs(pair.points) * stakes.point_value
        most, limit = _most(balances, stacks, payer=payer, payee=payee, stakes=stakes)
        chips = owed if most is None else min(owed, most)
        balances[payer] -= chips
        balances[payee] += chips
        settled.append(SettledPair(payer, payee, owed, chips, limit if chips < owed else None))
    return settled


def _most(
    balances: Sequence[int], stacks: Sequence[int], *, payer: int, payee: int, stakes: Stakes
) -> tuple[int | None, Limit | None]:
    """Return the maximum payment between two seats now, and the reason for it; None for both if it's unlimited."""
    if stakes.bust_is_final and balances[payee] <= 0 < stacks[payee]:
        return 0, Limit.BUST
    limits = []
    if stakes.loss_cap:
        limits.append((balances[payer], Limit.LOSS))
    if stakes.win_cap is WinCap.OWN_STACK:
        limits.append((2 * stacks[payee] - balances[payee], Limit.WIN))
    if stakes.win_cap is WinCap.PER_OPPONENT:
        limits.append((min(stacks[payer], stacks[payee]), Limit.PAIR))
    if not limits:
        return None, None
    most, limit = min(limits, key=lambda known: known[0])
    return max(0, most), limit
