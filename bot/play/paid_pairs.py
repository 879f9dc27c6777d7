"""The chips that a finished hand has moved between each two players, and why fewer than the points ask for."""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.hands import HandRecord
from bot.model.ids import Player
from bot.model.tables import Table
from bot.ofc.hand import Hand
from bot.ofc.settlement import Limit, Stakes, settled_pairs, settling_order
from bot.play.session.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidPair:
    """Two seats of a hand: what one has won from the other. Where neither won, both numbers are 0."""

    winner: int
    loser: int
    owed: int
    """Chips that the points ask for."""
    chips: int
    """Chips that were paid."""
    limit: Limit | None = None
    """Why less was paid; None where all was, and where that cannot be told any more."""
    stack: int = 0
    """The chips at the start of the hand that are the limit: the loser's, the winner's, or the smaller of both."""


def paid_pairs(s: Session, table: Table, record: HandRecord, hand: Hand) -> tuple[PaidPair, ...]:
    """The pairs of a hand that has ended, in the order in which they were paid: the chips are those of the ledger."""
    score, players = hand.score, [Player(seat.player) for seat in hand.seats]
    paid = s.tx.paid(table.key, record.hand_no) if record.point_value else {}
    pairs = []
    for pair in settling_order(score.pairs, seats=len(players), button=hand.button):
        winner, loser = (pair.first, pair.second) if pair.points >= 0 else (pair.second, pair.first)
        owed, chips = abs(pair.points) * record.point_value, paid.get((players[loser], players[winner]), 0)
        pairs.append(PaidPair(winner=winner, loser=loser, owed=owed, chips=chips))
    return tuple(pairs) if all(pair.chips == pair.owed for pair in pairs) else _explained(s, table, record, hand, pairs)


def _explained(s: Session, table: Table, record: HandRecord, hand: Hand, pairs: list[PaidPair]) -> tuple[PaidPair, ...]:
    """The pairs with what has limited them, where settling them again by the stacks of then comes to the same."""
    before = s.tx.stacks_before(table.key, record.hand_no, at=record.started_at)
    stacks = [before.get(Player(seat.player), 0) for seat in hand.seats]
    limits = table.terms.limits
    stakes = Stakes(point_value=record.point_value, win_cap=limits.win_cap, bust_is_final=limits.bust_is_final)
    again = settled_pairs(hand.score, stacks=stacks, button=hand.button, stakes=stakes)
    if [pair.chips for pair in again] != [pair.chips for pair in pairs]:
        return tuple(pairs)
    return tuple(
        PaidPair(
            winner=pair.winner,
            loser=pair.loser,
            owed=pair.owed,
            chips=pair.chips,
            limit=settled.limit,
            stack=_limiting(settled.limit, winner=stacks[pair.winner], loser=stacks[pair.loser]),
        )
        for pair, settled in zip(pairs, again, strict=True)
    )


def _limiting(limit: Limit | None, *, winner: int, loser: int) -> int:
    """The stack at the start of the hand that a limit speaks of."""
    match limit:
        case None:
            return 0
        case Limit.LOSS:
            return loser
        case Limit.WIN | Limit.BUST:
            return winner
        case Limit.PAIR:
            return min(winner, loser)
