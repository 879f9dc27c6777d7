"""From points to chips: what each seat pays each other when nobody can lose or win more than their stack allows.

Source: docs/players.md, "Chips".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from bot.ofc.scoring import HandScore, PairScore


class WinCap(Enum):
    """How much a seat can win in one hand."""

    NONE = "none"
    OWN_STACK = "own"
    """The net win of a hand is at most the stack at its start: nobody more than doubles."""
    PER_OPPONENT = "opponent"
    """From each opponent at most the smaller of the two stacks at the start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stakes:
    """What a point is worth, and the limits. Amounts are chips."""

    point_value: int
    loss_cap: bool = True
    win_cap: WinCap = WinCap.OWN_STACK
    bust_is_final: bool = False
    """True: a seat that has lost its last chip collects nothing from later pairs."""


@dataclass(frozen=True, slots=True)
class Payment:
    """``payer`` pays ``payee`` (seats) ``chips`` > 0."""

    payer: int
    payee: int
    chips: int


def settling_order(pairs: Sequence[PairScore], *, seats: int, button: int) -> list[PairScore]:
    """The pairs in the order they settle: the first seat left of the button with each that follows, and so on."""

    def place(seat: int) -> int:
        return (seat - button - 1) % seats

    return sorted(pairs, key=lambda pair: sorted((place(pair.first), place(pair.second))))


def settle(score: HandScore, *, stacks: Sequence[int], button: int, stakes: Stakes) -> list[Payment]:
    """The payments of a hand, at most one a pair, in the order they are made. What cannot be paid is forgiven.

    ``stacks`` are chips at the start of the hand, in the order of seats. Source: docs/players.md, "Chips".
    """
    balances = list(stacks)
    payments = []
    for pair in settling_order(score.pairs, seats=len(stacks), button=button):
        payer, payee = (pair.second, pair.first) if pair.points > 0 else (pair.first, pair.second)
        chips = _payable(
            abs(pair.points) * stakes.point_value, balances, stacks, payer=payer, payee=payee, stakes=stakes
        )
        if chips > 0:
            balances[payer] -= chips
            balances[payee] += chips
            payments.append(Payment(payer, payee, chips))
    return payments


def _payable(
    owed: int, balances: Sequence[int], stacks: Sequence[int], *, payer: int, payee: int, stakes: Stakes
) -> int:
    """How much of ``owed`` the limits allow."""
    if stakes.bust_is_final and balances[payee] <= 0 < stacks[payee]:
        return 0
    limits = [owed]
    if stakes.loss_cap:
        limits.append(balances[payer])
    if stakes.win_cap is WinCap.OWN_STACK:
        limits.append(2 * stacks[payee] - balances[payee])
    if stakes.win_cap is WinCap.PER_OPPONENT:
        limits.append(min(stacks[payer], stacks[payee]))
    return max(0, min(limits))
